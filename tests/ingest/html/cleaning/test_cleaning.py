"""What is left of a page when its furniture is marked, for known generators and for unknown sites."""

import pytest

from cleaned_pages import PROSE, SAID, SPHINX, cleaned_alone, kept, page
from refdesk.ingest.html.cleaning import clean, learn
from refdesk.ingest.html.tree import read_document

GENERATORS = (
    (
        "sphinx",
        "classic",
        SPHINX,
        (
            '<div class="related" role="navigation">index modules</div><div class="document"><div class="body"'
            ' role="main">'
            f'<h1>Workers<a class="headerlink" href="#workers">¶</a></h1>{PROSE}</div></div>'
            '<div class="sphinxsidebar">Previous topic</div>'
        ),
    ),
    (
        "sphinx",
        "furo",
        SPHINX,
        (
            '<aside class="sidebar-drawer">Search</aside><div><article role="main" id="furo-main-content">'
            f'<section id="workers"><h1>Workers<a class="headerlink" href="#w">#</a></h1>{PROSE}</section></article>'
            '</div><aside class="toc-drawer">On this page</aside>'
        ),
    ),
    (
        "sphinx",
        "rtd",
        SPHINX,
        (
            '<nav class="wy-nav-side">Install</nav><div class="rst-content"><div role="navigation">Docs » Workers</div>'
            f'<div role="main" class="document"><div itemprop="articleBody"><h1>Workers</h1>{PROSE}</div></div></div>'
        ),
    ),
    (
        "sphinx",
        "pydata",
        SPHINX,
        f'<div class="bd-sidebar">API</div><main><article class="bd-article"><h1>Workers</h1>{PROSE}</article></main>',
    ),
    (
        "sphinx",
        "zzzeek",
        "",
        (
            f'<div id="docs-top-navigation">Home</div><div id="docs-body"'
            f' class="withsidebar"><h1>Workers</h1>{PROSE}</div>'
        ),
    ),
    (
        "sphinx",
        "django",
        SPHINX,
        (
            '<div id="custom-doc"><div id="hd">Home | Index</div><div id="bd"><div class="yui-b"><div class="yui-g">'
            f'<h1>Workers</h1>{PROSE}</div></div><div id="sidebar">Contents</div></div></div>'
        ),
    ),
    (
        "mkdocs",
        "material",
        '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.8.2">',
        (
            '<div class="md-content"><nav class="md-path">Home</nav><article class="md-content__inner md-typeset">'
            '<a href="/edit" class="md-content__button md-icon">Edit</a><h1>Workers<a class="headerlink"'
            ' href="#w">¶</a></h1>'
            f'{PROSE}<form class="md-feedback"><fieldset><legend>Was this page'
            f" helpful?</legend></fieldset></form></article></div>"
        ),
    ),
    (
        "mkdocs",
        "",
        '<meta name="generator" content="MkDocs 1.6">',
        f'<div class="navbar">Home</div><div class="col-md-9" role="main"><h1>Workers</h1>{PROSE}</div>',
    ),
    (
        "docusaurus",
        "",
        '<meta name="generator" content="Docusaurus v3.10">',
        (
            '<nav class="navbar">Docs</nav><article><nav class="theme-doc-breadcrumbs">Docs</nav><div '
            'class="theme-doc-markdown markdown"><h1>Workers<a class="hash-link" href="#workers">\u200b</a></h1>'
            f'{PROSE}<div class="code"><pre><code>run()</code></pre><button>Copy</button></div></div></article>'
        ),
    ),
    (
        "vitepress",
        "",
        '<meta name="generator" content="VitePress v1.6.4">',
        (
            '<div class="VPNav">Guide</div><main><div class="vp-doc"><div><h1>Workers <a class="header-anchor"'
            ' href="#w">\u200b</a></h1>'
            f'{PROSE}<div class="language-js"><button class="copy"></button><span'
            f' class="lang">js</span><pre>run()</pre></div>'
            "</div></div></main>"
        ),
    ),
    (
        "javadoc",
        "",
        '<meta name="generator" content="javadoc/ClassWriterImpl">',
        (
            '<nav role="navigation">Overview Package</nav><main role="main"><div class="header"><div'
            ' class="sub-title">Module jobs'
            f'</div><h1>Workers</h1></div><section class="class-description">{PROSE}</section></main>'
        ),
    ),
    (
        "rustdoc",
        "",
        '<meta name="generator" content="rustdoc">',
        (
            '<nav class="sidebar">Crates</nav><main><section id="main-content" class="content"><h1>Workers'
            '<button id="copy-path">Copy item path</button></h1><a class="src" href="../src/w.rs.html">Source</a>'
            f'{PROSE}<h2 id="blanket-implementations">Chapters</h2><div id="blanket-implementations-list">Crates</div>'
            "</section></main>"
        ),
    ),
    (
        "mdbook",
        "",
        "",
        '<nav id="sidebar">Chapters</nav><div id="content" class="content"><main><h1>Workers</h1>' + PROSE + "</main>"
        '<nav class="nav-wrapper">Next</nav></div>',
    ),
    (
        "doxygen",
        "",
        '<meta name="generator" content="Doxygen 1.9.4">',
        f'<div id="top">Main Page</div><div class="contents"><h1>Workers</h1>{PROSE}</div><hr class="footer">',
    ),
    (
        "docbook",
        "",
        '<meta name="generator" content="DocBook XSL Stylesheets V1.79.2">',
        (
            f'<div class="navheader">Prev Up Next</div><div class="chapter"><h1>Workers</h1>{PROSE}</div>'
            '<div class="navfooter">Home</div>'
        ),
    ),
    (
        "asciidoc",
        "",
        '<meta name="generator" content="AsciiDoc 10.2">',
        (
            f'<div id="header"><h1>Workers</h1></div><div id="content">{PROSE}</div><div id="footer">Last updated'
            f" 2026</div>"
        ),
    ),
    (
        "mediawiki",
        "",
        '<meta name="generator" content="MediaWiki 1.43">',
        (
            '<div id="mw-navigation">Random page</div><div id="mw-content-text"><h1>Workers<span'
            ' class="mw-editsection">[edit]'
            f'</span></h1><div id="toc" class="toc" role="navigation"><a href="#a">Contents</a></div>{PROSE}</div>'
        ),
    ),
    (
        "node",
        "",
        "",
        f'<div id="column2">Index</div><div id="column1"><div id="apicontent"><h1>Workers</h1>{PROSE}</div></div>',
    ),
)


