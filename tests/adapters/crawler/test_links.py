"""Links, twins and wishes of a page; records of the pipe; types that are pages."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.adapters.crawler.frontier import Frontier, kind_of
from refdesk.adapters.crawler.links import PageLinks, links_of
from refdesk.adapters.crawler.records import page_of, page_record, read_record, write_record
from refdesk.domain.urls import Scope
from refdesk.ports.fetcher import Fetched

URL = "https://docs.example.org/en/guide/"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param('<a href="a">x</a><a href="../b#c">y</a><a href="a">again</a>', ("guide/a", "b"), id="relative"),
        pytest.param('<a href="#part">x</a><a href="">y</a><a>z</a><a href="./">self</a>', (), id="the page itself"),
        pytest.param('<a href="?page=2">x</a>', ("guide/?page=2",), id="a query alone"),
        pytest.param('<base href="/en/"><a href="a">x</a>', ("a",), id="base"),
        pytest.param('<base href="::"><a href="a">x</a>', ("guide/a",), id="a broken base"),
        pytest.param('<a rel="external nofollow" href="a">x</a><a download href="b.zip">y</a>', (), id="not to follow"),
        pytest.param('<map><area href="a"></map>', ("guide/a",), id="areas of pictures"),
        pytest.param('<p><a href="a">x<div><a href="b">', ("guide/a", "guide/b"), id="broken"),
        pytest.param('<!-- <a href="a"> --><a href="javascript:x()">y</a>', (), id="comments and scripts"),
    ],
)
def test_links_are_read_where_they_stand(html: str, expected: tuple[str, ...]) -> None:
    urls = links_of(html.encode(), URL).urls
    assert urls == tuple(f"https://docs.example.org/en/{path}" for path in expected)


def test_a_page_names_its_twin_and_what_it_asks() -> None:
    head = (
        '<link rel="stylesheet" href="a.css"><link rel="alternate" type="text/markdown; charset=utf-8" href="index.md">'
        '<link rel="alternate" type="application/rss+xml" href="feed"><meta name="robots" content="NOINDEX,follow">'
    )
    assert links_of(head.encode(), URL) == PageLinks((), URL + "index.md", noindex=True)
    assert links_of(b"<p>", URL, robots_header="none") == PageLinks(noindex=True, nofollow=True)


@pytest.mark.parametrize("body", [b"", b"   ", b"\0", b"<!-- -->", b"\xff\xfe"])
def test_a_page_without_an_element_has_no_links(body: bytes) -> None:
    assert links_of(body, URL, robots_header="noindex").urls == ()


@pytest.mark.parametrize("charset", ["latin-1", "ISO-8859-1", "no-such-charset", "utf-8"])
def test_a_charset_decides_how_addresses_are_read(charset: str) -> None:
    known = "utf-8" if charset.startswith(("no", "utf")) else "latin-1"
    body = '<html><meta charset="utf-8"><a href="z\u00fcge">x</a></html>'.encode(known)
    assert links_of(body, URL, f"text/html; charset={charset}").urls == (URL + "z%C3%BCge",)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reading_of_links(body: bytes) -> None:
    assert isinstance(links_of(b"<html><body>" + body, URL), PageLinks)


@pytest.mark.parametrize(
    ("content_type", "url", "kind"),
    [
        ("text/html; charset=utf-8", URL, "html"),
        ("application/xhtml+xml", URL, "html"),
        ("text/markdown", URL, "text"),
        ("text/plain", URL, "text"),
        ("application/json", URL, "text"),
        ("application/ld+json", URL, "text"),
        ("image/svg+xml", URL, ""),
        ("text/css", URL, ""),
        ("application/javascript", URL, ""),
        ("text/javascript", URL, ""),
        ("application/pdf", URL, ""),
        ("application/octet-stream", URL + "objects.inv", "text"),
        ("application/octet-stream", URL + "a.bin", ""),
        ("", URL, "text"),
        ("", URL + "a.md", "text"),
        ("", URL + "a.bin", ""),
    ],
)
def test_types_say_what_is_a_page(content_type: str, url: str, kind: str) -> None:
    assert kind_of(content_type, url) == kind


def test_a_frontier_follows_what_was_done_without_asking_for_it() -> None:
    known = {URL: ("", "", (URL + "a", URL + "b")), URL + "a": ("", "", (URL + "c", URL))}
    frontier = Frontier(Scope(URL), known, frozenset([URL, URL + "a"]), 10)
    frontier.start([URL, URL])
    assert [frontier.next() for _ in range(3)] == [URL + "c", URL + "b", None]
    assert frontier.admitted == 4
    frontier.follow_known("https://docs.example.org/none")
    frontier.follow_known(URL)
    assert len(frontier) == 0


def test_records_survive_the_pipe() -> None:
    page = Fetched(URL, URL + "a", 200, "text/html", '"1"', "", b"\0body", (URL + "b",), URL + "c", noindex=True)
    pipe = io.BytesIO()
    write_record(pipe, page_record(page, 7), page.body)
    write_record(pipe, page_record(Fetched(URL, URL, 304), 8))
    whole = pipe.getvalue()
    pipe.seek(0)
    first, second = read_record(pipe), read_record(pipe)
    assert first is not None
    assert second is not None
    assert (page_of(*first), first[0]["of"]) == (page, 7)
    assert page_of(*second) == Fetched(URL, URL, 304)
    assert read_record(pipe) is None
    for cut in range(len(whole)):
        half = io.BytesIO(whole[:cut])
        while read_record(half) is not None:
            assert half.tell() <= cut
