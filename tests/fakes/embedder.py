"""An embedder without a model."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from refdesk.domain.text import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HashingEmbedder:
    """Embedder port: texts that share words are near each other (feature hashing, signed)."""

    def __init__(self, dimensions: int = 64, languages: frozenset[str] = frozenset({"en"})) -> None:
        self._dimensions = dimensions
        self._languages = languages

    @property
    def id(self) -> str:
        return f"hashing@1#{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def languages(self) -> frozenset[str]:
        return self._languages

    def embed_documents(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        found = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in enumerate(texts):
            found[row] = self.embed_query(text)
        return found

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        import numpy as np

        vector = np.zeros(self._dimensions, np.float32)
        for token in tokens(text):
            number = int.from_bytes(hashlib.sha256(token.encode("utf-8", "replace")).digest()[:8], "big")
            vector[number % self._dimensions] += 1 if number & (1 << 63) else -1
        length = np.linalg.norm(vector)
        return vector / length if length else vector
