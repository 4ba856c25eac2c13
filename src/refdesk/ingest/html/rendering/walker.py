"""The walk over a tree: what is a paragraph, what a block, and who renders it.

Lines are collected in lists. A block appends its lines and one blank line. A container renders what it holds into a
list of its own and puts a mark before each line.
"""

from collections.abc import Callable, Mapping, Sequence

from lxml import etree
from lxml.html import HtmlElement

from refdesk.ingest.html.heads.head import Entry, Head, no_heads
from refdesk.ingest.html.rendering.addresses import Addresses
from refdesk.ingest.html.rendering.escaping import BREAK, escape, lines_of
from refdesk.ingest.html.rendering.options import RenderOptions
from refdesk.ingest.html.rendering.queries import holds_block, string_of
from refdesk.ingest.html.rendering.tags import ALWAYS_INLINE, BLOCK_TAGS, NO_TEXT

DEEPEST = 90
"""Elements inside one another that are rendered with their structure; deeper ones give their text and code only."""

DEEPEST_CONTAINER = 12
"""Lists and quotations inside one another; deeper ones are not indented further."""

_FEW = 4

Lines = list[str]
BlockHandler = Callable[["Walker", HtmlElement, Lines], None]
ClassHandler = Callable[["Walker", HtmlElement, Lines], bool]
InlineHandler = Callable[["Walker", HtmlElement, Lines], None]


