"""An Archives in memory."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from packaging.version import InvalidVersion, Version

from refdesk.domain.errors import NetworkUnavailable, NotFound, UnknownPackage, UnknownVersion
from refdesk.domain.libraries import normal_package
from refdesk.ports.archives import Archive, ArchiveReader, PackageVersion
from refdesk.ports.progress import Progress, Step


@dataclass(frozen=True, slots=True)
class _Publication:
    archive: Archive
    files: Mapping[str, bytes]
    skipped: tuple[tuple[str, str], ...]
    yanked: bool


class MemoryArchives:
    """A registry and a store in memory.

    Attributes:
        offline: While true, the registry cannot be asked; what was fetched before is still there.
        downloads: Every (package, version) that was downloaded, in order.
    """

    def __init__(self) -> None:
        self.offline = False
        self.downloads: list[tuple[str, str]] = []
        self._published: dict[str, dict[Version, _Publication]] = {}
        self._kept: dict[str, _Publication] = {}

    def publish(
        self,
        package: str,
        version: str,
        files: Mapping[str, bytes],
        *,
        uploaded: datetime | None = None,
        yanked: bool = False,
        verified: bool = True,
        skipped: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Make a version available; its files by path."""
        name = normal_package(package)
        digest = hashlib.sha256(repr((name, version, sorted(files.items()))).encode()).hexdigest()
        archive = Archive(
            package=name,
            version=version,
            filename=f"{name.replace('-', '_')}-{version}-py3-none-any.whl",
            sha256=digest,
            size=sum(map(len, files.values())),
            uploaded=uploaded,
            verified=verified,
        )
        self._published.setdefault(name, {})[Version(version)] = _Publication(archive, dict(files), skipped, yanked)

    def evict(self, archive: Archive) -> None:
        """Forget what was fetched, as a full store does."""
        self._kept.pop(archive.sha256, None)

    def versions(self, package: str) -> Sequence[PackageVersion]:
        return [
            PackageVersion(one.archive.version, one.archive.uploaded, one.yanked)
            for _, one in sorted(self._listed(package).items())
        ]

    def fetch(self, package: str, version: str, progress: Progress) -> Archive:
        name = normal_package(package)
        try:
            wanted = Version(version)
        except InvalidVersion:
            wanted = None
        for one in self._kept.values():
            if one.archive.package == name and Version(one.archive.version) == wanted:
                return one.archive
        progress(Step("resolve", f"{name} {version}"))
        listed = self._listed(name)
        found = listed.get(wanted) if wanted is not None else None
        if found is None:
            raise UnknownVersion(
                f"{name} has no version {version!r}.",
                package=name,
                version=version,
                nearest=[one.archive.version for one in listed.values()],
            )
        size = found.archive.size
        progress(Step("download", found.archive.filename, size, size, "bytes"))
        self.downloads.append((name, found.archive.version))
        self._kept[found.archive.sha256] = found
        return found.archive

    @contextmanager
    def open(self, archive: Archive) -> Iterator[ArchiveReader]:
        if archive.sha256 not in self._kept:
            raise NotFound(f"{archive.package} {archive.version} is no longer kept.")
        yield _MemoryReader(self._kept[archive.sha256])

    def kept(self) -> Iterator[Archive]:
        every = [one.archive for one in self._kept.values()]
        return iter(sorted(every, key=lambda one: (one.package, one.version)))

    def _listed(self, package: str) -> Mapping[Version, _Publication]:
        name = normal_package(package)
        if self.offline:
            raise NetworkUnavailable("The registry is offline.")
        if name not in self._published:
            raise UnknownPackage(f"There is no package {name!r}.", package=name)
        return self._published[name]


class _MemoryReader:
    def __init__(self, publication: _Publication) -> None:
        self._publication = publication

    def names(self) -> Sequence[str]:
        return sorted(self._publication.files)

    def read(self, name: str) -> bytes:
        return self._publication.files[name]

    def skipped(self) -> Sequence[tuple[str, str]]:
        return self._publication.skipped
