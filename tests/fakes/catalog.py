"""A catalog in memory."""

from collections.abc import Mapping, Sequence
from math import log

from refdesk.domain.libraries import Library
from refdesk.domain.releases import Published, Release


class MemoryCatalog:
    """Catalog port without a file."""

    def __init__(self, *releases: Published) -> None:
        self._published: dict[str, Published] = {}
        self._cards: dict[str, dict[str, int]] = {}
        self._generation = 0
        for release in releases:
            self.publish(release, {})

    def published(self, library: Library | None = None) -> Sequence[Published]:
        found = [one for one in self._published.values() if library is None or one.release.library == library]
        return sorted(found, key=lambda one: (one.release.library, one.release.key))

    def publish(self, release: Published, card: Mapping[str, int]) -> Published | None:
        key = release.release.key
        earlier = self._published.get(key)
        self._published[key] = release
        self._cards[key] = dict(card)
        self._generation += 1
        return earlier

    def withdraw(self, release: Release) -> Published | None:
        earlier = self._published.pop(release.key, None)
        if earlier is not None:
            del self._cards[release.key]
            self._generation += 1
        return earlier

    def rank_packs(self, terms: Sequence[str], limit: int) -> Sequence[str]:
        scores: dict[str, float] = {}
        for term in dict.fromkeys(terms):
            holders = {key: card[term] for key, card in self._cards.items() if card.get(term)}
            rarity = log(1 + len(self._cards) / len(holders)) if holders else 0.0
            for key, count in holders.items():
                pack = self._published[key].pack
                scores[pack] = scores.get(pack, 0.0) + rarity * count / (count + 1)
        return sorted(scores, key=lambda pack: (-scores[pack], pack))[: max(0, limit)]

    def generation(self) -> int:
        return self._generation
