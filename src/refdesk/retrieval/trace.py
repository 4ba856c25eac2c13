"""Why a hit stands where it stands."""

from dataclasses import dataclass
from typing import Literal

WayName = Literal["lexical", "vector", "structured"]


@dataclass(frozen=True, slots=True)
class WayTrace:
    """What one way said of a hit.

    Attributes:
        rank: From 1, among the candidates that this way found; 0 if it did not find the hit.
        score: The way's own: BM25, cosine, or 0 to 1 by kind of match.
        weight: What the way counted, all ways that could see the hit adding up to 1.
        share: What it added to the fused score.
    """

    way: WayName
    rank: int
    score: float
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class Boost:
    """A reason to move a hit: its fused score was multiplied by `factor`, and then `bonus` added."""

    reason: str
    factor: float = 1.0
    bonus: float = 0.0


@dataclass(frozen=True, slots=True)
class Trace:
    """The whole account: `fused` is the sum of the shares, `score` what the boosts made of it."""

    ways: tuple[WayTrace, ...]
    fused: float
    boosts: tuple[Boost, ...]
    score: float
    terms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def explain(self) -> str:
        """The account in one line, for people."""
        found = [
            f"{one.way} #{one.rank} ({one.score:.3f}) {one.weight:.2f} → {one.share:.3f}"
            for one in self.ways
            if one.rank
        ]
        moved = [f"{one.reason} ×{one.factor:g}" for one in self.boosts if one.factor != 1]
        raised = [f"{one.reason} +{one.bonus:g}" for one in self.boosts if one.bonus]
        words = [f"words: {', '.join(self.terms)}"] if self.terms else []
        names = [f"names: {', '.join(self.names)}"] if self.names else []
        return "; ".join([f"score {self.score:.3f}", *found, *moved, *raised, *words, *names])
