"""Footnotes and citations: `[^1]` where they are referred to, `[^1]: text` where the page has their text."""

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.blocks import contained
from refdesk.ingest.html.rendering.escaping import escape
from refdesk.ingest.html.rendering.queries import string_of
from refdesk.ingest.html.rendering.walker import ClassHandler, Lines, Walker, prefixed

_REFERENCES = frozenset({"footnote-reference", "footnote-ref", "data-footnote-ref"})


def reference(element: HtmlElement, names: Lines, href: str) -> str:
    """The sign of a footnote that a link is; empty for other links."""
    is_reference = not _REFERENCES.isdisjoint(names) or "data-footnote-ref" in element.attrib
    if not is_reference and href.startswith(("#fn", "#user-content-fn")):
        parent = element.getparent()
        is_reference = parent is not None and parent.tag == "sup"
    label = _label(element) if is_reference else ""
    return f"[^{label}]" if label else ""


def sphinx_notes(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Footnotes of Sphinx: a definition list, a table for each, or an `aside` for each."""
    if element.tag == "dl":
        pairs = [(child, child.getnext()) for child in element if child.tag == "dt"]
        notes = [(_label(label), text) for label, text in pairs if text is not None]
    elif element.tag == "table":
        notes = [
            (_label(row[0]), row[1])
            for row in element.iter("tr")
            if len(row) == 2 and "label" in row[0].get("class", "")
        ]
    else:
        label = element.find("span")
        if label is None or "label" not in (label.get("class") or "").split():
            return listed_notes(walker, element, out)
        notes = [(_label(label), element)]
    if not notes:
        return False
    is_note = "footnote" in (element.get("class") or "")
    for label, text in notes:
        _write(walker, label, text, out, is_note)
    return True


def listed_notes(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Footnotes at the end of a page, in a numbered list."""
    items = [item for item in element.iter("li") if "fn" in (item.get("id") or "")]
    if not items:
        return False
    for number, item in enumerate(items, 1):
        _write(walker, str(number), item, out, True)
    return True


def _write(walker: Walker, label: str, text: HtmlElement, out: Lines, is_note: bool) -> None:
    rest = [child for child in text if "label" not in (child.get("class") or "").split()]
    inner = contained(walker, lambda one, lines: walker.sequence(one.text, rest, lines), text)
    mark = f"[^{label}]: " if is_note else f"\\[{escape(label)}] "
    out += [*prefixed(inner, mark, "  " if is_note else ""), ""]


def _label(element: HtmlElement) -> str:
    return "".join(string_of(element).split()).strip("[]()↩")


_SPHINX = dict.fromkeys(("footnote", "citation"), sphinx_notes)

CLASSES: dict[str, ClassHandler] = {**_SPHINX, **dict.fromkeys(("footnotes", "footnote-list"), listed_notes)}
