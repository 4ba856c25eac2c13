"""100,000 real chunks regrouped into 100 releases of 100 libraries, for measuring search in a full index folder.

The chunks are those that ingesting makes of the AWS services of botocore and the APIs of google-api-python-client, in
a fixed shuffled order. Groups are as unequal as real libraries are (sizes fall as a power of the rank). Operations of
several services share names, so each symbol and chunk gets its service before its name; the plain name stays public.
"""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from filelock import FileLock

from bench.measuring import CACHE
from refdesk.adapters.archives import open_archives
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.clock import SystemClock
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.adapters.sources import AwsSource, GcpSource
from refdesk.domain.entries import Chunk, Entries
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Published, Release, Updated
from refdesk.domain.specs import parse_specs
from refdesk.domain.symbols import Symbol
from refdesk.domain.text import TOKENISER
from refdesk.ingest.pipeline import ingest
from refdesk.ports.packs import PACK_FORMAT, Manifest, Vectors
from refdesk.ports.progress import silent
from refdesk.retrieval.evidence import vectors_id
from refdesk.retrieval.vectors import quantise
from refdesk.services.indexing import card_of

HOME = CACHE / "bench-search"
SPECS = ("aws:*@1.44.8", "gcp:*@2.202.0", "aws:*@1.40.76", "gcp:*@2.70.0", "aws:*@1.34.162")
"""Read one after another until there are enough chunks."""

CHUNKS = 100_000
RELEASES = 100
LARGEST = 15_000
DIMENSIONS = 384
EMBEDDER = "bench/seeded-directions"

_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_ORDER = 20_260


@dataclass(slots=True)
class Group:
    """What becomes one release."""

    chunks: list[Chunk] = field(default_factory=list)
    symbols: dict[str, Symbol] = field(default_factory=dict)


def sizes(releases: int = RELEASES, chunks: int = CHUNKS, largest: int = LARGEST) -> list[int]:
    """Chunks of each release, the largest first: `largest / rank ** s`, with s so that they sum up to `chunks`."""
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        total = sum(largest / rank**middle for rank in range(1, releases + 1))
        low, high = (middle, high) if total > chunks else (low, middle)
    found = [int(largest / rank**low) for rank in range(1, releases + 1)]
    found[0] = largest
    for number in range(chunks - sum(found)):
        found[1 + number % (releases - 1)] += 1
    return found


def library_of(rank: int) -> Library:
    """The library of the release with this rank, from 0."""
    return Library("site", f"library-{rank:03}")


def prepare(home: Path = HOME) -> Path:
    """Build the folder unless it is there whole; returns it. One process builds, others wait."""
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home.with_suffix(".lock")):
        _prepare(home)
    return home


def seeded_vectors(count: int, seed: int) -> Vectors:
    """Directions drawn from a seeded normal distribution: a scan costs the same whatever the numbers are."""
    matrix = np.random.default_rng(seed).standard_normal((count, DIMENSIONS), dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return quantise(matrix)


def _prepare(home: Path) -> None:
    catalog, packs = FileCatalog(home / "catalog.db"), FolderPacks(home / "packs", home / "locks")
    known = catalog.published()
    current = all(one.format == PACK_FORMAT and packs.open(one.pack).manifest.tokeniser == TOKENISER for one in known)
    if len(known) == RELEASES and current:
        for one in known:
            _complete(packs, one.pack, one.counts["chunks"])
        return
    print(f"building {CHUNKS:,} chunks in {RELEASES} releases once in {home.name} (minutes)", flush=True)
    for one in known:
        catalog.withdraw(one.release)
        packs.remove(one.pack)
    for rank, group in enumerate(_groups(sizes())):
        _publish(catalog, packs, library_of(rank), group)
        print(f"  {library_of(rank)}: {len(group.chunks):,} chunks", flush=True)


def _groups(wanted: Sequence[int]) -> Iterator[Group]:
    entries = _entries()
    group = Group()
    for size in wanted:
        while len(group.chunks) < size:
            service, found = next(entries)
            _take(group, service, found)
        kept = Group(group.chunks[:size], {})
        kept.symbols = {one.symbol: group.symbols[one.symbol] for one in kept.chunks if one.symbol in group.symbols}
        yield kept
        rest = group.chunks[size:]
        group = Group(rest, {one.symbol: group.symbols[one.symbol] for one in rest if one.symbol in group.symbols})


def _entries() -> Iterator[tuple[str, Entries]]:
    """Real releases, ingested, each with a name that no other has: service, API version and carrier."""
    archives = open_archives(CACHE / "packages", os.environ)
    sources = {"aws": AwsSource(archives, SystemClock()), "gcp": GcpSource(archives, SystemClock())}
    for spec in parse_specs(SPECS):
        discoveries = list(sources[spec.library.ecosystem].discover(spec, silent))
        random.Random(_ORDER).shuffle(discoveries)
        for one in discoveries:
            service = one.release.key.partition(":")[2]
            yield "".join(char for char in service if char.isalnum()), ingest(one.read(silent))


def _take(group: Group, service: str, entries: Entries) -> None:
    for symbol in entries.symbols:
        name = f"{service}.{symbol.name}"
        group.symbols[name] = replace(symbol, name=name, names=(symbol.name, *symbol.names), input_shape="")
    for chunk in entries.chunks:
        symbol_name = f"{service}.{chunk.symbol}" if chunk.symbol else ""
        page = f"{service}/{chunk.page}" if chunk.page else ""
        group.chunks.append(replace(chunk, id=f"{service}/{chunk.id}", symbol=symbol_name, page=page))


def _publish(catalog: FileCatalog, packs: FolderPacks, library: Library, group: Group) -> None:
    release = Release(library, "1.0.0")
    origin, updated = Origin("bench", "1.0.0", "", "", verified=False), Updated(_DAY, "indexed")
    counts = {"symbols": len(group.symbols), "pages": 0, "chunks": len(group.chunks)}
    manifest = Manifest(PACK_FORMAT, release, origin, updated, _DAY, TOKENISER, (), counts)
    symbols = tuple(group.symbols[name] for name in sorted(group.symbols))
    entries = Entries(symbols=symbols, chunks=tuple(sorted(group.chunks, key=lambda one: one.id)))
    with packs.building(release.key):
        pack = packs.write(manifest, entries, silent)
        _complete(packs, pack, len(group.chunks))
        catalog.publish(Published(release, pack, PACK_FORMAT, origin, updated, _DAY, counts), card_of(entries.chunks))


def _complete(packs: FolderPacks, pack: str, chunks: int) -> None:
    """Write the vectors of a pack unless they are there under the name that a search looks for."""
    name = vectors_id(EMBEDDER)
    if packs.open(pack).text.vectors(name) is None:
        packs.write_vectors(pack, name, seeded_vectors(chunks, chunks))
