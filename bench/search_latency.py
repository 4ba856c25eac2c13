"""CPU of a warm `search_docs` through the dispatcher, in a folder of 100,000 chunks of 100 releases.

Everything counts that a call costs (validation, choice of releases, the three ways, ranking, snippets, call log,
rendered answer) but the embedding of the question: the embedder hands out directions that were drawn before. Vectors
are seeded noise of the real width, so the vector way costs what it costs and finds nothing sensible. No question is
asked twice; other questions warm the caches first. That is done in several passes, each with a newly opened desk, and
the smallest time of each question counts: what other programs do to the processor's caches is not ours to measure.
SQLite's FTS5 answers the same questions over the same texts in the same way.
"""

import random
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import apsw
import numpy as np
import orjson
from numpy.typing import NDArray

from bench import corpus
from bench.machine import data_folder, describe
from bench.measuring import Figure, percentile
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.bootstrap import open_desk
from refdesk.domain.entries import Chunk
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.descriptor import Caller
from refdesk.operations.dispatcher import Dispatcher
from refdesk.services.searching import Searching
from refdesk.settings import Settings

QUESTIONS = 300
WARM_UP = 50
PASSES = 3

_SEED = 7
_WORD = re.compile(r"[a-z]{4,}")
_LEAST, _MOST = 20, 2_000  # chunks of the release that a mid-frequency word is in
_CALLER = Caller("python")