@pytest.mark.parametrize(
    ("generator", "theme", "head", "body"), GENERATORS, ids=[f"{one[0]} {one[1]}".strip() for one in GENERATORS]
)
def test_a_known_generator_is_told_and_only_its_content_is_kept(
    generator: str, theme: str, head: str, body: str
) -> None:
    document = page(body, f"<title>Workers</title>{head}")
    profile = learn([document])
    assert (profile.generator, profile.theme) == (generator, theme)
    left = kept(clean(document, profile)).replace("\u200b", "").replace("run()", "").replace("  ", " ").strip()
    assert left == f"Workers {SAID}"


def test_a_page_of_a_known_generator_without_its_place_is_cleaned_in_the_generic_way() -> None:
    known = learn([page(GENERATORS[0][3], GENERATORS[0][2])])
    other = page(f"<nav><a href='/'>Home</a></nav><main><h1>Workers</h1>{PROSE}</main>")
    assert kept(clean(other, known)) == f"Workers {SAID}"


def test_a_bare_body_is_all_content() -> None:
    document = read_document(f"<h1>Workers</h1>{PROSE}".encode())
    profile = learn([document])
    assert profile.generator == "devdocs"
    assert kept(clean(document, profile)) == f"Workers {SAID}"


T7 = (
    '<a class="skip-link" href="#main">Skip to main content</a><header class="site-header"><nav><a'
    ' href="/">Home</a></nav>'
    '<form role="search"><input name="q"><button>Search</button></form></header><main id="main">'
    '<nav aria-label="Breadcrumb"><ol><li><a href="/docs">Docs</a></li><li><a href="/docs/w">Queues</a></li></ol></nav>'
    '<ol itemscope itemtype="https://schema.org/BreadcrumbList" class="breadcrumb"><li><a'
    ' href="/docs">Docs</a></li></ol>'
    '<div class="conference-banner"><a href="https://conf.example"><img alt="PyWorkers 2026" src="b.png"></a></div>'
    '<div class="ad-widget"><img src="https://ads.example/pixel.gif" alt=""><a'
    ' href="https://ads.example">Sponsored: Buy</a></div>'
    '<div class="page-actions"><button>Copy Markdown</button><a href="https://chat.example">Open in ChatGPT</a></div>'
    '<div class="search-widget"><input placeholder="Search docs"><span>Search docs</span></div>'
    "<h1>{title}</h1>{text}"
    '<footer><a href="https://git.example/edit">Edit this page on GitHub</a> <span>Last updated: 1 May'
    " 2026</span></footer>"
    "</main>"
)


