"""Which addresses a crawl asks for, in which order, and which it does not and why. Knows nothing of the network."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from posixpath import splitext
from typing import Literal

from refdesk.domain.traps import Traps
from refdesk.domain.urls import Scope

_NO_PAGE = re.compile(
    r"\.(png|jpe?g|gif|svgz?|webp|avif|ico|bmp|tiff?|psd|mp[34]|m4[av]|mov|avi|web[mp]|og[gv]|wav|flac|pdf|ps|epub|mobi"
    r"|docx?|xlsx?|pptx?|od[tsp]|zip|t?gz|bz2|xz|zst|7z|rar|tar|jar|war|whl|egg|deb|rpm|dmg|exe|msi|iso|apk|woff2?|ttf"
    r"|otf|eot|wasm|asc|sig)\Z",
    re.IGNORECASE,
)
"""Endings that are not asked for; of those that are names too (`vue.js`, `array.map`) the server says what they are."""

_TEXTS = frozenset((".html", ".htm", ".md", ".markdown", ".mdx", ".rst", ".txt", ".xml", ".json", ".inv"))
"""Endings whose files some servers call bytes."""

Known = Mapping[str, tuple[str, str, tuple[str, ...]]]
"""Address → ETag, Last-Modified, links."""


class Frontier:
    """The addresses of one crawl, breadth first."""

    def __init__(self, scope: Scope, known: Known, done: frozenset[str], max_pages: int) -> None:
        self.reasons: Counter[str] = Counter()
        self.admitted = 0
        self._scope = scope
        self._known = known
        self._done = done
        self._most = max_pages
        self._traps = Traps()
        self._seen: set[str] = set()
        self._outside: set[str] = set()
        self._queue: deque[str] = deque()

    @property
    def out_of_scope(self) -> int:
        """Addresses that were met and do not belong to the site."""
        return len(self._outside)

    def __len__(self) -> int:
        return len(self._queue)

    def next(self) -> str | None:
        """The next address to ask for."""
        return self._queue.popleft() if self._queue else None

    def start(self, urls: Iterable[str]) -> None:
        """Begin with these, which belong to the site whatever the rules say."""
        for url in urls:
            if url not in self._seen:
                self._seen.add(url)
                self._admit(url)

    def follow(self, urls: Iterable[str]) -> tuple[str, ...]:
        """Take what a page leads to; returns those that belong to the site, each once."""
        inside: dict[str, None] = {}
        for url in urls:
            own = self._scope.own(url)
            if own is None:
                self._outside.add(url)
            else:
                inside[own] = None
                if own not in self._seen:
                    self._seen.add(own)
                    self._consider(own)
        return tuple(inside)

    def follow_known(self, url: str) -> None:
        """Take what is known from before to be linked from a page that is not read again."""
        entry = self._known.get(url)
        if entry is not None:
            for link in entry[2]:
                # They were in scope then, and the scope of a release stays; most were seen by now.
                if link not in self._seen:
                    self._seen.add(link)
                    self._consider(link)

    def redirect(self, target: str) -> str | None:
        """The address under which a redirect is followed, which is asked for if it was not yet; None out of scope."""
        own = self._scope.own(target)
        if own is not None and own not in self._seen:
            self._seen.add(own)
            self._admit(own)
        return own

    def refuse(self, reason: str) -> None:
        """Count an address that was asked for and not delivered."""
        self.reasons[reason] += 1

    def _consider(self, url: str) -> None:
        ending = _NO_PAGE.search(url.partition("?")[0])
        if ending is not None and url not in self._scope.listed:
            self.reasons[f"no page: .{ending[1].lower()}"] += 1
            return
        why = "" if url in self._known else self._traps.refuses(url)
        if why:
            self.reasons[f"a trap: {why}"] += 1
        else:
            self._admit(url)

    def _admit(self, url: str) -> None:
        waiting = [url]
        while waiting:
            one = waiting.pop()
            if one not in self._done:
                if self.admitted >= self._most:
                    self.reasons[f"over the limit of {self._most} pages"] += 1
                else:
                    self.admitted += 1
                    self._queue.append(one)
                continue
            self.admitted += 1
            entry = self._known.get(one)
            fresh = [link for link in entry[2] if link not in self._seen] if entry is not None else []
            self._seen.update(fresh)
            waiting.extend(reversed(fresh))


ContentKind = Literal["html", "text", ""]


def kind_of(content_type: str, url: str) -> ContentKind:
    """Whether what is served is HTML, some other text that can be a page, or neither."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        return "html"
    ending = splitext(url.partition("?")[0])[1].lower()
    if kind in ("text/css", "text/csv", "text/calendar") or "javascript" in kind:
        return ""
    if kind.startswith("text/") or kind in ("application/xml", "application/json") or kind.endswith(("+xml", "+json")):
        return "" if kind == "image/svg+xml" else "text"
    # Inventories and Markdown are often served as bytes; a server that says nothing is taken by the name.
    if kind in ("", "application/octet-stream", "application/x-gzip", "application/gzip"):
        return "text" if ending in _TEXTS or (not kind and not ending) else ""
    return ""
