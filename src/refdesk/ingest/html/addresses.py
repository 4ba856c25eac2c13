"""Which addresses, files and lines of an inventory mean one page."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from refdesk.domain.entries import SourceFiles
from refdesk.domain.urls import canonical
from refdesk.ingest.html.heads.inventory import Inventory, Item

_CANONICAL = re.compile(rb"<link\b(?=[^>]*\brel\s*=\s*[\"']?canonical\b)[^>]*>", re.IGNORECASE)
_HREF = re.compile(rb"\bhref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
_HEAD = 50_000
"""Bytes in which a page states its proper address."""

_INDEX = re.compile(r"(?:^|/)(?:index\.x?html?|index|default\.html?)?\Z", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:x?html?|md)\Z", re.IGNORECASE)


class Addresses:
    """The pages of a release by all that leads to them."""

    def __init__(self, source: SourceFiles) -> None:
        self._urls = source.urls
        found: dict[str, list[str]] = defaultdict(list)
        for path in source.files:
            found[plain(path)].append(path)
        for path, url in source.urls.items():
            found[url].append(path)
        self._paths: Mapping[str, Sequence[str]] = found

    def others(self, path: str, data: bytes) -> Iterator[str]:
        """Paths of pages that may be the same as this one: but for a slash or `index.html`, or as it states itself."""
        leads = [plain(path)]
        url = self._urls.get(path, "")
        link = _CANONICAL.search(data, 0, _HEAD) if url else None
        target = _HREF.search(link[0]) if link is not None else None
        if target is not None:
            leads.append(canonical(target[1].decode("utf-8", "replace"), url) or "")
        yield from (other for lead in leads for other in self._paths.get(lead, ()) if other != path)


class InventoryParts:
    """An inventory by page: what is listed of one page does not make the others new."""

    def __init__(self, inventory: Inventory | None, path: str = "") -> None:
        """Take an inventory, and the path of its file, whose folder its pages are named from."""
        self._inventory = inventory
        self._folder = path.rpartition("/")[0]
        self._items: dict[str, list[Item]] = defaultdict(list)
        for item in inventory.items if inventory is not None else ():
            self._items[plain(item.uri)].append(item)

    def of_page(self, path: str) -> Inventory | None:
        """What is listed of a page; None if the site has no inventory."""
        if self._inventory is None:
            return None
        inside = path.removeprefix(f"{self._folder}/") if self._folder else path
        return Inventory(self._inventory.project, self._inventory.version, tuple(self._items.get(plain(inside), ())))


@lru_cache(maxsize=1 << 12)  # an inventory names the same pages thousands of times
def plain(path: str) -> str:
    """A path without what differs between two addresses of one page: a slash at its end, `index.html`, an ending."""
    return _INDEX.sub("", _ENDING.sub("", path.removesuffix("/")))
