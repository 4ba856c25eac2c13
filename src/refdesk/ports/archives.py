"""Archives: the published files of packages, fetched by exact version and read without being unpacked or run."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from refdesk.ports.progress import Progress


@dataclass(frozen=True, slots=True)
class PackageVersion:
    """One version that the registry lists.

    Attributes:
        version: As the registry writes it.
        uploaded: When its first file was uploaded, in UTC; None if the registry does not say.
        yanked: Withdrawn by its publisher: never chosen unless named.
    """

    version: str
    uploaded: datetime | None = None
    yanked: bool = False


@dataclass(frozen=True, slots=True)
class Archive:
    """One downloaded file, immutable and named by its hash.

    Attributes:
        verified: Whether the registry announced the hash that the bytes have.
    """

    package: str
    version: str
    filename: str
    sha256: str
    size: int
    uploaded: datetime | None
    verified: bool


class ArchiveReader(Protocol):
    """The files inside one archive, read in place.

    Every name is a relative POSIX path without `..`; for an sdist the top folder is taken off, so that wheel and
    sdist look alike. Links and special files are never followed: they are in `skipped`.
    """

    def names(self) -> Sequence[str]:
        """All regular files, sorted."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of one file.

        Raises:
            SourceRejected: Larger than the limit for one file, damaged, or over the limit for all files read.
            KeyError: No such file.
        """
        ...

    def skipped(self) -> Sequence[tuple[str, str]]:
        """Entries left out, each with the reason."""
        ...


class Archives(Protocol):
    """Fetches archives from the registry that pip is configured for and keeps them by hash.

    Never installs, builds, imports or runs anything. An archive that is kept needs no network.
    """

    def versions(self, package: str) -> Sequence[PackageVersion]:
        """All versions that the registry lists, in no particular order.

        Raises:
            UnknownPackage: The registry answered and has no such package.
            NetworkUnavailable: The registry could not be asked.
        """
        ...

    def fetch(self, package: str, version: str, progress: Progress) -> Archive:
        """The archive of exactly this version, from the store or else the registry.

        Prefers a pure wheel, then the smallest other wheel, then the source archive.

        Raises:
            UnknownPackage: As in `versions`.
            UnknownVersion: The package exists, this version does not; the details name the nearest.
            NetworkUnavailable: The registry could not be asked and the store does not have it.
            HashMismatch: The bytes are not the announced ones.
            SourceRejected: Larger than the limit for a download.
            Busy: Another process has been fetching the same version for too long.
            InvalidInput: The configuration that names the registry cannot be understood.
            StorageFull, StorageReadOnly: The store could not keep it.
        """
        ...

    def open(self, archive: Archive) -> AbstractContextManager[ArchiveReader]:
        """Open an archive of the store for reading; it is leased (not evicted) until closed.

        Raises:
            SourceRejected: A path escape, a bomb, an encrypted or damaged archive.
            NotFound: The store no longer has it; `fetch` brings it back.
        """
        ...

    def kept(self) -> Iterator[Archive]:
        """Every archive in the store."""
        ...
