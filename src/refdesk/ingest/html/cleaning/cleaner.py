"""The door of cleaning: learn what a site repeats, then tell for each page what its content is."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from refdesk.ingest.html.tree import Document


@dataclass(frozen=True, slots=True)
class SiteProfile:
    """What is known of a whole site.

    Attributes:
        id: Changes when anything of it does; part of the `maker` of each page.
        generator: What made the site: `sphinx`, `mkdocs`, `docusaurus`, `vitepress`, `javadoc`, `rustdoc`, `doxygen`,
            `docbook`, `node`, `devdocs`, `unknown`.
        theme: Of the generator where it matters: `furo`, `rtd`, `pydata`, `classic`, `material`; empty otherwise.
        repeated: Fingerprints of blocks that its pages repeat.
    """

    id: str
    generator: str = "unknown"
    theme: str = ""
    repeated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What of a page is content.

    Attributes:
        content: The element that holds the main content.
        skip: Elements inside of it that are furniture or hidden.
        removed: Words that each step took out of the content.
        undone: Steps that would have taken too much and were undone.
        hidden: Hidden elements and comments that were taken out, counted by kind.
    """

    content: HtmlElement
    skip: AbstractSet[HtmlElement]
    removed: Mapping[str, int] = field(default_factory=dict)
    undone: tuple[str, ...] = ()
    hidden: Mapping[str, int] = field(default_factory=dict)


def learn(sample: Iterable[Document]) -> SiteProfile:
    """What a sample of a site's pages (tens of them, spread over the site) have in common."""
    raise NotImplementedError


def clean(document: Document, profile: SiteProfile) -> Cleaned:
    """Find the main content of a page and what of it a reader of the text does not want.

    A step that would take more than its share of words, code blocks or tables out of the content is undone.
    """
    raise NotImplementedError
