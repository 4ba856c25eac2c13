"""The version of a folder of documents, as its own files state it."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from refdesk.adapters.sources.folder import INVENTORY, LARGEST_PAGE, Listing, is_page
from refdesk.domain.site_versions import (
    ORDER,
    stated_in_inventory,
    stated_in_meta,
    stated_in_options,
    stated_in_title,
)
from refdesk.domain.specs import VersionFrom

_VERSION = re.compile(r"v?\d[\w.+!-]*\Z")
_OPTIONS = "_static/documentation_options.js"


def stated_version(listing: Listing, asked: VersionFrom) -> tuple[str, str]:
    """The version that the files of a folder state, and what stated it; both empty if none does.

    Args:
        listing: The documents.
        asked: Where the caller wants it looked for; empty for everywhere: first what the folder's project says of
            itself (`file`), then what the pages say (`inventory`, `options`, `meta`, `title`), then the date of the
            newest document (`date`).
    """
    if not asked:
        found = _of_project(listing.root)
        if found:
            return found, "file"
    if listing.is_site:
        for statement in ORDER[asked]:
            found = _OF_PAGES[statement](listing) if statement in _OF_PAGES else ""
            if found:
                return found, statement
    return ("", "") if asked else (_newest_date(listing), "date")


def _of_project(root: Path) -> str:
    for name, read in _FILES.items():
        try:
            found = read((root / name).read_text("utf-8")[:LARGEST_PAGE])
        except (OSError, ValueError):
            continue
        if _VERSION.match(found):
            return found
    return ""


def _toml(text: str) -> str:
    document = tomllib.loads(text)
    tables = [document.get("project"), document.get("tool", {}).get("poetry")]
    return next((one["version"] for one in tables if isinstance(one, dict) and isinstance(one.get("version"), str)), "")


def _json(text: str) -> str:
    document = json.loads(text)
    version = document.get("version") if isinstance(document, dict) else None
    return version if isinstance(version, str) else ""


def _docset(text: str) -> str:
    """The release of a DevDocs docset; `2.0.x` is the line 2.0."""
    document = json.loads(text)
    if not isinstance(document, dict) or "slug" not in document:
        return ""
    return re.sub(r"\.x\Z", "", str(document.get("release") or document.get("version") or ""))


_FILES: Mapping[str, Callable[[str], str]] = {
    "VERSION": str.strip,
    "VERSION.txt": str.strip,
    "pyproject.toml": _toml,
    "package.json": _json,
    "meta.json": _docset,
}


def _inventory(listing: Listing) -> str:
    return stated_in_inventory(_content(_shallowest(listing, INVENTORY)))


def _options(listing: Listing) -> str:
    """In the script beside the pages, or, as older Sphinx did, in the page itself."""
    start = _start(listing)
    script = start.parent / _OPTIONS if start is not None else None
    return stated_in_options(_content(script)) or stated_in_options(_content(start))


def _meta(listing: Listing) -> str:
    return stated_in_meta(_content(_start(listing)))


def _title(listing: Listing) -> str:
    return stated_in_title(_content(_start(listing)))


_OF_PAGES: Mapping[str, Callable[[Listing], str]] = {
    "inventory": _inventory,
    "options": _options,
    "meta": _meta,
    "title": _title,
}


def _start(listing: Listing) -> Path | None:
    """The page that the site begins with: the topmost `index`, else the topmost page."""
    return _shallowest(listing, "index.html", "index.htm", "index.xhtml") or _shallowest(listing)


def _shallowest(listing: Listing, *called: str) -> Path | None:
    """The topmost document of these names; without names the topmost page."""
    names = [
        name
        for name in listing.documents
        if (name.rpartition("/")[2].lower() in called if called else is_page(name))
    ]  # fmt: skip
    return listing.documents[min(names, key=lambda one: (one.count("/"), one))] if names else None


def _content(path: Path | None) -> bytes:
    if path is None:
        return b""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_PAGE)
    except OSError:
        return b""


def _newest_date(listing: Listing) -> str:
    newest = max(path.stat().st_mtime for path in listing.documents.values())
    return datetime.fromtimestamp(newest, UTC).date().isoformat()
