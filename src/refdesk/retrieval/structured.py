"""The structured way: chunks of the symbols that identifiers of the question name, ordered by kind of match."""

from collections.abc import Iterable
from dataclasses import dataclass

from refdesk.ports.packs import NameMatch
from refdesk.retrieval.layout import Candidate

_LAST_EXACT_RANK = 2
_BY_RANK = (1.0, 0.95, 0.9, 0.7, 0.6, 0.5)
_AMONG_NAMES = 0.4
_IN_PROSE = 0.3


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol that a spelling of the question leads to.

    Attributes:
        spelling: As the question has it.
        pack: Index of the pack in the search.
        rows: Chunks that describe the symbol.
        alone: Whether no other symbol of the pack fits the spelling as well.
    """

    spelling: str
    pack: int
    match: NameMatch
    rows: tuple[int, ...]
    alone: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A chunk that holds a rare identifier of the question, as an alias or heading (`among_names`) or parameter."""

    spelling: str
    candidate: Candidate
    among_names: bool


@dataclass(frozen=True, slots=True)
class Structured:
    """What the structured way says of a chunk.

    Attributes:
        score: 1 for the canonical name as written, less for looser kinds of match.
        exact: The question spells this symbol's name, but for case and separators, or is the only one with these last
            parts: it goes first.
        names: Spellings of the question that led here, sorted.
    """

    score: float
    exact: bool
    names: tuple[str, ...]


def structured(named: Iterable[Named], mentions: Iterable[Mention]) -> dict[Candidate, Structured]:
    """Score chunks by the best kind of match; empty (the way abstains) where the question names nothing known."""
    found: dict[Candidate, Structured] = {}
    for one in named:
        exact = one.match.rank <= _LAST_EXACT_RANK or (one.alone and "." in one.spelling)
        said = Structured(_BY_RANK[min(one.match.rank, len(_BY_RANK) - 1)], exact, (one.spelling,))
        for row in one.rows:
            _add(found, Candidate(one.pack, row), said)
    for mention in mentions:
        score = _AMONG_NAMES if mention.among_names else _IN_PROSE
        _add(found, mention.candidate, Structured(score, exact=False, names=(mention.spelling,)))
    return found


def _add(found: dict[Candidate, Structured], candidate: Candidate, said: Structured) -> None:
    """Merge so that the order of the matches does not matter."""
    old = found.get(candidate, said)
    names = tuple(sorted({*old.names, *said.names}))
    found[candidate] = Structured(max(old.score, said.score), old.exact or said.exact, names)
