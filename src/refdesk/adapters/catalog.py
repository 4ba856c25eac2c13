"""The catalog as a SQLite file, format 1.

::

    release(id, key, library, pack, body, card)   body: the `Published` as JSON; card: its terms, compressed
    card(term, release, chunks)                   chunks: how many of the release have the term in names or titles
    state(generation)

It is in WAL mode: readers go on while another process publishes. Nothing is created until something is published.
"""

import heapq
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import log
from pathlib import Path

import apsw
import orjson

from refdesk.adapters.sqlite import Schema, open_to_read, open_to_write, run, select, storage_errors, transaction
from refdesk.adapters.values import dumps, loads
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Published, Release

# A card chooses libraries, it does not search them: the terms of most chunks are enough.
_CARD_TERMS = 2_000

_SCHEMA = Schema(
    "catalog",
    b"rfdc",
    1,
    """
CREATE TABLE release (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, library TEXT NOT NULL, pack TEXT NOT NULL,
    body TEXT NOT NULL, card BLOB NOT NULL
);
CREATE INDEX release_library ON release (library);
CREATE TABLE card (term TEXT, release INTEGER, chunks INTEGER NOT NULL, PRIMARY KEY (term, release)) WITHOUT ROWID;
CREATE TABLE state (generation INTEGER NOT NULL);
INSERT INTO state VALUES (0);
""",
)


class FileCatalog:
    """Catalog port. Safe to use from several threads and processes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: apsw.Connection | None = None
        self._writes = False

    def published(self, library: Library | None = None) -> Sequence[Published]:
        """Releases that answer, of one library or of all, sorted by library and key."""
        with self._reading() as connection:
            if connection is None:
                return []
            if library is None:
                rows = select(connection, "SELECT body FROM release")
            else:
                rows = select(connection, "SELECT body FROM release WHERE library = ?", (str(library),))
        found = [loads(Published, body) for (body,) in rows]
        return sorted(found, key=lambda one: (one.release.library, one.release.key))

    def publish(self, release: Published, card: Mapping[str, int]) -> Published | None:
        """Make a pack answer in place of the release's earlier one, which is returned.

        Raises:
            StorageFull, StorageReadOnly, Busy: What answered before still does.
        """
        # The heaviest terms; among equals the first by name.
        kept = heapq.nsmallest(
            _CARD_TERMS, ((term, n) for term, n in card.items() if n > 0), key=lambda one: (-one[1], one[0])
        )
        with self._writing() as connection:
            earlier = self._take_out(connection, release.release.key)
            connection.execute(
                "INSERT INTO release (key, library, pack, body, card) VALUES (?, ?, ?, ?, ?)",
                (
                    release.release.key,
                    str(release.release.library),
                    release.pack,
                    dumps(release).decode(),
                    zlib.compress(orjson.dumps([term for term, _ in kept])),
                ),
            )
            number = connection.last_insert_rowid()
            connection.executemany(
                "INSERT INTO card (term, release, chunks) VALUES (?, ?, ?)",
                [(term, number, chunks) for term, chunks in kept],
            )
            connection.execute("UPDATE state SET generation = generation + 1")
        return earlier

    def withdraw(self, release: Release) -> Published | None:
        """Stop a release from answering; returns what answered, None if nothing did.

        Raises:
            StorageFull, StorageReadOnly, Busy: It still answers.
        """
        if not self._path.exists():
            return None
        with self._writing() as connection:
            earlier = self._take_out(connection, release.key)
            if earlier is not None:
                connection.execute("UPDATE state SET generation = generation + 1")
        return earlier

    def rank_packs(self, terms: Sequence[str], limit: int) -> Sequence[str]:
        """Packs whose cards fit the terms best: rare terms count more; ties by name of the pack.

        A term counts log(1 + releases / releases that have it), times chunks / (chunks + 1).
        """
        scores: dict[str, float] = {}
        with self._reading() as connection:
            if connection is None:
                return []
            total = select(connection, "SELECT count(*) FROM release")[0][0]
            for term in dict.fromkeys(terms):
                rows = select(
                    connection,
                    "SELECT pack, chunks FROM card JOIN release ON release.id = card.release WHERE term = ?",
                    (term,),
                )
                for pack, chunks in rows:
                    scores[pack] = scores.get(pack, 0.0) + log(1 + total / len(rows)) * chunks / (chunks + 1)
        return heapq.nsmallest(max(0, limit), scores, key=lambda pack: (-scores[pack], pack))

    def generation(self) -> int:
        """Grows with every publish and withdraw, of any process; for caches."""
        with self._reading() as connection:
            return 0 if connection is None else int(select(connection, "SELECT generation FROM state")[0][0])

    def close(self) -> None:
        """Let go of the file; the next call opens it again."""
        with self._lock:
            self._close()

    def _take_out(self, connection: apsw.Connection, key: str) -> Published | None:
        rows = select(connection, "SELECT id, body, card FROM release WHERE key = ?", (key,))
        if not rows:
            return None
        number, body, card = rows[0]
        terms = orjson.loads(zlib.decompress(card))
        connection.executemany("DELETE FROM card WHERE term = ? AND release = ?", [(term, number) for term in terms])
        connection.execute("DELETE FROM release WHERE id = ?", (number,))
        return loads(Published, body)

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection | None]:
        """A connection for one read transaction; None while there is no catalog."""
        with self._lock:
            opened = (self._connection, True) if self._connection else open_to_read(self._path, _SCHEMA)
            if opened is None:
                yield None
                return
            connection, keep = opened
            with storage_errors(self._path, connection):
                run(connection, "BEGIN")
                try:
                    yield connection
                finally:
                    run(connection, "COMMIT")
                    if keep:
                        self._connection = connection
                    else:
                        connection.close()

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """A connection inside one write transaction."""
        with self._lock:
            connection = self._connection
            if connection is None or not self._writes:
                self._close()
                connection = self._connection = open_to_write(self._path, _SCHEMA)
                self._writes = True
            with storage_errors(self._path, connection), transaction(connection):
                yield connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection, self._writes = None, False
