"""Fusing the ways: weighted reciprocal ranks (the documented base) and a blend of scores.

Reciprocal rank fusion is by Cormack, Clarke and Buettcher ("Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods", SIGIR 2009) with their k = 60, here with a weight for each way. The blend scales the
scores of each way to 0..1 and adds them by weight, which keeps *how much* better a candidate is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate with its fused score, 0..1 in the blend, and what each way added to it."""

    candidate: Candidate
    score: float
    ways: tuple[WayTrace, ...]


def fuse(ways: Sequence[Way], method: Method) -> list[Fused]:
    """Order all candidates of all ways by `(-score, candidate)`.

    Ways that found nothing are left out and the weights of the others grow in proportion; so do, for the candidates
    of a pack, those of the ways that see into it.
    """
    taking_part = [way for way in sorted(ways, key=lambda way: way.name) if way.weight > 0 and way.scores]
    parts = {way.name: _reciprocal(way) if method == "rrf" else _scaled(way) for way in taking_part}
    ranks = {way.name: _ranks(way) for way in taking_part}
    fused: list[Fused] = []
    for candidate in {one for way in taking_part for one in way.scores}:
        seeing = [way for way in taking_part if candidate.pack not in way.blind]
        total = sum(way.weight for way in seeing)
        traces = tuple(
            WayTrace(
                way.name,
                ranks[way.name].get(candidate, 0),
                way.scores.get(candidate, 0.0),
                way.weight / total,
                way.weight / total * parts[way.name].get(candidate, 0.0),
            )
            for way in seeing
        )
        fused.append(Fused(candidate, sum(one.share for one in traces), traces))
    return sorted(fused, key=lambda one: (-one.score, one.candidate))


def _ranks(way: Way) -> dict[Candidate, int]:
    """Ranks from 1 by `(-score, candidate)`."""
    ordered = sorted(way.scores, key=lambda one: (-way.scores[one], one))
    return {candidate: place for place, candidate in enumerate(ordered, 1)}


def _reciprocal(way: Way) -> dict[Candidate, float]:
    return {candidate: 1 / (K + rank) for candidate, rank in _ranks(way).items()}


def _scaled(way: Way) -> dict[Candidate, float]:
    bottom = min(way.scores.values()) if way.bottom is None else way.bottom
    top = max(way.scores.values()) if way.top is None else way.top
    if top <= bottom:
        return dict.fromkeys(way.scores, 1.0)
    return {candidate: (score - bottom) / (top - bottom) for candidate, score in way.scores.items()}
