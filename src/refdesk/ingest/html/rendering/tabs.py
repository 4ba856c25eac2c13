"""Panels of tabs of all makes, each with its label."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape as html_escape
from itertools import takewhile

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.queries import string_of
from refdesk.ingest.html.rendering.walker import ClassHandler, Lines, Walker


@dataclass(frozen=True, slots=True)
class _Panel:
    label: str
    content: HtmlElement


_NEAR = 3
"""How many elements around a list of tabs are searched for its panels."""

_MOST_SEARCHES = 200
"""A page of nothing but lists of tabs is not searched again for each of them."""

Find = Callable[[HtmlElement], Sequence[_Panel]]


def panels(walker: Walker, found: Sequence[_Panel], out: Lines) -> bool:
    """Write panels that belong together, each under its label."""
    for panel in found:
        inner: Lines = []
        walker.flow(panel.content, inner) if panel.content.tag != "pre" else walker.block(panel.content, inner)
        if not any(inner):
            continue
        label = html_escape(panel.label.replace("\x01", " "), quote=True)
        out += (f'<tab label="{label}">', "", *inner, "</tab>", "")
    return bool(found)


def _material(element: HtmlElement) -> list[_Panel]:
    """`div.tabbed-set`: labels and blocks in the same order; older: input, label, content in turn."""
    labels = [label for box in element if _has(box, "tabbed-labels") for label in box.iter("label")]
    blocks = [block for box in element if _has(box, "tabbed-content") for block in box if _has(block, "tabbed-block")]
    if not labels or not blocks:
        return _labelled_in_turn(element)
    return [_Panel(_text(label), block) for label, block in zip(labels, blocks, strict=False)]


def _labelled_in_turn(element: HtmlElement) -> list[_Panel]:
    """sphinx-design, sphinx-inline-tabs: `input`, `label`, then the content, again and again."""
    found: list[_Panel] = []
    label = ""
    for child in element:
        if child.tag == "label":
            label = _text(child)
        elif isinstance(child.tag, str) and child.tag != "input" and label:
            found.append(_Panel(label, child))
            label = ""
    return found


def _vitepress(element: HtmlElement) -> list[_Panel]:
    """`div.vp-code-group`: labels in `div.tabs`, blocks of code in `div.blocks`."""
    labels = [_text(one) or one.get("data-title", "") for one in element.iter("label")]
    blocks = [one for box in element if _has(box, "blocks") for one in box if isinstance(one.tag, str)]
    return [_Panel(label, block) for label, block in zip(labels, blocks, strict=False)]


def _by_role(element: HtmlElement) -> list[_Panel]:
    """ARIA: elements of `role=tab`, and panels that name theirs, are named by it, or stand in the same order."""
    tabs = [one for one in element.iter() if one.get("role") == "tab"]
    found = _outermost(element, [one for one in element.iter() if one.get("role") == "tabpanel"])
    if not tabs or not found:
        return []
    if len(found) == 1 < len(tabs):
        return []
    by_id = {one.get("id"): one for one in tabs if one.get("id")}
    by_target = {one.get("aria-controls"): one for one in tabs if one.get("aria-controls")}
    result: list[_Panel] = []
    for at, panel in enumerate(found):
        named = (panel.get("aria-labelledby") or "").split()
        tab = next((by_id[one] for one in named if one in by_id), None)
        if tab is None:
            tab = by_target.get(panel.get("id"))
        if tab is None and at < len(tabs):
            tab = tabs[at]
        label = _text(tab) if tab is not None else panel.get("aria-label", "")
        result.append(_Panel(label or f"Tab {at + 1}", panel))
    return result


def _bootstrap(element: HtmlElement) -> list[_Panel]:
    """`div.tab-content > div.tab-pane`, whose labels are links in a list before it."""
    panes = [one for one in element if _has(one, "tab-pane")]
    before = element.getprevious()
    links = list(before.iter("a", "button")) if before is not None and panes else []
    targets = {}
    for one in links:
        target = one.get("data-bs-target") or one.get("data-target") or one.get("href") or ""
        targets[target.lstrip("#") or one.get("aria-controls", "")] = _text(one)
    texts = [_text(one) for one in links]
    found = []
    for at, pane in enumerate(panes):
        label = targets.get(pane.get("id", "")) or (texts[at] if at < len(texts) else "")
        found.append(_Panel(label or pane.get("id", "") or f"Tab {at + 1}", pane))
    return found


def _handler(find: Find) -> ClassHandler:
    def handle(walker: Walker, element: HtmlElement, out: Lines) -> bool:
        found = find(element)
        return len(found) > 0 and panels(walker, found, out)

    return handle


def by_role(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """The panels of an element that holds a list of tabs."""
    return _handler(_by_role)(walker, element, out)


def from_list(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A list of tabs whose panels are near it in a tree that no class explains."""
    around = element.getparent()
    walker.searches += 1
    for _ in range(_NEAR if walker.searches <= _MOST_SEARCHES else 0):
        if around is None:
            return False
        if _count(around, "tabpanel") == 1 < _count(element, "tab"):
            return True  # tabs that filter one list, as in Javadoc, are no text
        found = _by_role(around)
        if found:
            told = [panel for panel in found if panel.content not in walker.told]
            walker.told.update(panel.content for panel in found)
            panels(walker, told, out)
            return True
        around = around.getparent()
    return False


def _count(element: HtmlElement, role: str) -> int:
    return sum(one.get("role") == role for one in element.iter())


def told(walker: Walker, element: HtmlElement, _out: Lines) -> bool:
    """Whether a panel was rendered with its list of tabs already."""
    return element in walker.told


def labels_of_panes(_walker: Walker, element: HtmlElement, _out: Lines) -> bool:
    """The labels of panes that follow: each is told with its pane."""
    after = element.getnext()
    return after is not None and (_has(after, "tab-content") or any(one.get("role") == "tabpanel" for one in after))


def _outermost(top: HtmlElement, found: list[HtmlElement]) -> list[HtmlElement]:
    """Panels that are not inside of others."""
    every = set(found)
    around = ([*takewhile(lambda outer: outer is not top, one.iterancestors())] for one in found)
    return [one for one, outer in zip(found, around, strict=True) if every.isdisjoint(outer)]


def _has(element: HtmlElement, name: str) -> bool:
    return isinstance(element.tag, str) and name in (element.get("class") or "").split()


def _text(element: HtmlElement) -> str:
    return " ".join(string_of(element).split())


CLASSES: dict[str, ClassHandler] = {
    "tabbed-set": _handler(_material),
    **dict.fromkeys(("sd-tab-set", "tab-set"), _handler(_labelled_in_turn)),
    **dict.fromkeys(("vp-code-group", "code-group"), _handler(_vitepress)),
    **dict.fromkeys(("sphinx-tabs", "tabs-container", "tabs", "tab-container", "tabbed", "codetabs"), by_role),
    "tab-content": _handler(_bootstrap),
    **dict.fromkeys(("nav-tabs", "nav-pills"), labels_of_panes),
}

ROLES: dict[str, ClassHandler] = {"tablist": from_list, "tabpanel": told}
