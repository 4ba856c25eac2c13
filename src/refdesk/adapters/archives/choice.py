"""Which of the files that a registry offers is the one to read."""

import difflib
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from packaging.version import InvalidVersion, Version

from refdesk.ports.archives import PackageVersion

_SDIST_ENDINGS = (".tar.gz", ".zip", ".tgz", ".tar.bz2", ".tar.xz", ".tar")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file that a registry offers.

    Attributes:
        version: As the file's name spells it; always a valid version.
        url: Without credentials; kept out of `repr`, since its path or query may hold a token.
        hashes: Announced hashes by the name of the algorithm; empty if none.
        size: In bytes; None if the registry does not say.
    """

    filename: str
    version: str
    url: str = field(repr=False)
    hashes: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None
    uploaded: datetime | None = None
    yanked: bool = False


def parse_version(text: str) -> Version | None:
    """A version as PEP 440 reads it, None if it does not."""
    try:
        return Version(text)
    except InvalidVersion:
        return None


def plain_version(version: Version) -> str:
    """One text for all spellings of a version: `1.0`, `v1` and `1.0.0` are `1`."""
    base = version.base_version
    return re.sub(r"(\.0)+\Z", "", base) + str(version)[len(base) :]


def listed_versions(files: Sequence[RemoteFile]) -> list[PackageVersion]:
    """The versions that the files belong to, oldest first."""
    by_version: dict[Version, list[RemoteFile]] = {}
    for one in files:
        by_version.setdefault(Version(one.version), []).append(one)
    return [
        PackageVersion(
            version=min((one.version for one in group), key=lambda text: (len(text), text)),
            uploaded=min((one.uploaded for one in group if one.uploaded), default=None),
            yanked=all(one.yanked for one in group),
        )
        for _, group in sorted(by_version.items())
    ]


def best_file(files: Sequence[RemoteFile], version: Version) -> RemoteFile | None:
    """The file of a version to read: a pure wheel, else the smallest other wheel, else the source archive.

    A file that was withdrawn comes after those that were not.
    """
    fitting = [one for one in files if Version(one.version) == version]
    return min(fitting, key=_order, default=None)


def nearest_versions(files: Sequence[RemoteFile], wanted: str, limit: int = 6) -> list[str]:
    """Versions around the one that does not exist, or, if it is no version, those that look like it; nearest first."""
    every = listed_versions(files)
    version = parse_version(wanted)
    kept = [one.version for one in every if not one.yanked] or [one.version for one in every]
    if version is None or not version.is_prerelease:
        kept = [one for one in kept if not Version(one).is_prerelease] or kept
    if version is None:
        return difflib.get_close_matches(wanted, kept, limit, 0.5) or kept[: -limit - 1 : -1]
    below = [one for one in kept if Version(one) < version][::-1]
    above = [one for one in kept if Version(one) > version]
    pairs = itertools.zip_longest(below, above)
    return [one for pair in pairs for one in pair if one is not None][:limit]


def _order(file: RemoteFile) -> tuple[bool, int, float, str]:
    return file.yanked, _rank(file.filename), float("inf") if file.size is None else file.size, file.filename


def _rank(filename: str) -> int:
    """0 a pure wheel, 1 another wheel, 2 to 7 source archives, 8 a wheel for Python 2 alone."""
    if not filename.endswith(".whl"):
        return 2 + next(place for place, ending in enumerate(_SDIST_ENDINGS) if filename.endswith(ending))
    python, abi, platform = filename.removesuffix(".whl").split("-")[-3:]
    if all(re.match(r"(py|cp)2", one) for one in python.split(".")):
        return 8
    return 0 if abi == "none" and platform == "any" else 1


def is_readable(filename: str) -> bool:
    """Whether a file is in one of the formats that are read (no eggs, installers or system packages)."""
    return filename.endswith((".whl", *_SDIST_ENDINGS))
