"""Servers that lie, hang, break off and lead in circles, and what a crawl tells of each."""

import gzip
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fakes.website import Content, Reply, Website, failing, moved, page
from refdesk.adapters.crawler import Limits, ScrapyFetcher
from refdesk.domain.errors import NetworkUnavailable
from refdesk.domain.urls import Scope
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched
from refdesk.ports.progress import silent

LOCAL = ("127.0.0.1",)
LIMITS = Limits(timeout=10, retries=1, backoff=0.01)


@pytest.fixture
def site() -> Iterator[Website]:
    with Website().serving() as site:
        yield site


def crawl(
    site: Website, limits: Limits = LIMITS, *, max_bytes: int = 1 << 20, private_hosts: tuple[str, ...] = LOCAL
) -> tuple[dict[str, Fetched], Crawled]:
    order = CrawlOrder((site.url,), Scope(site.url), max_bytes=max_bytes, private_hosts=private_hosts)
    found: list[Fetched] = []
    crawled = ScrapyFetcher(limits).crawl(order, found.append, silent)
    return {"/" + one.url.removeprefix(site.url): one for one in found}, crawled


def test_pages_that_are_no_pages_are_told_one_by_one(site: Website) -> None:
    """One crawl over everything that can be wrong with an answer; the good page beside them is delivered."""
    bad: dict[str, tuple[Content, str]] = {
        "/circle": (moved("/circle2"), ""),
        "/circle2": (moved("/circle"), "in a circle"),
        "/itself": (moved("/itself"), "in a circle"),
        "/nowhere": (moved("mailto:a@example.org"), "to no address"),
        "/away": (moved("http://docs.example.org/"), "to another host: http://docs.example.org/"),
        "/private": (moved("http://10.0.0.1/"), "to another host: http://10.0.0.1/"),
        "/broken": (failing(500), "answers 500"),
        "/forbidden": (failing(403), "answers 403"),
        "/gone": (failing(410), "answers 410"),
        "/later": (failing(503, Retry_After="86400"), "come back after 86400"),
        "/cut": (Reply(b"<p>" + b"x" * 5000, cut=100), "in the middle of the page"),
        "/long": (Reply(b"<p>short", headers={"Content-Length": "500"}, cut=8), "in the middle of the page"),
        "/big": (Reply(b"x" * (2 << 20)), "more than 1,048,576 bytes"),
        "/bomb": (
            Reply(gzip.compress(b"\0" * (64 << 20)), headers={"Content-Encoding": "gzip"}),
            "more than 1,048,576 bytes",
        ),
        "/coded": (Reply(b"x", headers={"Content-Encoding": "compress"}), "encoding compress cannot be read"),
    }
    site.pages = {path: content for path, (content, _) in bad.items()}
    site.pages["/"] = page("Home", *bad, "/good")
    site.pages["/good"] = page("Good")
    found, crawled = crawl(site)
    assert found["/good"].status == 200
    assert set(found) == {"/", "/good", *bad}
    assert crawled.fetched == len(found)
    for path, (_, why) in bad.items():
        assert why in found[path].error, path
        assert bool(found[path].error) is bool(why), path
        assert not found[path].body, path


def test_a_server_that_never_ends_its_answer_does_not_hold_up_the_crawl(site: Website) -> None:
    site.pages = {"/": page("Home", "/slow", "/good"), "/slow": Reply(b"<p>" * 50, hang=True), "/good": page("Good")}
    found, _ = crawl(site, replace(LIMITS, timeout=0.5, retries=0))
    assert found["/slow"].error == "no whole answer in time"
    assert found["/good"].status == 200


def test_what_fails_for_a_moment_is_asked_again_after_the_pause_that_it_asks_for(site: Website) -> None:
    site.pages = {
        "/": page("Home", "/busy", "/flaky"),
        "/busy": [failing(429, Retry_After="0"), Reply(b"<p>there")],
        "/flaky": [Reply(b"<p>there", cut=2), Reply(b"<p>there")],
    }
    found, _ = crawl(site)
    assert [found[path].status for path in ("/busy", "/flaky")] == [200, 200]
    assert site.paths().count("/busy") == site.paths().count("/flaky") == 2


