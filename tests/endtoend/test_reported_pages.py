"""Reports T6 to T10 of other tools: what became of pages of HTML on their way into the index.

Each case is a small site of our own writing, read from a folder or served on loopback, and looked at where an agent
would: in chunks, hits and pages.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.shelved import Shelved, shelved
from fakes.website import Reply, Website
from refdesk.domain.entries import Chunk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Shelved]:
    with shelved(tmp_path) as opened:
        yield opened


def html(title: str, content: str, *, before: str = "", after: str = "", body: str = "") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title}</title></head>'
        f"<body{body}>{before}{content}{after}</body></html>"
    )


def prose(about: str, sentences: int = 6) -> str:
    """A paragraph that is long enough to be the main part of a page."""
    said = " ".join(f"Step {number} of {about} is explained here in some words." for number in range(1, sentences + 1))
    return f"<p>{said}</p>"


def texts(chunks: list[Chunk]) -> str:
    return "\n".join(chunk.text for chunk in chunks)


def is_balanced(text: str) -> bool:
    """Whether every fence that opens is closed by one as long of the same character."""
    mark = ""
    for line in text.splitlines():
        stripped = line.lstrip("> ").lstrip()
        run = stripped[: len(stripped) - len(stripped.lstrip("`~"))]
        if len(run) < 3:
            continue
        if not mark:
            mark = run
        elif run[0] == mark[0] and len(run) >= len(mark) and not stripped[len(run) :].strip():
            mark = ""
    return not mark


# T6


_LONG_CODE = "\n".join(f"line_{number} = {number} * factor  # {'x' * 40}" for number in range(60))
_WORDS = "A long explanation of the next step that an installer has to read. " * 20

_FENCED = {
    "list item": "1. Begin\n\n"
    + "".join(f"   {_WORDS}\n\n   ```py\n   first = 1\n\n   second = 2\n   ```\n\n" for _ in range(4)),
    "quote": "".join(f"> {_WORDS}\n>\n> ```sh\n> run one\n>\n> run two\n> ```\n>\n" for _ in range(4)),
    "details": f"<details>\n<summary>More</summary>\n\n{_WORDS * 3}\n\n```yaml\na: 1\n\nb: 2\n```\n\n</details>\n",
    "definition": "Term\n: " + "".join(f"{_WORDS}\n\n  ```toml\n  [a]\n\n  b = 1\n  ```\n\n  " for _ in range(4)),
    "tildes": f"{_WORDS}\n\n~~~ruby\nputs 1\n\nputs 2\n~~~\n\n" * 4,
    "four backticks": f"{_WORDS}\n\n````markdown\n```js\nnested()\n```\n\nmore\n````\n\n" * 4,
    "too long": f"```python\n{_LONG_CODE}\n\n{_LONG_CODE}\n```\n",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in _FENCED.items()])
def test_arabold_418_no_fence_is_cut_by_the_splitter(desk: Shelved, text: str) -> None:
    desk.add_files({"setup.md": f"# Setup\n\n## Steps\n\n{text}"})
    chunks = desk.chunks()
    assert chunks
    assert [chunk.text for chunk in chunks if not is_balanced(chunk.text)] == []


def test_arabold_418_an_info_string_is_kept_word_for_word(desk: Shelved) -> None:
    info = '```ts {1,3-4} title="src/app.ts" showLineNumbers'
    desk.add_files({"a.md": f"# A\n\n{info}\nlet a = 1\n```\n"})
    assert info in texts(desk.chunks())


@pytest.mark.parametrize(
    "around",
    [
        "<ul><li>{}</li></ul>",
        "<blockquote>{}</blockquote>",
        "<dl><dt>Term</dt><dd>{}</dd></dl>",
        "<details><summary>More</summary>{}</details>",
    ],
)
def test_arabold_418_no_fence_of_a_page_of_html_is_cut(desk: Shelved, around: str) -> None:
    parts = "".join(f"{prose('setup', 20)}<pre><code>first = {n}\n\nsecond = ```{n}```</code></pre>" for n in range(5))
    desk.add_files({"setup.html": html("Setup", f"<main><h1>Setup</h1>{prose('it')}{around.format(parts)}</main>")})
    chunks = desk.chunks()
    assert [chunk.text for chunk in chunks if not is_balanced(chunk.text)] == []
    for number in range(5):
        assert f"second = ```{number}```" in texts(chunks)


# T7


_FURNITURE_BEFORE = """
<a class="skip" href="#content">Jump over navigation zebra</a>
<header><a href="/">Logo zebra</a>
<form role="search"><input placeholder="Find zebra"><button>Search zebra</button></form></header>
<nav aria-label="breadcrumb"><ol itemscope itemtype="https://schema.org/BreadcrumbList">
<li itemprop="itemListElement"><a href="/"><span itemprop="name">Root zebra</span></a></li></ol></nav>
"""
_FURNITURE_INSIDE = """
<div class="promo"><a href="https://conf.example/?utm=1"><img src="/banner.png" alt="Conference zebra">
Buy a ticket zebra</a></div>
<div class="page-actions"><button>Copy Markdown zebra</button>
<ul role="menu"><li role="menuitem">Open in chat zebra</li></ul></div>
"""
_FURNITURE_AFTER = """
<div class="ad-slot"><img src="https://track.example/p.gif" width="1" height="1" alt="">
<a href="https://ads.example">Sponsored zebra</a></div>
<footer><a href="https://code.example/edit">Edit this page zebra</a> <span>Imprint zebra</span></footer>
"""


def _furnished(title: str, content: str) -> str:
    return html(
        title,
        f'<main id="content">{_FURNITURE_INSIDE}<h1>{title}</h1>{content}</main>',
        before=_FURNITURE_BEFORE,
        after=_FURNITURE_AFTER,
    )


@pytest.fixture
def furnished(desk: Shelved) -> Shelved:
    files: dict[str, str | bytes] = {
        f"part-{number}.html": _furnished(f"Part {number}", prose(f"part {number}") + f"<pre>use({number})</pre>")
        for number in range(9)
    }
    files["breadcrumbs.html"] = _furnished(
        "Breadcrumbs",
        prose("the breadcrumb component")
        + '<pre>&lt;nav aria-label="breadcrumb"&gt;Home / Products&lt;/nav&gt;</pre>'
        + "<p>An ad slot named sidebar shows a sponsored link.</p>",
    )
    desk.add_files(files)
    return desk


def test_arabold_420_the_first_chunk_starts_at_the_heading(furnished: Shelved) -> None:
    first = next(chunk for chunk in furnished.chunks() if chunk.page == "part-3.html")
    assert first.title == "Part 3"
    assert "Step 1 of part 3" in first.text


def test_arabold_422_504_no_furniture_is_in_any_chunk(furnished: Shelved) -> None:
    assert "zebra" not in texts(furnished.chunks())


def test_pg_aiguide_134_what_a_page_documents_is_no_furniture(furnished: Shelved) -> None:
    text = furnished.page("breadcrumbs.html")
    assert '<nav aria-label="breadcrumb">Home / Products</nav>' in text
    assert "An ad slot named sidebar shows a sponsored link." in text


# T8


_CALLS = (
    '<aside class="note"><p>Mind the gap.</p></aside>'
    '<div role="alert" class="warning"><p>Never do that twice.</p></div>'
    '<aside role="complementary"><p>See also the other thing.</p></aside>'
)
_MENU = (
    '<aside class="sidebar"><nav><ul><li><a href="/a">Menu one</a></li>'
    '<li><a href="/b">Menu two</a></li></ul></nav></aside>'
)


@pytest.mark.parametrize(
    ("root", "body"),
    [
        pytest.param('<main class="content sidebar">{}</main>', "", id="a root with the class of a menu"),
        pytest.param("<main>{}</main>", ' class="sidebar"', id="a body with the class of a menu"),
        pytest.param('<form action="/">{}</form>', "", id="all in a form"),
        pytest.param("<header>{}</header>", "", id="all in a header"),
        pytest.param('<div class="cookie-policy banner">{}</div>', "", id="a root with the class of a banner"),
    ],
)
def test_arabold_256_the_sanitizer_does_not_eat_the_page(desk: Shelved, root: str, body: str) -> None:
    article = (
        f"<article><h1>Trains</h1>{prose('travelling', 12)}<h2>Platforms</h2>{prose('platforms', 12)}{_CALLS}</article>"
    )
    desk.add_files({"trains.html": html("Trains", root.format(article), before=_MENU, body=body)})
    text = desk.page("trains.html")
    assert "Step 12 of travelling" in text
    assert "## Platforms" in text
    for said in ("Mind the gap.", "Never do that twice.", "See also the other thing."):
        assert said in text
    assert "Menu one" not in text


def test_arabold_36_call_outs_keep_their_kind(desk: Shelved) -> None:
    article = f"<main><h1>Trains</h1>{prose('travelling', 12)}{_CALLS}</main>"
    desk.add_files({"trains.html": html("Trains", article, before=_MENU)})
    text = desk.page("trains.html")
    assert "> **Note:** Mind the gap." in text
    assert "> **Warning:** Never do that twice." in text


# T9


_CODE = {"Python": "heron_py()", "JavaScript": "heronJs()", "Go": "HeronGo()"}


def _aria() -> str:
    tabs = "".join(
        f'<button role="tab" id="t{n}" aria-controls="p{n}">{label}</button>' for n, label in enumerate(_CODE)
    )
    panels = "".join(
        f'<div role="tabpanel" id="p{n}" aria-labelledby="t{n}"{" hidden" if n else ""}>'
        f"<pre><code>{code}</code></pre></div>"
        for n, code in enumerate(_CODE.values())
    )
    return f'<div><div role="tablist">{tabs}</div>{panels}</div>'


def _design() -> str:
    return '<div class="sd-tab-set docutils">' + "".join(
        f'<input id="i{n}" name="s" type="radio"><label class="sd-tab-label" for="i{n}">{label}</label>'
        f'<div class="sd-tab-content docutils"><pre>{code}</pre></div>'
        for n, (label, code) in enumerate(_CODE.items())
    ) + "</div>"  # fmt: skip


def _material() -> str:
    labels = "".join(f'<label for="m{n}">{label}</label>' for n, label in enumerate(_CODE))
    inputs = "".join(f'<input id="m{n}" name="m" type="radio">' for n, _ in enumerate(_CODE))
    blocks = "".join(f'<div class="tabbed-block"><pre><code>{code}</code></pre></div>' for code in _CODE.values())
    return (
        f'<div class="tabbed-set tabbed-alternate" data-tabs="1:3">{inputs}<div class="tabbed-labels">{labels}</div>'
        f'<div class="tabbed-content">{blocks}</div></div>'
    )


def _page(tabs: str) -> str:
    return html("Tabs", f"<main><h1>Tabs</h1>{prose('tabs')}{tabs}</main>")


def _each(panel: str) -> str:
    return "".join(panel.replace("LABEL", label).replace("CODE", code) for label, code in _CODE.items())


_TABBED = {
    "aria.html": _page(_aria()),
    "design.html": _page(_design()),
    "material.html": _page(_material()),
    "mdx.mdx": "# Tabs\n\n<Tabs>\n" + _each('<TabItem value="LABEL">\n\n```\nCODE\n```\n\n</TabItem>\n') + "</Tabs>\n",
    "material.md": "# Tabs\n\n" + _each('=== "LABEL"\n\n    ```\n    CODE\n    ```\n\n'),
    "design.rst": "Tabs\n====\n\n.. tab-set::\n\n"
    + _each("   .. tab-item:: LABEL\n\n      .. code-block:: text\n\n         CODE\n\n"),
}


@pytest.mark.parametrize("path", sorted(_TABBED))
class TestSmartcontractkit4063ApifyDocs2459DbtLabs9773:
    def test_every_panel_is_kept_with_its_label(self, desk: Shelved, path: str) -> None:
        desk.add_files({path: _TABBED[path]})
        text = desk.page(path)
        places = [text.index(said) for label, code in _CODE.items() for said in (label, code)]
        assert places == sorted(places)

    def test_the_token_of_one_tab_finds_its_panel_alone(self, desk: Shelved, path: str) -> None:
        desk.add_files({path: _TABBED[path]})
        found = [chunk for chunk in desk.chunks() if "heronJs" in chunk.text]
        assert len(found) == 1
        assert "JavaScript" in found[0].facets
        assert "heron_py" not in found[0].text
        assert "heronJs" in desk.search("heronJs")[0]["snippet"]

    def test_a_language_selects_its_panel(self, desk: Shelved, path: str) -> None:
        desk.add_files({path: _TABBED[path]})
        hits = desk.search("tabs heron", language="go")
        assert hits
        assert not any("heron_py" in hit["snippet"] for hit in hits)


# T10


_FIVE = [f"# comment {number}\nmake target-{number}" for number in range(5)]


def test_workers_sdk_15177_served_markdown_that_lost_code_is_not_used(desk: Shelved) -> None:
    blocks = "".join(
        f"<h2>Part {n}</h2>{prose(f'part {n}')}<pre><code>{code}</code></pre>" for n, code in enumerate(_FIVE)
    )
    page = html(
        "Make",
        f"<main><h1>Make</h1>{blocks}</main>",
        after='<link rel="alternate" type="text/markdown" href="make.md">',
    )
    flat = "# Make\n\n" + "\n\n".join(f"## Part {n}\n\n{code}" for n, code in enumerate(_FIVE))
    site = Website({"/docs/": page, "/docs/make.md": Reply(flat.encode(), "text/markdown; charset=utf-8")})
    with site.serving():
        desk.add("make", url=f"{site.url}docs/", version="1")
    (stored,) = [one for one in desk.pack("make").entries.pages() if not one.path.endswith(".md")]
    text = desk.page(stored.path, "make")
    assert all(f"\n{code}\n```" in text for code in _FIVE)
    assert not any("comment" in section for section in _headings(text))


def _headings(text: str) -> list[str]:
    """Lines outside of fences that begin with a number sign."""
    inside, found = False, []
    for line in text.splitlines():
        inside ^= line.startswith("```")
        if not inside and line.startswith("#"):
            found.append(line)
    return found
