# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
import pytest
from lxml import html

from html_entries import read_page, symbols_in
from refdesk.domain.symbols import ErrorRef, Param, Returns
from refdesk.ingest.html.heads import Inventory, finder_for
from refdesk.ingest.html.heads.inventory import Item
from refdesk.ingest.html.tree import Document

MODERN = """<section id="module-tap"><h1>tap — Taps<a class="headerlink" href="#module-tap">¶</a></h1>
<p>All about taps.</p>
<dl class="py class"><dt class="sig sig-object py" id="tap.Tap">
<em class="property"><span class="pre">class</span><span class="w"> </span></em><span class="sig-prename descclassname"><span class="pre">tap.</span></span><span class="sig-name descname"><span class="pre">Tap</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">size</span></span></em>, <em class="sig-param"><span class="keyword-only-separator o"><abbr title="Keyword-only parameters separator (PEP 3102)"><span class="pre">*</span></abbr></span></em>, <em class="sig-param"><span class="n"><span class="pre">unit</span></span><span class="o"><span class="pre">=</span></span><span class="default_value"><span class="pre">'l'</span></span></em><span class="sig-paren">)</span><a class="reference internal" href="_modules/tap.html"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#tap.Tap" title="Permalink to this definition">¶</a></dt>
<dd><p>Holds water.</p>
<dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt>
<dd class="field-odd"><ul class="simple"><li><p><strong>size</strong> (<em>int</em>) – Litres.</p></li><li><p><strong>unit</strong> (<em>str</em><em>, </em><em>optional</em>) – Unit.</p></li></ul></dd>
<dt class="field-even">Variables</dt><dd class="field-even"><p>None.</p></dd></dl>
<dl class="py property"><dt class="sig sig-object py" id="tap.Tap.level"><em class="property">property </em><span class="sig-name descname">level</span><em class="property">: int</em></dt><dd><p>How full.</p></dd></dl>
<dl class="py method"><dt class="sig sig-object py" id="tap.Tap.open"><em class="property">async </em><span class="sig-name descname">open</span>(<em>wide</em>) <span class="sig-return"><span class="sig-return-icon">→</span> <span class="sig-return-typehint">bool</span></span></dt>
<dd><p>Open it. See <a href="#tap.Tap.level">level</a>.</p><dl class="field-list"><dt>Returns</dt><dd><p>Whether it flows.</p></dd><dt>Return type</dt><dd><p>bool</p></dd>
<dt>Raises</dt><dd><p><strong>TapError</strong> – If it drips.</p></dd></dl></dd></dl>
</dd></dl>
<dl class="py exception"><dt class="sig sig-object py" id="tap.TapError"><em class="property">exception </em><span class="sig-prename descclassname">tap.</span><span class="sig-name descname">TapError</span></dt><dd></dd></dl>
<dl class="py data"><dt class="sig sig-object py" id="tap.A"><span class="sig-prename descclassname">tap.</span><span class="sig-name descname">A</span></dt><dt class="sig sig-object py" id="tap.B"><span class="sig-prename descclassname">tap.</span><span class="sig-name descname">B</span></dt><dd><p>Two limits.</p></dd></dl>
<dl class="glossary"><dt id="term-tap">tap</dt><dd>A thing.</dd></dl>
</section>"""


def test_objects_of_todays_sphinx() -> None:
    found = symbols_in("sphinx", MODERN)
    assert list(found) == ["tap", "tap.Tap", "tap.Tap.level", "tap.Tap.open", "tap.TapError", "tap.A", "tap.B"]
    tap = found["tap.Tap"]
    assert (tap.kind, tap.signature) == ("class", "class tap.Tap(size, *, unit='l')")
    assert tap.doc == "Holds water.\n\n**Variables**\n\nNone."
    assert tap.params == (
        Param("size", "int", required=True, doc="Litres."),
        Param("unit", "str", default="'l'", doc="Unit.", kind="keyword_only"),
    )
    assert tap.members == ("tap.Tap.level", "tap.Tap.open")
    assert tap.place.url == "https://docs.test/api.html#tap.Tap"


def test_members_know_their_result_and_errors() -> None:
    found = symbols_in("sphinx", MODERN)
    opened = found["tap.Tap.open"]
    assert (opened.kind, opened.signature) == ("method", "async open(wide) -> bool")
    assert opened.returns == Returns("bool", "Whether it flows.")
    assert opened.errors == (ErrorRef("TapError", "If it drips."),)
    level = found["tap.Tap.level"]
    assert (level.kind, dict(level.attributes)) == ("property", {"language": "python", "type": "int"})


