"""What the package registries that pip is configured for offer, asked through unearth.

This is the one module that knows unearth and httpx2; it is imported when a registry must be asked (0.1 s of CPU).
unearth answers "nothing here" to every kind of refusal. `_Client` looks at each response before unearth does, so that
only a registry that really said "no such package" counts as one.
"""

import hashlib
import logging
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit, urlunsplit

import httpx2
import orjson
from unearth import Link, PackageFinder
from unearth.auth import MultiDomainBasicAuth
from unearth.collector import is_secure_origin
from unearth.fetchers import Fetcher
from unearth.fetchers.sync import PyPIClient

from refdesk.adapters.archives.choice import RemoteFile, is_readable
from refdesk.adapters.archives.pip_settings import PipSettings
from refdesk.domain.errors import HashMismatch, NetworkUnavailable, SourceRejected

_ATTEMPTS = 3
_FIRST_PAUSE = 0.5
_PIECE = 256 * 1024
_LISTINGS = ("text/html", "application/vnd.pypi.simple.v1+")
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524})
_STRONG = ("sha256", "sha512", "sha384")
_WEAK = ("sha224", "sha1", "md5")
_T = TypeVar("_T")

# Both write the addresses that they ask, whose user, path or query may hold a token. What goes wrong, we tell.
for _name in ("unearth", "httpx2"):
    logging.getLogger(_name).setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class Listing:
    """What the registries said about one package.

    Attributes:
        files: Each file name once, from the first registry that offers it.
        failures: Why registries could not be asked, one sentence each, without credentials.
        answered: Whether at least one registry answered.
    """

    files: tuple[RemoteFile, ...]
    failures: tuple[str, ...]
    answered: bool


@contextmanager
def connect(settings: PipSettings, pause: Callable[[float], None]) -> Iterator["Connection"]:
    """A connection to the registries of these settings, closed at the end.

    Args:
        settings: Which registries, and how to reach them.
        pause: Waits a number of seconds between attempts.

    Raises:
        NetworkUnavailable: A certificate that the settings name cannot be read.
    """
    with _Client(settings) as client:
        yield Connection(settings, client, pause)


