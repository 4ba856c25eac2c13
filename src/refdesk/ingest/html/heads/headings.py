"""Headings that an inventory names: pages without declarations, as MkDocs writes them for people."""

import re
from collections.abc import Sequence

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.inventory import is_page
from refdesk.ingest.html.heads.page import Heads, Subject, following
from refdesk.ingest.html.heads.signatures import signature_text

_NAME = re.compile(r"[A-Za-z_@][\w.]*")


def find_headings(subject: Subject) -> Heads:
    """Headings whose text is the name that the inventory has for their anchor."""
    anchors = subject.inventory.anchors
    found: dict[HtmlElement, Sequence[Head]] = {}
    for heading in subject.root.iter("h2", "h3", "h4"):
        for item in anchors.get(heading.get("id") or "", ()) if heading.get("id") else ():
            text = signature_text(heading).rstrip("¶# ")
            if is_page(item.uri, subject.page) and _NAME.fullmatch(item.name) and text.startswith(item.name):
                found[heading] = (_head(heading, item.name, item.role, text),)
                break
    return Heads({one: (_told(one, heads[0], found),) for one, heads in found.items()})


def _head(heading: HtmlElement, name: str, role: str, text: str) -> Head:
    kind: SymbolKind = "class" if name[:1].isupper() else "attribute"
    if "setting" in role.lower():
        kind = "setting"
    elif "(" in text:
        kind = "function"
    return Head(name, kind, heading.get("id") or "", (text,) if "(" in text else (), "", text, by_heading=True)


def _told(heading: HtmlElement, head: Head, declaring: dict[HtmlElement, Sequence[Head]]) -> Head:
    return Head(
        head.name, head.kind, head.anchor, head.signatures, title=head.title, by_heading=True,
        after=following(heading, declaring),
    )  # fmt: skip