def test_a_module_holds_what_the_page_declares_of_it() -> None:
    module = symbols_in("sphinx", MODERN)["tap"]
    assert (module.kind, module.summary, module.open) == ("module", "All about taps.", True)
    assert module.members == ("tap.Tap", "tap.TapError", "tap.A", "tap.B")


def test_two_declarations_above_one_text_have_it_both() -> None:
    found = symbols_in("sphinx", MODERN)
    assert (found["tap.A"].doc, found["tap.B"].doc) == ("Two limits.", "Two limits.")
    assert found["tap.TapError"].kind == "error"


def test_links_between_entries_are_mentions() -> None:
    relations = {(one.source, one.kind, one.target) for one in read_page("sphinx", MODERN).relations}
    assert ("tap.Tap.open", "mentions", "tap.Tap.level") in relations
    assert ("tap.Tap", "member", "tap.Tap.open") in relations
    assert ("api.html", "defines", "tap.A") in relations


OLD = """<div class="section"><span id="module-tap"></span><h2>Taps</h2>
<dl class="function"><dt id="tap.turn"><tt class="descclassname">tap.</tt><tt class="descname">turn</tt><big>(</big><em>way</em>[, <em>far</em>]<big>)</big><a class="headerlink" href="#tap.turn">¶</a></dt>
<dt><tt class="descclassname">tap.</tt><tt class="descname">turn</tt><big>(</big><big>)</big></dt>
<dd><p>Turn it.</p><table class="docutils field-list"><tr><th class="field-name">Parameters:</th><td class="field-body"><ul><li><strong>way</strong> – Where to.</li></ul></td></tr></table></dd></dl>
<dl class="cfunction"><dt id="x">x</dt></dl>
<dl class="docutils"><dt id="y">y</dt><dd>z</dd></dl></div>"""


def test_objects_of_old_sphinx_and_their_overloads() -> None:
    found = symbols_in("sphinx", OLD)
    assert list(found) == ["tap", "tap.turn"]
    turn = found["tap.turn"]
    assert turn.signature == "tap.turn(way[, far])"
    assert turn.attributes["overloads"] == ["tap.turn(way[, far])", "tap.turn()"]
    assert turn.params == (Param("way", doc="Where to."), Param("far"))


FLAT = """<h1>Tap</h1><dl class="class"> <dt id="tap.Tap">
<code>class tap.Tap(size)</code> <a class="reference" href="x"><span class="viewcode-link">[source]</span></a> </dt> <dd>
<p>Holds water.</p> <dl class="method"> <dt id="tap.Tap.open"> <code>open()</code> </dt> <dd><p>Opens.</p></dd></dl>
<dl class="field-list"><dt>Parameters</dt><dd><dl><dt> <code>sizeint or str, optional</code> </dt><dd><p>Litres.</p></dd></dl></dd></dl>
</dd></dl><dl class="function"><dt id="import__"><code>__import__(name)</code></dt><dd><p>Imports.</p></dd></dl>"""


def test_declarations_that_devdocs_flattened() -> None:
    found = symbols_in("devdocs", FLAT)
    assert list(found) == ["tap.Tap", "tap.Tap.open", "__import__"]
    assert found["tap.Tap"].signature == "class tap.Tap(size)"
    assert found["tap.Tap"].params == (Param("size", "int or str", doc="Litres."),)


def test_the_text_below_a_declaration_without_a_body_is_its_own() -> None:
    """Django indents nothing under its methods."""
    found = symbols_in(
        "sphinx",
        """<section id="m"><h3>filter()</h3><dl class="py method"><dt class="sig sig-object py" id="q.Q.filter"><code class="sig-name descname">filter</code>()</dt><dd></dd></dl>
        <dl class="py method"><dt class="sig sig-object py" id="q.Q.also"><code class="sig-name descname">also</code>()</dt><dd></dd></dl>
        <p>Returns some.</p><pre>q.filter()</pre><section id="n"><h4>More</h4><p>Else.</p></section></section>""",
    )
    assert found["q.Q.filter"].doc == found["q.Q.also"].doc == "Returns some.\n\n```\nq.filter()\n```"


def test_what_is_not_indexed_is_no_symbol() -> None:
    body = """<dl class="py class"><dt class="sig sig-object py"><span class="sig-prename descclassname">tap.</span><span class="sig-name descname">Tap</span></dt><dd><p>Again.</p></dd></dl>
    <dl class="py function"><dt class="sig sig-object py"></dt><dd></dd></dl>"""
    assert symbols_in("sphinx", body) == {}


