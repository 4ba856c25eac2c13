"""A page of HTML as a tree: bytes in any encoding, broken or huge markup, in bounded time and memory.

libxml2 reads the markup and repairs it. What it does not bound is bounded here: elements that are nested deeper than
`DEEPEST` are dissolved, their text stays, so that whatever walks the tree may recurse.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import urljoin

from lxml import etree, html
from lxml.html import HtmlElement

from refdesk.domain.errors import SourceRejected
from refdesk.ingest.html.encodings import decode_page

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest page that is read."""

DEEPEST = 150
"""Elements around each other; the pages of no generator come near it, and Python recurses 1,000 calls deep."""

_MOST_PARSED = 1_900
"""Elements around each other before the parser gives up, which is at 2,048."""

_ELEMENT = re.compile(
    r"<(?:!doctype\s+html|(?:html|head|body|title|div|p|h[1-6]|article|section|main|table|[uod]l|pre|span|a|br|frameset"
    r"|blockquote|strong|em|code|img|hr|li|script|meta|link|nav|header|b|i|font|center)[\s/>])",
    re.IGNORECASE,
)
_XML = re.compile(
    r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?P<root>[A-Za-z][\w:.-]*)", re.DOTALL
)
_FEEDS = frozenset({"urlset", "sitemapindex", "rss", "feed", "rdf:rdf", "svg", "opml", "plist", "project"})
_BINARY = (b"%PDF-", b"\x89PNG", b"GIF8", b"PK\x03\x04", b"\x1f\x8b", b"\xff\xd8\xff", b"RIFF", b"\x7fELF", b"wOF")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_SPECIAL = re.compile(r"<(template|noscript|base)\b", re.IGNORECASE)
"""Looked for in the text first: most pages have none, and a walk over the tree costs more."""

_CLOSED_BY_OTHERS = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    "p", "li", "dt", "dd", "tr", "td", "th", "option", "colgroup",
})  # fmt: skip
_NO_HTML = "Leave it out, or name the address of the page that holds the text."


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

    `<template>`, which browsers do not show, is taken out; `<noscript>` too, unless it holds most of the page.

    Raises:
        SourceRejected: No HTML, or larger than `LARGEST`.
    """
    if len(data) > LARGEST:
        raise SourceRejected(f"The page has {len(data):,} bytes; at most {LARGEST:,} are read.", _NO_HTML)
    if data.startswith(_BINARY):
        raise SourceRejected("It is no HTML but a binary file.", _NO_HTML)
    text, doubt = decode_page(data, content_type)
    _require_html(text)
    root, nested = _parse(text)
    special = {match[1].lower() for match in _SPECIAL.finditer(text)}
    if special & {"template", "noscript"}:
        _drop_unseen(root)
    return Document(
        root=root,
        url=url,
        base=_base(root, url) if "base" in special else url,
        title=" ".join((root.findtext(".//title") or "").split()),
        language=_language(root),
        doubt="; ".join(filter(None, [doubt, nested])),
    )


def classes(element: HtmlElement) -> list[str]:
    """The class names of an element, in order."""
    return (element.get("class") or "").split()


def text_of(element: HtmlElement) -> str:
    """All text below an element, white space collapsed."""
    return " ".join("".join(element.itertext()).split())


def elements(element: HtmlElement) -> Iterator[HtmlElement]:
    """The child elements, without comments and processing instructions."""
    return (child for child in element if isinstance(child.tag, str))


def _require_html(text: str) -> None:
    """Refuse what only a server or an ending calls HTML.

    Raises:
        SourceRejected: Nothing to read, XML of another kind, or a text without any element.
    """
    if not text.strip():
        raise SourceRejected("It is empty.", _NO_HTML)
    first = _XML.match(text[:20_000])
    if first is not None and first["root"].lower() in _FEEDS:
        raise SourceRejected(f"It is no HTML but XML: <{first['root']}>.", _NO_HTML)
    if _ELEMENT.search(text) is None:
        raise SourceRejected("It is no HTML: it has no element.", _NO_HTML)


def _parse(text: str) -> tuple[HtmlElement, str]:
    """The `html` element of a text, and what is doubtful about its nesting.

    Raises:
        SourceRejected: The parser finds no element in it.
    """
    root = _tree(text)
    if not _beyond(DEEPEST)(root):
        return root, ""
    if _beyond(_MOST_PARSED)(root):  # the parser may have stopped there, with the rest of the page unread
        root = _tree(_flattened(text))
    for element in _at(DEEPEST, root):
        etree.strip_tags(element, "*")
    return root, f"elements nested deeper than {DEEPEST} were dissolved"


def _tree(text: str) -> HtmlElement:
    try:
        # Bytes: a text that declares its encoding, as XHTML does, is refused.
        root: HtmlElement = html.document_fromstring(text.encode("utf-8", "replace"), parser=_parser())
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise SourceRejected("It is no HTML: it has no element.", _NO_HTML) from error
    return root


@cache
def _parser() -> etree.HTMLParser:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    # lxml.html would ask Python for the class of each element by its tag; here all have one, which costs nothing.
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=HtmlElement))
    return parser


def _flattened(text: str) -> str:
    """A text without the tags of elements that are nested too deep."""
    depth = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        if match["name"].lower() in _CLOSED_BY_OTHERS or match[0].endswith("/>"):
            return match[0]
        if match["end"]:
            depth = max(0, depth - 1)
            return match[0] if depth < DEEPEST else ""
        depth += 1
        return match[0] if depth <= DEEPEST else ""

    return _TAG.sub(keep, text)


@cache
def _beyond(depth: int) -> etree.XPath:
    return etree.XPath(f"boolean({'/*' * depth})")


def _at(depth: int, root: HtmlElement) -> list[HtmlElement]:
    found: list[HtmlElement] = etree.XPath("/*" * depth)(root)  # type: ignore[assignment]  # a path gives elements
    return found


def _drop_unseen(root: HtmlElement) -> None:
    etree.strip_elements(root, "template", with_tail=False)
    spare = root.findall(".//noscript")
    if spare:
        inside = sum(len(text_of(one)) for one in spare)
        if inside * 2 < len(text_of(root)):
            etree.strip_elements(root, "noscript", with_tail=False)


def _base(root: HtmlElement, url: str) -> str:
    element = root.find(".//base[@href]")
    if element is None:
        return url
    try:
        return str(urljoin(url, (element.get("href") or "").strip()))
    except ValueError:  # brackets that hold no address
        return url


def _language(root: HtmlElement) -> str:
    stated: str = (
        root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang") or ""
    )
    if not stated:
        stated = root.xpath("string(//meta[translate(@http-equiv,'CL','cl')='content-language']/@content)")
    found = re.match(r"\s*([A-Za-z]{2})(?![A-Za-z])", stated)
    return str(found[1]).lower() if found else ""