@dataclass(frozen=True, slots=True)
class DrawnEmbedder:
    """An Embedder whose questions cost nothing: seeded directions, one after another by the text's hash."""

    directions: "NDArray[np.float32]"
    id: str = corpus.EMBEDDER
    dimensions: int = corpus.DIMENSIONS
    languages: frozenset[str] = frozenset({"en"})

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """A direction; the same text gets the same one in one process."""
        direction: NDArray[np.float32] = self.directions[hash(text) % len(self.directions)]
        return direction

    def embed_documents(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Directions of passages."""
        return np.stack([self.embed_query(text) for text in texts])


def figures() -> list[Figure]:
    """Measure."""
    home = corpus.prepare()
    packs = FolderPacks(home / "packs", home / "locks")
    published = {str(one.release.library): one for one in FileCatalog(home / "catalog.db").published()}
    largest = str(corpus.library_of(0))
    texts = {name: _chunks(packs, one.pack) for name, one in published.items()}
    questions = questions_of(texts[largest], QUESTIONS + WARM_UP, random.Random(_SEED)) + _plain()
    counts = (
        f"{len(questions) - WARM_UP} questions, {sum(map(len, texts.values())):,} chunks, {len(published)} releases"
    )
    print(f"search_latency: {counts}")
    return [
        *_ours("one release of 15,000 chunks", home, questions, {"library": largest}, (3.0, 10.0), counts),
        *_ours("no library named", home, questions, {}, (None, 40.0), counts),
        *_peer("FTS5 alone, the same 15,000 chunks", texts[largest], questions),
        *_peer("FTS5 alone, all chunks", [one for some in texts.values() for one in some], questions),
    ]


def questions_of(chunks: Sequence[Chunk], count: int, random_: random.Random) -> list[str]:
    """Five words of middling frequency of one chunk each; every other question names the chunk's API too."""
    words = [sorted(set(_WORD.findall(one.text.lower()))) for one in chunks]
    frequency = Counter(word for some in words for word in some)
    found: list[str] = []
    while len(found) < count:
        row = random_.randrange(len(chunks))
        telling = [word for word in words[row] if _LEAST <= frequency[word] <= _MOST]
        if len(telling) >= 5:
            name = [chunks[row].symbol.rpartition(".")[2]] if len(found) % 2 else []
            found.append(" ".join([*name, *random_.sample(telling, 5)]))
    return found


def main(_arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures."""
    print(describe())
    return figures()


def _plain() -> list[str]:
    folder = data_folder()
    if folder is None:
        return []
    lines = (folder / "paraphrase-queries" / "paraphrase-queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [orjson.loads(line)["q"] for line in lines]


def _chunks(packs: FolderPacks, pack: str) -> Sequence[Chunk]:
    text = packs.open(pack).text
    return text.chunks(range(len(text.lengths().prose)))


def _ours(
    name: str,
    home: Path,
    questions: Sequence[str],
    arguments: dict[str, object],
    limits: tuple[float | None, float],
    counts: str,
) -> list[Figure]:
    passes = [_pass(home, questions, arguments) for _ in range(PASSES)]
    hits = passes[0][1]
    single = ", ".join(f"{percentile(one, 0.5):.2f} / {percentile(one, 0.95):.2f}" for one, _ in passes)
    print(f"  {name}: {hits:,} hits; p50 / p95 of each pass by itself: {single} ms")
    return _figures(name, [min(times) for times in zip(*(one for one, _ in passes), strict=True)], limits, counts)


def _pass(home: Path, questions: Sequence[str], arguments: dict[str, object]) -> tuple[list[float], int]:
    """CPU milliseconds of each question over a newly opened desk, and how many hits they have together."""
    desk = open_desk(Settings(home=home, vectors=False))
    drawn = np.random.default_rng(_SEED).standard_normal((997, corpus.DIMENSIONS)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    searching = Searching(desk.services.shelf, FileCatalog(home / "catalog.db"), DrawnEmbedder(drawn))
    services = replace(desk.services, searching=searching)
    numbers = iter(range(1 << 30))
    dispatcher = Dispatcher(services, CATALOGUE, desk.ledger, desk.clock, lambda: f"{next(numbers):032x}")
    hits = 0

    def ask(question: str) -> None:
        nonlocal hits
        answer = dispatcher.call("search_docs", {"query": question, **arguments}, _CALLER)
        shown = answer.result.model_dump()
        if "Vectors" in shown["note"]:
            raise RuntimeError(f"this measures searches with vectors: {shown['note']}")
        hits += len(shown["hits"])

    times = timed(ask, questions)
    desk.close()
    return times, hits


def _peer(name: str, chunks: Sequence[Chunk], questions: Sequence[str]) -> list[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="refdesk-bench-"))
    connection = apsw.Connection(str(folder / "peer.db"))
    connection.execute("CREATE VIRTUAL TABLE chunk USING fts5(names, prose, tokenize = 'porter unicode61')")
    with connection:
        rows = ((" ".join((*one.names, one.title)), one.text) for one in chunks)
        connection.executemany("INSERT INTO chunk (names, prose) VALUES (?, ?)", rows)
    connection.execute("INSERT INTO chunk (chunk) VALUES ('optimize')")

    def ask(question: str) -> None:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        statement = "SELECT rowid, prose FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk, 2.0, 1.0) LIMIT 5"
        connection.execute(statement, (words,)).fetchall()

    times = [min(some) for some in zip(*(timed(ask, questions) for _ in range(PASSES)), strict=True)]
    connection.close()
    shutil.rmtree(folder)
    return _figures(name, times, (None, None), f"{len(chunks):,} chunks")


def timed(ask: Callable[[str], None], questions: Sequence[str]) -> list[float]:
    """CPU milliseconds of each question after the first `WARM_UP`, all threads of the process together."""
    for question in questions[:WARM_UP]:
        ask(question)
    times: list[float] = []
    for question in questions[WARM_UP:]:
        start = time.process_time()
        ask(question)
        times.append((time.process_time() - start) * 1_000)
    return times


def _figures(name: str, times: Sequence[float], limits: tuple[float | None, float | None], counts: str) -> list[Figure]:
    median, high = limits
    return [
        Figure(f"search, {name}: p50 CPU", percentile(times, 0.5), "ms", median, counts=counts),
        Figure(f"search, {name}: p95 CPU", percentile(times, 0.95), "ms", high, counts=counts),
        Figure(f"search, {name}: p99 CPU", percentile(times, 0.99), "ms", counts=counts),
    ]
