# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
from html_entries import read_page, symbols_in
from refdesk.domain.symbols import Deprecation, Param, Returns

MARK = '<span><a class="mark" href="#{0}" id="{0}">#</a></span>'
PAGE = f"""<div id="apicontent"><h2>Pipes{MARK.format("pipes")}</h2><p>The module of pipes.</p>
<h3>Example{MARK.format("example")}</h3><p>Words.</p>
<h3>Class: <code>pipe.Tap</code>{MARK.format("class-pipetap")}</h3><div class="api_metadata"><span>Added in: v1.0.0</span></div><p>A tap.</p>
<h4><code>new Tap([options])</code>{MARK.format("new-tap")}</h4><ul><li><code>options</code> <a class="type">&lt;Object&gt;</a><ul><li><code>size</code> {{number|string}} Litres. <strong>Default:</strong> <code>10</code>.</li></ul></li></ul><p>Makes one.</p>
<h4><code>tap.turn(far[, then])</code>{MARK.format("tapturn")}</h4><div class="api_metadata"><details class="changelog"><summary>History</summary><table><tr><th>Version</th><th>Changes</th></tr>
<tr><td>v9.0.0</td><td><p>The <code>then</code> parameter was added.</p></td></tr><tr><td>v8.0.0</td><td><p><span>Deprecated since: v8.0.0</span></p></td></tr><tr><td>v0.1.0</td><td><p><span>Added in: v0.1.0</span></p></td></tr></table></details></div>
<blockquote><p>Stability: 0 - Deprecated: Use <a href="#spin"><code>tap.spin()</code></a> instead.</p></blockquote>
<ul><li><code>far</code> <a class="type">&lt;integer&gt;</a> | <a class="type">&lt;string&gt;</a> How far.</li><li><code>then</code> <a class="type">&lt;Function&gt;</a><ul><li><code>err</code> <a class="type">&lt;Error&gt;</a></li></ul></li><li>Returns: <a class="type">&lt;Promise&gt;</a> Fulfils later.</li></ul><p>Turns it.</p><h5>Notes</h5><p>More.</p>
<h4>Event: <code>'drip'</code>{MARK.format("event-drip")}</h4><ul><li>dripping</li></ul><p>It drips.</p>
<h4><code>tap.level</code>{MARK.format("taplevel")}</h4><p>Words first.</p><ul><li><code>x</code> no parameter</li></ul>
<h3><code>pipe.join(a, b)</code>{MARK.format("pipejoin")}</h3><p>Joins.</p><blockquote><p>Stability: 1 - Experimental</p></blockquote><section><p>Else.</p></section>
<h3>About <code>pipes</code></h3><h3><code>not a name!</code></h3></div>"""


def test_headings_that_declare() -> None:
    found = symbols_in("node", PAGE, path="pipe.html")
    assert list(found) == [
        "pipe", "pipe.Tap", "pipe.Tap.constructor", "pipe.Tap.turn", "pipe.Tap.event.drip", "pipe.Tap.level", "pipe.join",
    ]  # fmt: skip
    assert (found["pipe"].kind, found["pipe"].doc, found["pipe"].place.url) == (
        "module", "The module of pipes.", "https://docs.test/pipe.html#pipes",
    )  # fmt: skip
    assert (found["pipe.Tap"].kind, found["pipe.Tap"].since, found["pipe.Tap"].doc) == ("class", "v1.0.0", "A tap.")
    assert found["pipe.Tap.constructor"].names == ("pipe.Tap.constructor", "new Tap")
    assert found["pipe.Tap.level"].params == ()
    assert found["pipe.join"].kind == "function"
    assert found["pipe.join"].doc.startswith("Joins.")


def test_parameters_and_their_members_come_from_the_list() -> None:
    found = symbols_in("node", PAGE, path="pipe.html")
    assert found["pipe.Tap.constructor"].params == (
        Param("options", "Object"),
        Param("options.size", "number | string", default="10", doc="Litres. **Default:** `10`."),
    )
    turn = found["pipe.Tap.turn"]
    assert turn.params == (
        Param("far", "integer | string", required=True, doc="How far."),
        Param("then", "Function", since="v9.0.0"),
    )
    assert turn.returns == Returns("Promise", "Fulfils later.")


def test_history_and_stability_are_the_entrys() -> None:
    turn = symbols_in("node", PAGE, path="pipe.html")["pipe.Tap.turn"]
    assert turn.names == ("pipe.Tap.turn", "tap.turn")
    assert turn.since == "v0.1.0"
    assert turn.deprecation is not None
    assert turn.deprecation == Deprecation("directive", "v8.0.0", "tap.spin()", turn.deprecation.note)
    assert turn.doc.startswith("> Stability: 0")
    assert turn.doc.endswith("Turns it.\n\n##### Notes\n\nMore.")
    assert turn.summary == "Turns it."


def test_a_page_without_calls_declares_nothing() -> None:
    assert symbols_in("node", "<h2>About</h2><p>Words.</p>", path="about.html") == {}


def test_an_id_on_the_heading_is_its_anchor() -> None:
    found = symbols_in(
        "node", '<h2>T</h2><h3 id="f"><code>f()</code></h3><h3><code>g()</code></h3><h4>Event: <code>"x"</code></h4>'
    )
    assert [one.place.url for one in found.values()] == [
        "https://docs.test/api.html#f",
        *["https://docs.test/api.html"] * 2,
    ]


def test_the_page_that_repeats_all_others_is_no_place() -> None:
    assert symbols_in("node", PAGE, path="all.html") == {}


def test_members_of_members_keep_their_names() -> None:
    page = (
        "<h2>T</h2><h3>Class: <code>Tap</code></h3><h4><code>tap.ref()</code></h4><h4><code>tap.pipe.ref()</code></h4>"
    )
    assert list(symbols_in("node", page, path="")) == ["Tap", "Tap.ref", "Tap.pipe.ref"]


def test_a_second_class_of_one_name_is_listed() -> None:
    page = "<h2>T</h2><h3>Class: <code>Tap</code></h3><h3>Class: <code>Tap</code></h3>"
    assert [one.message for one in read_page("node", page).problems] == ["a second Tap was left out"]


def test_c_functions_and_codes_of_errors_are_what_they_are() -> None:
    page = f"""<div id="apicontent"><h2>Node-API</h2>
<h4><code>napi_get_length</code>{MARK.format("napi_get_length")}</h4><pre><code class="language-c">napi_status napi_get_length(napi_env env,
                            uint32_t* result);</code></pre><p>Returns it.</p>
<h4><code>napi_env</code><a class="mark" href="#napi_env" id="napi_env">#</a></h4><pre>typedef struct napi_env__* napi_env;</pre>
<h4><code>napi_extended</code>{MARK.format("napi_extended")}</h4><pre>call(napi_extended)</pre>
<h4><code>napi_status</code>{MARK.format("napi_status")}</h4><p>No code.</p></div>"""
    found = symbols_in("node", page, path="n-api.html")
    assert {name: one.kind for name, one in found.items()} == {
        "napi_get_length": "function", "napi_env": "type", "napi_extended": "attribute", "napi_status": "attribute",
    }  # fmt: skip
    codes = f'<div id="apicontent"><h2>Errors</h2><h3><code>ERR_AMBIGUOUS</code>{MARK.format("ERR_AMBIGUOUS")}</h3><p>It is.</p></div>'
    assert symbols_in("node", codes, path="errors.html")["ERR_AMBIGUOUS"].kind == "error"
