"""The crawl itself, in Scrapy's terms: the spider, the queue that it is fed from, and the settings of both."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Headers, Response
from twisted.python.failure import Failure

from refdesk.adapters.crawler.addresses import is_allowed, is_public, proxies_of, was_refused
from refdesk.adapters.crawler.browser import Browser
from refdesk.adapters.crawler.frontier import Frontier, Known, kind_of
from refdesk.adapters.crawler.links import PageLinks, links_of
from refdesk.adapters.crawler.robots import Forbidden
from refdesk.domain.urls import Scope, canonical, same_host
from refdesk.ports.fetcher import Fetched

Summary = tuple[int, int, int, Mapping[str, int]]
_HOPS = 10
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


@dataclass(frozen=True, slots=True)
class Order:
    """What to crawl, as it came over the pipe.

    Attributes:
        single: Whether one address is asked for, whatever it is: redirects are followed within its host, links are not.
    """

    starts: tuple[str, ...]
    scope: Scope
    max_pages: int
    max_bytes: int
    private_hosts: tuple[str, ...]
    timeout: float
    retries: int
    backoff: float
    agent: str
    single: bool = False
    render: bool = False
    done: frozenset[str] = frozenset()
    known: Known = field(default_factory=dict)


def order_of(document: Mapping[str, Any]) -> Order:
    """The order that a document of the pipe describes."""
    root, rule, listed = document["scope"]
    read = {
        "scope": Scope(root, rule, frozenset(listed)),
        "starts": tuple(document["starts"]),
        "private_hosts": tuple(document["private_hosts"]),
        "done": frozenset(document["done"]),
    }
    others = {name: value for name, value in document.items() if name not in ("memory", "chromium")}
    return Order(**{**others, **read})


class Queue(BaseScheduler):
    """Makes requests of the frontier's addresses when they are due; only what is asked again waits as a request."""

    def __init__(self) -> None:
        self._again: list[Request] = []
        self._spider: PageSpider | None = None

    def open(self, spider: Spider) -> None:
        """See `BaseScheduler`."""
        assert isinstance(spider, PageSpider)  # noqa: S101 - it is the only one that there is
        self._spider = spider

    def has_pending_requests(self) -> bool:
        """See `BaseScheduler`."""
        return bool(self._again or (self._spider is not None and len(self._spider.frontier)))

    def enqueue_request(self, request: Request) -> bool:
        """See `BaseScheduler`."""
        self._again.append(request)
        return True

    def next_request(self) -> Request | None:
        """See `BaseScheduler`."""
        if self._again:
            return self._again.pop()
        return self._spider.next_request() if self._spider is not None else None


