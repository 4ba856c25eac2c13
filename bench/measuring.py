"""What all figures share: CPU time, percentiles, programs run beside, and the table at the end."""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TypeVar

CACHE = Path(__file__).parents[1] / ".cache"
"""Where benchmarks keep what is worth keeping between runs."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number.

    Attributes:
        limit: What the project allows, in the same unit; None where it only informs.
        at_least: Whether the limit is a floor instead of a ceiling.
        counts: What it was measured on.
    """

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    counts: str = ""

    @property
    def kept(self) -> bool:
        """Whether the limit holds."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program took: CPU seconds of user and system together, the largest resident size, wall seconds."""

    code: int
    cpu: float
    peak_mb: float
    wall: float


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed (nearest rank).

    Raises:
        ValueError: No values, or a share outside of 0 to 1.
    """
    if not values or not 0 <= share <= 1:
        raise ValueError("a percentile needs values and a share between 0 and 1")
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def cpu_of(call: Callable[[], Result]) -> tuple[float, Result]:
    """CPU seconds of all threads of this process while a call runs, and what it returned."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def host_speed() -> str:
    """What a fixed loop of Python costs now: a virtual machine changes its speed without any load to show for it."""

    def loop() -> None:
        counts: dict[int, int] = {}
        for number in range(3_000):
            counts[number] = counts.get(number, 0) + 1

    times = [cpu_of(loop)[0] * 1e6 for _ in range(400)]
    shown = " / ".join(f"{percentile(times, share):.0f}" for share in (0.05, 0.5, 0.95))
    return f"fixed loop {shown} µs CPU (p5 / p50 / p95)"


def run(arguments: Sequence[str], environment: Mapping[str, str], output: Path | None = None) -> Usage:
    """Run a Python program to its end and account for it; its stdout and stderr go to a file, else to nowhere."""
    log = os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    start = time.monotonic()
    try:
        child = os.posix_spawn(
            sys.executable,
            [sys.executable, *arguments],
            dict(environment),
            file_actions=[(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)],
        )
        _, status, used = os.wait4(child, 0)
    finally:
        os.close(log)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10  # macOS counts bytes, Linux KiB
    code = os.waitstatus_to_exitcode(status)
    return Usage(code, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, time.monotonic() - start)


def add(home: Path, *words: str, vectors: bool = False) -> Usage:
    """Run `refdesk add` over an index folder.

    Raises:
        RuntimeError: It failed; the message ends with the last lines of what it said.
    """
    log = home.with_name(f"{home.name}.log")
    home.mkdir(parents=True, exist_ok=True)
    arguments = ["-m", "refdesk", "add", *words, *([] if vectors else ["--no-vectors"])]
    used = run(arguments, {**os.environ, "REFDESK_HOME": str(home)}, log)
    if used.code:
        raise RuntimeError(f"refdesk add {' '.join(words)}: {log.read_text(encoding='utf-8')[-500:]}")
    return used


def table(figures: Sequence[Figure]) -> str:
    """The figures as a Markdown table."""
    rows = [("figure", "value", "limit", "", "on"), ("---", "---:", "---:", "---", "---")]
    for one in figures:
        sign = "≥" if one.at_least else "≤"
        limit = "" if one.limit is None else f"{sign} {_number(one.limit)} {one.unit}"
        mark = "" if one.limit is None else "ok" if one.kept else "MISSED"
        rows.append((one.name, f"{_number(one.value)} {one.unit}", limit, mark, one.counts))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
