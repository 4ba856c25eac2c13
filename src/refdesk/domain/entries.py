"""Entries: what ingesting makes of a source, before it is stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol

ContentType = Literal[
    "api_reference", "code_example", "concept", "howto", "configuration", "error", "changelog", "metadata"
]

RelationKind = Literal["member", "parameter_type", "returns", "raises", "replaced_by", "defines", "mentions", "example"]

ProblemCause = Literal["", "fetching", "others"]


@dataclass(frozen=True, slots=True)
class Page:
    """A document for reading.

    Attributes:
        path: Unique in the release, as the source names it (`guide/install.md`, `README.md`); a page id.
        markdown: The whole text.
        url: Where people read it; empty if nowhere.
    """

    path: str
    title: str
    markdown: str
    content_type: ContentType
    url: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of search: one meaning, readable by itself.

    Attributes:
        id: Unique in the release and stable over rebuilds: `api/PutObject`, `page/guide/install.md#2`.
        title: What a hit shows first.
        heading: Titles from the page's root to this section.
        text: Markdown that a hit is made from; balanced fences.
        names: Identifiers that lead here (symbol names, headings that are names): indexed in the column of names.
        terms: Further words to index that `text` does not show (parameter names and docs); not stored.
        symbol: Canonical name of the symbol that it describes; empty for text of a page.
        page: Path of the page that it was cut from; empty for a symbol.
        anchor: Section inside the page.
        languages: Programming languages of its code.
        facets: Labels of the tabs that it stands under, as written: `Python 3.10+`, `npm`. Variants of one text that
            became one chunk give it all their labels.
        mentions: Canonical names of other symbols of the release that its text names.
        warning: What is suspicious about its text (it addresses an agent, it hides something); empty for most.
    """

    id: str
    title: str
    text: str
    content_type: ContentType
    heading: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    terms: str = ""
    symbol: str = ""
    page: str = ""
    anchor: str = ""
    url: str = ""
    languages: tuple[str, ...] = ()
    deprecated: bool = False
    facets: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed link from a symbol or page to a symbol, by names."""

    source: str
    kind: RelationKind
    target: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of the source that was not, or not wholly, taken over; listed, never silent.

    Attributes:
        path: Of the file, or the name of the entry, that it is about.
        cause: `fetching` where the source could not get it or did not want it, `others` where an entry was left out
            for the sake of what else the release holds; empty where the bytes themselves are the cause.
    """

    path: str
    message: str
    cause: ProblemCause = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """What of a page can be counted before and after it is converted."""

    code: int = 0
    tables: int = 0
    panels: int = 0
    headings: int = 0
    words: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class Fidelity:
    """The receipt of one page of a site: what was there, what was kept.

    Attributes:
        path: Of the page.
        sha256: Hash of the bytes that it was made from.
        maker: Id of the converter and of what it had learnt of the site: the same bytes and the same maker give the
            same page.
        generator: What made the site (`sphinx`, `javadoc` …); `unknown` for the generic way.
        before: The page's main content as it was served.
        after: Its Markdown.
        removed: Words that each step of cleaning took out of the main content.
        undone: Steps that would have taken too much and were undone.
    """

    path: str
    sha256: str
    maker: str
    generator: str
    before: Counts
    after: Counts
    removed: Mapping[str, int] = field(default_factory=dict)
    undone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageEntries:
    """All that was made of one page of a site."""

    page: Page
    fidelity: Fidelity
    symbols: tuple[Symbol, ...] = ()
    relations: tuple[Relation, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Entries:
    """Everything that one release holds.

    Attributes:
        fidelity: Receipts of the pages that were converted from HTML.
        updated: The date that the entries themselves state, where the source stated none; None if they state none.
    """

    symbols: Sequence[Symbol] = ()
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    pages: Sequence[Page] = ()
    chunks: Sequence[Chunk] = ()
    relations: Sequence[Relation] = ()
    problems: Sequence[Problem] = ()
    fidelity: Sequence[Fidelity] = ()
    updated: Updated | None = None


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """What a source hands to ingesting: the bytes of one release and where they came from.

    Attributes:
        format: Which parser reads them: `aws`, `discovery`, `python`, `markdown`, `site`.
        files: Path inside the archive or folder → bytes, sorted by path. A mapping that reads each file when it is
            asked for is welcome: the files of a large site are never all in memory.
        problems: Files that the source left out, with the reason (too large, link, not readable).
        urls: Path → address where the file was served; empty for folders and archives.
        types: Path → Content-Type as served, with its parameters; a path without one is judged by its name and bytes.
        twins: Path of a page → path of its Markdown form, which is used where it carries at least as much.
        earlier: Gives what was made before of a path, for the same bytes (`sha256`) and maker; None if it must be made.
    """

    release: Release
    format: str
    files: Mapping[str, bytes]
    origin: Origin
    updated: Updated
    problems: Sequence[Problem] = ()
    urls: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    twins: Mapping[str, str] = field(default_factory=dict)
    earlier: Callable[[str, str, str], PageEntries | None] | None = None
