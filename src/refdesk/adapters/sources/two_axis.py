"""Libraries with two axes of versions: APIs in their own versions, carried by a package in its versions."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from refdesk.adapters.sources.registry import asks_newest, choose_version, origin_of, package_page
from refdesk.domain.entries import SourceFiles
from refdesk.domain.errors import InvalidInput, NotFound
from refdesk.domain.libraries import Library, normal_package
from refdesk.domain.names import similar
from refdesk.domain.releases import Carrier, Release, Updated
from refdesk.domain.specs import Spec
from refdesk.domain.versions import is_api_version, same_version
from refdesk.ports.archives import Archive, ArchiveReader, Archives
from refdesk.ports.clock import Clock
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sources import Discovery


@dataclass(frozen=True, slots=True)
class Api:
    """One API in one version, as the carrier's files name it.

    Attributes:
        name: In the carrier's spelling.
        version: As the path states it; the document inside may write it otherwise.
        files: Paths inside the archive, sorted.
    """

    name: str
    version: str
    files: tuple[str, ...]


class TwoAxisSource(ABC):
    """Finds APIs inside a carrier package. What differs between carriers is in the abstract methods.

    A version in the spec is the API's if it has the form of one (`2006-03-01`, `v3`, `alpha`), else the package's.
    """

    ecosystem: str
    package: str
    format: str

    def __init__(self, archives: Archives, clock: Clock) -> None:
        self._archives = archives
        self._clock = clock

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """See the port. The carrier is fetched, because only it knows which APIs it carries."""
        progress(Step("resolve", str(spec)))
        wanted, carrier = self._axes(spec, progress)
        archive = self._archives.fetch(self.package, carrier, progress)
        with self._archives.open(archive) as reader:
            carried = _by_name(self.apis(reader.names()))
            if spec.library.name == "*":
                if wanted:
                    raise InvalidInput(
                        f"{spec} asks for one API version of every API.",
                        f"Write {spec.library} for the newest of each, or name the API: {self.ecosystem}:NAME@{wanted}",
                    )
                chosen: Sequence[Api] = [api for apis in carried.values() for api in self.newest(apis)]
            else:
                chosen = self._choose(spec, wanted, Carrier(self.package, archive.version), carried)
            return [self._discovery(api, archive, reader) for api in chosen]

    @abstractmethod
    def apis(self, names: Sequence[str]) -> Iterable[Api]:
        """Every API in every version that the archive's file names show."""

    @abstractmethod
    def newest(self, apis: Sequence[Api]) -> Sequence[Api]:
        """Which versions of one API are meant if none is named."""

    @abstractmethod
    def identify(self, api: Api, reader: ArchiveReader) -> str:
        """The version of an API as the API itself writes it."""

    @abstractmethod
    def updated(self, files: Mapping[str, bytes], archive: Archive) -> Updated:
        """How old the content is."""

    def carrier_via(self, via: Carrier, progress: Progress) -> str:
        """The carrier's version that `via` fixes.

        Raises:
            InvalidInput: Another package than the carrier.
        """
        del progress  # a carrier with relatives (boto3) downloads here
        if normal_package(via.package) != self.package:
            raise InvalidInput(
                f"{self.ecosystem}: libraries are not carried by {via.package}.",
                f"Write: --via {self.package}=={via.version if via.version[:1].isdigit() else 'VERSION'}",
                via=str(via),
            )
        return choose_version(self._archives, self.package, via.version)

    def _axes(self, spec: Spec, progress: Progress) -> tuple[str, str]:
        """The API's version as asked (empty if left open) and the carrier's version."""
        named = "" if asks_newest(spec.version) else spec.version.strip()
        wanted = named if named and is_api_version(named) else ""
        if spec.via is None:
            return wanted, choose_version(self._archives, self.package, "" if wanted else named)
        carrier = self.carrier_via(spec.via, progress)
        if named and not wanted and not same_version(named, carrier):
            raise InvalidInput(
                f"{spec} names two package versions, {named} and {carrier}.",
                f"Write: refdesk add {spec.library} --via {self.package}=={carrier}",
            )
        return wanted, carrier

    def _choose(self, spec: Spec, wanted: str, carrier: Carrier, carried: Mapping[str, Sequence[Api]]) -> Sequence[Api]:
        apis = carried.get(spec.library.name)
        if apis is None:
            near = similar(spec.library.name, carried)
            hint = f" Similar: {', '.join(near)}." if near else ""
            raise NotFound(
                f"{carrier} carries no API called {spec.library.name!r}.{hint}",
                f"Write for example: refdesk add {self.ecosystem}:{near[0] if near else next(iter(carried), 'NAME')}",
                library=str(spec.library),
                carrier=str(carrier),
                similar=[f"{self.ecosystem}:{one}" for one in near],
                available=[f"{self.ecosystem}:{one}" for one in carried][:500],
            )
        if not wanted:
            return self.newest(apis)
        found = [api for api in apis if _folded(api.version) == _folded(wanted)]
        if not found:
            available = [api.version for api in apis]
            best = self.newest(apis)[0].version
            raise NotFound(
                f"{carrier} carries {spec.library} in {', '.join(available)}, not in {wanted}.",
                f"Write: refdesk add {spec.library}@{best}, or name another carrier: "
                f"refdesk add {spec.library}@{wanted} --via {self.package}==VERSION",
                library=str(spec.library),
                requested=wanted,
                carrier=str(carrier),
                available=available,
            )
        return found

    def _discovery(self, api: Api, archive: Archive, reader: ArchiveReader) -> Discovery:
        library = Library(self.ecosystem, api.name.lower())
        release = Release(library, self.identify(api, reader), Carrier(self.package, archive.version))
        return Discovery(release, partial(self._read, release, api))

    def _read(self, release: Release, api: Api, progress: Progress) -> SourceFiles:
        archive = self._archives.fetch(self.package, release.package_version, progress)
        with self._archives.open(archive) as reader:
            progress(Step("read", release.label, 0, len(api.files), "files"))
            files = {name: reader.read(name) for name in api.files}
            url = package_page(reader)
        progress(Step("read", release.label, len(files), len(files), "files"))
        return SourceFiles(release, self.format, files, origin_of(archive, url), self.updated(files, archive))


def _by_name(apis: Iterable[Api]) -> dict[str, list[Api]]:
    """APIs under their lower-case names, sorted; versions of each in order of their paths."""
    found: dict[str, list[Api]] = {}
    for api in sorted(apis, key=lambda one: (one.name.lower(), one.files)):
        found.setdefault(api.name.lower(), []).append(api)
    return found


def _folded(version: str) -> str:
    return version.replace("_", "").lower()
