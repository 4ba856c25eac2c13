"""The door of rendering: options in, Markdown and the entries found on the way out."""

from dataclasses import dataclass

from lxml.html import HtmlElement

from refdesk.ingest.html.heads.head import Entry
from refdesk.ingest.html.rendering import blocks, callouts, code, details, inline, lists, maths, notes, tables, tabs
from refdesk.ingest.html.rendering.entries import entries
from refdesk.ingest.html.rendering.escaping import one_line
from refdesk.ingest.html.rendering.options import RenderOptions
from refdesk.ingest.html.rendering.walker import ASIDE_BEGINS, ASIDE_ENDS, Lines, Walker

_BLOCKS = {
    **blocks.BLOCKS, **code.BLOCKS, **lists.BLOCKS, **tables.BLOCKS, **details.BLOCKS,
}  # fmt: skip
_INLINES = {**inline.INLINES, **maths.INLINES}
_CLASSES = {
    **blocks.CLASSES, **callouts.CLASSES, **code.CLASSES, **lists.CLASSES, **maths.CLASSES, **notes.CLASSES,
    **tables.CLASSES, **tabs.CLASSES,
}  # fmt: skip
_ROLES = {**callouts.ROLES, **tabs.ROLES}
_RENDERED_ITSELF = frozenset({"pre", "table", "ul", "ol", "dl", "details", "blockquote", "textarea", "h1", "h2", "h3"})


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of a tree.

    Attributes:
        markdown: Headings carry `{#id}` where their id is not the slug of their text. A panel of tabs is
            `<tab label="…">` and `</tab>` on lines of their own around its content; panels that follow one another are
            one group. Call-outs are quotations `> **Note:** …`.
        entries: API entries in the order of the text.
    """

    markdown: str
    entries: tuple[Entry, ...] = ()


def render(root: HtmlElement, options: RenderOptions) -> Rendered:
    """Render all that an element holds."""
    walker = _walker(options)
    out: Lines = []
    if root.tag in _RENDERED_ITSELF:
        walker.block(root, out)
    else:
        walker.flow(root, out)
    kept = [line for line in out if ASIDE_BEGINS not in line and ASIDE_ENDS not in line] if walker.entries else out
    found = tuple(entry for entry in walker.entries if entry is not None)
    return Rendered("\n".join(kept).strip("\n"), found)


def render_inline(element: HtmlElement, options: RenderOptions) -> str:
    """The content of an element as one line of inline Markdown: for titles, cells and descriptions of parameters."""
    walker = _walker(options)
    run: Lines = []
    walker.inline(element, run)
    return one_line(run)


def _walker(options: RenderOptions) -> Walker:
    return Walker(options, _BLOCKS, _INLINES, _CLASSES, _ROLES, entries)
