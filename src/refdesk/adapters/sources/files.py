"""A folder of documents on this machine, as the pages of a site."""

import hashlib
import json
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from refdesk.domain.entries import Problem, SourceFiles
from refdesk.domain.errors import InvalidInput, NotFound, SourceRejected
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.specs import Spec
from refdesk.ports.clock import Clock
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sources import Discovery

SUFFIXES = (".md", ".markdown", ".mdown", ".mdx", ".qmd", ".mdoc", ".rst", ".txt")
"""Endings, in any letter case, of the files that are read; every other file is listed as left out."""

LARGEST = 4 * 1024 * 1024
"""Bytes of the largest document that is read."""

LARGEST_FOLDER = 512 * 1024 * 1024
"""Bytes of all documents of one folder together."""

_SKIPPED = frozenset({"node_modules", "__pycache__", ".git"})
_VERSION = re.compile(r"v?\d[\w.+!-]*\Z")
_LABEL = re.compile(r"[^\s@]+\Z")


@dataclass(slots=True)
class _Listing:
    """What a folder holds: documents by their path inside it, and everything that is not taken."""

    root: Path
    documents: dict[str, Path] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    problems: list[Problem] = field(default_factory=list)


class FilesSource:
    """Reads Markdown and plain text below a folder, or one such file.

    The version is the label of the spec; left out, what a VERSION file, pyproject.toml or package.json at the top of
    the folder states; else the date of the newest document. That date only names the release: `updated` is the time
    of indexing, because a checkout or a copy sets the dates of files anew, so they state nothing.
    """

    ecosystem = "site"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """See the port. The folder is listed, its documents are not read yet."""
        if not spec.path:
            raise InvalidInput(
                f"{spec.library} needs to be told where its pages are.",
                f"Write: refdesk add files:PATH as {spec.library}",
            )
        root = Path(spec.path).expanduser().absolute()
        progress(Step("resolve", str(spec)))
        listing = _list(root, spec)
        version = spec.version or _stated_version(listing.root) or _newest_date(listing.documents.values())
        if not _LABEL.match(version):
            raise InvalidInput(
                f"{version!r} cannot label a version.", f"Write: files:{spec.path} as {spec.library}@LABEL"
            )
        release = Release(spec.library, version)
        return [Discovery(release, partial(self._read, release, root, listing))]

    def _read(self, release: Release, root: Path, listing: _Listing, progress: Progress) -> SourceFiles:
        files: dict[str, bytes] = {}
        problems = [*listing.problems, *_others(listing)]
        total = 0
        for done, (name, path) in enumerate(sorted(listing.documents.items())):
            if done % 200 == 0:
                progress(Step("read", release.label, done, len(listing.documents), "files"))
            content = _bytes(name, path, problems)
            if content is None:
                continue
            total += len(content)
            if total > LARGEST_FOLDER:
                raise SourceRejected(
                    f"The documents below {root} are more than {LARGEST_FOLDER:,} bytes.",
                    f"Add its parts one by one: refdesk add files:{root}/PART as {release.library}-PART",
                )
            files[name] = content
        if not files:
            reason = problems[0].message if problems else "They are gone."
            raise SourceRejected(
                f"None of the documents below {root} can be read. {reason}", "Check their permissions."
            )
        progress(Step("read", release.label, len(files), len(files), "files"))
        origin = Origin(str(root), release.version, "", _listing_hash(files), verified=False)
        updated = Updated(self._clock.now(), "indexed")
        return SourceFiles(
            release,
            "markdown",
            files,
            origin,
            updated,
            tuple(sorted(problems, key=lambda one: (one.path, one.message))),
        )


