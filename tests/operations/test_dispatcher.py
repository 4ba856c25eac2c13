"""Every operation of every surface runs in the same order: validate, policy, service, log, render."""

import itertools
import json
import logging
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from fakes.clock import FixedClock
from fakes.index import sample
from fakes.ledger import MemoryLedger
from refdesk.domain.errors import InternalError, InvalidInput, NotFound, RefdeskError, Refused
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.descriptor import Caller, Input, Operation, Output, Served
from refdesk.operations.dispatcher import Dispatcher


class EchoInput(Input):
    text: str
    token: str = ""
    many: list[str] = Field(default_factory=list)
    fail: str = ""


class EchoOutput(Output):
    version_line: str


class Defect(Exception):
    pass


def _run(clock: FixedClock, request: EchoInput, _caller: Caller) -> EchoOutput:
    clock.advance(1.5)
    if request.fail == "refdesk":
        raise NotFound("Not here.", "Look elsewhere.")
    if request.fail == "defect":
        raise Defect("secret details")
    if request.fail == "interrupt":
        raise KeyboardInterrupt
    return EchoOutput(version_line=request.text)


def _render(output: EchoOutput) -> str:
    if output.version_line == "unrenderable":
        raise Defect("secret details")
    return f"[{output.version_line}]"


def operation(name: str, **facts: Any) -> Operation[EchoInput, EchoOutput]:
    given: dict[str, Any] = {
        "name": name,
        "toolset": "docs",
        "title": name,
        "description": name,
        "input": EchoInput,
        "output": EchoOutput,
        "run": _run,
        "render": _render,
        "served": lambda output: Served("pypi:box", "", "pypi:box@1", (output.version_line,), 1),
        "view": "text",
        "cli": name,
        "rest": ("GET", f"/{name}"),
        "ceiling": 100,
        "secrets": frozenset({"token"}),
        **facts,
    }
    return Operation(**given)


ECHO, WRITE = operation("echo"), operation("write_echo", effects="write", toolset="admin")


def dispatcher(ledger: MemoryLedger | None = None, *, read_only: bool = False) -> Dispatcher:
    clock = FixedClock()
    numbers = itertools.count(1)
    return Dispatcher(clock, (ECHO, WRITE), ledger, clock, lambda: f"trace-{next(numbers)}", read_only=read_only)


def failure(name: str, arguments: dict[str, object], **facts: Any) -> RefdeskError:
    with pytest.raises(RefdeskError) as caught:
        dispatcher(**facts).call(name, arguments, Caller("cli"))
    return caught.value


def test_an_answer_holds_the_structure_the_text_and_the_trace() -> None:
    answer = dispatcher().call("echo", {"text": "hello"}, Caller("cli"))
    assert (answer.result, answer.text, answer.trace_id) == (EchoOutput(version_line="hello"), "[hello]", "trace-1")
    assert answer.operation is ECHO


def test_an_unknown_operation_names_the_similar_and_the_known() -> None:
    error = failure("ehco", {})
    assert (error.code, error.suggestion) == ("not_found", "Known: echo, write_echo.")
    assert error.details["similar"] == ["echo"]
    assert error.trace_id == "trace-1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Argument 'text' is missing."),
        ({"text": 1}, "Argument 'text': expected text (got 1)."),
        ({"text": "x", "txet": 1}, "Unknown argument 'txet'; did you mean 'text'?"),
        ({"text": "x", "zzzzzz": 1}, "Unknown argument 'zzzzzz'."),
        ({"text": "\ud800"}, "Argument 'text': expected text of valid characters (got '\\ud800')."),
        ({"text": "x" * 20_001}, f"Argument 'text': expected at most 20000 characters long (got '{'x' * 56}…)."),
        ({"text": "x", "many": "x"}, "Argument 'many': expected a list (got 'x')."),
        ({"text": "x", "many": [1]}, "Argument 'many.0': expected text (got 1)."),
        (
            {"token": 1, "zzz": 2},
            "Argument 'text' is missing. Argument 'token': expected text (got 1). Unknown argument 'zzz'.",
        ),
    ],
)
def test_wrong_arguments_are_all_named_at_once_in_words_of_ours(arguments: dict[str, object], said: str) -> None:
    error = failure("echo", arguments)
    assert isinstance(error, InvalidInput)
    assert error.message == said
    assert error.suggestion == "echo takes: text, token, many, fail."


