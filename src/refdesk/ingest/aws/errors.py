"""Errors of a service model as symbols: what each means, who is at fault, and how it is caught."""

from collections.abc import Mapping, Sequence

from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import JsonValue, Place, Symbol
from refdesk.ingest.aws.values import Table, rows, table, tables, text
from refdesk.ingest.prose import summary


def read_errors(service: Table, shapes: Mapping[str, Shape], path: str) -> list[Symbol]:
    """One symbol for each shape that is an error by itself or that an operation names as one, by name.

    Args:
        service: The service model.
        shapes: Its graph.
        path: Path of the model inside the archive.
    """
    raws = tables(service.get("shapes"))
    raised: dict[str, list[str]] = {name: [] for name, raw in raws.items() if _is_error(raw)}
    for operation, raw in tables(service.get("operations")).items():
        for one in rows(raw.get("errors")):
            name = text(one.get("shape"))
            if name in shapes and operation not in raised.setdefault(name, []):
                raised[name].append(operation)
    return [_error(shapes[name], raws[name], raised[name], path) for name in sorted(raised) if name in shapes]


def error_summary(raw: Table) -> str:
    """What the model states of an error besides its description; empty if nothing.

    Args:
        raw: A shape, or a reference to one, with `error` and `fault`.
    """
    status = table(raw.get("error")).get("httpStatusCode")
    side = _fault(raw)
    if isinstance(status, int):
        return f"HTTP status {status} ({side} error)." if side else f"HTTP status {status}."
    return f"A {side} error." if side else ""


def _is_error(raw: Table) -> bool:
    return raw.get("exception") is True or isinstance(raw.get("error"), dict)


def _fault(raw: Table) -> str:
    """`client` or `server`, as flagged or as the status says; empty if the model says neither."""
    error = table(raw.get("error"))
    status = error.get("httpStatusCode")
    if raw.get("fault") is True or error.get("fault") is True:
        return "server"
    if error.get("senderFault") is True:
        return "client"
    if isinstance(status, int) and 400 <= status < 600:
        return "server" if status >= 500 else "client"
    return ""


def _error(shape: Shape, raw: Table, raised: Sequence[str], path: str) -> Symbol:
    error = table(raw.get("error"))
    code = text(error.get("code"))
    stated = error_summary(raw)
    retryable = raw.get("retryable")
    attributes: dict[str, JsonValue] = {
        "http_status": error.get("httpStatusCode") if isinstance(error.get("httpStatusCode"), int) else None,
        "code": code or shape.name,
        "fault": _fault(raw),
        "retryable": isinstance(retryable, dict) or None,
        "throttling": table(retryable).get("throttling") is True or None,
        "fields": [member.name for member in shape.members],
        "operations": list(raised),
    }
    return Symbol(
        name=shape.name,
        kind="error",
        names=(shape.name, code) if code and code != shape.name else (shape.name,),
        summary=summary(shape.doc) or stated,
        doc=_doc(shape, code, stated, retryable=isinstance(retryable, dict)),
        signature=f"client.exceptions.{shape.name}",
        deprecation=shape.deprecation,
        place=Place(path),
        attributes={key: value for key, value in attributes.items() if value},
    )


def _doc(shape: Shape, code: str, stated: str, *, retryable: bool) -> str:
    """The description, then what the model states beside it."""
    facts = [stated] if stated else []
    facts += ["The model marks it as retryable."] if retryable else []
    facts += [f"Its code in a response is `{code}`."] if code and code != shape.name else []
    if not shape.doc and not facts:
        facts = ["The service model states no more than this error's name."]
    return "\n\n".join(part for part in (shape.doc, " ".join(facts)) if part)
