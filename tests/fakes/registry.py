"""A package registry on this machine: a folder with a simple index, or a server on loopback; and small archives."""

import base64
import gzip
import hashlib
import html
import io
import json
import ssl
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Upload:
    """One file of a registry.

    Attributes:
        announced: The SHA-256 that the registry claims; None for none.
    """

    filename: str
    content: bytes
    announced: str | None = None
    uploaded: datetime | None = None
    yanked: bool = False


def upload(filename: str, content: bytes, uploaded: datetime | None = None, *, yanked: bool = False) -> Upload:
    """A file that the registry describes truthfully."""
    return Upload(filename, content, hashlib.sha256(content).hexdigest(), uploaded, yanked)


def zip_of(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def tar_of(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def tar_gz_of(files: Mapping[str, bytes]) -> bytes:
    return gzip.compress(tar_of(files), mtime=0)


def write_index(folder: Path, packages: Mapping[str, Sequence[Upload]]) -> str:
    """Write a simple index (PEP 503) of files; returns its `file:` URL."""
    for package, uploads in packages.items():
        place = folder / package
        place.mkdir(parents=True)
        for one in uploads:
            (place / one.filename).write_bytes(one.content)
        (place / "index.html").write_text(_page(uploads, ""), encoding="utf-8")
    return folder.as_uri()


def write_links(folder: Path, packages: Mapping[str, Sequence[Upload]]) -> str:
    """Write a folder of archives for find-links; returns its path."""
    folder.mkdir(parents=True)
    for uploads in packages.values():
        for one in uploads:
            (folder / one.filename).write_bytes(one.content)
    return str(folder)


@dataclass
class LoopbackRegistry:
    """A registry that is served while `serving` runs.

    Attributes:
        form: The simple API's form: HTML (PEP 503) or JSON with sizes and upload times (PEP 691, PEP 700).
        refusals: Status codes that the next requests get, before anything is answered.
        credentials: `user:password` that every request must bring; empty if none.
        cut: How many bytes of a file to send before the connection is closed; None for all.
        file_status: Status of every answer to a request for a file.
        moved: Whether every listing is first redirected.
        raw: Body and content type in place of every listing.
        requests: Path of every request, in order.
    """

    packages: Mapping[str, Sequence[Upload]]
    form: Literal["html", "json"] = "json"
    refusals: list[int] = field(default_factory=list)
    credentials: str = ""
    cut: int | None = None
    file_status: int = 200
    moved: bool = False
    raw: tuple[str, bytes] | None = None
    requests: list[str] = field(default_factory=list)
    url: str = ""

    @contextmanager
    def serving(self, certificate: Path | None = None) -> Iterator["LoopbackRegistry"]:
        """Serve it, over HTTPS if there is a certificate (with its key, in one file)."""
        registry = self

        class Handler(_Handler):
            desk = registry

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            # The handshake belongs to the thread of a connection: a client that refuses must not stop the server.
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
            server.handle_error = lambda *_: None  # type: ignore[method-assign]  # nothing on stderr
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}/simple"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def downloads(self) -> list[str]:
        """Names of the files that were asked for."""
        return [path.rpartition("/")[2] for path in self.requests if path.startswith("/files/")]


class _Handler(BaseHTTPRequestHandler):
    desk: LoopbackRegistry

    def do_GET(self) -> None:
        desk = self.desk
        desk.requests.append(self.path)
        if desk.refusals:
            self._send(desk.refusals.pop(0), "text/plain", b"refused")
        elif desk.credentials and self.headers.get("Authorization") != _basic(desk.credentials):
            self._send(401, "text/plain", b"who are you?")
        elif self.path.startswith("/files/"):
            self._file(self.path.rpartition("/")[2])
        elif desk.moved and not self.path.startswith("/moved/"):
            self.send_response(301)
            self.send_header("Location", self.path.replace("/simple/", "/moved/"))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._listing(self.path.strip("/").rpartition("/")[2])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        """Nothing on stderr."""

    def _listing(self, package: str) -> None:
        uploads = self.desk.packages.get(package)
        if self.desk.raw:
            self._send(200, *self.desk.raw)
        elif uploads is None:
            self._send(404, "text/plain", b"no such package")
        elif self.desk.form == "html":
            self._send(200, "text/html", _page(uploads, "/files/").encode())
        else:
            self._send(200, "application/vnd.pypi.simple.v1+json", _json(package, uploads).encode())

    def _file(self, filename: str) -> None:
        for uploads in self.desk.packages.values():
            for one in uploads:
                if one.filename == filename:
                    self._send(self.desk.file_status, "application/octet-stream", one.content, self.desk.cut)
                    return
        self._send(404, "text/plain", b"no such file")

    def _send(self, status: int, kind: str, body: bytes, cut: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if cut is None else body[:cut])


def _page(uploads: Sequence[Upload], base: str) -> str:
    links = []
    for one in uploads:
        fragment = f"#sha256={one.announced}" if one.announced else ""
        yanked = ' data-yanked="broken"' if one.yanked else ""
        links.append(f'<a href="{html.escape(base + one.filename)}{fragment}"{yanked}>{one.filename}</a>')
    return f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>"


def _json(package: str, uploads: Sequence[Upload]) -> str:
    return json.dumps(
        {
            "meta": {"api-version": "1.1"},
            "name": package,
            "files": [
                {
                    "filename": one.filename,
                    "url": f"/files/{one.filename}",
                    "hashes": {"sha256": one.announced} if one.announced else {},
                    "size": len(one.content),
                    "yanked": one.yanked,
                    "upload-time": one.uploaded.isoformat().replace("+00:00", "Z") if one.uploaded else None,
                }
                for one in uploads
            ],
        }
    )


def _basic(credentials: str) -> str:
    return f"Basic {base64.b64encode(credentials.encode()).decode()}"
