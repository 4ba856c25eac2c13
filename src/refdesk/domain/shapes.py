"""The graph of shapes: structures are stored once and expanded into parameter rows on reading.

Flattening at index time is impossible in real data: one operation of quicksight has 53,928 paths. Rows are made
breadth first, so that a cut never hides a top-level parameter behind the depths of its neighbour.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from refdesk.domain.symbols import Deprecation, JsonValue, Param, ParamKind

ShapeType = Literal["structure", "list", "map", "scalar"]


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a structure; `doc` overrides the doc of the shape that it points to."""

    name: str
    shape: str
    doc: str = ""
    required: bool = False
    default: str | None = None
    kind: ParamKind = ""
    deprecation: Deprecation | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """One node of the graph.

    Attributes:
        type: `structure` (has members), `list` (has `element`), `map` (has `element`, its value), or `scalar`.
        label: Readable type of a scalar (`string`, `timestamp`, `integer`); for a structure its public name.
        element: Name of the shape of list elements or map values.
    """

    name: str
    type: ShapeType
    label: str
    doc: str = ""
    members: tuple[Member, ...] = ()
    element: str = ""
    enum: tuple[str, ...] = ()
    limits: Mapping[str, JsonValue] = field(default_factory=dict)
    deprecation: Deprecation | None = None


FindShape = Callable[[str], Shape | None]
"""Looks a shape up by name; None if the release does not have it."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """Parameter rows made from the graph.

    Attributes:
        rows: Top level first, then level by level; nested names are paths.
        cut: True if `limit` was reached and deeper members exist that are not in `rows`.
    """

    rows: tuple[Param, ...]
    cut: bool


def members_of(shape: Shape, find: FindShape) -> tuple[Param, ...]:
    """The members of a structure as parameters, in the order of the source."""
    return tuple(_row(member, find) for member in shape.members)


def type_text(name: str, find: FindShape) -> str:
    """Readable type of a shape: `string`, `list of ObjectIdentifier`, `map of string to Tag`."""
    parts: list[str] = []
    seen: set[str] = set()
    shape = find(name)
    while shape is not None and shape.type in ("list", "map") and shape.name not in seen:
        seen.add(shape.name)
        parts.append("list of" if shape.type == "list" else "map of string to")
        name, shape = shape.element, find(shape.element)
    parts.append(name if shape is None else shape.label)
    return " ".join(parts)


def expand(top: Sequence[Param], find: FindShape, limit: int = 200) -> Expansion:
    """List parameters and their nested members, breadth first, to `limit` rows.

    The top level is never cut. A shape inside itself is named by its type and not expanded again on that path.
    """
    rows = list(top)
    queue = deque((param.name, param.shape, frozenset[str]()) for param in top if param.shape)
    while queue:
        path, name, above = queue.popleft()
        path, shape, above = _structure(path, name, above, find)
        if shape is None:
            continue
        if len(rows) + len(shape.members) > limit:
            return Expansion(tuple(rows + _nested(path, shape, find)[: max(0, limit - len(rows))]), cut=True)
        for row in _nested(path, shape, find):
            rows.append(row)
            if row.shape:
                queue.append((row.name, row.shape, above))
    return Expansion(tuple(rows), cut=False)


def descend(top: Sequence[Param], path: str, find: FindShape) -> Param | None:
    """The parameter at `path` (`Delete.Objects[].Key`; brackets may be left out, case may differ); None if absent."""
    level: Iterable[Param] = top
    found: Param | None = None
    walked = ""
    for step in path.replace("[]", "").replace("{}", "").split("."):
        found = next((one for one in level if one.name == step), None) or next(
            (one for one in level if one.name.lower() == step.lower()), None
        )
        if found is None:
            return None
        walked = f"{walked}.{found.name}" if walked else found.name
        inner_path, shape, _ = _structure(walked, found.shape, frozenset(), find)
        found = replace(found, name=walked)
        walked = inner_path
        level = members_of(shape, find) if shape else ()
    return found


def _row(member: Member, find: FindShape) -> Param:
    shape = find(member.shape)
    return Param(
        name=member.name,
        type=type_text(member.shape, find),
        required=member.required,
        default=member.default,
        enum=_enum(shape, find),
        limits=shape.limits if shape else {},
        doc=member.doc or (shape.doc if shape else ""),
        kind=member.kind,
        shape=member.shape if shape and shape.type != "scalar" else "",
        deprecation=member.deprecation or (shape.deprecation if shape else None),
    )


def _enum(shape: Shape | None, find: FindShape) -> tuple[str, ...]:
    """Allowed values of a scalar, or of the elements of a list of scalars."""
    if shape is not None and shape.type == "list":
        shape = find(shape.element)
    return shape.enum if shape is not None else ()


def _structure(
    path: str, name: str, above: frozenset[str], find: FindShape
) -> tuple[str, Shape | None, frozenset[str]]:
    """Follow lists and maps to a structure that is not already on this path; None if there is none."""
    shape = find(name) if name else None
    while shape is not None and shape.name not in above:
        above |= {shape.name}
        if shape.type == "structure":
            return path, shape, above
        path += {"list": "[]", "map": "{}"}.get(shape.type, "")
        shape = find(shape.element) if shape.element else None
    return path, None, above


def _nested(path: str, shape: Shape, find: FindShape) -> list[Param]:
    return [replace(row, name=f"{path}.{row.name}") for row in members_of(shape, find)]
