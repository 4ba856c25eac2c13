"""Files that releases were made from, handed out through the dispatcher."""

import gzip
import hashlib
from base64 import b64decode
from dataclasses import replace

import pytest

from fakes.index import Index, depot
from refdesk.domain.errors import NotFound, Refused
from refdesk.operations.outputs import FileAnswer
from refdesk.operations.specification import LARGEST_FILE, LARGEST_UNPACKED
from refdesk.ports.progress import silent

MODEL = b'{"metadata": {"serviceId": "Depot"}}\n'
FILES = {
    "data/depot/bomb.json.gz": gzip.compress(b" " * (LARGEST_UNPACKED + 1)),
    "data/depot/cut.json.gz": gzip.compress(MODEL)[:-9],
    "data/depot/fake.txt.gz": b"not packed at all",
    "data/depot/guide.md": b"# Guide\n\n````\n```\n````\n",
    "data/depot/huge.json": b" " * (LARGEST_FILE + 1),
    "data/depot/latin.txt": b"caf\xe9",
    "data/depot/notes": b"plain",
    "data/depot/packed-latin.txt.gz": gzip.compress(b"caf\xe9"),
    "data/depot/service-2.json.gz": gzip.compress(MODEL, mtime=0),
}


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index()
    index.archives.publish("botocore", "1.34.0", FILES)
    archive = index.archives.fetch("botocore", "1.34.0", silent)
    published = index.add("aws:depot@2020-01-01+1.34.0", depot(), files=sorted(FILES))
    index.catalog.publish(replace(published, origin=replace(published.origin, sha256=archive.sha256)), {})
    return index


def answer(index: Index, path: str) -> tuple[FileAnswer, str]:
    found = index.call("get_specification", library="depot", path=path, version="1.34.0")
    assert isinstance(found.result, FileAnswer)
    return found.result, found.text


def test_text_comes_as_text_with_its_hash_and_its_version_first(index: Index) -> None:
    found, text = answer(index, "data/depot/guide.md")
    data = FILES["data/depot/guide.md"]
    assert (found.text, found.base64, found.size) == (data.decode(), None, len(data))
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert found.release == "aws:depot@2020-01-01+1.34.0"
    assert text.startswith("[Version: aws:depot 2020-01-01 via botocore 1.34.0]\n")
    assert "\n\n`````md\n# Guide\n\n````\n```\n````\n`````" in text
    assert found.sha256 in text


def test_a_compressed_file_comes_as_it_is_and_is_unpacked_for_people(index: Index) -> None:
    found, text = answer(index, "data/depot/service-2.json.gz")
    assert found.text is None
    assert b64decode(found.base64 or "") == FILES["data/depot/service-2.json.gz"]
    assert text.endswith('\n\n```json\n{"metadata": {"serviceId": "Depot"}}\n```')


def test_a_file_without_an_ending_is_fenced_without_a_language(index: Index) -> None:
    assert answer(index, "data/depot/notes")[1].endswith("\n\n```\nplain\n```")


@pytest.mark.parametrize("name", ["bomb.json.gz", "cut.json.gz", "fake.txt.gz", "latin.txt", "packed-latin.txt.gz"])
def test_what_is_no_text_or_unpacks_to_too_much_is_told_and_comes_as_bytes(index: Index, name: str) -> None:
    found, text = answer(index, f"data/depot/{name}")
    assert found.text is None
    assert b64decode(found.base64 or "") == FILES[f"data/depot/{name}"]
    assert "It is no text that could be shown; --json gives its bytes." in text
    assert len(text) < 1_000


def test_a_file_that_is_too_large_is_refused_with_a_way_on(index: Index) -> None:
    with pytest.raises(Refused, match="6,000,001 bytes") as caught:
        answer(index, "data/depot/huge.json")
    assert "get_api_detail" in caught.value.suggestion


def test_what_was_served_and_what_failed_is_in_the_call_log(index: Index) -> None:
    answer(index, "data/depot/notes")
    with pytest.raises(NotFound):
        answer(index, "data/depot/note")
    failed, served = index.ledger.calls(2)
    assert (served.operation, served.served, served.ids) == (
        "get_specification",
        "aws:depot@2020-01-01+1.34.0",
        ("aws:depot@2020-01-01+1.34.0/spec/data/depot/notes",),
    )
    assert failed.error == "not_found"
