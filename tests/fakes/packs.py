"""A folder of packs in memory."""

import hashlib
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from refdesk.domain.entries import Chunk, Entries, Fidelity, Page, Problem, Relation
from refdesk.domain.errors import InternalError, PackUnreadable
from refdesk.domain.names import clean, fold, tails
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol
from refdesk.domain.text import tokens
from refdesk.ports.packs import PACK_FORMAT, Lengths, Manifest, NameMatch, Pack, Postings, Summary, Vectors
from refdesk.ports.progress import Progress, Step, silent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MemoryPacks:
    """Packs port without a folder."""

    def __init__(self) -> None:
        self._packs: dict[str, MemoryPack] = {}
        self._builds: defaultdict[str, threading.RLock] = defaultdict(threading.RLock)
        self._building: Counter[str] = Counter()

    def write(self, manifest: Manifest, entries: Entries, progress: Progress = silent) -> str:
        if manifest.format != PACK_FORMAT:
            raise InternalError(f"This refdesk writes packs of format {PACK_FORMAT}, not {manifest.format}.")
        digest = hashlib.sha256(repr((manifest, entries)).encode("utf-8", "surrogatepass")).hexdigest()
        name = f"{quote(manifest.release.key.replace(':', '-', 1), safe='@+!')}-{digest[:16]}.pack"
        self._packs[name] = MemoryPack(manifest, entries)
        total = len(entries.chunks)
        progress(Step("store", manifest.release.label, total, total, "chunks"))
        return name

    def open(self, pack: str) -> Pack:
        if pack not in self._packs:
            raise PackUnreadable(f"The pack {pack} is missing.", "Add the release again: refdesk add LIBRARY@VERSION")
        return self._packs[pack]

    def remove(self, pack: str) -> None:
        self._packs.pop(pack, None)

    def write_vectors(self, pack: str, embedder: str, vectors: Vectors) -> None:
        self._packs[pack].made[embedder] = vectors

    @contextmanager
    def building(self, release: str) -> Iterator[None]:
        with self._builds[release]:
            self._building[release] += 1
            try:
                yield
            finally:
                self._building[release] -= 1

    def clean(self, published: Sequence[str] | Callable[[], Sequence[str]]) -> Sequence[str]:
        answering = published if callable(published) else lambda: published
        known = frozenset(answering())
        gone = [
            name
            for name, pack in sorted(self._packs.items())
            if name not in known and not self._building[pack.manifest.release.key] and name not in answering()
        ]
        for name in gone:
            del self._packs[name]
        return gone


class MemoryPack:
    """Pack, PackEntries and PackText ports over entries that are kept as they are."""

    def __init__(self, manifest: Manifest, entries: Entries) -> None:
        self.manifest = manifest
        self.made: dict[str, Vectors] = {}
        self._given = entries
        self._symbols = {one.name: one for one in sorted(entries.symbols, key=lambda one: one.name)}
        self._chunks = sorted(entries.chunks, key=lambda one: one.id)
        self._columns = [
            (Counter(_names_of(chunk)), Counter(_prose_of(chunk)), len(_names_of(chunk)), len(_prose_of(chunk)))
            for chunk in self._chunks
        ]

    @property
    def entries(self) -> "MemoryPack":
        return self

    @property
    def text(self) -> "MemoryPack":
        return self

    def problems(self) -> Sequence[Problem]:
        return tuple(self._given.problems)

    def relations(self) -> Sequence[Relation]:
        return sorted(self._given.relations, key=lambda one: (one.source, one.kind, one.target))

    def fidelity(self) -> Sequence[Fidelity]:
        return sorted(self._given.fidelity, key=lambda one: one.path)

    def find(self, name: str) -> Sequence[NameMatch]:
        if not clean(name):
            return []
        best: dict[str, NameMatch] = {}
        for symbol in self._symbols.values():
            for public in (symbol.name, *symbol.names):
                rank = _rank(name, public, canonical=public == symbol.name)
                if rank is not None and (symbol.name not in best or rank < best[symbol.name].rank):
                    best[symbol.name] = NameMatch(rank, public, symbol.name)
        return sorted(best.values(), key=lambda one: (one.rank, one.name, one.symbol))

    def symbol(self, name: str) -> Symbol:
        return self._symbols[name]

    def shape(self, name: str) -> Shape | None:
        return self._given.shapes.get(name)

    def summaries(self, prefix: str, after: str, limit: int) -> Sequence[Summary]:
        start = prefix.casefold()
        fitting = [
            Summary(one.name, one.kind, one.summary, one.deprecation is not None)
            for one in self._symbols.values()
            if one.name > after and one.name.casefold().startswith(start)
        ]
        return fitting[: max(0, limit)]

    def names(self) -> Sequence[str]:
        return sorted({name for symbol in self._symbols.values() for name in (symbol.name, *symbol.names)})

    def page(self, path: str) -> Page | None:
        return next((one for one in self._given.pages if one.path == path), None)

    def pages(self) -> Sequence[Page]:
        return [replace(one, markdown="") for one in sorted(self._given.pages, key=lambda one: one.path)]

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        import numpy as np

        found = {}
        for term in dict.fromkeys(terms):
            rows = [row for row, (names, prose, *_) in enumerate(self._columns) if names[term] or prose[term]]
            if rows:
                found[term] = Postings(
                    np.array(rows, np.uint32),
                    _capped([self._columns[row][0][term] for row in rows], 255).astype(np.uint8),
                    _capped([self._columns[row][1][term] for row in rows], 255).astype(np.uint8),
                )
        return found

    def lengths(self) -> Lengths:
        import numpy as np

        return Lengths(
            _capped([one[2] for one in self._columns], 65_535).astype(np.uint16),
            _capped([one[3] for one in self._columns], 65_535).astype(np.uint16),
        )

    def chunks(self, rows: Sequence[int]) -> Sequence[Chunk]:
        return [replace(self._chunks[row], terms="") for row in rows]

    def heads(self, rows: Sequence[int]) -> Sequence[Chunk]:
        return [replace(self._chunks[row], terms="", text="") for row in rows]

    def rows_of_symbol(self, name: str) -> Sequence[int]:
        return [row for row, chunk in enumerate(self._chunks) if name and chunk.symbol == name]

    def vectors(self, embedder: str) -> Vectors | None:
        return self.made.get(embedder)


def _rank(asked: str, public: str, *, canonical: bool) -> int | None:
    if public in (asked.strip(), clean(asked)):
        return 0 if canonical else 1
    form = fold(asked)
    if form == fold(public):
        return 2
    ends = tails(fold(public))
    return 3 + ends.index(form) if form in ends else None


def _names_of(chunk: Chunk) -> list[str]:
    return [token for text in (*chunk.names, chunk.title) for token in tokens(text)]


def _prose_of(chunk: Chunk) -> list[str]:
    return [token for text in (*chunk.heading, chunk.text, chunk.terms) for token in tokens(text)]


def _capped(counts: Sequence[int], most: int) -> "NDArray[np.int64]":
    import numpy as np

    return np.minimum(np.array(counts, np.int64), most)
