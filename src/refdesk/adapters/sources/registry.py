"""What all sources of packages share: which version a spec means, and what an archive says of itself."""

from collections.abc import Iterable
from datetime import datetime
from email.parser import HeaderParser

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from refdesk.domain.errors import InvalidInput, UnknownVersion, VersionNotIndexed
from refdesk.domain.libraries import Library, normal_package
from refdesk.domain.packages import metadata_path, project_page
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.versions import newest_stable, resolve, same_version
from refdesk.ports.archives import Archive, ArchiveReader, Archives, PackageVersion
from refdesk.ports.clock import Clock

_NEWEST = frozenset({"", "latest", "stable", "newest"})


def choose_version(archives: Archives, package: str, wanted: str = "") -> str:
    """The version of a package that is meant, as the registry writes it.

    Args:
        archives: Where packages come from.
        package: Registry name.
        wanted: As people write it (`1.34.162`, `1.34.x`, `>=2,<3`, `latest`); empty for the newest stable one.

    Returns:
        The newest stable version that fits; pre-releases only if nothing else fits, withdrawn ones only if named.

    Raises:
        UnknownPackage, UnknownVersion, NetworkUnavailable: As the port says.
        InvalidInput: A range that cannot be read.
    """
    named = wanted.strip()
    if asks_newest(named):
        return newest_of(package, archives.versions(package))
    kept = _kept(archives, package, named)
    if kept:
        return kept
    listed = archives.versions(package)
    exact = _same(named, (one.version for one in listed))
    if exact:
        return exact
    library = Library("pypi", normal_package(package))
    offered = [Release(library, one.version) for one in listed if not one.yanked]
    try:
        if offered:
            return resolve(named, offered, library).release.version
    except VersionNotIndexed as error:
        near = [str(key).partition("@")[2] for key in _list(error.details.get("nearest"))]
        raise UnknownVersion(
            f"The registry has no version {named} of {package}. Nearest: {', '.join(near)}.",
            f"Name one that exists, for example {package}=={near[0]}",
            package=package,
            version=named,
            nearest=near,
        ) from error
    raise UnknownVersion(f"The registry has no version {named} of {package}.", "", package=package, version=named)


def asks_newest(wanted: str) -> bool:
    """Whether a version is left out, or a word for the newest one."""
    return wanted.strip().lower() in _NEWEST


def newest_of(package: str, listed: Iterable[PackageVersion], allowed: SpecifierSet | None = None) -> str:
    """The newest stable version, pre-releases only if there is nothing else; never a withdrawn one.

    Raises:
        UnknownVersion: Nothing is left to choose from.
    """
    labels = [one.version for one in listed if not one.yanked]
    if allowed is not None:
        labels = list(allowed.filter(labels))
    newest = newest_stable(labels)
    if newest is None:
        raise UnknownVersion(
            f"The registry lists no usable version of {package}{f' {allowed}' if allowed else ''}.",
            f"Name an exact version, for example {package}==VERSION; withdrawn ones are taken only when named.",
            package=package,
        )
    return newest


def package_page(reader: ArchiveReader) -> str:
    """A page for people about the package, as its metadata states it; empty if it states none."""
    return project_page(_headers(reader))


def requirement_of(reader: ArchiveReader, package: str) -> SpecifierSet:
    """Which versions of another package this one requires.

    Raises:
        InvalidInput: It does not require that package.
    """
    for key, text in _headers(reader):
        if key != "Requires-Dist":
            continue
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        if normal_package(requirement.name) == package:
            return requirement.specifier
    raise InvalidInput(
        f"The archive does not say which {package} it needs.", f"Name it yourself: --via {package}==VERSION"
    )


def origin_of(archive: Archive, url: str) -> Origin:
    """Where the bytes of a release came from."""
    return Origin(archive.package, archive.version, archive.filename, archive.sha256, archive.verified, url)


def registry_date(uploaded: datetime | None, clock: Clock) -> Updated:
    """The registry's upload time; where it gives none, the time of indexing, and the value says so."""
    return Updated(uploaded, "registry") if uploaded else Updated(clock.now(), "indexed")


def _kept(archives: Archives, package: str, named: str) -> str:
    """Its spelling if exactly this version is already in the store: then no network is needed."""
    wanted = normal_package(package)
    return _same(named, (one.version for one in archives.kept() if normal_package(one.package) == wanted))


def _same(named: str, versions: Iterable[str]) -> str:
    every = sorted(set(versions))
    return named if named in every else next((one for one in every if same_version(named, one)), "")


def _headers(reader: ArchiveReader) -> list[tuple[str, str]]:
    path = metadata_path(reader.names())
    if not path:
        return []
    message = HeaderParser().parsestr(reader.read(path).decode("utf-8", "replace"))
    return [(key, str(value).strip()) for key, value in message.items()]


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
