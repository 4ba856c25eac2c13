"""Where the content of a page is, when its generator is unknown: by landmarks, and by following the text downwards."""

from collections.abc import Iterator

from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning.furniture import HEADINGS
from refdesk.ingest.html.cleaning.measure import NO_TEXT, Ruler, finder, holds
from refdesk.ingest.html.cleaning.vocabulary import is_callout, kind_of_name
from refdesk.ingest.html.tree import elements

_LANDMARKS = (
    finder("descendant::main|descendant::*[@role='main']"),
    finder("descendant::*[@itemprop='articleBody']|descendant::article|descendant::*[@role='article']"),
)
_LEAST_SHARE = 0.35
"""Of the page's prose, for a landmark to be believed."""

_DOMINANT = 0.7
"""Share of the prose that a child must hold for the content to be looked for inside of it."""

_DEEPEST = 40
_SOLID = ("h2", "h3", "h4", "h5", "h6", "pre", "dl", "blockquote", "figure", "math", "video")
_SENTENCE = 6


def find_content(root: HtmlElement, ruler: Ruler) -> tuple[HtmlElement, list[HtmlElement]]:
    """The element that holds the content, and furniture on the way to where its text is."""
    body = root.find("body")
    start = body if body is not None else root
    landmark = _landmark(start, ruler)
    found = landmark if landmark is not None else _outermost(start, ruler)
    return found, list(_edges(found, ruler))


def _landmark(body: HtmlElement, ruler: Ruler) -> HtmlElement | None:
    whole = ruler.size(body).prose
    for path in _LANDMARKS:
        found = [one for one in path(body) if ruler.size(one).prose >= _LEAST_SHARE * whole]
        if found:
            return max(found, key=lambda one: ruler.size(one).prose)
    return None


def _outermost(body: HtmlElement, ruler: Ruler) -> HtmlElement:
    """Down from the body while all beside the text looks like furniture by its name or by being links."""
    here = body
    for _ in range(_DEEPEST):
        best = _dominant(here, ruler)
        if best is None or any(not _is_outer_furniture(one, best, ruler) for one in _others(here, best)):
            return here
        if (here.text or "").strip() or any((one.tail or "").strip() for one in here):
            return here
        here = best
    return here


def _is_outer_furniture(element: HtmlElement, best: HtmlElement, ruler: Ruler) -> bool:
    size = ruler.size(element)
    if size.words == 0 or size.link_share >= 0.5 or element.tag in ("nav", "footer", "aside"):
        return True
    named = bool(kind_of_name(f"{element.get('class') or ''} {element.get('id') or ''}"))
    small = size.prose <= 0.25 * ruler.size(best).prose
    return small and not holds(element, "h1") and (named or (size.prose <= 30 and not holds(element, *_SOLID)))


def _edges(found: HtmlElement, ruler: Ruler) -> Iterator[HtmlElement]:
    """Small blocks beside the path to the text: authors, dates, buttons, links to other pages."""
    here = found
    for _ in range(_DEEPEST):
        best = _dominant(here, ruler)
        if best is None:
            return
        others = list(_others(here, best))
        if any(_is_solid(one, ruler) for one in others):
            return
        yield from (one for one in others if not holds(one, "h1") and ruler.size(one).words)
        here = best


def _dominant(element: HtmlElement, ruler: Ruler) -> HtmlElement | None:
    if ruler.exhausted:
        return None
    children = [child for child in elements(element) if child.tag not in NO_TEXT]
    if not children:
        return None
    best = max(children, key=lambda child: ruler.size(child).prose)
    if best.tag in ("p", "pre", "ul", "ol", "dl", "table", *HEADINGS, "blockquote", "figure", "details", "code", "li"):
        return None
    whole = sum(ruler.size(child).prose for child in children)
    return best if ruler.size(best).prose >= _DOMINANT * whole and ruler.size(best).prose > 0 else None


def _others(element: HtmlElement, best: HtmlElement) -> Iterator[HtmlElement]:
    return (child for child in elements(element) if child is not best and child.tag not in NO_TEXT)


def _is_solid(element: HtmlElement, ruler: Ruler) -> bool:
    """Whether an element beside the text is text itself."""
    if element.tag in (*HEADINGS, "pre", "dl", "blockquote", "figure", "table"):
        return str(element.tag) != "h1"
    if element.get("role") in ("note", "alert") or is_callout(element.get("class") or ""):
        return True
    size = ruler.size(element)
    if size.link_share >= 0.5 or kind_of_name(f"{element.get('class') or ''} {element.get('id') or ''}"):
        return False
    if holds(element, *_SOLID):
        return True
    return any(ruler.size(one).prose >= _SENTENCE for one in element.iter("p")) or size.prose > 30
