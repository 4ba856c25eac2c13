"""The values that finding API entries and rendering pages share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind


@dataclass(frozen=True, slots=True)
class Head:
    """The declaration of one API entry, found in the tree.

    Attributes:
        name: Qualified public name, `flask.Flask.route`.
        kind: What it is.
        anchor: Id that leads to it in the page.
        signatures: Declarations as one can copy them, one for each overload; no permalink signs, no spans.
        language: Of the signatures, as the info string of a fence: `python`, `c`, `java` …; empty if unknown.
        title: What its heading shows; short, `Flask.route()`.
        body: Elements that describe it, rendered below its heading. Empty for an entry that is a heading of the page
            (`by_heading`), whose text is what follows up to the next heading of its rank or a higher one.
        fields: Elements inside the body that list parameters, returns, errors: rendered in the page, but no part of
            the symbol's own text.
        by_heading: Whether the element itself is a heading of the page.
        after: Elements that describe it although they stand after it (text below a heading, or below a declaration
            that nothing was indented under). The renderer comes to them by itself.
        names: Further public spellings.
        since: Version that added it, where the declaration itself says so.
        shared: Name of the entry whose text describes this one too: several declarations above one text.
        canonical: False where the generator says that its proper place is another one: it is rendered like any entry,
            but no symbol is made of it.
    """

    name: str
    kind: SymbolKind
    anchor: str
    signatures: tuple[str, ...]
    language: str = ""
    title: str = ""
    body: tuple[HtmlElement, ...] = ()
    fields: tuple[HtmlElement, ...] = ()
    by_heading: bool = False
    after: tuple[HtmlElement, ...] = ()
    names: tuple[str, ...] = ()
    since: str = ""
    shared: str = ""
    canonical: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """A head with what the page says under it.

    Attributes:
        text: Markdown of its body without `fields` and without nested entries; empty if `by_heading`.
        parent: Name of the entry around it; empty at the top.
    """

    head: Head
    text: str
    parent: str = ""


FindHeads = Callable[[HtmlElement], Sequence[Head]]
"""Asked at each block element that the renderer comes to, before it looks at it itself.

An empty answer: an ordinary element. Otherwise the element is rendered as these entries, one after another, each as a
heading with its anchor, its signatures in one fence, and its body, in which heads are looked for again.
"""


def no_heads(_element: HtmlElement) -> Sequence[Head]:
    """For pages of a site that declares nothing."""
    return ()
