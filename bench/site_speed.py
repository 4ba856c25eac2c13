"""What it costs to make sites of HTML answer, without vectors: folders on disk to a published pack, and two peers.

The folders are those of Debian's documentation packages. The peers only convert: trafilatura, which finds the main
content and writes Markdown, and readability with markdownify. All are given the same sample of pages, in processes of
their own, one after another in one run, and are compared by CPU seconds a page and peak memory.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.indexing import forget
from bench.machine import describe
from bench.measuring import CACHE, Figure, Usage, add, run
from refdesk.adapters.catalog import FileCatalog

HOME = CACHE / "bench-sites"
SITES = (
    ("django", "python-django-doc*/usr/share/doc/python-django-doc/html", "3.2.25", 60.0),
    ("python", "python3.11-doc*/usr/share/doc/python3.11/html", "3.11.2", 25.0),
    ("pandas", "python-pandas-doc*/usr/share/doc/python-pandas-doc/html", "1.5.3", None),
)
"""Name, folder below that of the unpacked packages, version, pages that a CPU second must do."""

SAMPLE = 60
"""Pages of each site that the peers convert, spread over it; they need a third of a second for each."""

ROUNDS = 3
PAGE = (".html", ".htm")


def main(arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures.

    The folder of the unpacked packages may be named; by default it is where `python -m sites_real.provide` puts them.
    """
    if arguments[:1] == ["--peer"]:
        PEERS[arguments[1]](arguments[2:])
        return []
    print(describe())
    root = Path(arguments[0]) if arguments else CACHE / "sites"
    figures: list[Figure] = []
    for name, below, version, least in SITES:
        folder = next(iter(sorted(root.glob(below))), None)
        if folder is None:
            print(f"site_speed: {name} is left out, there is no {root / below}")
        else:
            figures += _site(name, folder, version, least)
    return figures


def _site(name: str, folder: Path, version: str, least: float | None) -> list[Figure]:
    files = sorted(path for path in folder.rglob("*") if path.suffix in PAGE)
    size = sum(path.stat().st_size for path in files)
    forget(HOME)
    HOME.mkdir(parents=True, exist_ok=True)
    used = min((_added(name, folder, version) for _ in range(ROUNDS if least else 1)), key=lambda one: one.cpu)
    counts = next(one.counts for one in FileCatalog(HOME / "catalog.db").published())
    told = f"{len(files):,} files, {size / len(files) / 1e3:.0f} KB each; {counts['pages']:,} pages kept"
    told += f", {counts['symbols']:,} symbols, {counts['chunks']:,} chunks"
    print(f"site_speed: {name}: {told}; {used.cpu:.1f} s CPU, {used.wall:.1f} s wall")
    rate = len(files) / used.cpu  # redirects, indexes and listings of source are read too, and left out
    return [
        Figure(f"site {name}: pages a CPU second", rate, "/s", least, at_least=True, counts=told),
        Figure(f"site {name}: peak memory", used.peak_mb, "MB", 1_024, counts=told),
        *_peers(name, files, rate),
    ]


def _added(name: str, folder: Path, version: str) -> Usage:
    forget(HOME)
    return add(HOME, f"files:{folder} as site:{name}@{version}")


def _peers(name: str, files: Sequence[Path], rate: float) -> list[Figure]:
    sample = [str(path) for path in files[:: max(1, len(files) // SAMPLE)][:SAMPLE]]
    figures: list[Figure] = []
    for peer in PEERS:
        module = ["-m", "bench.site_speed", "--peer", peer]
        empty, used = run(module, os.environ), run([*module, *sample], os.environ)
        if used.code:
            print(f"site_speed: {peer} is left out, it does not run here")
            continue
        pages = len(sample) / max(used.cpu - empty.cpu, 1e-9)  # without what importing it costs
        told = f"{len(sample)} pages, converting only"
        figures += [
            Figure(f"site {name}: {peer}, pages a CPU second", pages, "/s", counts=told),
            Figure(f"site {name}: {peer}, peak memory", used.peak_mb, "MB", counts=told),
            Figure(f"site {name}: refdesk is faster than {peer}", rate / pages, "times", counts=told),
        ]
    return figures


def _trafilatura(files: Sequence[str]) -> None:
    import trafilatura

    for file in files:
        trafilatura.extract(Path(file).read_bytes(), output_format="markdown", include_links=True, include_tables=True)


def _readability(files: Sequence[str]) -> None:
    from markdownify import markdownify
    from readability import Document

    for file in files:
        markdownify(Document(Path(file).read_text(encoding="utf-8", errors="replace")).summary())


PEERS: dict[str, Callable[[Sequence[str]], None]] = {
    "trafilatura": _trafilatura,
    "readability + markdownify": _readability,
}

if __name__ == "__main__":
    from bench.measuring import table

    print(table(main(sys.argv[1:])))
