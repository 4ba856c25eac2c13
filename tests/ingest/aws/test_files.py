import gzip
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Entries
from refdesk.domain.errors import SourceRejected
from refdesk.ingest.aws.files import read_model

Parse = Callable[[Mapping[str, bytes]], Entries]
Pack = Callable[[object], bytes]


def test_plain_and_gzipped_files_read_alike(
    gate_files: dict[str, bytes], service: dict[str, Any], folder: str, parse: Parse
) -> None:
    packed = parse(gate_files)
    del gate_files[folder + "service-2.json.gz"]
    plain = parse({**gate_files, folder + "service-2.json": json.dumps(service).encode()})
    assert plain.shapes == packed.shapes
    assert [one.name for one in plain.symbols] == [one.name for one in packed.symbols]
    assert plain.symbols[0].place.path == folder + "service-2.json"


def test_gzip_of_several_members_and_a_byte_order_mark_are_read(service: dict[str, Any], folder: str) -> None:
    text = b"\xef\xbb\xbf" + json.dumps(service).encode()
    content = gzip.compress(text[:100]) + gzip.compress(text[100:])
    assert read_model({folder + "service-2.json.gz": content}).service == service


def test_extras_are_merged_deeply(service: dict[str, Any], folder: str, pack: Pack) -> None:
    extras = {
        "version": 1.0,
        "merge": {
            "shapes": {"OpenGateRequest": {"members": {"Extra": {"shape": "Name"}}, "required": ["Name", "Extra"]}},
            "new": {"a": 1},
        },
    }
    model = read_model(
        {
            folder + "service-2.json.gz": pack(service),
            folder + "service-2.sdk-extras.json": json.dumps(extras).encode(),
            folder + "paginators-1.sdk-extras.json.gz": pack({"merge": {"pagination": {}}}),
            folder + "paginators-1.json": b'{"pagination": 1}',
            folder + "waiters-2.sdk-extras.json": b'{"merge": {"waiters": {}}}',
            folder + "examples-1.json": b"{}",
            folder + "examples-1.sdk-extras.json": b'{"version": 1}',
        }
    )
    merged = service
    merged["shapes"]["OpenGateRequest"]["members"]["Extra"] = {"shape": "Name"}
    merged["shapes"]["OpenGateRequest"]["required"] = ["Name", "Extra"]
    merged["new"] = {"a": 1}
    assert model.service == merged
    assert model.paginators == {"pagination": {}}
    assert (model.waiters, model.examples, model.problems) == ({}, {}, ())


REJECTED = {
    "broken JSON": ("service-2.json", b'{"metadata":\n  oops}', "line 2, column 3"),
    "not UTF-8": ("service-2.json", b'{"a": "\xff"}', "not UTF-8 at byte 7"),
    "not an object": ("service-2.json", b"[]", "no JSON object"),
    "not gzip": ("service-2.json.gz", b"{}", "not a gzip file"),
    "cut gzip": ("service-2.json.gz", gzip.compress(b"{}" * 99)[:-9], "ends in the middle"),
    "empty gzip": ("service-2.json.gz", b"", "is not JSON"),
    "bomb": ("service-2.json.gz", gzip.compress(bytes(65 * 1024 * 1024), 9), "more than 64 MB"),
}


@pytest.mark.parametrize(("name", "content", "message"), REJECTED.values(), ids=REJECTED)
def test_an_unreadable_service_model_is_rejected_by_name(name: str, content: bytes, message: str, folder: str) -> None:
    with pytest.raises(SourceRejected, match=message) as caught:
        read_model({folder + name: content})
    assert caught.value.details["file"] == folder + name
    assert folder + name in caught.value.message


def test_a_release_without_a_service_model_is_rejected(folder: str) -> None:
    with pytest.raises(SourceRejected, match="no service model"):
        read_model({folder + "waiters-2.json": b"{}"})


def test_a_bomb_among_the_optional_files_is_rejected(gate_files: dict[str, bytes], folder: str) -> None:
    bomb = gzip.compress(bytes(65 * 1024 * 1024), 9)
    with pytest.raises(SourceRejected, match=r"examples-1\.json\.gz"):
        read_model({**gate_files, folder + "examples-1.json.gz": bomb})


@pytest.mark.parametrize("name", ["examples-1.json", "waiters-2.json", "paginators-1.json.gz", "x.json"])
def test_a_broken_optional_file_is_a_problem_and_the_rest_goes_on(
    name: str, gate_files: dict[str, bytes], folder: str, parse: Parse
) -> None:
    entries = parse({**gate_files, folder + name: b"{"})
    assert [problem.path for problem in entries.problems] == [folder + name] * (name != "x.json")
    assert any(one.name == "OpenGate" for one in entries.symbols)


_WORDS = (
    "A B type members member value key shape required enum error errors exception input output operations shapes name "
    "documentation http metadata waiters acceptors examples pagination title comments deprecated min"
)
_KEYS = st.sampled_from(_WORDS.split())
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["structure", "list", "map", "string", "A", "B"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=25,
)


_MODELS = st.dictionaries(_KEYS, _JSON)


@given(model=_MODELS, examples=_MODELS, waiters=_MODELS)
def test_a_model_of_any_form_is_read(model: Any, examples: Any, waiters: Any, parse: Parse) -> None:
    entries = parse(
        {
            "service-2.json": json.dumps(model).encode(),
            "examples-1.json": json.dumps(examples).encode(),
            "waiters-2.json": json.dumps(waiters).encode(),
        }
    )
    names = [one.name for one in entries.symbols]
    assert len(set(names)) == len(names)