class Connection:
    """Asks the registries; made by `connect`."""

    def __init__(self, settings: PipSettings, client: "_Client", pause: Callable[[float], None]) -> None:
        self._settings = settings
        self._client = client
        # httpx2's methods take more than unearth's protocol asks for, which mypy does not count as fitting.
        self._fetcher = cast("Fetcher", client)
        self._pause = pause

    def files(self, package: str) -> Listing:
        """All readable files of a package that any of the registries offers."""
        found: dict[str, RemoteFile] = {}
        failures: list[str] = []
        answered = False
        for source in self._sources():
            try:
                listed = self._attempt(source.url, partial(self._listed, source, package))
            except NetworkUnavailable as error:
                failures.append(error.message)
                continue
            if listed is not None:
                answered = True
                for one in listed:
                    found.setdefault(one.filename, one)
        return Listing(tuple(found.values()), tuple(failures), answered)

    def download(self, file: RemoteFile, limit: int, begin: Callable[[], Callable[[bytes], None]]) -> bool:
        """Bring the bytes of a file.

        Args:
            file: One of those that `files` named.
            limit: The most bytes that are taken.
            begin: Called at the start of every attempt; returns what takes the bytes of that attempt.

        Returns:
            Whether the registry announced a hash of the SHA-2 family, which the bytes then have.

        Raises:
            SourceRejected: More bytes than the limit.
            HashMismatch: The bytes have not the announced hash, of whatever kind.
            NetworkUnavailable: The file could not be fetched.
        """
        algorithm = next((name for name in (*_STRONG, *_WEAK) if name in file.hashes), "")
        if file.size is not None and file.size > limit:
            raise _too_large(file.filename, limit)

        def attempt() -> str:
            digest = hashlib.new(algorithm or "sha256", usedforsecurity=False)
            write = begin()
            count = 0
            # `identity`, and raw bytes: the hash is that of the stored file, whatever encoding a server claims.
            with self._client.get_stream(file.url, headers={"Accept-Encoding": "identity"}) as response:
                _expect_file(response.status_code)
                for piece in response.iter_raw(_PIECE):
                    count += len(piece)
                    if count > limit:
                        raise _too_large(file.filename, limit)
                    digest.update(piece)
                    write(piece)
            return digest.hexdigest()

        got = self._attempt(file.url, attempt)
        announced = file.hashes.get(algorithm, "").lower()
        if announced and got != announced:
            raise HashMismatch(
                f"{file.filename} is not the file that the registry announced; its bytes were deleted.",
                "Try again; if it stays so, something between here and the registry changes files.",
                filename=file.filename,
                algorithm=algorithm,
                announced=announced,
                received=got,
            )
        return algorithm in _STRONG

    def _sources(self) -> list["_Source"]:
        settings = self._settings
        sources = [_Source(_address(one), is_index=False) for one in settings.find_links]
        if not settings.no_index:
            main = settings.index_url or PackageFinder(session=self._fetcher).sources[0]["url"]
            sources = [*(_Source(_address(one), is_index=True) for one in (main, *settings.extra_index_urls)), *sources]
        return sources

    def _listed(self, source: "_Source", package: str) -> Sequence[RemoteFile] | None:
        """The files that one source offers; None if it is a folder that does not exist."""
        link = Link(_without_credentials(source.url))
        if link.is_file and not link.file_path.exists():
            return None
        if not is_secure_origin(self._fetcher, link):
            raise _Refusal("is not reached over HTTPS and pip's trusted-host does not name it")
        place = [link.normalized]
        finder = PackageFinder(
            session=self._fetcher,
            index_urls=place if source.is_index else (),
            find_links=() if source.is_index else place,
            ignore_compatibility=True,
        )
        self._client.sizes = {}
        try:
            packages = list(finder.find_all_packages(package, allow_yanked=True))
        except (AttributeError, TypeError, KeyError) as error:  # unearth takes the shape of a listing for granted
            raise _Refusal("sent a listing that cannot be read") from error
        return [
            _remote_file(one.link, one.version, self._client.sizes)
            for one in packages
            if one.version and is_readable(one.link.filename) and (link.is_file or not one.link.is_file)
        ]

    def _attempt(self, url: str, action: Callable[[], _T]) -> _T:
        """Do it, up to three times while the failure may pass; foreign errors become ours here and nowhere else."""
        attempts = _ATTEMPTS if self._settings.retries is None else max(1, self._settings.retries + 1)
        number = 0
        while True:
            number += 1
            try:
                return action()
            except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError, _Refusal) as error:
                reason, passing = _understood(error)
                if number == attempts or not passing:
                    # Not chained: the foreign error holds the request, whose address may contain a token.
                    raise _unavailable(_origin(url), reason) from None
            self._pause(_FIRST_PAUSE * 2 ** (number - 1))


@dataclass(frozen=True, slots=True)
class _Source:
    url: str = field(repr=False)
    is_index: bool


