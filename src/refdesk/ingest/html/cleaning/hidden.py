"""Hidden elements: what no reader of the page sees, which is where instructions for machines hide too."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from lxml import etree
from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning.measure import finder
from refdesk.ingest.html.cleaning.vocabulary import is_panel, is_unseen

COMMENTS = "comments"

_STATED = finder("descendant::*/@hidden/..")
_STYLED = finder("descendant::*/@style/..")
_MUTED = finder("descendant::*/@aria-hidden/..")
_CLASSED = finder("descendant::*[contains(@class,'only') or contains(@class,'hidden') or contains(@class,'reader')]")
_REMARKS = finder("descendant::comment()")
_CONTROLLED = finder("descendant::*[@role='tab' or @aria-expanded]")

_UNSEEN = re.compile(rb' class="[^"]*(?:only|hidden|reader)')
"""Each name of a class for screen readers holds one of these words."""

_NOT_SHOWN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|font-size:0(?:px|em|rem|%)?(?:;|$)|opacity:0(?:\.0+)?(?:;|$)"
    r"|(?:left|top|text-indent|margin-left):-\d{3,}(?:px|em|rem)|clip:rect\(0|clip-path:inset\((?:50|100)%"
)


def hidden_elements(root: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    """Elements below a root that are not shown, each with how it is hidden.

    Panels of tabs and folded parts are shown when a reader asks for them: they are content.
    """
    written = etree.tostring(root, encoding="utf-8", with_tail=False)  # looking into it is cheaper than five searches
    stated, styled = b' hidden="' in written, b' style="' in written
    if stated or styled:
        panels = {one.get("aria-controls") or "" for one in _CONTROLLED(root)} - {""}
        if stated:
            yield from (("hidden", one) for one in _STATED(root) if not _may_unfold(one, panels))
        if styled:
            yield from (("style", one) for one in _STYLED(root) if _is_styled_away(one) and not _unfolds(one, panels))
    if b' aria-hidden="true"' in written:
        yield from (("aria-hidden", one) for one in _MUTED(root) if one.get("aria-hidden") == "true" and _is_sign(one))
    if _UNSEEN.search(written):
        for element in _CLASSED(root):
            if is_unseen(element.get("class") or "") and not str(element.tag).startswith("h"):
                yield "screen readers only", element


def comments(root: HtmlElement) -> int:
    """Comments below a root."""
    return len(_REMARKS(root))


def _may_unfold(element: HtmlElement, panels: AbstractSet[str]) -> bool:
    return element.get("hidden") == "until-found" or _unfolds(element, panels)


def _is_styled_away(element: HtmlElement) -> bool:
    return _is_hiding(element.get("style") or "")


def _unfolds(element: HtmlElement, panels: AbstractSet[str]) -> bool:
    names = element.get("class") or ""
    if element.get("role") == "tabpanel" or element.get("id") in panels or (names and is_panel(names)):
        return True
    parent = element.getparent()
    return parent is not None and (parent.tag == "details" or is_panel(parent.get("class") or ""))


def _is_sign(element: HtmlElement) -> bool:
    """A picture or a sign of few letters; larger parts hidden from screen readers are seen by everyone else."""
    text = "".join(element.itertext()).strip()
    parent = element.getparent()
    return len(text) <= 2 and parent is not None and parent.tag in ("a", "button", "h1", "h2", "h3", "h4", "h5", "h6")


@lru_cache(maxsize=5_000)
def _is_hiding(style: str) -> bool:
    return _NOT_SHOWN.search("".join(style.lower().split())) is not None
