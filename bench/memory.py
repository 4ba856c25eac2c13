"""Resident memory of the stdio server, read by its parent: after tools/list and 20 calls, and with the embedder loaded.

The folder is the one of 100,000 chunks that search latency is measured in, so that the caches fill as they would.
Vectors of the first figure do not exist for the server (`REFDESK_VECTORS=0`); for the second, one library is indexed
with real ones.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench import corpus
from bench.machine import describe
from bench.measuring import CACHE, Figure, add

WITH_VECTORS = CACHE / "bench-memory"
CALLS = 20

_HANDSHAKE: list[dict[str, object]] = [
    {
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/list"},
]
_QUESTIONS = ("upload a file in parts", "list the members of a group", "create_key", "delete a policy", "retry a job")


def main(_arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures."""
    print(describe())
    home = corpus.prepare()
    libraries = ["", *(str(corpus.library_of(rank)) for rank in range(3))]
    searches = [_search(_QUESTIONS[n % 5], libraries[n % 4]) for n in range(CALLS - 4)]
    reads = [{"name": "list_apis", "arguments": {"library": one, "limit": 500} if one else {}} for one in libraries]
    plain = resident(home, {"REFDESK_VECTORS": "0"}, [*searches, *reads])
    add(WITH_VECTORS, "pypi:httpx==0.27.2", vectors=True)
    embedding = resident(WITH_VECTORS, {}, [_search(_QUESTIONS[n % 5], "pypi:httpx") for n in range(CALLS)])
    counts = f"{CALLS} calls"
    return [
        Figure("stdio server, resident without the embedder", plain[0], "MB", 250, counts=f"{counts}, 100,000 chunks"),
        Figure("the same, peak", plain[1], "MB", counts=counts),
        Figure("stdio server, resident with the embedder", embedding[0], "MB", 450, counts=f"{counts}, httpx 0.27.2"),
        Figure("the same, peak", embedding[1], "MB", counts=counts),
    ]


def resident(home: Path, environment: Mapping[str, str], calls: Sequence[Mapping[str, object]]) -> tuple[float, float]:
    """Resident MB now and at most, once the server has answered tools/list and all calls, none with an error."""
    server = subprocess.Popen(
        [sys.executable, "-m", "refdesk", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "REFDESK_HOME": str(home), **environment},
    )
    assert server.stdin is not None
    assert server.stdout is not None
    requests = [*_HANDSHAKE, *({"id": n, "method": "tools/call", "params": one} for n, one in enumerate(calls, 2))]
    for request in requests:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
        server.stdin.flush()
        while "id" in request:
            answer = json.loads(server.stdout.readline())
            if answer.get("id") == request["id"]:
                if "error" in answer or answer["result"].get("isError"):
                    raise RuntimeError(f"{request}: {answer}")
                break
    status = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
    server.stdin.close()
    server.wait()
    now, most = (int(status.partition(f"{name}:")[2].split()[0]) / 1_024 for name in ("VmRSS", "VmHWM"))
    return now, most


def _search(query: str, library: str) -> dict[str, object]:
    return {"name": "search_docs", "arguments": {"query": query, **({"library": library} if library else {})}}
