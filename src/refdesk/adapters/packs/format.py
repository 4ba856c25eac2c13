"""The format of packs, number 2.

A pack is a SQLite file (`application_id` "rfdk", `user_version` the number of the format) with two tables::

    head(name TEXT PRIMARY KEY, data BLOB)     manifest, directory, lengths, problems
    block(id INTEGER PRIMARY KEY, data BLOB)   everything else

All data are compressed by zlib, whose checksum covers every byte that answers: a damaged pack is noticed, it never
answers wrongly. A block holds neighbouring items of one kind, sorted by key, because small texts alone compress badly
(sorted blocks with a sparse directory, as the tables of LevelDB). Inflated it is a line of JSON,
`[kind, id, keys, lengths]`, and then the items, one after another. The directory says for each kind the number of its
first block and the first key of each of its blocks, so that one item costs one row.

=========  =====================  ====================================================================
kind       key                    item
=========  =====================  ====================================================================
symbol     canonical name         the symbol
summary    canonical name         `[kind, summary, deprecated]`
name       public name            nothing
form       folded name or tail    `[[parts left out, canonical name, public names], …]`
shape      name                   the shape
page       path                   the page
contents   path                   the page without its Markdown
chunk      row                    the chunk without `terms`; without `text` where that is its symbol's `doc`
rows       canonical name         rows of the chunks that describe it
relation   source                 `[[kind, target], …]`
fidelity   path                   the receipt of the page
posting    term                   see `postings`
=========  =====================  ====================================================================

The public names of a form are left out where they are the canonical name alone. Values are JSON as in
`refdesk.adapters.values`.
"""

import hashlib
import secrets
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import quote, unquote

import orjson

APPLICATION_ID = int.from_bytes(b"rfdk", "big")
PACK_SUFFIX = ".pack"
VECTORS_SUFFIX = ".vectors"
TEMPORARY_SUFFIX = ".tmp"

SCHEMA = """
CREATE TABLE head (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
"""

_LONGEST_STEM = 150
_LEVEL = 4

Key = str | int


class Damaged(Exception):
    """What was read is not what the writer wrote."""


@dataclass(frozen=True, slots=True)
class Block:
    """One inflated block.

    Attributes:
        ends: Where each item ends in `body`; it starts where the one before ends.
    """

    keys: Sequence[Key]
    ends: Sequence[int]
    body: bytes

    def item(self, key: Key) -> bytes | None:
        """The item of a key."""
        position = bisect_left(self.keys, key)
        if position == len(self.keys) or self.keys[position] != key:
            return None
        return self._at(position)

    def items(self, start: Key | None) -> Iterator[tuple[Key, bytes]]:
        """The items whose keys are `start` or come after it; all without one."""
        first = 0 if start is None else bisect_left(self.keys, start)
        for position in range(first, len(self.keys)):
            yield self.keys[position], self._at(position)

    def _at(self, position: int) -> bytes:
        return self.body[self.ends[position - 1] if position else 0 : self.ends[position]]


class Directory:
    """Which block holds a key."""

    def __init__(self, kinds: Mapping[str, tuple[int, Sequence[Key]]]) -> None:
        self._kinds = kinds

    @classmethod
    def unpack(cls, data: bytes) -> "Directory":
        """Read the head's `directory`."""
        return cls({kind: (first, keys) for kind, (first, keys) in orjson.loads(inflate(data)).items()})

    def pack(self) -> bytes:
        """The head's `directory`."""
        return deflate(orjson.dumps(self._kinds))

    def block_of(self, kind: str, key: Key) -> int | None:
        """The block that a key is in if it is anywhere."""
        first, keys = self._kinds.get(kind, (0, ()))
        position = bisect_right(keys, key)
        return first + position - 1 if position else None

    def blocks(self, kind: str, start: Key | None = None) -> range:
        """The blocks of a kind that hold keys from `start` on; all without one."""
        first, keys = self._kinds.get(kind, (0, ()))
        skipped = 0 if start is None else max(0, bisect_right(keys, start) - 1)
        return range(first + skipped, first + len(keys))


def pack_block(kind: str, number: int, keys: Sequence[Key], items: Sequence[bytes]) -> bytes:
    """The compressed bytes of a block."""
    return deflate(orjson.dumps([kind, number, keys, [len(item) for item in items]]) + b"\n" + b"".join(items))


def unpack_block(kind: str, number: int, data: bytes) -> Block:
    """Inflate a block and see that it is the one asked for.

    Raises:
        Damaged: It is not.
    """
    header, _, body = inflate(data).partition(b"\n")
    try:
        found, own, keys, lengths = orjson.loads(header)
    except ValueError as error:
        raise Damaged(f"block {number} has no header") from error
    ends = list(accumulate(lengths))
    if (found, own) != (kind, number) or len(body) != (ends[-1] if ends else 0):
        raise Damaged(f"block {number} is not a block of {kind}")
    return Block(keys, ends, body)


def deflate(data: bytes) -> bytes:
    """Compress, with a checksum."""
    return zlib.compress(data, _LEVEL)


def inflate(data: bytes) -> bytes:
    """Undo `deflate`.

    Raises:
        Damaged: The checksum does not fit.
    """
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise Damaged(str(error)) from error


def stem_of(release: str) -> str:
    """A release key as part of a file name, on any system; different keys have different stems.

    `aws:s3@2006-03-01+1.34.162` → `aws-s3@2006-03-01+1.34.162`. No ecosystem's name contains `-`.
    """
    stem = quote(release.replace(":", "-", 1), safe="@+!", errors="surrogatepass").replace("~", "%7E")
    if len(stem) > _LONGEST_STEM:
        stem = f"{stem[:_LONGEST_STEM]}~{hashlib.sha256(release.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return stem


def pack_name(release: str, content: str) -> str:
    """The file name of a pack; `content` is the SHA-256 of its bytes."""
    return f"{stem_of(release)}-{content[:16]}{PACK_SUFFIX}"


def vectors_name(pack: str, embedder: str) -> str:
    """The file name of the vectors that an embedder made for a pack."""
    return f"{pack}.{hashlib.sha256(embedder.encode()).hexdigest()[:12]}{VECTORS_SUFFIX}"


def temporary_name(name: str) -> str:
    """A new name for what is to become a file of this name."""
    return f"{name}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}"


def lock_of(name: str) -> str:
    """The lock that is held while a file of the folder of packs is made: of the release, or of the vectors."""
    if VECTORS_SUFFIX in name:
        return name.rpartition(VECTORS_SUFFIX)[0] + VECTORS_SUFFIX
    return _stem_in(name)


def pack_of_vectors(name: str) -> str:
    """The pack that a file of vectors belongs to."""
    return name.rpartition(PACK_SUFFIX)[0] + PACK_SUFFIX


def release_in(pack: str) -> str:
    """The release key in a pack's file name, for messages; a long one is cut."""
    return unquote(_stem_in(pack)).replace("-", ":", 1)


def _stem_in(name: str) -> str:
    return name.rpartition(PACK_SUFFIX)[0].rpartition("-")[0]