_LIMITS = [
    ("search_docs", {"query": "x", "limit": 0}, "Argument 'limit': expected at least 1 (got 0)."),
    ("search_docs", {"query": "x", "limit": 10**6}, "Argument 'limit': expected at most 20 (got 1000000)."),
    ("search_docs", {"query": "x", "limit": "5"}, "Argument 'limit': expected a whole number (got '5')."),
    ("search_docs", {"query": "x", "limit": 1.5}, "Argument 'limit': expected a whole number (got 1.5)."),
    ("search_docs", {"query": "x", "limit": 10**30}, f"Argument 'limit': expected at most 20 (got {10**30})."),
    ("search_docs", {"query": "x", "explain": 1}, "Argument 'explain': expected true or false (got 1)."),
    ("search_docs", {"query": "x", "libary": "y"}, "Unknown argument 'libary'; did you mean 'library'?"),
    ("search_docs", {"query": None}, "Argument 'query': expected text (got None)."),
    ("list_apis", {"limit": 501}, "Argument 'limit': expected at most 500 (got 501)."),
    ("get_page", {"page": "x", "max_tokens": 25_001}, "Argument 'max_tokens': expected at most 25000 (got 25001)."),
    ("index_library", {"specs": []}, "Argument 'specs': expected a list of at least 1 (got [])."),
]


@pytest.mark.parametrize(("name", "arguments", "said"), _LIMITS, ids=[said for *_, said in _LIMITS])
def test_limits_of_the_real_operations_are_said_in_words_of_ours(
    name: str, arguments: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        sample().dispatcher.call(name, arguments, Caller("cli"))
    assert caught.value.message == said


def test_an_unknown_kind_of_content_is_answered_with_those_that_exist() -> None:
    with pytest.raises(InvalidInput) as caught:
        sample().call("search_docs", query="x", content_type="guide")
    assert "one of 'api_reference', 'code_example'" in caught.value.message


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3)
)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(CATALOGUE), st.dictionaries(st.text(max_size=10), _JSON, max_size=4))
def test_no_arguments_whatever_are_an_internal_error(one: Operation[Any, Any], arguments: dict[str, object]) -> None:
    index = sample()
    with suppress(RefdeskError):
        index.dispatcher.call(one.name, arguments, Caller("cli"))
    (call,) = index.ledger.calls(10)
    assert call.error != "internal"
    assert isinstance(json.loads(call.arguments), dict)


@pytest.mark.parametrize("by", ["settings", "caller"])
def test_what_writes_is_refused_where_only_reading_is_allowed(by: str) -> None:
    made = dispatcher(read_only=by == "settings")
    with pytest.raises(Refused) as caught:
        made.call("write_echo", {"text": "x"}, Caller("mcp-http", read_only=by == "caller"))
    assert "refdesk add" in caught.value.suggestion
    assert made.call("echo", {"text": "x"}, Caller("mcp-http", read_only=True)).text == "[x]"


