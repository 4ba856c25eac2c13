"""Packs: immutable files, one release each, written once and read by any number of processes."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from refdesk.domain.entries import Chunk, Entries, Fidelity, Page, Problem, Relation
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol
from refdesk.ports.progress import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACK_FORMAT = 2
"""Number of the format that this refdesk writes and reads; packs of another one are rebuilt."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a pack says of itself.

    Attributes:
        format: Number of the pack's format; see `docs/packs.md`.
        tokeniser: Id of the tokeniser that made its postings.
        files: Paths inside the archive that it was made from (API specification files).
    """

    format: int
    release: Release
    origin: Origin
    updated: Updated
    indexed_at: datetime
    tokeniser: str
    files: tuple[str, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A symbol that a spelling leads to.

    Attributes:
        rank: 0 the canonical name as written, 1 another public name as written, 2 either one but for case and
            separators, 3 and more the last parts of a dotted name (more parts are better, so a lower rank).
        symbol: Canonical name.
    """

    rank: int
    name: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A symbol in a list."""

    name: str
    kind: str
    summary: str
    deprecated: bool


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs, sorted by chunk.

    Attributes:
        chunks: Row numbers of chunks, from 0; uint32, shape (n,).
        in_names: Occurrences in the column of names; uint8 (255 means 255 or more), shape (n,).
        in_prose: The same in the column of prose.
    """

    chunks: "NDArray[np.uint32]"
    in_names: "NDArray[np.uint8]"
    in_prose: "NDArray[np.uint8]"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Tokens of each chunk by column; uint16 (65,535 means that or more), shape (chunks,)."""

    names: "NDArray[np.uint16]"
    prose: "NDArray[np.uint16]"


@dataclass(frozen=True, slots=True)
class Vectors:
    """int8 vectors of all chunks of a pack: vector i is `values[i] * scales[i]`, L2-normalised before rounding."""

    values: "NDArray[np.int8]"
    scales: "NDArray[np.float32]"


class PackEntries(Protocol):
    """Exact look-up in one pack."""

    def find(self, name: str) -> Sequence[NameMatch]:
        """Symbols that a spelling leads to, best rank first, then by name; empty if none."""
        ...

    def symbol(self, name: str) -> Symbol:
        """The symbol of this canonical name. Raises KeyError if there is none."""
        ...

    def shape(self, name: str) -> Shape | None:
        """A shape of the graph by its exact name."""
        ...

    def summaries(self, prefix: str, after: str, limit: int) -> Sequence[Summary]:
        """Symbols by canonical name, those that begin with `prefix` (any case) and come after `after`."""
        ...

    def names(self) -> Sequence[str]:
        """All public names of all symbols, sorted: what spelling suggestions are made from."""
        ...

    def page(self, path: str) -> Page | None:
        """The page of this path."""
        ...

    def pages(self) -> Sequence[Page]:
        """All pages in order of path, with empty `markdown`."""
        ...


class PackText(Protocol):
    """What searching reads in one pack. Rows of chunks are numbers from 0, in order of the chunks' ids."""

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        """Postings of the terms that occur."""
        ...

    def lengths(self) -> Lengths:
        """Lengths of all chunks; kept in memory after the first call."""
        ...

    def chunks(self, rows: Sequence[int]) -> Sequence[Chunk]:
        """The chunks of these rows, in the order given, without `terms`."""
        ...

    def heads(self, rows: Sequence[int]) -> Sequence[Chunk]:
        """The same with an empty `text`, for judging many of which few are shown: texts are most of the reading."""
        ...

    def rows_of_symbol(self, name: str) -> Sequence[int]:
        """Rows of the chunks that describe a symbol."""
        ...

    def vectors(self, embedder: str) -> Vectors | None:
        """The vectors of this embedder id, which names the form of the embedded texts too; None while not made."""
        ...


class Pack(Protocol):
    """One open pack; safe to use from several threads."""

    @property
    def manifest(self) -> Manifest:
        """What it is."""
        ...

    @property
    def entries(self) -> PackEntries:
        """Exact look-up."""
        ...

    @property
    def text(self) -> PackText:
        """Searching."""
        ...

    def problems(self) -> Sequence[Problem]:
        """What was left out when it was made."""
        ...

    def relations(self) -> Sequence[Relation]:
        """All typed links, sorted by source, kind and target."""
        ...

    def fidelity(self) -> Sequence[Fidelity]:
        """Receipts of the pages that were converted from HTML, by path."""
        ...


class Packs(Protocol):
    """The folder of packs.

    Writing is: write beside, fsync, rename. A reader that has a removed pack open goes on reading it.
    """

    def write(self, manifest: Manifest, entries: Entries, progress: Progress) -> str:
        """Store a release; returns the pack's file name, which contains its content hash.

        Raises:
            StorageFull, StorageReadOnly: Nothing of it remains.
        """
        ...

    def open(self, pack: str) -> Pack:
        """An open pack, shared between callers.

        Raises:
            PackUnreadable: Missing, damaged, or of another format.
        """
        ...

    def remove(self, pack: str) -> None:
        """Unlink a pack and its vectors; nothing happens if it is already gone."""
        ...

    def write_vectors(self, pack: str, embedder: str, vectors: Vectors) -> None:
        """Store the vectors of all chunks of a pack beside it, whole or not at all."""
        ...

    def building(self, release: str) -> AbstractContextManager[None]:
        """Hold the sole right to build this release key (`Release.key`), over all processes; waits for it."""
        ...

    def clean(self, published: Sequence[str] | Callable[[], Sequence[str]]) -> Sequence[str]:
        """Remove what interrupted builds left behind: names that are neither published nor being built now.

        Args:
            published: Packs that answer. As a function it is asked again while the right to build is held, so that
                a build of another process that ends in between cannot be taken for a leftover.

        Returns:
            Names of the files that were removed, sorted.
        """
        ...


class VectorCache(Protocol):
    """Vectors by content: each distinct text is embedded once per embedder. Survives interruption at any moment."""

    def get(self, embedder: str, texts: Sequence[str]) -> "Mapping[str, NDArray[np.float32]]":
        """Vectors of the texts that are known."""
        ...

    def put(self, embedder: str, vectors: "Mapping[str, NDArray[np.float32]]") -> None:
        """Keep vectors, durable when it returns."""
        ...
