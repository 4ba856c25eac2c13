"""Pages to chunks: sections, sizes, fences, tables, names."""

import re

import pytest
from hypothesis import given

from refdesk.domain.entries import ContentType, Page
from refdesk.domain.markdown import balanced, close_fences
from refdesk.ingest.markdown.chunks import LARGEST, TARGET, chunks_of_page, cut_long
from refdesk.ingest.markdown.names import api_names
from sites import chunks_of
from texts import MARKDOWN


def prose(words: int) -> str:
    return " ".join(f"word{number}" for number in range(words))


def test_chunks_follow_headings() -> None:
    chunks = chunks_of(f"Intro.\n\n# Guide\n\nLead.\n\n## Install {{#setup}}\n\n{prose(9)}\n\n### Linux\n\nText.\n")
    assert [(one.id, one.title, one.heading, one.anchor) for one in chunks] == [
        ("page/page.md#1", "Guide", ("Guide",), ""),
        ("page/page.md#2", "Guide", ("Guide",), "guide"),
        ("page/page.md#3", "Install", ("Guide", "Install"), "setup"),
        ("page/page.md#4", "Linux", ("Guide", "Install", "Linux"), "linux"),
    ]
    assert {one.page for one in chunks} == {"page.md"}
    assert chunks[3].text == "### Linux\n\nText."


def test_a_page_title_that_is_no_heading_stands_above_the_headings() -> None:
    page = Page("a.md", "Manual", "# Part\n\ntext", "concept", url="https://example.org/a")
    (chunk,) = chunks_of_page(page)
    assert chunk.heading == ("Manual", "Part")
    assert chunk.url == "https://example.org/a#part"


def test_a_page_without_headings_is_called_by_its_title() -> None:
    (chunk,) = chunks_of_page(Page("a.md", "Notes", "Just text.", "concept", url="https://example.org/a"))
    assert (chunk.title, chunk.heading, chunk.url) == ("Notes", ("Notes",), "https://example.org/a")


def test_a_heading_without_text_goes_with_its_first_subsection() -> None:
    chunks = chunks_of("# Guide\n\n## Part\n\n### One\n\ntext\n\n### Two\n\ntext\n\n## Empty\n\n## Last\n\ntext\n")
    assert [one.text for one in chunks] == [
        "# Guide\n\n## Part\n\n### One\n\ntext",
        "### Two\n\ntext",
        "## Empty",
        "## Last\n\ntext",
    ]
    assert chunks[0].heading == ("Guide", "Part", "One")


def test_deep_headings_stay_together_while_they_are_short() -> None:
    text = "## A\n\n#### B\n\ntext\n\n##### C\n\ntext\n"
    assert [one.text for one in chunks_of(text)] == [text.strip()]


def test_deep_headings_are_cut_where_the_section_is_long() -> None:
    text = "".join(f"{'#' * (2 if number == 0 else 4)} H{number}\n\n{prose(60)}\n\n" for number in range(8))
    assert [one.title for one in chunks_of(text)] == [f"H{number}" for number in range(8)]


def test_a_long_section_is_cut_into_parts_of_the_target_size() -> None:
    text = "# A\n\n" + "\n\n".join(f"Paragraph {number}. {prose(40)}" for number in range(20))
    chunks = chunks_of(text)
    assert len(chunks) > 3
    assert all(len(one.text) <= TARGET for one in chunks[:-1])
    assert {one.anchor for one in chunks} == {"a"}


def test_a_small_rest_is_not_a_chunk_of_its_own() -> None:
    text = "# A\n\n" + "\n\n".join("x" * 500 for _ in range(4)) + "\n\nEnd.\n"
    assert all(len(one.text) > 300 for one in chunks_of(text))


def test_a_code_block_below_the_limit_is_kept_whole() -> None:
    code = "```python\n" + "value = 1\n" * 250 + "```"
    assert sum(code in one.text for one in chunks_of(f"# A\n\n{prose(200)}\n\n{code}\n\n{prose(200)}\n")) == 1


FENCES = {
    "backticks": '```python title="a.py" {1,3}',
    "tildes": "~~~ yaml",
    "four backticks": "````md",
}
CONTAINERS = {
    "list item": ("- item\n\n", "  "),
    "numbered item": ("1. item\n\n", "   "),
    "quotation": ("> quote\n>\n", "> "),
    "details": ("<details>\n<summary>More</summary>\n\n", ""),
    "definition list": ("term\n: definition\n\n", "    "),
}


