# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
"""What is rare in pages of generators: comments between elements, several texts in one list, marks in titles."""

from lxml import html

from html_entries import symbols_in
from refdesk.ingest.html.heads.head import no_heads


def test_several_texts_in_one_list_are_several_entries() -> None:
    found = symbols_in(
        "sphinx",
        """<dl class="py data"><dt class="sig sig-object py" id="tap.A"><span class="sig-name descname">A</span></dt><dd><p>One.</p></dd><dd><p>More.</p></dd>
        <!-- comment --><dt class="sig sig-object py" id="tap.B"><span class="sig-name descname">B</span></dt><dd><p>Two.</p></dd></dl>""",
    )
    assert [(one.name, one.doc) for one in found.values()] == [("tap.A", "One.\n\nMore."), ("tap.B", "Two.")]


def test_comments_after_a_heading_are_no_text() -> None:
    assert (
        symbols_in("sphinx", '<section id="module-tap"><h1>T</h1><!-- c --><p>Words.</p></section>')["tap"].doc
        == "Words."
    )
    node = symbols_in(
        "node",
        "<h2>T</h2><h3><em>f</em> <code>x()</code></h3><h3><code>f()</code> <b>new</b></h3><!-- c --><p>Words.</p>",
    )
    assert [one.doc for one in node.values() if one.name == "f"] == ["Words."]


def test_a_text_of_its_own_ends_the_run_of_declarations() -> None:
    found = symbols_in(
        "sphinx",
        """<dl class="py method"><dt class="sig sig-object py" id="a.b"><span class="sig-name descname">b</span>()</dt><dd></dd></dl>
        <dl class="py method"><dt class="sig sig-object py" id="a.c"><span class="sig-name descname">c</span>()</dt><dd><p>C.</p></dd></dl><p>Later.</p>""",
    )
    assert [one.doc for one in found.values()] == ["", "C."]


def test_a_deprecated_parameter_that_a_note_begins_with() -> None:
    run = symbols_in(
        "sphinx",
        """<dl class="py function"><dt class="sig sig-object py" id="run">run(size, mode: Literal['a', 'b'] = 'a')</dt><dd><p>Run.</p>
        <div class="deprecated"><p><span class="versionmodified">Deprecated since version 2.0: </span>The <em>size</em> parameter. Use <em>mode</em> instead.</p></div></dd></dl>""",
    )["run"]
    assert run.deprecation is None
    assert run.params[0].deprecation is not None
    assert (run.params[0].deprecation.since, run.params[0].deprecation.replacement) == ("2.0", "mode")
    assert run.params[1].enum == ("a", "b")


def test_stability_without_words() -> None:
    page = "<h2>T</h2><h3><code>f()</code></h3><blockquote><p>Stability: 0 - Deprecated</p></blockquote><h3><code>g()</code></h3><blockquote><p>Stability: 0 - Gone</p></blockquote>"
    found = symbols_in("node", page)
    assert [one.deprecation is not None for one in found.values()] == [True, False]


def test_titles_of_doxygen_may_hold_elements() -> None:
    page = '<div class="title"><b>tap</b>::Tap Class Reference</div><h2 id="details">D</h2><div class="textblock"><p>One.</p></div>'
    assert list(symbols_in("doxygen", page)) == ["tap::Tap"]


def test_old_javadoc_without_a_description() -> None:
    page = """<div class="subTitle">org.tap</div><h2 class="title">Class Tap</h2><div class="description"></div><div class="details"><ul><li><h4>open</h4><a></a><pre>void open()</pre><a name="open--"></a></li>
    <li><h4>shut</h4></li></ul><a></a><ul><li><h4>turn</h4><pre>void turn()</pre><a id="turn"></a></li></ul></div>"""
    assert list(symbols_in("javadoc", page)) == ["org.tap.Tap.open", "org.tap.Tap.turn"]


def test_a_section_of_mkdocstrings_that_is_a_table_itself() -> None:
    page = """<div class="doc-object doc-function"><h2 id="tap.f" class="doc-heading"><code>f(a)</code></h2><div class="doc-contents">
    <table><thead><tr><th><span class="doc-section-title">Parameters</span></th><th>Description</th></tr></thead><tbody><tr><td><code>a</code></td><td>One.</td></tr></tbody></table></div></div>"""
    (f,) = symbols_in("mkdocs", page).values()
    assert [(one.name, one.doc) for one in f.params] == [("a", "One.")]


def test_members_of_rust_without_words_around() -> None:
    page = """<section id="main-content"><h1>Struct tap::Tap</h1><details><summary><section id="method.f"><h4 class="code-header">fn f()</h4></section></summary><p>odd</p></details></section>"""
    assert symbols_in("rustdoc", page)["tap::Tap::f"].doc == ""


def test_overloads_of_things_that_are_not_called() -> None:
    page = """<dl class="cpp type"><dt class="sig sig-object cpp" id="a">using <span class="sig-name descname">T</span></dt><dd><p>A.</p></dd></dl>
    <dl class="cpp type"><dt class="sig sig-object cpp" id="b">using <span class="sig-name descname">T</span> = int</dt><dd><p>B.</p></dd></dl>
    <dl class="cpp var"><dt class="sig sig-object cpp" id="c">int <span class="sig-name descname">n</span></dt><dd><p>A.</p></dd></dl>
    <dl class="cpp var"><dt class="sig sig-object cpp" id="d">long <span class="sig-name descname">n</span></dt><dd><p>B.</p></dd></dl>"""
    assert list(symbols_in("sphinx", page)) == ["T", "n"]


def test_a_site_that_declares_nothing_finds_nothing() -> None:
    assert no_heads(html.fragment_fromstring("<p>x</p>")) == ()


def test_a_declaration_may_be_the_last_of_its_section() -> None:
    declared = '<dl class="py method"><dt class="sig sig-object py" id="a.{0}"><span class="sig-name descname">{0}</span>()</dt><dd></dd></dl>'
    assert list(symbols_in("sphinx", f"<section>{declared.format('b')}{declared.format('c')}</section>")) == [
        "a.b",
        "a.c",
    ]


def test_history_of_node_with_other_marks_and_comments() -> None:
    page = "<h2>T</h2><h3><code>f()</code></h3><!-- c --><div class='api_metadata'><span>History</span><span>Added in: v1.0.0, v0.9.0</span></div><p>Words.</p>"
    (f,) = symbols_in("node", page).values()
    assert (f.since, f.doc) == ("v1.0.0", "Words.")


def test_a_description_without_a_term_is_no_parameter() -> None:
    page = """<dl class="py function"><dt class="sig sig-object py" id="f"><span class="sig-name descname">f</span>()</dt><dd><p>F.</p>
    <dl class="field-list"><dt>Parameters</dt><dd><dl><dd>odd</dd><dt><strong>a</strong></dt><dd>One.</dd></dl></dd></dl></dd></dl>"""
    assert [one.name for one in symbols_in("sphinx", page)["f"].params] == ["a"]