def test_t7_nothing_before_the_title_and_nothing_after_the_text_is_kept() -> None:
    """arabold/docs-mcp-server#420, #422, #504; timescale/pg-aiguide#134."""
    texts = [
        f"<p>Queue number {number} gives each of its tasks to the first worker that is free.</p>"
        for number in range(10)
    ]
    pages = [page(T7.format(title=f"Queue {number}", text=text)) for number, text in enumerate(texts)]
    profile = learn(pages)
    for number, one in enumerate(pages):
        left = kept(clean(one, profile))
        assert left == f"Queue {number} Queue number {number} gives each of its tasks to the first worker that is free."


def test_t7_a_page_that_documents_breadcrumbs_and_ads_keeps_its_text() -> None:
    """Names of sections come from their headings: they say what the page is about."""
    text = (
        '<section id="breadcrumbs"><h2 id="breadcrumb">Breadcrumbs</h2><p>Breadcrumbs show where in the tree a'
        " page is.</p>"
        '<pre><code>&lt;nav class="breadcrumb"&gt;Home&lt;/nav&gt;</code></pre></section><div'
        ' id="ads"><h2>Ads</h2><p>Ads are'
        " shown in slots that a template names, and a slot without an ad stays empty.</p></div>"
    )
    left = cleaned_alone(T7.format(title="Components", text=text))
    for said in ("Breadcrumbs show where", '<nav class="breadcrumb">Home</nav>', "Ads are shown in slots"):
        assert said in left
    assert "Sponsored" not in left


CALLOUTS = (
    '<aside class="note"><p>A worker holds its task until it is done.</p></aside>'
    '<div role="alert">Never start two schedulers.</div>'
    '<div role="complementary" class="admonition warning"><p>Queues are lost at a restart.</p></div>'
)
MENU = (
    '<div class="sidebar"><ul><li><a href="/a">One chapter</a></li><li><a href="/b">Second chapter</a></li></ul></div>'
)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f'<div class="sidebar"><h1>Workers</h1>{PROSE}{CALLOUTS}</div>{MENU}', id="root named like furniture"
        ),
        pytest.param(f"<form action='/x'><h1>Workers</h1>{PROSE}{CALLOUTS}</form>{MENU}", id="text in a form"),
        pytest.param(f"<header><h1>Workers</h1>{PROSE}{CALLOUTS}</header>{MENU}", id="text in a header"),
        pytest.param(f"{MENU}<main><h1>Workers</h1>{PROSE}{CALLOUTS}</main>", id="menu beside"),
        pytest.param(f"<article><h1>Workers</h1>{PROSE}{CALLOUTS}{MENU}</article>", id="menu inside"),
    ],
)
def test_t8_text_and_callouts_stay_and_the_menu_goes(body: str) -> None:
    """arabold/docs-mcp-server#256, #36, pull request 360."""
    document = read_document(f'<html><head><title>W</title></head><body class="sidebar">{body}</body></html>'.encode())
    left = kept(clean(document, learn([document])))
    for said in ("Workers", SAID, "holds its task", "Never start two", "Queues are lost"):
        assert said in left
    assert "chapter" not in left


