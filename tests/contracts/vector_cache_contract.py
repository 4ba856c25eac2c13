"""What every cache of vectors must do."""

import numpy as np
import pytest
from numpy.typing import NDArray

from refdesk.ports.packs import VectorCache
from refdesk.retrieval.vectors import quantise


def unit_vectors(count: int, dimensions: int = 384) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = np.random.default_rng(7).normal(size=(count, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


class VectorCacheContract:
    """A test class of an implementation inherits this and overrides `cache`."""

    @pytest.fixture
    def cache(self) -> VectorCache:
        raise NotImplementedError

    def test_an_empty_cache_knows_nothing(self, cache: VectorCache) -> None:
        assert not cache.get("small-1", ["a", ""])
        assert not cache.get("small-1", [])

    def test_vectors_come_back_by_text_and_embedder(self, cache: VectorCache) -> None:
        one, two = unit_vectors(2)
        cache.put("small-1", {"a": one, "ä\udc80\0": two})
        found = cache.get("small-1", ["ä\udc80\0", "b", "a", "a"])
        assert set(found) == {"a", "ä\udc80\0"}
        assert found["a"].dtype == np.float32
        assert found["a"].shape == (384,)
        np.testing.assert_allclose(found["a"], one, atol=float(np.abs(one).max()) / 253)
        assert not cache.get("small-2", ["a"])

    def test_a_pack_made_from_the_cache_equals_one_embedded_anew(self, cache: VectorCache) -> None:
        fresh = unit_vectors(300)
        cache.put("e", {str(number): vector for number, vector in enumerate(fresh)})
        found = cache.get("e", [str(number) for number in range(300)])
        kept = quantise(np.stack([found[str(number)] for number in range(300)]))
        expected = quantise(fresh)
        assert np.array_equal(kept.values, expected.values)
        np.testing.assert_allclose(kept.scales, expected.scales, rtol=1e-6)

    def test_the_zero_vector_stays_zero(self, cache: VectorCache) -> None:
        cache.put("e", {"": np.zeros(8, np.float32)})
        assert cache.get("e", [""])[""].tolist() == [0.0] * 8

    def test_putting_again_replaces(self, cache: VectorCache) -> None:
        first, second = unit_vectors(2)
        cache.put("e", {"a": first})
        cache.put("e", {"a": second})
        cache.put("e", {})
        np.testing.assert_allclose(cache.get("e", ["a"])["a"], second, atol=0.01)
