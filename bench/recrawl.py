"""What asking a site again costs when nothing changed: CPU for each page, and bytes of bodies that travel.

Debian's Django documentation is served on loopback with ETags, crawled once and then again, as `refdesk add` and
`refdesk refresh` do before they make a pack. The CPU time is that of the crawler and of the process that hears it, from
the look at the start to the list of files; the server is a process of its own and not counted.
"""

import asyncio
import hashlib
import mimetypes
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measuring import CACHE, Figure
from refdesk.adapters.clock import SystemClock
from refdesk.adapters.crawler import ScrapyFetcher
from refdesk.adapters.sites import FolderSites
from refdesk.adapters.sources import SiteSource
from refdesk.domain.libraries import Library
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.progress import silent

FOLDER = "python-django-doc*/usr/share/doc/python-django-doc/html"
GOAL = 3.0
"""Milliseconds of CPU for each page of an unchanged site."""

ROUNDS = 3


def main(arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures. The folder of the unpacked packages may be named, by default `.cache/sites`."""
    root = Path(arguments[0]) if arguments else CACHE / "sites"
    pages = next(iter(sorted(root.glob(FOLDER))), None)
    if pages is None:
        print(f"recrawl: there is no {root / FOLDER}")
        return []
    command = [sys.executable, "-m", "bench.recrawl", str(pages)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
    assert server.stdout is not None
    try:
        with tempfile.TemporaryDirectory() as temporary:
            return _measure(f"http://127.0.0.1:{int(server.stdout.readline())}/", Path(temporary))
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def _measure(url: str, folder: Path) -> list[Figure]:
    fetcher = ScrapyFetcher()
    source = SiteSource(fetcher, folder, SystemClock(), ("127.0.0.1",))
    spec = Spec(Library("site", "measured"), "1", site=SiteOptions(url))
    print(f"{'':8}{'pages':>7}{'asked':>7}{'bodies MB':>11}{'CPU s':>8}{'ms a page':>11}")
    figures: list[Figure] = []
    for number in range(ROUNDS + 1):
        before, begun = served(url), cpu()
        [found] = source.discover(spec, silent)
        files = found.read(silent)
        # Only of processes that ended the time is known.
        fetcher.close()
        used, asked, pages = cpu() - begun, served(url), len(files.files)
        bodies = asked.bodies - before.bodies
        row = f"{pages:>7}{asked.requests - before.requests:>7}{bodies / 1e6:>11.2f}"
        print(f"{'again' if number else 'first':8}{row}{used:>8.2f}{1000 * used / pages:>11.2f}", flush=True)
        changes = FolderSites(folder).changes(found.release.key)
        if number and (changes is None or changes.unchanged < pages):
            raise SystemExit("recrawl: the site did not stay as it was")
        told = f"{pages} pages, run {number}"
        if number:
            figures.append(Figure("recrawl: CPU a page", 1000 * used / pages, "ms", GOAL, counts=told))
            # The start page is looked at by itself before the crawl, whole.
            start = len(files.files["index.html"])
            figures.append(Figure("recrawl: bodies but the start page", bodies - start, "bytes", 0, counts=told))
    return figures


def cpu() -> float:
    """Seconds of CPU of this process and of the crawlers that it started and that ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


@dataclass(frozen=True)
class Served:
    """What a server has answered so far."""

    requests: int
    bodies: int


def served(url: str) -> Served:
    """Ask the server, outside of what is measured."""
    with urllib.request.urlopen(url + "served") as answer:
        requests, bodies = answer.read().split()
    return Served(int(requests), int(bodies))


async def serve(folder: Path) -> None:
    """A small server of files that knows ETags; prints its port and runs until it is killed."""
    answers = {path: answer(path, content) for path, content in contents(folder).items()}
    if "/index.html" in answers:
        answers["/"] = answers["/index.html"]
    counts = [0, 0]

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                path = head[0].split(" ")[1].partition("?")[0]
                tag = next((line.partition(": ")[2] for line in head if line.lower().startswith("if-none-match:")), "")
                if path == "/served":
                    text = f"{counts[0]} {counts[1]}".encode()
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
                    continue
                known, headers, body = answers.get(path, ("", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", b""))
                if tag and tag == known:
                    headers, body = b"HTTP/1.1 304 Same\r\nETag: %s\r\n\r\n" % tag.encode(), b""
                counts[0] += 1
                counts[1] += len(body)
                writer.write(headers + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def contents(folder: Path) -> dict[str, bytes]:
    """Path of a request → bytes."""
    return {
        f"/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def answer(path: str, content: bytes) -> tuple[str, bytes, bytes]:
    """ETag, headers and body of a file."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    head = f"HTTP/1.1 200 OK\r\nETag: {tag}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n"
    return tag, head.encode(), content


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
