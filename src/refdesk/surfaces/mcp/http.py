"""The MCP server over Streamable HTTP, on this machine only until keys exist."""

import contextlib
import errno
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

import refdesk
from refdesk.domain.errors import Busy, InvalidInput, Refused
from refdesk.settings import Settings
from refdesk.surfaces.mcp.desk import Desk, Offer
from refdesk.surfaces.mcp.server import build_server, log_to_stderr

PATH = "/mcp"
DEFAULT_PORT = 8000
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_GRACE = 3
"""Seconds that open streams get to end when the server is stopped."""


def serve_http(
    desk: Desk,
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    toolsets: Sequence[str] | None = None,
    *,
    announce: Callable[[str], None] | None = None,
) -> None:
    """Serve over HTTP until SIGINT or SIGTERM; nothing that writes is offered, as callers have no keys.

    Args:
        desk: Stays open; the caller closes it afterwards.
        settings: Gives the toolsets where the argument does not.
        host: A loopback address.
        port: 0 for any free one.
        toolsets: Toolsets to offer.
        announce: Receives the address when requests are accepted; left out, it is printed.

    Raises:
        Refused: Another address than loopback, or a port that this user may not open.
        Busy: The port is in use.
        InvalidInput: No port number, or a toolset that has no operation.
    """
    log_to_stderr()
    app = http_app(desk, tuple(toolsets or settings.toolsets))
    with contextlib.closing(listen(host, port)) as listener:
        (announce or _print)(f"http://{_spelled(host)}:{listener.getsockname()[1]}{PATH}")
        run_app(app, listener)


def http_app(desk: Desk, toolsets: Sequence[str]) -> Starlette:
    """The application: `/mcp` in both eras, and `/healthz`.

    Raises:
        InvalidInput: A toolset that has no operation.
    """
    return app_of(build_server(desk, Offer("mcp-http", toolsets, writes=False)))


def app_of(server: Server[Any]) -> Starlette:
    """A server behind the checks and routes of this surface."""
    return server.streamable_http_app(
        streamable_http_path=PATH,
        # Said outright, because the SDK checks nothing if it is told of another address than a loopback one.
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[form for name in ("127.0.0.1", "localhost", "[::1]") for form in (name, f"{name}:*")],
            allowed_origins=[f"http://{name}:*" for name in ("127.0.0.1", "localhost", "[::1]")],
        ),
        custom_starlette_routes=[Route("/healthz", _health)],
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on a loopback address.

    Raises:
        Refused, Busy, InvalidInput: As `serve_http`.
    """
    if host not in LOOPBACK:
        raise Refused(
            f"refdesk serves on this machine only ({', '.join(LOOPBACK)}), not on {host!r}: it has no keys yet, so"
            " anyone who reaches the address could use it. Keys come with a later version.",
            "Leave --host out, or use an SSH tunnel to reach it from another machine.",
        )
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there the option would let two servers share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("::1" if host == "::1" else "127.0.0.1", port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise _cannot_listen(host, port, error) from error
    return listener


def run_app(app: Starlette, listener: socket.socket) -> None:
    """Serve on a listening socket until SIGINT or SIGTERM; returns when open requests have ended."""
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE, ws="none"
    )
    with _quiet_signals():
        uvicorn.Server(config).run(sockets=[listener])


@contextlib.contextmanager
def _quiet_signals() -> Iterator[None]:
    """Keep the signals that uvicorn raises again after its shutdown from ending the process before its clean-up."""
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _cannot_listen(host: str, port: int, error: Exception) -> Busy | Refused | InvalidInput:
    code = error.errno if isinstance(error, OSError) else None
    other = "Choose another with --port; 0 takes any free one."
    if code == errno.EADDRINUSE:
        return Busy(f"Port {port} of {host} is in use, perhaps by another refdesk.", other)
    if code in (errno.EACCES, errno.EPERM):
        return Refused(f"This user may not open port {port}.", other)
    return InvalidInput(f"Cannot listen on {host}, port {port}: {error}.", other)


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _print(address: str) -> None:
    sys.stdout.write(f"refdesk serves MCP on {address}\n")
    sys.stdout.flush()


async def _health(_request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok", "version": refdesk.__version__})