def test_types_that_are_no_page_are_counted_and_not_downloaded(site: Website) -> None:
    site.pages = {
        "/": page("Home", "/a.png", "/download", "/style", "/data.md", "/vue.js", "/notes"),
        "/download": Reply(b"x" * 100, "application/zip"),
        "/style": Reply(b"x", "text/css"),
        "/data.md": Reply(b"# Data", "application/octet-stream"),
        "/vue.js": Reply(page("Vue.js").encode()),
        "/notes": Reply(b"notes", "text/plain"),
    }
    found, crawled = crawl(site)
    assert set(found) == {"/", "/data.md", "/vue.js", "/notes"}
    assert crawled.reasons == {"no page: .png": 1, "no page: application/zip": 1, "no page: text/css": 1}
    assert "/a.png" not in site.paths()


def test_a_site_that_links_to_itself_for_ever_is_left(site: Website) -> None:
    """Calendar, queries, sessions and folders without end, all at once."""

    def endless(path: str) -> Content | None:
        number = len(site.asked)
        if path.startswith("/deep"):
            return page("Deep", "deep/")
        if path.startswith("/list"):
            return page("List", f"/list?offset={number}", f"/list?offset={number + 1000}")
        return None

    site.otherwise = endless
    site.pages = {"/": page("Home", "/deep/", "/list", "/?utm_source=a", "/?PHPSESSID=1", "/#top")}
    found, crawled = crawl(site)
    assert len(found) < 120
    assert crawled.reasons["a trap: its folders repeat"] == 1
    assert crawled.reasons["a trap: one page with queries without end"] >= 1
    assert site.paths().count("/") == 1


def test_robots_txt_is_obeyed(site: Website) -> None:
    site.pages = {
        "/robots.txt": Reply(
            b"User-agent: *\nDisallow: /secret\nUser-agent: refdesk\nDisallow: /hidden\n", "text/plain"
        ),
        "/": page("Home", "/hidden/a", "/secret"),
        "/secret": page("For others"),
    }
    found, crawled = crawl(site)
    assert set(found) == {"/", "/secret"}
    assert crawled.reasons == {"robots.txt": 1}
    assert "/hidden/a" not in site.paths()
    assert site.asked[0].headers["user-agent"].startswith("refdesk/")


@pytest.mark.parametrize(
    ("robots", "why"),
    [
        pytest.param(Reply(b"User-agent: *\nDisallow: /\n", "text/plain"), "robots.txt of", id="forbids all"),
        pytest.param(failing(503), "answers 503, so nothing may be fetched", id="cannot be read"),
        pytest.param(Reply(b"x" * 100, cut=1), "cannot be read (ResponseDataLossError)", id="broken"),
    ],
)
def test_robots_txt_that_forbids_all_is_a_clear_error(site: Website, robots: Reply, why: str) -> None:
    site.pages = {"/robots.txt": robots, "/": page("Home")}
    with pytest.raises(NetworkUnavailable) as caught:
        crawl(site)
    assert why in caught.value.message
    assert why in ScrapyFetcher(LIMITS).fetch(site.url, private_hosts=LOCAL).error
    assert site.paths() == []


@pytest.mark.parametrize(
    "robots",
    [
        pytest.param(failing(404), id="not there"),
        pytest.param(failing(403), id="forbidden itself"),
        pytest.param(Reply(b"<html>Disallow: /</html>"), id="a page"),
        pytest.param(moved("/robots.txt"), id="a circle"),
        pytest.param(moved("/real-robots.txt"), id="moved"),
    ],
)
def test_robots_txt_that_says_nothing_forbids_nothing(site: Website, robots: Reply) -> None:
    site.pages = {"/robots.txt": robots, "/": page("Home"), "/real-robots.txt": Reply(b"", "text/plain")}
    assert crawl(site)[0]["/"].status == 200