def _list(root: Path, spec: Spec) -> _Listing:
    """List a folder or one file.

    Raises:
        NotFound: There is no such folder, or it holds no document.
        InvalidInput: One file that is no document, or a folder that cannot be opened.
    """
    again = f"as {spec.library}{f'@{spec.version}' if spec.version else ''}"
    if root.is_file():
        if not root.name.lower().endswith(SUFFIXES):
            raise InvalidInput(
                f"{root.name} is not Markdown or plain text ({', '.join(SUFFIXES)}).",
                f"Name the folder of the documents: refdesk add files:{root.parent} {again}",
            )
        return _Listing(root.parent, {root.name: root})
    if not root.is_dir():
        raise NotFound(
            f"There is no folder {root}.", f"Check the path, then: refdesk add files:PATH {again}", path=str(root)
        )
    listing = _Listing(root)
    for path in _walk(root, listing):
        _take(path, listing)
    if not listing.documents:
        found = "; ".join(one.message for one in [*_others(listing), *listing.problems][:5]) or "It is empty."
        raise NotFound(
            f"{root} holds no Markdown or plain text ({', '.join(SUFFIXES)}). {found}",
            f"Name the folder that holds the documents: refdesk add files:PATH {again}",
            path=str(root),
            found={ending: len(names) for ending, names in sorted(listing.others.items())},
        )
    return listing


def _walk(root: Path, listing: _Listing) -> Iterator[Path]:
    """All files below a folder in order of path; folders that are not entered become problems."""

    def unreadable(error: OSError) -> None:
        name = Path(error.filename or root)
        if name == root:
            raise InvalidInput(f"{root} cannot be opened: {error.strerror}.", "Check its permissions.") from error
        listing.problems.append(Problem(_inside(name, root), f"Folder cannot be opened: {error.strerror}."))

    for folder, folders, names in os.walk(root, onerror=unreadable):
        kept = []
        for name in sorted(folders):
            path = Path(folder, name)
            if path.is_symlink():
                listing.problems.append(Problem(_inside(path, root), "Left out: a link to a folder."))
            elif name in _SKIPPED or name.startswith("."):
                why = "a hidden folder" if name.startswith(".") else "no documentation of this project"
                listing.problems.append(Problem(_inside(path, root), f"Left out: {why}."))
            else:
                kept.append(name)
        folders[:] = kept
        yield from (Path(folder, name) for name in sorted(names))


def _take(path: Path, listing: _Listing) -> None:
    name = _inside(path, listing.root)
    if not path.name.lower().endswith(SUFFIXES):
        hidden = path.name.startswith(".") and path.name.count(".") == 1
        ending = "" if hidden else path.suffix.lower()
        listing.others[ending].append(name)
    elif path.is_symlink() and not path.resolve().is_relative_to(listing.root.resolve()):
        listing.problems.append(Problem(name, "Left out: a link that leads out of the folder."))
    elif not path.is_file():
        listing.problems.append(Problem(name, "Left out: not a regular file."))
    else:
        listing.documents[name] = path


def _others(listing: _Listing) -> list[Problem]:
    """Files that are no documents, one entry for each ending."""
    return [
        Problem(names[0], f"{_counted(len(names), ending)} left out: not Markdown or plain text.")
        for ending, names in sorted(listing.others.items())
    ]


def _counted(count: int, ending: str) -> str:
    files = "1 file" if count == 1 else f"{count} files"
    return f"{files} ending in {ending}" if ending else f"{files} without an ending"


def _bytes(name: str, path: Path, problems: list[Problem]) -> bytes | None:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        problems.append(Problem(name, f"Cannot be read: {error.strerror}."))
        return None
    if len(content) > LARGEST:
        problems.append(Problem(name, f"Left out: more than the {LARGEST:,} bytes that are read of one file."))
        return None
    return content


def _stated_version(root: Path) -> str:
    """The version that the folder's own files state; empty if none does."""
    for name, read in (
        ("VERSION", str.strip),
        ("VERSION.txt", str.strip),
        ("pyproject.toml", _toml),
        ("package.json", _json),
    ):
        try:
            found = read((root / name).read_text("utf-8")[:LARGEST])
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


def _newest_date(paths: Iterable[Path]) -> str:
    newest = max(path.stat().st_mtime for path in paths)
    return datetime.fromtimestamp(newest, UTC).date().isoformat()


def _listing_hash(files: Mapping[str, bytes]) -> str:
    """One hash over the names and hashes of all documents."""
    total = hashlib.sha256()
    for name, content in sorted(files.items()):
        total.update(f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode())
    return total.hexdigest()


def _inside(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
