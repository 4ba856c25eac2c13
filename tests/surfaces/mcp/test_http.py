"""What only HTTP has: addresses, headers, health, stopping."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sse_starlette.sse import AppStatus

from fakes.desk import MemoryDesk
from fakes.served import served
from refdesk import __version__
from refdesk.domain.errors import Busy, InvalidInput, Refused
from refdesk.settings import Settings
from refdesk.surfaces.mcp.http import listen, serve_http

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
SERVER = Path(__file__).parent / "memory_server.py"


@pytest.fixture
def address(desk: MemoryDesk) -> Iterator[str]:
    with served(desk) as found:
        yield found


def ask(address: str, method: str, path: str, headers: dict[str, str], body: object = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    try:
        standard = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body else None, {**standard, **headers})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost"}, 200),
        ({"Host": "[::1]:99"}, 200),
        ({"Host": "attacker.example"}, 421),
        ({"Host": "127.0.0.1.attacker.example:80"}, 421),
        ({"Host": "localhost.attacker.example"}, 421),
        ({"Origin": "http://localhost:3000"}, 200),
        ({"Origin": "http://attacker.example"}, 403),
        ({"Origin": "https://localhost.attacker.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
    ids=lambda one: "; ".join(f"{key} {value}" for key, value in one.items()) if isinstance(one, dict) else None,
)
def test_only_names_of_this_machine_are_answered(address: str, headers: dict[str, str], status: int) -> None:
    assert ask(address, "POST", "/mcp", headers, INITIALIZE)[0] == status


def test_health_says_which_version_runs(address: str) -> None:
    status, body = ask(address, "GET", "/healthz", {})
    assert (status, json.loads(body)) == (200, {"status": "ok", "version": __version__})


def test_other_paths_are_not_found(address: str) -> None:
    assert ask(address, "GET", "/", {})[0] == 404


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com", ""])
def test_another_address_than_loopback_is_refused_with_what_to_do(host: str) -> None:
    with pytest.raises(Refused, match="Keys come with a later version") as caught:
        listen(host, 0)
    assert "tunnel" in caught.value.suggestion


@pytest.mark.parametrize(("host", "family"), [("127.0.0.1", socket.AF_INET), ("localhost", socket.AF_INET)])
def test_loopback_addresses_are_listened_on(host: str, family: int) -> None:
    with listen(host, 0) as listener:
        assert listener.family == family
        assert listener.getsockname()[0] == "127.0.0.1"


def test_the_loopback_of_ipv6_is_listened_on() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        with listen("::1", 0) as listener:
            assert listener.getsockname()[0] == "::1"
    except InvalidInput as error:
        pytest.skip(f"no IPv6 here: {error}")


def test_a_port_in_use_is_said() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(Busy, match=f"Port {port} of 127.0.0.1 is in use") as caught:
            listen("127.0.0.1", port)
    assert "--port" in caught.value.suggestion


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_number_that_is_no_port_is_said(port: int) -> None:
    with pytest.raises(InvalidInput, match="Cannot listen"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_stops_the_server_after_which_the_caller_cleans_up(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, str(SERVER), "http"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("refdesk serves MCP on http://127.0.0.1:")
    address = line.rpartition(" ")[2].strip().removesuffix("/mcp")
    assert ask(address, "GET", "/healthz", {})[0] == 200
    os.kill(process.pid, number)
    out, error = process.communicate(timeout=30)
    assert (process.returncode, out, error) == (0, "closed\n", "")


def test_the_server_runs_in_this_process_until_a_signal_and_gives_the_handlers_back(
    desk: MemoryDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The SDK's stream library notes for the whole process that a signal came; later tests must not see it.
    monkeypatch.setattr(AppStatus, "should_exit", False)
    before = signal.getsignal(signal.SIGTERM)
    statuses: list[int] = []
    threads: list[threading.Thread] = []

    def visit(address: str) -> None:
        statuses.append(ask(address, "GET", "/healthz", {})[0])  # answered only once the server runs
        os.kill(os.getpid(), signal.SIGTERM)

    def announced(address: str) -> None:
        threads.append(threading.Thread(target=visit, args=(address,)))
        threads[0].start()

    serve_http(desk, Settings(tmp_path), "localhost", 0, announce=announced)
    threads[0].join()
    assert statuses == [200]
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_toolset_that_does_not_exist_is_said_before_anything_listens(desk: MemoryDesk, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No toolset is called nonsense"):
        serve_http(desk, Settings(tmp_path), port=0, toolsets=["nonsense"])
