# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
from html_entries import read_page, symbols_in
from refdesk.domain.symbols import ErrorRef, Param, Returns

PAGE = """<div class="header"><div class="headertitle"><div class="title">tap::Tap&lt; T &gt; Class Template Reference<div class="ingroups"><a>Group</a></div></div></div></div>
<div class="contents"><a id="details" name="details"></a><h2 class="groupheader">Detailed Description</h2><div class="textblock"><div class="compoundTemplParams">template&lt;typename T&gt;<br>class tap::Tap&lt; T &gt;</div><p>Holds water.</p></div>
<h2 class="groupheader">Members</h2>
<a id="a1"></a><h2 class="memtitle"><span class="permalink"><a href="#a1">◆ </a></span>Tap()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname"><a>tap::Tap</a>&lt; T &gt;::Tap </td><td>(</td><td class="paramname"></td><td>)</td></tr></table></div><div class="memdoc"><p>Makes one.</p></div></div>
<a id="a2"></a><h2 class="memtitle"><span class="permalink"><a href="#a2">◆ </a></span>fill()</h2><div class="memitem"><div class="memproto"><div class="memtemplate">template&lt;typename T&gt; </div><table class="mlabels"><tr><td><table class="memname"><tr><td class="memname">bool <a>tap::Tap</a>&lt; T &gt;::fill </td><td>(</td><td class="paramtype">const T &amp; </td><td class="paramname"><em>of</em>, </td></tr>
<tr><td></td><td></td><td class="paramtype">int </td><td class="paramname"><em>amount</em> = <code>1</code> </td></tr><tr><td></td><td>)</td><td></td></tr></table></td><td><span class="mlabels">inline</span></td></tr></table></div>
<div class="memdoc"><p>Fills it.</p><dl class="params"><dt>Parameters</dt><dd><table class="params"><tr><td class="paramdir">[in]</td><td class="paramname">of</td><td>the liquid</td></tr></table></dd></dl>
<dl class="section return"><dt>Returns</dt><dd>whether it fits</dd></dl><dl class="exception"><dt>Exceptions</dt><dd><table class="exception"><tr><td class="paramname">Spill</td><td>if not</td></tr></table></dd></dl><dl class="deprecated"><dt><b><a>Deprecated:</a></b></dt><dd>Use pour() instead.</dd></dl></div></div>
<a id="a3"></a><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">bool tap::Tap&lt; T &gt;::fill </td><td>(</td><td class="paramname"></td><td>)</td><td> const</td></tr></table></div><div class="memdoc">Bare words.</div></div>
<h2 class="memtitle"><span>no link</span></h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">typedef T tap::Tap&lt; T &gt;::Value</td></tr></table></div></div>
<div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">Tap&amp; tap::Tap&lt; T &gt;::operator&lt;&lt; </td><td>(</td><td class="paramtype">int</td><td class="paramname">n</td><td>)</td></tr></table></div></div>
<div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">anonymous enum</td></tr></table></div></div><div class="memitem"></div></div>"""


def test_a_class_and_its_members() -> None:
    found = symbols_in("doxygen", PAGE)
    assert list(found) == [
        "tap::Tap", "tap::Tap::constructor", "tap::Tap::fill(const T&,int)", "tap::Tap::fill() const", "tap::Tap::Value",
        "tap::Tap::operator<<",
    ]  # fmt: skip
    assert found["tap::Tap"].signature == "template<typename T>\nclass tap::Tap< T >"
    assert found["tap::Tap"].place.url == "https://docs.test/api.html#details"
    assert found["tap::Tap::Value"].kind == "type"
    assert found["tap::Tap::fill() const"].doc == "Bare words."
    assert found["tap::Tap::fill() const"].place.url == "https://docs.test/api.html#a3"


def test_what_a_member_says() -> None:
    fill = symbols_in("doxygen", PAGE)["tap::Tap::fill(const T&,int)"]
    assert fill.signature == "template<typename T>\nbool tap::Tap< T >::fill(const T & of, int amount = 1)"
    assert fill.params == (
        Param("of", "const T &", required=True, doc="the liquid"),
        Param("amount", "int", default="1"),
    )
    assert fill.returns == Returns("bool", "whether it fits")
    assert fill.errors == (ErrorRef("Spill", "if not"),)
    assert fill.deprecation is not None
    assert (fill.deprecation.evidence, fill.deprecation.replacement) == ("directive", "pour()")


def test_functions_of_a_namespace() -> None:
    page = """<div class="title">tap Namespace Reference</div><h2 id="details">D</h2><div class="textblock"><p>All taps.</p></div><p></p><div class="textblock">x</div>
    <div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">int * tap::open </td><td>(</td><td class="paramtype">int</td><td class="paramname">n</td><td>)</td></tr></table></div></div>"""
    found = symbols_in("doxygen", page)
    assert [(one.name, one.kind) for one in found.values()] == [("tap", "module"), ("tap::open", "function")]


def test_headings_that_only_repeat_a_prototype_are_absorbed() -> None:
    assert read_page("doxygen", PAGE).problems == ()
    assert symbols_in("doxygen", '<div class="title">Files</div><div class="memitem"></div>') == {}
