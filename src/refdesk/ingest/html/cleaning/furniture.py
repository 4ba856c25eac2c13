"""What inside of the content is furniture: suspected by tag, role, name or words, judged by what it holds."""

from collections.abc import Callable, Iterator
from itertools import islice
from types import MappingProxyType

from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning.measure import Ruler, Size, count_words, holds
from refdesk.ingest.html.cleaning.vocabulary import (
    PERMALINK,
    is_button_link,
    is_callout,
    is_panel,
    kind_of_name,
    kind_of_opening,
    kind_of_saying,
    may_be_said,
)

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_SUSPECTS = (
    "div", "section", "nav", "header", "footer", "aside", "form", "button", "ul", "ol", "table", "p", "a", "dialog",
    "details", "label", "select", "textarea", "input", "fieldset", "search", "menu", "small", "center", "dl", "span",
    "img",
)  # fmt: skip
_FEW = ("div", "nav", "header", "footer", "aside", "form", "button", "input", "select", "textarea", "dialog", "search")
"""Where a generator is known."""

_BY_TAG = MappingProxyType({
    "nav": "navigation", "search": "search", "footer": "navigation", "header": "navigation", "aside": "related",
    "form": "forms", "button": "buttons", "select": "forms", "textarea": "forms", "input": "forms", "dialog": "banners",
    "menu": "navigation",
})  # fmt: skip
_BY_ROLE = MappingProxyType({
    "navigation": "navigation", "search": "search", "banner": "navigation", "contentinfo": "navigation",
    "toolbar": "copy menus", "menu": "copy menus", "menubar": "navigation", "dialog": "banners",
    "alertdialog": "banners", "complementary": "related", "directory": "contents", "doc-toc": "contents",
    "tooltip": "copy menus", "progressbar": "forms", "slider": "forms",
})  # fmt: skip
_NAMED_BY_TEXT = frozenset({"section", "dl", "p", "a", "span", "table", "small", "label"})
"""Ids of these come from headings and index entries: `section#search` documents searching."""

_SPEAKERS = frozenset(
    {"a", "button", "p", "div", "span", "h2", "h3", "h4", "h5", "h6", "strong", "label", "small", "summary"}
)
_INLINE = frozenset({"span", "a", "strong", "label", "button", "small"})
_SHORT = frozenset({"copy menus", "pager", "share"})
_PROSE_AROUND = frozenset({"p", "li", "td", "dd", "th", "dt", "code", "pre"})
_AROUND_INLINE = frozenset({*_PROSE_AROUND, "span", "em", "strong", *HEADINGS})
_SIGNS = frozenset({"", "#", "¶", "§", "🔗", "link", "permalink", "\uf0c1", "¶¶", "anchor"})
_MOSTLY = 0.6
_TITLE = 12
_LONG = frozenset({"feedback", "legal", "related"})
_AFTER = 6
"""Words that may follow a saying in its own element: a date, a name."""

_CONTAINER = 40
"""Words of the largest block that is furniture because of what a part of it says."""


