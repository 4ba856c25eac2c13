"""Versions: their order, and which indexed release a caller means. Never a silent substitute.

Order is numeric: PEP 440 where a label can be read so (kept library `packaging`; semver's `-rc.10` reads the same),
then dates, then other labels in natural order. Build metadata (`+…`) does not count. Pre-releases stand below their
release; the API labels alpha, beta and preview are pre-releases too.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from refdesk.domain.errors import InvalidInput, VersionNotIndexed
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Release

Rule = Literal[
    "exact", "carrier", "api_version", "label", "minor_line", "range", "only_release", "newest_stable", "newest"
]  # fmt: skip

LONGEST = 200
"""Characters of the longest label that is read as a version; Python reads no numbers of any length."""

_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?!\d)")
_API_LABEL = re.compile(
    r"(?:[a-z_]+_)?v\d[\da-z.]*\Z|alpha\Z|beta\Z|preview\Z|\d{4}-\d{2}-\d{2}(?:-preview)?\Z", re.IGNORECASE
)
_PREVIEW = re.compile(
    r"alpha|beta|preview|(?<![a-z])(?:rc|dev|nightly|canary|next|eap)(?![a-z])|\d[ab]\d", re.IGNORECASE
)
_LINE = re.compile(r"v?\d+(?:\.\d+)*(?:\.[x*])?\Z", re.IGNORECASE)
_OPERATOR = re.compile(r"[<>=!~^]")
_VIA = re.compile(r"(?P<api>\S+)\s+via\s+(?P<package>[A-Za-z0-9._-]+)(?:==|\s+)(?P<version>\S+)\Z")
_CARRIER = re.compile(r"(?P<package>[A-Za-z][A-Za-z0-9._-]*)==(?P<version>[^=\s]+)\Z")


@dataclass(frozen=True, slots=True)
class Resolution:
    """The release that answers and the rule by which it was found."""

    release: Release
    rule: Rule


@lru_cache(maxsize=16384)
def version_key(label: str) -> tuple[object, ...]:
    """Sort key of a version label; a total order over all labels, the higher the newer.

    Labels without a number (`latest`, `main`) stand lowest, then dates, then numbered versions.
    """
    text = label.strip()
    if len(text) > LONGEST:
        return (0, ((0, 0, text),))
    date = _DATE.match(text)
    if date:
        return (1, date.group(), not is_preview(text), _natural(text))
    parsed = _parse(text)
    if parsed is not None:
        return (2, parsed.epoch, _release_numbers(parsed), _pre_key(parsed), _natural(text))
    numbers = re.search(r"v?(\d+(?:\.\d+)*)", text)
    if numbers and (text.lower().startswith("v") or text[0].isdigit() or "_v" in text):
        stage = ("a" if is_preview(text) else "~", 0)
        return (2, 0, tuple(int(one) for one in numbers[1].split(".")), (stage, -1, 1 << 60), _natural(text))
    return (0, _natural(text))


def is_preview(label: str) -> bool:
    """Whether a label names a pre-release (`2.0.0rc1`, `v1beta1`, `alpha`, `2024-01-01-preview`)."""
    parsed = _parse(label)
    if parsed is not None and parsed.is_prerelease:
        return True
    return bool(_PREVIEW.search(label))


def is_api_version(label: str) -> bool:
    """Whether a label has the form of an API's version (`v3`, `2006-03-01`, `alpha`), not of a package's."""
    return bool(_API_LABEL.match(label.strip()))


def newest_stable(labels: Iterable[str]) -> str | None:
    """The newest label that is no pre-release; the newest of all if there are only those; None of nothing."""
    every = sorted(labels, key=version_key)
    stable = [one for one in every if not is_preview(one)]
    return (stable or every)[-1] if every else None


def same_version(one: str, other: str) -> bool:
    """Whether two labels name one version: the same text, or equal by PEP 440 (`1.0` and `1.0.0`)."""
    if one == other:
        return True
    left, right = _parse(one), _parse(other)
    return left is not None and right is not None and left == right


def release_key(release: Release) -> tuple[object, ...]:
    """Sort key of a library's releases, newest last: stable before preview, then the API, then the carrier."""
    carrier = release.carrier.version if release.carrier else ""
    return (
        not is_preview(release.version),
        version_key(release.version),
        not is_preview(carrier),
        version_key(carrier) if carrier else (),
        release.key,
    )


