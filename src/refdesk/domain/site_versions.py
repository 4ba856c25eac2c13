"""The version of a documentation site, as the site itself states it.

Sites state it in up to six places, which do not always agree. They are asked in this order, and the first that states
one decides; what it was is kept with the release (`Origin.version_from`):

=============  =====================================================================  ============================
`url`          a segment of the address: `/en/3.2/`, `/v2/`, `/attrs-25.4.0/`         most hosts of several versions
`inventory`    the header of `objects.inv`: `# Version: 25.4.0`                        Sphinx
`options`      `VERSION` of `DOCUMENTATION_OPTIONS`                                    Sphinx
`meta`         `<meta name="docsearch:version">`                                       Docusaurus and others
`title`        the title of the start page: `Flask Documentation (3.0.x)`             nearly all
`switcher`     the entry of `versions.json` or `switcher.json` that is this site       mike, pydata
=============  =====================================================================  ============================

An entry of a switcher decides only where its address or name is the site's; that another one is preferred says nothing
of the pages that are read. A label such as `latest` is no version: what it means is another one tomorrow. It is taken
only where the caller asks for the version of the address.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal
from urllib.parse import unquote, urljoin, urlsplit

from refdesk.domain.specs import VersionFrom
from refdesk.domain.urls import canonical

Statement = Literal["url", "inventory", "options", "meta", "title", "switcher", "number"]
"""Where a version is stated; `number` is a bare whole number in the address, `/3/`, which is asked last."""

ORDER: Mapping[VersionFrom, tuple[Statement, ...]] = MappingProxyType(
    {
        "": ("url", "inventory", "options", "meta", "title", "switcher", "number"),
        "url": ("url", "number"),
        "inventory": ("inventory", "options"),
        "title": ("meta", "title"),
        "switcher": ("switcher",),
    }
)
"""What a caller chose → where the version is looked for, in order."""

_VERSION = r"\d+(?:\.\d+)+(?:[.-]?(?:x|\*|(?:a|b|c|rc|alpha|beta|dev|post|pre|preview|canary|next|snapshot)[.-]?\d*))*"
_SEGMENT = re.compile(
    rf"(?:[a-z][a-z_]*?[-_]?)??(?P<v>v?)(?P<number>{_VERSION}|\d{{4}}-\d{{2}}(?:-\d{{2}})?)(?:-docs?)?\Z", re.IGNORECASE
)
_MAJOR = re.compile(r"v(\d{1,4})\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}\Z")
_LABEL = re.compile(
    r"(?:latest|stable|main|master|trunk|dev|devel|develop|development|nightly|current|next|edge|canary|lts)\Z",
    re.IGNORECASE,
)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_META = re.compile(r"<meta\b[^>]*\bname=[\"']?docsearch:version[\"'\s][^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"\bcontent=[\"']([^\"']*)[\"']", re.IGNORECASE)
_IN_TITLE = (
    re.compile(rf"(?<![\w.])v?({_VERSION})(?![\w])", re.IGNORECASE),
    re.compile(r"\b(?:version|release|SE|v)\.? ?(\d{1,4})\b", re.IGNORECASE),
)
_OPTION = re.compile(r"[\"']?\bVERSION[\"']?\s*:\s*[\"']([^\"']*)[\"']")
_SWITCHER = re.compile(r"\btheme_switcher_json_url\s*[:=]\s*[\"']([^\"']+)[\"']")
_MEANS_NOTHING = frozenset({"", "unknown", "none", "current", "version", "release", "0.0", "0.0.0", "latest", "stable"})
_HEAD = 200_000
"""Bytes of a page that are looked through: its head is at the beginning."""


def stated_in_url(url: str) -> str:
    """The version in an address: the first segment with a dotted number or a date, else the first like `v2`."""
    segments = _segments(url)
    for segment in segments:
        match = _SEGMENT.match(segment)
        if match is not None:
            return _clean(match["number"])
    host = urlsplit(url).netloc.partition(".")[0]
    return next((segment.lower() for segment in (*segments, host) if _MAJOR.match(segment)), "")


def number_in_url(url: str) -> str:
    """The bare whole number that an address has for a segment, `/3/`; empty without one."""
    return next((segment for segment in _segments(url) if _NUMBER.match(segment)), "")


def label_in_url(url: str) -> str:
    """The label that an address has where others have a version: `latest`, `stable`, `main`; empty without one."""
    return next((segment.lower() for segment in _segments(url) if _LABEL.match(segment)), "")


def stated_in_inventory(content: bytes) -> str:
    """The version in the header of a Sphinx inventory; empty if it states none or is no inventory."""
    lines = content[:1000].split(b"\n")[:3]
    if len(lines) < 3 or not lines[0].startswith(b"# Sphinx inventory version"):
        return ""
    name, _, value = lines[2].decode("utf-8", "replace").partition(":")
    return _clean(value) if name.strip("# ").lower() == "version" else ""


def stated_in_options(content: bytes) -> str:
    """`VERSION` of `DOCUMENTATION_OPTIONS`, in a page or in its script; empty if there is none."""
    text = content[:_HEAD].decode("utf-8", "replace")
    _, found, options = text.partition("DOCUMENTATION_OPTIONS")
    match = _OPTION.search(options[:4000]) if found else None
    return _clean(match[1]) if match is not None else ""


def stated_in_meta(page: bytes) -> str:
    """The version that a page tells to search engines of documentation."""
    tag = _META.search(_head(page))
    content = _CONTENT.search(tag[0]) if tag is not None else None
    return _clean(html.unescape(content[1]).partition(",")[0]) if content is not None else ""


def stated_in_title(page: bytes) -> str:
    """The version in a page's title; of several the last, which names the work and not the chapter."""
    match = _TITLE.search(_head(page))
    if match is None:
        return ""
    title = html.unescape(match[1])
    for pattern in _IN_TITLE:
        found = pattern.findall(title)
        if found:
            return _clean(found[-1])
    return ""


