"""Vectors of a release: made after its text is searchable, resumable, one per distinct text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refdesk.domain.releases import Published
from refdesk.ports.embedder import Embedder
from refdesk.ports.packs import Pack, Packs, VectorCache
from refdesk.ports.progress import Progress, Step
from refdesk.retrieval.evidence import text_of, vectors_id
from refdesk.retrieval.vectors import quantise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 64
"""Texts between two durable steps; what an interruption can cost at most."""


class Embedding:
    """Completes the vectors of releases."""

    def __init__(self, packs: Packs, cache: VectorCache, embedder: Embedder) -> None:
        self._packs = packs
        self._cache = cache
        self._embedder = embedder

    @property
    def embedder(self) -> Embedder:
        """What turns texts and questions into vectors."""
        return self._embedder

    def complete(self, published: Published, progress: Progress) -> None:
        """Make the vectors of a release if they are not there yet; goes on where an earlier run stopped.

        Those of another embedder, or of texts in another form, count as not there. The cache asks for the embedder
        only, because it finds a vector by the text itself.
        """
        pack = self._packs.open(published.pack)
        made_as = vectors_id(self._embedder.id)
        if pack.text.vectors(made_as) is not None:
            return
        import numpy as np

        texts = _texts(pack)
        vectors = self._vectors(texts, published.release.label, progress)
        empty = np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        matrix = np.stack([vectors[text] for text in texts]) if texts else empty
        self._packs.write_vectors(published.pack, made_as, quantise(matrix))

    def _vectors(self, texts: Sequence[str], label: str, progress: Progress) -> "dict[str, NDArray[np.float32]]":
        distinct = list(dict.fromkeys(texts))
        vectors = dict(self._cache.get(self._embedder.id, distinct))
        # By length: texts that run side by side then end at about the same time.
        missing = sorted((text for text in distinct if text not in vectors), key=lambda text: (len(text), text))
        progress(Step("embed", label, len(distinct) - len(missing), len(distinct), "chunks"))
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            made = dict(zip(batch, self._embedder.embed_documents(batch), strict=True))
            self._cache.put(self._embedder.id, made)
            vectors.update(made)
            progress(Step("embed", label, len(vectors), len(distinct), "chunks"))
        return vectors


def _texts(pack: Pack) -> list[str]:
    rows = range(len(pack.text.lengths().prose))
    library = pack.manifest.release.library
    return [text_of(chunk, library) for chunk in pack.text.chunks(rows)]
