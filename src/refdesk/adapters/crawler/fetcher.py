"""A `Fetcher` that lets Scrapy do the work, in a process of its own."""

import contextlib
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, BinaryIO

from refdesk.adapters.crawler.browser import find_chromium
from refdesk.adapters.crawler.children import Child, Children
from refdesk.adapters.crawler.records import page_of, read_record, write_record
from refdesk.domain.errors import ExtraMissing, InvalidInput, NetworkUnavailable
from refdesk.domain.urls import Scope, canonical
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched
from refdesk.ports.progress import Progress, Step


@dataclass(frozen=True, slots=True)
class Limits:
    """What a crawl may cost.

    Attributes:
        timeout: Seconds for the whole of one answer.
        retries: How often an address is asked again that failed in a way that may pass.
        backoff: Seconds before the first of these; each further one waits twice as long.
        memory: Bytes that the crawler's process may reserve; browsers have their own limits.
        chromium: Path of the browser that renders pages; empty for the one that the system has.
    """

    timeout: float = 30.0
    retries: int = 2
    backoff: float = 1.0
    memory: int = 2 << 30
    chromium: str = ""


class ScrapyFetcher:
    """Fetches with Scrapy in a child process, which ends with its parent, and whose end does not harm it.

    A process that has done its work waits a little for more of it, because to look at a site and to crawl it follow
    each other, and half of what a small crawl costs is to import Scrapy. It ends by itself, or by `close`.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._children = Children()
        # Also where nobody closes it, and when the interpreter ends.
        self._finalizer = weakref.finalize(self, self._children.close)

    def close(self) -> None:
        """End the process that waits for more work; another one is started when there is some."""
        self._children.close()

    def fetch(self, url: str, *, render: bool = False, private_hosts: tuple[str, ...] = ()) -> Fetched:
        """See the port."""
        address = canonical(url)
        if address is None:
            raise InvalidInput(
                f"{url[:200]!r} is no http or https address.", "Write it in full: https://docs.example.org/", value=url
            )
        order = CrawlOrder((address,), Scope("", "listed"), render=render, private_hosts=private_hosts)
        found: list[Fetched] = []
        crawled = self._crawl(order, lambda page, _of: found.append(page), single=True)
        if not found:
            reason = next(iter(crawled.reasons), "nothing came of it")
            return Fetched(address, address, 0, error=reason)
        last = found[-1]
        return Fetched(
            address,
            last.final_url,
            last.status,
            last.content_type,
            last.etag,
            last.last_modified,
            last.body,
            last.links,
            last.twin,
            noindex=last.noindex,
            error=last.error,
            rendered=last.rendered,
        )

    def crawl(self, order: CrawlOrder, deliver: Callable[[Fetched], None], progress: Progress) -> Crawled:
        """See the port."""
        done = 0
        usable = 0
        first = ""
        progress(Step("crawl", order.scope.root, len(order.done), 0, "pages"))

        def take(page: Fetched, admitted: int) -> None:
            nonlocal done, usable, first
            done += 1
            usable += not page.error
            first = first or (f"{page.url}: {page.error}" if page.error else "")
            deliver(page)
            progress(Step("crawl", order.scope.root, done + len(order.done), admitted, "pages"))

        crawled = self._crawl(order, take)
        if not usable and not order.done and first:
            raise NetworkUnavailable(
                f"Nothing could be fetched. {first}.",
                "Check the address and the network, and call again.",
                first=first,
                reasons=dict(crawled.reasons),
            )
        return crawled

    def _crawl(self, order: CrawlOrder, deliver: Callable[[Fetched, int], None], *, single: bool = False) -> Crawled:
        _require(render=order.render)
        if order.render and not find_chromium(self._limits.chromium):
            raise ExtraMissing(
                f"There is no browser to render with: {self._limits.chromium or 'chromium'} is not installed.",
                "Install it (apt-get install chromium), or name its path in the setting REFDESK_CHROMIUM.",
                extra="render",
            )
        for fresh in (order.render, True):
            with self._children.one(fresh=fresh) as child:
                with contextlib.suppress(BrokenPipeError):  # what it says before it ends tells more
                    self._send(order, child.pipe, single=single)
                first = read_record(child.answers)
                if first is None and child.used:
                    # It had waited as long as it does, and ended just now.
                    continue
                crawled = _hear(first, child, deliver)
                child.reusable = not order.render
                return crawled
        raise _ended("it could not be started twice")  # pragma: no cover - a new one was not used before

    def _send(self, order: CrawlOrder, pipe: BinaryIO, *, single: bool) -> None:
        limits = self._limits
        scope = (order.scope.root, order.scope.rule, sorted(order.scope.listed))
        document: dict[str, Any] = {
            "starts": order.starts,
            "scope": scope,
            "max_pages": order.max_pages,
            "max_bytes": order.max_bytes,
            "private_hosts": order.private_hosts,
            "timeout": limits.timeout,
            "retries": limits.retries,
            "backoff": limits.backoff,
            "memory": limits.memory,
            "chromium": limits.chromium,
            "agent": f"refdesk/{version('refdesk')}",
            "single": single,
            "render": order.render,
            "done": sorted(order.done),
        }
        write_record(pipe, {"order": document})
        for url, known in order.known.items():
            write_record(pipe, {"known": (url, known.etag, known.last_modified, known.links)})
        write_record(pipe, {"go": True})


def _hear(
    record: tuple[dict[str, Any], bytes] | None, child: Child, deliver: Callable[[Fetched, int], None]
) -> Crawled:
    """Deliver pages until the crawl has ended."""
    while record is not None:
        document, body = record
        if "page" in document:
            deliver(page_of(document, body), document["of"])
        elif "end" in document:
            return Crawled(*document["end"])
        else:
            raise _ended(str(document["failed"]))
        record = read_record(child.answers)
    raise _ended(child.last_words())


def _ended(why: str) -> NetworkUnavailable:
    return NetworkUnavailable(
        f"The crawler ended before its work was done: {why[:400]}.",
        "Call again: what was fetched is kept, and the crawl goes on from there.",
    )


def _require(*, render: bool) -> None:
    """Say which extra is missing, before a process is started that could only fail.

    Raises:
        ExtraMissing: Scrapy, or Playwright for a crawl that renders.
    """
    for module, extra, what in (("scrapy", "crawl", "Fetching sites"), ("playwright", "render", "Rendering pages")):
        if (extra == "crawl" or render) and find_spec(module) is None:
            raise ExtraMissing(
                f"{what} needs the package {module}, which is not installed.",
                f"Install it: pip install 'refdesk[{'crawl,render' if render else extra}]'",
                extra=extra,
            )
