import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.plaintext import plain_text

CASES = {
    "headings": ("# A *b* {#x}\n\n## `c()`\n\nD\n===\n", "A b\n\nc()\n\nD"),
    "paragraphs": ("a [b](c) ![d](e) `f` **g**\\*  \nh", "a b d f g*\nh"),
    "lists and quotations": (
        "- a\n  - b\n1. c\n\n> **Note:** d\n>\n> e\n\nt\n: f",
        "a\n\nb\n\nc\n\nNote: d\ne\n\nt\nf",
    ),
    "tasks": ("- [x] done\n- [ ] open", "done\n\nopen"),
    "rules": ("a\n\n---\n\n***\n\nb", "a\n\nb"),
    "fences": ("```python\n# a\n\n*b*\n```\n\n- x\n\n  ~~~\n  c\n    d\n\n  ~~~", "# a\n\n*b*\n\nx\n\nc\n  d"),
    "a fence in a quotation": ("> ```\n> a\n>\n>   b\n> ```", "a\n\n  b"),
    "an open fence": ("```\na", "a"),
    "an empty fence": ("```\n```", ""),
    "a fence whose lines lost their marks": ("- ```\n  a\nb\n  ```", "a\nb"),
    "indented code": ("a\n\n    # b\n    c", "a\n\n# b\nc"),
    "tables": ("| A | B |\n| --- | --- |\n| `x\\|y` | c<br>d |\n|  |  |", "A B\nx|y c d"),
    "a table in a list": ("- | a | b |\n  | --- | --- |\n  | c | d |", "a b\nc d"),
    "tabs": ('<tab label="A &amp; B">\n\nx\n\n</tab>', "A & B\n\nx"),
    "footnotes": ("See[^1].\n\n[^1]: The note.", "See1.\n\n1 The note."),
    "tags": ("H<sub>2</sub>O <br> x", "H2O   x"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("markdown", "expected"), CASES.values(), ids=CASES.keys())
def test_what_a_reader_reads(markdown: str, expected: str) -> None:
    assert plain_text(markdown) == expected


@given(st.text(st.sampled_from("ab `~#>-|\n*_[]()<&1."), max_size=60))
def test_any_text_is_read(markdown: str) -> None:
    plain_text(markdown)


@given(st.lists(st.text(st.sampled_from("abc"), min_size=1), min_size=1, max_size=5))
def test_words_stay_in_order(words: list[str]) -> None:
    assert plain_text("\n\n".join(words)).split() == words