FURNITURE = (
    ('<nav class="toc"><a href="#a">First part</a><a href="#b">Second part</a></nav>', "contents"),
    (
        '<h2>On this page</h2><ul><li><a href="#a">First part</a></li><li><a href="#b">Second part</a></li></ul>',
        "contents",
    ),
    ('<div class="pager"><a href="/p">Previous: Install</a> <a href="/n">Next: Run</a></div>', "pager"),
    ('<div class="x1"><p>Was this page helpful?</p><button>Yes</button><button>No</button></div>', "feedback"),
    ('<p><a href="https://git.example/edit">Edit this page</a></p>', "edit links"),
    ("<div>Last updated on May 5, 2026</div>", "edit links"),
    ('<div class="share-buttons"><a href="https://s.example">Post</a></div>', "share"),
    ('<p><a class="btn btn-primary" href="/start">Get started</a></p>', "buttons"),
    ("<button>Copy</button>", "buttons"),
    ('<ul><li><a hreflang="de" href="/de">Deutsch</a></li></ul>', "versions"),
    ('<p>Also read: <a href="/other">How queues are drained</a></p>', "related"),
    ("<p>© 2026 Example Ltd. All rights reserved.</p>", "legal"),
    ('<aside><a href="/x">Other things</a> <a href="/y">More things</a></aside>', "related"),
    ("<footer>Written by the team</footer>", "navigation"),
    ("<p>Edit <b>this page</b></p>", "edit links"),
    ('<p><a href="#top">Back to top</a></p>', "skip links"),
    ('<div>On this page<ul><li><a href="#a">First part</a></li></ul></div>', "contents"),
    ('<p class="breadcrumb"><a href="/">Docs</a></p>', "breadcrumbs"),
    ('<a class="edit-link" href="/e">Change it</a>', "edit links"),
    ('<a href="/q"><img alt="Queue icon" src="q.svg"></a>', "icons"),
    ('<a href="/q">Queue<img alt="Drawing of queues" src="q.svg"></a>', "icons"),
    ('<form><input name="mail"><button>Send</button> Your address</form>', "forms"),
    ('<div id="disqus_thread">Two remarks by readers</div>', "comments"),
    ('<span class="search-box">Type here</span>', "search"),
    ('<div role="menu">Choose one</div>', "copy menus"),
    ('<div><p>Rate this page</p><img alt="" src="s.png"></div>', "feedback"),
    ('<img alt="Worker logo" src="l.png">', "icons"),
    ("<form><button>Find</button> one by its name</form>", "forms"),
    ("<div>Was this page helpful?<ul><li>Yes</li><li>No</li></ul></div>", "feedback"),
)


@pytest.mark.parametrize(("block", "step"), FURNITURE)
def test_furniture_of_unknown_sites_is_marked_and_its_words_counted_by_step(block: str, step: str) -> None:
    document = page(f"<main><h1>Workers</h1>{PROSE * 3}{block}</main>")
    cleaned = clean(document, learn([document]))
    expected = " ".join(["Workers", *[SAID] * 3])
    assert kept(cleaned).removesuffix(" Queue") == expected
    assert step in cleaned.removed or step == "icons"
    assert not cleaned.undone


def test_only_the_saying_goes_from_a_block_that_says_more() -> None:
    beside = "<div><a href='#top'>Back to top</a><p>Each worker has a name.</p></div>"
    rated = "<ul><li><p>Rate this page</p> from one to five</li></ul>"
    left = cleaned_alone(f"<main><h1>Workers</h1>{PROSE * 2}{beside}{rated}{PROSE}</main>")
    assert left == f"Workers {SAID} {SAID} Each worker has a name. from one to five {SAID}"


def test_signs_and_empty_furniture_are_marked_though_they_have_no_words() -> None:
    document = page(
        f'<main><h1>Workers<a href="#w">¶</a></h1>{PROSE}<div class="helpful"><svg></svg></div><input></main>'
    )
    cleaned = clean(document, learn([document]))
    assert [one.tag for one in cleaned.content.iter() if one in cleaned.skip] == ["a", "div", "input"]
    assert kept(cleaned) == f"Workers {SAID}"


