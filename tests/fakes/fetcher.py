"""A Fetcher over a website that is never served: no process, no socket, no waiting."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from fakes.website import Website
from refdesk.adapters.crawler.links import links_of
from refdesk.domain.errors import InvalidInput, NetworkUnavailable
from refdesk.domain.urls import canonical, host_of, same_host
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched
from refdesk.ports.progress import Progress, Step


@dataclass
class MemoryFetcher:
    """Fetcher port over the pages of a site under a base address.

    Attributes:
        base: Where the site would be served.
        asked: Every address that was asked for, with the ETag that it was asked with.
        down: Whether the server does not answer.
        stop_after: How many addresses a crawl delivers before its process is lost; None for all.
    """

    site: Website
    base: str = "https://docs.example.org/"
    asked: list[tuple[str, str]] = field(default_factory=list)
    down: bool = False
    stop_after: int | None = None

    def fetch(self, url: str, *, render: bool = False, private_hosts: tuple[str, ...] = ()) -> Fetched:
        """See the port."""
        del render, private_hosts
        address = canonical(url)
        if address is None:
            raise InvalidInput(f"{url!r} is no http or https address.", "Write it in full.")
        seen = [address]
        while True:
            page = self._answer(seen[-1], "", lambda links: links)
            if not 300 <= page.status < 400 or page.error:
                return _as(page, address)
            if not same_host(page.final_url, address):
                return Fetched(
                    address, page.final_url, page.status, error=f"redirects to another host: {page.final_url}"
                )
            if page.final_url in seen:
                return Fetched(address, address, page.status, error="redirects in a circle")
            seen.append(page.final_url)

    def crawl(self, order: CrawlOrder, deliver: Callable[[Fetched], None], progress: Progress) -> Crawled:
        """See the port."""
        queue, seen = deque(dict.fromkeys(order.starts)), set(order.starts)
        outside: set[str] = set()
        delivered = usable = left = 0

        def own(links: tuple[str, ...]) -> tuple[str, ...]:
            mine = {link: order.scope.own(link) for link in links}
            outside.update(link for link, found in mine.items() if found is None)
            return tuple(dict.fromkeys(found for found in mine.values() if found is not None))

        while queue:
            url = queue.popleft()
            known = order.known.get(url)
            if url not in order.done:
                if delivered + len(order.done) >= order.max_pages:
                    left += 1
                    continue
                page = self._answer(url, known.etag if known else "", own)
                if 300 <= page.status < 400 and page.status != 304 and order.scope.own(page.final_url) is None:
                    target = page.final_url
                    page = Fetched(url, target, page.status, error=f"redirects to another host: {target}")
                deliver(page)
                delivered += 1
                usable += not page.error
                progress(Step("crawl", order.scope.root, delivered, len(seen), "pages"))
                if delivered == self.stop_after:
                    raise NetworkUnavailable("The crawler ended before its work was done.", "Call again.")
            else:
                page = Fetched(url, url, 304)
            stays = page.status in (0, 304) or page.status >= 500
            for link in known.links if known is not None and stays else page.links:
                if link not in seen:
                    seen.add(link)
                    queue.append(link)
        if delivered and not usable and not order.done:
            raise NetworkUnavailable("Nothing could be fetched.", "Check the address.")
        reasons = {f"over the limit of {order.max_pages} pages": left} if left else {}
        return Crawled(delivered, len(outside), left, reasons)

    def _answer(self, url: str, etag: str, own: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Fetched:
        self.asked.append((url, etag))
        if self.down or host_of(url) != host_of(self.base):
            return Fetched(url, url, 0, error="the connection is refused")
        reply = self.site.reply(url.partition("://")[2].partition("/")[2].join(["/", ""]))
        tag = f'"{sha256(reply.body).hexdigest()[:16]}"'
        if 300 <= reply.status < 400:
            target = canonical(reply.headers.get("Location", ""), url) or url
            inside = own((target,))
            return Fetched(url, inside[0] if inside else target, reply.status, links=inside)
        if reply.status != 200:
            return Fetched(url, url, reply.status, error=f"the server answers {reply.status}")
        if etag == tag:
            return Fetched(url, url, 304)
        found = links_of(reply.body, url, reply.kind) if "html" in reply.kind else None
        links = own((*found.urls, *([found.twin] if found.twin else []))) if found else ()
        modified = reply.headers.get("Last-Modified", "")
        return Fetched(
            url, url, 200, reply.kind, tag, modified, reply.body, links,
            found.twin if found else "", noindex=bool(found and found.noindex),
        )  # fmt: skip


def _as(page: Fetched, url: str) -> Fetched:
    return Fetched(
        url, page.final_url, page.status, page.content_type, page.etag, page.last_modified, page.body, page.links,
        page.twin, noindex=page.noindex, error=page.error,
    )  # fmt: skip