@pytest.mark.parametrize(
    "arguments", [{"text": "x", "fail": "defect"}, {"text": "unrenderable"}], ids=["run", "render"]
)
def test_a_defect_becomes_internal_without_a_trace_and_is_logged(
    arguments: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    ledger = MemoryLedger()
    with caplog.at_level(logging.ERROR, "refdesk"):
        error = failure("echo", arguments, ledger=ledger)
    assert isinstance(error, InternalError)
    assert error.message == "echo failed in refdesk itself (Defect)."
    assert "secret details" not in json.dumps(error.payload())
    assert "secret details" in caplog.text
    assert ledger.calls(1)[0].error == "internal"


def test_a_call_is_logged_with_what_was_asked_and_served() -> None:
    ledger = MemoryLedger()
    caller = Caller("mcp-stdio", "conversation-7", "somebody")
    dispatcher(ledger).call("echo", {"text": "hello", "token": "s3cret"}, caller)
    (call,) = ledger.calls(10)
    assert (call.trace_id, call.surface, call.operation) == ("trace-1", "mcp-stdio", "echo")
    assert (call.conversation, call.principal) == ("conversation-7", "somebody")
    assert (call.library, call.served, call.ids, call.count) == ("pypi:box", "pypi:box@1", ("hello",), 1)
    assert (call.error, call.seconds) == ("", 1.5)
    assert "s3cret" not in call.arguments
    kept = json.loads(call.arguments)
    assert kept["text"] == "hello"
    assert kept["token"].startswith("sha256:")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [({"text": "x", "fail": "refdesk"}, "not_found"), ({}, "invalid_input"), ({"text": 1}, "invalid_input")],
)
def test_a_failed_call_is_logged_with_its_code(arguments: dict[str, object], code: str) -> None:
    ledger = MemoryLedger()
    failure("echo", arguments, ledger=ledger)
    (call,) = ledger.calls(10)
    assert (call.error, call.count, call.trace_id) == (code, 0, "trace-1")


def test_an_interrupted_call_is_not_logged_as_a_success() -> None:
    ledger = MemoryLedger()
    with pytest.raises(KeyboardInterrupt):
        dispatcher(ledger).call("echo", {"text": "x", "fail": "interrupt"}, Caller("cli"))
    assert ledger.calls(1)[0].error == "cancelled"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("x" * 5_000, "x" * 2_000 + "… (5000 characters)"),
        ("\ud800", "\ud800"),
        (10**30, 10**30),
        ([1, 2], [1, 2]),
        (["x" * 3_000], ("['" + "x" * 3_000)[:2_000]),
        ({1, 2}, "{1, 2}"),
    ],
    ids=["long", "no text", "large number", "list", "long list", "no JSON"],
)
def test_whatever_was_sent_is_logged_as_json(value: object, kept: object) -> None:
    ledger = MemoryLedger()
    failure("echo", {"text": 1, "many": value}, ledger=ledger)
    assert json.loads(ledger.calls(1)[0].arguments)["many"] == kept


def test_the_release_asked_for_is_logged_even_where_it_is_not_indexed() -> None:
    index = sample()
    with pytest.raises(NotFound):
        index.call("get_api_detail", api="x", library="pypi:parcel", version="9.9")
    (call,) = index.ledger.calls(1)
    assert (call.library, call.requested, call.error) == ("pypi:parcel", "9.9", "version_not_indexed")


def test_without_a_ledger_nothing_is_logged_and_all_works() -> None:
    assert dispatcher(None).call("echo", {"text": "x"}, Caller("cli")).text == "[x]"


def test_every_call_has_a_trace_of_its_own() -> None:
    made = dispatcher()
    traces = [made.call("echo", {"text": "x"}, Caller("cli")).trace_id for _ in range(3)]
    assert traces == ["trace-1", "trace-2", "trace-3"]


def test_toolsets_choose_operations_in_a_stable_order() -> None:
    made = dispatcher()
    assert [one.name for one in made.operations()] == ["echo", "write_echo"]
    assert [one.name for one in made.operations(["admin", "docs"])] == ["echo", "write_echo"]
    assert [one.name for one in made.operations(["admin"])] == ["write_echo"]
    assert [one.name for one in made.operations(writes=False)] == ["echo"]
    assert [one.name for one in dispatcher(read_only=True).operations()] == ["echo"]
    with pytest.raises(InvalidInput) as caught:
        made.operations(["docs", "facts"])
    assert (caught.value.message, caught.value.suggestion) == ("No toolset is called facts.", "Known: docs, admin.")
