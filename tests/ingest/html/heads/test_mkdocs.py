# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
from html_entries import symbols_in
from refdesk.domain.symbols import ErrorRef, Param, Returns
from refdesk.ingest.html.heads import Inventory
from refdesk.ingest.html.heads.finder import finder_for
from refdesk.ingest.html.heads.inventory import Item
from refdesk.ingest.html.tree import read_document

PAGE = """<article><div class="doc doc-object doc-module"><h1 id="tap" class="doc doc-heading"><code>tap</code><a class="headerlink" href="#tap">¶</a></h1><div class="doc doc-contents first"><p>All about taps.</p>
<div class="doc doc-children"><div class="doc doc-object doc-class"><h2 id="tap.Tap" class="doc doc-heading"><code class="highlight language-python"><span class="n">Tap</span><span class="p">(</span><span class="n">size</span><span class="p">)</span></code><span class="doc doc-labels"><small class="doc doc-label doc-label-dataclass"><code>dataclass</code></small></span></h2>
<div class="doc doc-contents "><p>Holds water.</p><p><span class="doc-section-title">Parameters:</span></p><table><thead><tr><th>Name</th><th>Type</th><th>Description</th><th>Default</th></tr></thead>
<tbody><tr class="doc-section-item"><td><code>size</code></td><td><code>int</code></td><td><div class="doc-md-description"><p>Litres.</p></div></td><td><em>required</em></td></tr></tbody></table>
<details class="quote"><summary>Source code in <code>tap.py</code></summary><pre>class Tap: ...</pre></details>
<div class="doc doc-children"><div class="doc doc-object doc-attribute"><h3 id="tap.Tap.level" class="doc doc-heading"><code>level: int</code><span class="doc-labels"><small class="doc-label"><code>property</code></small></span></h3><div class="doc-contents"><p>How full.</p></div></div>
<div class="doc doc-object doc-function"><h3 id="tap.Tap.fill" class="doc doc-heading"><span class="doc doc-object-name doc-function-name">fill</span></h3><div class="doc-signature highlight"><pre><code>fill(
    amount: int = 1, **more: str
) -&gt; bool</code></pre></div><div class="doc-contents"><p>Fills it.</p>
<p><span class="doc-section-title">Parameters:</span></p><ul class="doc-section-items"><li class="doc-section-item field-body"><b><code>amount</code></b> (<code>int</code>, default: <code>1</code>) – <div class="doc-md-description"><p>How much.</p></div></li></ul>
<p><span class="doc-section-title">Returns:</span></p><table><thead><tr><th>Type</th><th>Description</th></tr></thead><tbody><tr><td><code>bool</code></td><td><p>Whether it fits.</p></td></tr></tbody></table>
<p><span class="doc-section-title">Raises:</span></p><table><thead><tr><th>Type</th><th>Description</th></tr></thead><tbody><tr><td><code>Spill</code></td><td><p>If not.</p></td></tr></tbody></table>
<p><span class="doc-section-title">Examples:</span></p><pre>fill()</pre></div></div></div></div></div></div></div></div>
<div class="doc doc-object doc-function"><p>no heading</p></div><div class="doc doc-object doc-function"><h4 class="doc-heading">two words</h4></div>
<div class="doc doc-object doc-function"><h4 class="doc-heading"><span class="doc-object-name">tap.drip</span></h4><div class="doc-signature"></div></div></article>"""


def test_objects_of_mkdocstrings() -> None:
    found = symbols_in("mkdocs", PAGE)
    assert [(one.name, one.kind) for one in found.values()] == [
        ("tap", "module"), ("tap.Tap", "class"), ("tap.Tap.level", "property"), ("tap.Tap.fill", "method"),
        ("tap.drip", "function"),
    ]  # fmt: skip
    tap = found["tap.Tap"]
    assert (tap.signature, tap.doc) == ("Tap(size)", "Holds water.")
    assert tap.params == (Param("size", "int", required=True, doc="Litres."),)
    assert tap.members == ("tap.Tap.level", "tap.Tap.fill")


def test_tables_and_lists_say_what_a_call_takes_and_gives() -> None:
    fill = symbols_in("mkdocs", PAGE)["tap.Tap.fill"]
    assert fill.signature == "fill(\n    amount: int = 1, **more: str\n) -> bool"
    assert fill.params == (
        Param("amount", "int", default="1", doc="How much."),
        Param("more", "str", kind="var_keyword"),
    )
    assert fill.returns == Returns("bool", "Whether it fits.")
    assert fill.errors == (ErrorRef("Spill", "If not."),)
    assert fill.doc == "Fills it.\n\nExamples:\n\n```\nfill()\n```"