class Walker:
    """Renders one tree; holds what the parts of the rendering share.

    Attributes:
        options: As given.
        addresses: Makes links absolute.
        level: Of the heading that the text stands under.
        lowest: Headings are not above this level: inside of an entry they are below the entry's own.
        container: Lists and quotations around the text.
        entries: Found so far; None where an entry is still being rendered.
        parents: Names of the entries around the text, the outermost first.
        fields: Elements that are no part of the text of the entry around them.
        after: Elements that stand after an entry and describe it → its number.
        searches: Times that a page was searched for the panels of a list of tabs.
        told: Panels of tabs that were rendered with the list of their labels.
        names: Elements in bold that are names of parameters.
        block_link: Where a link leads that holds blocks, until the first of them takes it.
        skips: Whether anything is to be left out at all.
        in_heading: Whether inline text is that of a heading, which has no links and no emphasis.
    """

    def __init__(
        self,
        options: RenderOptions,
        blocks: Mapping[str, BlockHandler],
        inlines: Mapping[str, InlineHandler],
        classes: Mapping[str, ClassHandler],
        roles: Mapping[str, ClassHandler],
        heads: Callable[["Walker", Sequence[Head], HtmlElement, Lines], None],
    ) -> None:
        self.options = options
        self.addresses = Addresses(options.base)
        self.level = 1
        self.lowest = 1
        self.container = 0
        self.depth = 0
        self.entries: list[Entry | None] = []
        self.parents: list[str] = []
        self.fields: set[HtmlElement] = set()
        self.after: dict[HtmlElement, int] = {}
        self.searches = 0
        self.told: set[HtmlElement] = set()
        self.names: set[HtmlElement] = set()
        self.block_link = ""
        self.in_heading = False
        self._blocks = blocks
        self._inlines = inlines
        self._classes = classes
        self._roles = roles
        self._heads = heads
        self._finds = options.find_heads is not no_heads
        self._skip = options.skip
        self.skips = options.skip != frozenset()

    def left_out(self, element: HtmlElement) -> bool:
        """Whether an element is not shown at all."""
        return element in self._skip

    def flow(self, element: HtmlElement, out: Lines) -> None:
        """All that an element holds: text as paragraphs, blocks as they are."""
        self.sequence(element.text, element, out)

    def sequence(self, text: str | None, children: Sequence[HtmlElement] | HtmlElement, out: Lines) -> None:
        """Text and elements that follow one another."""
        if self.depth >= DEEPEST:
            self._flat(text, children, out)
            return
        self.depth += 1
        run = [escape(text)] if text else []
        for child in children:
            run = self._child(child, run, out)
            if child.tail:
                run.append(escape(child.tail))
        if run:
            self.paragraph(run, out)
        self.depth -= 1

    def block(self, element: HtmlElement, out: Lines) -> None:
        """One element, whatever it is, without the text after it."""
        run = self._child(element, [], out)
        if run:
            self.paragraph(run, out)

    def by_class(self, element: HtmlElement, out: Lines) -> bool:
        """Whether one of an element's classes, or its role, says what it is, and it was rendered so."""
        names = element.get("class")
        if names:
            known = self._classes
            for name in names.split():
                handler = known.get(name)
                if handler is not None and handler(self, element, out):
                    return True
        role = element.get("role")
        if role:
            handler = self._roles.get(role)
            return handler is not None and handler(self, element, out)
        return False

    def transparent(self, element: HtmlElement, out: Lines) -> None:
        """An element that is no block by its name but holds blocks."""
        if self.by_class(element, out):
            return
        if element.tag == "a" and element.get("href") and not self.block_link:
            self.block_link = self.addresses.absolute(element.get("href", ""))
            self.flow(element, out)
            self.block_link = ""
        else:
            self.flow(element, out)

    def inline(self, element: HtmlElement, run: Lines) -> None:
        """What an element holds as inline pieces, without marks of its own; blocks inside are set apart by breaks."""
        if self.depth >= DEEPEST:
            run.append(escape(string_of(element)))
            return
        self.depth += 1
        if element.text:
            run.append(escape(element.text))
        for child in element:
            self.inline_element(child, run)
            if child.tail:
                run.append(escape(child.tail))
        self.depth -= 1

    def inline_element(self, child: HtmlElement, run: Lines) -> None:
        """One element inside of inline text."""
        tag = child.tag
        if not isinstance(tag, str) or tag in NO_TEXT or self.left_out(child):
            return
        handler = self._inlines.get(tag)
        if handler is not None:
            handler(self, child, run)
        elif tag == "pre":
            self._inlines["code"](self, child, run)
        elif tag in BLOCK_TAGS:
            run.append(BREAK)
            self.inline(child, run)
            run.append(BREAK)
        else:
            self.inline(child, run)

    def stray(self, element: HtmlElement, out: Lines) -> None:
        """Text that stands where only items, rows or cells may, as a paragraph."""
        run = [element.text or ""] + [child.tail or "" for child in element]
        if any(text and not text.isspace() for text in run):
            self.paragraph([escape(text) for text in run], out)

    def paragraph(self, run: Lines, out: Lines) -> None:
        """Write inline pieces as paragraphs."""
        for lines in lines_of(run):
            if self.block_link and len(lines) == 1 and not lines[0].startswith("["):
                lines[0] = f"[{lines[0]}]({self.block_link})"
                self.block_link = ""
            out += [f"{line}  " for line in lines[:-1]]
            out += (lines[-1], "")

    def _child(self, child: HtmlElement, run: Lines, out: Lines) -> Lines:
        """One element after the inline pieces `run`; returns the pieces that are not written yet."""
        tag = child.tag
        if child in self._skip:
            return run
        inline = self._inlines.get(tag)
        if inline is not None and not (len(child) and tag not in ALWAYS_INLINE and _is_mixed(child, 0)):
            inline(self, child, run)
            return run
        handler = self._blocks.get(tag)
        if handler is None and inline is None:
            if not isinstance(tag, str) or tag in NO_TEXT:
                return run
            if not (len(child) and _is_mixed(child, 0)):
                self.inline(child, run)
                return run
        if run:
            self.paragraph(run, out)
        if handler is None:
            self.transparent(child, out)
        else:
            self._block(handler, child, out)
        return []

    def _block(self, handler: BlockHandler, element: HtmlElement, out: Lines) -> None:
        start = len(out)
        if self._finds:
            found = self.options.find_heads(element)
            if found:
                self._heads(self, found, element, out)
                return
        if not self.container and element in self.fields:
            out.append(ASIDE_BEGINS)
            handler(self, element, out)
            out.append(ASIDE_ENDS)
        else:
            handler(self, element, out)
        if self.after and element in self.after:
            self._add_to_entry(self.after[element], out[start:])

    def _add_to_entry(self, number: int, lines: Lines) -> None:
        entry = self.entries[number]
        text = own_text(lines)
        if entry is not None and text:
            self.entries[number] = Entry(entry.head, f"{entry.text}\n\n{text}".strip(), entry.parent)

    def _flat(self, text: str | None, children: Sequence[HtmlElement] | HtmlElement, out: Lines) -> None:
        """What is nested too deeply: its text as paragraphs, its code as code, without recursion."""
        run = [escape(text)] if text else []
        code = self._blocks["pre"]
        for child in children:
            inside = 0  # elements around that are no text
            for event, element in etree.iterwalk(child, events=("start", "end", "comment", "pi")):
                tag = element.tag
                quiet = not isinstance(tag, str) or tag == "pre" or tag in NO_TEXT or element in self._skip
                if not inside and tag in BLOCK_TAGS:
                    self.paragraph(run, out)
                    run = []
                if event == "start":
                    if not inside and tag == "pre" and element not in self._skip:
                        code(self, element, out)
                    inside += quiet
                elif event == "end":
                    inside -= quiet
                text = element.text if event == "start" else element.tail if element is not child else None
                if text and not inside:
                    run.append(escape(text))
            if child.tail:
                run.append(escape(child.tail))
        self.paragraph(run, out)


def _is_mixed(element: HtmlElement, depth: int) -> bool:
    """Whether an inline element holds a block; most hold next to nothing."""
    for child in element:
        if child.tag in BLOCK_TAGS:
            return True
        if len(child) and (holds_block(child) if depth > _FEW else _is_mixed(child, depth + 1)):
            return True
    return False


ASIDE_BEGINS, ASIDE_ENDS = "\x05", "\x06"
"""Lines around what is no part of the text of the entry around it: nested entries and lists of parameters. There are
none inside of lists and quotations, which look at their first line."""


def own_text(lines: Lines) -> str:
    """The lines that are the entry's own, as text."""
    kept: Lines = []
    aside = 0
    for line in lines:
        if ASIDE_BEGINS in line:
            aside += 1
        elif ASIDE_ENDS in line:
            aside -= 1
        elif not aside:
            kept.append(line)
    return "\n".join(kept).strip("\n").rstrip()


def prefixed(lines: Lines, first: str, rest: str) -> Lines:
    """Lines behind the marks of a container; blank lines at the end are gone."""
    while lines and not lines[-1]:
        lines.pop()
    bare = rest.rstrip()
    marked = [rest + line if line else bare for line in lines]
    if marked:
        marked[0] = first + lines[0]
    return marked
