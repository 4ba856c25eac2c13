"""The lexical way: BM25 over two columns, with the statistics of the packs that are asked, and of nothing else.

Importing this module loads numpy.

Score of a chunk for a term (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
sections 3.4 and 3.6; the columns are combined before saturation as in BM25F)::

    tf    = sum over columns of weight * occurrences / (1 - b + b * length / average length)
    score = idf * tf * (k1 + 1) / (k1 + tf),    idf = ln(1 + (chunks - df + 0.5) / (df + 0.5))
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from refdesk.ports.packs import Lengths, Postings
from refdesk.retrieval.layout import Layout

K1: Final = 1.2
B_PROSE: Final = 0.75
B_NAMES: Final = 0.3
"""Weaker than for prose: a symbol with many spellings is not less about each of them."""

NAMES_WEIGHT: Final = 2.0
"""What one occurrence in the column of names counts against one in prose. On paraphrases 2 measured better than 4 and
6, on keywords they were equal; names that a question spells have a way of their own."""

MAX_SCORED: Final = 32
"""Terms that are scored: the rarest. More do not change the order, they only cost time (pasted code, stack traces)."""

_FREQUENT_ROWS: Final = 2_000
_FREQUENT_SHARE: Final = 4

_Number = TypeVar("_Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores of all chunks.

    Attributes:
        scores: By common row number; 0 where no term occurs.
        terms: Terms that were scored, rarest first.
        unknown: Terms of the question that occur nowhere.
        ceiling: What a chunk could score at most: with it, a score says how much of the question a chunk covers.
    """

    scores: NDArray[np.float32]
    terms: tuple[str, ...]
    unknown: tuple[str, ...]
    ceiling: float


def score(
    terms: Sequence[str],
    postings: Sequence[Mapping[str, Postings]],
    lengths: Sequence[Lengths],
    layout: Layout,
    wanted: Sequence[int] = (),
) -> Lexical:
    """Score the chunks of several packs for the terms of a question.

    Terms in more than a quarter of many chunks only re-rank chunks that a rarer term found (or that are `wanted`):
    they tell little and would cost most of the time. Where all terms are that frequent, the rarest finds.

    Args:
        terms: Each once.
        postings: For each pack, the terms that occur in it.
        lengths: For each pack.
        layout: Of the same packs.
        wanted: Common numbers of rows that need a full score because another way found them.
    """
    frequency = {term: sum(len(one[term].chunks) for one in postings if term in one) for term in terms}
    known = sorted((df, term) for term, df in frequency.items() if df)[:MAX_SCORED]
    unknown = tuple(term for term in terms if not frequency[term])
    ceiling = len(unknown[:MAX_SCORED]) * inverse_frequency(0, layout.size) * (K1 + 1)
    scores = np.zeros(layout.size, np.float32)
    if not known:
        return Lexical(scores, (), unknown, ceiling)
    names = _Norm([one.names for one in lengths], B_NAMES)
    prose = _Norm([one.prose for one in lengths], B_PROSE)
    asked = np.zeros(layout.size, np.bool_)
    asked[list(wanted)] = True
    for place, (df, term) in enumerate(known):
        rows, in_names, in_prose = _occurrences(term, postings, layout)
        if place and df > _FREQUENT_ROWS and df * _FREQUENT_SHARE > layout.size:
            kept = (scores[rows] > 0) | asked[rows]
            rows, in_names, in_prose = rows[kept], in_names[kept], in_prose[kept]
        idf = inverse_frequency(df, layout.size)
        tf = NAMES_WEIGHT * in_names / names.of(rows) + in_prose / prose.of(rows)
        scores[rows] += idf * (K1 + 1) * tf / (K1 + tf)
        ceiling += idf * (K1 + 1)
    return Lexical(scores, tuple(term for _, term in known), unknown, ceiling)


def inverse_frequency(df: int, chunks: int) -> float:
    """How much a term tells that occurs in `df` of `chunks` chunks; never negative."""
    return log(1 + (chunks - df + 0.5) / (df + 0.5))


def best(scores: NDArray[np.float32], count: int) -> list[int]:
    """Numbers of the `count` rows with the highest scores above 0, by `(-score, number)`."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > count:
        # All rows that tie with the last one stay in until the total order has decided.
        least = np.partition(scores[rows], len(rows) - count)[len(rows) - count]
        rows = rows[scores[rows] >= least]
    order = np.lexsort((rows, -scores[rows]))[:count]
    found: list[int] = rows[order].tolist()
    return found


def matched(terms: Sequence[str], postings: Mapping[str, Postings], row: int) -> tuple[str, ...]:
    """Those of the terms that occur in a row of one pack, in the order given."""
    return tuple(term for term in terms if term in postings and _holds(postings[term].chunks, row))


def _holds(chunks: NDArray[np.uint32], row: int) -> bool:
    place = int(np.searchsorted(chunks, row))
    return place < len(chunks) and int(chunks[place]) == row


def _occurrences(
    term: str, postings: Sequence[Mapping[str, Postings]], layout: Layout
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Rows of all packs that hold the term, by common number, with the counts of both columns."""
    held = [(start, one[term]) for start, one in zip(layout.starts, postings, strict=False) if term in one]
    rows = _joined([found.chunks for _, found in held]).astype(np.int64)
    if len(postings) > 1:
        rows += np.repeat([start for start, _ in held], [len(found.chunks) for _, found in held])
    in_names = _joined([found.in_names for _, found in held]).astype(np.float32)
    return rows, in_names, _joined([found.in_prose for _, found in held]).astype(np.float32)


class _Norm:
    """What occurrences in one column are divided by: more in chunks that are longer than the average of all packs."""

    def __init__(self, lengths: Sequence[NDArray[np.uint16]], b: float) -> None:
        self._lengths = _joined(lengths)
        self._slope = np.float32(b / max(float(self._lengths.mean()), 1e-9))
        self._base = np.float32(1 - b)

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        return self._lengths[rows] * self._slope + self._base


def _joined(arrays: Sequence[NDArray[_Number]]) -> NDArray[_Number]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
