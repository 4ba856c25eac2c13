"""Inventories: what a site itself says it documents, and where."""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from refdesk.domain.errors import SourceRejected

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest inventory that is read, after inflating."""

_LINE = re.compile(r"(?P<name>.+?)\s+(?P<role>\S+)\s+-?\d+\s+?(?P<place>\S*)(?:\s+.*)?")
_NO_API = frozenset({
    "std:label", "std:doc", "std:term", "std:token", "py:parameter", "c:functionParam", "cpp:functionParam",
    "cpp:templateParam", "cpp:templateTypeParam", "js:parameter", "math:numref", "cmake:manual", "cmake:guide",
})  # fmt: skip
_NEXT_STEP = "Leave the inventory out: names are then read off the pages."


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of an inventory.

    Attributes:
        role: Domain and kind, `py:method`; the group for DevDocs.
        uri: Page, relative to the inventory.
        anchor: Id in the page; empty for the page itself.
    """

    name: str
    role: str
    uri: str
    anchor: str


@dataclass(frozen=True)
class Inventory:
    """What a site documents.

    Attributes:
        project: Name of the project; empty if not stated.
        version: As stated; empty if not.
        items: API entries only, in the order of the inventory; labels, pages and glossary terms are left out.
    """

    project: str = ""
    version: str = ""
    items: tuple[Item, ...] = ()

    @cached_property
    def anchors(self) -> Mapping[str, Sequence[Item]]:
        """Items by anchor; those of whole pages are under the empty one."""
        return _grouped((item.anchor, item) for item in self.items)

    @cached_property
    def names(self) -> Mapping[str, Sequence[Item]]:
        """Items by name."""
        return _grouped((item.name, item) for item in self.items)

    def at(self, anchor: str, page: str) -> Item | None:
        """The item that leads to an anchor; None if no item does.

        Of several, one of this page, and the one that is called as its anchor: the others are its aliases.
        """
        found = self.anchors.get(anchor, ())
        here = [item for item in found if is_page(item.uri, page)] or found
        return next((item for item in here if item.name == anchor), here[0] if here else None)


def is_page(uri: str, page: str) -> bool:
    """Whether the uri of an inventory is that of a page with this address or path; so, if the page has neither."""
    wanted, shown = _plain(uri), _plain(page)
    return not shown or shown == wanted or shown.endswith(f"/{wanted}") or not wanted


def read_inventory(data: bytes) -> Inventory:
    """Read `objects.inv`, version 1 or 2.

    Raises:
        SourceRejected: It is none, is damaged, or holds more than `LARGEST` bytes.
    """
    head, _, rest = data.partition(b"\n")
    if head.startswith(b"# Sphinx inventory version 2"):
        lines = rest.split(b"\n", 3)
        if len(lines) < 4:
            raise SourceRejected("The inventory ends in its head.", _NEXT_STEP)
        body = _inflate(lines[3])
        items: Iterable[Item] = _items_2(body)
    elif head.startswith(b"# Sphinx inventory version 1"):
        lines = rest.split(b"\n", 2)
        items = _items_1(b"".join(lines[2:])[:LARGEST].decode("utf-8", "replace"))
    else:
        raise SourceRejected("The file is no Sphinx inventory of version 1 or 2.", _NEXT_STEP)
    stated = [_stated(line) for line in (*lines[:2], b"", b"")]
    return Inventory(stated[0], stated[1], tuple(item for item in items if item.role not in _NO_API))


def read_docset(index_json: bytes) -> Inventory:
    """Read the `index.json` of a DevDocs docset.

    Raises:
        SourceRejected: It is none.
    """
    try:
        found = json.loads(index_json)["entries"]
        entries = [(str(one["name"]), str(one["path"]), str(one.get("type") or "")) for one in found]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SourceRejected(f"The file is no index of a docset: {error!r}", _NEXT_STEP) from error
    return Inventory(items=tuple(_docset_item(*one) for one in entries))


def _docset_item(name: str, path: str, role: str) -> Item:
    uri, _, anchor = path.partition("#")
    return Item(name.removesuffix("()"), role, uri, anchor)


def _inflate(data: bytes) -> str:
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(data, LARGEST)
    except zlib.error as error:
        raise SourceRejected(f"The inventory is damaged: {error}", _NEXT_STEP) from error
    if inflater.unconsumed_tail:
        raise SourceRejected(f"The inventory holds more than {LARGEST} bytes.", _NEXT_STEP)
    if not inflater.eof:
        raise SourceRejected("The inventory is cut off.", _NEXT_STEP)
    return text.decode("utf-8", "replace")


def _items_2(text: str) -> Iterator[Item]:
    for line in text.split("\n"):
        match = _LINE.fullmatch(line.rstrip())
        if match is None or ":" not in match["role"]:
            continue
        name, place = match["name"], match["place"]
        if place.endswith("$"):
            place = place[:-1] + name
        uri, _, anchor = place.partition("#")
        yield Item(name, match["role"], uri, anchor)


def _items_1(text: str) -> Iterator[Item]:
    for line in text.split("\n"):
        parts = line.split()
        if len(parts) != 3:
            continue
        name, role, uri = parts
        if role == "mod":
            yield Item(name, "py:module", uri, f"module-{name}")
        else:
            yield Item(name, f"py:{role}", uri, name)


def _stated(line: bytes) -> str:
    return line.decode("utf-8", "replace").partition(":")[2].strip()


@lru_cache(maxsize=8192)
def _plain(uri: str) -> str:
    """A page without what differs between its address, its file and its entry in an inventory."""
    path = re.split(r"[?#]", uri, maxsplit=1)[0].removesuffix("/").removesuffix(".html").removesuffix(".htm")
    return path.removesuffix("/index").removesuffix("/") if path != "index" else ""


def _grouped(pairs: Iterable[tuple[str, Item]]) -> Mapping[str, Sequence[Item]]:
    found: dict[str, list[Item]] = {}
    for key, item in pairs:
        found.setdefault(key, []).append(item)
    return found