def resolve(requested: str, releases: Sequence[Release], library: Library) -> Resolution:
    """The indexed release that a caller means.

    Args:
        requested: As people write it: exact (`1.34.162`), a line (`1.20`, `3.x`, `v3`), a range (`>=2,<3`), an API
            version (`2020-05-31`), a carrier (`botocore==1.34.162`), both (`2006-03-01 via botocore 1.34.162`), the
            version of a release key (`2006-03-01+1.34.162`), a label (`latest`, `2024-10-01`), or empty.
        releases: The indexed releases of this library, at least one.
        library: For the messages.

    Raises:
        VersionNotIndexed: Nothing that is indexed is what was asked for; the details name the nearest.
        InvalidInput: A range that cannot be read, or a text that is too long for a version.
    """
    text = requested.strip()
    if len(text) > LONGEST:
        raise InvalidInput(
            f"{text[:40]!r}… is too long for a version.",
            "Write for example 1.34.162, 3.x or >=2,<3.",
            value=text[:LONGEST],
        )
    ordered = sorted(releases, key=release_key)
    if not text:
        return _unasked(ordered)
    for find in (_exact, _both, _carrier, _package_version, _api_version, _range, _line, _line_of_site, _label):
        found = find(text, ordered)
        if found is not None:
            return found
    raise _not_indexed(text, ordered, library)


def nearest(requested: str, releases: Sequence[Release], limit: int = 3) -> tuple[Release, ...]:
    """The releases next to a version that is not indexed: those below it first, then those above.

    Previews come last, unless a preview was asked for.
    """
    axis = _axis(requested, releases)
    previews = [one for one in releases if is_preview(axis(one))]
    if is_preview(_bare(requested)) or not 0 < len(previews) < len(releases):
        return _around(requested, releases, axis)[:limit]
    stable = [one for one in releases if not is_preview(axis(one))]
    return (*_around(requested, stable, axis)[:limit], *_around(requested, previews, axis))[:limit]


def _around(requested: str, releases: Sequence[Release], axis: Callable[[Release], str]) -> tuple[Release, ...]:
    """Two below, one above, then whatever is left of either side, nearest first."""
    wanted = version_key(_bare(requested))
    ordered = sorted(releases, key=lambda one: (version_key(axis(one)), release_key(one)))
    below = [one for one in reversed(ordered) if version_key(axis(one)) <= wanted]
    above = [one for one in ordered if version_key(axis(one)) > wanted]
    return (*below[:2], *above[:1], *below[2:], *above[1:])


def _unasked(ordered: Sequence[Release]) -> Resolution:
    newest = ordered[-1]
    if len(ordered) == 1:
        return Resolution(newest, "only_release")
    return Resolution(newest, "newest" if is_preview(newest.version) else "newest_stable")


def _exact(text: str, ordered: Sequence[Release]) -> Resolution | None:
    """The version of a one-axis release, or the whole version of a release key."""
    for one in reversed(ordered):
        if text == one.key or (one.carrier and text == one.key.partition("@")[2]):
            return Resolution(one, "exact")
    single = [one for one in ordered if one.carrier is None]
    same = [one for one in single if one.version == text] or [one for one in single if same_version(one.version, text)]
    return Resolution(same[-1], "exact" if _parse(text) or _DATE.match(text) else "label") if same else None