class Furniture:
    """Finds furniture below one element."""

    def __init__(self, ruler: Ruler, *, exact: bool = False) -> None:
        """Take what measures; with `exact` rules for a known generator, words and links say nothing more."""
        self._ruler = ruler
        self._exact = exact

    def find(self, root: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
        """Steps and what they would take, in the order of the text; elements inside of others may follow."""
        seen: set[HtmlElement] = set()
        for element in root.iter(*(_FEW if self._exact else _SUSPECTS)):
            if element is root or self._ruler.exhausted:
                continue
            parent = element.getparent()
            if parent in seen:
                seen.add(element)
                continue
            step = self._judge(element)
            if step:
                seen.add(element)
                yield step, element
        if not self._exact:
            yield from self._sayings(root, seen)

    def _judge(self, element: HtmlElement) -> str:
        tag = element.tag
        names = element.get("class") or ""
        if tag == "img":
            return "icons" if _is_icon(element) else ""
        if tag == "a":
            return self._permalink(element, names)
        if tag in {"span", "p"}:
            return self._named(element, kind_of_name(names)) if names else ""
        role = element.get("role")
        if role in ("tabpanel", "note", "alert", "tablist", "tab", "main"):
            return ""
        if names and (is_callout(names) or is_panel(names)):
            return ""
        step = _BY_ROLE.get(role, "") if role else ""
        step = step or (kind_of_name(names) if names else "") or self._by_id(element, tag)
        if not step:
            step = _BY_TAG.get(tag, "")
        elif tag == "aside" and step == "navigation":
            step = "related"
        return self._named(element, step)

    def _named(self, element: HtmlElement, step: str) -> str:
        if not step:
            return ""
        test = _TESTS.get(step, _small)
        return step if test(element, self._ruler.size(element)) else ""

    @staticmethod
    def _by_id(element: HtmlElement, tag: str) -> str:
        name = element.get("id")
        if not name or tag in _NAMED_BY_TEXT:
            return ""
        first = next(element.iterchildren("*"), None)
        return "" if first is not None and first.tag in HEADINGS else kind_of_name(name)

    def _permalink(self, element: HtmlElement, names: str) -> str:
        named = kind_of_name(names) if names else ""
        if named and named != PERMALINK:
            return self._named(element, named) if named in ("skip links", "edit links", "copy menus") else ""
        href = element.get("href") or ""
        if is_button_link(names) or element.get("role") == "button":
            return "buttons" if self._stands_alone(element) else ""
        if element.get("hreflang") and not _in_sentence(element):
            return "versions"
        if not href.startswith("#") and not (named and "#" in href):
            return ""
        text = "".join(element.itertext()).strip() if named or len(element) < 2 else "?"
        if text.lower() in _SIGNS:
            return PERMALINK
        around = element.getparent()
        alone = (
            around is not None and around.tag in HEADINGS and len("".join(around.itertext()).strip()) <= len(text) + 1
        )
        return PERMALINK if named and not alone and len(text) < 80 and not holds(element, *HEADINGS) else ""

    def _stands_alone(self, element: HtmlElement) -> bool:
        """Whether a link that looks like a button has nothing but links beside it: a call to action."""
        around = element.getparent()
        if around is None or self._ruler.size(element).words > 6 or around.tag in (*HEADINGS, "td", "dt"):
            return False
        return around.tag not in _PROSE_AROUND or self._ruler.size(around).prose == 0

    def _sayings(self, root: HtmlElement, seen: set[HtmlElement]) -> Iterator[tuple[str, HtmlElement]]:
        for element in list(root.iter(*_SPEAKERS)):
            text = element.text
            if element is root or text is None or not may_be_said(text) or element in seen or self._ruler.exhausted:
                continue
            step = kind_of_saying(text) or self._closing(element, text, root)
            if not step and 0 < len(element) < 4 and element.tag in ("p", "div"):
                step = kind_of_saying(" ".join(element.itertext()))
            if not step or (step in _SHORT and element.tag not in ("a", "button")):
                continue
            if step not in _LONG and self._ruler.size(element).prose > count_words(text) + _AFTER:
                continue
            block = self._block(element, root, step)
            if block is not None and block not in seen:
                seen.add(block)
                yield step, block
                if step == "contents":
                    yield from self._list_after(block)

    def _closing(self, element: HtmlElement, text: str, root: HtmlElement) -> str:
        """Furniture of whole sentences: rights at the end of a page, links to other articles in between."""
        hint = kind_of_opening(text)
        if hint == "legal":
            return hint if self._ruler.size(element).words <= 60 and _is_last(element, root) else ""
        block = element if element.tag in ("p", "div") else element.getparent()
        if hint != "related" or block is None or block.tag not in ("p", "div", "li"):
            return ""
        size = self._ruler.size(block)
        return hint if size.words <= 30 and size.links and size.prose <= 6 else ""

    def _block(self, element: HtmlElement, root: HtmlElement, step: str) -> HtmlElement | None:
        """The largest small block whose reason is that saying; none if the words are part of a sentence."""
        block = element
        if self._is_said_in_prose(element):
            return None
        while True:
            parent = block.getparent()
            if (
                parent is None
                or parent is root
                or parent.tag in ("body", "main", "article", "tr", "table", "pre", "code")
            ):
                break
            size = self._ruler.size(parent)
            if size.words > _CONTAINER or holds(parent, "pre", "h1", "table", "img"):
                break
            if size.words > self._ruler.size(block).words and not _may_grow(parent, block, step):
                break
            block = parent
        if step == "contents" and not self._is_about_links(block):
            return None
        return block

    def _is_said_in_prose(self, element: HtmlElement) -> bool:
        """Whether inline words have others around them, which are not those of further links."""
        parent = element.getparent()
        if element.tag not in _INLINE or parent is None or parent.tag not in _AROUND_INLINE:
            return False
        own = 0 if element.tag == "a" else self._ruler.size(element).prose
        return self._ruler.size(parent).prose > own + 2

    def _is_about_links(self, block: HtmlElement) -> bool:
        if self._ruler.size(block).links:
            return self._ruler.size(block).prose <= 12
        return next(self._list_after(block), None) is not None

    def _list_after(self, block: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
        following = block.getnext()
        if following is None or following.tag not in ("ul", "ol", "div", "nav") or not _local_links(following):
            return
        if self._ruler.size(following).link_share > _MOSTLY:
            yield "contents", following


def _may_grow(parent: HtmlElement, block: HtmlElement, step: str) -> bool:
    """Whether what stands beside a saying belongs to it: buttons, links and short words, not a paragraph."""
    if step in ("copy menus", "contents", "skip links"):
        return (
            parent.tag not in _PROSE_AROUND
            and all(
                child is block or child.tag in ("a", "button", "span", "svg", "ul", "ol", "nav", "i")
                for child in parent
            )
            and not (parent.text or "").strip()
        )
    return parent.tag not in ("li", "td", "dd") and not any(
        child.tag in HEADINGS[:2] for child in parent if child is not block
    )


def _is_icon(image: HtmlElement) -> bool:
    """A picture beside the words of a link, a button or a heading: it says what they say."""
    said = image.get("alt")
    if not said:
        return False
    if said.lower().split()[-1:] in (["icon"], ["logo"]):
        return True
    for around in islice(image.iterancestors(), 3):
        if around.tag in ("a", "button", *HEADINGS):
            return bool("".join(around.itertext()).strip())
    return False


def _is_last(element: HtmlElement, root: HtmlElement) -> bool:
    """Whether no heading and no code follows."""
    met = False
    for one in root.iter(element.tag, *HEADINGS[:3], "pre"):
        met = met or one is element
        if met and one is not element and one.tag != element.tag:
            return False
    return True


def _in_sentence(element: HtmlElement) -> bool:
    parent = element.getparent()
    if parent is None or parent.tag not in _AROUND_INLINE:
        return False
    own = "".join(element.itertext()).strip()
    return len("".join(parent.itertext()).strip()) > len(own) + 3


def _local_links(element: HtmlElement) -> bool:
    links = [link.get("href") or "" for link in element.iter("a")]
    return bool(links) and sum("#" in link for link in links) >= 0.8 * len(links)


def _small(element: HtmlElement, size: Size) -> bool:
    """Few words that are not links, and nothing that only content has."""
    if size.words == 0:
        return not holds(element, "img", "pre", "table", "math", "figure", "video", "iframe")
    return size.prose <= 60 and not holds(element, "pre", "table", "h1", "dl", "blockquote")


def _linked(element: HtmlElement, size: Size) -> bool:
    """Mostly links, or almost nothing."""
    return (size.link_share >= 0.5 or size.prose <= 8) and not holds(element, "pre", "h1")


def _contents(element: HtmlElement, size: Size) -> bool:
    """Links to places of the same page."""
    if size.links == 0:
        return size.words <= 8
    return size.prose <= max(12, 0.5 * size.words) and _local_links(element) and not holds(element, "pre", "h1")


def _aside(element: HtmlElement, size: Size) -> bool:
    """A side menu, not a call-out: mostly links, or a list of sections."""
    return size.words == 0 or (size.links >= 2 and size.link_share >= 0.5 and not holds(element, "pre", "h1"))


def _form(element: HtmlElement, size: Size) -> bool:
    """Something to fill in, not a form around the text of a page."""
    if element.tag in ("select", "textarea", "input"):
        return True
    return size.prose <= 60 and not holds(element, "pre", "table", "h1", "dl", "article", "main")


def _button(element: HtmlElement, size: Size) -> bool:
    """Something to press; the title of a folded part and a button in a sentence are text."""
    if size.words > _TITLE:
        return False
    parent = element.getparent()
    if parent is not None and (parent.tag in HEADINGS or parent.tag == "dt" or _in_sentence(element)):
        return False
    return not (element.get("aria-expanded") and size.words > 2 and element.get("aria-haspopup") is None)


def _landmark(element: HtmlElement, size: Size) -> bool:
    """A head or foot that says little; a header that holds the title stays, its parts are judged by themselves."""
    if holds(element, "pre", "h1", "blockquote") or (size.prose > 100 and holds(element, "table")):
        return False
    if element.tag == "header":
        return size.link_share >= 0.5 or (size.prose <= 15 and not holds(element, *HEADINGS))
    if element.tag == "nav" or element.get("role") in ("navigation", "menubar"):
        return size.link_share >= 0.4 or size.prose <= 30
    if element.tag in ("footer", "menu") or (element.get("class") or element.get("id") or "").endswith("footer"):
        return (size.prose <= 100 or size.link_share > 0.5) and not _quotes(element)
    return _linked(element, size)


def _quotes(element: HtmlElement) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag in ("blockquote", "figure", "li", "td")


_TESTS: MappingProxyType[str, Callable[[HtmlElement, Size], bool]] = MappingProxyType({
    "breadcrumbs": lambda element, size: size.words <= 40 and not holds(element, "pre", "h1", "table"),
    "contents": _contents,
    "pager": _linked,
    "navigation": _landmark,
    "related": _aside,
    "versions": lambda element, size: size.words <= 400 and _linked(element, size),
    "forms": _form,
    "buttons": _button,
    "copy menus": lambda element, size: size.words <= 40 and not holds(element, "pre", "h1", "table", "code"),
    "skip links": lambda _element, size: size.words <= 12,
    PERMALINK: lambda element, size: size.words <= 10 and not holds(element, *HEADINGS, "pre", "code"),
})  # fmt: skip
"""What an element that a step suspects must look like; `_small` for the other steps."""
