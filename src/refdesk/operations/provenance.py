"""Provenance: which version answers, from what source, how old, and why this one. First in every answer."""

from collections.abc import Sequence

from pydantic import Field

from refdesk.domain.releases import Published, Updated
from refdesk.operations.descriptor import Output
from refdesk.services.shelf import Chosen

_DATED_BY = {
    "revision": "the document's own revision",
    "registry": "upload to the package registry",
    "changelog": "the package's changelog",
    "indexed": "time of indexing; the source states no date",
}


class Version(Output):
    """Which version was asked for, which one answers, and by which rule."""

    requested: str | None = Field(description="As the caller wrote it; null if none was named")
    served: str = Field(description="The version that answers")
    rule: str = Field(
        description="How it was found: exact, carrier, api_version, label, minor_line, range, or only_release,"
        " newest_stable, newest where none was named"
    )
    via: str | None = Field(description="The package that carries the API, PACKAGE==VERSION; null if it is the library")


class Source(Output):
    """Where an answer was read."""

    package: str
    version: str
    path: str = Field(description="File inside the package's archive, with its line where known")
    url: str = Field(description="A page for people, as the source states it; empty if it states none")
    sha256: str = Field(description="Hash of the archive that was read")
    verified: bool = Field(description="Whether the registry announced this hash")


class Provenance(Output):
    """The part that every answer about one release begins with."""

    version_line: str
    library: str
    version: Version
    updated: str = Field(description="Date of the content, ISO 8601")
    updated_by: str = Field(description="Who states the date: revision, registry, changelog, or indexed")
    note: str = Field(default="", description="Said where the version was chosen for the caller")


def provenance(chosen: Chosen) -> Provenance:
    """The provenance of an answer from a chosen release."""
    release = chosen.published.release
    return Provenance(
        version_line=f"[Version: {release.label}]",
        library=str(release.library),
        version=Version(
            requested=chosen.requested or None,
            served=release.version,
            rule=chosen.rule,
            via=str(release.carrier) if release.carrier else None,
        ),
        updated=date_of(chosen.published.updated),
        updated_by=chosen.published.updated.by,
        note=_note(chosen),
    )


def source_of(published: Published, path: str = "", line: int = 0, url: str = "") -> Source:
    """The source of something read at a place in a release's archive."""
    origin = published.origin
    return Source(
        package=origin.package,
        version=origin.version,
        path=f"{path}:{line}" if path and line else path,
        url=url or origin.url,
        sha256=origin.sha256,
        verified=origin.verified,
    )


def line_of(labels: Sequence[str]) -> str:
    """The version line of an answer from several releases: their labels, after the third their number."""
    shown = "; ".join(labels[:3])
    return f"[Version: {shown}; and {len(labels) - 3} more]" if len(labels) > 3 else f"[Version: {shown}]"


def date_of(updated: Updated) -> str:
    """The date alone, in UTC."""
    return updated.at.date().isoformat()


def header(one: Provenance, source: Source | None = None) -> str:
    """The first lines of a text answer: the version line, then what it rests on."""
    version = one.version
    facts = [
        f"requested: {version.requested or 'none'}",
        f"served: {version.served}" + (f" via {version.via}" if version.via else ""),
        f"rule: {version.rule}",
    ]
    if source is not None:
        facts.append(f"source: {source.package} {source.version}" + (f" {source.path}" if source.path else ""))
    facts.append(f"updated: {one.updated} ({_DATED_BY[one.updated_by]})")
    lines = [one.version_line, "; ".join(facts)]
    return "\n".join([*lines, one.note] if one.note else lines)


def _note(chosen: Chosen) -> str:
    """Said where the version was chosen for the caller."""
    if not chosen.for_caller:
        return ""
    label = chosen.published.release.label
    others = f" {chosen.others} other versions are indexed." if chosen.others > 1 else ""
    others = " Another version is indexed." if chosen.others == 1 else others
    return f"You named no version: this is {label}; name one if your project uses another.{others}"