def stated_in_switcher(content: bytes, root: str) -> str:
    """The version of the entry that is this site; empty if none is.

    Args:
        content: `versions.json` of mike, or what pydata's switcher reads.
        root: The folder of the site.
    """
    segments = [segment.lower() for segment in _segments(root)]
    for entry in _entries(content):
        version = str(entry.get("version") or entry.get("name") or "")
        url = str(entry.get("url") or "")
        names = entry.get("aliases")
        called = [version, *(names if isinstance(names, list) else [])]
        if (url and urljoin(root, url).rstrip("/") == root.rstrip("/")) or (
            not url and any(str(name).lower() in segments for name in called)
        ):
            return _clean(str(entry.get("name") or "") if _LABEL.match(version) else version)
    return ""


def switchers(page: bytes, root: str) -> tuple[str, ...]:
    """Where the list of versions may lie: where the page says, else where mike puts it."""
    match = _SWITCHER.search(_head(page))
    named = [match[1]] if match is not None else []
    found = (canonical(one, root) for one in (*named, "../versions.json"))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _entries(content: bytes) -> Iterator[dict[str, object]]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return
    if isinstance(document, dict):
        document = document.get("versions")
    for entry in document if isinstance(document, list) else []:
        if isinstance(entry, dict):
            yield entry


def _segments(url: str) -> list[str]:
    path = urlsplit(url).path
    return [unquote(segment) for segment in path[: path.rfind("/") + 1].split("/") if segment]


def _head(page: bytes) -> str:
    return page[:_HEAD].decode("utf-8", "replace")


def _clean(version: str) -> str:
    """A version as the label of a release: `3.0.x` is the line 3.0; empty for what means nothing."""
    text = re.sub(r"(?:[.-][x*])+\Z", "", version.strip().strip("()"))
    if re.match(r"v\d+\.", text, re.IGNORECASE):
        text = text[1:]
    usable = text.lower() not in _MEANS_NOTHING and not re.search(r"[\s@]", text) and any(map(str.isdigit, text))
    return text[:100] if usable else ""
