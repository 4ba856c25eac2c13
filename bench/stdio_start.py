"""CPU of a stdio server from its start to the first tools/list answer, in both eras of the protocol.

`python bench/stdio_start.py [RUNS] [-- COMMAND ...]`; without a command it measures `python -m refdesk mcp` over an
empty index folder. The budget is 1.0 s. Waiting does not count: CPU is user and system time of the process.
"""

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile

BUDGET = 1.0

_CLIENT = {"name": "bench", "version": "1"}
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": _CLIENT,
}
ERAS: dict[str, list[dict[str, object]]] = {
    "2025-11-25": [
        {
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CLIENT},
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ],
    "2026-07-28": [
        {"id": 1, "method": "server/discover", "params": {"_meta": _ENVELOPE}},
        {"id": 2, "method": "tools/list", "params": {"_meta": _ENVELOPE}},
    ],
}


def run(command: list[str], messages: list[dict[str, object]]) -> tuple[float, int, int]:
    """CPU seconds until the answer, number of tools, and peak resident KiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "REFDESK_HOME": home}
        )
        assert process.stdin is not None
        assert process.stdout is not None
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()
        tools = 0
        for line in process.stdout:
            answer = json.loads(line)
            if answer.get("id") == 2:
                tools = len(answer["result"]["tools"])
                break
        process.kill()  # so that shutting down does not count
        process.wait()
        process.stdin.close()
        process.stdout.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, tools, after.ru_maxrss


def main(arguments: list[str]) -> int:
    """Print the figures; 1 if the least CPU of an era is over the budget."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    own, command = arguments[:at], arguments[at + 1 :]
    runs = int(own[0]) if own else 7
    command = command or [sys.executable, "-m", "refdesk", "mcp"]
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    print(f"machine: {machine}, load {os.getloadavg()[0]:.1f}")
    print(f"command: {' '.join(command)}")
    over = False
    for era, messages in ERAS.items():
        run(command, messages)  # once, so that bytecode is compiled
        measured = [run(command, messages) for _ in range(runs)]
        cpu = [one[0] for one in measured]
        over |= min(cpu) > BUDGET
        figures = f"CPU min {min(cpu):.2f} s, median {statistics.median(cpu):.2f} s (budget {BUDGET:.1f} s)"
        peak = max(one[2] for one in measured) / 1024
        print(f"{era}: {runs} runs, {measured[0][1]} tools, {figures}, peak {peak:.0f} MiB")
    return int(over)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
