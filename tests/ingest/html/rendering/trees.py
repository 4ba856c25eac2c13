"""Small pages for the tests of rendering."""

from typing import Any

from lxml import html
from lxml.html import HtmlElement

from refdesk.ingest.html.rendering import Rendered, RenderOptions, render

BASE = "https://docs.example/guide/page.html"


def body(source: str) -> HtmlElement:
    """The body of a page that holds this source."""
    found = html.document_fromstring(f"<html><body>{source}</body></html>").find("body")
    assert found is not None
    return found


def rendered(source: str, **options: Any) -> Rendered:
    """What becomes of the source."""
    return render(body(source), RenderOptions(**options))


def markdown(source: str, **options: Any) -> str:
    """The Markdown that becomes of the source."""
    return rendered(source, **options).markdown
