"""Vectors of a release: made once for each text, resumed after an interruption."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from fakes.embedder import HashingEmbedder
from fakes.index import Index, entries, parcel, symbol
from fakes.vectors import MemoryVectorCache
from refdesk.domain.errors import Cancelled
from refdesk.ports.progress import Step, silent
from refdesk.retrieval.evidence import vectors_id
from refdesk.retrieval.vectors import quantise
from refdesk.services.embedding import BATCH, Embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CountingEmbedder(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        self.texts.extend(texts)
        return super().embed_documents(texts)


def many(count: int) -> Index:
    index = Index()
    made = [symbol(f"box.f{number}", doc=f"Number {number}. " + "Words. " * (number % 7)) for number in range(count)]
    index.add("pypi:box@1", entries(made))
    return index


def test_every_chunk_gets_a_vector_and_a_second_run_makes_none() -> None:
    index, embedder = Index(), CountingEmbedder()
    published = index.add("pypi:parcel@1.0.0", parcel())
    embedding = Embedding(index.packs, MemoryVectorCache(), embedder)
    assert embedding.embedder is embedder
    embedding.complete(published, silent)
    vectors = index.packs.open(published.pack).text.vectors(vectors_id(embedder.id))
    assert vectors is not None
    assert len(vectors.values) == published.counts["chunks"]
    made = len(embedder.texts)
    embedding.complete(published, silent)
    assert len(embedder.texts) == made


def test_a_text_is_embedded_once_however_often_it_occurs() -> None:
    index, embedder = Index(), CountingEmbedder()
    cache = MemoryVectorCache()
    for version in ("1.0.0", "1.0.1"):
        Embedding(index.packs, cache, embedder).complete(index.add(f"pypi:parcel@{version}", parcel()), silent)
    assert len(embedder.texts) == len(set(embedder.texts))


def test_an_interruption_costs_no_more_than_one_batch() -> None:
    index, embedder, cache = many(BATCH * 3), CountingEmbedder(), MemoryVectorCache()
    published = next(iter(index.catalog.published()))

    def stop(step: Step) -> None:
        if step.done >= BATCH:
            raise Cancelled("Enough.")

    with pytest.raises(Cancelled):
        Embedding(index.packs, cache, embedder).complete(published, stop)
    assert index.packs.open(published.pack).text.vectors(vectors_id(embedder.id)) is None
    Embedding(index.packs, cache, embedder).complete(published, silent)
    assert len(embedder.texts) == len(set(embedder.texts)) == BATCH * 3


def test_progress_counts_from_what_is_known_to_the_whole() -> None:
    index, steps = many(BATCH + 1), list[Step]()
    published = next(iter(index.catalog.published()))
    Embedding(index.packs, MemoryVectorCache(), HashingEmbedder()).complete(published, steps.append)
    assert [(step.done, step.total, step.unit) for step in steps] == [
        (0, BATCH + 1, "chunks"),
        (BATCH, BATCH + 1, "chunks"),
        (BATCH + 1, BATCH + 1, "chunks"),
    ]


def test_vectors_of_texts_in_another_form_are_made_again() -> None:
    index, embedder = Index(), CountingEmbedder()
    published = index.add("pypi:parcel@1.0.0", parcel())
    old = quantise(embedder.embed_documents(["old"] * published.counts["chunks"]))
    embedder.texts.clear()
    for made_as in (embedder.id, f"{embedder.id}+text-0"):
        index.packs.write_vectors(published.pack, made_as, old)
    Embedding(index.packs, MemoryVectorCache(), embedder).complete(published, silent)
    assert len(embedder.texts) == published.counts["chunks"]
    assert index.packs.open(published.pack).text.vectors(vectors_id(embedder.id)) is not None


def test_a_release_without_chunks_has_no_vectors_and_is_complete() -> None:
    index, embedder = Index(), CountingEmbedder()
    published = index.add("site:empty@1", entries())
    Embedding(index.packs, MemoryVectorCache(), embedder).complete(published, silent)
    vectors = index.packs.open(published.pack).text.vectors(vectors_id(embedder.id))
    assert vectors is not None
    assert vectors.values.shape == (0, embedder.dimensions)
