"""The crawler's own process: reads orders from its input, crawls, writes records to its output.

It ends when its input ends, so it does not outlive its parent however that dies; it has a limit of memory, so what a
site does to it does not become the parent's trouble.
"""

import asyncio
import gc
import logging
import os
import queue
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any, BinaryIO

from refdesk.adapters.crawler.records import page_record, read_record, write_record

if TYPE_CHECKING:
    from scrapy.crawler import AsyncCrawlerProcess

    from refdesk.adapters.crawler.spider import Summary


_IDLE = 15.0
"""Seconds that it waits for another order: a site is looked at and then crawled, and both need Scrapy imported."""


def main() -> None:
    """Serve orders until the input ends, or none comes for a while."""
    orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    output = _own_output()
    # A thread, because the end of the input must be seen while a crawl is under way.
    threading.Thread(target=_listen, args=(sys.stdin.buffer, orders), daemon=True).start()
    try:
        _serve(orders, output)
    except Exception as error:  # noqa: BLE001 - the border of the process: the parent says what it means
        _fail(error, output)
    # The thread still waits for the input, which an ordinary exit would wait for in turn.
    os._exit(0)


def _fail(error: Exception, output: BinaryIO) -> None:
    traceback.print_exc()
    sys.stderr.flush()
    write_record(output, {"failed": f"{type(error).__name__}: {error}"})


def _own_output() -> BinaryIO:
    """The pipe to the parent, out of the way of whatever prints."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def _listen(pipe: BinaryIO, orders: "queue.SimpleQueue[dict[str, Any]]") -> None:
    order: dict[str, Any] = {}
    while (record := read_record(pipe)) is not None:
        document, _ = record
        if "order" in document:
            order = document["order"]
            order["known"] = {}
            shared: dict[str, str] = {}
        elif "known" in document:
            url, etag, modified, links = document["known"]
            # The same few thousand addresses are linked from every page.
            order["known"][url] = (etag, modified, tuple([shared.setdefault(link, link) for link in links]))
        else:
            orders.put(order)
    # The parent closed the pipe or died: nobody waits for anything any more.
    os._exit(0)


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _serve(orders: "queue.SimpleQueue[dict[str, Any]]", output: BinaryIO) -> None:
    """Crawl by the first order, and by those that follow."""
    first = orders.get()
    from scrapy.crawler import AsyncCrawlerProcess

    from refdesk.adapters.crawler.spider import order_of, settings_of

    logging.getLogger().addHandler(logging.NullHandler())
    if not first["render"]:
        # A browser reserves addresses without end, and looks after itself.
        _limit_memory(first["memory"])
    process = AsyncCrawlerProcess(settings_of(order_of(first)))
    # What was imported stays, and what a request leaves is freed by counting: there are next to no circles to find.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)

    async def serve() -> None:
        order = first
        try:
            while True:
                await _crawl(process, order, output)
                order = await asyncio.get_running_loop().run_in_executor(None, lambda: orders.get(timeout=_IDLE))
        except queue.Empty:
            pass
        except Exception as error:  # noqa: BLE001 - as in main
            _fail(error, output)
        os._exit(0)

    from twisted.internet import reactor

    reactor.callWhenRunning(lambda: asyncio.ensure_future(serve()))
    process.start(stop_after_crawl=False)


async def _crawl(process: "AsyncCrawlerProcess", document: dict[str, Any], output: BinaryIO) -> None:
    """One crawl; it is over when its end is said, before Scrapy has closed its connections one by one."""
    from scrapy.crawler import Crawler

    from refdesk.adapters.crawler.addresses import trust
    from refdesk.adapters.crawler.browser import Browser
    from refdesk.adapters.crawler.spider import PageSpider, order_of, settings_of

    order = order_of(document)
    trust(order.private_hosts)
    ended: asyncio.Future[Summary] = asyncio.get_running_loop().create_future()
    crawler = Crawler(PageSpider, settings_of(order))
    task = process.crawl(
        crawler,
        order=order,
        browser=Browser(document["chromium"], order.private_hosts, order.timeout) if order.render else None,
        deliver=lambda page, admitted: write_record(output, page_record(page, admitted), page.body),
        end=ended.set_result,
    )
    await asyncio.wait((ended, task), return_when=asyncio.FIRST_COMPLETED)
    if not ended.done():
        task.result()
        raise RuntimeError("the crawl ended before it began")
    write_record(output, {"end": ended.result()})


if __name__ == "__main__":
    main()