class PageSpider(Spider):
    """Asks for addresses, delivers what comes of each, and follows what belongs to the site."""

    name = "refdesk"

    def __init__(
        self,
        order: Order,
        deliver: Callable[[Fetched, int], None],
        end: Callable[["Summary"], None],
        browser: Browser | None = None,
    ) -> None:
        super().__init__()
        self.order = order
        self.frontier = Frontier(order.scope, order.known, order.done, order.max_pages)
        self._delivered = 0
        self._deliver = deliver
        self._end = end
        self._browser = browser
        self._chains: dict[str, tuple[str, ...]] = {}
        self._proxied = bool(proxies_of(os.environ))
        self.frontier.start(order.starts)

    @classmethod
    def from_crawler(cls, crawler: Any, *arguments: Any, **named: Any) -> "PageSpider":
        """See `Spider`."""
        spider = super().from_crawler(crawler, *arguments, **named)
        crawler.signals.connect(spider.judge_headers, signals.headers_received)
        crawler.signals.connect(spider.put_away, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """See `Spider`: nothing, the queue has it."""
        for request in list[Request]():
            yield request

    def next_request(self) -> Request | None:
        """The request of the next address."""
        url = self.frontier.next()
        while url is not None:
            host = urlsplit(url).hostname or ""
            if self._proxied and host.replace(".", "").isdigit() and not self._may_ask(host):
                self._fail(url, "its address is private", 0)
                url = self.frontier.next()
                continue
            return self._request(url)
        return None

    async def put_away(self) -> None:
        """Close the browser, and say how the crawl ended: delivered, out of scope, refused, and why."""
        if self._browser is not None:
            await self._browser.close()
        reasons = self.frontier.reasons
        self._end((self._delivered, self.frontier.out_of_scope, sum(reasons.values()), dict(sorted(reasons.items()))))

    def judge_headers(self, headers: Headers, request: Request, **_others: Any) -> None:
        """Stop a download whose headers say that it is no page."""
        if request.meta.get("robots") or self.order.single or request.url in self.order.scope.listed:
            return
        served = _text(headers, "Content-Type")
        if not kind_of(served, request.url) and not headers.get("Location"):
            raise StopDownload(fail=False)

    async def answered(self, response: Response) -> None:
        """Deliver what came of an address, and take its links."""
        url = response.request.url if response.request is not None else response.url
        status = response.status
        if status == 304:
            self.frontier.follow_known(url)
            self._send(Fetched(url, url, 304))
        elif status in _REDIRECTS:
            self._moved(url, response)
        elif status != 200:
            if status >= 500 or status == 429:
                self.frontier.follow_known(url)
            self._fail(url, _words(response), status)
        elif "download_stopped" in response.flags:
            kind = _text(response.headers, "Content-Type").partition(";")[0].strip()
            self.frontier.refuse(f"no page: {kind or 'of no type'}")
        elif response.headers.get("Content-Encoding"):
            self._fail(url, f"its encoding {_text(response.headers, 'Content-Encoding')} cannot be read", 200)
        else:
            await self._page(url, response)

    def failed(self, failure: Failure) -> None:
        """Deliver that an address could not be fetched."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        error = failure.value
        if isinstance(error, Forbidden) and not self._asked_for(request.url):
            self.frontier.refuse("robots.txt")
            return
        if isinstance(error, Forbidden):
            self.frontier.refuse("robots.txt")
        self.frontier.follow_known(request.url)
        self._fail(request.url, self._reason(request.url, error), 0)

    def _asked_for(self, url: str) -> bool:
        return self.order.single or url in self.order.starts

    def _request(self, url: str) -> Request:
        headers = {}
        etag, modified, _ = self.order.known.get(url, ("", "", ()))
        # A shell that scripts fill may be as it was although what they fill it with is not.
        if etag and not self.order.render:
            headers["If-None-Match"] = etag
        if modified and not self.order.render:
            headers["If-Modified-Since"] = modified
        return Request(url, self.answered, headers=headers, errback=self.failed, dont_filter=True)

    async def _page(self, url: str, response: Response) -> None:
        served = _text(response.headers, "Content-Type")
        body = response.body
        found = PageLinks()
        rendered = False
        if kind_of(served, url) == "html" or (self.order.single and body.lstrip()[:1] == b"<" and not served):
            if self._browser is not None:
                body, rendered = await self._browser.render(url, body, served)
                served = "text/html; charset=utf-8" if rendered else served
            found = links_of(body, url, served, _text(response.headers, "X-Robots-Tag"))
        links = found.urls if self.order.single else self._follow(url, found)
        twin = self.order.scope.own(found.twin) if found.twin else None
        page = Fetched(
            url,
            url,
            200,
            served,
            _text(response.headers, "ETag"),
            _text(response.headers, "Last-Modified"),
            body,
            links,
            (found.twin if self.order.single else twin) or "",
            noindex=found.noindex,
            rendered=rendered,
        )
        self._send(page)

    def _follow(self, url: str, found: PageLinks) -> tuple[str, ...]:
        if found.nofollow and url not in self.order.starts:
            if found.urls:
                self.frontier.reasons["the page asks not to follow its links"] += len(found.urls)
            return ()
        return self.frontier.follow((*found.urls, *([found.twin] if found.twin else ())))

    def _moved(self, url: str, response: Response) -> None:
        target = canonical(_text(response.headers, "Location"), url)
        chain = (*self._chains.pop(url, ()), url)
        if target is None:
            self._fail(url, f"redirects ({response.status}) to no address", response.status)
        elif target in chain:
            self._fail(url, f"redirects in a circle: {' -> '.join((*chain, target))}", response.status)
        elif len(chain) > _HOPS:
            self._fail(url, f"redirects more than {_HOPS} times", response.status)
        else:
            self._follow_redirect(url, target, chain, response.status)

    def _follow_redirect(self, url: str, target: str, chain: tuple[str, ...], status: int) -> None:
        if self.order.single:
            if not same_host(url, target):
                self._fail(url, f"redirects to another host: {target}", status, target)
                return
            self._chains[target] = chain
            self.frontier.start([target])
            return
        own = self.frontier.redirect(target)
        if own is None:
            where = "out of the site" if same_host(url, target) else "to another host"
            self._fail(url, f"redirects {where}: {target}", status, target)
            return
        self._chains[own] = chain
        self._send(Fetched(url, own, status, links=(own,)))

    def _fail(self, url: str, why: str, status: int, target: str = "") -> None:
        self._send(Fetched(url, target or url, status, error=why))

    def _send(self, page: Fetched) -> None:
        self._delivered += 1
        self._deliver(page, self.frontier.admitted)

    def _may_ask(self, host: str) -> bool:
        return is_public(host) or is_allowed(host, self.order.private_hosts)

    def _reason(self, url: str, error: BaseException | None) -> str:
        host = urlsplit(url).hostname or ""
        if isinstance(error, Forbidden):
            return str(error)
        if was_refused(host):
            return f"{host} lies in a private network"
        if isinstance(error, IgnoreRequest) or type(error).__name__ == "DownloadCancelledError":
            return f"more than {self.order.max_bytes:,} bytes"
        return _FAILURES.get(type(error).__name__, f"cannot be fetched ({type(error).__name__}: {str(error)[:200]})")


_FAILURES: Mapping[str, str] = {
    "DownloadTimeoutError": "no whole answer in time",
    "DownloadConnectionRefusedError": "the connection is refused",
    "CannotResolveHostError": "the name of its host is not known",
    "ResponseDataLossError": "the connection ended in the middle of the page",
    "DownloadFailedError": "the connection broke",
}


def _words(response: Response) -> str:
    wait = _text(response.headers, "Retry-After")
    return f"the server answers {response.status}" + (f", and to come back after {wait[:40]}" if wait else "")


def _text(headers: Headers, name: str) -> str:
    value = headers.get(name)
    return value.decode("latin-1") if value else ""


def settings_of(order: Order) -> dict[str, Any]:
    """Scrapy's settings: everything off that a reader of documentation does not need."""
    base = "scrapy.downloadermiddlewares."
    ours = "refdesk.adapters.crawler."
    off = ("offsite.OffsiteMiddleware", "httpauth.HttpAuthMiddleware", "redirect.MetaRefreshMiddleware",
           "redirect.RedirectMiddleware", "cookies.CookiesMiddleware", "stats.DownloaderStats",
           "useragent.UserAgentMiddleware", "robotstxt.RobotsTxtMiddleware", "retry.RetryMiddleware",
           "downloadtimeout.DownloadTimeoutMiddleware", "httpcache.HttpCacheMiddleware")  # fmt: skip
    spiders = ("start.StartSpiderMiddleware", "httperror.HttpErrorMiddleware", "referer.RefererMiddleware",
               "urllength.UrlLengthMiddleware", "depth.DepthMiddleware")  # fmt: skip
    extensions = ("corestats.CoreStats", "logcount.LogCount", "logstats.LogStats", "feedexport.FeedExporter",
                  "memusage.MemoryUsage", "spiderstate.SpiderState", "closespider.CloseSpider",
                  "memdebug.MemoryDebugger", "telnet.TelnetConsole", "remote_control.RemoteControl",
                  "throttle.AutoThrottle")  # fmt: skip
    return {
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": 0.1,
        "AUTOTHROTTLE_MAX_DELAY": 30.0,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": 4.0,
        # Scrapy starts as many tasks for each answer as items may come of it; ours are delivered by the callback.
        "CONCURRENT_ITEMS": 1,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,*/*;q=0.5",
            "Accept-Language": "en",
            "User-Agent": order.agent,
        },
        "DOWNLOADER_MIDDLEWARES": {
            **dict.fromkeys((base + one for one in off), None),
            ours + "robots.Robots": 100,
            ours + "politeness.PatientRetry": 550,
        },
        "DOWNLOAD_MAXSIZE": order.max_bytes,
        "DOWNLOAD_TIMEOUT": order.timeout,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "DOWNLOAD_WARNSIZE": 0,
        "EXTENSIONS": {
            **dict.fromkeys((f"scrapy.extensions.{one}" for one in extensions), None),
            ours + "politeness.Throttle": 0,
        },
        "HTTPERROR_ALLOW_ALL": True,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "REFDESK_BACKOFF": order.backoff,
        "REMOTE_CONTROL_ENABLED": False,
        "RETRY_TIMES": order.retries,
        "SCHEDULER": ours + "spider.Queue",
        "SPIDER_MIDDLEWARES": dict.fromkeys((f"scrapy.spidermiddlewares.{one}" for one in spiders), None),
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
        "TELNETCONSOLE_ENABLED": False,
        "TWISTED_DNS_RESOLVER": ours + "guard.GuardedResolver",
    }
