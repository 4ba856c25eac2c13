"""The MCP server over any transport, and over stdio.

Built on the SDK's low-level server: tools come from descriptors and arguments go to the dispatcher as they arrived,
so that it alone validates them and every surface gives the same errors. One server speaks both eras of the protocol.
"""

import logging
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from typing import Any

import anyio
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types.methods import CacheableMethod

import refdesk
from refdesk.operations.guidance import INSTRUCTIONS
from refdesk.settings import Settings
from refdesk.surfaces.mcp.calls import Calls
from refdesk.surfaces.mcp.desk import Desk, Offer
from refdesk.surfaces.mcp.prompts import Completions, get_prompt, list_prompts
from refdesk.surfaces.mcp.resources import Resources

NAME = "refdesk"

_CACHING: dict[CacheableMethod, CacheHint] = {
    # What a server offers is fixed when it starts; what is indexed is not.
    "server/discover": CacheHint(ttl_ms=300_000, scope="public"),
    "tools/list": CacheHint(ttl_ms=300_000, scope="public"),
    "prompts/list": CacheHint(ttl_ms=300_000, scope="public"),
    "resources/templates/list": CacheHint(ttl_ms=300_000, scope="public"),
    "resources/list": CacheHint(ttl_ms=5_000, scope="private"),
    "resources/read": CacheHint(ttl_ms=60_000, scope="private"),
}


def build_server(desk: Desk, offer: Offer) -> Server[Any]:
    """A server that offers the desk's operations, prompts and resources.

    Raises:
        InvalidInput: A toolset that has no operation.
    """
    calls = Calls(desk, offer)
    resources = Resources(desk, calls) if "docs" in offer.toolsets else None
    return Server(
        NAME,
        version=refdesk.__version__,
        title="refdesk",
        description="Exact, versioned API answers from published packages.",
        instructions=INSTRUCTIONS,
        cache_hints=_CACHING,
        on_list_tools=calls.list_tools,
        on_call_tool=calls.call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=Completions(desk).complete,
        on_list_resources=resources.list_resources if resources else None,
        on_list_resource_templates=resources.list_templates if resources else None,
        on_read_resource=resources.read if resources else None,
    )


def serve_stdio(
    desk: Desk, settings: Settings, toolsets: Sequence[str] | None = None, *, read_only: bool = False
) -> None:
    """Serve one client over standard input and output until it goes away; logs go to standard error.

    Args:
        desk: Stays open, except where a signal ends the process.
        settings: Gives the toolsets and whether writing is allowed, where the arguments do not say.
        toolsets: Toolsets to offer.
        read_only: Offer nothing that writes.

    Raises:
        InvalidInput: A toolset that has no operation.
    """
    log_to_stderr()
    offer = Offer(
        "mcp-stdio",
        tuple(toolsets or settings.toolsets),
        writes=not (read_only or settings.read_only),
        conversation=secrets.token_hex(16),
    )
    anyio.run(_serve, build_server(desk, offer), desk)


def log_to_stderr() -> None:
    """Warnings and errors on standard error; standard output belongs to the protocol."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="refdesk: %(levelname)s: %(message)s")


async def _serve(server: Server[Any], desk: Desk) -> None:
    async with anyio.create_task_group() as tasks:
        if sys.platform != "win32":
            tasks.start_soon(_end_on_signal, desk)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _end_on_signal(desk: Desk) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            desk.close()
            # The thread that waits for the next line of input cannot be woken, so the interpreter would wait for it.
            os._exit(0)
