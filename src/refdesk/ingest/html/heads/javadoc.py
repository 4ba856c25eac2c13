"""Javadoc: classes and their members, as versions 8 to 16 and 17 and later mark them up."""

import re
from collections.abc import Iterator, Mapping, Sequence

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.page import Heads, Subject, first, has_class
from refdesk.ingest.html.heads.signatures import code_text, signature_text
from refdesk.ingest.html.tree import elements, text_of

_TITLE = re.compile(
    r"(?:Annotation Interface|Annotation Type|Annotation|Enum Class|Record Class|Record|Enum|Interface|Class)\s+"
    r"(?P<name>[\w.$]+)"
)
_SECTIONS: Mapping[str, SymbolKind] = {
    "field": "attribute", "enum": "attribute", "constructor": "method", "method": "method", "annotation": "attribute",
    "property": "property", "element": "attribute", "constant": "attribute",
}  # fmt: skip
_DECLARATIONS = ("type-signature", "member-signature", "type-signature-container")


def find_javadoc(subject: Subject) -> Heads:
    """The class of a page, and its members; nothing on a page of a package or of a list."""
    owner = _class_name(subject.root)
    if not owner:
        return Heads()
    found = dict(_modern(subject.root, owner)) or dict(_old(subject.root, owner))
    return Heads(found)


def _class_name(root: HtmlElement) -> str:
    title = next((one for one in root.iter("h1", "h2") if has_class(one, "title")), None)
    match = _TITLE.match(text_of(title)) if title is not None else None
    if match is None:
        return ""
    package = ""
    for line in root.iter("div"):
        if has_class(line, "sub-title") or has_class(line, "subTitle"):
            package = text_of(line).removeprefix("Package").strip()
            if not text_of(line).startswith("Module"):
                break
    return f"{package}.{match['name']}" if re.fullmatch(r"[\w.]+", package) else match["name"]


def _modern(root: HtmlElement, owner: str) -> Iterator[tuple[HtmlElement, Sequence[Head]]]:
    for section in root.iter("section"):
        if has_class(section, "class-description") or has_class(section, "description"):
            head = _of_class(section, owner, section.get("id") or "")
        elif has_class(section, "detail"):
            head = _of_section(section, owner)
        else:
            continue
        if head is not None:
            yield section, (head,)


def _of_class(element: HtmlElement, owner: str, anchor: str) -> Head | None:
    declared = _declaration(element)
    if declared is None:
        return None
    body = [one for one in elements(element) if one is not declared and one.tag != "hr"]
    return Head(
        name=owner,
        kind="error" if _is_error(element, owner) else "class",
        anchor=anchor,
        signatures=(code_text(declared) if declared.tag == "pre" else _lines(declared),),
        language="java",
        title=_short(owner),
        body=tuple(body),
        fields=tuple(one for one in body if one.tag == "dl"),
    )


def _of_section(section: HtmlElement, owner: str) -> Head | None:
    declared = _declaration(section)
    anchor = section.get("id") or next((one.get("id", "") for one in section.iter("a") if one.get("id")), "")
    if declared is None or not anchor:
        return None
    above = section.getparent()
    while above is not None and above.tag != "section":
        above = above.getparent()
    names = (above.get("class") or above.get("id") or "") if above is not None else ""
    title = next((one for one in elements(section) if one.tag in ("h3", "h4")), None)
    body = [one for one in elements(section) if one is not declared and one is not title]
    return _member(owner, title, anchor, _lines(declared), names, body)


def _old(root: HtmlElement, owner: str) -> Iterator[tuple[HtmlElement, Sequence[Head]]]:
    """Javadoc 8 to 15: items of lists, named by an anchor before them."""
    description = first(root, "div", "description")
    if description is not None:
        item = next(description.iter("li"), description)
        head = _of_class(item, owner, "")
        if head is not None:
            yield _list_of(item), (head,)
    details = first(root, "div", "details")
    for item in details.iter("li") if details is not None else ():
        title = next((one for one in elements(item) if one.tag in ("h3", "h4")), None)
        declared = _declaration(item)
        anchor = _anchor_before(item)
        if title is None or declared is None or not anchor:
            continue
        body = [one for one in elements(item) if one is not declared and one is not title]
        head = _member(owner, title, anchor, code_text(declared), _section_before(item), body)
        yield _list_of(item), (head,)


def _list_of(item: HtmlElement) -> HtmlElement:
    """The list that an item is all of; the item where it is none."""
    above = item.getparent()
    return above if above is not None and above.tag == "ul" and len(above) == 1 else item


def _member(
    owner: str, title: HtmlElement | None, anchor: str, signature: str, section: str, body: Sequence[HtmlElement]
) -> Head:
    shown = text_of(title) if title is not None else anchor.partition("(")[0]
    constructor = "constructor" in section or shown == _short(owner).rpartition(".")[2]
    kind = next((kind for word, kind in _SECTIONS.items() if word in section), "method" if "(" in signature else None)
    return Head(
        name=f"{owner}.<init>" if constructor else f"{owner}.{shown}",
        kind="method" if constructor else kind or "attribute",
        anchor=anchor,
        signatures=(signature,),
        language="java",
        title=f"{_short(owner)}.{shown}()" if "(" in signature and not constructor else f"{_short(owner)}.{shown}",
        body=tuple(body),
        fields=tuple(one for one in body if one.tag == "dl"),
    )


def _declaration(element: HtmlElement) -> HtmlElement | None:
    return next(
        (
            one
            for one in elements(element)
            if one.tag == "pre" or (one.tag == "div" and any(has_class(one, name) for name in _DECLARATIONS))
        ),
        None,
    )


def _lines(declared: HtmlElement) -> str:
    """A declaration with its annotations and clauses on lines of their own, its parameters on one."""
    parts = [signature_text(one) for one in elements(declared) if has_class(one, "annotations")]
    rest = [f"{one.text_content()}{one.tail or ''}" for one in declared if not has_class(one, "annotations")]
    text = " ".join(f"{declared.text or ''}{''.join(rest)}".replace("\u200b", "").replace("\xa0", " ").split())
    return "\n".join([*parts, text])


def _is_error(element: HtmlElement, owner: str) -> bool:
    if not owner.endswith(("Exception", "Error", "Throwable")):
        return False
    return "interface" not in text_of(element)[:200].partition("{")[0].split()


def _anchor_before(item: HtmlElement) -> str:
    """The anchor before the list that an item is in: each member is a list of its own."""
    above = item.getparent()
    before = above.getprevious() if above is not None else None
    while before is not None and before.tag == "a":
        name = before.get("name") or before.get("id") or ""
        if name:
            return str(name)
        before = before.getprevious()
    inside = next((one for one in item.iter("a") if one.get("id") or one.get("name")), None)
    return str(inside.get("id") or inside.get("name")) if inside is not None else ""


def _section_before(item: HtmlElement) -> str:
    """What the heading over a group of members says: `Method Detail`."""
    above = item.getparent()
    above = above.getparent() if above is not None else None
    heading = next((one for one in above if one.tag == "h3"), None) if above is not None else None
    return text_of(heading).lower() if heading is not None else ""


def _short(name: str) -> str:
    """A class without its package: the parts from the first that begins with a capital."""
    parts = name.split(".")
    start = next((number for number, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[start:])
