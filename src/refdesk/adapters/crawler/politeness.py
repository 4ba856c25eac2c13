"""Not to be a burden: a rate that follows the server's own, and patience where it fails."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.extensions.throttle import AutoThrottle

from refdesk.adapters.crawler.addresses import was_refused

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

_LONGEST_WAIT = 120.0
"""Seconds of the longest pause that a server may ask for; one that asks for more is not asked again this time."""


class Throttle(AutoThrottle):
    """Scrapy's own, which knows that a 304 is a good answer, and keeps to a `Crawl-delay`."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        self.asked_for = 0.0

    def _min_delay(self) -> float:
        return max(super()._min_delay(), self.asked_for)

    def slow_down(self, delay: float) -> None:
        """Never ask more often than this from now on; `Crawl-delay` is capped like every wait."""
        self.asked_for = max(self.asked_for, min(delay, _LONGEST_WAIT))
        self.mindelay = self._min_delay()
        self.maxdelay = max(self.maxdelay, self.mindelay)
        for slot in self.crawler.engine.downloader.slots.values():
            slot.delay = max(slot.delay, self.mindelay)

    def _adjust_delay(self, slot: Any, latency: float, response: "Response") -> None:
        target = latency / self.target_concurrency
        wanted = max(target, (slot.delay + target) / 2.0)
        if response.status in (429, 503):
            wanted = max(1.0, slot.delay * 2)
        # A wait of less than a few milliseconds costs more than it spares.
        wanted = wanted if wanted >= 0.004 else 0.0
        wanted = min(max(self.mindelay, wanted), self.maxdelay)
        # A failure comes quickly and says nothing of what the server bears.
        if response.status < 400 or wanted > slot.delay:
            slot.delay = wanted


class PatientRetry(RetryMiddleware):
    """Scrapy's own, with a back-off that doubles, and `Retry-After`."""

    async def process_response(  # type: ignore[override]  # Scrapy waits for what it gets
        self, request: "Request", response: "Response"
    ) -> "Request | Response":
        """Ask again after a pause where the status says that it may help."""
        if response.status not in self.retry_http_codes:
            return response
        wait = retry_after((response.headers.get("Retry-After") or b"").decode("latin-1"), lambda: datetime.now(UTC))
        if wait > _LONGEST_WAIT:
            return response
        again = self._retry(request, f"status {response.status}")
        if again is None:
            return response
        await asyncio.sleep(max(wait, self._pause(again)))
        return again

    async def process_exception(  # type: ignore[override]  # Scrapy waits for what it gets
        self, request: "Request", exception: Exception
    ) -> "Request | None":
        """Ask again after a pause where the connection failed."""
        refused = was_refused(urlsplit(request.url).hostname or "")
        if refused or not isinstance(exception, self.exceptions_to_retry):
            return None
        again = self._retry(request, exception)
        if again is not None:
            await asyncio.sleep(self._pause(again))
        return again

    def _pause(self, again: "Request") -> float:
        first: float = self.crawler.settings.getfloat("REFDESK_BACKOFF")
        return float(min(first * 2 ** (again.meta["retry_times"] - 1), _LONGEST_WAIT))


def retry_after(value: str, now: Callable[[], datetime]) -> float:
    """Seconds that a `Retry-After` asks to wait: a number of them, or a moment; 0 if it says nothing."""
    text = value.strip()
    if text.isdecimal() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now()).total_seconds())
