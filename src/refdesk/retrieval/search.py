"""Searching: a plan and open packs in, ranked chunks out.

How a service uses it::

    found = plan(query, filters, readable=embedder.languages)             # InvalidInput for an empty question
    question = Question(vectors_id(embedder.id), embedder.embed_query(query)) if found.weights.vector else None
    views = [View(pack.text, pack.entries, library) for ... in packs]      # one for each release, in a stable order
    ranking = rank(found, views, limit, question)
    packed = fit(ranking.hits, 1_500, ranking.plan.terms)                  # from `packing`: snippets in a budget

`Ranked.candidate.pack` is the index in `views`. Without an embedder leave `readable` out: the plan then gives vectors
no weight. `Ranking.without_vectors` names the releases whose vectors are still being made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from refdesk.domain.entries import Chunk
from refdesk.domain.languages import language_name
from refdesk.domain.names import fold
from refdesk.retrieval.boosts import boosted, boosts, leanings, spread
from refdesk.retrieval.candidates import Candidates, Question, View, gather
from refdesk.retrieval.fusion import Fused, account, fuse
from refdesk.retrieval.layout import Candidate
from refdesk.retrieval.plan import Filters, Plan
from refdesk.retrieval.trace import Boost, Trace, WayName, WayTrace

__all__ = ["Question", "Ranked", "Ranking", "View", "rank"]

DEPTH: Final = 100
"""Candidates of each way that are fused."""

MAX_DEPTH: Final = 1_600
"""How far each way is followed where filters, or a page that may not fill the result, leave too few hits."""

_SPARE = 4


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk in its place, with the account of why."""

    candidate: Candidate
    chunk: Chunk
    score: float
    trace: Trace


@dataclass(frozen=True, slots=True)
class Ranking:
    """The result of a search.

    Attributes:
        hits: Best first, by `(-score, pack, row)`.
        plan: As it was settled: its weights are the ones that counted.
        ways: Those that found something.
        unknown: Terms of the question that occur in none of the packs.
        filtered: Candidates that the filters took out; with no hits left, the filters are too narrow.
        without_vectors: Indexes of packs that the vector way could not see into, though it was wanted.
    """

    hits: tuple[Ranked, ...]
    plan: Plan
    ways: tuple[WayName, ...]
    unknown: tuple[str, ...]
    filtered: int
    without_vectors: tuple[int, ...]


def rank(plan: Plan, views: Sequence[View], limit: int = 5, question: Question | None = None) -> Ranking:
    """Rank the chunks of the packs for a question.

    Args:
        plan: How to search.
        views: The releases asked for; scores depend on these and on nothing else. Their order breaks ties.
        limit: Hits wanted, at least 1.
        question: Left out where the plan gives vectors no weight or there is no embedder.
    """
    found = gather(plan, views, question)
    admits = _admission(plan.filters, found)
    depth = max(DEPTH, limit)
    while True:
        ways = found.ways(depth)
        fused = fuse(ways, found.plan.method)
        kept, filtered = _best(found, fused, admits, limit)
        if len(kept) >= limit or len(fused) < depth or depth >= MAX_DEPTH:
            break
        depth *= 4
    candidates = [one.candidate for one in kept]
    accounts = account(ways, found.plan.method, candidates)
    chunks = found.chunks(candidates)
    return Ranking(
        hits=tuple(_ranked(*hit, found) for hit in zip(kept, chunks, accounts, strict=True)),
        plan=found.plan,
        ways=tuple(way.name for way in ways if way.scores and way.weight),
        unknown=found.unknown,
        filtered=filtered,
        without_vectors=tuple(sorted(found.blind)),
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A candidate that was read, before anybody asks why; its chunk has no text yet."""

    candidate: Candidate
    chunk: Chunk
    fused: float
    boosts: tuple[Boost, ...]
    score: float


def _best(
    found: Candidates, fused: Sequence[Fused], admits: Callable[[int, Chunk], bool], limit: int
) -> tuple[list[_Judged], int]:
    """The best `limit` after filters, boosts and spreading, and how many the filters took out.

    Chunks are read in waves until there are enough, those of exact names first; boosts move hits within what was read,
    which is always a few times more than asked for.
    """
    read: list[_Judged] = []
    filtered = 0
    factors = leanings([view.library for view in found.views], found.plan.terms)
    ordered = fused
    if found.named or any(factor != 1 for factor in factors):
        ordered = sorted(
            fused,
            key=lambda one: (
                not found.is_exact(one.candidate),
                -one.score * factors[one.candidate.pack],
                one.candidate,
            ),
        )

    def named(one: _Judged) -> bool:
        return found.is_exact(one.candidate)

    wave = limit * _SPARE
    for start in range(0, len(ordered), wave):
        some = ordered[start : start + wave]
        for one, chunk in zip(some, found.heads([one.candidate for one in some]), strict=True):
            if admits(one.candidate.pack, chunk):
                read.append(_judged(one, chunk, found, factors[one.candidate.pack]))
            else:
                filtered += 1
        if len(read) >= wave and len(spread(read, _place, named)) >= limit:
            break
    read.sort(key=lambda one: (-one.score, one.candidate))
    return spread(read, _place, named)[:limit], filtered


def _judged(one: Fused, chunk: Chunk, found: Candidates, leaning: float) -> _Judged:
    reasons = boosts(chunk, found.plan.intent, found.is_exact(one.candidate), leaning)
    return _Judged(one.candidate, chunk, one.score, reasons, boosted(one.score, reasons))


def _ranked(one: _Judged, chunk: Chunk, ways: tuple[WayTrace, ...], found: Candidates) -> Ranked:
    said = found.named.get(one.candidate)
    terms, names = found.terms_of(one.candidate), said.names if said else ()
    trace = Trace(ways, one.fused, one.boosts, one.score, terms, names)
    return Ranked(one.candidate, chunk, one.score, trace)


def _place(one: _Judged) -> tuple[int, Chunk]:
    return one.candidate.pack, one.chunk


def _admission(filters: Filters, found: Candidates) -> Callable[[int, Chunk], bool]:
    """What hits must be, as one test of a pack's index and a chunk."""
    symbols = found.symbols(filters.api) if filters.api else frozenset()
    wanted = fold(filters.api)
    written = filters.language.strip().casefold()
    language = language_name(written)

    def admits(pack: int, chunk: Chunk) -> bool:
        if filters.content_type and chunk.content_type != filters.content_type:
            return False
        if language and chunk.languages and language not in (one.casefold() for one in chunk.languages):
            return written in (one.casefold() for one in chunk.facets)
        return not wanted or _about(chunk, pack, symbols) or wanted in (fold(name) for name in chunk.names)

    return admits


def _about(chunk: Chunk, pack: int, symbols: frozenset[tuple[int, str]]) -> bool:
    """Whether the chunk describes one of the symbols or a member of one."""
    name = chunk.symbol
    while name:
        if (pack, name) in symbols:
            return True
        name = name.rpartition(".")[0]
    return False
