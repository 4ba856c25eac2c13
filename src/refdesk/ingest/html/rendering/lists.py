"""Lists: bullets, numbers, terms with their definitions, lists of fields."""

import re

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.blocks import bold, unbold
from refdesk.ingest.html.rendering.escaping import code_span, escape, one_line, safe_start
from refdesk.ingest.html.rendering.queries import string_of
from refdesk.ingest.html.rendering.tags import HEADINGS
from refdesk.ingest.html.rendering.walker import DEEPEST_CONTAINER, ClassHandler, Lines, Walker, prefixed

_NO_ID = re.compile(r"[\s\"<>{}\\`*]")


def items(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A list with marks; no list where its items are sections with headings of their own."""
    if walker.by_class(element, out):
        return
    children = [child for child in element if isinstance(child.tag, str) and not walker.left_out(child)]
    if _is_layout(children) or walker.container >= DEEPEST_CONTAINER:
        walker.flow(element, out)
        return
    walker.stray(element, out)
    number = _start(element) if element.tag == "ol" else None
    texts: list[Lines] = []
    for child in children:
        mark = "- " if number is None else f"{number}. "
        inner: Lines = []
        walker.container += 1
        if child.tag in ("ul", "ol") and texts:  # a list right inside a list belongs to the item before it
            walker.block(child, inner)
            texts[-1] += prefixed(inner, "  ", "  ")
            inner = []
        elif child.tag == "li":
            walker.flow(child, inner)
        else:
            walker.block(child, inner)
        walker.container -= 1
        lines = prefixed(_tight(inner), mark, " " * len(mark))
        if lines:
            texts.append(lines)
            number = None if number is None else number + 1
    write_items(texts, out)


def write_items(texts: list[Lines], out: Lines) -> None:
    """Items close together, or with blank lines between them where one of them has several blocks."""
    if not texts:
        return
    loose = any("" in lines for lines in texts)
    for lines in texts:
        out += lines
        if loose:
            out.append("")
    if not loose:
        out.append("")


def definitions(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A list of terms: items that begin with the term."""
    if walker.by_class(element, out):
        return
    if walker.container >= DEEPEST_CONTAINER or _holds_sections(element):
        _as_sections(walker, element, out)
        return
    walker.stray(element, out)
    found: list[tuple[list[str], list[Lines]]] = [([], [])]
    for child in _pairs(element):
        if walker.left_out(child):
            continue
        if child.tag == "dt":
            text = term_text(walker, child)
            if found[-1][1]:
                found.append(([], []))
            found[-1][0].extend([_anchored(child, text)] if text else [])
            continue
        inner: Lines = []
        walker.container += 1
        if child.tag == "dd":
            walker.flow(child, inner)
        else:
            walker.block(child, inner)
        walker.container -= 1
        found[-1][1].append(_tight(inner))
    write_items([lines for terms, bodies in found for lines in _defined(", ".join(terms), bodies)], out)


def _defined(term: str, bodies: list[Lines]) -> list[Lines]:
    """The items of a term: itself with its definition, or with a list of them where it has several."""
    bodies = [lines for lines in bodies if lines]
    if not term:
        return [prefixed(lines, "- ", "  ") for lines in bodies]
    if len(bodies) < 2:
        return [prefixed(defined(term, bodies[0] if bodies else []), "- ", "  ")]
    inner: Lines = []
    write_items([prefixed(lines, "- ", "  ") for lines in bodies], inner)
    return [prefixed([term, *_tight(inner)], "- ", "  ")]


def index(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """The index of a module in rustdoc: a row for each item, its name on the left."""
    texts: list[Lines] = []
    for row in element:
        cells = [cell for cell in row if isinstance(cell.tag, str)]
        if not cells or walker.left_out(row):
            continue
        run: Lines = []
        walker.inline(cells[0], run)
        inner: Lines = []
        walker.container += 1
        walker.sequence(None, cells[1:], inner)
        walker.container -= 1
        lines = defined(one_line(run), _tight(inner))
        texts += [prefixed(lines, "- ", "  ")] if lines else []
    write_items(texts, out)
    return True


def field_list(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Sphinx's field list: a bold name, then what it says; parameters by name."""
    rows = _fields(element)
    for name, bodies in rows:
        run: Lines = []
        walker.inline(name, run)
        title = unbold(one_line(run)).rstrip(":").strip()
        inner: Lines = []
        for body in bodies:
            walker.names.update(strong for strong in body.iter("strong") if _is_name(strong))
            walker.block(body, inner)
        while inner and not inner[-1]:
            inner.pop()
        if not inner:
            out += [f"**{title}**", ""] if title else []
        elif len(inner) == 1 and not inner[0].startswith(("- ", "1. ", "> ", "```")):
            out += (f"**{title}:** {inner[0]}", "")
        else:
            out += (f"**{title}:**", "", *inner, "")
    return bool(rows)


def _fields(element: HtmlElement) -> list[tuple[HtmlElement, list[HtmlElement]]]:
    """Names of fields with what is said of each, of a list or of the table that older releases write."""
    rows: list[tuple[HtmlElement, list[HtmlElement]]] = []
    parts = _pairs(element)
    if element.tag == "table":
        found = [row for part in parts for row in ([part] if part.tag == "tr" else part)]
        parts = [cell for row in found for cell in row]
    for one in parts:
        if one.tag in ("dt", "th"):
            rows.append((one, []))
        elif rows:
            rows[-1][1].append(one)
    return rows


def term_text(walker: Walker, element: HtmlElement) -> str:
    """A term: what it says, in bold where it is prose; its classifier in parentheses."""
    classifiers = [child for child in element if "classifier" in (child.get("class") or "").split()]
    run: Lines = [escape(element.text or "")]
    for child in element:
        if child not in classifiers:
            walker.inline_element(child, run)
        run.append(escape(child.tail or ""))
    text = unbold(one_line(run)).rstrip(":").rstrip()
    if not text:
        return ""
    shown = text if "`" in text or "](" in text else bold(text)
    kinds = [" ".join(string_of(one).split()) for one in classifiers]
    if kinds and "](" not in text and "`" not in text:
        shown = code_span(text.replace("\\", ""))
    return safe_start(shown) + "".join(f" ({escape(kind)})" for kind in kinds if kind)


def _anchored(element: HtmlElement, text: str) -> str:
    """A term behind the id that leads to it; chunks show no such marks, and take their address from them."""
    anchor = element.get("id")
    return f'<a id="{anchor}"></a>{text}' if anchor and not _NO_ID.search(anchor) else text


def defined(term: str, lines: Lines) -> Lines:
    """A definition behind its term."""
    if not lines or not term:
        return [term] if term else lines
    first = lines[0]
    if first.startswith(("- ", "1. ", ">", "```", "|", "#", "<tab", "    ")) or first == "$$":
        return [term, *([] if first.startswith("- ") and "" not in lines else [""]), *lines]
    return [f"{term} – {first}", *lines[1:]]


def _as_sections(walker: Walker, element: HtmlElement, out: Lines) -> None:
    for child in _pairs(element):
        if child.tag == "dt" and not any(one.tag in HEADINGS for one in child.iter()):
            text = term_text(walker, child)
            out += (text, "") if text else ()
        elif not walker.left_out(child):
            walker.block(child, out)


def _pairs(element: HtmlElement) -> list[HtmlElement]:
    """Terms and definitions, also where a `div` holds each pair."""
    found: list[HtmlElement] = []
    for child in element:
        if child.tag == "div" and any(one.tag == "dt" for one in child):
            found += [one for one in child if isinstance(one.tag, str)]
        elif isinstance(child.tag, str):
            found.append(child)
    return found


def _is_name(strong: HtmlElement) -> bool:
    """Whether bold text is the name of a parameter, which begins a paragraph."""
    parent, before = strong.getparent(), strong.getprevious()
    return (
        before is None
        and parent is not None
        and parent.tag in ("p", "li")
        and not (parent.text or "").strip()
        and strong.find(".//code") is None
        and strong.find(".//a") is None
    )


def _tight(lines: Lines) -> Lines:
    """The lines of an item without the blank one between its text and the list below it."""
    while lines and not lines[-1]:
        lines.pop()
    if (
        len(lines) > 2
        and not lines[1]
        and lines[2].startswith(("- ", "1. "))
        and not lines[0].startswith(("```", "|", "<tab"))
    ):
        del lines[1]
    return lines


def _is_layout(children: list[HtmlElement]) -> bool:
    for item in children:
        for child in item:
            if child.tag in HEADINGS or child.tag == "section":
                return True
    return False


def _holds_sections(element: HtmlElement) -> bool:
    return any(
        one.tag in HEADINGS or one.tag == "section" for child in element if child.tag in ("dt", "dd") for one in child
    )


def _start(element: HtmlElement) -> int:
    start = (element.get("start") or "").strip()
    return int(start) if start.isdecimal() and len(start) < 7 else 1


CLASSES: dict[str, ClassHandler] = {"field-list": field_list, "item-table": index}

BLOCKS = {"ul": items, "ol": items, "menu": items, "dir": items, "dl": definitions}
