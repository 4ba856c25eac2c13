"""robots.txt as RFC 9309 has it, with `Crawl-delay`; Scrapy's own middleware does not look at the status of the file.

============================  ==========================
the answer to `/robots.txt`   what may be fetched
============================  ==========================
200                           what its rules allow
4xx, too many redirects       everything
5xx, 429, no answer           nothing
============================  ==========================
"""

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from protego import Protego
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from refdesk.adapters.crawler.addresses import was_refused
from refdesk.adapters.crawler.politeness import Throttle
from refdesk.domain.urls import canonical, host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

TOKEN = "refdesk"  # noqa: S105 - the name that robots.txt knows a robot by
_LARGEST = 500 << 10
"""Bytes that are read of the file, as the RFC asks for at least."""
_HOPS = 5


class Forbidden(IgnoreRequest):
    """robots.txt forbids an address, or cannot be read."""


class Robots:
    """A downloader middleware: asks for the rules of each host once, before anything else of it."""

    def __init__(self, crawler: "Crawler") -> None:
        self._crawler = crawler
        self._rules: dict[str, asyncio.Future[Protego | str]] = {}

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "Robots":
        """How Scrapy makes it."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Let a request pass, or raise `Forbidden` with the reason."""
        if request.meta.get("robots"):
            return
        host = host_of(request.url)
        pending = self._rules.get(host)
        if pending is None:
            pending = self._rules[host] = asyncio.get_running_loop().create_future()
            pending.set_result(await self._read(request.url))
        rules = pending.result() if pending.done() else await pending
        if isinstance(rules, str):
            raise Forbidden(rules)
        if not rules.can_fetch(request.url, TOKEN):
            raise Forbidden(f"robots.txt of {host} forbids it")

    async def _read(self, url: str) -> Protego | str:
        address = f"{url.partition('://')[0]}://{host_of(url)}/robots.txt"
        host = host_of(url)
        for _ in range(_HOPS + 1):
            request = Request(
                address, callback=NO_CALLBACK, dont_filter=True, meta={"robots": True, "download_maxsize": _LARGEST}
            )
            try:
                response = await self._crawler.engine.download_async(request)
            except IgnoreRequest:
                return Protego.parse("")
            except Exception as error:  # noqa: BLE001 - whatever it is, the file could not be read
                if was_refused(urlsplit(address).hostname or ""):
                    return f"{host} lies in a private network"
                return f"robots.txt of {host} cannot be read ({type(error).__name__}), so nothing may be fetched"
            target = canonical((response.headers.get("Location") or b"").decode("latin-1"), address)
            if not 300 <= response.status < 400 or target is None:
                return self._judge(response, host)
            address = target
        return Protego.parse("")

    def _judge(self, response: "Response", host: str) -> Protego | str:
        if response.status >= 500 or response.status == 429:
            return f"robots.txt of {host} answers {response.status}, so nothing may be fetched (RFC 9309)"
        rules = Protego.parse(response.body.decode("utf-8", "replace") if response.status == 200 else "")
        throttle = self._crawler.get_extension(Throttle)
        if throttle is not None:
            throttle.slow_down(rules.crawl_delay(TOKEN) or 0.0)
        return rules
