"""A `Fetcher` that lets Scrapy do the work, in a process of its own."""

import contextlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import IO, Any, BinaryIO

from refdesk.adapters.crawler.browser import find_chromium
from refdesk.adapters.crawler.records import page_of, read_record, write_record
from refdesk.domain.errors import ExtraMissing, InvalidInput, NetworkUnavailable
from refdesk.domain.urls import Scope, canonical
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched
from refdesk.ports.progress import Progress, Step

_STOPPING = 5.0
"""Seconds that a crawler has to end by itself when its input is closed."""


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
    """Fetches with Scrapy in a child process, which ends with its parent, and whose end does not harm it."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()

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
        with _child() as (pipe, answers, errors):
            with contextlib.suppress(BrokenPipeError):  # what it says before it ends tells more
                self._send(order, pipe, single=single)
            while (record := read_record(answers)) is not None:
                document, body = record
                if "page" in document:
                    deliver(page_of(document, body), document["of"])
                elif "end" in document:
                    fetched, outside, refused, reasons = document["end"]
                    return Crawled(fetched, outside, refused, reasons)
                else:
                    raise _ended(str(document["failed"]))
            raise _ended(_last_words(errors))

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


@contextmanager
def _child() -> Iterator[tuple[BinaryIO, BinaryIO, IO[bytes]]]:
    """The crawler's process: its input, its output, what it wrote to its standard error. It is gone afterwards."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            # -P: no module of the folder that a person happens to stand in.
            [sys.executable, "-P", "-m", "refdesk.adapters.crawler.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            # Ctrl-C is for the parent to hear: it ends the crawl by closing the pipe.
            start_new_session=True,
        )
        assert process.stdin is not None  # noqa: S101 - asked for above
        assert process.stdout is not None  # noqa: S101 - asked for above
        try:
            yield process.stdin, process.stdout, errors  # type: ignore[misc]  # binary, as neither text nor encoding is set
        finally:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.stdout.close()
            try:
                process.wait(_STOPPING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _last_words(errors: IO[bytes]) -> str:
    errors.seek(0, 2)
    errors.seek(max(0, errors.tell() - 2_000))
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"it was ended from outside ({signal.Signals.SIGKILL.name} or the like)"


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
