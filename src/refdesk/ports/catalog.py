"""The catalog: which releases are published, and which libraries a word points to."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from refdesk.domain.libraries import Library
from refdesk.domain.releases import Published, Release


class Catalog(Protocol):
    """Published releases. Every change is one transaction; several processes share it."""

    def published(self, library: Library | None = None) -> Sequence[Published]:
        """Releases that answer, of one library or of all, sorted by library and key."""
        ...

    def publish(self, release: Published, card: Mapping[str, int]) -> Published | None:
        """Make a pack answer in place of the release's earlier one, which is returned.

        Args:
            release: What answers from now on.
            card: Terms of the release's names and titles with their numbers of chunks: what chooses libraries
                for a search that names none.
        """
        ...

    def withdraw(self, release: Release) -> Published | None:
        """Stop a release from answering; returns what answered, None if nothing did."""
        ...

    def rank_packs(self, terms: Sequence[str], limit: int) -> Sequence[str]:
        """Packs whose cards fit the terms best: rare terms count more; ties by name of the pack."""
        ...

    def generation(self) -> int:
        """Grows with every publish and withdraw, of any process; for caches."""
        ...
