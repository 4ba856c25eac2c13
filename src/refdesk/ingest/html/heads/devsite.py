"""Reference pages of one API each, as TensorFlow's: a title, a signature, and methods below headings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.page import HEADINGS, Heads, Subject, has_class, heading_level
from refdesk.ingest.html.heads.signatures import code_text
from refdesk.ingest.html.tree import elements, text_of

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+|tf")
_FIELDS = re.compile(r"(?:Args|Arguments|Returns|Yields|Raises|Input shape|Output shape)\b", re.IGNORECASE)


def is_devsite(root: HtmlElement) -> bool:
    """Whether a page is one of these."""
    return any(has_class(title, "devsite-page-title") for title in root.iter("h1"))


def find_devsite(subject: Subject) -> Heads:
    """The API of a page and its methods."""
    title = next((one for one in subject.root.iter("h1") if has_class(one, "devsite-page-title")), None)
    name = re.sub(r"^Module:\s*", "", text_of(title)) if title is not None else ""
    if title is None or not _NAME.fullmatch(name):
        return Heads()
    found: dict[HtmlElement, Sequence[Head]] = {title: (_item(title, name),)}
    for heading in subject.root.iter("h3"):
        code = heading[0] if len(heading) == 1 and heading[0].tag == "code" else None
        if code is not None and heading.get("id") and not (heading.text or "").strip():
            found[heading] = (_method(heading, f"{name}.{text_of(code)}", name),)
    if len(found) > 1:
        found[title] = (replace(found[title][0], kind="class"),)
    declaring = (
        one
        for heading, heads in found.items()
        for one in _following(heading)
        if one.tag == "pre" and one not in heads[0].after
    )
    return Heads(found, frozenset(declaring))


def _item(title: HtmlElement, name: str) -> Head:
    last = name.rpartition(".")[2]
    kind: SymbolKind = "class" if last[:1].isupper() and ".raw_ops." not in name else "function"
    if text_of(title).startswith("Module:"):
        kind = "module"
    head = _below(title, Head(name, kind, title.get("id") or "", (), "python", text_of(title), by_heading=True))
    aliases = (
        text_of(one)
        for element in _following(title)
        if has_class(element, "expandable")
        for one in element.iter("code")
    )
    return replace(head, names=tuple(one for one in dict.fromkeys(aliases) if _NAME.fullmatch(one)))


def _method(heading: HtmlElement, name: str, owner: str) -> Head:
    title = f"{owner.rpartition('.')[2]}.{name.rpartition('.')[2]}()"
    return _below(heading, Head(name, "method", heading.get("id") or "", (), "python", title, by_heading=True))


def _below(heading: HtmlElement, head: Head) -> Head:
    after = tuple(_following(heading))
    block = next((one for one in after if one.tag == "pre"), None)
    declares = block is not None and (has_class(block, "tfo-signature-link") or _calls(block, head.name))
    signatures = (code_text(block),) if block is not None and declares else ()
    fields = tuple(one for one in after if one.tag == "table" and _is_fields(one))
    told = tuple(one for one in after if not has_class(one, "expandable") and (one is not block or not declares))
    kind = "attribute" if head.kind == "function" and not signatures else head.kind
    return replace(head, signatures=signatures, after=told, fields=fields, kind=kind)


def _calls(block: HtmlElement, name: str) -> bool:
    return code_text(block).removeprefix("@classmethod\n").startswith(f"{name.rpartition('.')[2]}(")


def _following(heading: HtmlElement) -> Iterator[HtmlElement]:
    for one in heading.itersiblings():
        if one.tag in HEADINGS and (
            heading_level(one) <= max(heading_level(heading), 2) or one.find("code") is not None
        ):
            return
        if (
            isinstance(one.tag, str)
            and not has_class(one, "tfo-notebook-buttons")
            and not has_class(one, "_attribution")
        ):
            yield one


def _is_fields(table: HtmlElement) -> bool:
    title = next((cell for row in table.iter("tr") for cell in elements(row)), None)
    return title is not None and title.tag == "th" and _FIELDS.match(text_of(title)) is not None
