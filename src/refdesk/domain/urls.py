"""Addresses of pages: their canonical form, which of them belong to a site, the path of their page.

An address is compared, kept and asked for in one form: RFC 3986, section 6, as browsers read what authors write, and
without what names no page (fragments, session ids, marks of advertising).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urljoin, urlsplit

from refdesk.domain.specs import ScopeRule

LONGEST = 2_000
"""Characters of the longest address that is one; caches and servers cut or refuse longer ones."""

_PORTS = {"http": "80", "https": "443"}
_BLANK = re.compile(r"[\x00-\x20\x7f]+")
_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PLAIN = re.compile(r"https?://([a-z0-9.-]+)/(?!\.)(?:[A-Za-z0-9_~+@:=-]|/(?!\.)|\.)*\Z")
"""Most addresses: no port, nothing that is or might be encoded, no dot segment, no query."""

_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\Z")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;]*", re.IGNORECASE)
_NO_PAGE = re.compile(
    r"(?:utm_\w*|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_hs\w+|mkt_tok|vero_id"
    r"|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|session_?id)\Z",
    re.IGNORECASE,
)
"""Names of query parameters that follow readers, not pages."""

_SESSION_VALUE = re.compile(r"(?:sid|s|session)=[0-9A-Fa-f]{16,}\Z", re.IGNORECASE)
"""Short names that other sites give to pages: only with the value of a session."""


def canonical(url: str, base: str = "") -> str | None:
    """The form in which an address is compared, kept and asked for; None for what is no address of a page.

    Scheme and host in lower case, without the port that is the scheme's own, without user and password; dot segments
    resolved; nothing encoded that need not be, all that must; no fragment; of the query what names the page, in order
    of its names. A directory and its `index.html` stay two addresses: only the server knows whether they are one page.

    Args:
        url: As somebody wrote it.
        base: The canonical address of the page that it stands in, if it may be relative.
    """
    # WHATWG: white space around it is cut, line ends and tabs inside it are nothing.
    text = url.strip().replace("\n", "").replace("\r", "").replace("\t", "")
    try:
        return _canonical(urljoin(base, text) if base else text)
    except ValueError:
        # Brackets without an IPv6 address, ports that are no number.
        return None


@dataclass(frozen=True, slots=True)
class Scope:
    """Which addresses belong to a site.

    `http` and `https` of one host are one site, asked for as `root` is. A redirect is followed where its target
    belongs to the site; one that leaves it is reported and not followed. Siblings of the folder of `root` do not
    belong to it under the rule `path`: `https://docs.example.org/en/3.2/` is another version's neighbour, not its page.

    Attributes:
        root: Canonical address of the folder that the site lies in, ending in `/`.
        rule: `path`: below `root`; `host`: anywhere on its host; `listed`: only what was listed.
        listed: Canonical addresses that belong to it whatever the rule says.
    """

    root: str
    rule: ScopeRule = "path"
    listed: frozenset[str] = frozenset()

    def contains(self, url: str) -> bool:
        """Whether a canonical address belongs to the site."""
        return self.own(url) is not None

    def own(self, url: str) -> str | None:
        """The address under which the site is asked for a canonical one; None if it does not belong to the site."""
        if url in self.listed:
            return url
        if self.rule == "listed":
            return None
        if not url.startswith(self.root):
            scheme, _, rest = self.root.partition("://")
            other, _, tail = url.partition("://")
            host = rest.partition("/")[0]
            if tail.partition("/")[0] != host:
                return None
            if other != scheme:
                url = f"{scheme}://{tail}"
        return url if self.rule == "host" or url.startswith(self.root) else None


def host_of(url: str) -> str:
    """Host and port of a canonical address, as they stand in it."""
    return url.partition("://")[2].partition("/")[0]


def same_host(one: str, other: str) -> bool:
    """Whether two canonical addresses lie on one host, by whichever of http and https."""
    return host_of(one) == host_of(other)


def folder_of(url: str) -> str:
    """The canonical address of the folder that a page lies in, ending in `/`; a folder's own is its own."""
    path = url.partition("?")[0]
    return path[: path.rindex("/") + 1]


