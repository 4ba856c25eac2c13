"""Includes that a source format leaves to its build (context7#345): the text, or a marker that one can see."""

import pytest

from refdesk.domain.entries import Problem
from refdesk.ingest.markdown.regions import Selection, select
from sites import page_of, parsed

RUST = """\
// ANCHOR: main
fn main() {
    go();
}
// ANCHOR_END: main
fn other() {}
"""
PYTHON = """\
import x

# tag::sing[]
def sing(
    a,
):
    return a
# end::sing[]

class Bird:
    def fly(self):
        return 1

    async def land(self):
        return 2

y = 3
"""
CSHARP = """\
class A {
    // <Snippet1>
    void Go() { }
    // </Snippet1>
    #region Stop
    void Stop() { }
    #endregion
}
"""
FILES = {
    "src/main.rs": RUST,
    "src/sing.py": PYTHON,
    "src/A.cs": CSHARP,
    "parts/_note.md": "---\ntitle: Note\n---\nShared *note*.\n",
    "parts/loop.md": "Loop {{#include loop.md}}",
    "src/snippets.py": "# --8<-- [start:one]\na = 1\n# --8<-- [end:one]\nb = 2\n",
}


def shown(text: str, path: str = "docs/page.md") -> str:
    entries = parsed({**FILES, path: text})
    return next(page for page in entries.pages if page.path == path).markdown.rstrip("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```rust\n{{#include ../src/main.rs:main}}\n```", "```rust\nfn main() {\n    go();\n}\n```"),
        ("```rust\n{{#rustdoc_include ../src/main.rs:6}}\n```", "```rust\nfn other() {}\n```"),
        ("```rust\n{{#include ../src/main.rs:2:3}}\n```", "```rust\nfn main() {\n    go();\n```"),
        ("```rust\n{{#include ../src/main.rs::2}}\n```", "```rust\nfn main() {\n```"),
        ("{{#playground ../src/main.rs:main editable}}", "```rust\nfn main() {\n    go();\n}\n```"),
        ("{{#include ../parts/_note.md}}", "Shared *note*."),
        ("Write \\{{#include x.rs}}", "Write \\{{#include x.rs}}"),
        ('--8<-- "parts/_note.md"', "Shared *note*."),
        ('    --8<-- "src/snippets.py:one"', "    ```python\n    a = 1\n    ```"),
        ('```python\n--8<-- "src/snippets.py:one"\n```', "```python\na = 1\n```"),
        ("include::../src/sing.py[tag=sing]", "```python\ndef sing(\n    a,\n):\n    return a\n```"),
        ("include::../src/sing.py[lines=1..2;17]", "```python\nimport x\n\ny = 3\n```"),
        ("include::../parts/_note.md[]", "Shared *note*."),
        ("[!code-csharp[Main](../src/A.cs?name=Snippet1&highlight=1)]", "```csharp\nvoid Go() { }\n```"),
        ("[!code-csharp[](~/src/A.cs?name=Stop)]", "```csharp\nvoid Stop() { }\n```"),
        ("[!code[](../src/A.cs#L3)]", "```csharp\nvoid Go() { }\n```"),
        ("[!code[](../src/A.cs#L3-L3)]", "```csharp\nvoid Go() { }\n```"),
        ("[!code-cs[](../src/A.cs?range=6)]", "```cs\nvoid Stop() { }\n```"),
        ("[!code-cs[](../src/A.cs?start=6&end=6)]", "```cs\nvoid Stop() { }\n```"),
        ("[!code-cs[](../src/A.cs#Snippet1)]", "```cs\nvoid Go() { }\n```"),
        ("[!INCLUDE [note](../parts/_note.md)] Then.", "Shared *note*. Then."),
        (
            "```{literalinclude} ../src/sing.py\n:pyobject: Bird.fly\n```",
            "```python\ndef fly(self):\n    return 1\n```",
        ),
        ("```{literalinclude} ../src/sing.py\n:language: py3\n:lines: 17\n```", "```py3\ny = 3\n```"),
        ("```{include} ../parts/_note.md\n```", "Shared *note*."),
        ("```{include} ../src/sing.py\n:start-after: return 2\n```", "```python\ny = 3\n```"),
    ],
)  # fmt: skip
def test_an_include_becomes_what_it_includes(text: str, expected: str) -> None:
    assert shown(text).strip("\n") == expected


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("{{#include gone.rs}}", "gone.rs"),
        ("{{#include ../src/main.rs:nothing}}", "../src/main.rs:nothing"),
        ('--8<-- "gone.py"', "gone.py"),
        ("include::gone.adoc[]", "gone.adoc"),
        ("include::../src/sing.py[lines=900..901]", "../src/sing.py"),
        ("[!code-cs[](gone.cs)]", "gone.cs"),
        ("[!INCLUDE [x](gone.md)]", "gone.md"),
        ("{{#include ../../../etc/passwd}}", "../../../etc/passwd"),
        ("```{literalinclude} gone.py\n```", "gone.py"),
    ],
)
def test_an_include_that_is_not_there_is_a_marker_and_told_of(text: str, target: str) -> None:
    entries = parsed({**FILES, "docs/page.md": f"# Page\n\n{text}\n"})
    page = next(page for page in entries.pages if page.path == "docs/page.md")
    assert f"[not included: {target}]" in page.markdown
    assert [one.message[:24] for one in entries.problems if one.path == "docs/page.md"] == ["1 include(s) not found: "]


