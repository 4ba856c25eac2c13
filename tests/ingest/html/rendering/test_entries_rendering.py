"""API entries: headings with anchors, signatures in one fence, text without fields and nested entries."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from ingest.html.rendering.trees import body
from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads import Head
from refdesk.ingest.html.rendering import Rendered, RenderOptions, render

PAGE = """
<h1>Page</h1><h2>Part</h2>
<dl class="py class"><dt id="m.C">class m.C(x)</dt><dd><p>A class.</p>
  <dl class="field-list"><dt>Parameters</dt><dd><p><strong>x</strong> (int) – size</p></dd></dl>
  <h3>Notes</h3><p>Noted.</p>
  <dl class="py method"><dt id="m.C.f">f(a)</dt><dt id="m.C.g">f(a, b)</dt><dd><p>A method.</p></dd></dl>
  <p>More of the class.</p></dd></dl>
<h2>Next</h2>
"""


def _find(element: HtmlElement) -> Sequence[Head]:
    """Heads in the way of Sphinx: definition lists of class `py`."""
    if element.tag != "dl" or "py" not in (element.get("class") or "").split():
        return ()
    signs = [sign for sign in element if sign.tag == "dt"]
    bodies = tuple(one for one in element if one.tag == "dd")
    fields = tuple(one for one in element.iter("dl") if one.get("class") == "field-list")
    name = signs[0].get("id", "")
    kind: SymbolKind = "class" if "class" in element.get("class", "") else "method"
    return [Head(name, kind, name, tuple(str(sign.text) for sign in signs), "python", f"{name}()", bodies, fields)]


def _entries(source: str, find: object = _find) -> Rendered:
    return render(body(source), RenderOptions(find_heads=find))  # type: ignore[arg-type]  # finders of the tests


def test_entries_are_headings_with_one_fence_below_their_section() -> None:
    assert _entries(PAGE).markdown == (
        "# Page\n\n## Part\n\n### `m.C()` {#m.C}\n\n```python\nclass m.C(x)\n```\n\nA class.\n\n"
        "**Parameters:** `x` (int) – size\n\n#### Notes\n\nNoted.\n\n"
        "##### `m.C.f()` {#m.C.f}\n\n```python\nf(a)\nf(a, b)\n```\n\nA method.\n\nMore of the class.\n\n## Next"
    )


def test_the_text_of_an_entry_is_its_own() -> None:
    first, second = _entries(PAGE).entries
    assert (first.head.name, first.parent) == ("m.C", "")
    assert first.text == "A class.\n\n#### Notes\n\nNoted.\n\nMore of the class."
    assert (second.head.name, second.parent, second.text) == ("m.C.f", "m.C", "A method.")


def test_headings_go_no_deeper_than_six() -> None:
    inner = '<dl class="py"><dt id="z">z</dt><dd>text</dd></dl>'
    for name in "yxwvut":
        inner = f'<dl class="py"><dt id="{name}">{name}</dt><dd>{inner}</dd></dl>'
    found = _entries(inner)
    levels = [line.index(" ") for line in found.markdown.split("\n") if line.startswith("#")]
    assert levels == [2, 3, 4, 5, 6, 6, 6]
    assert [entry.parent for entry in found.entries] == ["", *"tuvwxy"]


def test_an_entry_in_a_list_is_a_bold_line() -> None:
    found = _entries('<ul><li>a<dl class="py"><dt id="f">f()</dt><dd><p>Text.</p></dd></dl></li></ul>')
    assert found.markdown == "- a\n\n  **`f()`**\n\n  ```python\n  f()\n  ```\n\n  Text."
    assert [entry.text for entry in found.entries] == ["Text."]


def _by_heading(element: HtmlElement) -> Sequence[Head]:
    if element.tag == "h3":
        return [Head("fs.open", "function", "fs", ("fs.open(path[, mode])",), "js", by_heading=True)]
    if element.tag == "section":
        shown = Head("fs.a", "function", "a", ("fs.a()", "fs.a(b)"), "js", "fs.a()", by_heading=True)
        return [shown, Head("fs.b", "function", "b", ("fs.a(b)",), "js", by_heading=True)]
    return ()


def test_an_entry_that_is_a_heading_keeps_it() -> None:
    found = _entries("<h2>Part</h2><h3><code>fs.open(path)</code></h3><p>Opens.</p>", _by_heading)
    assert found.markdown == ("## Part\n\n### `fs.open(path)` {#fs}\n\n```js\nfs.open(path[, mode])\n```\n\nOpens.")
    assert [(entry.head.name, entry.text) for entry in found.entries] == [("fs.open", "")]


def test_a_heading_that_shows_the_signature_is_not_repeated() -> None:
    assert _entries("<h3>fs.open(path[, mode])</h3>", _by_heading).markdown == "### fs.open(path[, mode]) {#fs}"


def test_an_element_may_stand_for_several_headings() -> None:
    found = _entries("<h2>Part</h2><section>fs.a()</section>", _by_heading)
    assert found.markdown == "## Part\n\n### fs.a() {#a}\n\n```js\nfs.a(b)\n```"
    assert [entry.head.name for entry in found.entries] == ["fs.a", "fs.b"]


def test_a_heading_in_a_list_that_is_an_entry() -> None:
    found = _entries("<blockquote><p>q</p><h3></h3></blockquote>", _by_heading)
    assert found.markdown == "> q\n>\n> **`fs.open`**\n>\n> ```js\n> fs.open(path[, mode])\n> ```"


def test_what_follows_an_entry_may_belong_to_it() -> None:
    def find(element: HtmlElement) -> Sequence[Head]:
        after = element.getnext()
        if element.tag != "dl" or after is None:
            return ()
        return [Head("f", "function", "f", (), after=(after,), title="f")]

    found = _entries("<dl><dt>f</dt></dl><p>About f.</p><p>Else.</p>", find)
    assert found.markdown == "## `f`\n\nAbout f.\n\nElse."
    assert [entry.text for entry in found.entries] == ["About f."]
