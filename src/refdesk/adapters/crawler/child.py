"""The crawler's own process: reads orders from its input, crawls, writes records to its output.

It ends when its input ends, so it does not outlive its parent however that dies; it has a limit of memory, so what a
site does to it does not become the parent's trouble.
"""

import logging
import os
import queue
import sys
import threading
import traceback
from typing import Any, BinaryIO

from refdesk.adapters.crawler.records import page_record, read_record, write_record


def main() -> None:
    """Serve orders until the input ends."""
    orders: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    output = _own_output()
    # A thread, because the end of the input must be seen while a crawl is under way.
    threading.Thread(target=_listen, args=(sys.stdin.buffer, orders), daemon=True).start()
    order = orders.get()
    if order is None:
        return
    try:
        _run(order, output)
    except Exception as error:  # noqa: BLE001 - the border of the process: the parent says what it means
        traceback.print_exc()
        write_record(output, {"failed": f"{type(error).__name__}: {error}"})
    sys.stderr.flush()
    # The thread still waits for the input, which an ordinary exit would wait for in turn.
    os._exit(0)


def _own_output() -> BinaryIO:
    """The pipe to the parent, out of the way of whatever prints."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def _listen(pipe: BinaryIO, orders: "queue.SimpleQueue[dict[str, Any] | None]") -> None:
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
    orders.put(None)
    os._exit(0)


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _run(document: dict[str, Any], output: BinaryIO) -> None:
    """One crawl, to its end."""
    from scrapy.crawler import AsyncCrawlerProcess

    from refdesk.adapters.crawler.browser import Browser
    from refdesk.adapters.crawler.spider import PageSpider, order_of, settings_of

    limit, chromium = document.pop("memory"), document.pop("chromium")
    order = order_of(document)
    logging.getLogger().addHandler(logging.NullHandler())
    process = AsyncCrawlerProcess(settings_of(order))
    crawler = process.create_crawler(PageSpider)
    browser = Browser(chromium, order.private_hosts, order.timeout) if order.render else None
    if browser is None:
        # A browser reserves addresses without end, and looks after itself.
        _limit_memory(limit)
    process.crawl(
        crawler,
        order=order,
        browser=browser,
        deliver=lambda page, admitted: write_record(output, page_record(page, admitted), page.body),
        # Said before Scrapy closes its connections one by one: the parent ends this process then.
        end=lambda summary: write_record(output, {"end": summary}),
    )
    process.start()


if __name__ == "__main__":
    main()
