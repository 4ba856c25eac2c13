"""How a tree is rendered."""

from collections.abc import Container
from dataclasses import dataclass

from lxml.html import HtmlElement

from refdesk.ingest.html.heads.head import FindHeads, no_heads


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a tree is rendered.

    Attributes:
        base: What relative links and images become absolute against; empty leaves them as they are.
        skip: Elements that are left out with all that they hold.
        find_heads: Finds API entries.
        visible: Whether what only stands in attributes or is never shown (texts of images, hidden lines of samples) is
            left out. Panels of tabs and folded parts stay: a reader can open them.
    """

    base: str = ""
    skip: Container[HtmlElement] = frozenset()
    find_heads: FindHeads = no_heads
    visible: bool = False
