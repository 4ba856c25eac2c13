"""What moves a hit after fusion: exact names first, side matters down, and no page may fill the result."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from refdesk.domain.entries import Chunk, ContentType
from refdesk.domain.libraries import Library
from refdesk.domain.text import tokens
from refdesk.retrieval.question import Intent
from refdesk.retrieval.trace import Boost

EXACT_BONUS: Final = 1.0
"""More than any fused score, so that a symbol whose name the question spells stands before everything else."""

MAX_PER_PAGE: Final = 2
"""Passages of one page, beside API entries that it describes."""

MAX_ENTRIES: Final = 3
"""API entries that one page describes."""

_DEPRECATED = Boost("deprecated", 0.9)
_OFF_TOPIC: Mapping[ContentType, float] = {"changelog": 0.5, "metadata": 0.6, "error": 0.85}
_FITTING: Mapping[Intent, Mapping[ContentType, float]] = {
    "change": {"changelog": 1.2},
    "availability": {},
    "error": {"error": 1.15},
    "signature": {"api_reference": 1.1},
    "parameter": {"api_reference": 1.1},
    "howto": {"howto": 1.1, "code_example": 1.1},
    "concept": {"concept": 1.1},
    "lookup": {"api_reference": 1.1},
    "any": {},
}
_ABOUT_CHANGE: frozenset[Intent] = frozenset({"change", "availability"})

_LEANING: Final = 1.1
_SPOKEN: Mapping[str, tuple[str, ...]] = {"aws": ("aws", "amazon"), "gcp": ("gcp", "google")}

One = TypeVar("One")


def boosts(chunk: Chunk, intent: Intent, exact: bool, leaning: float = 1.0) -> tuple[Boost, ...]:
    """The reasons that move a chunk for a question of this intent.

    Args:
        chunk: What may be a hit.
        intent: What the question is after.
        exact: Whether the question spells the name of the chunk's symbol.
        leaning: Factor of the chunk's pack, from `leanings`.
    """
    reasons = [Boost("exact name", bonus=EXACT_BONUS)] if exact else []
    if leaning != 1:
        reasons.append(Boost("library named", leaning))
    if chunk.deprecated and intent not in _ABOUT_CHANGE:
        reasons.append(_DEPRECATED)
    fitting = _FITTING[intent].get(chunk.content_type)
    if fitting:
        reasons.append(Boost(f"{chunk.content_type} for {intent}", fitting))
    elif intent not in _ABOUT_CHANGE and chunk.content_type in _OFF_TOPIC:
        reasons.append(Boost(chunk.content_type, _OFF_TOPIC[chunk.content_type]))
    return tuple(reasons)


def leanings(libraries: Sequence[Library | None], terms: Collection[str]) -> tuple[float, ...]:
    """Factors of the packs for a question that says which library it means (`in S3`); 1 where all are of one library.

    Args:
        libraries: Of each pack.
        terms: Of the question.
    """
    if len(set(libraries)) < 2:
        return (1.0,) * len(libraries)
    asked = frozenset(terms)
    return tuple(_LEANING ** len(asked & _words(library)) if library else 1.0 for library in libraries)


def boosted(score: float, reasons: Iterable[Boost]) -> float:
    """The score after all reasons: every factor, then every bonus."""
    bonus = 0.0
    for reason in reasons:
        score *= reason.factor
        bonus += reason.bonus
    return score + bonus


def spread(
    ranked: Sequence[One], place: Callable[[One], tuple[int, Chunk]], named: Callable[[One], bool] = lambda _: False
) -> list[One]:
    """Keep the order, but let no symbol, page or group of tabs fill the result, in each pack.

    At most one hit of a symbol, `MAX_PER_PAGE` passages and `MAX_ENTRIES` API entries of a page, and one of the panels
    that stand side by side in a section.

    Args:
        ranked: Best first.
        place: The pack's index and the chunk of a hit.
        named: Whether the question names the hit's symbol, which then counts whatever page describes it.
    """
    taken: dict[tuple[int, str, str, str], int] = {}
    kept: list[One] = []
    for one in ranked:
        pack, chunk = place(one)
        limits = [((pack, *key), limit) for key, limit in _limits(chunk, named=named(one))]
        if all(taken.get(key, 0) < limit for key, limit in limits):
            for key, _ in limits:
                taken[key] = taken.get(key, 0) + 1
            kept.append(one)
    return kept


def _limits(chunk: Chunk, *, named: bool) -> Iterator[tuple[tuple[str, str, str], int]]:
    """What a hit counts against, and how many of it there may be."""
    if chunk.symbol:
        yield ("symbol", chunk.symbol, ""), 1
        if chunk.page and not named:
            yield ("entries", chunk.page, ""), MAX_ENTRIES
        return
    yield ("page", chunk.page, ""), MAX_PER_PAGE
    if chunk.facets:
        yield ("panels", chunk.page, chunk.anchor), 1


def _words(library: Library) -> frozenset[str]:
    return frozenset((*_SPOKEN.get(library.ecosystem, ()), *tokens(library.name)))
