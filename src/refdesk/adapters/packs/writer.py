"""Writing a pack: entries in, one file out."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import apsw
import orjson

from refdesk.adapters.packs.format import APPLICATION_ID, SCHEMA, Directory, Key, deflate, pack_block
from refdesk.adapters.packs.postings import PostingsBuilder
from refdesk.adapters.sqlite import connect, run, storage_errors, transaction
from refdesk.adapters.values import dumps, fields_of
from refdesk.domain.entries import Chunk, Entries
from refdesk.domain.errors import InternalError, SourceRejected
from refdesk.domain.names import fold, tails
from refdesk.domain.symbols import Symbol
from refdesk.ports.packs import Manifest
from refdesk.ports.progress import Progress, Step

_BUILDING = """
PRAGMA page_size = 2048;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
"""
# Inflated bytes of a block. Long ones compress better; short ones are inflated faster by a search that needs many.
_BLOCK = 32_768
_SHORTER = {"posting": 2_048, "form": 2_048, "symbol": 8_192}

_EACH = 2_000

_Item = tuple[Key, bytes]


def write_pack(path: Path, manifest: Manifest, entries: Entries, progress: Progress) -> None:
    """Write a pack to a new file and make its bytes durable. The same input gives the same bytes.

    Raises:
        StorageFull, StorageReadOnly: The file is left behind for the caller to remove.
        SourceRejected: A text that no file can hold.
        InternalError: Two entries of one kind have the same key.
    """
    connection = connect(path, write=True)
    try:
        with storage_errors(path, connection):
            run(connection, f"{_BUILDING} PRAGMA application_id = {APPLICATION_ID}; {SCHEMA}")
            run(connection, f"PRAGMA user_version = {manifest.format}")
            with transaction(connection):
                _fill(_Writer(connection), manifest, entries, progress)
    except (TypeError, UnicodeError) as error:
        raise SourceRejected(
            f"{manifest.release.label} holds a text that cannot be stored: {error}",
            "Please report this with the name and version of the package.",
        ) from error
    finally:
        connection.close()
    with storage_errors(path):
        _sync(path)


class _Writer:
    """Puts items into blocks, kind after kind."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._kinds: dict[str, tuple[int, list[Key]]] = {}
        self._number = 0

    def put(self, kind: str, items: Iterable[_Item]) -> None:
        """Store all items of a kind, which come sorted by key."""
        keys: list[Key] = []
        values: list[bytes] = []
        size, limit = 0, _SHORTER.get(kind, _BLOCK)
        last: Key | None = None
        for key, value in items:
            if key == last:
                raise InternalError(f"Two entries of the kind {kind} are called {key!r}.")
            last = key
            keys.append(key)
            values.append(value)
            size += len(value) + len(str(key))
            if size >= limit:
                self._put_block(kind, keys, values)
                keys, values, size = [], [], 0
        if keys:
            self._put_block(kind, keys, values)

    def put_head(self, **data: bytes) -> None:
        """Store the head, and with it the directory."""
        rows = [*data.items(), ("directory", Directory(self._kinds).pack())]
        self._connection.executemany("INSERT INTO head (name, data) VALUES (?, ?)", rows)

    def _put_block(self, kind: str, keys: list[Key], values: list[bytes]) -> None:
        self._number += 1
        self._kinds.setdefault(kind, (self._number, []))[1].append(keys[0])
        self._connection.execute(
            "INSERT INTO block (id, data) VALUES (?, ?)",
            (self._number, pack_block(kind, self._number, keys, values)),
        )


def _fill(writer: _Writer, manifest: Manifest, entries: Entries, progress: Progress) -> None:
    symbols = sorted(entries.symbols, key=lambda one: one.name)
    chunks = sorted(entries.chunks, key=lambda one: one.id)
    pages = sorted(entries.pages, key=lambda one: one.path)
    _refuse_doubles("chunk", (chunk.id for chunk in chunks))
    writer.put("symbol", ((one.name, dumps(one)) for one in symbols))
    writer.put("summary", ((one.name, _summary(one)) for one in symbols))
    writer.put("name", ((name, b"") for name in sorted({name for one in symbols for name in _public(one)})))
    writer.put("form", _forms(symbols))
    writer.put("shape", ((name, dumps(entries.shapes[name])) for name in sorted(entries.shapes)))
    writer.put("page", ((one.path, dumps(one)) for one in pages))
    writer.put("contents", ((one.path, dumps(fields_of(one) | {"markdown": ""})) for one in pages))
    docs = {one.name: one.doc for one in symbols}
    postings = PostingsBuilder()
    writer.put("chunk", _chunks(chunks, docs, postings, manifest.release.label, progress))
    writer.put("rows", _rows(chunks))
    writer.put("relation", _relations(entries))
    receipts = sorted(entries.fidelity, key=lambda one: one.path)
    writer.put("fidelity", ((one.path, dumps(one)) for one in receipts))
    writer.put("posting", postings.lists())
    lengths = postings.lengths()
    writer.put_head(
        manifest=deflate(dumps(manifest)),
        problems=deflate(dumps(list(entries.problems))),
        lengths=deflate(lengths.names.tobytes() + lengths.prose.tobytes()),
    )


def _summary(symbol: Symbol) -> bytes:
    return orjson.dumps([symbol.kind, symbol.summary, symbol.deprecation is not None])


def _forms(symbols: Iterable[Symbol]) -> Iterator[_Item]:
    """Every folded public name and its tails, each with the symbols that it leads to by leaving out least."""
    forms: defaultdict[str, dict[str, tuple[int, list[str]]]] = defaultdict(dict)
    for symbol in symbols:
        for public in _public(symbol):
            whole = fold(public)
            for left_out, form in enumerate((whole, *tails(whole))):
                known, names = forms[form].get(symbol.name, (left_out + 1, []))
                if left_out < known:
                    forms[form][symbol.name] = (left_out, [public])
                elif left_out == known:
                    names.append(public)
    for form in sorted(forms):
        yield (
            form,
            orjson.dumps(
                [
                    [left_out, name] if names == [name] else [left_out, name, names]
                    for name, (left_out, names) in forms[form].items()
                ]
            ),
        )


def _public(symbol: Symbol) -> Iterable[str]:
    return dict.fromkeys((symbol.name, *symbol.names))


def _chunks(
    chunks: list[Chunk], docs: dict[str, str], postings: PostingsBuilder, label: str, progress: Progress
) -> Iterator[_Item]:
    for row, chunk in enumerate(chunks):
        if row % _EACH == 0:
            progress(Step("store", label, row, len(chunks), "chunks"))
        postings.add((*chunk.names, chunk.title), (*chunk.heading, chunk.text, chunk.terms))
        shown = fields_of(chunk)
        shown.pop("terms", None)
        if docs.get(chunk.symbol) == chunk.text:
            del shown["text"]
        yield row, dumps(shown)
    progress(Step("store", label, len(chunks), len(chunks), "chunks"))


def _rows(chunks: list[Chunk]) -> Iterator[_Item]:
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, chunk in enumerate(chunks):
        if chunk.symbol:
            rows[chunk.symbol].append(row)
    for name in sorted(rows):
        yield name, orjson.dumps(rows[name])


def _relations(entries: Entries) -> Iterator[_Item]:
    targets: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in entries.relations:
        targets[one.source].append((one.kind, one.target))
    for source in sorted(targets):
        yield source, orjson.dumps(sorted(targets[source]))


def _refuse_doubles(kind: str, ids: Iterable[str]) -> None:
    last = None
    for one in ids:
        if one == last:
            raise InternalError(f"Two entries of the kind {kind} are called {one!r}.")
        last = one


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
