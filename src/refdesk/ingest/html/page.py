"""One page of HTML to all that is made of it: clean, render, name, count."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from refdesk.domain.entries import ContentType, Fidelity, Page, PageEntries, Problem
from refdesk.domain.markdown import Block, blocks, outline
from refdesk.ingest.html.cleaning import Cleaned, SiteProfile, clean
from refdesk.ingest.html.fidelity import receipt
from refdesk.ingest.html.heads.finder import finder_for
from refdesk.ingest.html.heads.inventory import Inventory
from refdesk.ingest.html.heads.symbols import PageRef, symbols_of
from refdesk.ingest.html.refusals import refusal
from refdesk.ingest.html.rendering import RenderOptions, render
from refdesk.ingest.html.tree import Document, read_document
from refdesk.ingest.markdown.content_types import page_type

CONVERTER = "html-1"
"""Changes whenever the same bytes would become another page; part of each page's `maker`."""

_REFERENCE = 3
"""Declarations from which on a page that nothing else speaks for is one of reference."""

_SITE = re.compile(r"\s+(?:[|·—–»:]+|::|-)\s+|\s*[—–|»]\s*")
"""What parts the title of a page from the name of its site."""


@dataclass(frozen=True, slots=True)
class Served:
    """One page as it came.

    Attributes:
        path: Unique in the release; becomes the page's.
        url: Where it was served; empty for a file.
        content_type: As served; empty for a file.
    """

    path: str
    data: bytes
    url: str = ""
    content_type: str = ""


def convert(
    served: Served, profile: SiteProfile, inventory: Inventory | None = None, *, visible: bool = False
) -> PageEntries:
    """Make a page of bytes.

    Args:
        served: The page.
        profile: What was learnt of its site; of the page alone where there is no site.
        inventory: What its site says it documents; None if it says nothing.
        visible: Whether what only stands in attributes or is never shown (texts of images, hidden lines of samples) is
            left out. Panels of tabs and folded parts stay: a reader can open them.

    Raises:
        SourceRejected: It is no HTML, holds no text, or is an error page, a redirect, or built by scripts.
    """
    document = read_document(served.data, served.url, served.content_type)
    cleaned = clean(document, profile)
    heads = finder_for(profile.generator, document, inventory, served.path)
    skip = cleaned.skip | heads.absorbed
    options = RenderOptions(document.base, skip, heads, visible=visible)
    rendered = render(cleaned.content, options)
    scanned = blocks(rendered.markdown)
    counted = receipt(cleaned.content, skip, rendered.markdown, scanned)
    heading = _heading(rendered.markdown, scanned)
    refused = refusal(document, counted.after.words, heading, counted.after.code)
    if refused is not None:
        raise refused
    title = heading or _without_site(document.title) or served.path
    said = symbols_of(rendered.entries, PageRef(served.path, served.url, title), options)
    return PageEntries(
        page=Page(
            path=served.path,
            title=title,
            markdown=rendered.markdown,
            content_type=_content_type(served.path, title, rendered.markdown, len(said.symbols)),
            url=served.url,
            language=document.language or "en",
        ),
        fidelity=Fidelity(
            path=served.path,
            sha256=hashlib.sha256(served.data).hexdigest(),
            maker=maker(profile, inventory),
            generator=profile.generator,
            before=counted.before,
            after=counted.after,
            removed=cleaned.removed,
            undone=cleaned.undone,
        ),
        symbols=said.symbols,
        relations=said.relations,
        problems=(*_problems(served.path, document, cleaned, counted.loss), *said.problems),
    )


def maker(profile: SiteProfile, inventory: Inventory | None = None) -> str:
    """What makes pages: the same bytes and the same maker give the same page."""
    known = "" if inventory is None else hashlib.sha256(repr(inventory.items).encode()).hexdigest()[:12]
    return "+".join(filter(None, [CONVERTER, profile.id, known]))


def _heading(markdown: str, scanned: tuple[Block, ...]) -> str:
    """The text of the first heading of the highest rank, if nothing of a lower rank stands before it; else empty."""
    headings = [block for block in scanned if block.kind == "heading"]
    if not headings:
        return ""
    top = min(headings, key=lambda block: block.level)
    return outline(markdown, (top,))[0].text if top.level == 1 or top is headings[0] else ""


def _without_site(title: str) -> str:
    """`Models — Django 5 documentation` → `Models`; what is all of it stays."""
    return _SITE.split(title, maxsplit=1)[0].strip() or title


def _content_type(path: str, title: str, markdown: str, declarations: int) -> ContentType:
    found = page_type(path, title, markdown)
    return "api_reference" if found == "concept" and declarations >= _REFERENCE else found


def _problems(path: str, document: Document, cleaned: Cleaned, loss: str) -> Iterator[Problem]:
    for message in (
        document.doubt,
        f"lost in conversion: {loss}" if loss else "",
        f"cleaning would have taken too much, undone: {', '.join(cleaned.undone)}" if cleaned.undone else "",
    ):
        if message:
            yield Problem(path, message)
