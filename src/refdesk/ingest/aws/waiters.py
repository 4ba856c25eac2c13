"""Waiters as symbols: what they poll, how long, and what ends the waiting."""

from collections.abc import Mapping

from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import JsonValue, Place, Symbol
from refdesk.ingest.aws.code import call_signature
from refdesk.ingest.aws.files import Model
from refdesk.ingest.aws.naming import method_name
from refdesk.ingest.aws.values import Table, rows, table, tables, text
from refdesk.ingest.descriptions import to_markdown

_ENDS = {"success": "Succeeds", "failure": "Fails", "retry": "Goes on"}


def read_waiters(model: Model, shapes: Mapping[str, Shape]) -> list[Symbol]:
    """One symbol for each waiter, in the order of the source."""
    operations = tables(model.service.get("operations"))
    return [
        _waiter(model, name, raw, shapes.get(_request(operations, raw)), shapes)
        for name, raw in tables(model.waiters.get("waiters")).items()
    ]


def _request(operations: Mapping[str, Table], raw: Table) -> str:
    operation = operations.get(text(raw.get("operation")), {})
    return text(table(operation.get("input")).get("shape"))


def _waiter(model: Model, name: str, raw: Table, request: Shape | None, shapes: Mapping[str, Shape]) -> Symbol:
    method = method_name(name)
    operation = text(raw.get("operation"))
    polls = _polls(operation, raw.get("delay"), raw.get("maxAttempts"))
    ends = [_acceptor(one) for one in rows(raw.get("acceptors"))]
    description = to_markdown(text(raw.get("description")))
    attributes: dict[str, JsonValue] = {
        "operation": operation,
        "delay": raw.get("delay"),
        "max_attempts": raw.get("maxAttempts"),
        "acceptors": [dict(one) for one in rows(raw.get("acceptors"))],
    }
    return Symbol(
        name=name,
        kind="waiter",
        names=(name, method) if method != name else (name,),
        summary=polls,
        doc="\n\n".join(part for part in (description, polls, "\n".join(ends)) if part),
        signature=call_signature(f"client.get_waiter({method!r}).wait", request, shapes),
        input_shape=request.name if request is not None else "",
        place=Place(model.waiters_path),
        attributes=attributes,
    )


def _polls(operation: str, delay: object, attempts: object) -> str:
    every = f" every {delay} seconds" if isinstance(delay, int) else ""
    most = f", at most {attempts} times" if isinstance(attempts, int) else ""
    return f"Polls {operation}{every}{most}."


def _acceptor(raw: Table) -> str:
    expected = raw.get("expected")
    said = f"`{expected}`" if isinstance(expected, (str, int)) and not isinstance(expected, bool) else f"{expected}"
    condition = {
        "status": f"the HTTP status is {said}",
        "error": f"the error is {said}" if isinstance(expected, str) else f"any error is raised: {said}",
        "path": f"`{raw.get('argument')}` is {said}",
        "pathAll": f"every `{raw.get('argument')}` is {said}",
        "pathAny": f"any `{raw.get('argument')}` is {said}",
    }.get(text(raw.get("matcher")), f"{raw.get('matcher')} is {said}")
    return f"- {_ENDS.get(text(raw.get('state')), text(raw.get('state')))} if {condition}."
