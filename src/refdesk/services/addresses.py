"""Addresses of the pages of one release: every form in which people write the path or the url of a page."""

import posixpath
import re
from collections.abc import Iterable, Sequence
from urllib.parse import SplitResult, unquote, urlsplit

from refdesk.domain.entries import Page
from refdesk.domain.names import similar

_MOST_SIMILAR = 5
_LEADING = re.compile(r"\A(?:\.{0,2}/)+")
_ENDING = re.compile(r"\.(?:md|markdown|mdown|mdx|qmd|mdoc|rst|txt|x?html?|php|aspx?)\Z", re.IGNORECASE)
_INDEX = re.compile(r"(?:\A|/)(?:index|readme|default)\Z")


class Addresses:
    """Finds pages by what their addresses have in common with what was asked for.

    Attributes:
        paths: Of all pages.
    """

    def __init__(self, pages: Iterable[Page]) -> None:
        """Note the addresses of all pages."""
        self.paths: list[str] = []
        self._stems: dict[str, list[str]] = {}
        self._urls: dict[str, list[str]] = {}
        self._loose: dict[str, list[str]] = {}
        metadata: set[str] = set()
        for page in pages:
            self.paths.append(page.path)
            self._stems.setdefault(_stem(page.path), []).append(page.path)
            if page.content_type == "metadata":
                metadata.add(page.path)
            if page.url:
                self._urls.setdefault(_with_query(page.url), []).append(page.path)
                if not _split(page.url).query:
                    self._loose.setdefault(_loose(page.url), []).append(page.path)
        for forms in (self._urls, self._loose):
            for form, paths in forms.items():
                # README, changelog and metadata of a package may all name the project's home as their address.
                forms[form] = [path for path in paths if path not in metadata] or paths

    def by_path(self, path: str) -> Sequence[str]:
        """Paths of the pages that a path fits: but for its ending, for an index page, for the folders before it."""
        plain = plain_path(path)
        wanted = _stem(plain)
        fitting: Sequence[str] = self._stems.get(wanted, ())
        if not fitting and wanted and ("/" in plain or _ENDING.search(plain)):  # links between neighbours
            fitting = [one for stem, paths in self._stems.items() if stem.endswith(f"/{wanted}") for one in paths]
        return fitting

    def by_url(self, url: str) -> Sequence[str]:
        """Paths of the pages at a url: exactly, without its query, then but for ending, index page and slash."""
        return self._urls.get(_with_query(url)) or self._urls.get(normal(url)) or self._loose.get(_loose(url)) or ()

    def similar(self, url: str) -> Sequence[str]:
        """Paths that look like the end of a url."""
        path = plain_path(unquote(_split(url).path))
        stem = _stem(path)
        by_name = self._like(stem.rpartition("/")[2])
        if by_name and _ENDING.sub("", path.casefold()) != stem:  # an index page is called by its folder
            return by_name
        return similar(path, self.paths) or similar(last_part(url), self.paths) or by_name

    def _like(self, name: str) -> Sequence[str]:
        """Paths of the pages whose names, without endings, look like one; a folder names its index page."""
        names: dict[str, list[str]] = {}
        for stem, paths in self._stems.items():
            names.setdefault(stem.rpartition("/")[2], []).extend(paths)
        return [path for found in similar(name, names) for path in names[found]][:_MOST_SIMILAR]


def plain_path(path: str) -> str:
    """A path without `./`, `../` or `/` before it, without trailing slash and query."""
    return _LEADING.sub("", posixpath.normpath(path.partition("?")[0])).rstrip("/")


def has_ending(path: str) -> bool:
    """Whether a path ends as the name of a document does."""
    return _ENDING.search(path) is not None


def normal(url: str) -> str:
    """A url without scheme, query, fragment and trailing slash, host in lower case."""
    parts = _split(url)
    return f"{parts.netloc.lower()}{unquote(parts.path).rstrip('/')}"


def anchor_of(url: str) -> str:
    """The fragment of a url, decoded."""
    return unquote(_split(url).fragment)


def last_part(url: str) -> str:
    """The last part of a url's path."""
    return unquote(_split(url).path).rstrip("/").rpartition("/")[2]


def _with_query(url: str) -> str:
    query = _split(url).query
    return f"{normal(url)}?{query}" if query else normal(url)


def _loose(url: str) -> str:
    host, slash, path = normal(url).partition("/")
    return f"{host}{slash}{_INDEX.sub('', _ENDING.sub('', path.casefold()))}".rstrip("/")


def _stem(path: str) -> str:
    """What is left of a path without its ending and without the name of an index page."""
    whole = _ENDING.sub("", path.casefold())
    return _INDEX.sub("", whole) or whole


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # half an IPv6 address; it is then a url that nothing has
        return SplitResult("", "", url, "", "")
