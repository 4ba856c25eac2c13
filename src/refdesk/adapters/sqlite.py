"""SQLite files: opening, transactions, and the names of storage errors.

====================================================  =====================
What the system or SQLite says                        What callers see
====================================================  =====================
full disk, quota, file-size limit                     `StorageFull`
read-only file system, no permission                  `StorageReadOnly`
not a database, malformed                             `PackUnreadable` for a pack, `StorageFailure` for others
locked by another process for longer than we wait     `Busy`
any other failure of input or output                  `StorageFailure`
====================================================  =====================

Errors of the system have their names from `storage`. Errors of our own SQL are defects and pass unchanged.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from refdesk.adapters.storage import storage_failure
from refdesk.domain.errors import Busy, RefdeskError, StorageFailure

_WAIT_MILLISECONDS = 30_000


@contextmanager
def storage_errors(
    path: Path, connection: apsw.Connection | None = None, damaged: type[StorageFailure] = StorageFailure
) -> Iterator[None]:
    """Give what goes wrong inside with this file its name.

    Args:
        path: The file or folder that is worked on; it is named in messages.
        connection: The connection in use, whose last system error refines what SQLite says.
        damaged: What a file that is no database, or a malformed one, is to callers.

    Raises:
        StorageFull, StorageReadOnly, StorageFailure, Busy: As the table of this module says.
    """
    try:
        yield
    except (apsw.Error, OSError) as error:
        named = storage_error(error, path, connection.system_errno if connection is not None else 0, damaged)
        if named is None:
            raise
        raise named from error


def storage_error(
    error: Exception, path: Path, system: int = 0, damaged: type[StorageFailure] = StorageFailure
) -> RefdeskError | None:
    """The error that callers see for one of SQLite or of the system; None for a defect of ours.

    Args:
        error: Of SQLite or of the system.
        path: The file that was worked on.
        system: The system's error number behind an error of SQLite; 0 if unknown.
        damaged: What a damaged file is to callers.
    """
    match error:
        case apsw.CorruptError() | apsw.NotADBError() | apsw.FormatError():
            return damaged(
                f"{path.name} is damaged: {error}",
                "Restore the file from a backup, or remove it and add the releases again: refdesk add LIBRARY@VERSION",
            )
        case apsw.BusyError() | apsw.LockedError():
            return Busy(f"{path.name} is in use by another process.", "Ask again in a moment.")
        case apsw.FullError():
            system = errno.ENOSPC
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            system = errno.EROFS
        case apsw.CantOpenError():
            system = errno.ENOENT if _may_write(path.parent) else errno.EROFS
        case apsw.IOError():
            pass
        case OSError():
            system = error.errno or 0
        case _:
            return None
    return storage_failure(system, path.parent, path.name, error)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a database of ours is: its mark, the number of its format, its tables, and what messages call it."""

    title: str
    mark: bytes
    format: int
    script: str


def open_to_write(path: Path, schema: Schema) -> apsw.Connection:
    """Open a database in WAL mode, durable at each commit; makes it if it is not there.

    Raises:
        StorageFailure: It is something else, or of another format.
        StorageFull, StorageReadOnly, Busy: See `storage_errors`.
    """
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = connect(path, write=True)
    try:
        with storage_errors(path, connection):
            # Before anything is changed: the file may be somebody else's.
            if not _is_empty(connection):
                _check(connection, path, schema)
            run(connection, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            with transaction(connection):
                # Two processes may find the file new at once; the second then finds the tables of the first.
                if _is_empty(connection):
                    run(connection, schema.script)
                    run(connection, f"PRAGMA application_id = {int.from_bytes(schema.mark, 'big')}")
                    run(connection, f"PRAGMA user_version = {schema.format}")
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: Path, schema: Schema) -> tuple[apsw.Connection, bool] | None:
    """Open a database without writing anything, and say whether the connection may be kept.

    One in WAL mode in a folder that may not be written can only be read as immutable; then changes by others are seen
    by opening it again. What a dead process left in the log beside it would be missed that way, so that is refused.

    Returns:
        None while there is nothing: no file, or one that its maker has not filled yet.

    Raises:
        StorageFailure: It is something else, or of another format.
    """
    if not path.exists():
        return None
    connection = connect(path)
    try:
        return _checked(connection, path, schema, keep=True)
    except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
        log_file = path.with_name(path.name + "-wal")
        if log_file.exists() and log_file.stat().st_size:
            with storage_errors(path):
                raise error
    except apsw.Error as error:
        with storage_errors(path):
            raise error
    with storage_errors(path):
        return _checked(connect(path, immutable=True), path, schema, keep=False)


def connect(path: Path, *, write: bool = False, immutable: bool = False) -> apsw.Connection:
    """Open a file.

    Args:
        path: The file.
        write: Whether it may be written; it is created if it is missing.
        immutable: Promise that nobody changes the file while it is open: no locks, no files beside it.
    """
    flags = apsw.SQLITE_OPEN_URI | (
        apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if write else apsw.SQLITE_OPEN_READONLY
    )
    with storage_errors(path):
        connection = apsw.Connection(path.absolute().as_uri() + ("?immutable=1" if immutable else ""), flags)
    connection.set_busy_timeout(_WAIT_MILLISECONDS)
    return connection


def run(connection: apsw.Connection, script: str) -> None:
    """Execute statements to their end; apsw by itself stops where the first one returns a row."""
    connection.execute(script).fetchall()


def select(
    connection: apsw.Connection, statement: str, values: Sequence[str | int | bytes] = ()
) -> list[tuple[Any, ...]]:
    """All rows of a question."""
    return connection.execute(statement, tuple(values)).fetchall()


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """One write transaction; it waits for its turn at the start, so that it never fails half-way for being late."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may have rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _checked(
    connection: apsw.Connection, path: Path, schema: Schema, *, keep: bool
) -> tuple[apsw.Connection, bool] | None:
    """A connection that is what it should be; closed otherwise."""
    try:
        if not _is_empty(connection):
            _check(connection, path, schema)
            return connection, keep
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _is_empty(connection: apsw.Connection) -> bool:
    return not select(connection, "SELECT 1 FROM sqlite_schema LIMIT 1")


def _check(connection: apsw.Connection, path: Path, schema: Schema) -> None:
    if connection.pragma("application_id") != int.from_bytes(schema.mark, "big"):
        raise StorageFailure(f"{path} is no {schema.title} of refdesk.", "Name another folder in REFDESK_HOME.")
    number = connection.pragma("user_version")
    if number != schema.format:
        raise StorageFailure(
            f"{path} has the format {number}; this refdesk reads the format {schema.format} of a {schema.title}.",
            "Use the refdesk that made it, or name another folder in REFDESK_HOME and add the releases again.",
            format=number,
        )


def _may_write(folder: Path) -> bool:
    """Whether files can be made in a folder, or in the nearest one above it that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK)
