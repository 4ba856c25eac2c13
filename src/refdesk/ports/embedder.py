"""Embedders: text to vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into L2-normalised vectors. Thread-safe, loads late, never uses the network.

    The same text gives the same vector whatever stands beside it in the batch. An empty text gives the zero vector.
    """

    @property
    def id(self) -> str:
        """Model, build and hash of the weights; vectors of different ids never mix."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """Languages that it reads (ISO 639-1); a query in another one gets no vector weight."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Vectors of passages, shape (len(texts), dimensions)."""
        ...

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Vector of a question, shape (dimensions,)."""
        ...
