"""One connection for each transport and era, over a desk in memory."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import pytest
from mcp.client import Client

from fakes.desk import MemoryDesk, memory_desk
from fakes.links import Connect
from fakes.served import served
from refdesk.surfaces.mcp.desk import Offer
from refdesk.surfaces.mcp.server import build_server

MODES = {"legacy": "legacy", "modern": "auto"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def desk() -> MemoryDesk:
    return memory_desk()


@pytest.fixture(params=["memory-legacy", "memory-modern", "http-legacy", "http-modern"])
def connect(request: pytest.FixtureRequest, desk: MemoryDesk) -> Iterator[Connect]:
    """Opens a client on the desk; what a server over HTTP may not do, the tests that need it skip themselves."""
    transport, _, era = request.param.partition("-")
    with ExitStack() as stack:
        if transport == "http":
            target: Any = stack.enter_context(served(desk)) + "/mcp"
        else:
            target = build_server(desk, Offer("mcp-stdio", ("docs", "admin"), writes=True, conversation="process"))

        @asynccontextmanager
        async def opened(**options: Any) -> AsyncIterator[Client]:
            async with Client(target, mode=MODES[era], **options) as client:
                yield client

        yield opened


@pytest.fixture(params=["legacy", "modern"])
def connect_local(request: pytest.FixtureRequest, desk: MemoryDesk) -> Connect:
    """A client in memory, in either era, of a server that may write."""
    server = build_server(desk, Offer("mcp-stdio", ("docs", "admin"), writes=True, conversation="process"))

    @asynccontextmanager
    async def opened(**options: Any) -> AsyncIterator[Client]:
        async with Client(server, mode=MODES[request.param], **options) as client:
            yield client

    return opened
