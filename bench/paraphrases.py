"""How well questions in plain language, keywords and Chinese find the one right operation among thousands.

The libraries are those that the questions are about, without saying which: each question is asked of all of them
together, as the whole service answers it. MRR@10 is the mean of 1 / rank of the first right hit, 0 beyond rank 10.
A row with several answers is right with any of them. The same questions go to lexical search alone, vectors alone and
reciprocal rank fusion, over the same packs. Chinese questions are asked as they are, which the tools advise against.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import orjson

from bench.machine import data_folder, describe
from bench.measuring import CACHE, Figure, add
from refdesk.adapters.embedders.minilm import MiniLm
from refdesk.bootstrap import Desk, open_desk
from refdesk.retrieval.evidence import vectors_id
from refdesk.retrieval.plan import Plan, Weights, plan
from refdesk.retrieval.search import Question, View, rank
from refdesk.services.searching import Ask
from refdesk.settings import Settings

HOME = CACHE / "bench-paraphrases"
AWS = ("s3", "ec2", "lambda", "dynamodb", "sqs", "sns", "secretsmanager", "logs")
GCP = {"gcs": "storage", "compute": "compute", "bigquery": "bigquery", "pubsub": "pubsub"}
SPECS = (
    *(f"aws:{name}@1.44.8" for name in AWS),
    *(f"gcp:{name}@2.202.0" for name in GCP.values()),
    "pypi:azure-storage-blob@12.31.1",
)
DEPTH = 10

Hits = Sequence[tuple[str, str]]
"""Library and canonical symbol of each hit, best first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question."""

    text: str
    set: Literal["en", "kw", "zh", "zh2"]
    answers: tuple[str, ...]


def main(_arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures."""
    folder = data_folder()
    if folder is None:
        print("paraphrases: no benchmark data here (set REFDESK_BENCH_DATA); nothing was asked")
        return []
    print(describe())
    add(HOME, *SPECS, vectors=True)
    lines = (folder / "paraphrase-queries" / "paraphrase-queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [Row(one["q"], one["lang"], tuple(one["answers"])) for one in map(orjson.loads, lines)]
    desk = open_desk(Settings(home=HOME))
    chunks = sum(one.counts["chunks"] for one in desk.services.shelf.published())
    counts = f"{len(rows)} questions, {chunks:,} chunks of {len(desk.services.shelf.published())} libraries"
    print(f"paraphrases: {counts}")
    figures: list[Figure] = []
    for name, ask in _systems(desk).items():
        ranks = {row: rank_of(ask(row.text), row.answers) for row in rows}
        for set_ in ("en", "kw", "zh", "zh2"):
            own = [ranks[row] for row in rows if row.set == set_]
            print(f"  {name:18} {set_:4} n={len(own):3} recall@10 {sum(map(bool, own)) / len(own):.2f}")
            figures.append(Figure(f"{name}, {set_}: MRR@10", mrr(own), "", counts=f"{len(own)} questions"))
    desk.close()
    return figures


def mrr(ranks: Sequence[int]) -> float:
    """Mean reciprocal rank; 0 stands for not found."""
    return sum(1 / one for one in ranks if one) / len(ranks) if ranks else 0.0


def rank_of(hits: Hits, answers: Sequence[str]) -> int:
    """From 1, of the first hit that is one of the answers (`s3:PutObject`, `gcs:objects.insert`); 0 if none is."""
    return next((place for place, hit in enumerate(hits[:DEPTH], 1) if any(is_answer(hit, one) for one in answers)), 0)


def is_answer(hit: tuple[str, str], answer: str) -> bool:
    """Whether a hit is the operation that an answer names; methods of Google and Azure carry more in front."""
    library, symbol = hit
    service, _, name = answer.partition(":")
    if service == "azblob":
        return library == "pypi:azure-storage-blob" and (symbol == name or symbol.endswith(f".{name}"))
    if service in GCP:
        return library == f"gcp:{GCP[service]}" and symbol in (name, f"{GCP[service]}.{name}")
    return library == f"aws:{service}" and symbol == name


def _systems(desk: Desk) -> dict[str, Callable[[str], Hits]]:
    shelf = desk.services.shelf
    chosen = [shelf.default(one) for one in shelf.defaults()]
    views = [View(one.pack.text, one.pack.entries) for one in chosen]
    names = [str(one.library) for one in chosen]
    embedder = MiniLm()

    def service(text: str) -> Hits:
        found = desk.services.searching.search(Ask(text, limit=DEPTH, max_tokens=100_000))
        hits = [one.ranked for one in found.hits]
        return [(str(found.searched[one.candidate.pack].library), one.chunk.symbol) for one in hits]

    def weighted(settle: Callable[[Plan], Plan]) -> Callable[[str], Hits]:
        def ask(text: str) -> Hits:
            wanted = settle(plan(text, readable=embedder.languages | {"zh"}))
            question = Question(vectors_id(embedder.id), embedder.embed_query(text)) if wanted.weights.vector else None
            hits = rank(wanted, views, DEPTH, question).hits
            return [(names[one.candidate.pack], one.chunk.symbol) for one in hits]

        return ask

    def fixed(weights: Weights) -> Callable[[str], Hits]:
        # `rrf` keeps the weights of a plan whatever the look-up of names finds; one way alone ranks the same in both.
        return weighted(lambda one: replace(one, method="rrf", weights=weights))

    return {
        "refdesk": service,
        "lexical alone": fixed(Weights(1.0, 0.0, 0.0)),
        "vectors alone": fixed(Weights(0.0, 1.0, 0.0)),
        "RRF 0.5/0.3/0.2": fixed(Weights(0.5, 0.3, 0.2)),
    }