@pytest.mark.parametrize("opening", FENCES.values(), ids=FENCES.keys())
@pytest.mark.parametrize(("head", "indent"), CONTAINERS.values(), ids=CONTAINERS.keys())
def test_no_chunk_breaks_a_fence_of_a_long_item(opening: str, head: str, indent: str) -> None:
    """arabold/docs-mcp-server#418: the splitter cut fences inside a list item of more than 5,000 characters."""
    mark = (re.match(r"[`~]+", opening) or [""])[0]
    block = "\n".join(
        [opening, *(f"line {number} of the code" for number in range(60)), mark, "", f"Then {prose(30)}", ""]
    )
    body = "\n".join((indent + line).rstrip() for line in (block * 4).split("\n"))
    text = f"# Page\n\n{head}{body}\n"
    chunks = chunks_of(text)
    assert len(text) > 5_000
    assert len(chunks) > 2
    for chunk in chunks:
        assert len(chunk.text) <= LARGEST
        assert balanced(chunk.text)
        fences = [line.lstrip(" >") for line in chunk.text.split("\n") if re.match(r"[ >]*[`~]{3}", line)]
        assert set(fences) <= {opening, mark}
        assert fences[::2] == [opening] * (len(fences) // 2)
    found = re.findall(r"line (\d+) of the code", "\n".join(one.text for one in chunks))
    assert [int(number) for number in found] == [*range(60)] * 4


def test_an_oversize_code_block_is_split_at_blank_lines_and_opened_again() -> None:
    body = "\n\n".join("\n".join(f"call_{part}_{line}()" for line in range(20)) for part in range(15))
    chunks = chunks_of(f"# A\n\n```python\n{body}\n```\n")
    assert len(chunks) > 1
    for chunk in chunks[1:]:
        assert re.match(r"```python\ncall_\d+_0\(\)\n", chunk.text)
    assert re.findall(r"call_\d+_\d+", "".join(one.text for one in chunks)) == re.findall(r"call_\d+_\d+", body)


def test_an_oversize_table_repeats_its_header() -> None:
    header = "| option | meaning |\n|---|---|\n"
    chunks = chunks_of("# Options\n\n" + header + "".join(f"| opt{number} | {prose(8)} |\n" for number in range(80)))
    assert len(chunks) > 1
    assert all(chunk.text.startswith(header) for chunk in chunks[1:])
    assert all(chunk.text.endswith(" |") for chunk in chunks)


def test_a_part_of_a_list_reads_without_the_indentation_of_the_list() -> None:
    item = "- item\n\n" + "".join(f"  {prose(40)}\n\n" for _ in range(12)) + "After the list.\n"
    chunks = chunks_of(f"# A\n\n{item}")
    assert all(not chunk.text.startswith(" ") for chunk in chunks)
    assert chunks[-1].text.endswith("\n\nAfter the list.")


def test_an_indented_code_block_keeps_its_indentation() -> None:
    (chunk,) = chunks_of("    code\n\n    more\n")
    assert chunk.text == "    code\n\n    more"


@pytest.mark.parametrize(
    ("page", "text", "kind"),
    [
        ("notes.md", "## Errors\n\ntext", "error"),
        ("notes.md", "## Configuration\n\ntext", "configuration"),
        ("notes.md", "## Example\n\ntext", "code_example"),
        ("notes.md", "## Sing\n\n```python\n" + "sing()\n" * 20 + "```\n", "code_example"),
        ("notes.md", "## Sing\n\ntext", "concept"),
        ("CHANGELOG.md", "## Errors\n\ntext", "changelog"),
    ],
)
def test_a_section_may_be_of_another_kind_than_its_page(page: str, text: str, kind: ContentType) -> None:
    assert chunks_of(text, page)[0].content_type == kind


def test_languages_are_those_of_the_fences_by_their_usual_names() -> None:
    fences = "".join(
        f"```{info}\nx\n```\n" for info in ("py", "{.python}", "js title=x", "", "text", "C++", "sh", "{python}")
    )
    assert chunks_of(fences)[0].languages == ("python", "javascript", "cpp", "bash")


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Install", ()),
        ("The `put_object` call", ("put_object",)),
        ("`client.put_object(Bucket, Key)`", ("client.put_object",)),
        ("`class Client(base)`", ("Client",)),
        ("`--verbose` and --quiet", ("--verbose", "--quiet")),
        ("httpx.Client.get()", ("httpx.Client.get",)),
        ("Using PutObject with upload_file", ("PutObject", "upload_file")),
        ("std::vector and camelCase", ("std::vector", "camelCase")),
        ("Event: `'close'`", ("close",)),
        ("Version 1.2.3", ()),
        ("`npm install x`", ("npm",)),
        ("`` ` ``", ()),
        ("`a`, `a`", ("a",)),
        ("`new Parcel(box)` {#new_parcel}", ("Parcel",)),
        ("Options {#_options}", ()),
    ],
)
def test_identifiers_in_a_heading_are_names(heading: str, names: tuple[str, ...]) -> None:
    assert api_names(heading) == names
    assert chunks_of(f"## {heading}\n\ntext")[0].names == names


def test_ids_are_stable() -> None:
    text = "# A\n\ntext\n\n## B\n\ntext\n"
    assert chunks_of(text) == chunks_of(text)


