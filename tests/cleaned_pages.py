"""A page of HTML and what cleaning leaves of it."""

from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning import Cleaned, clean, learn
from refdesk.ingest.html.tree import Document, read_document

PROSE = "<p>The scheduler takes a task from the queue and gives it to the first worker that is free.</p>"
"""A sentence that is content wherever it stands."""

SAID = "The scheduler takes a task from the queue and gives it to the first worker that is free."
SPHINX = '<script id="documentation_options" src="_static/documentation_options.js"></script>'


def page(body: str, head: str = "<title>Workers</title>") -> Document:
    return read_document(f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>".encode())


def kept(cleaned: Cleaned) -> str:
    """What is left, with white space collapsed."""
    words: list[str] = []

    def read(element: HtmlElement) -> None:
        if element in cleaned.skip or not isinstance(element.tag, str) or element.tag in ("script", "style"):
            return
        words.append(element.text or "")
        for child in element:
            read(child)
            words.append(child.tail or "")

    read(cleaned.content)
    return " ".join(" ".join(words).split())


def cleaned_alone(body: str, head: str = "<title>Workers</title>") -> str:
    document = page(body, head)
    return kept(clean(document, learn([document])))
