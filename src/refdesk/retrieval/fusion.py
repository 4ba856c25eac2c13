"""Fusing the ways: weighted reciprocal ranks (the documented base) and a blend of scores.

Reciprocal rank fusion is by Cormack, Clarke and Buettcher ("Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods", SIGIR 2009) with their k = 60, here with a weight for each way. The blend scales the
scores of each way to 0..1 and adds them by weight, which keeps *how much* better a candidate is.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import neg
from typing import Final, NamedTuple

from refdesk.retrieval.layout import Candidate
from refdesk.retrieval.plan import Method
from refdesk.retrieval.trace import WayName, WayTrace

K: Final = 60


@dataclass(frozen=True, slots=True)
class Way:
    """What one way found.

    Attributes:
        weight: Only its proportion to the other ways' weights matters. A way of weight 0 does not count.
        scores: Higher is better, any scale.
        bottom: The score that means "nothing"; None where the lowest score found has to do.
        top: The score that means "all that was asked"; None where the highest score found has to do.
        blind: Packs that the way cannot see into (no vectors yet): their candidates are judged by the other ways.
    """

    name: WayName
    weight: float
    scores: Mapping[Candidate, float]
    bottom: float | None = None
    top: float | None = None
    blind: frozenset[int] = field(default_factory=frozenset)


class Fused(NamedTuple):
    """A candidate with its fused score, 0..1 in the blend."""

    candidate: Candidate
    score: float


def fuse(ways: Sequence[Way], method: Method) -> list[Fused]:
    """Order all candidates of all ways by `(-score, candidate)`.

    Ways that found nothing are left out and the weights of the others grow in proportion; so do, for the candidates
    of a pack, those of the ways that see into it.
    """
    scores: dict[Candidate, float] = {}
    taking_part = _taking_part(ways)
    for way in taking_part:
        shares = {pack: _share(way, taking_part, pack) for pack in {one.pack for one in way.scores}}
        for candidate, part in _parts(way, method).items():
            scores[candidate] = scores.get(candidate, 0.0) + shares[candidate[0]] * part  # by index: the innermost loop
    return [Fused(one, -negative) for negative, one in sorted(zip(map(neg, scores.values()), scores, strict=True))]


def account(ways: Sequence[Way], method: Method, candidates: Sequence[Candidate]) -> list[tuple[WayTrace, ...]]:
    """What each way that sees a candidate added to its fused score, for each of some candidates."""
    taking_part = [(way, _parts(way, method, candidates), _ranks_of(way, candidates)) for way in _taking_part(ways)]
    every = [way for way, _, _ in taking_part]
    return [
        tuple(
            WayTrace(
                way.name,
                ranks.get(one, 0),
                way.scores.get(one, 0.0),
                _share(way, every, one.pack),
                _share(way, every, one.pack) * parts.get(one, 0.0),
            )
            for way, parts, ranks in taking_part
            if one.pack not in way.blind
        )
        for one in candidates
    ]


def _taking_part(ways: Sequence[Way]) -> list[Way]:
    """Sorted, so that the order in which they are given cannot change how their parts add up."""
    return [way for way in sorted(ways, key=lambda way: way.name) if way.weight > 0 and way.scores]


def _share(way: Way, every: Sequence[Way], pack: int) -> float:
    return way.weight / sum(one.weight for one in every if pack not in one.blind)


def _parts(way: Way, method: Method, asked: Iterable[Candidate] | None = None) -> Mapping[Candidate, float]:
    """What the way says of each candidate that it found, or of those asked, before its weight."""
    some = way.scores if asked is None else {one: way.scores[one] for one in asked if one in way.scores}
    if method == "rrf":
        ranks = _ranks(way)
        return {candidate: 1 / (K + ranks[candidate]) for candidate in some}
    bottom = min(way.scores.values()) if way.bottom is None else way.bottom
    top = max(way.scores.values()) if way.top is None else way.top
    if top <= bottom:
        return dict.fromkeys(some, 1.0)
    return {candidate: (score - bottom) / (top - bottom) for candidate, score in some.items()}


def _ranks(way: Way) -> Mapping[Candidate, int]:
    """Ranks from 1 by `(-score, candidate)`."""
    ordered = sorted((-score, candidate) for candidate, score in way.scores.items())
    return {candidate: place for place, (_, candidate) in enumerate(ordered, 1)}


def _ranks_of(way: Way, candidates: Iterable[Candidate]) -> Mapping[Candidate, int]:
    """The same for a few candidates, those that the way found."""
    ordered = sorted(way.scores.values())
    found: dict[Candidate, int] = {}
    for one in candidates:
        score = way.scores.get(one)
        if score is not None:
            after = bisect_right(ordered, score)
            alone = after - bisect_left(ordered, score) == 1
            before = 0 if alone else sum(other < one for other, same in way.scores.items() if same == score)
            found[one] = len(ordered) - after + before + 1
    return found
