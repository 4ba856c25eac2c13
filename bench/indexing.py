"""What it costs to make releases answer, without vectors: CPU, peak memory, disk. Each `refdesk add` is a process.

Packages are downloaded before anything is measured. The text corpus is the descriptions of the AWS services as
Markdown files: real prose of known size that nobody has to download.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.machine import describe
from bench.measuring import CACHE, Figure, add
from refdesk.adapters.archives import open_archives
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.ports.progress import silent

HOME = CACHE / "bench-indexing"
BOTOCORE = "1.44.8"
PYTHON_PACKAGES = (("pandas", "2.2.3"), ("azure-mgmt-storage", "21.2.1"))

_SECTIONS = 40  # of one Markdown file


def main(_arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures."""
    print(describe())
    HOME.mkdir(parents=True, exist_ok=True)
    archives = open_archives(HOME / "archives", os.environ)
    for package, version in (("botocore", BOTOCORE), *PYTHON_PACKAGES):
        archives.fetch(package, version, silent)
    forget(HOME)
    return [*_aws(), *_text(), *(one for package in PYTHON_PACKAGES for one in _python(*package))]


def markdown_of(texts: Iterable[tuple[str, str]]) -> Iterable[str]:
    """Files of titled sections."""
    sections = [f"## {title}\n\n{text}\n" for title, text in texts]
    for start in range(0, len(sections), _SECTIONS):
        yield f"# Part {start // _SECTIONS + 1}\n\n" + "\n".join(sections[start : start + _SECTIONS])


def _aws() -> list[Figure]:
    used = add(HOME, f"aws:*@{BOTOCORE}")
    published = FileCatalog(HOME / "catalog.db").published()
    packs = FolderPacks(HOME / "packs", HOME / "locks")
    operations = sum(
        one.kind == "operation"
        for release in published
        for one in packs.open(release.pack).entries.summaries("", "", 1 << 30)
    )
    chunks = sum(one.counts["chunks"] for one in published)
    disk = sum(file.stat().st_size for file in [*(HOME / "packs").iterdir(), *HOME.glob("catalog.db*")])
    counts = f"{len(published)} services, {operations:,} operations, {chunks:,} chunks of botocore {BOTOCORE}"
    print(f"indexing: {counts}; {used.wall:.0f} s wall")
    return [
        Figure("indexing all of AWS: CPU", used.cpu, "s", 90, counts=counts),
        Figure("indexing all of AWS: peak memory", used.peak_mb, "MB", 600, counts=counts),
        Figure("indexing all of AWS: chunks a CPU second", chunks / used.cpu, "/s", counts=counts),
        Figure("disk a chunk, packs and catalog", disk / chunks / 1_000, "KB", 2.5, counts=f"{disk / 1e6:.1f} MB"),
    ]


def _text() -> list[Figure]:
    packs = FolderPacks(HOME / "packs", HOME / "locks")
    texts = (
        (chunk.title, chunk.text)
        for release in FileCatalog(HOME / "catalog.db").published()
        for text in [packs.open(release.pack).text]
        for chunk in text.chunks(range(len(text.lengths().prose)))
        if chunk.symbol
    )
    with tempfile.TemporaryDirectory() as folder:
        files, size = 0, 0
        for files, text in enumerate(markdown_of(texts), 1):
            size += Path(folder, f"part-{files:05}.md").write_bytes(text.encode())
        used = add(HOME, f"files:{folder} as site:bench@1")
    chunks = next(
        one.counts["chunks"]
        for one in FileCatalog(HOME / "catalog.db").published()
        if str(one.release.library) == "site:bench"
    )
    counts = f"{chunks:,} chunks, {files} Markdown files, {size / 1e6:.1f} MB"
    print(f"indexing: {counts}")
    return [
        Figure("indexing text: chunks a CPU second", chunks / used.cpu, "/s", 3_000, at_least=True, counts=counts),
        Figure("indexing text: peak memory", used.peak_mb, "MB", 600, counts=counts),
    ]


def _python(package: str, version: str) -> list[Figure]:
    used = add(HOME, f"pypi:{package}=={version}")
    found = next(
        one for one in FileCatalog(HOME / "catalog.db").published() if str(one.release.library) == f"pypi:{package}"
    )
    counts = f"{found.counts['symbols']:,} symbols, {found.counts['chunks']:,} chunks"
    print(f"indexing: {package} {version}: {counts}")
    return [
        Figure(f"indexing {package} {version}: CPU", used.cpu, "s", counts=counts),
        Figure(f"indexing {package} {version}: peak memory", used.peak_mb, "MB", 600, counts=counts),
    ]


def forget(home: Path) -> None:
    """Take away what was indexed; downloads and the cache of vectors stay."""
    for name in ("packs", "locks"):
        shutil.rmtree(home / name, ignore_errors=True)
    for file in home.glob("*.db*"):
        file.unlink()
