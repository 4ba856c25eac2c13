"""How much text, link text, code and tables an element holds, counted below Python and at bounded cost."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

NO_TEXT = ("script", "style", "template", "noscript")
"""Elements whose text nobody reads."""

_WORD = re.compile(r"\w+")
_READINGS = 6
"""How many times the text of a page may be read in all: elements nest, so reading each one's text has no bound."""
_ALLOWANCE = 200_000


@dataclass(frozen=True, slots=True)
class Size:
    """What an element holds.

    Attributes:
        words: All of its words.
        linked: Those inside of links.
        links: Links that have words.
    """

    words: int
    linked: int
    links: int

    @property
    def prose(self) -> int:
        """Words outside of links."""
        return max(self.words - self.linked, 0)

    @property
    def link_share(self) -> float:
        """How much of its text is links, 0 to 1; 1 without any text."""
        return min(self.linked / self.words, 1.0) if self.words else 1.0


Finder = Callable[[HtmlElement], list[HtmlElement]]
Predicate = Callable[[HtmlElement], bool]


def finder(path: str) -> Finder:
    """Elements that an XPath finds from one."""
    return cast("Finder", etree.XPath(path))


def predicate(path: str) -> Predicate:
    """Whether an XPath is true of an element."""
    return cast("Predicate", etree.XPath(path))


class Ruler:
    """Measures elements of one tree and remembers what it measured.

    When the elements that were asked for hold many times the text of the page in all, as those of hostile nesting do,
    `exhausted` becomes true, and the caller stops looking for more.
    """

    def __init__(self, root: HtmlElement) -> None:
        self._sizes: dict[HtmlElement, Size] = {}
        self._left = _ALLOWANCE + _READINGS * len(_text(root))

    @property
    def exhausted(self) -> bool:
        """Whether no more may be measured."""
        return self._left <= 0

    def text(self, element: HtmlElement) -> str:
        """All that can be read of an element, as it stands."""
        found = _text(element)
        self._left -= len(found)
        return found

    def size(self, element: HtmlElement) -> Size:
        """What an element holds."""
        known = self._sizes.get(element)
        if known is None:
            words = max(count_words(self.text(element)) - _unread(element), 0)
            linked = [count_words(_text(link)) for link in element.iter("a")] if words else []
            known = Size(words, sum(linked), sum(map(bool, linked)))
            self._sizes[element] = known
        return known


def count_words(text: str) -> int:
    """Words as a reader counts them; signs alone are none."""
    return len(_WORD.findall(text))


def holds(element: HtmlElement, *tags: str) -> bool:
    """Whether an element of one of these tags is below it (or is itself one)."""
    return next(element.iter(*tags), None) is not None


def _text(element: HtmlElement) -> str:
    return str(etree.tostring(element, method="text", encoding="unicode", with_tail=False))


def _unread(element: HtmlElement) -> int:
    return sum(count_words(_text(silent)) for silent in element.iter(*NO_TEXT))
