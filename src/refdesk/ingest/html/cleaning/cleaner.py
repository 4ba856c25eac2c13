"""The door of cleaning: learn what a site repeats, then tell for each page what its content is."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import takewhile

from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning.furniture import Furniture
from refdesk.ingest.html.cleaning.generators import UNKNOWN, Generator, content_of, known, recognise
from refdesk.ingest.html.cleaning.hidden import COMMENTS, comments, hidden_elements
from refdesk.ingest.html.cleaning.main_content import find_content
from refdesk.ingest.html.cleaning.measure import Ruler
from refdesk.ingest.html.cleaning.repetition import blocks, fingerprint, repeated_blocks
from refdesk.ingest.html.tree import Document

RULES = "cleaning-1"
"""Changes whenever the same page would be cleaned otherwise."""


@dataclass(frozen=True, slots=True)
class SiteProfile:
    """What is known of a whole site.

    Attributes:
        id: Changes when anything of it does; part of the `maker` of each page.
        generator: What made the site: `sphinx`, `mkdocs`, `docusaurus`, `vitepress`, `javadoc`, `rustdoc`, `doxygen`,
            `docbook`, `asciidoc`, `mdbook`, `mediawiki`, `node`, `devdocs`, `unknown`.
        theme: Of the generator where it matters: `furo`, `rtd`, `pydata`, `zzzeek`, `django`, `classic`, `material`;
            empty otherwise.
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


_DEFAULT_SHARE = 0.25
_SHARES: Mapping[str, float] = {"hidden": 0.5, "repeated": 0.3, "edges": 0.3}
_WORD_LENGTH = 6
_ALWAYS = 40
"""Words outside of links that any step may take, however short the page is."""


def learn(sample: Iterable[Document]) -> SiteProfile:
    """What a sample of a site's pages (tens of them, spread over the site) have in common."""
    pages = list(sample)
    votes = Counter(recognise(page.root) for page in pages)
    generator = votes.most_common(1)[0][0] if votes else UNKNOWN
    contents = [_content(page.root, generator, Ruler(page.root))[0] for page in pages]
    repeated = repeated_blocks(contents)
    state = "\n".join([RULES, generator.name, generator.theme, *sorted(repeated)])
    digest = hashlib.blake2b(state.encode(), digest_size=6).hexdigest()
    return SiteProfile(digest, generator.name, generator.theme, repeated)


def clean(document: Document, profile: SiteProfile) -> Cleaned:
    """Find the main content of a page and what of it a reader of the text does not want.

    A step that would take more than its share of words, code blocks or tables out of the content is undone.
    """
    ruler = Ruler(document.root)
    generator = known(profile.generator, profile.theme)
    if generator.roots and content_of(document.root, generator) is None:
        generator = recognise(document.root)  # a site may hold pages of several
    content, edges = _content(document.root, generator, ruler)
    found: dict[HtmlElement, str] = {}
    hidden: dict[HtmlElement, str] = {}
    for way, element in hidden_elements(content):
        hidden.setdefault(element, way)
        found.setdefault(element, "hidden")
    for step, path in generator.compiled:
        found.update((element, step) for element in path(content) if element not in found)
    for step, element in Furniture(ruler, exact=generator is not UNKNOWN).find(content):
        found.setdefault(element, step)
    for element in edges:
        found.setdefault(element, "edges")
    if profile.repeated:
        for element in blocks(content):
            if element not in found and fingerprint(element) in profile.repeated:
                found[element] = "repeated"
    return _decide(content, found, hidden, ruler)


def _content(root: HtmlElement, generator: Generator, ruler: Ruler) -> tuple[HtmlElement, list[HtmlElement]]:
    stated = content_of(root, generator)
    if stated is not None and ruler.text(stated).strip():
        return stated, []
    return find_content(root, ruler)


def _decide(
    content: HtmlElement, found: Mapping[HtmlElement, str], hidden: Mapping[HtmlElement, str], ruler: Ruler
) -> Cleaned:
    """Keep to each step's share: what is largest is given back first."""
    outermost = [element for element in found if not any(above in found for above in _above(element, content))]
    prose = len(ruler.text(content)) // _WORD_LENGTH
    code, tables = _count(content, "pre"), _tables(content)
    steps: dict[str, list[HtmlElement]] = {}
    for element in outermost:
        steps.setdefault(found[element], []).append(element)
    skip: set[HtmlElement] = set()
    removed: dict[str, int] = {}
    undone: list[str] = []
    for step, elements in steps.items():
        share = _SHARES.get(step, _DEFAULT_SHARE)
        limits = max(share * prose, _ALWAYS), share * code, max(share * tables, 1)
        kept = _within(elements, limits, ruler)
        if len(kept) < len(elements):
            undone.append(step)
        skip.update(kept)
        words = sum(ruler.size(element).words for element in kept)
        if words:
            removed[step] = words
    counts = Counter(way for element, way in hidden.items() if element in skip)
    remarks = comments(content)
    if remarks:
        counts[COMMENTS] = remarks
    return Cleaned(content, skip, removed, tuple(undone), dict(counts))


def _within(elements: list[HtmlElement], limits: tuple[float, float, float], ruler: Ruler) -> list[HtmlElement]:
    """As many of the elements as stay within the limits of words, code blocks and tables, the smallest first."""
    kept: list[HtmlElement] = []
    spent = [0, 0, 0]
    for element in sorted(elements, key=lambda one: ruler.size(one).prose):
        cost = ruler.size(element).prose, _count(element, "pre"), _tables(element)
        after = [have + more for have, more in zip(spent, cost, strict=True)]
        if all(more == 0 or now <= limit for more, now, limit in zip(cost, after, limits, strict=True)):
            kept.append(element)
            spent = after
    return kept


def _above(element: HtmlElement, content: HtmlElement) -> Iterator[HtmlElement]:
    return takewhile(lambda one: one is not content, element.iterancestors())


def _count(element: HtmlElement, tag: str) -> int:
    return sum(1 for _ in element.iter(tag))


def _tables(element: HtmlElement) -> int:
    """Tables with headers: others may only lay out a page."""
    return sum(1 for table in element.iter("table") if next(table.iter("th"), None) is not None)