CONTENT = (
    "<p>Press <button>Save</button> to keep the task, and wait until it is kept.</p>",
    '<p>See <a class="button" href="/x">the button</a> in the corner of the screen for that.</p>',
    '<h2><button aria-expanded="false">What is a worker?</button></h2>',
    '<div><button aria-expanded="false">How many workers are there?</button></div>',
    "<p>Next, the queue is drained.</p>",
    '<button role="tab">Python</button>',
    "<button>A worker that waits is told of each task that comes after it has waited</button>",
    "<h4>Copy</h4><p><a href='/x'>Copy page</a> is what <b>the menu</b> says first of all.</p>",
    "<ul><li>A rate from one to five<ul><li>and what it stands for</li></ul></li></ul>",
    "<p>Skip to content<br>and each worker has a name of its own</p>",
    "<td>Related articles</td>",
    "<ul><li><p>Skip to the end</p><p>Each worker has a name of its own</p></li></ul>".replace("Skip to", "Go on to"),
    "<p>This page was made to be read by people who have to keep workers busy at all times of the day and night.</p>",
    "<p>Workers say <b>Copy page</b> when a page is copied.</p>",
    '<p>All <a href="/x">Edit this page</a> links lead to the file.</p>',
    "<p>Related articles: those of the same author are listed at the end of the month.</p>",
    "<div>On this page a worker is made in many steps, and each of them <b>is</b> told of.</div>",
    "<h2>On this page</h2><p>Each worker has a name.</p>",
    "<h2>On this page</h2><ul><li>Each worker <a href='#name'>has</a> a name of its own here</li></ul>",
    '<td><a class="button" href="/x">Start now</a></td>',
    "<ul><li><b>Read more</b> of the tasks that are kept</li></ul>",
    "<h2>Contents of a queue</h2><ul><li>Tasks</li></ul>",
    '<ul class="menu"><li>Each worker has a name, and names are unique</li></ul>',
    "<blockquote>Said of workers<footer>An author</footer></blockquote>",
    '<div class="toc"><a href="/chapter/1">Queues</a><a href="/chapter/2">Workers</a></div>',
    "<p>Copyright 2026 is what the option prints.</p><h2>Other options</h2>",
    '<img alt="Two workers and a queue" src="w.png">',
    '<div class="search"><pre>find(task)</pre></div>',
    '<h3><a href="#x">Linked heading</a></h3>',
    '<p>A worker is named in <a href="#names">names</a>.</p>',
    '<div class="tab-content"><div role="tabpanel">Names of tasks</div></div>',
)


@pytest.mark.parametrize("block", CONTENT)
def test_what_only_looks_like_furniture_stays(block: str) -> None:
    document = page(f"<main><h1>Workers</h1>{PROSE * 2}{block}{PROSE}</main>")
    cleaned = clean(document, learn([document]))
    assert not any(cleaned.removed.values())
    assert not [one for one in cleaned.skip if one.tag in ("img", "pre")]


def test_the_way_to_the_text_loses_its_small_neighbours_and_keeps_what_is_text() -> None:
    left = cleaned_alone(
        "<div class='top'><a href='/'>Home</a></div><div><div class='meta'><span>5 min</span></div><h1>Workers</h1>"
        f"<div><div>By Ann</div><div>{PROSE * 2}</div></div></div><div class='end'>Made with care</div>"
    )
    assert left == f"Workers {SAID} {SAID}"


@pytest.mark.parametrize(
    "beside",
    [
        "<pre>run()</pre>",
        '<div role="note">Careful.</div>',
        "<div><h2>Names</h2></div>",
        "<div><p>Each worker has a name of its own.</p></div>",
        "<section>" + "Each worker has a name of its own, and it is kept. " * 4 + "</section>",
    ],
)
def test_what_is_text_beside_the_text_is_kept(beside: str) -> None:
    left = cleaned_alone(f"<main>{beside}<div>{PROSE * 8}</div></main>")
    assert " ".join(read_document(beside.encode()).root.text_content().split()) in left


def test_text_between_blocks_is_never_left_outside() -> None:
    assert "Loose words" in cleaned_alone(f"<div class='nav'><a href='/'>Home</a></div>Loose words<div>{PROSE}</div>")
