"""Doxygen: `div.memitem` with a prototype and a description, below a heading that says the same again."""

import re
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.page import Heads, Subject, first, has_class
from refdesk.ingest.html.heads.signatures import signature_text
from refdesk.ingest.html.tree import elements, text_of

_TITLE = re.compile(
    r"(?P<name>.+?)\s+(?P<kind>Class|Struct|Union|Interface|Concept|Namespace|Module)(?:\s+Template)?\s+(?:Reference|Documentation)"
)
_FIELDS = frozenset({"params", "tparams", "return", "exception", "retval", "deprecated", "since"})
_OPERATOR = re.compile(r"(?P<name>(?:[\w:~]+::)?operator\s*(?:\(\)|\[\]|[^\w\s(]+|\s[\w:*& ]+))")
_ENDING = re.compile(r"\s*[(=].*", re.DOTALL)


def find_doxygen(subject: Subject) -> Heads:
    """The class of a page, and its documented members."""
    title = first(subject.root, "div", "title")
    match = _TITLE.match(_own_text(title)) if title is not None else None
    owner = _bare(match["name"]) if match is not None and match["kind"] != "Module" else ""
    kind: SymbolKind = "module" if match is not None and match["kind"] == "Namespace" else "class"
    found: dict[HtmlElement, Sequence[Head]] = {}
    absorbed: set[HtmlElement] = set()
    for div in subject.root.iter("div"):
        if owner and has_class(div, "textblock"):
            head = _of_class(div, owner, kind)
            found[div] = (head,) if head is not None else ()
        elif has_class(div, "memitem"):
            heading = _heading_before(div)
            member = _member(div, heading, in_class=bool(owner) and kind == "class")
            if member is not None:
                found[div] = (member,)
                absorbed.update(() if heading is None else (heading,))
    return Heads({element: heads for element, heads in found.items() if heads}, frozenset(absorbed))


def _of_class(block: HtmlElement, owner: str, kind: SymbolKind) -> Head | None:
    before = block.getprevious()
    if before is None or before.tag != "h2":
        return None
    declared = first(block, "div", "compoundTemplParams")
    anchor = before.get("id") or (before.getprevious().get("id") if before.getprevious() is not None else "")
    body = [one for one in elements(block) if one is not declared]
    return Head(
        name=owner,
        kind=kind,
        anchor=anchor or "details",
        signatures=(signature_text(declared),) if declared is not None else (),
        language="cpp",
        title=owner,
        body=tuple(body),
        fields=tuple(_fields(body)),
    )


def _heading_before(item: HtmlElement) -> HtmlElement | None:
    before = item.getprevious()
    return before if before is not None and has_class(before, "memtitle") else None


def _member(item: HtmlElement, heading: HtmlElement | None, *, in_class: bool) -> Head | None:
    proto = first(item, "div", "memproto")
    declared = first(proto, "td", "memname") if proto is not None else None
    if proto is None or declared is None:
        return None
    name, called = _name(signature_text(declared)), proto.find(".//td[@class='paramname']") is not None
    if not name or name in ("enum", "union", "struct"):
        return None
    owner, _, last = name.rpartition("::")
    kind: SymbolKind = "attribute" if not called else "method" if in_class else "function"
    text = signature_text(declared)
    if text.startswith(("typedef", "using", "enum")):
        kind = "type"
    constructor = called and in_class and last == owner.rpartition("::")[2]
    doc = first(item, "div", "memdoc")
    body = list(elements(doc)) if doc is not None else []
    if doc is not None and (doc.text or "").strip():
        body = [doc]
    return Head(
        name=f"{owner}::constructor" if constructor else name,
        kind=kind,
        anchor=_anchor(item, heading),
        signatures=(_signature(proto),),
        language="cpp",
        title=f"{last}()" if called and last[-1:].isalnum() else last,
        body=tuple(body),
        fields=tuple(_fields(body)),
    )


def _signature(proto: HtmlElement) -> str:
    """The prototype as one line, below the lines of its templates."""
    templates = [signature_text(one) for one in proto.iter("div") if has_class(one, "memtemplate")]
    table = next((one for one in proto.iter("table") if has_class(one, "memname")), None)
    cells = [" ".join("".join(cell.itertext()).split()) for cell in table.iter("td")] if table is not None else []
    text = re.sub(r"\s*\(\s*", "(", " ".join(cell for cell in cells if cell), count=1)
    return "\n".join([*templates, re.sub(r"\s+\)", ")", text)])


def _anchor(item: HtmlElement, heading: HtmlElement | None) -> str:
    link = next(heading.iter("a"), None) if heading is not None else None
    if link is not None and (link.get("href") or "").startswith("#"):
        return str(link.get("href"))[1:]
    before = (heading if heading is not None else item).getprevious()
    return (before.get("id") or before.get("name") or "") if before is not None and before.tag == "a" else ""


def _name(text: str) -> str:
    """The qualified name in a prototype: `Scalar Eigen::Base< T >::dot` is `Eigen::Base::dot`."""
    bare = _bare(text)
    operator = _OPERATOR.search(bare)
    if operator is not None:
        return " ".join(operator["name"].split())
    words = _ENDING.sub("", bare).split()
    return words[-1].lstrip("*&") if words else ""


def _bare(text: str) -> str:
    """A name without its template arguments."""
    before = ""
    while before != text and "operator" not in text:
        before, text = text, re.sub(r"\s*<[^<>]*>", "", text)
    if "operator" in text:
        head, word, rest = text.rpartition("operator")
        return f"{_bare(head)}{word}{rest}"
    return text.strip()


def _fields(body: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    for element in body:
        for one in (element, *elements(element)):
            if one.tag == "dl" and any(name in _FIELDS for name in (one.get("class") or "").split()):
                yield one


def _own_text(title: HtmlElement) -> str:
    """A title without the groups that it is listed in, which stand inside it."""
    parts = [title.text or ""]
    for child in title:
        if not has_class(child, "ingroups"):
            parts.append(text_of(child))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())