def _both(text: str, ordered: Sequence[Release]) -> Resolution | None:
    match = _VIA.match(text)
    if match is None:
        return None
    found = [
        one
        for one in ordered
        if one.carrier is not None
        and one.version == match["api"]
        and one.carrier.package == match["package"].lower()
        and same_version(one.carrier.version, match["version"])
    ]
    return Resolution(found[-1], "exact") if found else None


def _carrier(text: str, ordered: Sequence[Release]) -> Resolution | None:
    """`PACKAGE==VERSION`: the carrier, or the package of a one-axis library itself."""
    match = _CARRIER.match(text)
    if match is None:
        return None
    package = re.sub(r"[-_.]+", "-", match["package"]).lower()
    for one in reversed(ordered):
        name = one.carrier.package if one.carrier else one.library.name
        if name == package and same_version(one.package_version, match["version"]):
            return Resolution(one, "carrier" if one.carrier else "exact")
    return None


def _package_version(text: str, ordered: Sequence[Release]) -> Resolution | None:
    """A bare package version of a two-axis library: the newest API version that it carries."""
    found = [one for one in ordered if one.carrier and same_version(one.carrier.version, text)]
    return Resolution(found[-1], "carrier") if found else None


def _api_version(text: str, ordered: Sequence[Release]) -> Resolution | None:
    found = [one for one in ordered if one.carrier and one.version.lower() == text.lower()]
    return Resolution(max(found, key=_carrier_key), "api_version") if found else None


def _range(text: str, ordered: Sequence[Release]) -> Resolution | None:
    if not _OPERATOR.search(text) or _CARRIER.match(text):
        return None
    try:
        wanted = SpecifierSet(_python_range(text))
    except InvalidSpecifier as error:
        raise InvalidInput(
            f"{text!r} is not a version range.", "Write for example >=2,<3 or an exact version.", value=text
        ) from error
    fits = [one for one in ordered if (version := _parse(one.package_version)) and wanted.contains(version)]
    if not fits:
        fits = [one for one in ordered if (v := _parse(one.package_version)) and wanted.contains(v, prereleases=True)]
    return Resolution(max(fits, key=_carrier_key), "range") if fits else None


def _line(text: str, ordered: Sequence[Release]) -> Resolution | None:
    """A line such as `1.20`, `1.20.x`, `3.x`, `v3`: its newest release, stable ones first."""
    line = _line_numbers(text)
    if line is None:
        return None
    whole = text[-1].isdigit()
    fits = [one for one in ordered if _on_line(one.package_version, line, whole)]
    fits = fits or [one for one in ordered if one.carrier and _on_line(one.version, line, whole)]
    return Resolution(max(fits, key=_carrier_key), "minor_line") if fits else None


def _on_line(label: str, line: tuple[int, ...], whole: bool) -> bool:
    """Whether a version belongs to a line.

    A `whole` line, one without `.x`, may be meant as a version; `2.0.0` or `v1` then do not mean `2.0.0rc1`,
    `2.0.0.post1` or `v1beta1`.
    """
    parsed = _parse(label)
    if parsed is None or parsed.release[: len(line)] != line:
        return False
    beyond = any(parsed.release[len(line) :])
    return beyond or not whole or not (parsed.is_prerelease or parsed.is_postrelease)


def _line_of_site(text: str, ordered: Sequence[Release]) -> Resolution | None:
    """A site's label names a line: `1.20` documents 1.20.3. A package's version never does."""
    asked = _numbers(text) if _LINE.match(text) else ()
    fits = [
        one
        for one in ordered
        if one.library.ecosystem == "site"
        and 0 < len(line := _line_numbers(one.version) or ()) < len(asked)
        and asked[: len(line)] == line
    ]
    longest = max((len(_line_numbers(one.version) or ()) for one in fits), default=0)
    fits = [one for one in fits if len(_line_numbers(one.version) or ()) == longest]
    return Resolution(fits[-1], "minor_line") if fits else None


