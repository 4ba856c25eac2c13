"""Releases: one version of a library as indexed, where it came from and how it was chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from refdesk.domain.libraries import Library

UpdatedBy = Literal["revision", "registry", "changelog", "indexed"]


@dataclass(frozen=True, slots=True)
class Carrier:
    """The package version that a two-axis library (`aws:*`, `gcp:*`) travels in."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Release:
    """One version of a library.

    Attributes:
        version: What the library itself calls the version: the API version of a two-axis library (`2006-03-01`,
            `v3`), else the package's version, else the label of a site.
        carrier: The package version that carries it; None for libraries of one axis.
    """

    library: Library
    version: str
    carrier: Carrier | None = None

    @property
    def key(self) -> str:
        """Unique, readable, accepted wherever a release can be named: `aws:s3@2006-03-01+1.34.162`."""
        tail = f"+{self.carrier.version}" if self.carrier else ""
        return f"{self.library}@{self.version}{tail}"

    @property
    def label(self) -> str:
        """As the version line of an answer shows it: `aws:s3 2006-03-01 via botocore 1.34.162`."""
        tail = f" via {self.carrier.package} {self.carrier.version}" if self.carrier else ""
        return f"{self.library} {self.version}{tail}"

    @property
    def package_version(self) -> str:
        """The version of the package that was read."""
        return self.carrier.version if self.carrier else self.version


@dataclass(frozen=True, slots=True)
class Origin:
    """The archive or folder that a release was read from.

    Attributes:
        package: Registry name of the package, or the folder's path for `files:`.
        filename: Name of the archive; empty for a folder.
        sha256: Hash of the archive's bytes, or of the folder's listing of names and hashes.
        verified: Whether the registry announced this hash; False where it announced none (find-links, folders).
        url: A page for people about the package, as its own metadata states it; for a site where it begins. Empty if
            there is none.
        version_from: What stated the version of a site: `label` is the caller; `file` and `date` are what a folder's
            own files and dates say; the rest stands in `refdesk.domain.site_versions`. Empty for packages.
        documents: The library whose documentation a site is, `pypi:flask`; empty if none is stated.
    """

    package: str
    version: str
    filename: str
    sha256: str
    verified: bool
    url: str = ""
    version_from: str = ""
    documents: str = ""


@dataclass(frozen=True, slots=True)
class Updated:
    """How old the content is, and who says so."""

    at: datetime
    by: UpdatedBy


@dataclass(frozen=True, slots=True)
class Published:
    """A release that answers: its pack, origin and dates.

    Attributes:
        pack: File name of the pack inside the folder of packs.
        format: Format number of the pack; one that this refdesk does not write must be rebuilt.
        counts: How many `symbols`, `pages`, `chunks` it holds.
    """

    release: Release
    pack: str
    format: int
    origin: Origin
    updated: Updated
    indexed_at: datetime
    counts: Mapping[str, int] = field(default_factory=dict)
