"""Operations of a service model as symbols."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import ErrorRef, JsonValue, Place, Returns, Symbol
from refdesk.ingest.aws.code import call_signature, code_example
from refdesk.ingest.aws.errors import error_summary
from refdesk.ingest.aws.files import Model
from refdesk.ingest.aws.graph import flagged_deprecation
from refdesk.ingest.aws.naming import method_name
from refdesk.ingest.aws.values import Table, rows, strings, table, tables, text
from refdesk.ingest.descriptions import to_markdown
from refdesk.ingest.prose import summary

_REFERENCE = "https://docs.aws.amazon.com/goto/WebAPI"
"""AWS's redirect to the page of an operation; botocore's own documentation links to it (`botocore/docs/method.py`)."""


@dataclass(frozen=True, slots=True)
class Service:
    """What all operations of a release share.

    Attributes:
        facts: The attribute `service` of each operation.
        uid: AWS's id of the service and API version; older models have none.
        waiters: Operation → names of its waiters.
    """

    model: Model
    shapes: Mapping[str, Shape]
    facts: Mapping[str, JsonValue]
    uid: str
    waiters: Mapping[str, Sequence[str]]


def read_service(model: Model, shapes: Mapping[str, Shape]) -> Service:
    """Gather what the operations share."""
    metadata = table(model.service.get("metadata"))
    waiters: dict[str, list[str]] = {}
    for name, raw in tables(model.waiters.get("waiters")).items():
        waiters.setdefault(text(raw.get("operation")), []).append(name)
    facts: dict[str, JsonValue] = {
        key: text(metadata.get(source))
        for key, source in {
            "id": "serviceId",
            "name": "serviceFullName",
            "protocol": "protocol",
            "signature_version": "signatureVersion",
            "api_version": "apiVersion",
        }.items()
        if text(metadata.get(source))
    }
    return Service(model, shapes, facts, text(metadata.get("uid")), waiters)


def read_operations(service: Service) -> list[Symbol]:
    """One symbol for each operation, in the order of the source."""
    return [_operation(service, name, raw) for name, raw in tables(service.model.service.get("operations")).items()]


def _operation(service: Service, name: str, raw: Table) -> Symbol:
    method = method_name(name)
    doc = to_markdown(text(raw.get("documentation")))
    request = text(table(raw.get("input")).get("shape"))
    shape = service.shapes.get(request)
    return Symbol(
        name=name,
        kind="operation",
        names=(name, method) if method != name else (name,),
        summary=summary(doc),
        doc=doc,
        signature=call_signature(method, shape, service.shapes),
        input_shape=request,
        returns=_returns(table(raw.get("output")), service.shapes),
        errors=_errors(raw, service.shapes),
        examples=tuple(
            code_example(method, one, shape, service.shapes)
            for one in rows(table(service.model.examples.get("examples")).get(name))
        ),
        deprecation=flagged_deprecation(raw, doc, name),
        place=Place(service.model.path, url=f"{_REFERENCE}/{service.uid}/{name}" if service.uid else ""),
        attributes=_attributes(service, name, raw),
    )


def _returns(output: Table, shapes: Mapping[str, Shape]) -> Returns | None:
    name = text(output.get("shape"))
    if not name:
        return None
    shape = shapes.get(name)
    doc = to_markdown(text(output.get("documentation"))) or (shape.doc if shape is not None else "")
    return Returns(type=shape.label if shape is not None else name, doc=doc, shape=name)


def _errors(raw: Table, shapes: Mapping[str, Shape]) -> tuple[ErrorRef, ...]:
    errors: dict[str, ErrorRef] = {}
    for one in rows(raw.get("errors")):
        name = text(one.get("shape"))
        doc = to_markdown(text(one.get("documentation"))) or (shapes[name].doc if name in shapes else "")
        if name:
            errors.setdefault(name, ErrorRef(name, summary(doc) or error_summary(one)))
    return tuple(errors.values())


def _attributes(service: Service, name: str, raw: Table) -> dict[str, JsonValue]:
    http = table(raw.get("http"))
    attributes: dict[str, JsonValue] = {
        "http": {"method": text(http.get("method")), "path": text(http.get("requestUri"))},
        "paginator": dict(table(table(service.model.paginators.get("pagination")).get(name))),
        "waiters": list(service.waiters.get(name, ())),
        "service": dict(service.facts),
        "auth": list(strings(raw.get("auth"))) or text(raw.get("authtype")),
        "endpoint": text(table(raw.get("endpoint")).get("hostPrefix")),
        "idempotency_token": list(_tokens(service.model, raw)),
        "event_stream": _event_stream(service, raw),
    }
    return {key: value for key, value in attributes.items() if value}


def _tokens(model: Model, raw: Table) -> tuple[str, ...]:
    """Members that the client fills in by itself if they are left out, so that a retry does nothing twice."""
    shape = table(table(model.service.get("shapes")).get(text(table(raw.get("input")).get("shape"))))
    return tuple(name for name, one in tables(shape.get("members")).items() if one.get("idempotencyToken") is True)


def _event_stream(service: Service, raw: Table) -> dict[str, JsonValue]:
    """Which top-level members carry a stream of events: {`input`: name, `output`: name}."""
    found: dict[str, JsonValue] = {}
    for side in ("input", "output"):
        shape = service.shapes.get(text(table(raw.get(side)).get("shape")))
        for member in shape.members if shape is not None else ():
            target = service.shapes.get(member.shape)
            if target is not None and target.limits.get("eventstream"):
                found[side] = member.name
    return found
