"""Reading a pack: whatever is asked is one block of its file."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import orjson

from refdesk.adapters.packs.blocks import BlockCache, PackFile
from refdesk.adapters.packs.postings import decode
from refdesk.adapters.packs.vectors import VectorsFile
from refdesk.adapters.values import build, loads
from refdesk.domain.entries import Chunk, Fidelity, Page, Problem, Relation
from refdesk.domain.names import clean, fold
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol
from refdesk.ports.packs import Lengths, Manifest, NameMatch, Postings, Summary, Vectors

_SYMBOLS = 32


class FilePack:
    """Pack port: one open pack. Opening reads its manifest and nothing else."""

    def __init__(self, path: Path, cache: BlockCache) -> None:
        """Open a pack.

        Raises:
            PackUnreadable: Missing, damaged, or of another format.
        """
        self._file = PackFile(path, cache)
        self._manifest = loads(Manifest, self._file.head("manifest"))
        self._entries = _Entries(self._file)
        self._text = _Text(self._file, self._entries)

    @property
    def manifest(self) -> Manifest:
        """What it is."""
        return self._manifest

    @property
    def entries(self) -> "_Entries":
        """Exact look-up."""
        return self._entries

    @property
    def text(self) -> "_Text":
        """Searching."""
        return self._text

    def problems(self) -> Sequence[Problem]:
        """What was left out when it was made."""
        return [build(Problem, one) for one in orjson.loads(self._file.head("problems"))]

    def relations(self) -> Sequence[Relation]:
        """All links, by source."""
        return [
            Relation(str(source), kind, target)
            for source, data in self._file.items("relation")
            for kind, target in orjson.loads(data)
        ]

    def fidelity(self) -> Sequence[Fidelity]:
        """Receipts of the pages that were converted from HTML, by path."""
        return [loads(Fidelity, data) for _, data in self._file.items("fidelity")]


class _Entries:
    """PackEntries port."""

    def __init__(self, file: PackFile) -> None:
        self._file = file
        # A hit needs its symbol twice, for the text of the chunk and for the summary.
        self._symbols = lru_cache(maxsize=_SYMBOLS)(partial(_read_symbol, file))

    def find(self, name: str) -> Sequence[NameMatch]:
        if not clean(name):
            return []
        found = self._file.item("form", fold(name))
        if found is None:
            return []
        written = (name.strip(), clean(name))
        matches = (_match(written, left_out, symbol, *names) for left_out, symbol, *names in orjson.loads(found))
        return sorted(matches, key=lambda one: (one.rank, one.name, one.symbol))

    def symbol(self, name: str) -> Symbol:
        return self._symbols(name)

    def shape(self, name: str) -> Shape | None:
        found = self._file.item("shape", name)
        return None if found is None else loads(Shape, found)

    def summaries(self, prefix: str, after: str, limit: int) -> Sequence[Summary]:
        found: list[Summary] = []
        start = prefix.casefold()
        for name, data in self._file.items("summary", after):
            if len(found) >= limit:
                break
            if isinstance(name, str) and name != after and name.casefold().startswith(start):
                found.append(Summary(name, *orjson.loads(data)))
        return found

    def names(self) -> Sequence[str]:
        return [str(name) for name, _ in self._file.items("name")]

    def page(self, path: str) -> Page | None:
        found = self._file.item("page", path)
        return None if found is None else loads(Page, found)

    def pages(self) -> Sequence[Page]:
        return [loads(Page, data) for _, data in self._file.items("contents")]


class _Text:
    """PackText port."""

    def __init__(self, file: PackFile, entries: _Entries) -> None:
        self._file = file
        self._entries = entries
        self._lengths: Lengths | None = None
        self._vectors: dict[str, Vectors] = {}

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        found = ((term, self._file.item("posting", term)) for term in dict.fromkeys(terms))
        return {term: decode(data) for term, data in found if data is not None}

    def lengths(self) -> Lengths:
        if self._lengths is None:
            import numpy as np

            both = np.frombuffer(self._file.head("lengths"), "<u2")
            self._lengths = Lengths(both[: len(both) // 2], both[len(both) // 2 :])
        return self._lengths

    def chunks(self, rows: Sequence[int]) -> Sequence[Chunk]:
        return [build(Chunk, self._with_text(self._fields(row))) for row in rows]

    def heads(self, rows: Sequence[int]) -> Sequence[Chunk]:
        return [build(Chunk, self._fields(row) | {"text": ""}) for row in rows]

    def rows_of_symbol(self, name: str) -> Sequence[int]:
        found = self._file.item("rows", name)
        rows: list[int] = [] if found is None else orjson.loads(found)
        return rows

    def vectors(self, embedder: str) -> Vectors | None:
        known = self._vectors.get(embedder)
        if known is None:
            known = VectorsFile(self._file.path, embedder).read()
            if known is not None:
                self._vectors[embedder] = known
        return known

    def _fields(self, row: int) -> dict[str, Any]:
        found = self._file.item("chunk", row)
        if found is None:
            raise IndexError(row)
        fields: dict[str, Any] = orjson.loads(found)
        return fields

    def _with_text(self, fields: dict[str, Any]) -> dict[str, Any]:
        if "text" not in fields:
            fields["text"] = self._entries.symbol(fields["symbol"]).doc
        return fields


def _match(written: tuple[str, str], left_out: int, symbol: str, names: Iterable[str] | None = None) -> NameMatch:
    """How a spelling fits one symbol of its folded form; `names` are the public names that have this form."""
    public = list(names or (symbol,))
    if left_out:
        return NameMatch(2 + left_out, public[0], symbol)
    if symbol in public and symbol in written:
        return NameMatch(0, symbol, symbol)
    exact = [one for one in public if one in written]
    return NameMatch(1, exact[0], symbol) if exact else NameMatch(2, public[0], symbol)


def _read_symbol(file: PackFile, name: str) -> Symbol:
    found = file.item("symbol", name)
    if found is None:
        raise KeyError(name)
    return loads(Symbol, found)
