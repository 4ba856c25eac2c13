# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
from html_entries import symbols_in
from refdesk.domain.symbols import Deprecation, ErrorRef, Param, Returns

MODERN = """<div class="header"><div class="sub-title"><span class="module-label-in-type">Module</span> <a>java.base</a></div>
<div class="sub-title"><span class="package-label-in-type">Package</span> <a>org.tap</a></div><h1 class="title">Class Tap&lt;T&gt;</h1></div>
<section class="class-description" id="class-description"><dl class="notes"><dt>All Implemented Interfaces:</dt><dd>X</dd></dl><hr>
<div class="type-signature"><span class="modifiers">public class </span><span class="element-name">Tap&lt;T&gt;</span>
<span class="extends-implements">extends <a>Object</a></span></div><div class="block">Holds water.</div>
<dl class="notes"><dt>Since:</dt><dd>1.2</dd><dt>API Note:</dt><dd>Keep it shut.</dd></dl></section>
<section class="constructor-details" id="constructor-detail"><h2>Constructor Details</h2><ul><li>
<section class="detail" id="&lt;init&gt;()"><h3>Tap</h3><div class="member-signature"><span class="modifiers">public</span> <span class="element-name">Tap</span>()</div></section></li></ul></section>
<section class="field-details"><h2>Field Details</h2><section class="detail" id="MAX"><h3>MAX</h3><div class="member-signature"><span class="modifiers">public static final</span> <span class="return-type">int</span> <span class="element-name">MAX</span></div></section></section>
<section class="method-details" id="method-detail"><h2>Method Details</h2><ul><li>
<section class="detail" id="fill(int,java.lang.String)"><h3>fill</h3><div class="member-signature"><span class="annotations">@Deprecated(since="9")
</span><span class="modifiers">public</span> <span class="return-type">boolean</span> <span class="element-name">fill</span><wbr><span class="parameters">(int&nbsp;amount,
 <a>String</a>&nbsp;of)</span>
 throws <span class="exceptions">IOException</span></div>
<div class="deprecation-block"><span class="deprecated-label">Deprecated.</span><div class="deprecation-comment">Use <code>pour()</code> instead.</div></div>
<div class="block">Fills it.</div><dl class="notes"><dt>Parameters:</dt><dd><code>amount</code> - in litres</dd><dd><code>of</code> - the liquid</dd>
<dt>Returns:</dt><dd>whether it fits</dd><dt>Throws:</dt><dd><code>IOException</code> - if it spills</dd><dt>See Also:</dt><dd>X</dd></dl></section></li>
<li><section class="detail" id="fill(java.util.List)"><h3>fill</h3><div class="member-signature"><span class="modifiers">public &lt;T&gt;</span> <span class="return-type">void</span> <span class="element-name">fill</span>(List&lt;T&gt; all)</div></section></li>
<li><section class="detail" id="x"><h3>broken</h3></section></li></ul></section>"""


def test_a_class_and_its_members() -> None:
    found = symbols_in("javadoc", MODERN)
    assert list(found) == [
        "org.tap.Tap", "org.tap.Tap.<init>", "org.tap.Tap.MAX", "org.tap.Tap.fill(int,String)", "org.tap.Tap.fill(List)",
    ]  # fmt: skip
    tap = found["org.tap.Tap"]
    assert (tap.kind, tap.signature, tap.since) == ("class", "public class Tap<T> extends Object", "1.2")
    assert tap.doc == "Holds water.\n\n**API Note**\n\nKeep it shut."
    assert len(tap.members) == 4
    assert found["org.tap.Tap.MAX"].kind == "attribute"


def test_overloads_are_named_by_their_types_and_found_by_their_bare_name() -> None:
    fill = symbols_in("javadoc", MODERN)["org.tap.Tap.fill(int,String)"]
    assert fill.names == ("org.tap.Tap.fill(int,String)", "org.tap.Tap.fill")
    assert fill.signature == '@Deprecated(since="9")\npublic boolean fill(int amount, String of) throws IOException'
    assert fill.params == (
        Param("amount", "int", required=True, doc="in litres"),
        Param("of", "String", required=True, doc="the liquid"),
    )
    assert fill.returns == Returns("boolean", "whether it fits")
    assert fill.errors == (ErrorRef("IOException", "if it spills"),)
    assert fill.deprecation == Deprecation("directive", "9", "pour()", "Use `pour()` instead.")
    assert symbols_in("javadoc", MODERN)["org.tap.Tap.fill(List)"].returns is None


OLD = """<div class="header"><div class="subTitle">org.tap</div><h2 class="title">Interface Tap.Part</h2></div>
<div class="contentContainer"><div class="description"><ul class="blockList"><li class="blockList"><hr><pre>public interface <span class="typeNameLabel">Tap.Part</span></pre><div class="block">A part.</div></li></ul></div>
<div class="details"><ul class="blockList"><li class="blockList"><ul class="blockList"><li class="blockList"><a name="method.detail"></a><h3>Method Detail</h3>
<a name="turn-int-"></a><ul class="blockListLast"><li class="blockList"><h4>turn</h4><pre>@Deprecated
int turn(int&nbsp;far)</pre><div class="block"><span class="deprecatedLabel">Deprecated.</span> <span class="deprecationComment">As of version 1.1, replaced by <code>spin</code></span></div>
<div class="block">Turns.</div><dl><dt><span class="paramLabel">Parameters:</span></dt><dd><code>far</code> - how far</dd><dt><span class="returnLabel">Returns:</span></dt><dd>the rest</dd></dl></li></ul></li></ul></li></ul></div></div>"""


def test_versions_before_17() -> None:
    found = symbols_in("javadoc", OLD)
    assert list(found) == ["org.tap.Tap.Part", "org.tap.Tap.Part.turn"]
    turn = found["org.tap.Tap.Part.turn"]
    assert (turn.kind, turn.place.url) == ("method", "https://docs.test/api.html#turn-int-")
    assert turn.params == (Param("far", "int", required=True, doc="how far"),)
    assert turn.returns == Returns("int", "the rest")
    assert turn.deprecation is not None
    assert turn.deprecation.replacement == "spin"


def test_a_flag_alone_deprecates() -> None:
    body = MODERN.replace(
        '<div class="deprecation-block"><span class="deprecated-label">Deprecated.</span><div class="deprecation-comment">Use <code>pour()</code> instead.</div></div>',
        "",
    )
    assert symbols_in("javadoc", body)["org.tap.Tap.fill(int,String)"].deprecation == Deprecation("flag", "9")


def test_errors_are_told_from_classes() -> None:
    body = '<div class="sub-title">Package org.tap</div><h1 class="title">Class TapException</h1><section class="class-description"><div class="type-signature">public class TapException extends Exception</div></section>'
    assert symbols_in("javadoc", body)["org.tap.TapException"].kind == "error"
    interface = body.replace("public class", "public interface")
    assert symbols_in("javadoc", interface)["org.tap.TapException"].kind == "class"


def test_pages_of_packages_declare_nothing() -> None:
    assert symbols_in("javadoc", '<h1 class="title">Package org.tap</h1>') == {}
    assert symbols_in("javadoc", "<h1>Class Tap</h1>") == {}
    assert symbols_in("javadoc", '<h1 class="title">Class Tap</h1><section class="class-description"></section>') == {}
    assert symbols_in("javadoc", '<h1 class="title">Class Tap</h1>') == {}
