"""rustdoc: an item is a page, its methods, variants and fields are sections of it.

What a type gets from traits is documented with the traits: such implementations are no entries here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.page import Heads, Subject, empty, first, has_class
from refdesk.ingest.html.heads.signatures import code_text
from refdesk.ingest.html.tree import elements, text_of

_ITEM = re.compile(
    r"(?P<kind>Struct|Enum|Trait Alias|Trait|Union|Function|Macro|Constant|Static|Type Definition|Type Alias|Module"
    r"|Crate|Primitive Type|Attribute Macro|Derive Macro|Keyword)\s+(?P<path>[\w:!]+)"
)
_ITEMS: Mapping[str, SymbolKind] = {
    "Struct": "class", "Enum": "class", "Trait": "class", "Union": "class", "Trait Alias": "class",
    "Function": "function", "Macro": "function", "Attribute Macro": "function", "Derive Macro": "function",
    "Constant": "attribute", "Static": "attribute", "Keyword": "attribute",
    "Type Definition": "type", "Type Alias": "type", "Primitive Type": "type",
    "Module": "module", "Crate": "module",
}  # fmt: skip
_MEMBERS: Mapping[str, SymbolKind] = {
    "method": "method", "tymethod": "method", "variant": "attribute", "structfield": "attribute",
    "associatedtype": "type", "associatedconstant": "attribute",
}  # fmt: skip
_FROM_TRAITS = (
    "trait-implementations-list", "synthetic-implementations-list", "blanket-implementations-list",
    "implementors-list", "synthetic-implementors-list", "foreign-impls", "deref-methods",
)  # fmt: skip
_MEMBER = re.compile(rf"(?P<kind>{'|'.join(_MEMBERS)})\.(?P<name>\w+)(?:-\d+)?(?:\.field\.\w+)?")
_LONGEST = 30
"""Lines of a declaration that is shown whole."""

_SINCE = re.compile(r"\d+(?:\.\d+)+")


def find_rustdoc(subject: Subject) -> Heads:
    """The item of a page and what belongs to it."""
    main = next((one for one in subject.root.iter("section") if one.get("id") == "main-content"), None)
    if main is None:
        return Heads()
    title = next(main.iter("h1"), None)
    named = _named(main, title) if title is not None else None
    if title is None or named is None:
        return Heads()
    path, kind = named
    declared = next((one for one in main.iter("pre") if has_class(one, "rust") and _declares(one)), None)
    found: dict[HtmlElement, Sequence[Head]] = {title: (_item(main, title, path, kind, declared),)}
    absorbed = set() if declared is None else {declared}
    for element, anchor in _members(main):
        head = _member(element, anchor, path)
        if head is not None and element.tag != "span":
            found[element] = (head,)
        elif head is not None and head.after:  # a field is a piece of text: its description stands for it
            found[head.after[0]] = (replace(head, body=tuple(elements(head.after[0])), after=()),)
            absorbed.add(element)
    return Heads(found, frozenset(absorbed))


def _named(main: HtmlElement, title: HtmlElement) -> tuple[str, SymbolKind] | None:
    shown = code_text(title).replace("\u200b", "")
    match = _ITEM.search(" ".join(shown.split()))
    if match is None:
        return None
    path = match["path"]
    crumbs = next((one for one in main.iter("span", "div") if has_class(one, "rustdoc-breadcrumbs")), None)
    if crumbs is not None and "::" not in path:
        path = f"{text_of(crumbs).replace(' ', '')}::{path}"
    return path.strip(":"), _ITEMS[match["kind"]]


def _item(main: HtmlElement, title: HtmlElement, path: str, kind: SymbolKind, declared: HtmlElement | None) -> Head:
    after = [one for one in elements(main) if has_class(one, "item-info") or has_class(one, "top-doc")]
    return Head(
        name=path,
        kind=kind,
        anchor=title.get("id") or "",
        signatures=(_short(code_text(declared)),) if declared is not None else (),
        language="rust",
        title=text_of(title),
        by_heading=True,
        after=tuple(_without_summary(after)),
        since=_since(next((one for one in elements(main) if has_class(one, "main-heading")), title)),
    )


def _short(declared: str) -> str:
    """A declaration without what its braces hold, where that is long: methods of a trait have their own entries."""
    lines = declared.split("\n")
    if len(lines) <= _LONGEST:
        return declared
    return "\n".join([lines[0].rstrip(" {") + " {", "    // …", "}"])


def _declares(block: HtmlElement) -> bool:
    """Whether a block of Rust is the declaration of the item, and no example."""
    above = block.getparent()
    around = above.getparent() if above is not None else None
    inside = any(one is not None and has_class(one, "item-decl") for one in (block, above, around))
    return inside and not has_class(block, "rust-example-rendered")


def _members(main: HtmlElement) -> Iterator[tuple[HtmlElement, str]]:
    from_traits = {one for one in main.iter("div") if (one.get("id") or "").startswith(_FROM_TRAITS)}
    inside = {one for above in from_traits for one in above.iter("details", "section", "div")}
    for element in main.iter("details", "section", "div", "span", "h3"):
        if element in inside:
            continue
        anchor = element.get("id") if element.tag != "details" else _summarised(element)
        if anchor and _MEMBER.fullmatch(anchor) and not _in_summary(element):
            yield element, anchor


def _summarised(details: HtmlElement) -> str | None:
    """The id in the summary of a collapsible member; None if it is no member's."""
    summary = details[0] if len(details) and details[0].tag == "summary" else None
    inner = next(elements(summary), None) if summary is not None else None
    return inner.get("id") if inner is not None else None


