"""The rows of a pack's file, inflated, and what is kept of them in memory."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from refdesk.adapters.packs.format import (
    APPLICATION_ID,
    Block,
    Damaged,
    Directory,
    Key,
    inflate,
    release_in,
    unpack_block,
)
from refdesk.adapters.sqlite import connect, storage_errors
from refdesk.domain.errors import PackUnreadable
from refdesk.ports.packs import PACK_FORMAT

# What a key and an end cost beside the bytes of the item, roughly.
_PER_ITEM = 120


class BlockCache:
    """The blocks that were read last, of all packs of a folder, to a number of bytes. Safe to use from threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._blocks: OrderedDict[tuple[str, int], Block] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, pack: str, number: int) -> Block | None:
        """A block that is still here."""
        with self._lock:
            block = self._blocks.get((pack, number))
            if block is not None:
                self._blocks.move_to_end((pack, number))
            return block

    def keep(self, pack: str, number: int, block: Block) -> None:
        """Keep a block and let go of those that were not asked for longest."""
        with self._lock:
            if (pack, number) in self._blocks:
                return
            self._blocks[pack, number] = block
            self._size += _weight(block)
            while self._size > self._limit:
                self._size -= _weight(self._blocks.popitem(last=False)[1])


class PackFile:
    """An open pack as items by kind and key. One connection with a lock: a read takes less than a millisecond."""

    def __init__(self, path: Path, cache: BlockCache) -> None:
        """Open a file.

        Raises:
            PackUnreadable: Missing, no pack, or of another format.
        """
        self.path = path
        self._name = path.name
        self._cache = cache
        self._lock = threading.Lock()
        self._directory: Directory | None = None
        if not path.exists():
            raise self.unreadable("is missing")
        with self._named_errors():
            self._connection = connect(path, immutable=True)
            # What is read again is among the inflated blocks; many packs are open at once.
            self._connection.pragma("cache_size", -64)
            kind, number = (self._connection.pragma(name) for name in ("application_id", "user_version"))
        if kind != APPLICATION_ID:
            raise self.unreadable("is no pack")
        if number != PACK_FORMAT:
            raise self.unreadable(f"has the format {number}, this refdesk reads the format {PACK_FORMAT}")

    def head(self, name: str) -> bytes:
        """A row of the head, inflated."""
        with self._named_errors():
            return inflate(self._row("SELECT data FROM head WHERE name = ?", name))

    def item(self, kind: str, key: Key) -> bytes | None:
        """The item of a key; None if there is none."""
        if self._directory is not None:
            number = self._directory.block_of(kind, key)
            if number is None:
                return None
            block = self._cache.get(self._name, number)
            if block is not None:  # in memory nothing can fail: a search asks for dozens of items
                return block.item(key)
        with self._named_errors():
            number = self._directory_now().block_of(kind, key)
            return None if number is None else self._block(kind, number).item(key)

    def items(self, kind: str, start: Key | None = None) -> Iterator[tuple[Key, bytes]]:
        """Items in order of their keys, from `start` on."""
        with self._named_errors():
            numbers = self._directory_now().blocks(kind, start)
        for number in numbers:
            with self._named_errors():
                block = self._block(kind, number)
            yield from block.items(start)

    def unreadable(self, why: str) -> PackUnreadable:
        """The error of a pack that must be built again."""
        release = release_in(self.path.name)
        return PackUnreadable(
            f"The pack {self.path.name} {why}.",
            f"Add the release again, which builds it anew: {release}",
            pack=self.path.name,
            release=release,
        )

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            with storage_errors(self.path, damaged=PackUnreadable):
                yield
        except (Damaged, apsw.SQLError) as error:
            # A statement fails in a damaged file whose schema can no longer be read.
            raise self.unreadable(f"is damaged: {error}") from error
        except PackUnreadable as error:
            raise self.unreadable(f"is damaged: {error.__cause__}") from error

    def _directory_now(self) -> Directory:
        if self._directory is None:
            self._directory = Directory.unpack(self._row("SELECT data FROM head WHERE name = ?", "directory"))
        return self._directory

    def _block(self, kind: str, number: int) -> Block:
        block = self._cache.get(self._name, number)
        if block is None:
            block = unpack_block(kind, number, self._row("SELECT data FROM block WHERE id = ?", number))
            self._cache.keep(self._name, number, block)
        return block

    def _row(self, statement: str, key: Key) -> bytes:
        with self._lock:
            row: Sequence[object] | None = self._connection.execute(statement, (key,)).fetchone()
        if row is None or not isinstance(row[0], bytes):
            raise Damaged(f"it has no {key}")
        return row[0]


def _weight(block: Block) -> int:
    return len(block.body) + _PER_ITEM * len(block.keys)
