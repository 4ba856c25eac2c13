# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
from html_entries import symbols_in
from refdesk.domain.symbols import Deprecation, Param, Returns

PAGE = """<main><section id="main-content" class="content"><div class="main-heading"><h1 class="fqn"><span class="in-band">Struct <a>tap</a>::<wbr><a class="struct">Tap</a><button id="copy-path">Copy</button></span></h1>
<span class="out-of-band"><span class="since" title="Stable since Rust version 1.2.0">1.2.0</span></span></div>
<div class="docblock item-decl"><pre class="rust struct"><code>pub struct Tap&lt;T&gt; { <details class="rustdoc-toggle"><summary class="hideme">Show fields</summary></details>/* private */ }</code></pre></div>
<details class="rustdoc-toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>Holds water.</p></div></details>
<h2 id="fields">Fields</h2><span id="structfield.size" class="structfield"><a href="#structfield.size" class="anchor field"></a><code>size: u8</code></span><div class="docblock"><p>Litres.</p></div>
<h2 id="implementations">Implementations</h2><div id="implementations-list"><details class="rustdoc-toggle implementors-toggle" open><summary><section id="impl-Tap%3CT%3E" class="impl"><h3 class="code-header">impl&lt;T&gt; Tap&lt;T&gt;</h3></section></summary><div class="impl-items">
<details class="rustdoc-toggle method-toggle" open><summary><section id="method.open" class="method has-srclink"><span class="rightside"><span class="since" title="Stable since Rust version 1.3.0">1.3.0</span> · <a class="srclink">source</a></span><a href="#method.open" class="anchor"></a><h4 class="code-header">pub fn <a class="fnname">open</a>(&amp;mut self, wide: bool) -&gt; Vec&lt;u8&gt;<span class="notable-traits">ⓘ Notable traits</span></h4></section><span class="item-info"><div class="stab deprecated"><span class="emoji">👎</span> Deprecated since 1.9.0: <p>use <code>pour</code> instead</p></div></span></summary><div class="docblock"><p>Opens it.</p></div></details>
<section id="method.shut" class="method"><span class="rightside"><span class="since" title="const since 1.5.0">const: 1.5.0</span></span><h4 class="code-header">pub const fn shut(self)</h4></section></div></details></div>
<h2 id="deref">Methods from Deref</h2><div id="deref-methods-str-1"><section id="method.len"><h4 class="code-header">fn len(&amp;self)</h4></section></div>
<h2 id="trait-implementations">Trait Implementations</h2><div id="trait-implementations-list"><details><summary><section id="impl-Clone"><h3>impl Clone</h3></section></summary><details class="rustdoc-toggle method-toggle"><summary><section id="method.clone"><h4 class="code-header">fn clone(&amp;self)</h4></section></summary></details></details></div>
</section></main>"""


def test_an_item_and_what_is_its_own() -> None:
    found = symbols_in("rustdoc", PAGE)
    assert list(found) == ["tap::Tap", "tap::Tap::size", "tap::Tap::open", "tap::Tap::shut"]
    tap = found["tap::Tap"]
    assert (tap.kind, tap.signature, tap.doc, tap.since) == (
        "class", "pub struct Tap<T> { /* private */ }", "Holds water.", "1.2.0",
    )  # fmt: skip
    assert tap.members == ("tap::Tap::size", "tap::Tap::open", "tap::Tap::shut")
    assert (found["tap::Tap::size"].signature, found["tap::Tap::size"].doc) == ("size: u8", "Litres.")


def test_a_method_with_its_stability() -> None:
    opened = symbols_in("rustdoc", PAGE)["tap::Tap::open"]
    assert opened.signature == "pub fn open(&mut self, wide: bool) -> Vec<u8>"
    assert opened.params == (Param("wide", "bool", required=True),)
    assert opened.returns == Returns("Vec<u8>")
    assert opened.since == "1.3.0"
    assert opened.deprecation == Deprecation("directive", "1.9.0", "pour", "use `pour` instead")
    assert symbols_in("rustdoc", PAGE)["tap::Tap::shut"].since == ""


def test_newer_headings_have_bread_crumbs() -> None:
    page = """<section id="main-content"><div class="main-heading"><div class="rustdoc-breadcrumbs"><a>tap</a>::<wbr><a>pipe</a></div><h1>Function <span class="fn">pour</span></h1></div>
    <pre class="rust item-decl"><code>pub fn pour()</code></pre><div class="docblock"><p>Pours.</p></div></section>"""
    (pour,) = symbols_in("rustdoc", page).values()
    assert (pour.name, pour.kind, pour.signature) == ("tap::pipe::pour", "function", "pub fn pour()")


def test_a_long_declaration_is_cut_at_its_braces() -> None:
    lines = "\n".join(f"    fn f{number}();" for number in range(40))
    page = f'<section id="main-content"><h1>Trait tap::Flow</h1><pre class="rust item-decl">pub trait Flow {{\n{lines}\n}}</pre></section>'
    assert symbols_in("rustdoc", page)["tap::Flow"].signature == "pub trait Flow {\n    // …\n}"


def test_methods_of_one_name_are_overloads_of_one_symbol() -> None:
    member = '<section id="method.f{}"><h4 class="code-header">fn f() -&gt; {}</h4></section>'
    members = f"{member.format('', 'u8')}{member.format('-1', 'i8')}"
    page = f'<section id="main-content"><h1>Struct tap::Tap</h1>{members}</section>'
    assert symbols_in("rustdoc", page)["tap::Tap::f()"].attributes["overloads"] == ["fn f() -> u8", "fn f() -> i8"]


def test_other_pages_declare_nothing() -> None:
    for page in (
        "<p>x</p>",
        '<section id="main-content"></section>',
        '<section id="main-content"><h1>List</h1></section>',
    ):
        assert symbols_in("rustdoc", page) == {}
    broken = '<section id="main-content"><h1>Struct tap::Tap</h1><section id="method.f"></section><details></details><details><summary></summary></details></section>'
    assert list(symbols_in("rustdoc", broken)) == ["tap::Tap"]