def common_folder(urls: Iterable[str]) -> str:
    """The innermost folder that all canonical addresses lie in; empty where they share no host."""
    folders = [folder_of(url) for url in urls]
    if not folders:
        return ""
    common = folders[0]
    for folder in folders[1:]:
        while not folder.startswith(common):
            head = common.rstrip("/").rpartition("/")[0]
            if head.endswith("/") or not head:
                return ""
            common = head + "/"
    return common


def page_path(url: str, root: str) -> str:
    """The path of a page inside its release, so that the paths of two versions of one site can be compared.

    It is the canonical address below the folder of the site; a folder has the path of its `index.html`, as in a copy
    on disk. Outside of that folder the host stands first.

    >>> page_path("https://docs.example.org/en/3.2/guide/", "https://docs.example.org/en/3.2/")
    'guide/index.html'
    >>> page_path("https://docs.example.org/api?v=2", "https://docs.example.org/en/3.2/")
    'docs.example.org/api?v=2'
    """
    rest = url.removeprefix(root) if root and url.startswith(root) else url.partition("://")[2]
    path, mark, query = rest.partition("?")
    parts = [part for part in path.split("/") if part]
    if not path or path.endswith("/"):
        parts.append("index.html")
    return "/".join(parts) + mark + query


def _canonical(url: str) -> str | None:
    plain = _PLAIN.match(url)
    if plain is not None and len(url) <= LONGEST and _host(plain[1]) == plain[1]:
        return url
    # Browsers take a backslash for a slash, up to the query.
    head, mark, tail = url.partition("?")
    parts = urlsplit(head.replace("\\", "/") + mark + tail)
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        return None
    host = _host(parts.hostname or "")
    if host is None or parts.username is not None or parts.password is not None:
        return None
    # urlsplit reads the port and raises ValueError for what is none
    port = "" if parts.port is None or str(parts.port) == _PORTS[scheme] else f":{parts.port}"
    path = _path(parts.path)
    query = _query(parts.query)
    made = f"{scheme}://{host}{port}{path}" + (f"?{query}" if query else "")
    return made if len(made) <= LONGEST else None


@lru_cache(maxsize=1024)
def _host(host: str) -> str | None:
    """A host's name in ASCII, or an address; None for what cannot be one."""
    if ":" in host:
        # An address of version 6, whose brackets urlsplit took off and checked.
        return f"[{host.lower()}]" if re.fullmatch(r"[0-9A-Fa-f:.]+", host) else None
    name = host.lower().removesuffix(".")
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii").lower().removesuffix(".")
        except UnicodeError:
            return None
    return name if _HOST.match(name) and len(name) <= 253 else None


def _path(path: str) -> str:
    plain = _SESSION_IN_PATH.sub("", _encode(path, "/:@!$&'()*+,;=-._~"))
    kept: list[str] = []
    segments = plain.split("/")
    for segment in segments[1:] if plain.startswith("/") else segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", "..") and kept:
        kept.append("")
    return "/" + "/".join(kept)


def _query(query: str) -> str:
    items = (_encode(item, "/:@!$'()*+,;=-._~?") for item in query.split("&"))
    kept = [
        item for item in items if item and not _NO_PAGE.match(item.partition("=")[0]) and not _SESSION_VALUE.match(item)
    ]
    # The order of equal names may mean something.
    return "&".join(sorted(kept, key=lambda item: item.partition("=")[0]))


def _encode(text: str, safe: str) -> str:
    """Encode what must be and decode what need not be encoded."""
    if "%" in text:
        text = _ENCODED.sub(_unreserved, text)
    # A percent sign that encodes nothing is one that must be encoded.
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return quote(_BLANK.sub(lambda match: quote(match[0]), text), safe=safe + "%", errors="replace")


def _unreserved(match: "re.Match[str]") -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()
