"""One document from a file or from the web."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from refdesk.domain.errors import InvalidInput, NetworkUnavailable, NotFound, SourceRejected
from refdesk.ports.documents import Document
from refdesk.ports.fetcher import Fetcher

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest document that is read, as of the largest page of a site."""

_GONE = (404, 410)
_NO_TEXT = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"# Sphinx inventory")
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff", b"<\x00", b"\x00<", b"\x00\x00\x00<")
"""How texts begin that have zeros because their characters are two or four bytes wide."""


class WebAndFiles:
    """Documents port: an address is fetched as a page of a site would be, anything else is a path."""

    def __init__(self, fetcher: Fetcher, private_hosts: tuple[str, ...] = ()) -> None:
        self._fetcher = fetcher
        self._private_hosts = private_hosts

    def read(self, location: str, *, render: bool = False) -> Document:
        """See the port."""
        if location.lower().startswith(("http://", "https://")):
            return self._fetched(location, render=render)
        if "://" in location:
            raise InvalidInput(
                f"{location[:200]!r} is no http or https address, which are the ones that are fetched.",
                "Save the page, and then: refdesk extract FILE",
            )
        if location == "-":
            raise InvalidInput(
                "The page is not read from the standard input.", "Save it, and then: refdesk extract FILE"
            )
        if render:
            raise InvalidInput("render is for pages that are fetched.", f"Write: refdesk extract {location}")
        return _file(Path(location).expanduser())

    def _fetched(self, url: str, *, render: bool) -> Document:
        found = self._fetcher.fetch(url, render=render, private_hosts=self._private_hosts)
        if found.status in _GONE:
            raise NotFound(f"{url} is no page: its server answers {found.status}.", "Check the address.", url=url)
        if found.status != 200:
            raise NetworkUnavailable(
                f"{url} could not be fetched: {found.error or f'its server answers {found.status}'}.",
                _way_on(url, found.error),
                url=url,
                status=found.status,
            )
        _need_text(url, found.body)
        if render and not found.rendered and "html" in found.content_type.lower():
            raise SourceRejected(
                f"The browser could not render {url}.",
                f"See what it is without: refdesk extract {url}",
                url=url,
            )
        name = unquote(urlsplit(found.final_url).path.rstrip("/").rpartition("/")[2])
        return Document(name or "index.html", found.body, found.final_url, found.content_type)


def _way_on(url: str, error: str) -> str:
    if "private network" in error:
        return f"If you trust it: REFDESK_PRIVATE_HOSTS={urlsplit(url).hostname} refdesk extract {url}"
    return "Try again, or look at it with a browser."


def _file(path: Path) -> Document:
    if path.is_dir():
        raise InvalidInput(
            f"{path} is a folder; extract shows one page.", f"For all of it: refdesk add site:NAME --path {path}"
        )
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.", "Check the path.", path=str(path)) from error
    except OSError as error:
        raise SourceRejected(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    if len(data) > LARGEST:
        raise SourceRejected(
            f"{path} has more than the {LARGEST:,} bytes that are read of one page.", "Name a smaller file."
        )
    _need_text(str(path), data)
    return Document(path.name, data)


def _need_text(name: str, data: bytes) -> None:
    head = data[:8192]
    if head.startswith(_NO_TEXT) or (b"\0" in head and not head.startswith(_WIDE)):
        raise SourceRejected(
            f"{name} is no text: it begins with {head[:8]!r}.",
            "Name a page of HTML, Markdown or reStructuredText: refdesk extract FILE",
        )
