"""A source that hands over what it was given, and an archive store that lists what it was given."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256

from refdesk.domain.entries import SourceFiles
from refdesk.domain.errors import NetworkUnavailable, NotFound, UnknownPackage, UnknownVersion
from refdesk.domain.specs import Spec
from refdesk.ports.archives import Archive, ArchiveReader, PackageVersion
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sources import Discovery

UPLOADED = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


class MemorySource:
    """Source port over prepared releases; `reads` counts how often one was read."""

    def __init__(self, ecosystem: str, releases: Sequence[SourceFiles]) -> None:
        self.ecosystem = ecosystem
        self.reads = 0
        self._releases = releases

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        progress(Step("resolve", str(spec)))
        mine = [one for one in self._releases if spec.library.name in ("*", one.release.library.name)]
        fits = [
            one
            for one in mine
            if spec.version in ("", one.release.version, one.release.package_version)
            and spec.via in (None, one.release.carrier)
        ]
        if not fits:
            available = [one.release.key for one in mine]
            raise NotFound(f"There is no {spec}.", f"Name one of {available}.", available=available)
        chosen = fits if spec.library.name == "*" else fits[-1:]
        return [Discovery(one.release, self._reader(one)) for one in chosen]

    def _reader(self, found: SourceFiles) -> Callable[[Progress], SourceFiles]:
        def read(progress: Progress) -> SourceFiles:
            self.reads += 1
            progress(Step("read", found.release.label, len(found.files), len(found.files), "files"))
            return found

        return read


class _Reader:
    def __init__(self, files: Mapping[str, bytes], skipped: Sequence[tuple[str, str]]) -> None:
        self._files = files
        self._skipped = skipped

    def names(self) -> Sequence[str]:
        return sorted(self._files)

    def read(self, name: str) -> bytes:
        return self._files[name]

    def skipped(self) -> Sequence[tuple[str, str]]:
        return self._skipped


class ListedArchives:
    """Archives port over `{package: {version: {path: bytes}}}`.

    Attributes:
        offline: The registry cannot be asked; kept archives still open.
        yanked: (package, version) pairs that were withdrawn.
        sdists: Packages that have source archives only.
        undated: The registry states no upload times.
    """

    def __init__(self, packages: Mapping[str, Mapping[str, Mapping[str, bytes]]]) -> None:
        self._packages = packages
        self._kept: dict[tuple[str, str], Archive] = {}
        self.offline = False
        self.undated = False
        self.yanked: set[tuple[str, str]] = set()
        self.sdists: set[str] = set()
        self.links: list[tuple[str, str]] = []

    def versions(self, package: str) -> Sequence[PackageVersion]:
        self._ask(package)
        return [
            PackageVersion(one, None if self.undated else UPLOADED, (package, one) in self.yanked)
            for one in self._packages[package]
        ]

    def fetch(self, package: str, version: str, progress: Progress) -> Archive:
        if (package, version) in self._kept:
            return self._kept[package, version]
        self._ask(package)
        if version not in self._packages[package]:
            raise UnknownVersion(f"There is no {package}=={version}.", "Name another.")
        progress(Step("download", package))
        name = f"{package.replace('-', '_')}-{version}{'.tar.gz' if package in self.sdists else '-py3-none-any.whl'}"
        uploaded = None if self.undated else UPLOADED
        archive = Archive(package, version, name, sha256(name.encode()).hexdigest(), 1, uploaded, verified=True)
        self._kept[package, version] = archive
        return archive

    @contextmanager
    def open(self, archive: Archive) -> Iterator[ArchiveReader]:
        yield _Reader(self._packages[archive.package][archive.version], self.links)

    def kept(self) -> Iterator[Archive]:
        yield from self._kept.values()

    def _ask(self, package: str) -> None:
        if self.offline:
            raise NetworkUnavailable("The registry could not be asked.", "Try again.")
        if package not in self._packages:
            raise UnknownPackage(f"There is no package {package}.", "Look at the spelling.")