class _Refusal(Exception):
    """A response that is neither a listing, nor a file, nor "no such package"."""

    def __init__(self, reason: str, passing: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing


class _Client(PyPIClient):
    """unearth's client with pip's settings, which does not let refusals pass for empty listings.

    Attributes:
        sizes: Sizes of the files in the JSON listings received since it was last emptied; unearth drops them.
    """

    def __init__(self, settings: PipSettings) -> None:
        proxy = settings.proxy if "://" in settings.proxy or not settings.proxy else f"http://{settings.proxy}"
        addresses = [_address(one) for one in (settings.index_url, *settings.extra_index_urls, *settings.find_links)]
        self.sizes: dict[str, int] = {}
        self._nameless = {urlsplit(one).hostname for one in addresses if _has_user_only(one)}
        super().__init__(
            trusted_hosts=settings.trusted_hosts,
            verify=_trust(settings),
            timeout=settings.timeout,
            follow_redirects=True,
            proxy=proxy or None,
        )
        # Asking a person is not possible here; keyring and netrc are asked.
        self.auth = MultiDomainBasicAuth(prompting=False, index_urls=[one for one in addresses if "://" in one])

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:  # noqa: ANN401 - httpx2's signature
        """Send a request; a listing that is refused is an error, not an empty listing."""
        response = super().send(request, **options)
        if response.status_code == 401 and request.url.host in self._nameless:
            # A user without a password is a token: unearth sends it only from the second request on.
            response.close()
            response = super().send(request, **options)
        if "vnd.pypi.simple" in request.headers.get("Accept", ""):
            _expect_listing(response)
            self.sizes |= _sizes(response)
        return response


def _expect_listing(response: httpx2.Response) -> None:
    if response.status_code in (404, 410):
        return
    _expect_success(response.status_code)
    kind = response.headers.get("Content-Type", "").lower()
    if not kind.startswith(_LISTINGS):
        raise _Refusal(f"answered with {kind or 'something unnamed'}, not with a package listing")
    # The page of a log-in or a captive portal is HTML as well; a listing without a link says what it is (PEP 629).
    if "html" in kind and not any(mark in response.read().lower() for mark in (b"<a", b"pypi:repository-version")):
        raise _Refusal("answered with a page that is no package listing")


def _expect_file(status: int) -> None:
    if status in (404, 410):
        raise _Refusal("lists the file but does not have it")
    _expect_success(status)


def _expect_success(status: int) -> None:
    if status in (401, 403, 407):
        raise _Refusal(f"refused access ({status}): credentials are missing or not sufficient")
    if not 200 <= status < 300:
        raise _Refusal(f"answered with status {status}", status in _PASSING)


def _sizes(response: httpx2.Response) -> dict[str, int]:
    if "json" not in response.headers.get("Content-Type", "") or response.status_code != 200:
        return {}
    page = orjson.loads(response.read())
    files = page.get("files") if isinstance(page, dict) else None
    if not isinstance(files, list) or not all(isinstance(one, dict) for one in files):
        raise _Refusal("sent a listing that cannot be read")
    return {one["filename"]: one["size"] for one in files if isinstance(one.get("size"), int) and "filename" in one}


def _remote_file(link: Link, version: str, sizes: Mapping[str, int]) -> RemoteFile:
    announced = {name: values[0] for name, values in (link.hash_option or {}).items()}
    return RemoteFile(
        filename=link.filename,
        version=version,
        url=_without_credentials(link.url_without_fragment),
        hashes=announced,
        size=sizes.get(link.filename),
        uploaded=_utc(link.upload_time),
        yanked=link.is_yanked,
    )


def _utc(moment: datetime | None) -> datetime | None:
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _address(place: str) -> str:
    """An index or find-links setting as a URL; pip takes paths as well."""
    if "://" not in place:
        return Path(place).absolute().as_uri() if place else ""
    try:
        urlsplit(place)
    except ValueError:
        raise _unavailable("One of pip's index addresses", "is not an address that can be asked") from None
    return place


def _without_credentials(url: str) -> str:
    """Credentials travel in a header, by `MultiDomainBasicAuth`: httpx2 writes the addresses it asks to its log."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _has_user_only(url: str) -> bool:
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    return bool(at) and ":" not in user


def _origin(url: str) -> str:
    """What may be said of an address: scheme and host; a path or query may hold a token. Folders in full."""
    parts = urlsplit(url)
    return url if parts.scheme == "file" else f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _trust(settings: PipSettings) -> ssl.SSLContext | bool:
    if not (settings.cert or settings.client_cert):
        return True
    try:
        folder = Path(settings.cert).is_dir() if settings.cert else False
        context = ssl.create_default_context(
            cafile=settings.cert if settings.cert and not folder else None, capath=settings.cert if folder else None
        )
        if settings.client_cert:
            context.load_cert_chain(settings.client_cert)
    except OSError as error:
        named = settings.client_cert or settings.cert
        raise _unavailable("The registry", f"pip's certificate {named} cannot be read ({error.strerror})") from error
    return context


def _understood(error: Exception) -> tuple[str, bool]:
    """Why, in words without addresses, and whether another attempt may help."""
    if isinstance(error, _Refusal):
        return str(error), error.passing
    tls = _tls_reason(error)
    if tls:
        return f"its certificate was not accepted ({tls}); pip's setting `cert` names another bundle", False
    if isinstance(error, httpx2.TimeoutException):
        return "did not answer in time", True
    if isinstance(error, httpx2.ProxyError):
        return "the proxy refused", True
    if isinstance(error, httpx2.NetworkError | httpx2.ProtocolError):
        return f"the connection failed ({type(error).__name__})", True
    return f"could not be read ({type(error).__name__})", False


def _tls_reason(error: BaseException | None) -> str:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error.verify_message or "verification failed"
        if isinstance(error, ssl.SSLError):
            return error.reason or "TLS"
        error = error.__cause__ or error.__context__
    return ""


def _unavailable(where: str, reason: str) -> NetworkUnavailable:
    return NetworkUnavailable(
        f"{where}: {reason}.",
        "Check the network and pip's settings (`pip config list`), then try again. What is indexed still answers.",
        where=where,
        reason=reason,
    )


def _too_large(filename: str, limit: int) -> SourceRejected:
    return SourceRejected(
        f"{filename} is larger than the limit for a download ({limit:,} bytes).",
        "Raise the limit if you trust this package.",
        filename=filename,
        limit=limit,
    )
