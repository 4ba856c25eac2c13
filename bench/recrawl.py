"""What asking a site again costs when nothing changed: CPU for each page, bytes of bodies, pages asked.

Serves a folder of HTML on loopback with ETags (by default Debian's Django documentation, `python-django-doc`), crawls
it once and then again, and prints the CPU time of the crawler and of the process that hears it. The server is a process
of its own and not counted. The first row reads the site through `SiteSource`, as `refdesk add` does without making a
pack; the other rows read it again, as `refdesk refresh` does.

    python bench/recrawl.py FOLDER [ROUNDS]
    python bench/recrawl.py --deb python-django-doc_….deb
"""

import asyncio
import hashlib
import mimetypes
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from refdesk.adapters.clock import SystemClock
from refdesk.adapters.crawler import ScrapyFetcher
from refdesk.adapters.sites import FolderSites
from refdesk.adapters.sources import SiteSource
from refdesk.domain.libraries import Library
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.progress import silent

GOAL = 3.0
"""Milliseconds of CPU for each page of an unchanged site."""


def main(arguments: list[str]) -> int:
    """Crawl twice or more, print a row for each; the exit code says whether the goal was met."""
    if arguments[:1] == ["--serve"]:
        asyncio.run(serve(Path(arguments[1])))
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = unpacked(Path(arguments[1]), Path(temporary)) if arguments[:1] == ["--deb"] else Path(arguments[0])
        rounds = int(arguments[-1]) if arguments[-1].isdecimal() else 3
        server = subprocess.Popen([sys.executable, __file__, "--serve", str(folder)], stdout=subprocess.PIPE)
        assert server.stdout is not None
        try:
            return measure(f"http://127.0.0.1:{int(server.stdout.readline())}/", rounds, Path(temporary, "sites"))
        finally:
            server.kill()
            server.wait()


def measure(url: str, rounds: int, folder: Path) -> int:
    """Print one row for each crawl; 1 if the last misses the goal or transfers a body."""
    fetcher = ScrapyFetcher()
    source = SiteSource(fetcher, folder, SystemClock(), ("127.0.0.1",))
    spec = Spec(Library("site", "measured"), "1", site=SiteOptions(url))
    print(f"{'':8}{'pages':>7}{'asked':>7}{'bodies MB':>11}{'CPU s':>8}{'ms a page':>11}")
    missed = False
    for number in range(rounds):
        before, begun = served(url), cpu()
        [found] = source.discover(spec, silent)
        files = found.read(silent)
        # Only of processes that ended the time is known.
        fetcher.close()
        used, asked, pages = cpu() - begun, served(url), len(files.files)
        # The start page is looked at by itself before the crawl, whole.
        bodies = asked.bodies - before.bodies
        row = f"{pages:>7}{asked.requests - before.requests:>7}{bodies / 1e6:>11.2f}"
        row += f"{used:>8.2f}{1000 * used / pages:>11.2f}"
        print(f"{'first' if not number else 'again':8}{row}")
        changes = FolderSites(folder).changes(found.release.key)
        missed = number > 0 and (1000 * used / pages > GOAL or changes is None or changes.unchanged < pages)
    print(f"goal: at most {GOAL} ms a page, parent and crawler together: {'missed' if missed else 'met'}")
    return int(missed)


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
    """Ask the server, outside of what is measured by it."""
    import urllib.request

    with urllib.request.urlopen(url + "served") as answer:
        requests, bodies = answer.read().split()
    return Served(int(requests), int(bodies))


def unpacked(archive: Path, folder: Path) -> Path:
    """The HTML of a Debian package."""
    subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    return min(folder.rglob("index.html"), key=lambda path: len(path.parts)).parent


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
    sys.exit(main(sys.argv[1:]))
