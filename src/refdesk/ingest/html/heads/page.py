"""What the finders of all generators share: what they know of the page, and what they hand back."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.inventory import Inventory

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

Found = Mapping[HtmlElement, Sequence[Head]]


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one page. Called with an element, it answers as `FindHeads` does.

    Attributes:
        found: Element → what it declares.
        absorbed: Elements that only say again what a head says (Doxygen's heading above a declaration): to be left
            out beside what cleaning leaves out.
    """

    found: Found = field(default_factory=dict)
    absorbed: frozenset[HtmlElement] = frozenset()

    def __call__(self, element: HtmlElement) -> Sequence[Head]:
        """What an element declares; empty for an ordinary one."""
        return self.found.get(element, ())


@dataclass(frozen=True, slots=True)
class Subject:
    """A page in which heads are looked for.

    Attributes:
        page: Address or path, to find it in the inventory; empty if unknown.
    """

    root: HtmlElement
    page: str = ""
    inventory: Inventory = field(default_factory=Inventory)


def has_class(element: HtmlElement, name: str) -> bool:
    """Whether an element has a class."""
    names = element.get("class")
    return names is not None and name in names and name in names.split()


def first(element: HtmlElement, tag: str, name: str = "") -> HtmlElement | None:
    """The first descendant with this tag, and class if one is named."""
    return next((one for one in element.iter(tag) if not name or has_class(one, name)), None)


def empty(element: HtmlElement) -> bool:
    """Whether an element holds neither text nor elements."""
    return not len(element) and not (element.text or "").strip()


def following(element: HtmlElement, stops: Container[HtmlElement]) -> tuple[HtmlElement, ...]:
    """What stands after an element, up to the next heading, section or declaration."""
    return tuple(_following(element, stops))


def _following(element: HtmlElement, stops: Container[HtmlElement]) -> Iterator[HtmlElement]:
    for one in element.itersiblings():
        if one.tag in HEADINGS or one.tag == "section" or one in stops or has_class(one, "section"):
            return
        if isinstance(one.tag, str):
            yield one


def heading_level(element: HtmlElement) -> int:
    """1 to 6 for a heading, 0 for anything else."""
    return int(element.tag[1]) if element.tag in HEADINGS else 0
