"""Posting lists: which chunks a term occurs in, and how often in each of the two columns.

One list is a byte of flags and up to three arrays of the same length, little-endian::

    flags      bits 0-1: bytes of a gap (0: 1, 1: 2, 2: 4); bit 2: counts in prose follow; bit 3: counts in names
               follow; bit 4: the term is in names only
    gaps       the first row, then differences between neighbouring rows
    in prose   uint8, 255 means that or more; left out where each is 1
    in names   uint8; left out where each is 0, or, with bit 4, where each is 1
"""

import itertools
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from refdesk.domain.text import tokens
from refdesk.ports.packs import Lengths, Postings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WIDTHS = ("<u1", "<u2", "<u4")
_PROSE = 4
_NAMES = 8
_NAMES_ONLY = 16
_MOST = 255
# Around a word, these are no part of any token.
_AROUND = ".,;:!?()[]{}\"'`*"
_LONGEST = 65_535


class PostingsBuilder:
    """Counts terms, chunk by chunk, in the order of their rows."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._pieces = _Pieces(self._ids)
        self._names = _Column(self._pieces)
        self._prose = _Column(self._pieces)

    def add(self, names: Iterable[str], prose: Iterable[str]) -> None:
        """Count the texts of the next chunk."""
        self._names.add(names)
        self._prose.add(prose)

    def lengths(self) -> Lengths:
        """Tokens of each chunk so far."""
        return Lengths(self._names.lengths(), self._prose.lengths())

    def lists(self) -> Iterator[tuple[str, bytes]]:
        """Every term with its list, sorted by term."""
        import numpy as np

        terms = sorted(self._ids)
        if not terms:
            return
        # Token numbers in order of the terms, so that sorting keys sorts by term and then by row.
        order = np.empty(len(terms), np.int64)
        order[np.fromiter((self._ids[term] for term in terms), np.int64, len(terms))] = np.arange(len(terms))
        rows = max(1, self._names.rows)
        name_keys, name_counts = self._names.counted(order, rows)
        prose_keys, prose_counts = self._prose.counted(order, rows)
        keys = _union(name_keys, prose_keys)
        in_names, in_prose = np.zeros(len(keys), np.uint8), np.zeros(len(keys), np.uint8)
        in_names[np.searchsorted(keys, name_keys)] = name_counts
        in_prose[np.searchsorted(keys, prose_keys)] = prose_counts
        yield from zip(terms, _encode_all(keys // rows, keys % rows, in_names, in_prose), strict=True)


def decode(data: bytes) -> Postings:
    """Read one list."""
    import numpy as np

    flags = data[0]
    width = _WIDTHS[flags & 3]
    size = np.dtype(width).itemsize
    columns = bool(flags & _PROSE) + bool(flags & _NAMES)
    count = (len(data) - 1) // (size + columns)
    at = 1 + count * size
    chunks = np.frombuffer(data, width, count, 1).cumsum(dtype=np.uint32)
    if flags & _PROSE:
        in_prose = np.frombuffer(data, np.uint8, count, at)
        at += count
    else:
        in_prose = np.full(count, 0 if flags & _NAMES_ONLY else 1, np.uint8)
    if flags & _NAMES:
        in_names = np.frombuffer(data, np.uint8, count, at)
    else:
        in_names = np.full(count, 1 if flags & _NAMES_ONLY else 0, np.uint8)
    return Postings(chunks, in_names, in_prose)


class _Pieces(dict[str, tuple[int, ...]]):
    """Text without white space → numbers of its tokens; cuts each distinct text once."""

    def __init__(self, ids: dict[str, int]) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, piece: str) -> tuple[int, ...]:
        bare = piece.strip(_AROUND)
        if bare == piece:
            ids = self._ids
            found = tuple([ids.setdefault(token, len(ids)) for token in _tokens_of(piece)])
        else:
            found = self[bare]
        self[piece] = found
        return found


@lru_cache(maxsize=1 << 15)
def _tokens_of(piece: str) -> tuple[str, ...]:
    """Remembered over packs: the services of one cloud share most of their words."""
    return tuple(tokens(piece))


class _Column:
    """Token numbers of all chunks, one after another."""

    def __init__(self, pieces: _Pieces) -> None:
        self._pieces = pieces
        self._tokens = array("I")
        self._ends = array("Q")

    @property
    def rows(self) -> int:
        return len(self._ends)

    def add(self, texts: Iterable[str]) -> None:
        # No token reaches over white space, so a text may be cut there first and each piece be looked up.
        for text in texts:
            self._tokens.extend(itertools.chain.from_iterable(map(self._pieces.__getitem__, text.split())))
        self._ends.append(len(self._tokens))

    def lengths(self) -> "NDArray[np.uint16]":
        import numpy as np

        return np.minimum(self._sizes(), _LONGEST).astype("<u2")

    def counted(self, order: "NDArray[np.int64]", rows: int) -> "tuple[NDArray[np.int64], NDArray[np.uint8]]":
        """Keys `term * rows + row`, sorted, and how often each occurs, at most 255."""
        import numpy as np

        numbers = order[np.frombuffer(self._tokens, np.uintc)]
        keys, counts = np.unique(numbers * rows + np.repeat(np.arange(self.rows), self._sizes()), return_counts=True)
        return keys, np.minimum(counts, _MOST).astype(np.uint8)

    def _sizes(self) -> "NDArray[np.int64]":
        import numpy as np

        ends = np.frombuffer(self._ends, np.uint64).astype(np.int64)
        return ends - np.concatenate((np.zeros(1, np.int64), ends[:-1])) if len(ends) else ends


def _union(one: "NDArray[np.int64]", other: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """The union of two sorted sets, sorted. `np.union1d` hashes the numbers first, which costs three times as much."""
    import numpy as np

    keys = np.concatenate((one, other))
    keys.sort(kind="stable")
    distinct: NDArray[np.int64] = keys[np.diff(keys, prepend=-1) != 0]
    return distinct


def _encode_all(
    terms: "NDArray[np.int64]",
    rows: "NDArray[np.int64]",
    in_names: "NDArray[np.uint8]",
    in_prose: "NDArray[np.uint8]",
) -> Iterator[bytes]:
    """The list of each term; arrays are made for all terms at once, because most lists hold a few rows."""
    import numpy as np

    starts = np.flatnonzero(np.diff(terms, prepend=-1))
    gaps = np.diff(rows, prepend=0)
    gaps[starts] = rows[starts]
    widths = np.searchsorted([0x100, 0x10000], np.maximum.reduceat(gaps, starts), side="right")
    plain_prose = np.maximum.reduceat(in_prose != 1, starts)
    no_prose = ~np.maximum.reduceat(in_prose != 0, starts)
    no_names = ~np.maximum.reduceat(in_names != 0, starts)
    plain_names = ~np.maximum.reduceat(in_names != 1, starts)
    only = no_prose
    flags = (
        widths
        + np.where(only, _NAMES_ONLY, np.where(plain_prose, _PROSE, 0))
        + np.where(only, np.where(plain_names, 0, _NAMES), np.where(no_names, 0, _NAMES))
    )
    by_width = [(gaps.astype(width).tobytes(), np.dtype(width).itemsize) for width in _WIDTHS]
    names, prose = in_names.tobytes(), in_prose.tobytes()
    ends = [*starts[1:].tolist(), len(rows)]
    for start, end, flag in zip(starts.tolist(), ends, flags.tolist(), strict=True):
        data, size = by_width[flag & 3]
        yield (
            bytes((flag,))
            + data[start * size : end * size]
            + (prose[start:end] if flag & _PROSE else b"")
            + (names[start:end] if flag & _NAMES else b"")
        )