def _in_summary(element: HtmlElement) -> bool:
    above = element.getparent()
    return above is not None and above.tag == "summary"


def _member(element: HtmlElement, anchor: str, path: str) -> Head | None:
    match = _MEMBER.fullmatch(anchor)
    declared = next((one for one in element.iter("h4", "h3", "code") if _is_declaration(one)), None)
    if match is None or declared is None:
        return None
    kind, name = _MEMBERS[match["kind"]], match["name"]
    body = list(_docblocks(element)) if element.tag == "details" else []
    owner = path.rpartition("::")[2]
    below = () if element.tag == "details" else tuple(_next_docblock(element))
    return Head(
        name=f"{path}::{name}",
        kind=kind,
        anchor=anchor,
        signatures=(code_text(declared).replace("\n", " ") if declared.tag == "code" else code_text(declared),),
        language="rust",
        title=f"{owner}::{name}()" if kind == "method" else f"{owner}::{name}",
        body=tuple(body),
        after=below,
        since=_since(element),
    )


def _is_declaration(element: HtmlElement) -> bool:
    return has_class(element, "code-header") or element.tag == "code"


def _docblocks(details: HtmlElement) -> Iterator[HtmlElement]:
    for one in elements(details):
        if one.tag == "summary":
            yield from (info for info in one.iter("span") if has_class(info, "item-info") and not empty(info))
        elif has_class(one, "docblock") or has_class(one, "item-info"):
            yield one


def _next_docblock(element: HtmlElement) -> Iterator[HtmlElement]:
    following = element.getnext()
    if following is not None and (has_class(following, "docblock") or has_class(following, "top-doc")):
        yield from _without_summary([following])


def _without_summary(found: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    for one in found:
        if one.tag == "details":
            yield from (inner for inner in elements(one) if inner.tag != "summary")
        else:
            yield one


def _since(element: HtmlElement) -> str:
    stated = first(element, "span", "since")
    match = _SINCE.search((stated.text or "") + (stated.get("title") or "")) if stated is not None else None
    const_only = stated is not None and "const" in (stated.text or "")
    return match[0] if match is not None and not const_only else ""
