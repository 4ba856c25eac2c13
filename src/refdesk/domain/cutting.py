"""Cutting Markdown into parts of a size: pages for reading, long sections for searching.

A part is a slice of the text. Where it begins or ends inside a fence or a table, the opening line or the header is
repeated and the closing line added, so that each part is whole Markdown and the slices, joined, are the text.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from refdesk.domain.errors import InvalidInput
from refdesk.domain.markdown import Block, blocks, close_fences, looks_like_fence
from refdesk.domain.text import estimate_tokens

CHARACTERS = 4
"""Characters of one token by `estimate_tokens`."""

LEAST_TOKENS = 50
"""Smallest budget that `cut` accepts."""

_SENTENCE = re.compile(r"(?<=[.!?。！？])[\s]+|(?<=[。！？])|\n")
_SPACE = re.compile(r"\s+")
_STEP_BACK = 100
_BLANK_LINE = re.compile(r"\n[ \t>]*\r?\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a text.

    Attributes:
        text: Markdown with balanced fences.
        next: Offset to go on from; None at the end.
        start: Offset where it begins.
        total_tokens: Estimate for the whole text.
    """

    text: str
    next: int | None
    start: int
    total_tokens: int


def cut(markdown: str, max_tokens: int, start: int = 0) -> Piece:
    """The part of a text from an offset on that fits a budget.

    It ends at a section border where one is near enough, else between blocks; inside a fence, table or paragraph only
    if that is larger than the budget by itself.

    Args:
        markdown: The whole text.
        max_tokens: Budget by `estimate_tokens`; at least `LEAST_TOKENS`.
        start: Where to begin: 0, or `next` of the part before.

    Raises:
        InvalidInput: A budget that is too small, or an offset outside of the text.
    """
    if max_tokens < LEAST_TOKENS:
        raise InvalidInput(
            f"A budget of {max_tokens} tokens is too small to read with.", f"Ask for {LEAST_TOKENS} or more."
        )
    if not 0 <= start <= len(markdown):
        raise InvalidInput(f"The text has no offset {start}.", "Begin without a cursor.")
    slicer = Slicer(markdown, blocks(markdown))
    characters = max_tokens * CHARACTERS
    end = slicer.end_of_part(start, len(markdown), characters)
    return Piece(
        slicer.part(start, end, characters), end if end < len(markdown) else None, start, estimate_tokens(markdown)
    )


