"""`python -m bench` runs every measurement, `python -m bench NAME` one; figures end in one table.

The exit code is 1 where a limit is missed or a program that judges answers found a wrong one.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench import (
    devdocs_fidelity,
    golden,
    indexing,
    main_content,
    memory,
    paraphrases,
    recrawl,
    search_latency,
    site_speed,
)
from bench.machine import describe
from bench.measuring import Figure, host_speed, table

Measure = Callable[[Sequence[str]], Sequence[Figure]]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One measurement that can be asked for.

    Attributes:
        run: Prints what it sees, and returns figures and an exit code.
    """

    about: str
    run: Callable[[list[str]], tuple[Sequence[Figure], int]]


def main(arguments: Sequence[str]) -> int:
    """List, or run all or one."""
    names = [*BENCHMARKS] if not arguments else [arguments[0]]
    if names[0] not in BENCHMARKS:
        print("python -m bench [NAME [ARGUMENTS]]; without a name all of them run:")
        for name, one in BENCHMARKS.items():
            print(f"  {name:16} {one.about}")
        return 0 if names[0] in ("list", "-h", "--help") else 2
    figures: list[Figure] = []
    failed = 0
    for name in names:
        print(f"\n== python -m bench {name} ({datetime.now(UTC):%Y-%m-%d %H:%M} UTC)\n{host_speed()}", flush=True)
        found, code = BENCHMARKS[name].run(list(arguments[1:]))
        figures += found
        failed |= bool(code)
    if figures:
        print(f"\n{describe()}, {datetime.now(UTC):%Y-%m-%d}\n{host_speed()}\n\n{table(figures)}")
    return 1 if failed or not all(one.kept for one in figures) else 0


def _measured(measure: Measure) -> Callable[[list[str]], tuple[Sequence[Figure], int]]:
    return lambda arguments: (measure(arguments), 0)


def _program(path: str) -> Callable[[list[str]], tuple[Sequence[Figure], int]]:
    """A program of its own that prints its figures and says by its exit code whether they are kept."""
    file = Path(__file__).parent / path

    def run(arguments: list[str]) -> tuple[Sequence[Figure], int]:
        return [], subprocess.run([sys.executable, str(file), *arguments], check=False).returncode

    return run


BENCHMARKS = {
    "stdio_start": Benchmark("CPU from the start of the stdio server to its tools", _program("stdio_start.py")),
    "indexing": Benchmark("CPU, memory and disk of adding releases", _measured(indexing.main)),
    "search_latency": Benchmark("CPU of a search in a folder of 100,000 chunks", _measured(search_latency.main)),
    "memory": Benchmark("resident memory of the stdio server", _measured(memory.main)),
    "paraphrases": Benchmark("how well plain-language questions find the right operation", _measured(paraphrases.main)),
    "devdocs_fidelity": Benchmark(
        "code, tables and fences of DevDocs pages as Markdown", _measured(devdocs_fidelity.main)
    ),
    "main_content": Benchmark("words of pages against what annotators took for content", _measured(main_content.main)),
    "site_speed": Benchmark("pages a CPU second and memory of adding sites of HTML", _measured(site_speed.main)),
    "recrawl": Benchmark("CPU and bytes of asking an unchanged site again", _measured(recrawl.main)),
    "golden": Benchmark("golden questions, right or wrong", lambda arguments: ((), golden.main(arguments))),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
