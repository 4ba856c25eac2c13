"""Entries: what ingesting makes of a source, before it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol

ContentType = Literal[
    "api_reference", "code_example", "concept", "howto", "configuration", "error", "changelog", "metadata"
]

RelationKind = Literal["member", "parameter_type", "returns", "raises", "replaced_by", "defines", "mentions", "example"]


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


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed link from a symbol or page to a symbol, by names."""

    source: str
    kind: RelationKind
    target: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of the source that was not, or not wholly, taken over; listed, never silent."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Entries:
    """Everything that one release holds.

    Attributes:
        updated: The date that the entries themselves state, where the source stated none; None if they state none.
    """

    symbols: Sequence[Symbol] = ()
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    pages: Sequence[Page] = ()
    chunks: Sequence[Chunk] = ()
    relations: Sequence[Relation] = ()
    problems: Sequence[Problem] = ()
    updated: Updated | None = None


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """What a source hands to ingesting: the bytes of one release and where they came from.

    Attributes:
        format: Which parser reads them: `aws`, `discovery`, `python`, `markdown`.
        files: Path inside the archive or folder → bytes, sorted by path.
        problems: Files that the source left out, with the reason (too large, link, not readable).
    """

    release: Release
    format: str
    files: Mapping[str, bytes]
    origin: Origin
    updated: Updated
    problems: Sequence[Problem] = ()
