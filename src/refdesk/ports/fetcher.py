"""Fetching pages of the web: one of them, or all that belong to a site."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from refdesk.domain.urls import Scope
from refdesk.ports.progress import Progress


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier crawl left about one address, so that it can be asked for conditionally.

    Attributes:
        links: Addresses that its page led to, which are followed again where the page did not change.
    """

    etag: str = ""
    last_modified: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of one address.

    Attributes:
        url: As it was asked for, in canonical form (`domain.urls.canonical`).
        final_url: Where redirects ended; the same if there were none. In a crawl, where the redirect of this address
            leads: its target is delivered as an address of its own.
        status: HTTP status of the last answer; 0 if there was none; 304 where nothing changed.
        content_type: As served, with its parameters.
        body: Bytes as served after transfer decoding; empty unless the status is 200.
        links: Canonical addresses that its page leads to, in order, without those out of scope; empty for a 304.
        twin: Canonical address of the Markdown form that the page names; empty if it names none in scope.
        noindex: Whether the page asks not to be indexed.
        error: Why there is no page, in words; empty if there is one (200), nothing changed (304) or it moved (3xx).
        rendered: Whether a browser made the body.
    """

    url: str
    final_url: str
    status: int
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    body: bytes = b""
    links: tuple[str, ...] = ()
    twin: str = ""
    noindex: bool = False
    error: str = ""
    rendered: bool = False


@dataclass(frozen=True, slots=True)
class CrawlOrder:
    """What to crawl.

    Attributes:
        starts: Canonical addresses to begin with.
        known: Canonical address → what is known of it from before.
        done: Addresses that an interrupted crawl already delivered: they are not asked again; what is `known` to be
            linked from them is.
        max_pages: No more addresses than this are asked for.
        max_bytes: Bytes of the largest page, before and after decompression.
        render: Whether a browser renders pages before they are read.
        private_hosts: Hosts (names or addresses, `*` for all) that may lie in private networks.
    """

    starts: tuple[str, ...]
    scope: Scope
    known: Mapping[str, Known] = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    max_pages: int = 20_000
    max_bytes: int = 16 << 20
    render: bool = False
    private_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Crawled:
    """How a crawl ended.

    Attributes:
        fetched: Addresses that were delivered.
        out_of_scope: Addresses that were not followed because they lie out of scope.
        refused: Addresses that were not followed, or not delivered, because a rule or a limit said so: robots.txt, the
            limit of pages, a trap, a type that is no page.
        reasons: Why, with the number of addresses; sorted.
    """

    fetched: int
    out_of_scope: int = 0
    refused: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)


class Fetcher(Protocol):
    """Fetches over HTTP, politely and safely.

    It obeys robots.txt, limits its rate by itself, retries what may pass with back-off, and refuses addresses of
    private networks on every hop, after names are resolved, unless their host is allowed. Redirects are followed within
    the scope, or for one page within its host; others are reported with their target and not followed. Each canonical
    address is delivered at most once.
    """

    def fetch(self, url: str, *, render: bool = False, private_hosts: tuple[str, ...] = ()) -> Fetched:
        """One page, or whatever lies at an address, of any type. The status and error say what came of it.

        Its links are all that its page leads to, on whatever host.

        Raises:
            InvalidInput: An address that is no http or https url.
            ExtraMissing: What would fetch or render is not installed.
        """
        ...

    def crawl(self, order: CrawlOrder, deliver: Callable[[Fetched], None], progress: Progress) -> Crawled:
        """Fetch all that is in scope, delivering each page as it comes, from the caller's own thread.

        Raises:
            ExtraMissing: What would crawl or render is not installed.
            NetworkUnavailable: Nothing at all could be fetched; the first failure is in the details.
            Cancelled: From `progress` or `deliver`; the crawl is stopped first, what was delivered stays delivered.
        """
        ...
