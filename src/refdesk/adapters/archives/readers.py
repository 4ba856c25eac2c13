"""Files inside archives, read in place: nothing is unpacked by name, so no name can lead anywhere.

Both readers build one index of what may be read (`_Index`: the rules about names) and count every byte that they
take out (`_Meter`: the limits). Sizes in headers are hints that an attacker writes; what counts is what comes out.

A wheel or zip is read by its central directory. A compressed tar has no directory, and reaching its last file means
decompressing all before it: it is decompressed once, into a temporary file without a name, and then read at random.
"""

import bz2
import gzip
import lzma
import re
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, BinaryIO, Generic, Protocol, TypeVar

from refdesk.adapters.archives.limits import ArchiveLimits
from refdesk.domain.errors import SourceRejected, StorageFull
from refdesk.ports.archives import ArchiveReader

_PIECE = 64 * 1024
_IN_MEMORY = 32 * 1024 * 1024
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x01-\x1f\x7f]")
_TAR_ENDINGS = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
_ENDINGS = (".whl", ".zip", *_TAR_ENDINGS)
_FILE_TYPE = 0o170000
_REGULAR = 0o100000
_LINK = 0o120000
_DIRECTORY = 0o040000
_DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    NotImplementedError,
    OverflowError,
    OSError,
    ValueError,
)
_Entry = TypeVar("_Entry")


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@contextmanager
def open_reader(file: BinaryIO, filename: str, limits: ArchiveLimits) -> Iterator[ArchiveReader]:
    """Read an archive; the format follows from its file name.

    Args:
        file: Its bytes, seekable; stays open.
        filename: Decides the format, and whether a top folder is taken off (every archive but a wheel).
        limits: What may not be exceeded.

    Raises:
        SourceRejected: A name that leads out of the archive, an encrypted entry, two different files of one name,
            too many entries, a bomb, a truncated or damaged archive, or a format that is not read.
        StorageFull: No room for the temporary copy of a compressed tar.
    """
    top = "" if filename.endswith(".whl") else filename.removesuffix(_ending(filename))
    if filename.endswith(_TAR_ENDINGS):
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
            with _damage_told(filename):
                _decompress(file, filename, spool, _Meter(filename, limits))
            yield _TarReader(spool, filename, top, limits)
    else:
        with _damage_told(filename):
            _refuse_long_directory(file, filename, limits.entries)
            archive = zipfile.ZipFile(file)
        with archive:
            yield _ZipReader(archive, filename, top, limits)


class _ZipReader:
    """A wheel or a zip."""

    def __init__(self, archive: zipfile.ZipFile, filename: str, top: str, limits: ArchiveLimits) -> None:
        self._archive = archive
        self._filename = filename
        self._meter = _Meter(filename, limits)
        index: _Index[zipfile.ZipInfo] = _Index(filename, limits.entries, self._take)
        for info in archive.infolist():
            if info.flag_bits & 0x1:
                raise _rejected(filename, f"the entry {info.orig_filename!r} is encrypted")
            kind = (info.external_attr >> 16) & _FILE_TYPE
            # `orig_filename`: `filename` ends at the first NUL, which would let one entry pass for another.
            if not (info.orig_filename.endswith("/") or kind == _DIRECTORY):
                index.add(info.orig_filename, info, _why_not(kind, info.compress_type))
        self._entries, self._skipped = index.finish(top)

    def names(self) -> Sequence[str]:
        return list(self._entries)

    def read(self, name: str) -> bytes:
        return self._take(self._entries[name])

    def skipped(self) -> Sequence[tuple[str, str]]:
        return self._skipped

    def _take(self, info: zipfile.ZipInfo) -> bytes:
        with _damage_told(self._filename, info.orig_filename), self._archive.open(info) as file:
            return self._meter.read(file, info.orig_filename, info.compress_size)


