"""The server as a process, as clients start it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import ElicitResult

from fakes.links import text_of

pytestmark = pytest.mark.anyio

SERVER = Path(__file__).parent / "memory_server.py"


def started(*arguments: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=[str(SERVER), "stdio", *arguments])


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_starts_it_asks_and_goes_away(mode: str) -> None:
    async def first(context: Any, params: Any) -> ElicitResult:
        assert context is not None
        return ElicitResult(
            action="accept", content={"version": params.requested_schema["properties"]["version"]["enum"][1]}
        )

    async with Client(started(), mode=mode, elicitation_callback=first) as client:
        assert len((await client.list_tools()).tools) == 7
        text = text_of(await client.call_tool("get_api_detail", {"api": "send", "library": "parcel"}))
        assert text.startswith("[Version: pypi:parcel 1.0.0]")
        assert (await client.call_tool("nope", {})).is_error
        assert "indexed" in text_of(await client.call_tool("index_library", {"specs": ["pypi:cart==1"]}))


async def test_a_read_only_server_offers_nothing_that_writes() -> None:
    async with Client(started("--read-only"), mode="legacy") as client:
        assert "index_library" not in [one.name for one in (await client.list_tools()).tools]
        assert '"error":"refused"' in text_of(await client.call_tool("index_library", {"specs": ["pypi:cart"]}))


def process() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SERVER), "stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def test_nothing_but_the_protocol_is_on_standard_output_and_rubbish_does_not_end_it() -> None:
    with process() as server:
        out, _ = server.communicate('not json\n\n{"jsonrpc":"2.0","id":9,"method":"\\ud800"}\n' + PING, timeout=60)
    lines = [line for line in out.splitlines() if line != "closed"]
    assert lines
    assert all(line.startswith('{"jsonrpc":"2.0"') for line in lines)
    assert any('"id":1,"result"' in line for line in lines)
    assert server.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_at_once(number: signal.Signals) -> None:
    with process() as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(PING)
        server.stdin.flush()
        assert '"id":1' in server.stdout.readline()
        os.kill(server.pid, number)
        assert server.wait(timeout=30) == 0
