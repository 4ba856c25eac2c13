import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from refdesk.retrieval.vectors import quantise, similarities


def unit_vectors(count: int, dimensions: int = 48) -> NDArray[np.float32]:
    matrix = np.random.default_rng(7).standard_normal((count, dimensions)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 600])
def test_the_scan_is_exact_but_for_rounding(count: int) -> None:
    matrix = unit_vectors(count)
    query = unit_vectors(1)[0]
    found = similarities(quantise(matrix), query)
    assert found.shape == (count,)
    assert np.allclose(found, matrix @ query, atol=0.005)


@pytest.mark.parametrize("count", [0, 1, 600])
def test_without_the_faster_product_the_scan_says_the_same(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made, query = quantise(unit_vectors(count)), unit_vectors(1)[0]
    faster = similarities(made, query)
    monkeypatch.setitem(sys.modules, "simsimd", None)  # how Python spells a module that is not installed
    assert np.allclose(similarities(made, query), faster, atol=0.005)
    assert similarities(made, query).argsort()[-10:].tolist() == faster.argsort()[-10:].tolist()


def test_rounding_uses_the_whole_range_of_each_vector() -> None:
    made = quantise(np.array([[0.5, -0.25, 0.0], [0.01, 0.0, 0.0]], np.float32))
    assert made.values.dtype == np.int8
    assert made.values.tolist() == [[127, -64, 0], [127, 0, 0]]
    assert made.scales.tolist() == pytest.approx([0.5 / 127, 0.01 / 127])


def test_a_zero_vector_stays_zero() -> None:
    made = quantise(np.zeros((2, 4), np.float32))
    assert not made.values.any()
    assert similarities(made, np.ones(4, np.float32)).tolist() == [0, 0]


def test_a_vector_is_most_similar_to_itself() -> None:
    matrix = unit_vectors(300)
    made = quantise(matrix)
    assert [int(similarities(made, matrix[row]).argmax()) for row in (0, 17, 299)] == [0, 17, 299]
