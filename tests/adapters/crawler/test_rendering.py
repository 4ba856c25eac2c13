"""Pages that scripts build, in a real Chromium. Skipped where there is none."""

import asyncio
from collections.abc import Iterator

import pytest

from fakes.website import Reply, Website, page
from refdesk.adapters.crawler import Limits, ScrapyFetcher
from refdesk.adapters.crawler.browser import Browser, find_chromium
from refdesk.domain.urls import Scope
from refdesk.ports.fetcher import CrawlOrder, Fetched
from refdesk.ports.progress import silent

pytestmark = [
    pytest.mark.skipif(not find_chromium(), reason="no Chromium is installed: apt-get install chromium"),
    pytest.mark.slow,
]

LOCAL = ("127.0.0.1",)
SCRIPT = """
fetch('/data.json').then(answer => answer.json()).then(data => {
  document.querySelector('main').innerHTML = '<h1>' + data.title + '</h1><a href="/next">next</a>';
});
fetch('http://localhost:PORT/inside').then(() => { document.title = 'reached'; }).catch(() => {});
const frame = document.createElement('iframe');
frame.src = 'http://localhost:PORT/inside';
document.body.append(frame);
"""


@pytest.fixture
def site() -> Iterator[Website]:
    with Website().serving() as site:
        yield site


def test_a_page_is_read_as_its_scripts_build_it_and_nothing_private_is_reached(site: Website) -> None:
    site.pages = {
        "/": page("Shell", head='<script defer src="/app.js"></script>'),
        "/app.js": Reply(SCRIPT.replace("PORT", str(site.port)).encode(), "text/javascript"),
        "/data.json": Reply(b'{"title": "Built by a script"}', "application/json"),
        "/next": page("Next"),
        "/inside": page("Inside"),
    }
    found: list[Fetched] = []
    order = CrawlOrder((site.url,), Scope(site.url), render=True, private_hosts=LOCAL)
    ScrapyFetcher(Limits(timeout=20)).crawl(order, found.append, silent)
    home = found[0]
    assert home.rendered
    assert b"<h1>Built by a script</h1>" in home.body
    assert b"<title>Shell</title>" in home.body
    assert [one.url for one in found] == [site.url, site.url + "next"]
    assert "/inside" not in site.paths()
    # the page itself is fetched once, by the crawler
    assert site.paths().count("/") == 1


def test_a_page_that_never_becomes_quiet_is_read_as_it_is_by_then(site: Website) -> None:
    site.pages = {
        "/": page("Busy", head="<script>setInterval(() => fetch('/tick?' + Math.random()), 50)</script>"),
    }
    found = ScrapyFetcher(Limits(timeout=20)).fetch(site.url, render=True, private_hosts=LOCAL)
    assert found.rendered
    assert b"<h1>Busy</h1>" in found.body


def test_a_browser_that_breaks_while_it_closes_loses_no_crawl(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        async def close(self) -> None:
            raise RuntimeError("connection closed")

    browser = Browser("", (), 1)
    browser._chromium = Broken()  # type: ignore[assignment]  # the one method that closing asks for
    asyncio.run(browser.close())
    asyncio.run(browser.close())
    assert [one.message for one in caplog.records] == ["the browser did not close"]
