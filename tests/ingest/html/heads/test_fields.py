# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
"""Lists of parameters, results and errors in the forms that are found."""

import pytest
from lxml import html

from refdesk.domain.symbols import Deprecation, ErrorRef
from refdesk.ingest.html.heads.fields import Fields, Stated, Texts, read_fields
from refdesk.ingest.html.rendering import RenderOptions, render, render_inline

OPTIONS = RenderOptions()
TEXTS = Texts(lambda one: render_inline(one, OPTIONS), lambda one: render(one, OPTIONS).markdown.strip())


def fields(markup: str, *names: str) -> Fields:
    return read_fields(list(html.fragment_fromstring(f"<div>{markup}</div>")), names, TEXTS)


def field_list(label: str, value: str) -> str:
    return f'<dl class="field-list"><dt>{label}:</dt><dd>{value}</dd></dl>'


@pytest.mark.parametrize(
    ("value", "stated"),
    [
        ("<p><strong>size</strong> (<em>int</em>) – Litres.</p>", [Stated("size", "int", "Litres.")]),
        ("<ul><li><strong>size</strong> -- Litres.</li></ul>", [Stated("size", "", "Litres.")]),
        ("<ul><li><strong>size</strong> (<a href='x.html#a(b)'>int</a> or (<em>a, b</em>), optional)</li></ul>", [Stated("size", "int or (a, b)", optional=True)]),
        ("<ul><li><strong>size</strong> (<em>Optional[int]</em>) – Litres.</li></ul>", [Stated("size", "Optional[int]", "Litres.")]),
        ("<ul><li><strong>**more</strong> – Rest.</li></ul>", [Stated("more", "", "Rest.")]),
        ("<ul><li><p><strong>size</strong> – Litres.</p><p>Or pints.</p></li></ul>", [Stated("size", "", "Litres.\n\nOr pints.")]),
        ("<ul><li>no name at all</li></ul>", []),
        ("<dl><dt><strong>a, b</strong><span class='classifier'>int, default 3</span></dt><dd><p>Two.</p></dd></dl>", [Stated("a", "int", "Two.", "3"), Stated("b", "int", "Two.", "3")]),
        ("<dl><dt><strong>size: int, optional</strong></dt><dd><p>Litres.</p></dd></dl>", [Stated("size", "int", "Litres.", optional=True)]),
        ("<dl><dt><code>known_oneint</code></dt><dt><code>known{1, 2}</code></dt><dd>Text.</dd><dt>-</dt></dl>", [Stated("known_one", "int"), Stated("known", "{1, 2}", "Text.")]),
        ("<table class='params'><tr><td class='paramname'>size</td><td>Litres.</td></tr><tr><td>alone</td></tr><tr><td>!</td><td>x</td></tr></table>", [Stated("size", "", "Litres.")]),
    ],
)  # fmt: skip
def test_parameters(value: str, stated: list[Stated]) -> None:
    assert list(fields(field_list("Parameters", value), "known", "known_one").params.values()) == stated


def test_a_deprecated_parameter_says_so_itself() -> None:
    value = """<ul><li><p><strong>size</strong> – Litres.</p><div class="deprecated"><p>Deprecated since version 2: Use <em>volume</em> instead.</p></div></li></ul>"""
    assert fields(field_list("Parameters", value)).params["size"].deprecation == Deprecation(
        "directive", "2", "volume", "Use *volume* instead."
    )


@pytest.mark.parametrize(
    ("markup", "returns"),
    [
        (field_list("Returns", "<p>All.</p>") + field_list("Return type", "<a href='x'>list</a>[<em>int</em>]"), ("list[int]", "All.")),
        (field_list("Yields", "<dl><dt>int</dt><dd>One.</dd></dl>"), ("int", "One.")),
        (field_list("Returns", "<dl><dt><strong>a</strong><span class='classifier'>int</span></dt><dd>One.</dd><dt>str</dt></dl>"), ("", "- `a` (int): One.\n- `str`")),
        ("<table><tr><th>Returns</th></tr><tr><td>All.</td></tr></table>", ("", "All.")),
        ("<p>Returns:</p><table><tr><th>Name</th><th>Type</th><th>Description</th></tr><tr><td>a</td><td>int</td><td>One.</td></tr></table>", ("int", "One.")),
    ],
)  # fmt: skip
def test_results(markup: str, returns: tuple[str, str]) -> None:
    assert fields(markup).returns == returns


@pytest.mark.parametrize(
    ("markup", "errors"),
    [
        (field_list("Raises", "<p><strong>Spill</strong> – If not.</p>"), [ErrorRef("Spill", "If not.")]),
        (field_list("Raises", "<ul><li><a href='x'>Spill</a> – If not.</li><li>Leak</li></ul>"), [ErrorRef("Spill", "If not."), ErrorRef("Leak")]),
        (field_list("Throws", "<dl><dt>Spill</dt><dd>If not.</dd><dt>Leak</dt></dl>"), [ErrorRef("Spill", "If not."), ErrorRef("Leak")]),
        (field_list("Raises", "<table><tr><td>Spill</td><td>If not.</td></tr><tr><td>x</td></tr></table>"), [ErrorRef("Spill", "If not.")]),
        (field_list("Raises", f"<p>{'long words ' * 20}</p>"), []),
        ("<table><tr><th>Raises</th></tr><tr><td>Spill</td></tr></table>", [ErrorRef("Spill")]),
    ],
)  # fmt: skip
def test_errors(markup: str, errors: list[ErrorRef]) -> None:
    assert fields(markup).errors == errors


def test_old_field_lists_are_tables() -> None:
    found = fields(
        "<table class='field-list'><tr><th>Parameters:</th><td><ul><li><strong>a</strong> – One.</li></ul></td></tr><tr><td>odd</td></tr></table>"
    )
    assert list(found.params) == ["a"]


def test_other_fields_belong_to_the_description() -> None:
    found = fields(field_list("Variables", "<p>One.</p>") + field_list("See also", "x") + field_list("Since", "1.2"))
    assert (found.others, found.since) == ([("Variables", "One.")], "1.2")


def test_rows_of_other_tables_are_none() -> None:
    found = fields("<table><tr><th>Attributes</th></tr><tr><td>a</td><td>One.</td></tr></table><table></table>")
    assert (found.params, found.errors) == ({}, [])


def test_lists_of_node() -> None:
    found = fields(
        """<ul><li><code>to</code> {string|URL} Where to.</li><li><code>options</code> <a class="type">&lt;Object&gt;</a> <ul><li><code>size</code> <a class="type">&lt;number&gt;</a> <strong>Default:</strong> ten.</li></ul></li>
        <li><code>then</code> <a class="type">&lt;Function&gt;</a> <a href="x">see</a><ul><li><code>err</code></li></ul></li><li>Returns: {boolean}</li><li>Type: <a class="type">&lt;x&gt;</a></li><li><code>!</code></li></ul>"""
    )
    assert list(found.params.values()) == [
        Stated("to", "string | URL", "Where to."),
        Stated("options", "Object"),
        Stated("options.size", "number", "**Default:** ten.", "ten"),
        Stated("then", "Function", "[see](x)"),
    ]
    assert found.returns == ("boolean", "")


def test_what_stands_alone_is_taken_by_its_title() -> None:
    assert list(fields("<h4>Parameters</h4><dl><dd><p><strong>a</strong> – One.</p></dd></dl>").params) == ["a"]
    assert fields("<p>Returns</p><div>All.</div>").returns == ("", "All.")
    assert list(fields("<p>Parameters</p><ul><li><b>a</b> – One.</li></ul>").params) == ["a"]
