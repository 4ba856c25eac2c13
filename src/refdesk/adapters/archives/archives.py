"""The Archives port over pip's registries and a folder of kept archives."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from packaging.version import Version

from refdesk.adapters.archives.choice import (
    RemoteFile,
    best_file,
    listed_versions,
    nearest_versions,
    parse_version,
)
from refdesk.adapters.archives.limits import ArchiveLimits
from refdesk.adapters.archives.pip_settings import PipSettings
from refdesk.adapters.archives.store import ArchiveStore
from refdesk.domain.errors import NetworkUnavailable, SourceRejected, UnknownPackage, UnknownVersion
from refdesk.domain.libraries import normal_package
from refdesk.ports.archives import Archive, ArchiveReader, PackageVersion
from refdesk.ports.progress import Progress, Step

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\Z")


class RegistryArchives:
    """Fetches archives as pip would find them, and keeps them.

    Args:
        store: Where they are kept.
        settings: Reads pip's settings; called when a registry must be asked.
        pause: Waits a number of seconds between attempts.
    """

    def __init__(
        self,
        store: ArchiveStore,
        settings: Callable[[], PipSettings],
        limits: ArchiveLimits,
        pause: Callable[[float], None],
    ) -> None:
        self._store = store
        self._settings = settings
        self._limits = limits
        self._pause = pause

    def versions(self, package: str) -> Sequence[PackageVersion]:
        """See the port; oldest first."""
        from refdesk.adapters.archives.registry import connect  # late: 0.1 s, not needed for what is kept

        name = _checked(package)
        with connect(self._settings(), self._pause) as registry:
            listing = registry.files(name)
        _expect_package(name, listing.files, listing.failures, listing.answered)
        return listed_versions(listing.files)

    def fetch(self, package: str, version: str, progress: Progress) -> Archive:
        """See the port. Of several processes that want one version, one downloads and the others wait."""
        name = _checked(package)
        wanted = parse_version(version)
        if wanted is None:
            raise self._unknown_version(name, version)
        kept = self._store.find(name, wanted)
        return kept if kept is not None else self._bring(name, wanted, version, progress)

    @contextmanager
    def open(self, archive: Archive) -> Iterator[ArchiveReader]:
        """See the port."""
        from refdesk.adapters.archives.readers import open_reader  # late: a server that only answers opens none

        try:
            with self._store.open(archive) as file, open_reader(file, archive.filename, self._limits) as reader:
                yield reader
        except SourceRejected:
            if (
                not archive.verified
            ):  # no hash said that these are the right bytes: half a file, or the page of a log-in
                self._store.forget(archive)
            raise

    def kept(self) -> Iterator[Archive]:
        """See the port; sorted by name and version."""
        return self._store.kept()

    def _bring(self, name: str, wanted: Version, spelled: str, progress: Progress) -> Archive:
        from refdesk.adapters.archives.registry import connect  # late: 0.1 s, not needed for what is kept

        with self._store.fetching(name, wanted) as incoming:
            kept = self._store.find(name, wanted)  # another process may have brought it while we waited
            if kept is not None:
                return kept
            progress(Step("resolve", f"{name} {spelled}"))
            with connect(self._settings(), self._pause) as registry:
                listing = registry.files(name)
                file = best_file(listing.files, wanted)
                if file is None:
                    _expect_package(name, listing.files, listing.failures, listing.answered)
                    raise _no_such_version(name, spelled, listing.files, listing.failures)
                begin = _reporting(incoming.begin, file, progress)
                verified = registry.download(file, self._limits.download_bytes, begin)
            return incoming.keep(name, file.version, file.filename, uploaded=file.uploaded, verified=verified)

    def _unknown_version(self, name: str, version: str) -> UnknownVersion | NetworkUnavailable:
        """What to say of a version that is none: which ones the registry has."""
        from refdesk.adapters.archives.registry import connect  # late: 0.1 s, not needed for what is kept

        with connect(self._settings(), self._pause) as registry:
            listing = registry.files(name)
        _expect_package(name, listing.files, listing.failures, listing.answered)
        return _no_such_version(name, version, listing.files, ())


def _checked(package: str) -> str:
    """The normal form of a name, which is then safe in addresses and file names."""
    name = normal_package(package.strip())
    if not _NAME.match(name):
        raise UnknownPackage(
            f"{package!r} is not a name that a package can have.",
            "Look at the spelling: letters, digits, `-`, `_` and `.`.",
            package=package,
        )
    return name


def _expect_package(name: str, files: Sequence[RemoteFile], failures: Sequence[str], answered: bool) -> None:
    """Only when every registry was asked and none has the package is it unknown."""
    if files:
        return
    if failures or not answered:
        raise _not_asked(f"Whether {name} exists could not be found out.", name, failures)
    raise UnknownPackage(
        f"The package registry offers no files of a package {name!r}.",
        "Look at the spelling; a private package needs its index in pip's settings (`pip config list`).",
        package=name,
    )


def _no_such_version(
    name: str, version: str, files: Sequence[RemoteFile], failures: Sequence[str]
) -> UnknownVersion | NetworkUnavailable:
    if failures:
        return _not_asked(f"Whether {name} {version} exists could not be found out.", name, failures)
    nearest = nearest_versions(files, version)
    return UnknownVersion(
        f"{name} has no version {version!r}; near it are {', '.join(nearest)}.",
        f"Ask for one that exists: refdesk add pypi:{name}@{nearest[0]}",
        package=name,
        version=version,
        nearest=nearest,
    )


def _not_asked(message: str, name: str, failures: Sequence[str]) -> NetworkUnavailable:
    reasons = list(failures) or ["pip is set to ask no index, and no folder of find-links exists."]
    return NetworkUnavailable(
        f"{message} {' '.join(reasons)}",
        "Check the network and pip's settings (`pip config list`), then try again. What is indexed still answers.",
        package=name,
        reasons=reasons,
    )


def _reporting(
    begin: Callable[[], Callable[[bytes], None]], file: RemoteFile, progress: Progress
) -> Callable[[], Callable[[bytes], None]]:
    """The same, with a report of every piece."""

    def begin_reporting() -> Callable[[bytes], None]:
        write = begin()
        done = 0

        def write_reporting(piece: bytes) -> None:
            nonlocal done
            write(piece)
            done += len(piece)
            progress(Step("download", file.filename, done, file.size or 0, "bytes"))

        return write_reporting

    return begin_reporting
