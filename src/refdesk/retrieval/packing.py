"""From ranked chunks to hits that fit a budget of tokens: each shows the part of its text that answers best."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from refdesk.domain.cutting import CHARACTERS, Slicer
from refdesk.domain.entries import Chunk
from refdesk.domain.markdown import Block, blocks, plain
from refdesk.domain.text import estimate_tokens
from refdesk.retrieval.search import Ranked

LONGEST: Final = 600
"""Characters of a snippet at most, before the marks of what was left out."""

SHORTEST: Final = 160
"""Characters that a snippet is not cut below: a shorter one says nothing, so rather a hit is left out."""

_FIELDS = 30
"""Tokens of a rendered hit beside its own texts: version, dates, names of the fields."""

_SEEN = 20_000
_MAX_PLACES = 40
_BORDER = re.compile(r"\n+|(?<=[.!?])[ \t]+(?=[A-Z0-9`*\[(])|(?<=[。！？])")
_NOTES = re.compile(r"(?:[ \t]*>.*(?:\n|\Z)|[ \t]*\n)+")
_ITEM = r"[ \t>]*[-*+][ \t]+\[[^\[\]\n]*\]\([^()\n]*\)[ \t.]*$"
_OTHERS = re.compile(
    rf"^(?:[^\n]*:[ \t]*\n[ \t>\n]*(?={_ITEM})|{_ITEM})"  # a list of related things, and what announces it
    r"|(?<=\])\([^()\s]*\)",  # an address
    re.MULTILINE,
)
"""What names other things: no answer to a question about this one."""

_NOT_WORD = re.compile(r"\W+")
_BEGINNING = 0.5
"""What the beginning of a text counts in terms: it says what a thing is, so only a clearly better part replaces it."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A hit with what is shown of it.

    Attributes:
        snippet: Whole Markdown; `…` where text was left out.
        tokens: Estimate for the rendered hit.
    """

    ranked: Ranked
    snippet: str
    tokens: int


def fit(
    hits: Sequence[Ranked],
    max_tokens: int,
    terms: Sequence[str],
    summary_of: Callable[[Ranked], str] = lambda _: "",
) -> list[Packed]:
    """Give every hit its snippet and keep, from the best on, those that fit the budget together.

    Room that short hits leave goes to the later ones. The first hit is always kept.

    Args:
        hits: Best first.
        max_tokens: Of all hits together.
        terms: Of the question: snippets are chosen around them.
        summary_of: One sentence that says what the symbol of a hit is; empty for a hit that is none.
    """
    kept: list[Packed] = []
    left = max_tokens
    for place, one in enumerate(hits):
        fixed = _fixed_tokens(one.chunk)
        room = min(LONGEST, max(SHORTEST, (left // (len(hits) - place) - fixed) * CHARACTERS))
        text = snippet(one.chunk, terms, room, summary_of(one))
        tokens = fixed + estimate_tokens(text)
        if kept and tokens > left:
            break
        kept.append(Packed(one, text, tokens))
        left -= tokens
    return kept


def snippet(chunk: Chunk, terms: Sequence[str], longest: int = LONGEST, summary: str = "") -> str:
    """What a chunk is, and the part of its text that holds most of the terms, cut between sentences or lines.

    Args:
        chunk: Its title is not repeated where the text begins with it.
        terms: Tokens of the question.
        longest: Characters; marks of what was left out and repeated fence lines or table headers come on top.
        summary: Stands first, unless the part says it itself.
    """
    text = _body(chunk)
    excerpts = _Excerpts(text, terms)
    shown = excerpts.best(longest)
    if not summary or _says(shown, summary):
        return shown
    left = longest - len(summary) - 2
    if left < longest // 4:
        return _Excerpts(summary, ()).best(longest)
    return f"{summary}\n\n{excerpts.best(left)}"


class _Excerpts:
    """Parts of one text around terms; it is looked through once, and only if it is too long to be shown whole."""

    def __init__(self, text: str, terms: Sequence[str]) -> None:
        self._text = text
        self._terms = terms

    def best(self, longest: int) -> str:
        """The text itself if it is short enough, else the part that holds most of the terms."""
        if len(self._text) <= longest:
            return self._text
        text = self._seen
        start, end = self._window(longest)
        shown = Slicer(text, self._blocks).part(start, end, longest).strip("\n ")
        before = "… " if start and not _is_code(self._blocks, start) else ""
        after = "" if end >= len(self._text) else "\n…" if _is_code(self._blocks, end - 1) else " …"
        return f"{before}{shown}{after}"

    @cached_property
    def _seen(self) -> str:
        return self._text[:_SEEN]

    @cached_property
    def _blocks(self) -> Sequence[Block]:
        return blocks(self._seen)

    @cached_property
    def _borders(self) -> Sequence[int]:
        end = len(self._seen)
        return [0, *sorted({match.end() for match in _BORDER.finditer(self._seen)} - {0, end}), end]

    @cached_property
    def _searched(self) -> str:
        return _small(_OTHERS.sub(lambda match: " " * len(match[0]), self._seen))

    @cached_property
    def _held(self) -> Sequence[Sequence[int]]:
        """The numbers of the terms in each sentence or line."""
        held: list[list[int]] = [[] for _ in self._borders[1:]]
        for number, term in enumerate(self._terms):
            for unit in {bisect_right(self._borders, place) - 1 for place in _places(self._searched, term)}:
                held[unit].append(number)
        return held

    def _window(self, longest: int) -> tuple[int, int]:
        """The range of whole sentences or lines with the most distinct terms; the earliest of equals."""
        borders, held = self._borders, self._held
        counts = [0] * len(self._terms)
        opening = bisect_left(borders, _lead(self._seen))
        best, best_range, distinct, last = -1.0, (0, 0), 0, 0
        for first in range(len(held)):
            while last < len(held) and (borders[last + 1] - borders[first] <= longest or last == first):
                for number in held[last]:
                    distinct += not counts[number]
                    counts[number] += 1
                last += 1
            score = distinct + (_BEGINNING if first == opening else 0.0)
            if score > best:
                best, best_range = score, (first, last)
            for number in held[first]:
                counts[number] -= 1
                distinct -= not counts[number]
        first, last = best_range
        while last - first > 1 and self._is_bare(first):
            first += 1
        while last - first > 1 and self._is_bare(last - 1):
            last -= 1
        start, end = borders[first], borders[last]
        return (start, end) if end - start <= longest else _inside(self._seen, self._terms, (start, end), longest)

    def _is_bare(self, unit: int) -> bool:
        return not self._searched[self._borders[unit] : self._borders[unit + 1]].strip()


def _says(text: str, summary: str) -> bool:
    """Whether a text says a summary: the same words, whatever their marks."""
    return summary in text or _NOT_WORD.sub("", summary).casefold() in _NOT_WORD.sub("", plain(text)).casefold()


def _fixed_tokens(chunk: Chunk) -> int:
    return _FIELDS + estimate_tokens("".join((chunk.id, chunk.title, *chunk.heading, chunk.url, chunk.symbol)))


def _body(chunk: Chunk) -> str:
    """The text without a first heading that says what the title says."""
    text = chunk.text.strip()
    first, _, rest = text.partition("\n")
    return rest.strip() if first.startswith("#") and first.strip("# `") == chunk.title.strip("` ") else text


def _lead(text: str) -> int:
    """Where the text begins after notes in quotation: those say what is to be minded, not yet what a thing is."""
    match = _NOTES.match(text)
    return match.end() if match and match.end() < len(text) else 0


def _inside(text: str, terms: Sequence[str], unit: tuple[int, int], longest: int) -> tuple[int, int]:
    """A range inside one sentence or line that is too long by itself, from a little before its first term on."""
    low, high = unit
    small = _small(text)
    places = [place for term in terms for place in _places(small, term) if low <= place < high]
    start = max(low, min(min(places, default=low) - longest // 4, high - longest))
    if start > low:
        start = _word_start(text, start, start + longest // 4)
    end = min(high, start + longest)
    return start, (_word_end(text, end, start) if end < high else end)


def _word_start(text: str, start: int, latest: int) -> int:
    found = re.compile(r"(?<=\s)\S").search(text, start, latest)
    return found.start() if found else start


def _word_end(text: str, end: int, start: int) -> int:
    found = max(text.rfind(" ", start, end + 1), text.rfind("\n", start, end + 1))
    return found if found > start else end


def _places(text: str, term: str) -> Iterator[int]:
    """Where a term begins in a text of small letters, at most `_MAX_PLACES`; short ones only as whole words."""
    stem = term[:-1] if len(term) > 3 and term.endswith("y") else term
    whole = len(stem) <= 3 and stem.isascii()
    at, count = text.find(stem), 0
    while at >= 0 and count < _MAX_PLACES:
        end = at + len(stem)
        if not whole or not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            count += 1
            yield at
        at = text.find(stem, end)


def _small(text: str) -> str:
    """The text in small letters, each where it was: a capital that has no small letter of its own stays."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(one if len(one.lower()) != 1 else one.lower() for one in text)


def _is_code(scanned: Sequence[Block], offset: int) -> bool:
    block = scanned[max(0, bisect_right([one.start for one in scanned], offset) - 1)]
    return block.kind in ("fence", "code", "table", "html")
