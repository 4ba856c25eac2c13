import ast
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Entries, Problem, Relation
from refdesk.domain.shapes import Member, Shape, expand, members_of
from refdesk.domain.symbols import Deprecation, ErrorRef, Example, Place, Returns, Symbol

Parse = Callable[[Mapping[str, bytes]], Entries]

EXAMPLE = """\
response = client.open_gate(
    Name='north',  # which gate
    Width=12,
    Force=True,
    Body=b'oil',
    Opened=datetime(2020, 1, 2, 3, 4),
    Tags={'wood': 'oak'},
    Parts=[
        {'Weight': 1.5, 'Parts': [{'Weight': 2}]},
        {'Weight': 1.5, 'Parts': [{'Weight': 2}]},
    ],
    **{'x-not-known': 'later'},
)

# response without ResponseMetadata:
# {'Part': {'Weight': 1}}"""


def symbol(entries: Entries, name: str) -> Symbol:
    return next(one for one in entries.symbols if one.name == name)


def test_symbols_stand_in_order_operations_errors_waiters(gates: Entries) -> None:
    assert [(one.kind, one.name) for one in gates.symbols] == [
        ("operation", "OpenGate"),
        ("operation", "UnlatchGates"),
        ("operation", "WatchGates"),
        ("operation", "ListGateARNs"),
        ("error", "GateBusy"),
        ("error", "Moved"),
        ("error", "NoSuchGate"),
        ("error", "Sender"),
        ("error", "Storm"),
        ("waiter", "GateOpen"),
    ]
    assert gates.problems == ()


def test_an_operation_has_all_that_an_answer_needs(gates: Entries, folder: str) -> None:
    assert symbol(gates, "OpenGate") == Symbol(
        name="OpenGate",
        kind="operation",
        names=("OpenGate", "open_gate"),
        summary="Opens one gate.",
        doc="> **Note:** Only by day.\n\nOpens `one` gate. It creaks.",
        signature="open_gate(*, Name: str, Width: int = ..., Force: bool = ..., Token: str = ...,"
        " Tags: dict[str, str] = ..., Parts: list[dict] = ..., Body: bytes | BinaryIO = ..., Opened: datetime = ...)",
        input_shape="OpenGateRequest",
        returns=Returns("OpenGateResult", "What was opened.", "OpenGateResult"),
        errors=(
            ErrorRef("NoSuchGate", "There is no gate of that name."),
            ErrorRef("GateBusy", "Somebody stands in it."),
            ErrorRef("Storm"),
        ),
        examples=(
            Example(EXAMPLE, "python", "To open a gate", "Opens it."),
            Example("response = client.open_gate()", "python"),
        ),
        place=Place(
            folder + "service-2.json.gz", url="https://docs.aws.amazon.com/goto/WebAPI/gates-2020-01-02/OpenGate"
        ),
        attributes={
            "http": {"method": "PUT", "path": "/gates/{Name}"},
            "waiters": ["GateOpen"],
            "service": {
                "id": "Gates",
                "name": "Example Gate Service",
                "protocol": "rest-json",
                "signature_version": "v4",
                "api_version": "2020-01-02",
            },
            "auth": "v4-unsigned-body",
            "endpoint": "gate.",
            "idempotency_token": ["Token"],
        },
    )


def test_examples_are_python(gates: Entries) -> None:
    for example in symbol(gates, "OpenGate").examples:
        ast.parse(example.code)


def test_a_paginator_is_kept_as_the_file_states_it(gates: Entries) -> None:
    attributes = symbol(gates, "ListGateARNs").attributes
    assert attributes["paginator"] == {"input_token": ["A", "B"], "output_token": "C", "result_key": "D"}


def test_many_optional_parameters_are_not_spelt_out(gates: Entries) -> None:
    assert symbol(gates, "ListGateARNs").signature == "list_gate_arns(**optional)"
    assert symbol(gates, "WatchGates").signature == "watch_gates()"


def test_a_stream_of_events_is_named(gates: Entries) -> None:
    assert symbol(gates, "WatchGates").attributes["event_stream"] == {"output": "Live"}


DEPRECATIONS = {
    "OpenGate": None,
    "UnlatchGates": Deprecation(
        "flag", "2019-05-06", "OpenGate", "This operation is deprecated, use OpenGate instead."
    ),
    "WatchGates": Deprecation("prose", note="This action is deprecated."),
    "ListGateARNs": Deprecation("flag"),
}


