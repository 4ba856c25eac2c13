"""Scanning Markdown: blocks that partition the text, fences wherever they stand, headings and their anchors."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.markdown import (
    balanced,
    blocks,
    close_fences,
    looks_like_fence,
    outline,
    plain,
    section,
    slugify,
)
from texts import MARKDOWN

PAGE = """\
Before the first heading.

# The `guide` {#top}

Intro.

## Install

```sh
# not a heading
pip install x
```

### On *Linux*

Text.

## Install

Again.

Old style
=========

Deeper
------

<h2 align="center" id="html-one">By <b>HTML</b></h2>

End.
"""


def kinds(text: str) -> list[str]:
    return [block.kind for block in blocks(text)]


LINES_OF_FENCES = (
    "```", "```py", "``` ", "````", "~~~", "```a`b", "  ```", "> ```", "- ```", "- x", "text", "a ``` b", "", "# h",
    "<pre>", "</pre>", "<!--", "-->",
    "    code", "```\r", "| a | b |", "| --- | --- |", "\x0b```", "\u2028```", "```\u2028",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", ["blank"]),
        ("a\nb\n\nc", ["text", "text"]),
        ("# A\ntext", ["heading", "text"]),
        ("#no heading", ["text"]),
        ("####### seven", ["text"]),
        ("    # code", ["code"]),
        ("A\n===\nB\n---\n", ["heading", "heading"]),
        ("two\nlines\n---", ["heading"]),
        ("---\n\ntext\n\n***", ["text", "text", "text"]),
        ("- item\n---", ["item"]),
        ("> quote\n---", ["text"]),
        ("- a\n- b\n  more\n\n  para", ["item", "item", "text"]),
        ("1. a\n2) b", ["item", "item"]),
        ("| a |\n|---|\n| 1 |\n\nx", ["table", "text"]),
        ("a | b\n--- | ---\n1 | 2\n```\n```", ["table", "fence"]),
        ("text\n| a |\n|---|", ["text", "table"]),
        ("a | b\nno delimiter", ["text"]),
        ("<pre>\n# x\n\n```\n</pre>\nz", ["html", "text"]),
        ("<pre>one line</pre>\n\nz", ["html", "text"]),
        ("<pre>\nnever closed\n\n<pre>\n# A", ["html", "html", "heading"]),
        ("<!--\n# hidden\n\n-->\n# A", ["html", "heading"]),
        ("<div>\n\n# A", ["html", "heading"]),
        ("text\n<style>\na\n</style>", ["text", "html"]),
        ("    code\n\n    more\n\ntext", ["code", "text"]),
        ("    code\n    ```\n    x\n    ```", ["code", "fence"]),
        ("- item\n\n    para of the item", ["item", "text"]),
        ("\tcode", ["code"]),
    ],
)
def test_a_text_is_cut_into_blocks(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "info", "language", "closed"),
    [
        ("```python\nx\n```", "python", "python", True),
        ("```\nx\n```", "", "", True),
        ('```{.Python title="a b" #id}\nx\n```', '{.Python title="a b" #id}', "python", True),
        ("```{code-block} rust\nx\n```", "{code-block} rust", "code-block", True),
        ("``` c++ hl_lines='1'\nx\n```", "c++ hl_lines='1'", "c++", True),
        ("~~~ js\n```\n~~~", "js", "js", True),
        ("````md\n```\nx\n```\n````", "md", "md", True),
        ("```\nx\n``\n", "", "", False),
        ("- ```js\n  x\n  ```", "js", "js", True),
        ("1. ```js\n   x\n   ```", "js", "js", True),
        (": ```js\n  x\n  ```", "js", "js", True),
        ("      ```js\n      x\n      ```", "js", "js", True),
        ("> ```js\n> x\n> ```", "js", "js", True),
        ("> ```js\n> x\n", "js", "js", False),
        ("> - ```js\n>   x\n>   ```", "js", "js", True),
        ("```js\r\nx\r\n```\r\n", "js", "js", True),
        ("```js", "js", "js", False),
    ],
)
def test_a_fence_is_one_block_with_its_info_string(text: str, info: str, language: str, closed: bool) -> None:
    (fence,) = blocks(text)
    assert (fence.kind, fence.info, fence.language, fence.closed) == ("fence", info, language, closed)


@pytest.mark.parametrize("text", ["```inline``` code", "``two``", "~~ struck ~~", "`" * 70 + "\nx"])
def test_what_only_looks_like_a_fence_is_text(text: str) -> None:
    assert kinds(text) == ["text"]


def test_a_quotation_that_ends_closes_its_fence() -> None:
    assert kinds("> ```\n> x\nafter\n# H") == ["fence", "text", "heading"]


@given(MARKDOWN)
def test_blocks_partition_any_text(text: str) -> None:
    found = blocks(text)
    assert "".join(text[block.start : block.end] for block in found) == text
    assert all(block.start < block.end for block in found)


@given(st.text(max_size=300))
def test_scanning_never_raises(text: str) -> None:
    found = blocks(text)
    assert "".join(text[block.start : block.end] for block in found) == text
    outline(text)
    section(text, text[:20])
    plain(text)


@pytest.mark.parametrize(
    "text",
    [
        *("#" + " " * 10_000 + "x", "[" * 10_000, "`" * 10_000),
        *("<pre>\n" * 2_000, "| a |\n" * 3_000, "> " * 5_000, "* " * 5_000),
    ],
    ids=["spaces", "brackets", "ticks", "open pre", "no table", "quotes", "stars"],
)
def test_hostile_texts_are_scanned_in_one_pass(text: str) -> None:
    assert "".join(text[block.start : block.end] for block in blocks(text)) == text
    outline(f"# {text[:700]}")


def test_headings_have_levels_paths_and_anchors() -> None:
    found = [(one.level, one.text, one.anchor, one.path) for one in outline(PAGE)]
    assert found == [
        (1, "The guide", "top", ()),
        (2, "Install", "install", ("The guide",)),
        (3, "On Linux", "on-linux", ("The guide", "Install")),
        (2, "Install", "install-1", ("The guide",)),
        (1, "Old style", "old-style", ()),
        (2, "Deeper", "deeper", ("Old style",)),
        (2, "By HTML", "html-one", ("Old style",)),
    ]


def test_sections_reach_to_the_next_heading_of_their_rank() -> None:
    ends = {one.anchor: PAGE[one.end :].split("\n", 1)[0] for one in outline(PAGE)}
    assert ends == {
        "top": "Old style",
        "install": "## Install",
        "on-linux": "## Install",
        "install-1": "Old style",
        "old-style": "",
        "deeper": '<h2 align="center" id="html-one">By <b>HTML</b></h2>',
        "html-one": "",
    }


@pytest.mark.parametrize(
    ("text", "anchor", "aliases"),
    [
        ("# A {#x}", "x", ("a",)),
        ("# A {#x .cls}", "x", ("a",)),
        ("# A {/* #x */}", "x", ("a",)),
        ('# A <a id="x"></a>', "x", ("a",)),
        ('<a name="x"></a>\n\n# A', "x", ("a",)),
        ("(x)=\n# A", "x", ("a",)),
        ('<a id="x"></a>\n<a id="y"></a>\n\n# A', "x", ("y", "a")),
        ("# A ##", "a", ()),
        ("# C#", "c", ()),
        ("#", "", ()),
        ("# `a_b()` & c!", "a_b--c", ()),
        ("# 安装 指南", "安装-指南", ()),
        ("# [Link](u) ![i](p)", "link-i", ()),
    ],
)
def test_anchors_come_from_ids_else_from_the_text(text: str, anchor: str, aliases: tuple[str, ...]) -> None:
    (heading,) = outline(text)
    assert (heading.anchor, heading.aliases) == (anchor, aliases)


def test_repeated_headings_are_numbered_as_github_does() -> None:
    anchors = [one.anchor for one in outline("# a\n# a\n# a-1\n# a\n# A\n")]
    assert anchors == ["a", "a-1", "a-1-1", "a-2", "a-3"]


def test_anchors_before_a_heading_belong_to_its_section() -> None:
    text = 'Before.\n\n<a id="x"></a>\n\n# A\n\nText.\n'
    assert section(text, "x") == '<a id="x"></a>\n\n# A\n\nText.\n'


@pytest.mark.parametrize(
    ("asked", "first_line"),
    [
        ("top", "# The `guide` {#top}"),
        ("#top", "# The `guide` {#top}"),
        ("TOP", "# The `guide` {#top}"),
        ("the-guide", "# The `guide` {#top}"),
        ("The guide", "# The `guide` {#top}"),
        ("install", "## Install"),
        ("On Linux", "### On *Linux*"),
        ("On%20Linux", "### On *Linux*"),
        ("Install > On Linux", "### On *Linux*"),
        ("The guide > On linux", "### On *Linux*"),
        ("on linux!", "### On *Linux*"),
        ("html-one", '<h2 align="center" id="html-one">By <b>HTML</b></h2>'),
    ],
)
def test_a_section_is_found_by_anchor_text_and_path(asked: str, first_line: str) -> None:
    found = section(PAGE, asked)
    assert found is not None
    assert found.split("\n")[0] == first_line


@pytest.mark.parametrize(
    "asked", ["", "#", "nothing", "Old style > On Linux", '"', "a=b", "\x00", "x" * 10_000, "健康"]
)
def test_a_section_that_does_not_exist_is_none(asked: str) -> None:
    assert section(PAGE, asked) is None


def test_the_second_of_two_equal_headings_is_found_by_its_number() -> None:
    found = section(PAGE, "install-1")
    assert found == "## Install\n\nAgain.\n\n"


@pytest.mark.parametrize(
    ("inline", "text"),
    [
        ("**bold** and *em* __x__ _y_", "bold and em x y"),
        ("snake_case_name", "snake_case_name"),
        ("`code *kept*`", "code *kept*"),
        ("`` a ` b ``", "a ` b"),
        ("[text](url) ![alt](src) [ref][id]", "text alt ref"),
        ("**[bold link](u)** [*em*](u)", "bold link em"),
        ("a &amp; b &lt;", "a & b <"),
        (r"\*not em\* \_", "*not em* _"),
        ("<b>x</b><br/>", "x"),
        ("a < b > c", "a < b > c"),
        ("x \x00 y", "x  y"),
    ],
)
def test_inline_markdown_becomes_plain_text(inline: str, text: str) -> None:
    assert plain(inline) == text


@pytest.mark.parametrize(
    ("text", "slug"), [("Hello, World!", "hello-world"), ("a  b", "a--b"), ("A_b-c", "a_b-c"), ("", "")]
)
def test_slugs_are_githubs(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("```\nx", "```\nx\n```\n"),
        ("~~~~ js\nx\n", "~~~~ js\nx\n~~~~\n"),
        ("> ```\n> x\n\nafter", "> ```\n> x\n> ```\n\nafter"),
        ("- ```\n  x", "- ```\n  x\n  ```\n"),
        ("```\nx\n```", "```\nx\n```"),
        ("plain", "plain"),
    ],
)
def test_open_fences_are_closed_in_their_place(text: str, closed: str) -> None:
    assert close_fences(text) == closed


@given(st.lists(st.sampled_from(LINES_OF_FENCES), max_size=12).map("\n".join))
def test_a_text_is_balanced_if_a_scan_finds_every_block_closed(text: str) -> None:
    assert balanced(text) == all(block.closed for block in blocks(text))
    assert close_fences(text) == text or not balanced(text)


@given(MARKDOWN)
def test_closing_fences_balances_any_text_and_is_done_once(text: str) -> None:
    closed = close_fences(text)
    assert balanced(closed)
    assert close_fences(closed) == closed
    assert re.sub(r"[`~>\s]", "", closed) == re.sub(r"[`~>\s]", "", text)


@pytest.mark.parametrize(
    ("line", "looks"),
    [("```", True), ("~~~ x", True), ("> ```", True), ("  ````", True), ("``` a`", False), ("x", False)],
)
def test_a_line_alone_may_look_like_a_fence(line: str, looks: bool) -> None:
    assert looks_like_fence(line) is looks


def test_the_lines_around_a_panel_of_tabs_are_blocks_of_their_own() -> None:
    text = (
        'Install:\n<tab label="pip &amp; uv">\nRun it.\n```sh\npip\n```\n</tab>\n- item\n  <tab label="">\n  </tab>\n'
    )
    assert [(one.kind, one.text) for one in blocks(text) if one.kind in ("tab", "end")] == [
        ("tab", "pip & uv"),
        ("end", ""),
        ("tab", ""),
        ("end", ""),
    ]
    assert "".join(text[one.start : one.end] for one in blocks(text)) == text


@pytest.mark.parametrize("text", ['`<tab label="x">`', "<tab>", "<tab label='x'>", "<table>", "text </tab>"])
def test_what_only_looks_like_a_panel_is_text(text: str) -> None:
    assert [one.kind for one in blocks(text)] in (["text"], ["html"])


def test_a_thematic_break_above_a_paragraph_is_no_part_of_a_heading() -> None:
    assert outline("---\ntitle: x\n---\n") == ()


@pytest.mark.parametrize(("heading", "text"), [("# `a_b`", "a_b"), ("# ` a ` ", "a"), ("# ` `", "")])
def test_a_heading_that_is_one_code_span_is_its_code(heading: str, text: str) -> None:
    assert outline(heading)[0].text == text


def test_a_table_ends_the_paragraph_above_it() -> None:
    assert [one.kind for one in blocks("Text\na | b\n--- | ---\n1 | 2\n")] == ["text", "table"]


def test_an_item_is_found_by_the_anchor_of_its_term() -> None:
    text = '# A\n\n- <a id="x"></a>`x` – one\n\n  two\n  - <a id="y"></a>`y`\n    more\n  - z\n\n- <a id="w"></a>`w`\n'
    assert section(text, "x") == text[5 : text.index('- <a id="w"')]
    assert section(text, "y") == '  - <a id="y"></a>`y`\n    more\n'
    assert section(text, "w") == '- <a id="w"></a>`w`\n'
    assert section(text, "v") is None
