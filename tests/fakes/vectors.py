"""A cache of vectors in memory."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MemoryVectorCache:
    """VectorCache port without a file."""

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, str], NDArray[np.float32]] = {}

    def get(self, embedder: str, texts: Sequence[str]) -> "Mapping[str, NDArray[np.float32]]":
        return {text: self._vectors[embedder, text] for text in texts if (embedder, text) in self._vectors}

    def put(self, embedder: str, vectors: "Mapping[str, NDArray[np.float32]]") -> None:
        for text, vector in vectors.items():
            self._vectors[embedder, text] = vector.copy()