@pytest.mark.parametrize(("name", "expected"), DEPRECATIONS.items())
def test_a_deprecation_says_how_it_is_known(name: str, expected: Deprecation | None, gates: Entries) -> None:
    assert symbol(gates, name).deprecation == expected


def test_a_flag_without_a_message_takes_the_words_of_the_description(
    service: dict[str, Any], gate_files: dict[str, bytes], folder: str, parse: Parse, pack: Callable[[object], bytes]
) -> None:
    service["operations"]["ListGateARNs"]["documentation"] = "<p>Deprecated since 1.2. Use OpenGate instead.</p>"
    entries = parse({**gate_files, folder + "service-2.json.gz": pack(service)})
    assert symbol(entries, "ListGateARNs").deprecation == Deprecation(
        "flag", "1.2", "OpenGate", "Deprecated since 1.2. Use OpenGate instead."
    )
    assert Relation("ListGateARNs", "replaced_by", "OpenGate") in entries.relations


def test_an_error_says_what_it_means_and_how_it_is_caught(gates: Entries, folder: str) -> None:
    assert symbol(gates, "NoSuchGate") == Symbol(
        name="NoSuchGate",
        kind="error",
        names=("NoSuchGate", "GateNotFound"),
        summary="There is no gate of that name.",
        doc="There is no gate of that name. Build it.\n\n"
        "HTTP status 404 (client error). Its code in a response is `GateNotFound`.",
        signature="client.exceptions.NoSuchGate",
        place=Place(folder + "service-2.json.gz"),
        attributes={
            "http_status": 404,
            "code": "GateNotFound",
            "fault": "client",
            "fields": ["message"],
            "operations": ["OpenGate"],
        },
    )


ERRORS = {
    "GateBusy": ("A server error.", "A server error. The model marks it as retryable."),
    "Storm": ("", "The service model states no more than this error's name."),
    "Sender": ("A client error.", "A client error."),
    "Moved": ("HTTP status 301.", "HTTP status 301."),
}


@pytest.mark.parametrize(("name", "said"), ERRORS.items())
def test_an_error_without_a_description_still_says_what_is_stated(
    name: str, said: tuple[str, str], gates: Entries
) -> None:
    error = symbol(gates, name)
    assert (error.summary, error.doc) == said


def test_a_throttling_error_is_marked(gates: Entries) -> None:
    assert symbol(gates, "GateBusy").attributes == {
        "code": "GateBusy",
        "fault": "server",
        "retryable": True,
        "throttling": True,
        "operations": ["OpenGate"],
    }


def test_a_waiter_says_what_it_polls_and_when_it_ends(gates: Entries, folder: str) -> None:
    waiter = symbol(gates, "GateOpen")
    assert (waiter.names, waiter.summary, waiter.input_shape, waiter.place.path) == (
        ("GateOpen", "gate_open"),
        "Polls OpenGate every 5 seconds, at most 20 times.",
        "OpenGateRequest",
        folder + "waiters-2.json",
    )
    assert waiter.signature.startswith("client.get_waiter('gate_open').wait(*, Name: str, ")
    assert waiter.doc == (
        "Waits for the gate.\n\nPolls OpenGate every 5 seconds, at most 20 times.\n\n"
        "- Succeeds if the HTTP status is `200`.\n"
        "- Goes on if the error is `NoSuchGate`.\n"
        "- Fails if any error is raised: True.\n"
        "- Succeeds if `Part.Weight` is `0`.\n"
        "- Succeeds if every `Parts[].Weight` is `1`.\n"
        "- Fails if any `Parts[].Weight` is `2`.\n"
        "- full if moon is None."
    )
    assert (waiter.attributes["delay"], waiter.attributes["max_attempts"]) == (5, 20)


def test_a_waiter_of_an_unknown_operation_is_kept(parse: Parse) -> None:
    entries = parse({"service-2.json": b"{}", "waiters-2.json": b'{"waiters": {"A_b": {"operation": "B"}}}'})
    waiter = symbol(entries, "A_b")
    assert (waiter.names, waiter.summary, waiter.signature) == (
        ("A_b",), "Polls B.", "client.get_waiter('A_b').wait()",
    )  # fmt: skip


def test_relations_link_operations_to_errors_shapes_and_replacements(gates: Entries) -> None:
    assert gates.relations == (
        Relation("OpenGate", "raises", "NoSuchGate"),
        Relation("OpenGate", "raises", "GateBusy"),
        Relation("OpenGate", "raises", "Storm"),
        Relation("OpenGate", "parameter_type", "Part"),
        Relation("OpenGate", "returns", "OpenGateResult"),
        Relation("UnlatchGates", "parameter_type", "Part"),
        Relation("UnlatchGates", "replaced_by", "OpenGate"),
        Relation("WatchGates", "returns", "WatchGatesResult"),
    )


