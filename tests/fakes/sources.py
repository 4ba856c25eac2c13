"""A source that hands over what it was given, and archives made from a table."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime

from fakes.archives import MemoryArchives
from refdesk.domain.entries import SourceFiles
from refdesk.domain.errors import NotFound
from refdesk.domain.specs import Spec
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


def published(
    packages: Mapping[str, Mapping[str, Mapping[str, bytes]]],
    *,
    uploaded: datetime | None = UPLOADED,
    yanked: Collection[tuple[str, str]] = (),
    skipped: tuple[tuple[str, str], ...] = (),
) -> MemoryArchives:
    """Archives of `{package: {version: {path: bytes}}}`; `yanked` names (package, version) pairs."""
    archives = MemoryArchives()
    for package, versions in packages.items():
        for version, files in versions.items():
            withdrawn = (package, version) in yanked
            archives.publish(package, version, files, uploaded=uploaded, yanked=withdrawn, skipped=skipped)
    return archives