def test_blank_lines_before_the_first_heading_are_no_chunk() -> None:
    (chunk,) = chunks_of_page(Page("a.md", "A", "\n\n# A\n\ntext", "concept"))
    assert chunk.id == "page/a.md#1"


def test_a_long_text_is_cut_into_whole_parts() -> None:
    parts = cut_long("Lead.\n\n```js\n" + "call();\n" * 900 + "```\n")
    assert len(parts) > 1
    assert all(balanced(part) and len(part) <= LARGEST for part in parts)
    assert cut_long("\n" * 5_000) == ("\n" * 5_000,)


def test_a_short_text_is_cut_into_itself() -> None:
    assert cut_long(" text ") == (" text ",)


def letters(text: str) -> str:
    return re.sub(r"[\s`~>|-]", "", text)


@given(MARKDOWN.map(close_fences))
def test_chunks_of_any_page_are_whole_and_lose_no_word(text: str) -> None:
    chunks = chunks_of_page(Page("a.md", "A", text, "concept"))
    for chunk in chunks:
        assert balanced(chunk.text)
        assert chunk.text.strip()
        assert len(chunk.text) <= LARGEST + 80
    if not re.search(r"(?m)^[ >:-]*(?:`{3}|~{3}|\||<pre)", text):  # nothing that parts repeat
        assert letters("".join(one.text for one in chunks)) == letters(
            text.replace(" {#two}", "").replace('<a id="here"></a>', "")
        )
    bare = text.replace('<a id="here"></a>', "")
    words = set(re.findall(r"\w+", re.sub(r"(?m)^## Two \{#two\}$", "## Two", bare)))
    assert words <= set(re.findall(r"\w+", "\n".join(one.text for one in chunks)))
    assert [one.id for one in chunks] == [f"page/a.md#{number}" for number in range(1, len(chunks) + 1)]


def test_a_line_between_parts_ends_neither() -> None:
    first, second = chunks_of("# A\n\nSome words.\n\n---\n\n## B\n\nOther words.\n\n* * *\n")
    assert first.text == "# A\n\nSome words."
    assert second.text.startswith("## B\n\nOther words.")


def test_items_of_a_changelog_are_no_options() -> None:
    news = "".join(
        f"- `tap.turn{number}()` now takes water from the well. {'More of it. ' * 30}\n" for number in range(9)
    )
    for page in (
        Page("changelog.md", "Changelog", f"# Changelog\n\n## 25.4.0\n\n{news}", "changelog"),
        Page("README.md", "Taps", f"# Taps\n\n## Changes\n\n{news}", "concept"),
    ):
        chunks = chunks_of_page(page)
        assert len(chunks) > 1
        assert {one.title for one in chunks} == {chunks[0].title}
        assert not any(one.names for one in chunks)
    options = chunks_of_page(Page("a.md", "Taps", f"# Taps\n\n## Calls\n\n{news}", "concept"))
    assert "tap.turn3" in {name for one in options for name in one.names}


def test_an_option_has_the_id_of_its_term_and_no_type_among_its_names() -> None:
    terms = "".join(
        f'- <a id="GUC-WAIT-{number}"></a>`wait_{number}` (`integer`) – Waits. {"So long. " * 40}\n'
        for number in range(6)
    )
    chunks = chunks_of_page(Page("a.md", "A", f"# A\n\n{terms}", "concept", url="https://e.org/a"))
    found = {one.anchor: one for one in chunks}
    assert found["GUC-WAIT-3"].names == ("wait_3",)
    assert found["GUC-WAIT-3"].url == "https://e.org/a#GUC-WAIT-3"
    assert found["GUC-WAIT-3"].text.startswith("- `wait_3` (`integer`) – Waits.")


@pytest.mark.parametrize(
    ("text", "deprecated"),
    [
        ("## orrery.stop() deprecated {#stop}\n\nStops it.", True),
        ("## `stop` (deprecated)\n\nStops it.", True),
        ("## Stopping\n\n> **Caution: Deprecated:** Use that instead.", True),
        ("## Stopping\n\n> **Deprecated:** Use that instead.", True),
        ("## Stopping\n\n> **Deprecated since version 2:** Use that instead.", True),
        ("> **Warning: DEPRECATED:** All of it.\n\nMore.", True),
        ("## Deprecated\n\n- `stop`", False),
        ("## What is deprecated\n\nNothing.", False),
        ("## Stopping\n\nIt is deprecated.", False),
        ("## Stopping\n\n> **Note:** deprecated is what one should not use.", False),
        ("## Stopping\n\nWords.\n\n> **Deprecated:** One of its options.", False),
        (f"## Stopping\n\n{'Words. ' * 80}\n\ndeprecated", False),
    ],
)
def test_sections_that_say_they_are_deprecated_are(text: str, deprecated: bool) -> None:
    assert [one.deprecated for one in chunks_of_page(Page("a.md", "A", text, "concept"))] == [deprecated]