def test_pages_that_include_themselves_end() -> None:
    entries = parsed({**FILES, "docs/page.md": "{{#include ../parts/loop.md}}"})
    page = next(page for page in entries.pages if page.path == "docs/page.md")
    assert page.markdown == "Loop [not included: loop.md]\n"


def test_a_chain_of_includes_is_followed_to_a_depth() -> None:
    files = {f"p{number}.md": f"P{number} {{{{#include p{number + 1}.md}}}}" for number in range(9)}
    assert parsed(files).pages[0].markdown == "P0 P1 P2 P3 P4 P5 [not included: p6.md]\n"


def test_a_partial_that_was_included_is_no_page_of_its_own() -> None:
    assert [page.path for page in parsed({**FILES, "a.md": "{{#include parts/_note.md}}"}).pages] == [
        "a.md",
        "parts/loop.md",
    ]


def test_code_is_fenced_longer_than_the_fences_in_it() -> None:
    assert page_of("{{#include x.txt:1:3}}", x_txt="```\na\n```").markdown == "````text\n```\na\n```\n````\n"


def test_missing_includes_are_counted_once_each() -> None:
    problems = parsed({"a.md": "{{#include x}} {{#include x}} {{#include y}}"}).problems
    assert problems == (Problem("a.md", "2 include(s) not found: x, y"),)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), PYTHON.strip("\n")),
        (Selection(lines="1"), "import x"),
        (Selection(lines="-1"), "import x"),
        (Selection(lines="17-"), "y = 3"),
        (Selection(lines="x"), None),
        (Selection(lines="99"), None),
        (Selection(start_after="return 2"), "y = 3"),
        (Selection(start_at="y ="), "y = 3"),
        (Selection(end_before="# tag"), "import x"),
        (Selection(start_at="class", end_at="class"), "class Bird:"),
        (Selection(start_after="nowhere"), None),
        (Selection(end_before="nowhere"), None),
        (Selection(region="nowhere"), None),
        (Selection(object="sing"), "def sing(\n    a,\n):\n    return a"),
        (Selection(object="Bird.land"), "async def land(self):\n    return 2"),
        (Selection(object="Bird.nowhere"), None),
    ],
    ids=str,
)
def test_a_selection_gives_its_lines_or_nothing(selection: Selection, expected: str | None) -> None:
    assert select(PYTHON, selection) == expected


def test_several_regions_are_joined_and_an_open_one_reaches_to_the_end() -> None:
    text = "# tag::a[]\n1\n# end::a[]\n2\n# tag::b[]\n3\n"
    assert select(text, Selection(region="a;b")) == "1\n3"
