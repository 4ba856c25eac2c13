"""API entries: their heading, their signatures in one fence, and what is said below them."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from refdesk.ingest.fences import fenced_lines
from refdesk.ingest.html.heads.head import Entry, Head
from refdesk.ingest.html.rendering.blocks import anchor_of, heading_text, write_heading
from refdesk.ingest.html.rendering.escaping import code_span
from refdesk.ingest.html.rendering.walker import ASIDE_BEGINS, ASIDE_ENDS, Lines, Walker, own_text


def entries(walker: Walker, heads: Sequence[Head], element: HtmlElement, out: Lines) -> None:
    """An element as the entries that it declares, one after another."""
    marked = not walker.container
    if marked:
        out.append(ASIDE_BEGINS)
    if heads[0].by_heading:
        _by_heading(walker, heads, element, out)
    else:
        for head in heads:
            _entry(walker, head, out)
    if marked:
        out.append(ASIDE_ENDS)


def _entry(walker: Walker, head: Head, out: Lines) -> None:
    level, lowest = walker.level, walker.lowest
    number = _reserve(walker, head)
    title = code_span(head.title or head.name)
    if walker.container:
        out += (f"**{title}**", "")
    else:
        write_heading(walker, max(level + 1, lowest), title, head.anchor, out)
    _signatures(head.signatures, head.language, out)
    walker.fields.update(head.fields)
    walker.lowest = walker.level + 1
    walker.parents.append(head.name)
    start = len(out)
    for part in head.body:
        walker.block(part, out)
    walker.parents.pop()
    walker.entries[number] = Entry(head, own_text(out[start:]), walker.parents[-1] if walker.parents else "")
    walker.level, walker.lowest = level, lowest


def _by_heading(walker: Walker, heads: Sequence[Head], element: HtmlElement, out: Lines) -> None:
    """A heading of the page that declares; the signature follows where the heading alone does not show it."""
    parent = walker.parents[-1] if walker.parents else ""
    first = heads[0]
    text = heading_text(walker, element) or code_span(first.title or first.name)
    if walker.container:
        out += (f"**{text}**", "")
    else:
        level = int(element.tag[1]) if element.tag[:1] == "h" and element.tag[1:].isdigit() else walker.level + 1
        write_heading(walker, max(level, walker.lowest), text, first.anchor or anchor_of(element), out)
    shown = "".join(text.replace("\\", "").replace("`", "").split())
    signatures = [one for head in heads for one in head.signatures if "".join(one.split()) not in shown]
    _signatures(tuple(dict.fromkeys(signatures)), first.language, out)
    for head in heads:
        number = _reserve(walker, head)
        walker.entries[number] = Entry(head, "", parent)
        walker.fields.update(head.fields)


def _reserve(walker: Walker, head: Head) -> int:
    """The place of an entry, which is before those inside of it."""
    number = len(walker.entries)
    walker.entries.append(None)
    walker.after.update(dict.fromkeys(head.after, number) if not head.by_heading else {})
    return number


def _signatures(signatures: Sequence[str], language: str, out: Lines) -> None:
    if signatures:
        out += [*fenced_lines("\n".join(signatures), language), ""]
