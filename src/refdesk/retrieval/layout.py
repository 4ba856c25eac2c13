"""Rows of several packs as one line of numbers, so that they are scored together."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple


class Candidate(NamedTuple):
    """A chunk that may be a hit: the pack's index in the search, the chunk's row in the pack. Orders ties."""

    pack: int
    row: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the rows of each pack stand in the common numbering.

    Attributes:
        starts: Number of the first row of each pack, then the number of all rows.
    """

    starts: tuple[int, ...]

    @classmethod
    def of(cls, sizes: Sequence[int]) -> "Layout":
        """The layout of packs with these numbers of chunks."""
        return cls((0, *accumulate(sizes)))

    @property
    def size(self) -> int:
        """Rows of all packs."""
        return self.starts[-1]

    def candidate(self, number: int) -> Candidate:
        """The chunk behind a common number; packs without rows are skipped."""
        pack = bisect_right(self.starts, number) - 1
        return Candidate(pack, number - self.starts[pack])

    def candidates(self, numbers: Sequence[int]) -> list[Candidate]:
        """The same for many numbers."""
        if len(self.starts) == 2:  # most searches are of one pack
            return [Candidate(0, number) for number in numbers]
        return list(map(self.candidate, numbers))

    def number(self, candidate: Candidate) -> int:
        """The common number of a chunk."""
        return self.starts[candidate.pack] + candidate.row
