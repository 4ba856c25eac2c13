"""Files of vectors: beside each pack one for each embedder, and the cache of vectors by content."""

import hashlib
import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from refdesk.adapters.packs.format import vectors_name
from refdesk.adapters.sqlite import Schema, open_to_read, open_to_write, select, storage_errors, transaction
from refdesk.ports.packs import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAGIC = b"rfdkvec1"
# The header is padded to this, so that the arrays behind it are aligned.
_ALIGNED = 64

_SCHEMA = Schema(
    "cache of vectors", b"rfdv", 1, "CREATE TABLE vector (text BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;"
)

_LOG = logging.getLogger(__name__)


class VectorsFile:
    """The vectors that one embedder made for one pack.

    Magic, length of the header (uint32), header (JSON: embedder, count, dimensions), zeros to a multiple of 64 bytes,
    scales (float32), values (int8, row by row); little-endian.
    """

    def __init__(self, pack: Path, embedder: str) -> None:
        self.path = pack.with_name(vectors_name(pack.name, embedder))
        self._embedder = embedder

    def read(self) -> Vectors | None:
        """Map the vectors into memory; None where there are none, or none that can be used: they are made again."""
        import numpy as np

        try:
            data = np.memmap(self.path, np.uint8, "r")
        except (FileNotFoundError, ValueError):
            return None
        try:
            embedder, count, dimensions, start = _header_of(data[: 1 << 16].tobytes())
        except (ValueError, TypeError):
            embedder, count, dimensions, start = "", 0, 0, 0
        if embedder != self._embedder or len(data) != start + count * (4 + dimensions):
            _LOG.warning("%s is damaged; the vectors are made again", self.path)
            return None
        values = start + 4 * count
        return Vectors(
            values=data[values:].view(np.int8).reshape(count, dimensions), scales=data[start:values].view("<f4")
        )

    def write(self, temporary: Path, vectors: Vectors) -> None:
        """Store vectors, whole or not at all; they pass through a temporary file in the same folder."""
        import numpy as np

        count, dimensions = vectors.values.shape
        header = orjson.dumps({"embedder": self._embedder, "count": count, "dimensions": dimensions})
        head = _MAGIC + len(header).to_bytes(4, "little") + header
        with temporary.open("wb") as file:
            file.write(head + bytes(-len(head) % _ALIGNED))
            file.write(np.ascontiguousarray(vectors.scales, "<f4").data)
            file.write(np.ascontiguousarray(vectors.values, np.int8).data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path)


class FileVectorCache:
    """VectorCache port: one SQLite file for each embedder, in a folder of their own.

    A vector is kept as int8 with one scale, the largest component being 127: what packs hold as well, and rounding it
    again gives the same numbers. So a pack made from the cache equals one that was embedded anew, at half of the size
    of float16.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, embedder: str, texts: Sequence[str]) -> "Mapping[str, NDArray[np.float32]]":
        """Vectors of the texts that are known."""
        path = self._path(embedder)
        opened = open_to_read(path, _SCHEMA)
        if opened is None:
            return {}
        found = {}
        with closing(opened[0]) as connection, storage_errors(path, connection):
            for text in dict.fromkeys(texts):
                for (data,) in select(connection, "SELECT data FROM vector WHERE text = ?", (_hash(text),)):
                    found[text] = _widened(data)
        return found

    def put(self, embedder: str, vectors: "Mapping[str, NDArray[np.float32]]") -> None:
        """Keep vectors, durable when it returns.

        Raises:
            StorageFull, StorageReadOnly: None of them is kept.
        """
        rows = [(_hash(text), _rounded(vector)) for text, vector in vectors.items()]
        path = self._path(embedder)
        # A call moves a batch, so that opening the file costs little beside it.
        with (
            closing(open_to_write(path, _SCHEMA)) as connection,
            storage_errors(path, connection),
            transaction(connection),
        ):
            connection.executemany("INSERT OR REPLACE INTO vector (text, data) VALUES (?, ?)", rows)

    def _path(self, embedder: str) -> Path:
        return self._folder / f"{hashlib.sha256(embedder.encode()).hexdigest()[:12]}.db"


def _header_of(data: bytes) -> tuple[str, int, int, int]:
    """Embedder, count and dimensions of a file, and where its arrays start.

    Raises:
        ValueError, TypeError: It is no header.
    """
    size = int.from_bytes(data[8:12], "little")
    start = 12 + size
    if data[:8] != _MAGIC or len(data) < start:
        raise ValueError("no file of vectors")
    header = orjson.loads(data[12:start])
    return str(header["embedder"]), int(header["count"]), int(header["dimensions"]), start + -start % _ALIGNED


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _rounded(vector: "NDArray[np.float32]") -> bytes:
    import numpy as np

    scale = np.float32(np.abs(vector).max(initial=0.0) / np.float32(127))
    values = np.rint(vector / (scale or np.float32(1))).astype(np.int8)
    data: bytes = np.array([scale], "<f4").tobytes() + values.tobytes()
    return data


def _widened(data: bytes) -> "NDArray[np.float32]":
    import numpy as np

    values: NDArray[np.float32] = np.frombuffer(data, np.int8, offset=4) * np.frombuffer(data, "<f4", 1)
    return values
