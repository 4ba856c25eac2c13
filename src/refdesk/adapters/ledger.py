"""The ledger as a SQLite file, format 1: one thread writes, in groups, and each group is durable when committed."""

import atexit
import logging
import os
import queue
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import orjson

from refdesk.adapters.sqlite import Schema, open_to_read, open_to_write, select, storage_errors, transaction
from refdesk.ports.ledger import Call

_COLUMNS = (
    "at, trace_id, surface, operation, arguments, conversation, principal, library, requested, served, ids, count, "
    "error, seconds"
)
_SCHEMA = Schema(
    "ledger",
    b"rfdl",
    1,
    """
CREATE TABLE call (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL, trace_id TEXT NOT NULL, surface TEXT NOT NULL, operation TEXT NOT NULL,
    arguments TEXT NOT NULL, conversation TEXT NOT NULL, principal TEXT NOT NULL, library TEXT NOT NULL,
    requested TEXT NOT NULL, served TEXT NOT NULL, ids TEXT NOT NULL, count INTEGER NOT NULL, error TEXT NOT NULL,
    seconds REAL NOT NULL
);
CREATE INDEX call_at ON call (at);
CREATE INDEX call_error ON call (error, at) WHERE error <> '';
""",
)

_GROUP = 256
_GROUP_SECONDS = 0.005
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_LOG = logging.getLogger(__name__)

_Row = tuple[str | int | float, ...]
_Queue = queue.SimpleQueue[_Row | threading.Event | None]


class FileLedger:
    """Ledger port. Safe to use from several threads and processes, and in a child made by a fork.

    Trouble with the file never reaches the caller of `record`: it is logged once, the calls are not kept, and
    recording goes on as soon as the file can be written again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._writer: _Writer | None = None

    def record(self, call: Call) -> None:
        """Note a call; durable within milliseconds, at the latest when `close` returns."""
        with self._lock:
            if self._writer is None or self._writer.process != os.getpid():
                # A child made by a fork has no thread of its own yet.
                self._writer = _Writer(self._path)
                atexit.register(self.close)
            self._writer.rows.put(_row(call))

    def calls(self, limit: int, error: str = "") -> Sequence[Call]:
        """The newest calls first, those that ended with this error code if one is given."""
        self._settle()
        opened = open_to_read(self._path, _SCHEMA)
        if opened is None:
            return []
        with closing(opened[0]) as connection, storage_errors(self._path, connection):
            where = "WHERE error = ? AND error <> ''" if error else ""
            rows = select(
                connection,
                f"SELECT {_COLUMNS} FROM call {where} ORDER BY at DESC, id DESC LIMIT ?",  # noqa: S608 - our own text
                (*([error] if error else []), max(0, limit)),
            )
        return [_call(*row) for row in rows]

    def prune(self, before: datetime) -> int:
        """Forget calls older than this; returns how many.

        Raises:
            StorageFull, StorageReadOnly, Busy: Nothing is forgotten.
        """
        self._settle()
        if not self._path.exists():
            return 0
        with (
            closing(open_to_write(self._path, _SCHEMA)) as connection,
            storage_errors(self._path, connection),
            transaction(connection),
        ):
            connection.execute("DELETE FROM call WHERE at < ?", (_number(before),))
            return connection.changes()

    def close(self) -> None:
        """Make everything durable and let go of the file; a later `record` opens it again."""
        atexit.unregister(self.close)
        with self._lock:
            writer, self._writer = self._writer, None
        if writer is not None and writer.process == os.getpid():
            writer.rows.put(None)
            writer.thread.join()

    def _settle(self) -> None:
        """Wait until what was recorded before is written, or has failed to be."""
        settled = threading.Event()
        with self._lock:
            if self._writer is None or self._writer.process != os.getpid():
                return
            self._writer.rows.put(settled)
        settled.wait()


class _Writer:
    """A thread that takes rows from a queue and writes them; the connection is its own."""

    def __init__(self, path: Path) -> None:
        self.process = os.getpid()
        self.rows: _Queue = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._run, name="refdesk-ledger", daemon=True)
        self._path = path
        self._connection: apsw.Connection | None = None
        self._troubled = False
        self.thread.start()

    def _run(self) -> None:
        end: threading.Event | _Row | None = ()
        while end is not None:
            rows, end = self._group()
            if rows:
                self._keep(rows)
            if isinstance(end, threading.Event):
                end.set()
        if self._connection is not None:
            self._connection.close()

    def _group(self) -> tuple[list[_Row], threading.Event | _Row | None]:
        """The next rows, and what ended the group: a waiter, None to stop, or an empty row if it was full or late."""
        rows: list[_Row] = []
        item = self.rows.get()
        late = time.monotonic() + _GROUP_SECONDS
        while isinstance(item, tuple):
            rows.append(item)
            if len(rows) == _GROUP:
                return rows, ()
            try:
                item = self.rows.get(timeout=max(0.0, late - time.monotonic()))
            except queue.Empty:
                return rows, ()
        return rows, item

    def _keep(self, rows: list[_Row]) -> None:
        try:
            self._insert(rows)
            self._troubled = False
        except Exception as error:  # noqa: BLE001 - the border of a thread that must outlive any trouble
            if not self._troubled:
                _LOG.warning("Calls are not recorded: %s", error)
            self._troubled = True
            if self._connection is not None:
                self._connection.close(True)
                self._connection = None

    def _insert(self, rows: list[_Row]) -> None:
        if self._connection is None:
            self._connection = open_to_write(self._path, _SCHEMA)
        with storage_errors(self._path, self._connection), transaction(self._connection):
            marks = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO call ({_COLUMNS}) VALUES ({marks})", rows)  # noqa: S608 - our text


def _row(call: Call) -> _Row:
    texts = (call.trace_id, call.surface, call.operation, call.arguments, call.conversation, call.principal)
    served = (call.library, call.requested, call.served, orjson.dumps([_text(one) for one in call.ids]).decode())
    return (
        _number(call.at),
        *map(_text, texts),
        *map(_text, served),
        call.count,
        _text(call.error),
        call.seconds,
    )


def _call(at: int, *rest: str) -> Call:
    trace_id, surface, operation, arguments, conversation, principal, library, requested, served, ids = rest[:10]
    count, error, seconds = rest[10:]
    return Call(
        trace_id=trace_id,
        at=_EPOCH + at * _MICROSECOND,
        surface=surface,
        operation=operation,
        arguments=arguments,
        conversation=conversation,
        principal=principal,
        library=library,
        requested=requested,
        served=served,
        ids=tuple(orjson.loads(ids)),
        count=int(count),
        error=error,
        seconds=float(seconds),
    )


def _number(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def _text(text: str) -> str:
    """What callers send may hold half of a surrogate pair, which no file can."""
    return text.encode("utf-8", "replace").decode()