def test_what_pages_ask_of_robots_is_heard(site: Website) -> None:
    site.pages = {
        "/": page("Home", "/shy", "/closed", "/header", body='<a rel="nofollow" href="/ad">ad</a>'),
        "/shy": page("Shy", "/next", head='<meta name="robots" content="noindex">'),
        "/closed": page("Closed", "/inner", head='<meta name="ROBOTS" content="nofollow">'),
        "/header": Reply(page("Header").encode(), headers={"X-Robots-Tag": "noindex"}),
        "/next": page("Next"),
    }
    found, crawled = crawl(site)
    assert {path for path, one in found.items() if one.noindex} == {"/shy", "/header"}
    assert set(found) == {"/", "/shy", "/closed", "/header", "/next"}
    assert crawled.reasons == {"the page asks not to follow its links": 1}


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_private_addresses_are_refused_where_the_connection_is_made(site: Website, name: str) -> None:
    """The name is resolved first; that another name of the same machine is allowed does not help."""
    site.pages = {"/": page("Home")}
    url = f"http://{name}:{site.port}/"
    found = ScrapyFetcher(LIMITS).fetch(url, private_hosts=("docs.example.org",))
    assert found.status == 0
    assert "private network" in found.error
    assert not site.asked


def test_a_private_host_that_is_named_is_allowed(site: Website) -> None:
    site.pages = {"/": page("Home")}
    for allowed in (("localhost",), ("*",)):
        assert ScrapyFetcher(LIMITS).fetch(site.elsewhere, private_hosts=allowed).status == 200


def test_a_redirect_to_a_private_address_is_refused_on_a_later_hop(site: Website) -> None:
    site.pages = {"/": moved("/2"), "/2": moved(f"http://localhost:{site.port}/3"), "/3": page("Inside")}
    found = ScrapyFetcher(LIMITS).fetch(site.url, private_hosts=LOCAL)
    assert "another host" in found.error
    assert "/3" not in site.paths()


def test_pages_keep_their_bytes_and_charset_whatever_it_is(site: Website) -> None:
    text = '<p>gr\u00f6\u00dfer <a href="/z\u00fcge">Z\u00fcge</a>'
    site.pages = {"/": Reply(text.encode("latin-1"), "text/html; charset=ISO-8859-1"), "/z%C3%BCge": page("Z")}
    found, _ = crawl(site)
    assert found["/"].body == text.encode("latin-1")
    assert found["/"].content_type == "text/html; charset=ISO-8859-1"
    assert found["/z%C3%BCge"].status == 200


def test_compressed_pages_are_delivered_as_they_are_meant(site: Website) -> None:
    body = page("Home", "/a").encode()
    site.pages = {
        "/": Reply(gzip.compress(body), headers={"Content-Encoding": "gzip"}),
        "/a": Reply(b"x", headers={"Content-Encoding": "gzip"}),
    }
    found, _ = crawl(site)
    assert found["/"].body == body
    assert found["/"].links == (site.url + "a",)


def test_a_twin_in_markdown_is_told_and_fetched(site: Website) -> None:
    site.pages = {
        "/": page("Home", head='<link rel="alternate" type="text/markdown" href="/index.md">'),
        "/index.md": Reply(b"# Home\n", "text/markdown"),
    }
    found, _ = crawl(site)
    assert found["/"].twin == site.url + "index.md"
    assert found["/index.md"].body == b"# Home\n"


def test_a_crawl_delay_is_kept_to(site: Website) -> None:
    site.pages = {
        "/robots.txt": Reply(b"User-agent: *\nCrawl-delay: 0.01\n", "text/plain"),
        "/": page("Home", "/next"),
        "/next": page("Next"),
    }
    found, _ = crawl(site)
    assert set(found) == {"/", "/next"}