def test_the_inventory_names_the_place_and_the_name() -> None:
    body = """<dl class="py function"><dt class="sig sig-object py" id="import__"><span class="sig-name descname">__import__</span>(name)</dt><dd><p>I.</p></dd></dl>
    <dl class="py function"><dt class="sig sig-object py" id="tap.open"><span class="sig-name descname">open</span>()</dt><dd><p>I.</p></dd></dl>"""
    inventory = Inventory(
        items=(
            Item("__import__", "py:function", "api.html", "import__"),
            Item("tap.open", "py:function", "other.html", "tap.open"),
        )
    )
    assert list(symbols_in("sphinx", body, inventory)) == ["__import__"]
    assert list(symbols_in("sphinx", body, inventory, "other.html")) == ["__import__", "tap.open"][1:]


@pytest.mark.parametrize(
    ("body", "name", "kind", "language"),
    [
        ('<dl class="c function"><dt class="sig sig-object c" id="c.tap_open"><span class="n">int</span> <span class="sig-name descname">tap_open</span>(int n)</dt><dd><p>O.</p></dd></dl>', "tap_open", "function", "c"),
        ('<dl class="c macro"><dt class="sig sig-object c" id="c.TAP_MAX"><span class="sig-name descname">TAP_MAX</span></dt><dd><p>O.</p></dd></dl>', "TAP_MAX", "attribute", "c"),
        ('<dl class="function"><dt id="c.tap_open"><code>int tap_open(int n)</code></dt><dd><p>O.</p></dd></dl>', "tap_open", "function", "c"),
        ('<dl class="function"><dt id="_CPPv43tap"><code>void tap()</code></dt><dd><p>O.</p></dd></dl>', "void", "function", "cpp"),
        ('<dl class="cpp class"><dt class="sig sig-object cpp" id="_CPPv4N3tap3TapE"><span class="sig-prename descclassname">tap::</span><span class="sig-name descname">Tap</span></dt><dd><p>O.</p></dd></dl>', "tap::Tap", "class", "cpp"),
        ('<dl class="js function"><dt class="sig sig-object js" id="tap.open"><span class="sig-prename descclassname">tap.</span><span class="sig-name descname">open</span>()</dt><dd><p>O.</p></dd></dl>', "tap.open", "function", "javascript"),
        ('<dl class="std envvar"><dt class="sig sig-object std" id="envvar-TAP"><span class="sig-name descname">TAP</span></dt><dd><p>O.</p></dd></dl>', "TAP", "setting", None),
        ('<dl class="cmdoption"><dt id="cmdoption-x"><code>-x, --extra</code></dt><dd><p>O.</p></dd></dl>', "-x", "setting", None),
        ('<dl class="std confval"><dt class="sig sig-object std" id="confval-x"><span class="sig-name descname">x</span></dt><dd><p>O.</p></dd></dl>', "x", "setting", None),
        ('<dl class="php thing"><dt class="sig sig-object php" id="tap"><span class="sig-name descname">tap</span>()</dt><dd><p>O.</p></dd></dl>', "tap", "function", "php"),
        ('<dl class="new thing"><dt class="sig sig-object new" id="tap"><span class="sig-name descname">tap</span></dt><dd><p>O.</p></dd></dl>', "tap", "attribute", "python"),
    ],
)  # fmt: skip
def test_other_domains(body: str, name: str, kind: str, language: str | None) -> None:
    (symbol,) = symbols_in("sphinx", body).values()
    assert (symbol.name, symbol.kind, symbol.attributes.get("language")) == (name, kind, language)


def test_members_of_cpp_are_named_with_their_class() -> None:
    found = symbols_in(
        "sphinx",
        """<dl class="cpp class"><dt class="sig sig-object cpp" id="_CPPv4N3tap3TapE"><span class="sig-prename descclassname">tap::</span><span class="sig-name descname">Tap</span></dt><dd><p>O.</p>
        <dl class="cpp function"><dt class="sig sig-object cpp" id="_CPPv4N3tap3Tap4openEv">void <span class="sig-name descname">open</span>()</dt><dd><p>O.</p></dd></dl>
        <dl class="cpp function"><dt class="sig sig-object cpp" id="_CPPv4N3tap3Tap4openEi">void <span class="sig-prename descclassname">Tap::</span><span class="sig-name descname">open</span>(int n)</dt><dd><p>O.</p></dd></dl></dd></dl>""",
    )
    assert list(found) == ["tap::Tap", "tap::Tap::open()", "tap::Tap::open(int)"]


