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
        visible: Whether what a reader does not see at first (hidden tab panels, closed details) is left out.
    """

    base: str = ""
    skip: Container[HtmlElement] = frozenset()
    find_heads: FindHeads = no_heads
    visible: bool = False