class _TarReader:
    """A tar, already decompressed."""

    def __init__(self, spool: IO[bytes], filename: str, top: str, limits: ArchiveLimits) -> None:
        self._spool = spool
        self._filename = filename
        self._limits = limits
        self._meter = _Meter(filename, limits)
        index: _Index[tarfile.TarInfo] = _Index(filename, limits.entries, self._take)
        spool.seek(0)
        with _damage_told(filename), tarfile.open(fileobj=spool, mode="r:") as archive:
            for member in archive:
                if not member.isdir():
                    index.add(member.name, member, _why_not_member(member))
            spool.seek(archive.offset)
            # tarfile takes a damaged header for the end of the archive.
            if spool.read(tarfile.BLOCKSIZE).strip(b"\0"):
                raise _rejected(filename, "a header in the middle is damaged")
        self._entries, self._skipped = index.finish(top)

    def names(self) -> Sequence[str]:
        return list(self._entries)

    def read(self, name: str) -> bytes:
        return self._take(self._entries[name])

    def skipped(self) -> Sequence[tuple[str, str]]:
        return self._skipped

    def _take(self, member: tarfile.TarInfo) -> bytes:
        if member.size > self._limits.file_bytes:
            raise _file_too_large(self._filename, member.name, self._limits.file_bytes)
        self._meter.count(member.size)
        # In a tar nothing stands between the header's size and the bytes: tarfile has checked that they are there.
        self._spool.seek(member.offset_data)
        return self._spool.read(member.size)


class _Index(Generic[_Entry]):
    """What may be read, by name.

    Args:
        take: Reads an entry; to tell a repeated file from a forged one.
    """

    def __init__(self, filename: str, limit: int, take: Callable[[_Entry], bytes]) -> None:
        self._filename = filename
        self._limit = limit
        self._take = take
        self._count = 0
        self._entries: dict[str, _Entry] = {}
        self._skipped: list[tuple[str, str]] = []

    def add(self, raw: str, entry: _Entry, reason: str) -> None:
        """Note an entry that is no folder; with a reason, as one that is left out."""
        self._count += 1
        if self._count > self._limit:
            raise _rejected(self._filename, f"it has more than {self._limit:,} entries")
        fault = _escape(raw)
        if fault:
            raise _rejected(self._filename, f"the entry {_printable(raw)} {fault}")
        name = "/".join(part for part in raw.split("/") if part not in ("", "."))
        reason = reason or _oddity(raw) or ("" if name else "it has no name")
        if reason:
            self._skipped.append((_printable(raw), reason))
        elif name not in self._entries:
            self._entries[name] = entry
        elif self._take(self._entries[name]) == self._take(entry):
            self._skipped.append((name, "the same file once more"))
        else:
            # An installer keeps the last one, a reviewer may see the first: nobody can say which is meant.
            raise _rejected(self._filename, f"it holds two different files called {name!r}")

    def finish(self, top: str) -> tuple[dict[str, _Entry], tuple[tuple[str, str], ...]]:
        """The entries by name, sorted, without the top folder, and what was left out."""
        entries = self._entries
        folders = {name.partition("/")[0] for name in entries if "/" in name}
        alone = len(folders) == 1 and all("/" in name for name in entries)
        folder = next(iter(folders)) if alone else top
        if top and folder in folders:
            outside = [name for name in entries if not name.startswith(f"{folder}/")]
            self._skipped += [(name, f"outside the archive's folder {folder}") for name in outside]
            entries = {
                name.removeprefix(f"{folder}/"): entry
                for name, entry in entries.items()
                if name.startswith(f"{folder}/")
            }
        return dict(sorted(entries.items())), tuple(sorted(self._skipped))


class _Meter:
    """Counts what comes out of one archive."""

    def __init__(self, filename: str, limits: ArchiveLimits) -> None:
        self._filename = filename
        self._limits = limits
        self._total = 0

    def read(self, file: IO[bytes], name: str, compressed: int) -> bytes:
        """All of a compressed file, within the limits."""
        pieces: list[bytes] = []
        size = 0
        while piece := file.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > self._limits.file_bytes:
                raise _file_too_large(self._filename, name, self._limits.file_bytes)
            self.check_ratio(compressed, size)
            self.count(len(piece))
        return b"".join(pieces)

    def count(self, size: int) -> None:
        """Add what was read to the sum of everything that was."""
        self._total += size
        if self._total > self._limits.read_bytes:
            raise _rejected(self._filename, f"more than {self._limits.read_bytes:,} bytes were read from it")

    def check_ratio(self, compressed: int, size: int) -> None:
        """Refuse what grows out of all proportion."""
        if size > self._limits.ratio_from and size > compressed * self._limits.ratio:
            raise _rejected(self._filename, f"its content grows to more than {self._limits.ratio} times its size")