class Slicer:
    """Cuts one scanned text; offsets are those of the text."""

    def __init__(self, markdown: str, scanned: Sequence[Block]) -> None:
        self._text = markdown
        self._blocks = scanned
        self._starts = [block.start for block in scanned]
        self._borders = {*self._starts, len(markdown)}
        self._whole = all(block.closed for block in scanned)

    def part(
        self, start: int, end: int, characters: int, shown: Callable[[Block, str], str] = lambda _, text: text
    ) -> str:
        """The slice as whole Markdown: fences re-opened and closed, a table's header repeated.

        Args:
            start: Where it begins.
            end: Where it ends.
            characters: Its size at most, which limits what is repeated.
            shown: What to write for the text of a block, or for the part of it that lies in the slice.
        """
        text = "".join(
            shown(block, self._text[max(start, block.start) : min(end, block.end)])
            for block in self.between(start, end)
        )
        if self._whole and start in self._borders and end in self._borders:
            return text
        before, after = self._opening(start, characters), self._closing(end)
        if after and not text.endswith("\n"):
            text += "\n"
        return close_fences(before + text + after)  # half a line may look like a fence

    def between(self, start: int, end: int) -> Sequence[Block]:
        """The blocks that have text in a range."""
        return self._blocks[self.block_at(start) : bisect_left(self._starts, end)]

    def parts(self, start: int, end: int, characters: int) -> Iterator[tuple[int, int]]:
        """Cut a range into parts, none longer than `characters` when made whole."""
        while start < end:
            after = self.end_of_part(start, end, characters)
            yield start, after
            start = after

    def end_of_part(self, start: int, end: int, characters: int) -> int:
        """Where the part that begins at `start` should end; greater than `start` unless the range is empty."""
        if self._fits(start, end, characters):
            return end
        fitting = list(self._fitting(start, end, characters))
        sections = [block.start for block in fitting if block.kind == "heading"]
        if sections and sections[-1] - start >= characters // 3:
            return sections[-1]
        best = self._best_border(fitting)
        if best is None:
            return self._inside(self._blocks[self.block_at(start)], start, end, characters)
        block = self._blocks[self.block_at(best)]
        if best - start >= characters // 2 or self._fits(best, min(block.end, end), characters):
            return best
        return self._inside(block, start, end, characters)  # cutting before so large a block would only waste room

    def block_at(self, offset: int) -> int:
        """Position of the block that holds an offset."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def _fitting(self, start: int, end: int, characters: int) -> Iterator[Block]:
        """The blocks before which the part can end."""
        for position in range(self.block_at(start) + 1, len(self._blocks)):
            block = self._blocks[position]
            if block.start >= end or not self._fits(start, block.start, characters):
                return
            yield block

    def _best_border(self, fitting: Sequence[Block]) -> int | None:
        """The last border that leaves no heading, and no line that announces something, alone at the end."""
        no_heading: int | None = None
        for block in reversed(fitting):
            before = self._blocks[self.block_at(block.start) - 1]
            if before.kind == "heading":
                continue
            announces = self._text[before.start : before.end].rstrip().endswith(":")
            if not (announces and block.kind in ("fence", "code", "table", "item")):
                return block.start
            no_heading = no_heading or block.start
        return no_heading or (fitting[-1].start if fitting else None)

    def _inside(self, block: Block, start: int, end: int, characters: int) -> int:
        """An end inside a block that is too large by itself, as late as fits, at the best place its kind offers."""
        room = characters - len(self._opening(start, characters)) - (len(block.close) + 2 if block.close else 0)
        high = min(end, start + max(room, 1))
        low = max(start, block.body if block.reopen else block.start)
        if high <= low:  # an opening line or a table's header that is itself larger than the budget
            return block.start if block.start > start else min(end, max(low, start + 1))
        window = self._text[low:high]
        if block.reopen or block.kind == "code":
            gaps = [match.end() for match in _BLANK_LINE.finditer(window)] if block.kind != "table" else []
            ends = [gap for gap in gaps[-1:] if gap >= len(window) // 3] + [window.rfind("\n") + 1]
        else:
            ends = [
                last
                for pattern, least in ((_SENTENCE, len(window) // 3), (_SPACE, 0))
                for last in [match.end() for match in pattern.finditer(window) if match.end() > least][-1:]
            ]
        after = next((low + one for one in ends if one > 0), high)
        return self._harmless(after, low)

    def _harmless(self, after: int, low: int) -> int:
        """The place itself, or one a little before it where the cut does not make half a line look like a fence."""
        line = self._text.rfind("\n", 0, after) + 1
        whole_line = self._line_from(line)
        if "```" not in whole_line and "~~~" not in whole_line:
            return after
        places = range(after, max(low, line, after - _STEP_BACK), -1)
        rests = [place for place in places if not looks_like_fence(self._line_from(place))]
        whole = (place for place in rests if not looks_like_fence(self._text[line:place]))
        place = next(whole, None)
        if place is None:
            place = line if line > low else next(iter(rests), after)
        return place

    def _line_from(self, offset: int) -> str:
        end = self._text.find("\n", offset)
        return self._text[offset : end if end >= 0 else len(self._text)]

    def _fits(self, start: int, end: int, characters: int) -> bool:
        before, after = self._opening(start, characters), self._closing(end)
        extra = 1 if after and end > start and self._text[end - 1] != "\n" else 0
        return len(before) + (end - start) + extra + len(after) <= characters

    def _opening(self, offset: int, characters: int) -> str:
        """What a part that begins here repeats; a line that would eat most of the budget loses its info string."""
        block = self._inner(offset)
        if block is None:
            return ""
        if len(block.reopen) + len(block.close) <= characters // 2:
            return block.reopen
        return f"{block.close.strip()}\n" if block.kind == "fence" else ""

    def _closing(self, offset: int) -> str:
        block = self._inner(offset)
        if block is not None:
            return f"{block.close}\n" if block.close else ""
        last = self._blocks[self.block_at(offset - 1)] if offset else None
        return f"{last.close}\n" if last is not None and not last.closed and last.end == offset else ""

    def _inner(self, offset: int) -> Block | None:
        """The fence, `pre` or table in whose body an offset stands."""
        if not self._blocks or offset >= len(self._text):
            return None
        block = self._blocks[self.block_at(offset)]
        if not block.reopen or not max(block.body, block.start + 1) <= offset < block.end:
            return None
        return block if not block.closed or self._text[offset : block.end].strip() else None
