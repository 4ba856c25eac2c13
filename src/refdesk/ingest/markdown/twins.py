"""Chunks of one page that say the same but for a few words: one chunk is enough for all of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from re import compile as pattern

from refdesk.domain.entries import Chunk
from refdesk.ingest.markdown.panels import alike, other_words

_COMMON = 0.3
_FENCE = ("```", "~~~")
_FIRST_LINE = pattern(r"\A#{1,6} [^\n]*\n+")


def without_twins(every: Sequence[Chunk]) -> Sequence[Chunk]:
    """Put together what differs in few words.

    Chunks with code under neighbouring headings (`Python 3.10`, `Python 3.8`) whose texts are near-identical become
    the first of them, with the headings as facets. Entries of an API are never put together.
    """
    sections = Counter(one.anchor for one in every)
    kept: list[list[Chunk]] = []
    open_: dict[tuple[str, ...], list[tuple[frozenset[str], list[Chunk]]]] = {}
    for one in every:
        group = [one]
        if not one.names and sections[one.anchor] == 1 and any(mark in one.text for mark in _FENCE):
            some = open_.setdefault((*one.heading[:-1], "", *one.facets), [])
            lines = frozenset(one.text.split("\n"))
            same = next((group for known, group in some if _share(known, lines) and _alike(group[0], one)), None)
            if same is not None:
                same.append(one)
                continue
            some.append((lines, group))
        kept.append(group)
    return every if len(kept) == len(every) else [_as_one(group) for group in kept]


def _share(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two texts have so many lines in common that it is worth to compare their words."""
    return len(some & others) >= _COMMON * max(len(some), len(others))


def _alike(one: Chunk, other: Chunk) -> bool:
    return alike(_FIRST_LINE.sub("", one.text), _FIRST_LINE.sub("", other.text))


def _as_one(group: Sequence[Chunk]) -> Chunk:
    first = group[0]
    if len(group) == 1:
        return first
    titles = [one.title for one in group]
    facets = (*first.facets, *(titles if len(set(titles)) > 1 else ()))
    others = [f"{one.title} {one.text}" for one in group[1:]]
    return replace(
        first,
        facets=tuple(dict.fromkeys(facets)),
        terms=f"{first.terms} {other_words(f'{first.title} {first.text}', others)}".strip(),
        languages=tuple(dict.fromkeys(language for one in group for language in one.languages)),
        mentions=tuple(dict.fromkeys(name for one in group for name in one.mentions)),
    )