SHAPES = [
    Shape("Parts", "list", "list", doc="Inner first.", element="Part", limits={"max": 9}),
    Shape("Tags", "map", "map", element="Name", limits={"key_max": 4, "key_enum": ["wood", "iron"]}),
    Shape("Kind", "scalar", "string", enum=("wood", "iron"), limits={"max": 4}),
    Shape("Name", "scalar", "string", limits={"min": 1, "max": 63, "pattern": "[a-z]+", "sensitive": True}),
    Shape("Width", "scalar", "integer", limits={"min": 10}),
    Shape("Body", "scalar", "blob", limits={"streaming": True}),
    Shape("When", "scalar", "timestamp", limits={"format": "iso8601"}),
    Shape("Free", "scalar", "JSON document"),
    Shape("Events", "structure", "Events", members=(Member("Part", "Part"),), limits={"eventstream": True}),
    Shape(
        "Part", "structure", "Part", doc="A part of a gate.", limits={"union": True}, deprecation=Deprecation("flag"),
        members=(Member("Parts", "Parts"), Member("Weight", "Weight")),
    ),
    Shape(
        "OpenGateRequest", "structure", "OpenGateRequest",
        members=(
            Member("Width", "Width", "In *cm*."),
            Member("Name", "Name", required=True, kind="path"),
            Member("Owner", "Name", kind="header",
                   deprecation=Deprecation("flag", replacement="Tags", note="Use Tags.")),
            Member("Speed", "Name", "This member is no longer used.",
                   deprecation=Deprecation("prose", note="This member is no longer used.")),
            Member("Force", "Flag", kind="query"),
            Member("Token", "Name"),
            Member("Tags", "Tags"),
            Member("Parts", "Parts", kind="header"),
            Member("Body", "Body"),
            Member("Opened", "When"),
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_is_stored_once_with_all_that_it_states(shape: Shape, gates: Entries) -> None:
    assert gates.shapes[shape.name] == shape


def test_a_recursive_shape_expands_once_on_its_path(gates: Entries) -> None:
    top = members_of(gates.shapes["OpenGateResult"], gates.shapes.get)
    expansion = expand(top, gates.shapes.get)
    assert ([row.name for row in expansion.rows], expansion.cut) == (["Part", "Part.Parts", "Part.Weight"], False)


def test_shapes_without_a_type_and_dangling_references_are_problems(parse: Parse) -> None:
    model = {
        "shapes": {
            "A": {"type": "moon"},
            "B": {"type": "list", "member": {"shape": "Gone"}},
            "C": {"type": "structure", "members": {"X": {"shape": "A"}}},
        },
        "operations": {
            "Do": {"input": {"shape": "Gone"}, "output": {"shape": "Gone"}, "errors": [{"shape": "Gone"}, {}]}
        },
    }
    entries = parse({"service-2.json": json.dumps(model).encode()})
    assert entries.problems == (
        Problem("service-2.json", "The shape A has no known type and was left out."),
        Problem("service-2.json", "B refers to Gone, which does not exist."),
        Problem("service-2.json", "C refers to A, which does not exist."),
        Problem("service-2.json", "Do refers to Gone, which does not exist."),
    )
    do = symbol(entries, "Do")
    assert (do.returns, do.errors, do.place.url) == (Returns("Gone", shape="Gone"), (ErrorRef("Gone"),), "")
    assert entries.relations == ()


def test_names_that_are_taken_get_their_kind_as_a_prefix(parse: Parse) -> None:
    model = {
        "operations": {"Gate": {"errors": [{"shape": "Gate"}]}},
        "shapes": {"Gate": {"type": "structure", "exception": True, "error": {"code": "G"}}},
    }
    waiters = {"waiters": {"Gate": {"operation": "Gate"}}}
    entries = parse({"service-2.json": json.dumps(model).encode(), "waiters-2.json": json.dumps(waiters).encode()})
    assert [(one.name, one.names) for one in entries.symbols] == [
        ("Gate", ("Gate", "gate")),
        ("error.Gate", ("error.Gate", "Gate", "G")),
        ("waiter.Gate", ("waiter.Gate", "Gate", "gate")),
    ]
    assert entries.relations == (Relation("Gate", "raises", "error.Gate"),)


def test_parameters_that_python_cannot_name_are_left_to_the_list(parse: Parse) -> None:
    model = {
        "operations": {"Do": {"input": {"shape": "R"}}},
        "shapes": {
            "R": {"type": "structure", "required": ["a", "l", "m", "d"], "members": {
                "a": {"shape": "S"}, "x-y": {"shape": "S"}, "from": {"shape": "S"},
                "l": {"shape": "L"}, "m": {"shape": "M"}, "d": {"shape": "D"}}},
            "S": {"type": "string"},
            "L": {"type": "list", "member": {"shape": "L"}},
            "M": {"type": "map", "key": {"shape": "S"}, "value": {"shape": "R"}},
            "D": {"type": "structure", "document": True},
        },
    }  # fmt: skip
    signature = symbol(parse({"service-2.json": json.dumps(model).encode()}), "Do").signature
    assert signature == "do(*, a: str, l: list[dict], m: dict[str, dict], d: object, **optional)"


LITERALS = {
    "integer from text": ("integer", "-12", "-12"),
    "integer that is none": ("integer", "many", "'many'"),
    "number from text": ("double", "1.50", "1.50"),
    "boolean from text": ("boolean", "false", "False"),
    "boolean that is none": ("boolean", "no", "'no'"),
    "date": ("timestamp", "2020-01-02", "datetime(2020, 1, 2)"),
    "time with seconds": ("timestamp", "2020-01-02T03:04:05Z", "datetime(2020, 1, 2, 3, 4, 5)"),
    "time that is none": ("timestamp", "soon", "'soon'"),
    "seconds": ("timestamp", 12, "12"),
    "bytes": ("blob", "ö", "b'\\xc3\\xb6'"),
    "text": ("string", "it's", '"it\'s"'),
    "null": ("string", None, "None"),
}


@pytest.mark.parametrize(("kind", "value", "expected"), LITERALS.values(), ids=LITERALS)
def test_example_values_become_what_the_client_accepts(kind: str, value: object, expected: str, parse: Parse) -> None:
    model = {
        "operations": {"Do": {"input": {"shape": "R"}}},
        "shapes": {"R": {"type": "structure", "members": {"V": {"shape": "V"}}}, "V": {"type": kind}},
    }
    examples = {"examples": {"Do": [{"input": {"V": value}}]}}
    entries = parse({"service-2.json": json.dumps(model).encode(), "examples-1.json": json.dumps(examples).encode()})
    assert symbol(entries, "Do").examples[0].code == f"response = client.do(\n    V={expected},\n)"


def test_long_example_values_are_broken_over_lines(parse: Parse) -> None:
    examples = {"examples": {"Do": [{"input": {"V": {"names": ["n" * 40, "m" * 40], "x": 1}}, "output": {"y": []}}]}}
    model: dict[str, Any] = {"operations": {"Do": {}}}
    entries = parse({"service-2.json": json.dumps(model).encode(), "examples-1.json": json.dumps(examples).encode()})
    code = symbol(entries, "Do").examples[0].code
    assert code == (
        "response = client.do(\n    V={\n        'names': [\n"
        f"            '{'n' * 40}',\n            '{'m' * 40}',\n        ],\n        'x': 1,\n    }},\n)\n\n"
        "# response without ResponseMetadata:\n# {'y': []}"
    )


_NAMES = [f"N{number}" for number in range(6)]
_REF = st.builds(lambda name: {"shape": name}, st.sampled_from(_NAMES))
_RAW = st.one_of(
    st.builds(lambda members: {"type": "structure", "members": members}, st.dictionaries(st.sampled_from("abc"), _REF)),
    st.builds(lambda element: {"type": "list", "member": element}, _REF),
    st.builds(lambda key, value: {"type": "map", "key": key, "value": value}, _REF, _REF),
    st.just({"type": "string"}),
)


@given(shapes=st.fixed_dictionaries(dict.fromkeys(_NAMES, _RAW)))
def test_any_graph_of_shapes_is_read_and_expands(shapes: dict[str, Any], parse: Parse) -> None:
    model = {"shapes": shapes, "operations": {"Do": {"input": {"shape": "N0"}, "output": {"shape": "N1"}}}}
    entries = parse({"service-2.json": json.dumps(model).encode()})
    assert list(entries.shapes) == list(shapes)
    assert entries.problems == ()
    expansion = expand(members_of(entries.shapes["N0"], entries.shapes.get), entries.shapes.get)
    assert len(expansion.rows) <= 200