def _label(text: str, ordered: Sequence[Release]) -> Resolution | None:
    """A label in another case, or the words `latest` and `stable` for what nobody labelled so."""
    found = [one for one in ordered if one.version.lower() == text.lower()]
    if found:
        return Resolution(found[-1], "label")
    if text.lower() in ("latest", "stable", "newest"):
        return Resolution(ordered[-1], _unasked([*ordered, ordered[-1]]).rule)
    return None


def _not_indexed(text: str, ordered: Sequence[Release], library: Library) -> VersionNotIndexed:
    near = nearest(text, ordered)
    names = ", ".join(one.label for one in near)
    two_axes = any(one.carrier for one in ordered)
    match = _CARRIER.match(text)
    wanted = f" --via {text}" if match and two_axes else f"@{match['version'] if match else text}"
    addable = library.ecosystem != "site" and (match or not _OPERATOR.search(text)) and " " not in text
    call = f"Add it: refdesk add {library}{wanted} (tool index_library)" if addable else f"See refdesk list {library}"
    return VersionNotIndexed(
        f"{library} is not indexed in version {text}. Nearest indexed: {names}. Nothing was substituted.",
        f"{call}, or ask again with one of the versions named.",
        library=str(library),
        requested=text,
        nearest=[one.key for one in near],
        indexed=[one.key for one in ordered[-20:]],
    )


def _axis(requested: str, releases: Sequence[Release]) -> Callable[[Release], str]:
    """What to compare a version with: the API's version for labels of that form, else the package's."""
    two_axes = any(one.carrier for one in releases)
    if two_axes and is_api_version(requested):
        return lambda one: one.version
    return lambda one: one.package_version


def _bare(requested: str) -> str:
    match = _CARRIER.match(requested)
    return match["version"] if match else requested


def _carrier_key(release: Release) -> tuple[object, ...]:
    """Newest carrier first in weight, then the API version: for requests that name a package's version or line."""
    package = release.package_version
    return (not is_preview(package), version_key(package), release_key(release))


@lru_cache(maxsize=16384)
def _parse(label: str) -> Version | None:
    if len(label) > LONGEST:
        return None
    try:
        return Version(label.strip())
    except InvalidVersion:
        return None


def _release_numbers(version: Version) -> tuple[int, ...]:
    """Without trailing zeros, so that 1.0 and 1.0.0 compare equal."""
    numbers = list(version.release)
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _pre_key(version: Version) -> tuple[object, ...]:
    """Development < pre-release < final < post, as PEP 440 orders them."""
    pre = version.pre or (("~", 0) if version.dev is None or version.post is not None else ("", 0))
    post = -1 if version.post is None else version.post
    dev = version.dev if version.dev is not None else 1 << 60
    return (pre, post, dev)


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Numbers by value, the rest as text."""
    parts = re.findall(r"\d+|\D+", text.lower())
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts)


def _numbers(label: str) -> tuple[int, ...]:
    parsed = _parse(label)
    return tuple(parsed.release) if parsed is not None else ()


def _line_numbers(text: str) -> tuple[int, ...] | None:
    if not _LINE.match(text):
        return None
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _python_range(text: str) -> str:
    """The caret and tilde of npm and Cargo, and their single `=`, as a PEP 440 range; the rest as it is."""

    def caret(match: re.Match[str]) -> str:
        numbers = [int(part) for part in match[1].split(".")]
        keep = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        upper = [*numbers[:keep], numbers[keep] + 1]
        return f">={match[1]},<{'.'.join(map(str, upper))}"

    def tilde(match: re.Match[str]) -> str:
        numbers = [int(part) for part in match[1].split(".")]
        upper = [numbers[0], numbers[1] + 1] if len(numbers) > 1 else [numbers[0] + 1]
        return f">={match[1]},<{'.'.join(map(str, upper))}"

    text = re.sub(r"\^\s*v?(\d+(?:\.\d+)*)", caret, text)
    text = re.sub(r"~\s*v?(\d+(?:\.\d+)*)", tilde, text)
    return re.sub(r"(?<![<>=!~])=(?!=)", "==", text).replace(" ", "")
