"""A website on this machine: pages, redirects, ETags, robots.txt, and everything that goes wrong on the way.

    with Website({"/": page("Home", "/guide/"), "/guide/": page("Guide")}).serving() as site:
        fetch(site.url)                      # http://127.0.0.1:PORT/
        site.pages["/guide/"] = moved("/manual/")

It answers under two names, `127.0.0.1` and `localhost`, which are two hosts to whoever asks (`site.elsewhere`).
"""

import hashlib
import html
import mimetypes
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class Reply:
    """What the server says to one request.

    Attributes:
        headers: Further ones; one named here replaces the server's own (`Content-Length` to lie, `ETag` to be odd).
        cut: Bytes of the body that are sent before the connection is closed; None for all.
        hang: Send the headers, then nothing until the site stops being served.
        validators: Whether an ETag is sent, and `If-None-Match` answered with 304.
    """

    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    hang: bool = False
    validators: bool = True


Content = Reply | str | bytes | Sequence[Reply]
"""A text is an HTML page; a sequence is answered in turn, its last reply from then on."""


def page(title: str, *links: str, body: str = "", head: str = "") -> str:
    """A small HTML page with links."""
    items = "".join(f'<li><a href="{html.escape(link)}">{html.escape(link)}</a></li>' for link in links)
    return (
        f"<!DOCTYPE html><html><head><title>{html.escape(title)}</title>{head}</head>"
        f"<body><main><h1>{html.escape(title)}</h1>{body}<ul>{items}</ul></main></body></html>"
    )


def moved(target: str, status: int = 301) -> Reply:
    """A redirect."""
    return Reply(status=status, headers={"Location": target})


def failing(status: int = 500, **headers: str) -> Reply:
    """An error page; headers by name with `_` for the hyphen."""
    return Reply(b"<h1>no</h1>", status=status, headers={name.replace("_", "-"): to for name, to in headers.items()})


@dataclass(frozen=True)
class Asked:
    """One request that came.

    Attributes:
        path: With its query.
        headers: By name in lower case.
        status: Of the answer.
        sent: Bytes of the body that were answered.
    """

    path: str
    headers: Mapping[str, str]
    status: int
    sent: int


@dataclass
class Website:
    """A site that is served while `serving` runs; it may be changed meanwhile.

    Attributes:
        pages: Path, with its query if it has one → content. `/robots.txt` is one of them.
        folder: Files to serve where no page is named: a site as its generator wrote it.
        otherwise: Makes the content of any other path; None for 404. How a site without an end is made.
        asked: Every request, in order of its answer.
    """

    pages: dict[str, Content] = field(default_factory=dict)
    folder: Path | None = None
    otherwise: Callable[[str], Content | None] = lambda _path: None
    asked: list[Asked] = field(default_factory=list)
    port: int = 0
    _stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """Where it begins."""
        return f"http://127.0.0.1:{self.port}/"

    @property
    def elsewhere(self) -> str:
        """The same under the name of another host."""
        return f"http://localhost:{self.port}/"

    @contextmanager
    def serving(self) -> Iterator["Website"]:
        """Serve it on a port of its own."""
        website = self

        class Handler(_Handler):
            site = website

        server = _Server(("127.0.0.1", 0), Handler)
        self.port = server.server_port
        self._stopped.clear()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self._stopped.set()
            server.shutdown()
            server.server_close()
            thread.join()

    def paths(self, status: int = 0) -> list[str]:
        """Paths that were asked for, without robots.txt; only those answered with a status if one is named."""
        return [one.path for one in self.asked if one.path != "/robots.txt" and status in (0, one.status)]

    def reply(self, path: str) -> Reply:
        """What is said to a request for a path."""
        content = self.pages.get(path)
        if content is None:
            content = self._file(path) or self.otherwise(path)
        if isinstance(content, Sequence) and not isinstance(content, str | bytes):
            first, *others = content
            if others:
                self.pages[path] = others
            content = first
        if isinstance(content, Reply):
            return content
        if content is None:
            return Reply(b"no such page", "text/plain", 404)
        return Reply(content.encode() if isinstance(content, str) else content, _kind(path))

    def wait_until_stopped(self) -> None:
        """Return when the site stops being served."""
        self._stopped.wait(60)

    def _file(self, path: str) -> Content | None:
        if self.folder is None:
            return None
        file = self.folder / unquote(urlsplit(path).path).lstrip("/")
        if file.is_dir():
            if not path.endswith("/"):
                return moved(path + "/")
            file /= "index.html"
        return file.read_bytes() if file.is_file() else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Eight connections at once, and what a stopped client left behind.
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is what some tests are about: nothing on stderr."""


class _Handler(BaseHTTPRequestHandler):
    site: ClassVar[Website]
    protocol_version = "HTTP/1.1"
    # Without it each answer on a kept connection waits 40 ms for the acknowledgement of its headers.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        reply = self.site.reply(self.path)
        tag = f'"{hashlib.sha256(reply.body).hexdigest()[:16]}"' if reply.validators and reply.status == 200 else ""
        tag = reply.headers.get("ETag", tag)
        same = bool(tag) and self.headers.get("If-None-Match") == tag
        body = b"" if same else reply.body[: reply.cut]
        status = 304 if same else reply.status
        headers = {"Content-Type": reply.kind, "Content-Length": str(len(reply.body)), **({"ETag": tag} if tag else {})}
        self.site.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, status, len(body)))
        self.send_response(status)
        for name, value in {**headers, **reply.headers}.items():
            if not (same and name == "Content-Length"):
                self.send_header(name, value)
        self.end_headers()
        if reply.hang:
            self.wfile.flush()
            self.site.wait_until_stopped()
        self.wfile.write(body)
        self.close_connection = self.close_connection or reply.cut is not None or reply.hang

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        """Nothing on stderr."""


def _kind(path: str) -> str:
    name = urlsplit(path).path
    if name.endswith("/"):
        name += "index.html"
    kind = mimetypes.guess_type(name)[0] or "text/html"
    kind = {".md": "text/markdown", ".inv": "application/octet-stream"}.get(Path(name).suffix, kind)
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
