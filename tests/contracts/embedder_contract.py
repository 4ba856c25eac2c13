"""What every embedder must honour; subclass it with a fixture `embedder`."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from refdesk.ports.embedder import Embedder

TEXTS = (
    "upload a file to a bucket",
    "delete",
    "Sends a request to the server and returns the response. " * 40,
    "def get(url: str, *, timeout: float = 5.0) -> Response: ...",
    "上传文件",
)

ODD_TEXTS = (
    "\x00",
    "a\x00b",
    "\ud800 lone",
    "\u202eright to left",
    "ﷺ" * 500,
    "x" * 100_000,
    "🙂",
    "[CLS] [SEP]",
    "``",
)


class EmbedderContract:
    def test_vectors_have_the_stated_shape_and_length_one(self, embedder: Embedder) -> None:
        found = embedder.embed_documents(TEXTS)
        assert found.shape == (len(TEXTS), embedder.dimensions)
        assert found.dtype == np.float32
        assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)

    def test_a_query_is_one_vector_of_length_one(self, embedder: Embedder) -> None:
        found = embedder.embed_query(TEXTS[0])
        assert found.shape == (embedder.dimensions,)
        assert found.dtype == np.float32
        assert np.linalg.norm(found) == pytest.approx(1, abs=1e-5)

    def test_no_text_gives_no_vector(self, embedder: Embedder) -> None:
        assert embedder.embed_documents([]).shape == (0, embedder.dimensions)

    @pytest.mark.parametrize("text", ["", " ", "\n\t"], ids=["empty", "space", "white space"])
    def test_an_empty_text_gives_the_zero_vector(self, embedder: Embedder, text: str) -> None:
        assert not embedder.embed_query(text).any()
        assert not embedder.embed_documents([text, TEXTS[0]])[0].any()

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=[ascii(text[:12]) for text in ODD_TEXTS])
    def test_odd_text_gives_a_finite_vector(self, embedder: Embedder, text: str) -> None:
        assert np.isfinite(embedder.embed_query(text)).all()

    @pytest.mark.parametrize(
        "batch", [TEXTS, TEXTS[::-1], (TEXTS[2], *TEXTS, TEXTS[2])], ids=["in order", "reversed", "doubled"]
    )
    def test_a_vector_does_not_depend_on_its_neighbours(self, embedder: Embedder, batch: Sequence[str]) -> None:
        together = embedder.embed_documents(batch)
        alone = np.stack([embedder.embed_documents([text])[0] for text in batch])
        assert np.array_equal(together, alone)

    def test_several_threads_get_the_same_vectors(self, embedder: Embedder) -> None:
        expected = [embedder.embed_query(text) for text in TEXTS]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(embedder.embed_query, TEXTS * 3))
        assert all(np.array_equal(one, other) for one, other in zip(found, expected * 3, strict=True))

    def test_a_text_is_nearest_to_one_that_shares_its_words(self, embedder: Embedder) -> None:
        found = embedder.embed_documents(["upload a file", "delete every queue"])
        question = embedder.embed_query("file upload")
        assert found[0] @ question > found[1] @ question

    def test_its_identity_is_constant(self, embedder: Embedder) -> None:
        assert embedder.id
        assert embedder.id == embedder.id.strip()
        assert all(len(language) == 2 for language in embedder.languages)
