"""Links made absolute. Pages repeat their links and hold hundreds: common forms are joined without parsing."""

import re
from urllib.parse import urljoin

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NO_ADDRESS = re.compile(r"(?:javascript|data|vbscript|about|blob)\s*:", re.IGNORECASE)


class Addresses:
    """What relative addresses of one page become."""

    def __init__(self, base: str) -> None:
        self._base = base
        page, _, _ = base.partition("#")
        self._page = page
        folder = page.partition("?")[0]
        self._folder = folder[: folder.rfind("/") + 1] if folder.count("/") > 2 else ""
        self._known: dict[str, str] = {}

    def absolute(self, href: str) -> str:
        """An address against the page's; empty if it leads nowhere that can be told."""
        known = self._known.get(href)
        if known is None:
            known = self._known[href] = self._joined(href.strip())
        return known

    def _joined(self, href: str) -> str:
        if not href or _NO_ADDRESS.match(href):
            return ""
        if not self._base or _SCHEME.match(href):
            return href
        if href[0] == "#":
            return self._page + href
        if self._folder and href[0].isalnum():
            path = href.partition("#")[0].partition("?")[0]
            if "/." not in path:
                return self._folder + href
        try:
            return urljoin(self._base, href)
        except ValueError:  # no address at all: a bracket in the host
            return ""
