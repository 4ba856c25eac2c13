"""One page to all that is made of it; what is served as a page and is none."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Counts, PageEntries, Problem, Relation
from refdesk.domain.errors import SourceRejected
from refdesk.ingest.html.cleaning import SiteProfile, learn
from refdesk.ingest.html.heads.inventory import Inventory, Item
from refdesk.ingest.html.page import CONVERTER, Served, convert, maker
from refdesk.ingest.html.tree import read_document

PROSE = "A tap lets water through as long as it is open and nobody has closed the main valve in the cellar. "
SPHINX = """<!DOCTYPE html><html lang="en"><head><title>Taps &#8212; Plumbing 2.1 documentation</title>
<link rel="stylesheet" href="_static/pygments.css"><script src="_static/documentation_options.js"></script></head><body>
<div class="related" role="navigation"><ul><li><a href="genindex.html">index</a></li></ul></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">
<section id="taps"><h1>Taps<a class="headerlink" href="#taps">¶</a></h1>
<p>Taps of <a href="houses.html">houses</a>. {prose}</p>
<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>tap = Tap()
tap.open()
</pre></div></div>
<dl class="py class"><dt class="sig sig-object py" id="plumbing.Tap"><em class="property">class </em>
<span class="sig-prename descclassname">plumbing.</span><span class="sig-name descname">Tap</span>
<a class="headerlink" href="#plumbing.Tap">¶</a></dt><dd><p>One tap.</p>
<dl class="py method"><dt class="sig sig-object py" id="plumbing.Tap.open"><span class="sig-name descname">open</span>
<span class="sig-paren">(</span><em class="sig-param"><span class="n">turns</span><span class="o">=</span>
<span class="default_value">1</span></em><span class="sig-paren">)</span></dt><dd><p>Open it.</p></dd></dl>
</dd></dl>
<table class="docutils"><thead><tr><th>Turns</th><th>Flow</th></tr></thead>
<tbody><tr><td>1</td><td>some</td></tr></tbody>
</table></section></div></div></div></div><div class="footer">Copyright</div></body></html>""".replace("{prose}", PROSE)


def page(html: str, path: str = "taps.html", url: str = "", *, visible: bool = False) -> PageEntries:
    data = html.encode()
    return convert(Served(path, data, url), learn([read_document(data, url)]), visible=visible)


def refused(html: str, url: str = "") -> str:
    with pytest.raises(SourceRejected) as error:
        page(html, url=url)
    assert error.value.suggestion
    return error.value.message


def test_a_page_becomes_markdown_symbols_and_a_receipt() -> None:
    made = page(SPHINX, url="https://plumbing.example.org/taps.html")
    assert (made.page.path, made.page.title, made.page.url, made.page.language) == (
        "taps.html",
        "Taps",
        "https://plumbing.example.org/taps.html",
        "en",
    )
    assert "[houses](https://plumbing.example.org/houses.html)" in made.page.markdown
    assert "Copyright" not in made.page.markdown
    assert [symbol.name for symbol in made.symbols] == ["plumbing.Tap", "plumbing.Tap.open"]
    assert {symbol.place.path for symbol in made.symbols} == {"taps.html"}
    assert Relation("taps.html", "defines", "plumbing.Tap") in made.relations
    assert made.problems == ()
    receipt = made.fidelity
    assert (receipt.path, receipt.generator) == ("taps.html", "sphinx")
    assert receipt.sha256 == hashlib.sha256(SPHINX.encode()).hexdigest()
    assert (receipt.before.code, receipt.before.tables, receipt.before.headings, receipt.before.links) == (1, 1, 1, 1)
    assert (receipt.after.code, receipt.after.tables, receipt.after.links) == (1, 1, 1)


def test_makers_differ_by_converter_profile_and_inventory() -> None:
    profile = SiteProfile("p-1")
    inventory = Inventory(items=(Item("plumbing.Tap", "py:class", "taps.html", "plumbing.Tap"),))
    makers = {maker(profile), maker(SiteProfile("p-2")), maker(profile, Inventory()), maker(profile, inventory)}
    assert len(makers) == 4
    assert all(one.startswith(CONVERTER) for one in makers)
    assert maker(profile, inventory) == maker(SiteProfile("p-1"), Inventory(items=inventory.items))


@pytest.mark.parametrize(
    ("html", "title"),
    [
        pytest.param("<title>T | Site</title><h1>First</h1><p>x</p><h1>Second</h1>", "First", id="the first h1"),
        pytest.param("<title>T</title><h2>Top</h2><p>x</p><h3>Low</h3>", "Top", id="the highest there is"),
        pytest.param(
            "<title>Use it — Site 2</title><h3>a</h3><p>x</p><h2>b</h2>", "Use it", id="title without the site"
        ),
        pytest.param("<title>Use it - Site</title><p>x</p>", "Use it", id="no heading"),
        pytest.param("<title>| Site</title><p>x</p>", "| Site", id="nothing before the sign"),
        pytest.param("<title>well-known</title><p>x</p>", "well-known", id="a hyphen is none"),
        pytest.param("<p>x</p>", "taps.html", id="neither"),
    ],
)
def test_a_page_is_named_by_its_heading_else_by_its_title(html: str, title: str) -> None:
    assert page(html.replace("<p>x</p>", f"<p>{PROSE}</p>")).page.title == title


def test_a_page_of_declarations_is_reference() -> None:
    entries = "".join(
        f"<dl class='py function'><dt class='sig sig-object py' id='{name}'><span class='sig-name'>{name}</span>()</dt>"
        f"<dd><p>It does {name}.</p></dd></dl>"
        for name in ("turn", "drip", "flow")
    )
    html = SPHINX.replace("</section>", f"{entries}</section>")
    assert page(html).page.content_type == "api_reference"
    assert page(SPHINX).page.content_type == "concept"
    assert page(html, "changelog.html").page.content_type == "changelog"


def test_what_is_doubtful_is_told_of() -> None:
    data = f"<h1>T</h1><p>{PROSE}</p>".encode() + b"<p>a\x00b</p>"
    made = convert(Served("t.html", data), SiteProfile("p"))
    assert made.problems == (Problem("t.html", "contains NUL characters; they were dropped"),)


@pytest.mark.parametrize(
    ("html", "said"),
    [
        pytest.param(
            "<title>404 Not Found</title><h1>Not Found</h1><p>Nothing matches.</p>", "not found", id="server's"
        ),
        pytest.param("<title>Site</title><h1>Page not found</h1><p>Try the search.</p>", "not found", id="site's own"),
        pytest.param("<h1>Oops!</h1><h2>We could not find that</h2><title>404</title>", "not found", id="oops"),
        pytest.param("<title>页面不存在</title><p>抱歉</p>", "not found", id="in Chinese"),
        pytest.param("<h1>502 Bad Gateway</h1><hr>nginx", "server failed", id="gateway"),
        pytest.param("<title>Just a moment...</title><p>Checking.</p>", "asks who reads it", id="check of browsers"),
        pytest.param("<title>Access Denied</title><p>Reference #1</p>", "a refusal", id="denied"),
    ],
)
def test_error_pages_that_are_served_as_pages_are_refused(html: str, said: str) -> None:
    assert said in refused(html)


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<h1>Page not found</h1><p>{PROSE * 10}</p>", id="much text"),
        pytest.param("<h1>404 handlers</h1><p>How to write one.</p>", id="about handlers"),
        pytest.param("<h1>Error 404</h1><p>Return it:</p><pre>return 404</pre>", id="with code"),
        pytest.param("<h1>Files</h1><p>Raised when a file was not found.</p>", id="in the text only"),
    ],
)
def test_pages_about_errors_are_pages(html: str) -> None:
    assert page(html).page.markdown


@pytest.mark.parametrize(
    ("html", "target"),
    [
        pytest.param(
            "<meta charset=utf-8><meta http-equiv=Refresh content='0; url=new.html'><p>Moved.</p>",
            "new.html",
            id="meta",
        ),
        pytest.param('<meta http-equiv="refresh" content="0;URL=\'/v2/\'">', "/v2/", id="quoted"),
        pytest.param('<script>window.location.href = "a/b.html"</script><p>Moved</p>', "a/b.html", id="script"),
        pytest.param("<script>a()</script><script>location.replace('/x')</script>", "/x", id="replace"),
    ],
)
def test_redirects_are_refused_with_their_target(html: str, target: str) -> None:
    assert refused(html) == f"It only leads to {target}."
    url = f"https://e.org{target}" if target.startswith("/") else f"https://e.org/d/{target}"
    assert refused(html, "https://e.org/d/old.html") == f"It only leads to {url}."


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<meta http-equiv=refresh content='0; url=new.html'><p>{PROSE * 5}</p>", id="much text"),
        pytest.param("<meta http-equiv=refresh content='600; url=new.html'><p>News of today.</p>", id="much later"),
        pytest.param("<meta http-equiv=refresh content='5'><p>The state of things.</p>", id="the page itself again"),
        pytest.param("<meta http-equiv=refresh content='0; url=/d/taps.html'><p>Text here.</p>", id="its own address"),
        pytest.param("<script>function f() { location.href = 'x' }</script><p>Text here.</p>", id="only when called"),
    ],
)
def test_pages_that_stay_are_no_redirects(html: str) -> None:
    assert page(html, url="https://e.org/d/taps.html").page.markdown


@pytest.mark.parametrize(
    ("html", "said"),
    [
        pytest.param("<div id=app></div><script src=/app.js></script>", "built by scripts", id="an empty element"),
        pytest.param(
            "<div id=root>Loading…</div><script>window.$docs = {};" + "x" * 600 + "</script>",
            "built by scripts",
            id="hash",
        ),
        pytest.param("<body><script src=a.js></script></body>", "built by scripts", id="nothing but a script"),
        pytest.param("<div id=x></div><script>build(x)</script>", "built by scripts", id="a short script and no text"),
        pytest.param("<body><p> </p></body>", "holds no text", id="nothing"),
        pytest.param(
            "<frameset><frame src=a.html><frame src=b.html></frameset>", "frames: a.html, b.html", id="frames"
        ),
    ],
)
def test_pages_without_text_of_their_own_are_refused(html: str, said: str) -> None:
    assert said in refused(html)


def test_short_pages_are_pages() -> None:
    assert page("<h1>Index</h1><p>See <a href=a.html>a</a>.</p><script src=x.js></script>").page.title == "Index"


def test_what_no_reader_can_see_or_open_can_be_left_out() -> None:
    html = f"<h1>T</h1><p>{PROSE}<img alt='A lever'></p><details><summary>More</summary>Folded words.</details>"
    assert "A lever" in page(html).page.markdown
    shown = page(html, visible=True).page.markdown
    assert "Folded words" in shown
    assert "A lever" not in shown


PIECES = (
    "<h1>a</h1>", "<p>text</p>", "<pre>x\n y</pre>", "<table><tr><td>1<td>2<tr><td>3<td>4</table>", "<dl><dt>", "<dd>",
    "<div role=tabpanel>", "</div>", "<li>", "<ul>", "<details>", "<aside>", "<dt class='sig sig-object py' id=f>",
    "</dl>", "<main>", "<h2 id=x>", "<svg>", "<math>", "<meta http-equiv=refresh content='0;url=x'>", "<template>",
    "\x00", "<select><option>", "<div hidden>", "<td rowspan=9>", "<a href='http://['>", "<blockquote>", "<code>`",
    "<!--", "&lt;", "|",
)  # fmt: skip


@given(
    st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(PIECES), max_size=25).map("".join).map(str.encode)),
    st.sampled_from(("unknown", "sphinx", "javadoc", "rustdoc", "doxygen", "node", "mkdocs", "docbook", "devdocs")),
)
def test_any_bytes_are_a_page_or_are_refused(data: bytes, generator: str) -> None:
    try:
        made = convert(Served("p.html", data, "https://e.org/p.html"), SiteProfile("p", generator))
    except SourceRejected:
        return
    assert made.page.title
    assert made.fidelity.after != Counts()
