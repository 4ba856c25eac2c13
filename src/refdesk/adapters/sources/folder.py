"""A folder of documents: which files are documents, and their bytes one at a time."""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from refdesk.domain.entries import Problem
from refdesk.domain.errors import InvalidInput, SourceRejected

TEXTS = (".md", ".markdown", ".mdown", ".mdx", ".qmd", ".mdoc", ".rst", ".txt")
"""Endings, in any letter case, of documents that are text."""

PAGES = (".html", ".htm", ".xhtml")
"""Endings, in any letter case, of pages."""

INVENTORY = "objects.inv"
"""Name of Sphinx's list of what its pages define."""

DOCSET = frozenset({"index.json", "meta.json"})
"""The two lists that stand beside the pages of a DevDocs docset, at its top."""

LARGEST_TEXT = 4 * 1024 * 1024
"""Bytes of the largest text that is read."""

LARGEST_PAGE = 16 * 1024 * 1024
"""Bytes of the largest page or inventory that is read."""

LARGEST_INCLUDE = 256 * 1024
"""Bytes of the largest file beside the documents that a document may include."""

LARGEST_FOLDER = 2 * 1024 * 1024 * 1024
"""Bytes of all documents of one folder together, which are never all in memory."""

MOST_FILES = 200_000
"""Documents of one folder."""

_SKIPPED = frozenset({"node_modules", "__pycache__", ".git"})
_NO_TEXT = frozenset({
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".woff", ".woff2", ".ttf", ".otf", ".eot", ".pdf", ".zip", ".gz",
    ".xz", ".bz2", ".tar", ".jar", ".whl", ".mp3", ".mp4", ".webm", ".so", ".dll", ".exe", ".pyc", ".db", ".sqlite",
    ".pack", ".inv",
})  # fmt: skip
_BESIDE_PAGES = {"_sources": "what the pages were made from", "_static": "no pages", "_images": "no pages"}
"""Folders that Sphinx puts beside its pages; the texts in them are copies, or belong to no reader."""


@dataclass(slots=True)
class Listing:
    """What a folder holds: documents by their path inside it, and everything that is not taken."""

    root: Path
    documents: dict[str, Path] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_site(self) -> bool:
        """Whether there are pages of HTML among the documents."""
        return any(is_page(name) for name in self.documents)

    def includes(self) -> dict[str, Path]:
        """Small files beside the documents, which are no documents but may be shown in one: code that it includes."""
        named = (name for names in self.others.values() for name in names if _is_included(name))
        return {name: path for name in named if _is_small(path := self.root / name)}

    def left_out(self) -> list[Problem]:
        """Files that are no documents, one entry for each ending."""
        return [
            Problem(names[0], f"{_counted(len(names), ending)} left out: no HTML, Markdown or plain text.")
            for ending, names in sorted(self.others.items())
        ]


class FolderFiles(Mapping[str, bytes]):
    """The bytes of documents by their path, each read when it is asked for.

    Files that documents include are found by their path too, but are not among the documents. A file that is another
    one than when its hash was taken ends the reading: what is stored must be what the hash says.

    Attributes:
        size: Bytes of all documents whose hash was taken.
    """

    def __init__(self, documents: Mapping[str, Path], includes: Mapping[str, Path] | None = None) -> None:
        self._documents = dict(sorted(documents.items()))
        self._includes = dict(sorted((includes or {}).items()))
        self._seen: dict[str, tuple[int, int]] = {}
        self.size = 0

    def __getitem__(self, name: str) -> bytes:
        path = self._documents.get(name) or self._includes[name]
        try:
            with path.open("rb") as file:
                state = _state(file.fileno())
                if state != self._seen.get(name, state):
                    raise _changed(path, "its size or its time is another one")
                return file.read()
        except OSError as error:
            raise _changed(path, error.strerror or str(error)) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, name: object) -> bool:
        return name in self._documents or name in self._includes

    def included(self) -> Iterator[tuple[str, str]]:
        """Path and hash of each file that documents may include; what cannot be read cannot be included."""
        for name, path in list(self._includes.items()):
            try:
                with path.open("rb") as file:
                    self._seen[name] = _state(file.fileno())
                    yield name, hashlib.file_digest(file, "sha256").hexdigest()
            except OSError:
                del self._includes[name]

    def digests(self, problems: list[Problem]) -> Iterator[tuple[str, str]]:
        """Path and hash of each document, read in pieces; what cannot be read, or is too large, leaves the mapping."""
        for name, path in list(self._documents.items()):
            largest = LARGEST_TEXT if name.lower().endswith(TEXTS) else LARGEST_PAGE
            try:
                with path.open("rb") as file:
                    state = _state(file.fileno())
                    digest = "" if state[0] > largest else hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                problems.append(Problem(name, f"Cannot be read: {error.strerror}."))
                del self._documents[name]
                continue
            if not digest:
                problems.append(Problem(name, f"Left out: more than the {largest:,} bytes that are read of one file."))
                del self._documents[name]
                continue
            self._seen[name] = state
            self.size += state[0]
            yield name, digest


