"""The vector way: exact scan of int8 vectors, and how vectors become int8.

BLAS should run with one thread (the matrices are small); the environment that starts the program decides that, not
this module. Where simsimd is installed (it comes with the extra `vectors`), it multiplies the integers themselves,
which costs a third of widening them for BLAS.
"""

from typing import TYPE_CHECKING, Final

from refdesk.ports.packs import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK: Final = 256
"""Rows that are widened to float32 at a time: 256 x 384 x 4 bytes stay in the processor's cache."""

_RESCORED: Final = 256
"""Nearest rows whose similarity is computed again with the question as it is, not rounded."""


def quantise(matrix: "NDArray[np.float32]") -> Vectors:
    """Round vectors to int8 with one scale each, the largest component becoming 127 or -127.

    Args:
        matrix: One vector in each row, shape (n, dimensions); a row of zeros stays zero.
    """
    import numpy as np  # late: importing this module must cost nothing

    largest = np.abs(matrix).max(axis=1, initial=0.0).astype(np.float32)
    scales = (largest / np.float32(127)).astype(np.float32)
    safe = np.where(scales > 0, scales, np.float32(1))
    return Vectors(np.rint(matrix / safe[:, None]).astype(np.int8), scales)


def similarities(vectors: Vectors, query: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Cosine of each vector with the question's, shape (n,); 0 for a zero vector.

    Args:
        vectors: Of one pack, as `quantise` made them of normalised vectors.
        query: Normalised, shape (dimensions,).
    """
    import numpy as np

    values = np.asarray(vectors.values)  # slices of a memory map that stays one cost more than the arithmetic on them
    try:
        import simsimd
    except ImportError:
        return widened(values, query) * vectors.scales
    if not len(values):
        return np.zeros(0, np.float32)
    rounded = quantise(query[None])
    products = np.asarray(simsimd.cdist(values, rounded.values, metric="inner"), np.float32)
    found: NDArray[np.float32] = products.reshape(len(values)) * (vectors.scales * rounded.scales[0])
    near = np.argpartition(-found, _RESCORED)[:_RESCORED] if len(found) > _RESCORED else np.arange(len(found))
    found[near] = widened(values[near], query) * vectors.scales[near]
    return found


def widened(values: "NDArray[np.int8]", query: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Products of int8 rows with a float32 vector, shape (n,), a block at a time."""
    import numpy as np

    found = np.empty(len(values), np.float32)
    wide = np.empty((_BLOCK, values.shape[1]), np.float32)
    for start in range(0, len(values), _BLOCK):
        block = values[start : start + _BLOCK]
        np.copyto(wide[: len(block)], block)
        np.dot(wide[: len(block)], query, out=found[start : start + len(block)])
    return found
