"""One document from a file or from the web."""

from collections.abc import Callable
from pathlib import Path

import pytest

from refdesk.adapters import documents
from refdesk.adapters.documents import WebAndFiles
from refdesk.domain.errors import InvalidInput, NetworkUnavailable, NotFound, SourceRejected
from refdesk.ports.documents import Document
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched
from refdesk.ports.progress import Progress

URL = "https://cart.example/guide/a%20b.html"


class OneAnswer:
    """A fetcher with one answer for everything."""

    def __init__(self, answer: Fetched) -> None:
        self.answer = answer
        self.asked: list[tuple[str, bool, tuple[str, ...]]] = []

    def fetch(self, url: str, *, render: bool = False, private_hosts: tuple[str, ...] = ()) -> Fetched:
        self.asked.append((url, render, private_hosts))
        return self.answer

    def crawl(self, order: CrawlOrder, deliver: Callable[[Fetched], None], progress: Progress) -> Crawled:
        raise AssertionError((order, deliver, progress))


def reading(answer: Fetched) -> tuple[WebAndFiles, OneAnswer]:
    fetcher = OneAnswer(answer)
    return WebAndFiles(fetcher, ("localhost",)), fetcher


@pytest.mark.parametrize(
    ("final_url", "name"),
    [(URL, "a b.html"), ("https://cart.example/guide/", "guide"), ("https://cart.example/", "index.html")],
)
def test_a_page_of_the_web(final_url: str, name: str) -> None:
    reader, fetcher = reading(Fetched(URL, final_url, 200, "text/html", body=b"<p>A", rendered=True))
    assert reader.read(URL, render=True) == Document(name, b"<p>A", final_url, "text/html")
    assert fetcher.asked == [(URL, True, ("localhost",))]


def test_a_page_that_could_not_be_rendered_is_not_passed_off_as_rendered() -> None:
    reader, _ = reading(Fetched(URL, URL, 200, "text/html", body=b"<p>A"))
    with pytest.raises(SourceRejected, match="could not render") as caught:
        reader.read(URL, render=True)
    assert caught.value.suggestion == f"See what it is without: refdesk extract {URL}"
    text, _ = reading(Fetched(URL, URL, 200, "text/markdown", body=b"# A"))
    assert text.read(URL, render=True).data == b"# A"


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_not_there(status: int) -> None:
    with pytest.raises(NotFound, match=str(status)) as caught:
        reading(Fetched(URL, URL, status))[0].read(URL)
    assert caught.value.suggestion


@pytest.mark.parametrize(
    ("answer", "says", "way"),
    [
        (Fetched(URL, URL, 503), "answers 503", "Try again"),
        (Fetched(URL, URL, 0, error="timed out"), "timed out", "Try again"),
        (Fetched(URL, URL, 0, error="x lies in a private network"), "private", "REFDESK_PRIVATE_HOSTS=cart.example "),
    ],
)
def test_a_server_that_does_not_answer(answer: Fetched, says: str, way: str) -> None:
    with pytest.raises(NetworkUnavailable, match=says) as caught:
        reading(answer)[0].read(URL.replace("https", "HTTPS"))
    assert way in caught.value.suggestion


def test_a_file_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, fetcher = reading(Fetched(URL, URL, 200))
    path = tmp_path / "a.html"
    path.write_bytes(b"<p>A")
    assert reader.read(str(path)) == Document("a.html", b"<p>A")
    with pytest.raises(InvalidInput, match="for pages that are fetched"):
        reader.read(str(path), render=True)
    with pytest.raises(NotFound):
        reader.read(str(tmp_path / "b.html"))
    with pytest.raises(InvalidInput, match="is a folder") as caught:
        reader.read(str(tmp_path))
    assert f"--path {tmp_path}" in caught.value.suggestion
    monkeypatch.setattr(documents, "LARGEST", 3)
    with pytest.raises(SourceRejected, match="more than the 3 bytes"):
        reader.read(str(path))
    assert fetcher.asked == []


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.symlink_to(path)  # a link to itself: opening it fails for root too
    with pytest.raises(SourceRejected, match="cannot be read"):
        reading(Fetched(URL, URL, 200))[0].read(str(path))


@pytest.mark.parametrize(
    "data", [b"\x7fELF\x02\x00\x00", b"%PDF-1.7 \n", b"PK\x03\x04", b"# Sphinx inventory version 2\n"]
)
def test_what_is_no_text_is_not_shown_as_one(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(data)
    with pytest.raises(SourceRejected, match="is no text") as caught:
        reading(Fetched(URL, URL, 200))[0].read(str(path))
    assert "refdesk extract FILE" in caught.value.suggestion


def test_wide_characters_are_text(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<p>text".encode("utf-16"))
    assert reading(Fetched(URL, URL, 200))[0].read(str(path)).data == path.read_bytes()


@pytest.mark.parametrize("location", ["ftp://docs.example.org/a", "-"])
def test_other_ways_to_name_a_page_are_told(location: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        reading(Fetched(URL, URL, 200))[0].read(location)
    assert "refdesk extract FILE" in caught.value.suggestion
