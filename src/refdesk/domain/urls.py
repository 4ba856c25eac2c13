"""Addresses of pages: their canonical form, and which of them belong to a site."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from refdesk.domain.specs import ScopeRule


@dataclass(frozen=True, slots=True)
class Scope:
    """Which addresses belong to a site.

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
        if url in self.listed:
            return True
        if self.rule == "listed":
            return False
        return url.startswith(self.root) if self.rule == "path" else _host(url) == _host(self.root)


def _host(url: str) -> str:
    return urlsplit(url).netloc
