"""The shapes of a service model as the graph of the release: each stored once, nothing flattened."""

from collections.abc import Mapping

from refdesk.domain.entries import Problem
from refdesk.domain.shapes import Member, Shape, ShapeType
from refdesk.domain.symbols import Deprecation, JsonValue, ParamKind
from refdesk.ingest.aws.values import Table, strings, table, tables, text
from refdesk.ingest.descriptions import to_markdown
from refdesk.ingest.prose import deprecation, deprecation_from_note

_TYPES: dict[str, ShapeType] = {"structure": "structure", "list": "list", "map": "map"}
_SCALARS = frozenset(
    {"string", "integer", "long", "short", "byte", "float", "double", "bigdecimal", "biginteger", "boolean"}
    | {"timestamp", "blob", "character"}
)
_PLACES: dict[str, ParamKind] = {"header": "header", "headers": "header", "uri": "path", "querystring": "query"}
_LIMITS = ("min", "max", "pattern")
_FLAGS = ("union", "eventstream", "streaming", "sensitive", "sparse")


def read_shapes(service: Table, path: str) -> tuple[dict[str, Shape], list[Problem]]:
    """All shapes of a service model, by name in the order of the source.

    Args:
        service: The service model.
        path: Its path, for the problems.

    Returns:
        The graph, and what was left out: shapes of an unknown type and references to shapes that do not exist.
    """
    raws = table(service.get("shapes"))
    shapes: dict[str, Shape] = {}
    problems: list[Problem] = []
    for name, raw in raws.items():
        kind = text(table(raw).get("type"))
        if kind in _TYPES or kind in _SCALARS:
            shapes[name] = _shape(name, raw, raws)
        else:
            problems.append(Problem(path, f"The shape {name} has no known type and was left out."))
    problems += [
        Problem(path, f"{shape.name} refers to {target}, which does not exist.")
        for shape in shapes.values()
        for target in (shape.element, *(member.shape for member in shape.members))
        if target and target not in shapes
    ]
    for operation, raw in tables(service.get("operations")).items():
        targets = dict.fromkeys(text(table(raw.get(side)).get("shape")) for side in ("input", "output"))
        missing = (one for one in targets if one and one not in shapes)
        problems += [Problem(path, f"{operation} refers to {one}, which does not exist.") for one in missing]
    return shapes, problems


def flagged_deprecation(raw: Table, doc: str, subject: str) -> Deprecation | None:
    """The deprecation of an operation, shape or member: by its flag, else by what its description says.

    Args:
        raw: Its JSON: `deprecated`, `deprecatedMessage`, `deprecatedSince`.
        doc: Its description as Markdown.
        subject: Its name.
    """
    said = deprecation(doc, subject)
    if raw.get("deprecated") is not True:
        return said
    stated = deprecation_from_note(to_markdown(text(raw.get("deprecatedMessage"))))
    return Deprecation(
        "flag",
        since=text(raw.get("deprecatedSince")) or stated.since or (said.since if said else ""),
        replacement=stated.replacement or (said.replacement if said else ""),
        note=stated.note or (said.note if said else ""),
    )


def _shape(name: str, raw: Table, raws: Table) -> Shape:
    kind = text(raw.get("type"))
    doc = to_markdown(text(raw.get("documentation")))
    document = raw.get("document") is True
    label = "JSON document" if document else name if kind == "structure" else kind
    element = raw.get("member") if kind == "list" else raw.get("value") if kind == "map" else None
    return Shape(
        name=name,
        type="scalar" if document else _TYPES.get(kind, "scalar"),
        label=label,
        doc=doc or to_markdown(text(table(element).get("documentation"))),
        members=_members(raw) if kind == "structure" and not document else (),
        element=text(table(element).get("shape")),
        enum=strings(raw.get("enum")),
        limits=_limits(raw, raws),
        deprecation=flagged_deprecation(raw, doc, name),
    )


def _members(raw: Table) -> tuple[Member, ...]:
    required = frozenset(strings(raw.get("required")))
    return tuple(_member(name, one, required=name in required) for name, one in tables(raw.get("members")).items())


def _member(name: str, raw: Table, *, required: bool) -> Member:
    doc = to_markdown(text(raw.get("documentation")))
    return Member(
        name=name,
        shape=text(raw.get("shape")),
        doc=doc,
        required=required,
        kind=_PLACES.get(text(raw.get("location")), ""),
        deprecation=flagged_deprecation(raw, doc, name),
    )


def _limits(raw: Table, raws: Table) -> Mapping[str, JsonValue]:
    limits: dict[str, JsonValue] = _bounds(raw)
    if stated := text(raw.get("timestampFormat")):
        limits["format"] = stated
    limits |= {name: True for name in _FLAGS if raw.get(name) is True}
    if key := table(raws.get(text(table(raw.get("key")).get("shape")))):
        limits |= {f"key_{name}": value for name, value in _bounds(key).items()}
        if enum := strings(key.get("enum")):
            limits["key_enum"] = list(enum)
    return limits


def _bounds(raw: Table) -> dict[str, JsonValue]:
    return {name: raw[name] for name in _LIMITS if isinstance(raw.get(name), (int, float, str))}
