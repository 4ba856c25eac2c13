"""Pages that scripts build, as a real Chromium shows them.

The page itself is never fetched by the browser: it gets the bytes that the crawler was given, under the page's
address. What its scripts ask for beyond that goes through a handler that refuses private addresses, the documents of
other hosts, and what does not change the text (images, fonts, films).
"""

import asyncio
import logging
import os
import shutil
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from refdesk.adapters.crawler.addresses import is_allowed, is_public
from refdesk.domain.urls import canonical

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Page, Playwright, Route

_LOG = logging.getLogger("refdesk")
_CLOSING = 10
"""Seconds that a page or the browser may take to close."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_NOT_TEXT = frozenset(("image", "media", "font", "eventsource", "websocket"))
_QUIET = 5_000
"""Milliseconds that the network may take to become quiet after the page has loaded; some pages never are."""


def find_chromium(path: str = "") -> str:
    """Path of the browser: the one that is named, else Debian's, else one on the path; empty if there is none."""
    candidates = (path,) if path else ("/usr/bin/chromium", *_NAMES)
    return next((found for found in map(shutil.which, candidates) if found), "")


class Browser:
    """One browser for all pages of a crawl, started by the first of them; pages are rendered one after the other."""

    def __init__(self, chromium: str, private_hosts: tuple[str, ...], timeout: float) -> None:
        self._path = find_chromium(chromium)
        self._private = private_hosts
        self._timeout = timeout
        self._turn = asyncio.Semaphore(2)
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None
        self._starting = asyncio.Lock()
        self._public: dict[str, bool] = {}

    async def render(self, url: str, body: bytes, content_type: str) -> tuple[bytes, bool]:
        """The page's HTML after its scripts have run, and whether it could be rendered; its own bytes otherwise."""
        async with self._turn:
            try:
                return await asyncio.wait_for(self._render(url, body, content_type), self._timeout + 10), True
            except Exception:  # noqa: BLE001 - a page that breaks the browser is read as it was served
                return body, False

    async def close(self) -> None:
        """End the browser. One that does not end by itself is ended with this process."""
        ends: list[Callable[[], Awaitable[None]]] = []
        if self._chromium is not None:
            ends.append(self._chromium.close)
        if self._playwright is not None:
            ends.append(self._playwright.stop)
        self._chromium = self._playwright = None
        for end in ends:
            try:
                await asyncio.wait_for(end(), _CLOSING)
            except Exception:  # noqa: BLE001 - what fails while cleaning up must not lose the crawl
                _LOG.warning("the browser did not close", exc_info=True)

    async def _render(self, url: str, body: bytes, content_type: str) -> bytes:
        browser = await self._browser()
        context = await browser.new_context(service_workers="block", accept_downloads=False)
        try:
            page = await context.new_page()
            page.set_default_timeout(self._timeout * 1000)

            async def handle(route: "Route") -> None:
                await self._handle(route, page, url, body, content_type)

            await context.route("**/*", handle)
            await page.goto(url, wait_until="load")
            await self._settle(page)
            return (await page.content()).encode()
        finally:
            with suppress(Exception):  # a page that never stops asking may break the connection while it is closed
                await asyncio.wait_for(context.close(), _CLOSING)

    async def _settle(self, page: "Page") -> None:
        from playwright.async_api import TimeoutError as LateError

        try:
            await page.wait_for_load_state("networkidle", timeout=_QUIET)
        except LateError:
            # What is there by now is what a reader would see too.
            return

    async def _handle(self, route: "Route", page: "Page", url: str, body: bytes, content_type: str) -> None:
        request = route.request
        if request.is_navigation_request() and request.frame == page.main_frame and canonical(request.url) == url:
            await route.fulfill(status=200, body=body, content_type=content_type or "text/html")
        elif await self._may_load(request.url, request.resource_type, url):
            # No redirect of the browser's own, which would lead past this handler.
            try:
                answer = await route.fetch(max_redirects=0, timeout=self._timeout * 1000)
                await route.fulfill(response=answer)
            except Exception:  # noqa: BLE001 - a script that is missing is missing for readers too
                await _abort(route)
        else:
            await _abort(route)

    async def _may_load(self, address: str, kind: str, url: str) -> bool:
        parts = urlsplit(address)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or kind in _NOT_TEXT:
            return False
        if kind == "document" and parts.netloc != urlsplit(url).netloc:
            return False
        return is_allowed(host, self._private) or await self._is_public(host)

    async def _is_public(self, host: str) -> bool:
        known = self._public.get(host)
        if known is None:
            try:
                found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
            except OSError:
                found = []
            known = self._public[host] = bool(found) and all(is_public(str(one[4][0])) for one in found)
        return known

    async def _browser(self) -> "Chromium":
        async with self._starting:
            if self._chromium is None:
                from playwright.async_api import async_playwright

                self._playwright = await async_playwright().start()
                self._chromium = await self._playwright.chromium.launch(
                    executable_path=self._path,
                    # Chromium runs as root, which is usual in containers, only without its sandbox.
                    chromium_sandbox=not _is_root(),
                    args=["--disable-dev-shm-usage", "--no-first-run", "--disable-gpu"],
                )
            return self._chromium


async def _abort(route: "Route") -> None:
    with suppress(Exception):  # the page may be gone by now
        await route.abort()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
