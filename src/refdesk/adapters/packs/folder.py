"""The folder of packs: writing beside, renaming, removing, and clearing up after interrupted builds."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from refdesk.adapters.packs.blocks import BlockCache
from refdesk.adapters.packs.format import (
    PACK_SUFFIX,
    TEMPORARY_SUFFIX,
    VECTORS_SUFFIX,
    lock_of,
    pack_name,
    pack_of_vectors,
    stem_of,
    temporary_name,
)
from refdesk.adapters.packs.reader import FilePack
from refdesk.adapters.packs.vectors import VectorsFile
from refdesk.adapters.packs.writer import write_pack
from refdesk.adapters.sqlite import storage_errors
from refdesk.adapters.storage import sync_folder
from refdesk.domain.entries import Entries
from refdesk.domain.errors import InternalError
from refdesk.ports.packs import PACK_FORMAT, Manifest, Pack, Vectors
from refdesk.ports.progress import Progress, silent

_CACHED_BYTES = 24 << 20
# Each open pack costs a file descriptor and about 20 kB.
_OPEN_PACKS = 256


class FolderPacks:
    """Packs port: a folder that any number of processes share.

    Two kinds of lock files say what is being made: the right to build a release, which whoever calls `write` holds
    until the pack is published, and the making of vectors. The system frees the locks of a process that dies, so
    whatever is neither published nor locked was left behind. Lock files stay: to remove one is a race with its next
    holder.
    """

    def __init__(
        self, folder: Path, locks: Path, *, cache_bytes: int = _CACHED_BYTES, open_packs: int = _OPEN_PACKS
    ) -> None:
        """Name the folders; they are made when something is written.

        Args:
            folder: Where packs and their vectors lie.
            locks: Where lock files lie.
            cache_bytes: How much of what was read last stays in memory, of all packs together.
            open_packs: How many packs stay open.
        """
        self._folder = folder
        self._locks = locks
        self._cache = BlockCache(cache_bytes)
        self._most = open_packs
        self._open: OrderedDict[str, FilePack] = OrderedDict()
        self._lock = threading.Lock()

    def write(self, manifest: Manifest, entries: Entries, progress: Progress = silent) -> str:
        """Store a release; returns the pack's file name, which contains its content hash.

        Call it inside `building`, or another process may take the half-written file for a leftover.

        Raises:
            StorageFull, StorageReadOnly: Nothing of it remains.
        """
        if manifest.format != PACK_FORMAT:
            raise InternalError(f"This refdesk writes packs of format {PACK_FORMAT}, not {manifest.format}.")
        key = manifest.release.key
        with self._beside(pack_name(key, "new")) as temporary:
            write_pack(temporary, manifest, entries, progress)
            with storage_errors(temporary):
                with temporary.open("rb") as file:
                    name = pack_name(key, hashlib.file_digest(file, "sha256").hexdigest())
                temporary.replace(self._folder / name)
                sync_folder(self._folder)
        # If there was a damaged file of this name, it is not read any longer.
        with self._lock:
            self._open.pop(name, None)
        return name

    def open(self, pack: str) -> Pack:
        """An open pack, shared between callers.

        Raises:
            PackUnreadable: Missing, damaged, or of another format.
        """
        with self._lock:
            known = self._open.get(pack)
            if known is None:
                known = self._open[pack] = FilePack(self._folder / pack, self._cache)
            self._open.move_to_end(pack)
            # Forgetting is enough: the file is closed when the last caller lets go of it.
            while len(self._open) > self._most:
                self._open.popitem(last=False)
            return known

    def remove(self, pack: str) -> None:
        """Unlink a pack and its vectors; nothing happens if it is already gone."""
        with self._lock:
            self._open.pop(pack, None)
        self._unlink(pack)
        for vectors in self._files(VECTORS_SUFFIX):
            if pack_of_vectors(vectors) == pack:
                self._unlink(vectors)

    def write_vectors(self, pack: str, embedder: str, vectors: Vectors) -> None:
        """Store the vectors of all chunks of a pack beside it, whole or not at all.

        Raises:
            StorageFull, StorageReadOnly: Nothing of them remains.
        """
        file = VectorsFile(self._folder / pack, embedder)
        with self._locked(file.path.name), self._beside(file.path.name) as temporary, storage_errors(file.path):
            file.write(temporary, vectors)
            sync_folder(self._folder)

    @contextmanager
    def building(self, release: str) -> Iterator[None]:
        """Hold the sole right to build this release key, over all threads and processes; waits for it.

        Raises:
            StorageFull, StorageReadOnly: There can be no lock file.
        """
        with self._locked(stem_of(release)):
            yield

    def clean(self, published: Sequence[str] | Callable[[], Sequence[str]]) -> Sequence[str]:
        """Remove what interrupted builds left behind: names that are neither published nor being built now."""
        answering = published if callable(published) else lambda: published
        known = frozenset(answering())
        gone = [name for name in self._files(TEMPORARY_SUFFIX) if self._clean_temporary(name)]
        gone += [name for name in self._files(PACK_SUFFIX) if name not in known and self._clean_pack(name, answering)]
        gone += [name for name in self._files(VECTORS_SUFFIX) if self._clean_vectors(name)]
        return sorted(gone)

    def _clean_temporary(self, name: str) -> bool:
        with self._free(lock_of(name)) as free:
            if free:
                self._unlink(name)
            return free

    def _clean_pack(self, name: str, answering: Callable[[], Sequence[str]]) -> bool:
        with self._free(lock_of(name)) as free:
            # Asked again under the lock: its builder may have published it and let go since the folder was listed.
            if not free or name in answering():
                return False
            self.remove(name)
            return True

    def _clean_vectors(self, name: str) -> bool:
        with self._free(lock_of(name)) as free:
            if not free or (self._folder / pack_of_vectors(name)).exists():
                return False
            self._unlink(name)
            return True

    def _files(self, suffix: str) -> Sequence[str]:
        with storage_errors(self._folder):
            if not self._folder.exists():
                return []
            return sorted(one.name for one in self._folder.iterdir() if one.name.endswith(suffix))

    def _unlink(self, name: str) -> None:
        with storage_errors(self._folder / name):
            (self._folder / name).unlink(missing_ok=True)

    @contextmanager
    def _beside(self, name: str) -> Iterator[Path]:
        """A new temporary path in the folder; what is left of it afterwards is removed."""
        with storage_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / temporary_name(name)
        try:
            yield temporary
        finally:
            # A read-only folder refuses even this; the error that led here tells more.
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        lock = self._file_lock(name)
        with storage_errors(self._locks):
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _free(self, name: str) -> Iterator[bool]:
        """Hold a lock if nobody else does; says whether it is held."""
        lock = self._file_lock(name)
        held = False
        # A timeout is a kind of OSError.
        with storage_errors(self._locks), suppress(Timeout):
            lock.acquire(timeout=0)
            held = True
        try:
            yield held
        finally:
            if held:
                lock.release()

    def _file_lock(self, name: str) -> FileLock:
        with storage_errors(self._locks):
            self._locks.mkdir(parents=True, exist_ok=True)
        return FileLock(self._locks / f"{name}.lock", thread_local=False)
