"""The folder in which archives are kept by hash, shared by processes without a server.

Layout::

    <folder>/<first two hex digits>/<sha256>     an archive's bytes, immutable
    <folder>/names/<package>==<version>.json     which archive this version is; its time stamp says when it was used
    <folder>/incoming/<package>==<version>       a download under way
    <folder>/locks/                              lock files; the system releases a lock when its process ends

Every change of names and every eviction holds `locks/store`. Whoever downloads a version holds the lock of its name,
so a file in `incoming` whose lock is free was left behind. A reader leases an archive by a shared lock on its bytes,
which also works in a folder that may not be written.
"""

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from packaging.version import Version

from refdesk.adapters.archives.choice import plain_version
from refdesk.adapters.storage import storage_failure, sync_folder
from refdesk.domain.errors import Busy, NotFound, StorageFailure
from refdesk.ports.archives import Archive

if TYPE_CHECKING:
    from filelock import BaseFileLock

# Windows has no such locks and needs none: it refuses to remove an open file.
if sys.platform != "win32":
    import fcntl

_HASH = re.compile(r"[0-9a-f]{64}\Z")


class ArchiveStore:
    """Archives by hash, with a limit on their sum; safe for several threads and processes.

    Args:
        folder: Made when the first archive is kept.
        limit: The most bytes that are kept; the least recently used archives go first, never a leased one.
        wait_seconds: How long to wait for another process.
    """

    def __init__(self, folder: Path, limit: int, wait_seconds: float) -> None:
        self._folder = folder
        self._names = folder / "names"
        self._incoming = folder / "incoming"
        self._limit = limit
        self._wait_seconds = wait_seconds

    def find(self, package: str, version: Version) -> Archive | None:
        """The archive kept for this version, whatever the spelling of the version; None if there is none."""
        return self._read_name(self._names / f"{_key(package, version)}.json", used=True)

    def kept(self) -> Iterator[Archive]:
        """Every archive, by name and version."""
        for path in sorted(self._names.glob("*.json")):
            archive = self._read_name(path, used=False)
            if archive is not None:
                yield archive

    def forget(self, archive: Archive) -> None:
        """Let go of an archive, so that the next fetch asks for it again."""
        with suppress(OSError):  # in a folder that cannot be written it stays
            (self._names / f"{_key(archive.package, Version(archive.version))}.json").unlink(missing_ok=True)

    @contextmanager
    def open(self, archive: Archive) -> Iterator[BinaryIO]:
        """The bytes of an archive, leased until closed.

        Raises:
            NotFound: It is not kept, or its bytes are damaged.
        """
        if not _HASH.match(archive.sha256):
            raise _gone(archive)
        try:
            file = self._content(archive.sha256).open("rb")
        except (FileNotFoundError, NotADirectoryError):
            raise _gone(archive) from None
        except OSError as error:
            raise _storage_error(error, self._folder) from error
        with file:
            if sys.platform != "win32":
                fcntl.flock(file, fcntl.LOCK_SH)
            facts = os.fstat(file.fileno())
            # No link left: it was evicted between opening and leasing.
            if facts.st_nlink == 0 or facts.st_size != archive.size:
                raise _gone(archive)
            yield file

    @contextmanager
    def fetching(self, package: str, version: Version) -> Iterator["Incoming"]:
        """The sole right, over all processes, to bring this version; waits for it.

        Raises:
            Busy: Another process holds it for too long.
            StorageFull, StorageReadOnly: The folder cannot take an archive.
        """
        key = _key(package, version)
        with self._storage_errors(), self._lock(key):
            self._incoming.mkdir(parents=True, exist_ok=True)
            path = self._incoming / key
            file = path.open("wb")
            try:
                yield Incoming(self, path, file)
            finally:
                with suppress(OSError):  # closing writes what is buffered, which on a full disk fails once more
                    file.close()
                path.unlink(missing_ok=True)

    def clean(self) -> None:
        """Remove the downloads that interrupted processes left behind."""
        # A folder that cannot be cleaned can still be read; the next download reports what is wrong with it.
        with suppress(OSError, StorageFailure):
            for path in sorted(self._incoming.glob("*")):
                with suppress(Busy), self._lock(path.name, wait_seconds=0):
                    path.unlink(missing_ok=True)

    def _keep(self, part: Path, archive: Archive) -> None:
        """Move a complete download to its place, name it, and make room."""
        content = self._content(archive.sha256)
        name = self._names / f"{_key(archive.package, Version(archive.version))}.json"
        with self._lock("store"):
            content.parent.mkdir(parents=True, exist_ok=True)
            part.replace(content)
            sync_folder(content.parent)
            self._names.mkdir(exist_ok=True)
            _write_whole(name, _to_json(archive))
            self._evict(archive.sha256)

    def _evict(self, spared: str) -> None:
        """Remove least recently used archives until the limit holds; the caller holds the store's lock."""
        contents = {path.name: path for path in self._folder.glob("[0-9a-f][0-9a-f]/*")}
        sizes = {digest: path.stat().st_size for digest, path in contents.items()}
        names: dict[str, list[Path]] = {digest: [] for digest in contents}
        used = dict.fromkeys(contents, 0)
        for path in sorted(self._names.glob("*.json")):
            archive = self._read_name(path, used=False)
            if archive is None:
                path.unlink(missing_ok=True)
                continue
            names[archive.sha256].append(path)
            used[archive.sha256] = max(used[archive.sha256], path.stat().st_mtime_ns)
        total = sum(sizes.values())
        for digest in sorted(contents, key=lambda one: (used[one], one)):
            # Bytes without a name are what a process left that died between the two steps of keeping.
            if (total > self._limit or not names[digest]) and digest != spared and _remove_unleased(contents[digest]):
                total -= sizes[digest]
                for path in names[digest]:
                    path.unlink(missing_ok=True)

    def _read_name(self, path: Path, *, used: bool) -> Archive | None:
        try:
            archive = _from_json(path.read_text(encoding="utf-8"))
            whole = self._content(archive.sha256).stat().st_size == archive.size
        except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
            return None
        except OSError as error:
            raise _storage_error(error, self._folder) from error
        if not whole:
            return None
        if used:
            with suppress(OSError):  # in a read-only folder nothing is evicted, so nobody asks when it was used
                # Said to the nanosecond: the clock that file systems read moves in steps of several milliseconds.
                now = time.time_ns()
                os.utime(path, ns=(now, now))
        return archive

    def _content(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256

    @contextmanager
    def _lock(self, name: str, wait_seconds: float | None = None) -> Iterator[None]:
        lock = _file_lock(self._folder / "locks" / name)
        seconds = self._wait_seconds if wait_seconds is None else wait_seconds
        try:
            lock.acquire(timeout=seconds)
        except TimeoutError:
            raise Busy(f"Another process has been busy with {name} for {seconds:.0f} s.", "Try again later.") from None
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise _storage_error(error, self._folder) from error


class Incoming:
    """A download under way; made by `ArchiveStore.fetching`. What is not kept is dropped."""

    def __init__(self, store: ArchiveStore, path: Path, file: BinaryIO) -> None:
        self._store = store
        self._path = path
        self._file = file
        self._hash = hashlib.sha256()
        self._size = 0

    def begin(self) -> Callable[[bytes], None]:
        """Start anew; returns what takes the bytes."""
        self._file.seek(0)
        self._file.truncate()
        self._hash, self._size = hashlib.sha256(), 0
        return self._write

    def keep(self, package: str, version: str, filename: str, *, uploaded: datetime | None, verified: bool) -> Archive:
        """Put what was written into the store, durably and under this name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        archive = Archive(package, version, filename, self._hash.hexdigest(), self._size, uploaded, verified)
        self._store._keep(self._path, archive)  # noqa: SLF001 - one unit, in two classes
        return archive

    def _write(self, piece: bytes) -> None:
        try:
            self._file.write(piece)
        except OSError as error:  # told here, so that the sender does not take it for a broken connection
            raise _storage_error(error, self._path.parent) from error
        self._hash.update(piece)
        self._size += len(piece)


def _key(package: str, version: Version) -> str:
    return f"{package}=={plain_version(version)}"


def _file_lock(path: Path) -> "BaseFileLock":
    from filelock import FileLock  # late: 0.06 s, and an archive that is kept needs no lock

    path.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(path)


def _remove_unleased(path: Path) -> bool:
    """Remove an archive's bytes unless somebody reads them."""
    try:
        if sys.platform == "win32":
            path.unlink()
        else:
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
    except (BlockingIOError, PermissionError):
        return False
    return True


def _write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def _to_json(archive: Archive) -> str:
    uploaded = archive.uploaded.isoformat() if archive.uploaded else None
    return json.dumps(asdict(archive) | {"uploaded": uploaded})


def _from_json(text: str) -> Archive:
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise ValueError("no object")
    uploaded = fields.pop("uploaded")
    archive = Archive(**fields, uploaded=datetime.fromisoformat(uploaded) if uploaded else None)
    if not _HASH.match(archive.sha256):
        raise ValueError(archive.sha256)
    return archive


def _gone(archive: Archive) -> NotFound:
    return NotFound(
        f"The archive of {archive.package} {archive.version} is no longer kept.",
        f"Fetch it again: refdesk add pypi:{archive.package}@{archive.version}",
        package=archive.package,
        version=archive.version,
    )


def _storage_error(error: OSError, folder: Path) -> StorageFailure:
    return storage_failure(error.errno or 0, folder, "archives", error)
