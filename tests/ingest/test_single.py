"""One document by itself becomes what it would become in an index."""

import pytest

from refdesk.domain.errors import SourceRejected
from refdesk.ingest.single import ingest_document

PAGE = b"<!doctype html><title>Cart</title><main><h1>Cart</h1><p>Push the cart with both hands.</p></main>"
FOLDED = (
    b"<main><h1>Cart</h1><p>Push it with both hands.</p>"
    b"<details><summary>More</summary><p>Hidden words.</p></details></main>"
)


@pytest.mark.parametrize(
    ("name", "data", "content_type"),
    [
        pytest.param("a.html", PAGE, "", id="by-its-name"),
        pytest.param("a", PAGE, "", id="by-its-bytes"),
        pytest.param(
            "a.txt", b"<?xml version='1.0'?>\n<!-- x -->\n<HTML>" + PAGE[15:], "", id="by-its-bytes-after-more"
        ),
        pytest.param("a.md", PAGE, "text/html; charset=utf-8", id="as-served"),
    ],
)
def test_html_is_known_by_how_it_was_served_its_name_or_its_bytes(name: str, data: bytes, content_type: str) -> None:
    made = ingest_document(name, data, url="https://cart.example/a" if content_type else "", content_type=content_type)
    assert made.pages[0].markdown.split("\n\n") == ["# Cart", "Push the cart with both hands."]
    assert [one.path for one in made.fidelity] == [name]
    assert made.chunks


@pytest.mark.parametrize(
    ("name", "data", "content_type", "path"),
    [
        pytest.param("a.md", b"# Cart\n\nPush it.\n", "", "a.md", id="markdown"),
        pytest.param("a", b"# Cart\n\nPush it.\n", "text/markdown", "a.md", id="markdown-as-served"),
        pytest.param("a.mdx", b"# Cart\n\nPush it.\n", "text/markdown", "a.mdx", id="markdown-with-its-name"),
        pytest.param("a.rst", b"Cart\n====\n\nPush it.\n", "text/plain", "a.rst", id="restructured-text"),
    ],
)
def test_text_keeps_its_format_and_has_no_receipt(name: str, data: bytes, content_type: str, path: str) -> None:
    made = ingest_document(name, data, url="https://cart.example/a", content_type=content_type)
    (page,) = made.pages
    assert (page.path, page.url, page.markdown) == (path, "https://cart.example/a", "# Cart\n\nPush it.\n")
    assert made.fidelity == ()


def test_what_no_reader_can_see_may_be_left_out() -> None:
    page = FOLDED.replace(b"Hidden words.", b"Hidden words.<img alt='A lever'>")
    assert "A lever" in ingest_document("a.html", page).pages[0].markdown
    shown = ingest_document("a.html", page, visible=True).pages[0].markdown
    assert "A lever" not in shown
    assert "Hidden words." in shown  # they can be unfolded


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_a_document_without_text_is_rejected(name: str) -> None:
    with pytest.raises(SourceRejected):
        ingest_document(name, b" \n")