def list_folder(root: Path) -> Listing:
    """All files below a folder, sorted into documents and others.

    Raises:
        InvalidInput: The folder cannot be opened.
    """
    listing = Listing(root)
    for path in _walk(root, listing):
        _take(path, listing)
    pages = listing.is_site
    listing.documents = dict(_kept(listing.documents.items(), listing, pages=pages))
    return listing


def is_page(name: str) -> bool:
    """Whether a file is a page of HTML, by its name."""
    return name.lower().endswith(PAGES)


def twins_of(names: Iterable[str]) -> Mapping[str, str]:
    """Path of a page → path of the Markdown that lies beside it: `a.md` or `a.html.md` of `a.html`."""
    known = set(names)
    found: dict[str, str] = {}
    for name in sorted(known):
        if is_page(name):
            stem = name.rpartition(".")[0]
            twin = next((one for one in (f"{name}.md", f"{stem}.md") if one in known), "")
            if twin:
                found[name] = twin
    return found


def _walk(root: Path, listing: Listing) -> Iterator[Path]:
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


def _take(path: Path, listing: Listing) -> None:
    name = _inside(path, listing.root)
    if not path.name.lower().endswith((*TEXTS, *PAGES)) and not _is_list(name):
        hidden = path.name.startswith(".") and path.name.count(".") == 1
        ending = "" if hidden else path.suffix.lower()
        listing.others[ending].append(name)
    # realpath: resolve() raises where links lead in a circle.
    elif path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(listing.root)):
        listing.problems.append(Problem(name, "Left out: a link that leads out of the folder."))
    elif not path.is_file():
        listing.problems.append(Problem(name, "Left out: not a regular file."))
    elif not name.isprintable() and _readable(name) != name:
        listing.problems.append(Problem(_readable(name), "Left out: its name is no text."))
    else:
        listing.documents[name] = path


def _kept(documents: Iterable[tuple[str, Path]], listing: Listing, *, pages: bool) -> Iterator[tuple[str, Path]]:
    """Documents without what only beside pages is one, or only without them."""
    beside: dict[str, list[str]] = defaultdict(list)
    for name, path in documents:
        if not pages and _is_list(name):
            listing.others[path.suffix.lower()].append(name)
            continue
        folders = name.split("/")[:-1]
        at = next((at for at, folder in enumerate(folders) if pages and folder in _BESIDE_PAGES), None)
        if at is None:
            yield name, path
        else:
            beside["/".join(folders[: at + 1])].append(name)
    for folder, names in sorted(beside.items()):
        why = _BESIDE_PAGES[folder.rpartition("/")[2]]
        files = "1 file" if len(names) == 1 else f"{len(names)} files"
        listing.problems.append(Problem(folder, f"{files} left out: {why}."))
    for names in listing.others.values():
        names.sort()


def _is_included(name: str) -> bool:
    """Whether a file may be text: not hidden, and of no ending that says otherwise."""
    file = name.rpartition("/")[2]
    return not file.startswith(".") and file[file.rfind(".") :].lower() not in _NO_TEXT


def _is_small(path: Path) -> bool:
    try:
        return path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_INCLUDE
    except OSError:
        return False


def _is_list(name: str) -> bool:
    return name in DOCSET or name.rpartition("/")[2] == INVENTORY


def _counted(count: int, ending: str) -> str:
    files = "1 file" if count == 1 else f"{count} files"
    return f"{files} ending in {ending}" if ending else f"{files} without an ending"


def _state(descriptor: int) -> tuple[int, int]:
    found = os.fstat(descriptor)
    return found.st_size, found.st_mtime_ns


def _readable(name: str) -> str:
    """A name as text; bytes of it that are no UTF-8 are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _changed(path: Path, how: str) -> SourceRejected:
    return SourceRejected(
        f"{path} changed while the folder was read: {how}.", "Add it again when nothing writes to the folder."
    )


def _inside(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
