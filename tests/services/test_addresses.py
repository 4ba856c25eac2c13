"""Every form in which people write the address of a page."""

import pytest

from refdesk.domain.entries import ContentType, Page
from refdesk.services.addresses import Addresses


def page(path: str, url: str = "", content_type: ContentType = "concept") -> Page:
    return Page(path, path, "", content_type, url)


SITE = Addresses([
    page("index.html", "https://docs.example.org/en/"),
    page("guide/install.html", "https://docs.example.org/en/guide/install.html"),
    page("guide/use/index.html", "https://docs.example.org/en/guide/use/"),
    page("wiki", "https://docs.example.org/w?title=Wiki"),
    page("README.md", "https://home.example.org/"),
    page("METADATA", "https://home.example.org/", "metadata"),
    page("a/x.md"),
    page("b/x.md"),
])  # fmt: skip


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://docs.example.org/en/guide/install.html", "guide/install.html"),
        ("http://DOCS.example.org/en/guide/install.html?view=net#x", "guide/install.html"),
        ("https://docs.example.org/en/guide/install", "guide/install.html"),
        ("https://docs.example.org/en/guide/install/", "guide/install.html"),
        ("https://docs.example.org/en/guide/use", "guide/use/index.html"),
        ("https://docs.example.org/en/guide/use/index.html", "guide/use/index.html"),
        ("https://docs.example.org/en", "index.html"),
        ("https://docs.example.org/en/index.html", "index.html"),
        ("https://docs.example.org/w?title=Wiki", "wiki"),
        ("https://home.example.org", "README.md"),
    ],
)
def test_a_url_is_found_in_any_form(url: str, path: str) -> None:
    assert list(SITE.by_url(url)) == [path]


@pytest.mark.parametrize("url", ["https://other.example.org/en/", "https://docs.example.org/w", "http://[::1"])
def test_another_url_is_none_of_its_pages(url: str) -> None:
    assert list(SITE.by_url(url)) == []


@pytest.mark.parametrize(
    ("path", "paths"),
    [
        ("guide/install", ["guide/install.html"]),
        ("../guide/install.md", ["guide/install.html"]),
        ("/guide/use/", ["guide/use/index.html"]),
        ("x.md", ["a/x.md", "b/x.md"]),
        ("x", []),
        ("gone.md", []),
        ("", []),
    ],
)
def test_a_path_is_found_without_its_folders_and_ending(path: str, paths: list[str]) -> None:
    assert list(SITE.by_path(path)) == paths


def test_an_unknown_url_has_similar_pages() -> None:
    assert "guide/install.html" in SITE.similar("https://docs.example.org/guide/instal.html")


def test_an_index_page_is_like_pages_called_by_its_folder() -> None:
    for url in ("https://docs.example.org/en/guide/instal/index.html", "https://docs.example.org/en/v2/instal/"):
        assert SITE.similar(url)[0] == "guide/install.html"
    assert SITE.similar("https://docs.example.org/zzzzzz/qqqq") == []
