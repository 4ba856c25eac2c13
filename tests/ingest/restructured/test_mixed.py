from inspect import cleandoc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.ingest.restructured.mixed import to_markdown


def test_targets_become_links() -> None:
    text = "See docs_ and `The Docs`_.\n\n.. _docs: https://x.y\n.. _`the docs`: https://x.z\n.. _label:\n"
    assert to_markdown(text) == "See [docs](https://x.y) and [The Docs](https://x.z)."


_TABLE = "===  ===\na    b\n===  ===\n1    2\n===  ==="
_AS_MARKDOWN = "| a | b |\n| --- | --- |\n| 1 | 2 |"
BLOCKS = {
    "table of Markdown": ("x\n\n| a | b |\n|---|---|\n| ``c`` | d |", "x\n\n| a | b |\n|---|---|\n| `c` | d |"),
    "titled list in a call-out": (".. admonition:: T\n\n   - a", "> **T:**\n> - a"),
    "a call-out of Markdown in plain text": ("x\n\n!!! note\n    - a", "x\n\n> **Note:**\n> - a"),
    "files that are not there": (".. literalinclude:: a.py\n\n.. toctree::\n\n   a\n\n.. image:: a.png\n\nx", "x"),
    "a table in a file": (".. csv-table::\n   :file: a.csv\n\nx", "[not included: a.csv]\n\nx"),
    "badges": ("|a| |b|\n\nx\n\n.. |a| image:: a.svg\n.. |b| image:: b.svg", "x"),
    "labels": (".. _x:\n\nT\n===\n", "## T"),
    "a mark of Markdown": ("x\n- a\n- b", "x\n- a\n- b"),
    "a term of several lines": ("one\nTwo\n    three", "one\nTwo\nthree"),
    "note": (".. note::\n   Careful\n   here.\n\n   - a\n   - b", "> **Note:** Careful\n> here.\n>\n> - a\n> - b"),
    "heading in tildes": ("Text.\n\nDeep\n~~~~\n\n.. note:: Hot.", "Text.\n\n## Deep\n\n> **Note:** Hot."),
    "fence of tildes": ("A\n\n~~~py\n.. note:: x\n~~~", "A\n\n~~~py\n.. note:: x\n~~~"),
    "note on its line": (".. warning:: Hot.", "> **Warning:** Hot."),
    "seealso": (".. seealso:: :func:`f`", "> **See also:** `f`"),
    "empty note": (".. note::\n\nx", "x"),
    "titled": (".. admonition:: Why\n\n   Because.", "> **Why:** Because."),
    "titled list": (".. topic:: T\n\n   - a", "**T**\n\n- a"),
    "dropped example": (".. admonition:: Example:\n\n   .. literalinclude:: a.py\n      :language: python", ""),
    "added": (".. versionadded:: 1.2", "**Added in version 1.2.**"),
    "changed": (".. versionchanged:: 1.2\n   Now ``x``.", "**Changed in version 1.2:** Now `x`."),
    "changed without version": (".. versionchanged::\n   Now.", "**Changed:** Now."),
    "deprecated": (".. deprecated:: 1.2 Use x.", "> **Deprecated since version 1.2:** Use x."),
    "code block": (
        ".. code-block:: python\n   :linenos:\n\n   a = 1\n\n\n   b = 2",
        "```python\na = 1\n\n\nb = 2\n```",
    ),
    "code without language": (".. code::\n\n   $ ls", "```console\n$ ls\n```"),
    "empty code": (".. code-block:: python\n", ""),
    "math": (".. math::\n\n   x^2", "```math\nx^2\n```"),
    "rubric": (".. rubric:: Notes\n\nx", "**Notes**\n\nx"),
    "unknown directive": (".. list-things:: Title\n\n   Text.", "Title\n\nText."),
    "comment": (".. a comment\n   goes on\n\nx", "x"),
    "bare comment": ("..\n   hidden\n\nx", "x"),
    "footnote": (".. [1] A ``note``.", "[^1]: A `note`."),
    "literal": ("Do::\n\n    a = 1\n\n    b = 2\n\nx", "Do:\n\n```python\na = 1\n\nb = 2\n```\n\nx"),
    "literal alone": ("x\n\n::\n\n    some words here\n", "x\n\n```\nsome words here\n```"),
    "literal with nothing": ("Do::", "Do:"),
    "literal with nothing, lines": ("a\nDo::", "a\nDo:"),
    "session": ("Do:\n\n>>> f(1)\n2\n\nx", "Do:\n\n```pycon\n>>> f(1)\n2\n```\n\nx"),
    "session next to text": ("Do:\n>>> f(1)", "Do:\n\n```pycon\n>>> f(1)\n```"),
    "list": ("* a\n  b\n\n  c\n* d", "- a\n  b\n\n  c\n- d"),
    "list after a colon": ("These:\n- a\n- b", "These:\n- a\n- b"),
    "numbers": ("1. a\n2. b", "1. a\n2. b"),
    "code in a list": ("- a::\n\n      x = 1\n", "- a:\n\n  ```python\n  x = 1\n  ```"),
    "indented text": ("x\n\n   words only", "x\n\nwords only"),
    "indented code": ("Usage:\n\n    f(1)", "Usage:\n\n```python\nf(1)\n```"),
    "term": ("Term\n    Its meaning.", "**Term**\n\nIts meaning."),
    "hanging": ("the sentence goes\n    on.", "the sentence goes\non."),
    "hanging list": ("A long sentence, and\n    - a\n    - b", "A long sentence, and\n\n- a\n- b"),
    "headings": ("Title\n=====\nx\n\nSub\n---\ny", "## Title\n\nx\n\n### Sub\n\ny"),
    "overlined": ("=====\nTitle\n=====\nx", "## Title\n\nx"),
    "rule": ("x\n\n----------\n\ny", "x\n\n---\n\ny"),
    "short line of marks": ("---\nx", "---\nx"),
    "heading after text": ("x\nTitle\n=====\ny", "x\n\n## Title\n\ny"),
    "simple table": (f"{_TABLE}\nx", f"{_AS_MARKDOWN}\n\nx"),
    "tables one below the other": (
        f"{_TABLE}\n{_TABLE}", f"{_AS_MARKDOWN}\n| a | b |\n| 1 | 2 |",
    ),
    "an open table": ("===  ===\na    b\n", "a    b"),
    "grid": ("+--+\n|a |\n+--+", "|  |\n| --- |\n| a |"),
    "fence": ("```python\n``a``\n```\n", "```python\n``a``\n```"),
    "open fence": ("```\na", "```\na\n```"),
    "markdown": ("# T\n\n``a``\n\n    code\n", "# T\n\n`a`\n\n    code"),
    "markdown with a directive": ("[a](b)\n\n.. note::\n   c\n", "[a](b)\n\n> **Note:** c"),
    "fence in a list": ("- a\n\n  ```py\n  ``x``\n  ```\n", "- a\n\n  ```py\n  ``x``\n  ```"),
    "mkdocs": ('!!! note "Look"\n    Here.\n', "> **Look:** Here."),
    "mkdocs without title": ("x\n\n!!! warning\n    Hot.\n", "x\n\n> **Warning:** Hot."),
    "two headings of one kind": ("A\n===\nB\n===\n", "## A\n\n## B"),
    "item and space": ("- a\n\n\nx", "- a\n\nx"),
    "hanging parts": ("the sentence goes\n    on.\n\n    More.", "the sentence goes\n\non.\n\nMore."),
    "a fence in a list that stays open": ("# T\n- a\n\n  ```py\n  x", "# T\n- a\n\n  ```py\n  x"),
    "blank lines": ("a\n\n\n\nb", "a\n\nb"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BLOCKS.values(), ids=BLOCKS)
def test_blocks(text: str, expected: str) -> None:
    assert to_markdown(text) == expected


def test_what_lies_too_deep_stays_plain_lines() -> None:
    deep = "".join(f"{' ' * 3 * level}.. note::\n\n" for level in range(30)) + " " * 90 + "The end."
    markdown = to_markdown(deep)
    assert "The end." in markdown
    assert markdown.count("**Note:**") == 20


_LINES = st.sampled_from(
    ["text", "", "   indented", "- item", "      deep", ".. note::", ".. code-block:: python", "Title", "=====",
     "-----", "word::", ">>> f()", "```", "===  ===", "+--+", "|a |", ":param x: y", "*a* ``b`` :c:`d`", "!!! note",
     "..", "1. one", "# head", "`a <b>`_"]
)  # fmt: skip


@given(st.lists(_LINES, max_size=12))
def test_any_text_becomes_markdown_with_balanced_fences(lines: list[str]) -> None:
    markdown = to_markdown("\n".join(lines))
    fences = [line for line in markdown.split("\n") if line.lstrip("> -1.").startswith("```")]
    assert len(fences) % 2 == 0


@given(st.text(max_size=200))
def test_no_text_breaks_the_converter(text: str) -> None:
    assert isinstance(to_markdown(cleandoc(text)), str)


@given(st.lists(st.from_regex(r"[a-z(). =]{0,12}", fullmatch=True), min_size=1, max_size=6))
def test_code_stays_byte_for_byte(lines: list[str]) -> None:
    code = "\n".join(["a = 1", *lines, "b = 2"])
    block = ".. code-block:: python\n\n" + "\n".join(f"    {line}" if line else "" for line in code.split("\n"))
    kept = to_markdown(block).removeprefix("```python\n").removesuffix("\n```")
    assert kept.split("\n") == [line if line.strip() else "" for line in code.split("\n")]
