"""Headings, quotations, rules, figures: the plain blocks of a page."""

import re
from collections.abc import Callable

from lxml.html import HtmlElement

from refdesk.domain.markdown import plain, slugify
from refdesk.ingest.html.rendering.escaping import one_line
from refdesk.ingest.html.rendering.tags import HEADINGS
from refdesk.ingest.html.rendering.walker import ClassHandler, Lines, Walker, prefixed

_PERMALINKS = frozenset({"headerlink", "hash-link", "header-anchor", "anchor", "mark", "anchor-link"})
_NO_ID = re.compile(r"[\s{}]")


def _division(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A block without a meaning of its own, unless its class tells one."""
    if not walker.by_class(element, out):
        walker.flow(element, out)


def _plain_paragraph(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A paragraph, most of which have no class."""
    if element.get("class") is None or not walker.by_class(element, out):
        walker.sequence(element.text, element, out)


def _heading(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A heading of the page with the id that leads to it."""
    text = heading_text(walker, element)
    if not text:
        return
    if walker.container:
        out += (bold(text), "")
        return
    level = max(int(element.tag[1]), walker.lowest)
    write_heading(walker, level, text, anchor_of(element), out)


def write_heading(walker: Walker, level: int, text: str, anchor: str, out: Lines) -> None:
    """A heading line; its id only where it is not what the text makes of itself."""
    walker.level = min(6, level)
    if anchor and (_NO_ID.search(anchor) or anchor == slugify(plain(text))):
        anchor = ""
    out += (f"{'#' * walker.level} {text}{f' {{#{anchor}}}' if anchor else ''}", "")


def heading_text(walker: Walker, element: HtmlElement) -> str:
    """What a heading says, in one line, without emphasis around all of it."""
    run: Lines = []
    was, walker.in_heading = walker.in_heading, True
    walker.inline(element, run)
    walker.in_heading = was
    text = one_line(run)
    if text.endswith("#"):
        text = text[:-1] + "\\#"
    if walker.block_link and text and "](" not in text:
        text = f"[{text}]({walker.block_link})"
        walker.block_link = ""
    return unbold(text)


def anchor_of(element: HtmlElement) -> str:
    """The id that leads to a heading: its own, its permalink's, one inside it, its section's."""
    own = element.get("id")
    if own:
        return str(own)
    for child in element.iter("a", "span"):
        href = child.get("href", "")
        if href.startswith("#") and len(href) > 1 and not _PERMALINKS.isdisjoint((child.get("class") or "").split()):
            return str(href[1:])
        inside = child.get("id") or (child.get("name") if child.tag == "a" else "")
        if inside:
            return str(inside)
    before = element.getprevious()
    parent = element.getparent()
    if before is None and parent is not None and parent.tag in ("section", "div", "header", "article", "hgroup"):
        outer = parent.getparent()
        named = parent.get("id") or (outer.get("id", "") if parent.tag == "header" and outer is not None else "")
        return str(named or _of_titlepage(element))
    if before is not None and before.tag in ("a", "span") and not len(before) and not (before.text or "").strip():
        return str(before.get("id") or before.get("name", ""))
    return _of_titlepage(element)


def _of_titlepage(element: HtmlElement) -> str:
    """DocBook wraps the title of a section: `div#id > div.titlepage > div > div > h2`."""
    for around in element.iterancestors("div"):
        section = around.getparent()
        if around.get("class") == "titlepage":
            return str(section.get("id", "")) if section is not None else ""
        if around.get("class") or around.get("id"):
            return ""
    return ""


def _page_title(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Doxygen writes the title of a page as a division."""
    text = heading_text(walker, element)
    if text:
        write_heading(walker, 1, text, "", out)
    return True


def bold(text: str) -> str:
    """A line in bold that stands for a heading where none can be; as it is where parts of it are bold."""
    text = unbold(text)
    return f"**{text}**" if text and "**" not in text else text


def unbold(text: str) -> str:
    """Text without bold marks around all of it."""
    inner = text[2:-2]
    return inner if len(text) > 4 and text[:2] == text[-2:] == "**" and "**" not in inner else text


def _rule(_walker: Walker, _element: HtmlElement, out: Lines) -> None:
    """A line across the page; not where another one or nothing stands before it."""
    if len(out) > 1 and out[-2] != "---":
        out += ("---", "")


def _quotation(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A quotation; older generators indent lists by one, which is none."""
    if walker.by_class(element, out):
        return
    children = [child for child in element if isinstance(child.tag, str)]
    only_lists = children and all(child.tag in ("ul", "ol", "dl", "table", "div", "pre") for child in children)
    if only_lists and not (element.text or "").strip():
        walker.flow(element, out)
    else:
        out += [*prefixed(contained(walker, walker.flow, element), "> ", "> "), ""]


def contained(walker: Walker, render: Callable[[HtmlElement, Lines], None], element: HtmlElement) -> Lines:
    """What an element becomes inside of a list or quotation."""
    inner: Lines = []
    walker.container += 1
    render(element, inner)
    walker.container -= 1
    return inner


def _bold_line(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A title that is no heading of the page."""
    run: Lines = []
    walker.inline(element, run)
    text = one_line(run)
    if text:
        out += (bold(text), "")


def _titled(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A paragraph or division that its class calls a title."""
    if any(child.tag in HEADINGS or child.tag in ("p", "ul", "pre") for child in element):
        return False
    _bold_line(walker, element, out)
    return True


def _figure(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A figure: what it shows, then its caption."""
    if walker.by_class(element, out):
        return
    walker.flow(element, out)


def _caption(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """What is written below a figure or above a listing."""
    if any(child.tag in ("p", "div", "ul") for child in element):
        walker.flow(element, out)
        return
    run: Lines = []
    walker.inline(element, run)
    walker.paragraph(run, out)


def _line_block(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A Sphinx line block: lines that are broken where the author broke them."""
    lines: Lines = []
    for child in element.iter("div"):
        if "line" in (child.get("class") or "").split():
            run: Lines = []
            walker.inline(child, run)
            line = one_line(run)
            if line:
                lines.append(line)
    run = []
    for line in lines:
        run += (line, "\x01")
    walker.paragraph(run, out)
    return True


_TITLES = (
    "rubric", "topic-title", "sidebar-title", "admonition-title", "code-block-caption", "filename", "block-title",
)  # fmt: skip

CLASSES: dict[str, ClassHandler] = {
    "headertitle": _page_title,
    "line-block": _line_block,
    **dict.fromkeys(_TITLES, _titled),
}

BLOCKS = {
    **dict.fromkeys((
        "div", "section", "article", "main", "header", "footer", "nav", "aside", "body", "html", "center", "address",
        "form", "fieldset", "search", "dd", "dt", "li", "tbody", "thead", "tfoot", "tr", "td", "th", "legend",
    ), _division),
    **dict.fromkeys(HEADINGS, _heading),
    "p": _plain_paragraph,
    "hgroup": _division,
    "hr": _rule,
    "blockquote": _quotation,
    "figure": _figure,
    "figcaption": _caption,
    "caption": _caption,
}  # fmt: skip
