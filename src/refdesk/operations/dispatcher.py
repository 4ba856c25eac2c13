"""The dispatcher: every operation of every surface runs through here, in the same order.

Trace id → which operation, and may this caller run it → strict validation → service → rendered text → call log.
Surfaces translate arguments to it and answers from it.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from refdesk.domain.errors import Cancelled, InternalError, InvalidInput, NotFound, RefdeskError, Refused
from refdesk.domain.names import similar
from refdesk.operations.descriptor import Caller, Operation, Served
from refdesk.ports.clock import Clock
from refdesk.ports.ledger import Call, Ledger

_LOG = logging.getLogger("refdesk")
_LONGEST_LOGGED = 2_000
_MOST_LOGGED = 50

AnyOperation = Operation[Any, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation gave.

    Attributes:
        result: The structured form.
        text: The same as Markdown, complete by itself.
        trace_id: Finds this call in the log.
    """

    operation: AnyOperation
    result: BaseModel
    text: str
    trace_id: str


class Dispatcher:
    """Runs operations."""

    def __init__(
        self,
        services: object,
        operations: Iterable[AnyOperation],
        ledger: Ledger | None,
        clock: Clock,
        new_trace_id: Callable[[], str],
        *,
        read_only: bool = False,
    ) -> None:
        self._services = services
        self._operations = {operation.name: operation for operation in operations}
        self._ledger = ledger
        self._clock = clock
        self._new_trace_id = new_trace_id
        self._read_only = read_only

    def operations(self, toolsets: Iterable[str] | None = None, *, writes: bool = True) -> list[AnyOperation]:
        """The operations of some toolsets (of all if None), in their stable order, with or without those that write.

        Raises:
            InvalidInput: A toolset that has no operation.
        """
        known = list(dict.fromkeys(operation.toolset for operation in self._operations.values()))
        wanted = known if toolsets is None else list(toolsets)
        unknown = [one for one in wanted if one not in known]
        if unknown:
            raise InvalidInput(f"No toolset is called {', '.join(unknown)}.", f"Known: {', '.join(known)}.")
        return [
            operation
            for operation in self._operations.values()
            if operation.toolset in wanted and (operation.effects == "read" or (writes and not self._read_only))
        ]

    def call(self, name: str, arguments: Mapping[str, object], caller: Caller) -> Answer:
        """Run an operation.

        Raises:
            RefdeskError: Whatever went wrong, in the one shape, with the `trace_id` of the call.
        """
        trace_id = self._new_trace_id()
        started = self._clock.elapsed()
        served = Served()
        error: RefdeskError | None = None
        try:
            operation = self._operation(name, caller)
            request = validate(operation, arguments)
            result, served, text = self._run(operation, request, caller)
            return Answer(operation, result, text, trace_id)
        except RefdeskError as failure:
            error = failure
            failure.trace_id = trace_id
            raise
        except BaseException:
            error = Cancelled(f"{name} was interrupted.")
            raise
        finally:
            self._note(name, arguments, caller, trace_id, started, served, error)

    def _operation(self, name: str, caller: Caller) -> AnyOperation:
        operation = self._operations.get(name)
        if operation is None:
            near = similar(name, self._operations)
            raise NotFound(
                f"There is no operation {name!r}.", f"Known: {', '.join(self._operations)}.", similar=list(near)
            )
        if operation.effects == "write" and (self._read_only or caller.read_only):
            raise Refused(
                f"{name} changes the index, and only reading is allowed here.",
                "Run it where the index may be written, without --read-only and REFDESK_READ_ONLY: refdesk add …",
            )
        return operation

    def _run(self, operation: AnyOperation, request: BaseModel, caller: Caller) -> tuple[BaseModel, Served, str]:
        try:
            result: BaseModel = operation.run(self._services, request, caller)
            return result, operation.served(result), operation.render(result)
        except RefdeskError:
            raise
        except Exception as error:
            # The border of the process: whatever goes wrong inside must not reach an agent as a stack trace.
            _LOG.exception("operation %s failed", operation.name)
            raise InternalError(
                f"{operation.name} failed in refdesk itself ({type(error).__name__}).",
                "Try another call; the log has the details.",
            ) from error

    def _note(
        self,
        name: str,
        arguments: Mapping[str, object],
        caller: Caller,
        trace_id: str,
        started: float,
        served: Served,
        error: RefdeskError | None,
    ) -> None:
        if self._ledger is None:
            return
        operation = self._operations.get(name)
        call = Call(
            trace_id,
            self._clock.now(),
            caller.surface,
            name[:100],
            _logged(arguments, operation.secrets if operation else frozenset()),
            caller.conversation[:200],
            caller.principal,
            served.library or _text(arguments, "library"),
            served.requested[:200] or _text(arguments, "version"),
            served.release,
            served.ids,
            served.count,
            error.code if error else "",
            self._clock.elapsed() - started,
        )
        self._ledger.record(call)


def validate(operation: AnyOperation, arguments: Mapping[str, object]) -> BaseModel:
    """The arguments as the operation's input.

    Raises:
        InvalidInput: Every wrong argument is named at once; an unknown one with the nearest that exists.
    """
    try:
        model: BaseModel = operation.input.model_validate(dict(arguments))
    except ValidationError as error:
        fields = operation.input.model_fields
        wrong = [_sentence(dict(one), operation) for one in error.errors(include_url=False, include_context=True)]
        raise InvalidInput(
            " ".join(wrong),
            f"{operation.name} takes: {', '.join(fields)}.",
            arguments=sorted({str(one["loc"][0]) for one in error.errors(include_url=False) if one["loc"]}),
        ) from error
    return model


def _sentence(problem: Mapping[str, Any], operation: AnyOperation) -> str:
    """One wrong argument in words of ours: what it is, what was expected, what came."""
    name = ".".join(str(part) for part in problem["loc"]) or operation.name
    kind = problem["type"]
    if kind == "extra_forbidden":
        near = similar(name, operation.input.model_fields)
        return f"Unknown argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else ".")
    if kind == "missing":
        return f"Argument {name!r} is missing."
    expected = _EXPECTED.get(kind, "another form").format_map(problem.get("ctx") or {}).replace("'', ", "")
    got = repr(problem.get("input"))
    got = got if len(got) <= 60 else got[:57] + "…"
    return f"Argument {name!r}: expected {expected} (got {got})."


_EXPECTED = {
    "string_type": "text",
    "string_unicode": "text of valid characters",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "literal_error": "one of {expected}",
    "string_too_long": "at most {max_length} characters long",
    "too_long": "a list of at most {max_length}",
    "too_short": "a list of at least {min_length}",
}
"""What the kinds of problems that pydantic finds in our input models ask for."""


def _text(arguments: Mapping[str, object], name: str) -> str:
    value = arguments.get(name)
    return value[:200] if isinstance(value, str) else ""


def _logged(arguments: Mapping[str, object], secrets: frozenset[str]) -> str:
    """Arguments as JSON text for the log: secret values as a hash, long ones cut."""
    kept = {
        str(key)[:100]: f"sha256:{hashlib.sha256(str(value).encode('utf-8', 'replace')).hexdigest()}"
        if key in secrets
        else _cut(value)
        for key, value in list(arguments.items())[:_MOST_LOGGED]
    }
    return json.dumps(kept, default=repr, skipkeys=True)


def _cut(value: object) -> object:
    """A value as it is, or the beginning of it if it is long."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_LOGGED else f"{value[:_LONGEST_LOGGED]}… ({len(value)} characters)"
    text = repr(value)
    return value if len(text) <= _LONGEST_LOGGED else text[:_LONGEST_LOGGED]
