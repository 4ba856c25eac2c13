"""mkdocstrings: `div.doc-object` with a heading, labels, and contents that hold further objects."""

import re
from collections.abc import Iterator, Mapping, Sequence

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.page import HEADINGS, Heads, Subject, first, has_class
from refdesk.ingest.html.heads.signatures import code_text, copyable
from refdesk.ingest.html.tree import elements, text_of

_KINDS: Mapping[str, SymbolKind] = {
    "doc-class": "class", "doc-function": "function", "doc-method": "method", "doc-attribute": "attribute",
    "doc-module": "module", "doc-property": "property", "doc-type_alias": "type", "doc-type-alias": "type",
}  # fmt: skip
_FIELDS = re.compile(
    r"(?:(?:Other |Keyword |Type )?(?:Parameters?|Arguments?|Args)|Returns?|Yields?|Receives|Raises|Warns)[:：]?",
    re.IGNORECASE,
)


def find_mkdocstrings(subject: Subject) -> Heads:
    """The documented objects of a page."""
    found: dict[HtmlElement, Sequence[Head]] = {}
    kinds: dict[HtmlElement, Head] = {}
    for div in subject.root.iter("div"):
        if has_class(div, "doc-object"):
            head = _head(div, _above(div, kinds))
            if head is not None:
                kinds[div] = head
                found[div] = (head,)
    if not found:
        return Heads()
    return Heads(found, frozenset(one for one in subject.root.iter("details") if _is_source(one)))


def _above(div: HtmlElement, known: Mapping[HtmlElement, Head]) -> Head | None:
    above = div.getparent() if known else None
    while above is not None and above not in known:
        above = above.getparent()
    return known[above] if above is not None else None


def _head(div: HtmlElement, owner: Head | None) -> Head | None:
    heading = next((one for one in elements(div) if one.tag in HEADINGS), None)
    contents = [one for one in elements(div) if has_class(one, "doc-contents")]
    if heading is None:
        return None
    anchor = heading.get("id") or ""
    labels = {text_of(one) for one in heading.iter("small") if has_class(one, "doc-label")}
    kind: SymbolKind = next((_KINDS[name] for name in (div.get("class") or "").split() if name in _KINDS), "attribute")
    if kind == "function" and owner is not None and owner.kind == "class":
        kind = "method"
    if "property" in labels:
        kind = "property"
    signature = _signature(div, heading)
    name = anchor or _shown_name(heading)
    if not name or " " in name:
        return None
    body = tuple(_own(contents))
    return Head(
        name=name,
        kind=kind,
        anchor=anchor,
        signatures=(signature,) if signature else (),
        language="python",
        title=_title(name, owner, kind),
        body=body,
        fields=tuple(_fields(contents)),
    )


def _signature(div: HtmlElement, heading: HtmlElement) -> str:
    """The separate block of the signature where there is one, else what the heading shows as code."""
    for one in elements(div):
        if has_class(one, "doc-signature"):
            block = first(one, "pre")
            return copyable(code_text(block)) if block is not None else ""
    code = first(heading, "code")
    text = copyable(" ".join("".join(code.itertext()).split())) if code is not None else ""
    return text if "(" in text or ":" in text or "=" in text else ""


def _shown_name(heading: HtmlElement) -> str:
    named = first(heading, "span", "doc-object-name")
    return text_of(named) if named is not None else ""


def _title(name: str, owner: Head | None, kind: SymbolKind) -> str:
    shown = name
    if owner is not None and owner.kind == "class" and name.startswith(f"{owner.name}."):
        shown = owner.name.rpartition(".")[2] + name[len(owner.name) :]
    return f"{shown}()" if kind in ("function", "method") else shown


def _own(contents: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    for element in contents:
        yield from (one for one in elements(element) if not _is_source(one))


def _is_source(element: HtmlElement) -> bool:
    return element.tag == "details" and (
        has_class(element, "mkdocstrings-source")
        or (has_class(element, "quote") and text_of(element)[:14].startswith("Source code in"))
    )


def _fields(contents: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    """Titles of sections and the lists below them; a section that is a list by itself."""
    for content in contents:
        for one in elements(content):
            titled = first(one, "span", "doc-section-title") if one.tag in ("p", "table", "details") else None
            if titled is None or _FIELDS.fullmatch(text_of(titled)) is None:
                continue
            yield one
            below = one.getnext()
            if one.tag == "p" and below is not None and below.tag in ("ul", "table", "dl", "div"):
                yield below
