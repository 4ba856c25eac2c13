"""The door of rendering: options in, Markdown and the entries found on the way out."""

from collections.abc import Container
from dataclasses import dataclass

from lxml.html import HtmlElement

from refdesk.ingest.html.heads.head import Entry, FindHeads, no_heads


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


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of a tree.

    Attributes:
        markdown: Headings carry `{#id}` where their id is not the slug of their text. A panel of tabs is
            `<tab label="…">` and `</tab>` on lines of their own around its content; panels that follow one another are
            one group. Call-outs are quotations `> **Note:** …`.
        entries: API entries in the order of the text.
        panels: Panels of tabs that were rendered.
    """

    markdown: str
    entries: tuple[Entry, ...] = ()
    panels: int = 0


def render(root: HtmlElement, options: RenderOptions) -> Rendered:
    """Render all that an element holds."""
    raise NotImplementedError


def render_inline(element: HtmlElement, options: RenderOptions) -> str:
    """The content of an element as one line of inline Markdown: for titles, cells and descriptions of parameters."""
    raise NotImplementedError