def _decompress(file: BinaryIO, filename: str, spool: IO[bytes], meter: _Meter) -> None:
    """Copy a tar without its compression."""
    size = 0
    with _decompressor(file, filename) as plain:
        while piece := plain.read(_PIECE):
            size += len(piece)
            meter.check_ratio(file.tell(), size)
            meter.count(len(piece))
            try:
                spool.write(piece)
            except OSError as error:
                raise StorageFull(
                    f"No space is left for a temporary copy of {filename} ({error.strerror}).",
                    "Free some space in the folder for temporary files, then try again.",
                    filename=filename,
                ) from error


def _decompressor(file: BinaryIO, filename: str) -> AbstractContextManager[_Readable]:
    if filename.endswith((".gz", ".tgz")):
        return gzip.GzipFile(fileobj=file, mode="rb")
    if filename.endswith(".bz2"):
        return bz2.BZ2File(file)
    if filename.endswith(".xz"):
        return lzma.LZMAFile(file)
    return nullcontext(file)


def _refuse_long_directory(file: BinaryIO, filename: str, limit: int) -> None:
    """Count the entries of a zip before the standard library makes an object of each.

    Finds the central directory the way `zipfile` does (APPNOTE 6.3.10, sections 4.3.12 to 4.3.16): it ends where
    the end record, or the zip64 end record, begins.
    """
    end = file.seek(0, 2)
    start = max(0, end - 65_557)
    file.seek(start)
    tail = file.read()
    place = tail.rfind(b"PK\5\6")
    if place < 0 or len(tail) - place < 22:
        raise _rejected(filename, "it is no zip archive, or its end is missing")
    (size,) = struct.unpack_from("<L", tail, place + 12)
    stop = start + place
    if tail[place - 20 : place - 16] == b"PK\6\7" and tail[place - 76 : place - 72] == b"PK\6\6":
        (size,) = struct.unpack_from("<Q", tail, place - 76 + 40)
        stop -= 76
    file.seek(max(0, stop - size))
    directory = file.read(min(size, stop))
    count = at = 0
    while directory[at : at + 4] == b"PK\1\2" and at + 46 <= len(directory):
        at += 46 + sum(struct.unpack_from("<HHH", directory, at + 28))
        count += 1
        if count > limit:
            raise _rejected(filename, f"it has more than {limit:,} entries")
    file.seek(0)


def _escape(raw: str) -> str:
    """What makes a name dangerous on some system; empty if nothing does."""
    if "\0" in raw:
        return "has a NUL in its name"
    name = raw.replace("\\", "/")
    if name.startswith("/") or _DRIVE.match(name):
        return "has an absolute path"
    if ".." in name.split("/"):
        return "leads out of the archive"
    return ""


def _oddity(raw: str) -> str:
    """What makes a harmless name unusable; empty if nothing does."""
    if "\\" in raw:
        return "a backslash in its name"
    if _CONTROL.search(raw):
        return "a control character in its name"
    try:
        raw.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return ""


def _why_not(kind: int, compression: int) -> str:
    """Why an entry of a zip is left out; empty if it is not."""
    if kind == _LINK:
        return "a link"
    if kind not in (0, _REGULAR):
        return "a special file"
    # Python's bz2 and lzma decompressors give out all that a piece of input contains, which has no bound.
    if compression not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return f"compressed by method {compression}, which is not read"
    return ""


def _why_not_member(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return "a link"
    if member.issparse():
        return "a sparse file"
    return "" if member.isreg() else "a special file"


def _printable(name: str) -> str:
    return name.encode("unicode_escape", "surrogatepass").decode("ascii") if not name.isprintable() else name


def _ending(filename: str) -> str:
    for ending in _ENDINGS:
        if filename.endswith(ending):
            return ending
    raise _rejected(filename, "this kind of archive is not read")


@contextmanager
def _damage_told(filename: str, name: str = "") -> Iterator[None]:
    """Every way in which the standard library says that an archive is damaged, as one error."""
    try:
        yield
    except _DAMAGED as error:
        where = f" at {_printable(name)!r}" if name else ""
        raise _rejected(filename, f"it is damaged{where} ({str(error) or type(error).__name__})") from error


def _rejected(filename: str, reason: str) -> SourceRejected:
    return SourceRejected(
        f"{filename} is not read: {reason}.",
        "Look at the archive before you trust it; another version may be sound.",
        filename=filename,
        reason=reason,
    )


def _file_too_large(filename: str, name: str, limit: int) -> SourceRejected:
    return _rejected(filename, f"{_printable(name)!r} is larger than {limit:,} bytes")