def test_options_have_all_their_spellings() -> None:
    body = """<dl class="std option"><dt class="sig sig-object std" id="cmdoption-tap-m"><span id="cmdoption-tap-mode"></span><span class="sig-name descname">-m</span><span class="sig-prename descclassname">, </span><span class="sig-name descname">--mode</span></dt><dd><p>O.</p></dd></dl>"""
    inventory = Inventory(
        items=(
            Item("tap.-m", "std:cmdoption", "api.html", "cmdoption-tap-m"),
            Item("tap.--mode", "std:cmdoption", "api.html", "cmdoption-tap-m"),
            Item("-m", "std:cmdoption", "b.html", "cmdoption-tap-mode"),
        )
    )
    assert symbols_in("sphinx", body, inventory)["tap.-m"].names == ("tap.-m", "tap.--mode", "-m", "--mode")
    assert symbols_in("sphinx", body)["-m"].names == ("-m", "--mode")


def test_settings_and_commands_that_are_headings() -> None:
    found = symbols_in(
        "sphinx",
        """<section id="debug"><span id="std-setting-DEBUG"></span><span id="std-setting-DEBUGGING"></span><h3>DEBUG</h3>
        <p>Default: <code>False</code></p><p>Turns on the lamp.</p></section>
        <section id="add"><span id="command:add_tap"></span><h1>add_tap</h1><p>Adds.</p>
        <section id="synopsis"><h2>Synopsis</h2><pre>add_tap(&lt;name&gt;)</pre></section></section>
        <section id="c"><span id="variable:TAP"></span><h1>TAP</h1><p>V.</p></section>
        <section id="d"><span id="command:none"></span><h1>none</h1><p>V.</p></section>""",
    )
    assert (found["DEBUG"].kind, found["DEBUG"].summary) == ("setting", "Turns on the lamp.")
    assert found["DEBUG"].names == ("DEBUG", "DEBUGGING")
    assert (found["add_tap"].kind, found["add_tap"].signature) == ("function", "add_tap(<name>)")
    assert (found["TAP"].kind, found["none"].signature) == ("setting", "")


def test_names_of_cmake_are_without_their_role() -> None:
    body = '<dl class="cmake variable"><dt class="sig sig-object cmake" id="variable:TAP"><span class="sig-name descname">TAP</span></dt><dd><p>V.</p></dd></dl>'
    inventory = Inventory(items=(Item("variable:TAP", "cmake:variable", "api.html", "variable:TAP"),))
    assert list(symbols_in("sphinx", body, inventory)) == list(symbols_in("sphinx", body)) == ["TAP"]


def test_pygame_writes_signatures_as_lines_of_the_description() -> None:
    found = symbols_in(
        "devdocs",
        """<dl class="definition class"><dt class="title" id="pygame.V"> pygame.V</dt><dd><div class="line-block">
        <div class="line"><span class="summaryline">a vector</span></div>
        <div class="line"><span class="signature">V() -&gt; V</span></div><div class="line"><span class="signature">V(x, y) -&gt; V</span></div></div></dd></dl>
        <dl class="definition function"><dt class="title" id="pygame.init">pygame.init</dt><dd><p>Starts.</p></dd></dl>""",
    )
    assert found["pygame.V"].attributes["overloads"] == ["V() -> V", "V(x, y) -> V"]
    assert found["pygame.init"].open


def test_titles_are_short() -> None:
    root = html.document_fromstring(MODERN)
    heads = finder_for("sphinx", Document(root, "", "", "", ""), None)
    titles = [head.title for found in heads.found.values() for head in found]
    assert titles == ["tap.Tap", "Tap.level", "Tap.open()", "tap.TapError", "tap.A", "tap.B", "tap — Taps"]


def test_an_unknown_generator_declares_nothing() -> None:
    assert symbols_in("unknown", MODERN) == {}


def test_aliases_of_the_inventory_are_names_of_the_one_at_the_anchor() -> None:
    body = '<dl class="py class"><dt class="sig sig-object py" id="tap.Tap"><span class="sig-name descname">Tap</span></dt><dd><p>T.</p></dd></dl>'
    inventory = Inventory(
        items=(
            Item("tap.Alias", "py:class", "api.html", "tap.Tap"),
            Item("tap.Tap", "py:class", "api.html", "tap.Tap"),
        )
    )
    assert symbols_in("sphinx", body, inventory)["tap.Tap"].names == ("tap.Tap", "tap.Alias")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("asyncio.run(x)", "asyncio.run"),
        ("classify(x)", "classify"),
        ("class Cart(a)", "Cart"),
        ("method cart.Cart.push(x)", "cart.Cart.push"),
        ("static async go()", "go"),
        ("@ fast(x)", "fast"),
        ("@fast", "fast"),
    ],
)
def test_a_declaration_without_marks_names_what_follows_its_words(text: str, name: str) -> None:
    page = f"<dl class='function'><dt id='x'>{text}</dt><dd><p>Text.</p></dd></dl>"
    assert list(symbols_in("sphinx", page)) == [name]
