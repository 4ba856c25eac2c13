"""A page in ranges that are about one thing each: its sections, the entries of an API among them, parts of long ones.

Sections are cut at headings down to level three, finer where one is long; what is still long is cut between blocks.
A heading without text of its own goes with its first subsection.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from refdesk.domain.cutting import CHARACTERS, Slicer
from refdesk.domain.markdown import Block, Heading, blocks, outline
from refdesk.domain.symbols import Symbol

TARGET = 400 * CHARACTERS
"""A chunk that can be cut between blocks is not longer than this; in characters."""

LARGEST = 800 * CHARACTERS
"""No chunk is longer; what cannot be cut between blocks may go up to this. In characters."""

KEPT_WHOLE = 500 * CHARACTERS
"""A section up to this length is one chunk; in characters."""

_REMNANT = 60 * CHARACTERS
_LEVEL = 3


class Sheet:
    """A text with its structure.

    Attributes:
        scanned: Its blocks.
        headings: Its headings; those of a part of a page as the page numbers them.
        news: Whether it tells of changes: its lists name what changed and describe none of it.
    """

    def __init__(
        self,
        markdown: str,
        scanned: Sequence[Block] | None = None,
        headings: Sequence[Heading] | None = None,
        *,
        news: bool = False,
    ) -> None:
        """Read the structure where the caller has not yet."""
        self.news = news
        self.markdown = markdown
        self.scanned = blocks(markdown) if scanned is None else scanned
        self.headings = outline(markdown, self.scanned) if headings is None else headings

    @cached_property
    def slicer(self) -> Slicer:
        """Cuts it."""
        return Slicer(self.markdown, self.scanned)


@dataclass(frozen=True, slots=True)
class Section:
    """A range of a text that is about one thing.

    Attributes:
        heading: None before the first one.
        symbol: The API entry that it describes; None for other text.
    """

    heading: Heading | None
    start: int
    end: int
    symbol: Symbol | None = None


def sections(sheet: Sheet, headings: Sequence[Heading], entries: Mapping[str, Symbol]) -> Iterator[Section]:
    """Ranges that partition a text, each under its heading.

    Args:
        sheet: The text.
        headings: Those of its headings that begin a section.
        entries: API entries by the anchors that lead to them.
    """
    end_of_text = len(sheet.markdown)
    first = headings[0].start if headings else end_of_text
    if first:
        yield Section(None, 0, first)
    symbols = _symbols(headings, entries) if entries else {}
    ends = [*(heading.start for heading in headings[1:]), end_of_text]
    carried: int | None = None
    at = 0
    while at < len(headings):
        heading, symbol = headings[at], symbols.get(at)
        start = heading.start if carried is None else carried
        carried = None
        if symbol is not None:
            after = _end_of_entry(headings, at, symbols)
        else:
            after = _end_of_section(headings, at, symbols, ends)
            only_title = after == at + 1 and not sheet.markdown[heading.body : ends[at]].strip()
            if only_title and after < len(headings) and headings[after].level > heading.level:
                carried = start if after not in symbols else None
                at = after
                continue
        yield Section(heading, start, ends[after - 1], symbol)
        at = after


def parts(sheet: Sheet, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A range in parts of a good size; a table or code block that fits into the largest size stays whole."""
    if end - start <= KEPT_WHOLE:
        yield start, end
        return
    slicer, scanned = sheet.slicer, sheet.scanned
    while start < end:
        after = slicer.end_of_part(start, end, TARGET)
        if after < end and scanned[slicer.block_at(after)].start != after:
            after = slicer.end_of_part(start, end, LARGEST)
        if end - after <= _REMNANT and end - start <= LARGEST:
            after = end
        yield start, after
        start = after


def outside(headings: Sequence[Heading], ranges: Sequence[tuple[int, int]]) -> Sequence[Heading]:
    """The headings that stand in none of some ranges, which come in order."""
    if not ranges:
        return headings
    starts = [start for start, _ in ranges]
    ends = [end for _, end in ranges]
    return [one for one in headings if not (at := bisect_left(starts, one.start + 1)) or one.start >= ends[at - 1]]


def _symbols(headings: Sequence[Heading], entries: Mapping[str, Symbol]) -> dict[int, Symbol]:
    """The entries that headings stand for; each is described once."""
    found: dict[int, Symbol] = {}
    seen: set[str] = set()
    for number, heading in enumerate(headings):
        anchors = (heading.anchor, *heading.aliases)
        symbol = next((entries[anchor] for anchor in anchors if anchor in entries), None)
        if symbol is not None and symbol.name not in seen:
            found[number] = symbol
            seen.add(symbol.name)
    return found


def _end_of_entry(headings: Sequence[Heading], at: int, symbols: Mapping[int, Symbol]) -> int:
    """Number of the heading that ends an entry: its subsections belong to it, but those of a module are the page's."""
    after = at + 1
    while (
        symbols[at].kind != "module"
        and after < len(headings)
        and headings[after].level > headings[at].level
        and after not in symbols
    ):
        after += 1
    return after


def _end_of_section(headings: Sequence[Heading], at: int, symbols: Mapping[int, Symbol], ends: Sequence[int]) -> int:
    heading, after = headings[at], at + 1
    while after < len(headings) and headings[after].level > max(_LEVEL, heading.level) and after not in symbols:
        after += 1
    return at + 1 if ends[after - 1] - heading.start > KEPT_WHOLE else after