def test_headings_that_the_inventory_names() -> None:
    page = """<h2 id="fields">Fields</h2><h3 id="charfield">CharField<a class="headerlink">¶</a></h3><p>Text.</p><h3 id="size">size</h3><p>How long.</p>
    <h3 id="root">ROOT</h3><p>Where.</p><h3 id="go">go(x)</h3><p>Goes.</p><h3 id="other">Something else</h3><h3 id="away">away</h3><h3>none</h3>"""
    inventory = Inventory(
        items=(
            Item("CharField", "Ref: Fields", "api", "charfield"),
            Item("size", "Ref: Fields", "api", "size"),
            Item("ROOT", "Ref: Settings", "api", "root"),
            Item("go", "Ref", "api", "go"),
            Item("Other", "Guide", "api", "other"),
            Item("away", "Ref", "elsewhere", "away"),
        )
    )
    found = symbols_in("devdocs", page, inventory)
    assert [(one.name, one.kind, one.doc) for one in found.values()] == [
        ("CharField", "class", "Text."), ("size", "attribute", "How long."), ("ROOT", "setting", "Where."),
        ("go", "function", "Goes."),
    ]  # fmt: skip
    assert symbols_in("mkdocs", page, inventory).keys() == found.keys()
    assert symbols_in("mkdocs", page) == {}


DEVSITE = """<h1 class="devsite-page-title">tf.Tap</h1><table class="tfo-notebook-buttons"><tr><td>View source</td></tr></table><p>Holds water.</p>
<section class="expandable"><h4>View aliases</h4><p><code>tf.compat.v1.Tap</code> <code>no name</code></p></section>
<pre class="tfo-signature-link">tf.Tap(\n    size=1, **kwargs\n)</pre><p>More.</p>
<table><tr><th colspan="2">Args</th></tr><tr><td><code>size</code></td><td>Litres.</td></tr><tr><td><code>unit</code></td><td>One of them.</td></tr></table>
<table><tr><th colspan="2">Attributes</th></tr><tr><td>x</td><td>y</td></tr></table>
<h2 id="methods">Methods</h2><h3 id="fill"><code>fill</code></h3><pre>fill(\n    amount\n)</pre><p>Fills it.</p><table><tr><th colspan="2">Returns</th></tr><tr><td colspan="2">Whether it fits.</td></tr></table>
<table><tr><th colspan="2">Raises</th></tr><tr><td><code>ValueError</code></td><td>If not.</td></tr></table><h3 id="note">A note</h3><h3 id="len"><code>__len__</code></h3><p>Size.</p><div class="_attribution">©</div>"""


def test_pages_of_one_api_each() -> None:
    found = symbols_in("devdocs", DEVSITE)
    assert list(found) == ["tf.Tap", "tf.Tap.fill", "tf.Tap.__len__"]
    tap = found["tf.Tap"]
    assert (tap.kind, tap.signature) == ("class", "tf.Tap(\n    size=1, **kwargs\n)")
    assert tap.names == ("tf.Tap", "tf.compat.v1.Tap")
    assert [(one.name, one.kind, one.doc) for one in tap.params] == [
        ("size", "", "Litres."), ("kwargs", "var_keyword", ""), ("unit", "keyword_only", "One of them."),
    ]  # fmt: skip
    fill = found["tf.Tap.fill"]
    assert (fill.returns, fill.errors) == (Returns("", "Whether it fits."), (ErrorRef("ValueError", "If not."),))


def test_modules_functions_and_values_of_such_pages() -> None:
    title = '<h1 class="devsite-page-title">{}</h1><p>Words.</p>'
    assert symbols_in("devdocs", title.format("Module: tf.taps"))["tf.taps"].kind == "module"
    assert symbols_in("devdocs", title.format("tf.taps.limit"))["tf.taps.limit"].kind == "attribute"
    assert symbols_in("devdocs", title.format("All symbols")) == {}


def test_folded_source_code_of_objects_is_not_the_pages() -> None:
    document = read_document(PAGE.encode(), "", "")
    absorbed = finder_for("mkdocs", document, None).absorbed
    assert [one.tag for one in absorbed] == ["details"]
