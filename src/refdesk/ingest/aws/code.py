"""Calls as one would write them with boto3: signatures from shapes, examples from the documented input and output."""

import keyword
import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import Example
from refdesk.ingest.aws.values import Table, table, text
from refdesk.ingest.descriptions import to_markdown

_SHOWN = 15
"""With more optional parameters than this a signature names the required ones only."""
_WIDTH = 88
_PYTHON = {
    "string": "str", "character": "str", "integer": "int", "long": "int", "short": "int", "byte": "int",
    "biginteger": "int", "float": "float", "double": "float", "bigdecimal": "float", "boolean": "bool",
    "timestamp": "datetime", "blob": "bytes", "JSON document": "object",
}  # fmt: skip


def call_signature(method: str, shape: Shape | None, shapes: Mapping[str, Shape]) -> str:
    """A Python call: required parameters first, then the optional ones that are not deprecated.

    With more than 15 optional ones they become `**optional`: the list of parameters has them all.
    """
    members = shape.members if shape is not None else ()
    usable = [one for one in members if _writable(one.name)]
    required = [f"{one.name}: {_type(one.shape, shapes)}" for one in usable if one.required]
    optional = [one for one in usable if not one.required and one.deprecation is None]
    if len(optional) > _SHOWN or len(usable) < len(members):
        shown = [*required, "**optional"]
    else:
        shown = [*required, *(f"{one.name}: {_type(one.shape, shapes)} = ..." for one in optional)]
    star = "*, " if required or (optional and len(optional) <= _SHOWN) else ""
    return f"{method}({star}{', '.join(shown)})" if shown else f"{method}()"


def code_example(method: str, raw: Table, request: Shape | None, shapes: Mapping[str, Shape]) -> Example:
    """A documented example as Python, its output as a comment.

    Args:
        method: Name of the client method.
        raw: One element of `examples` in `examples-1.json`.
        request: Shape of the input; tells which texts are bytes and times.
        shapes: The graph.
    """
    values, remarks = table(raw.get("input")), table(raw.get("comments"))
    notes = table(remarks.get("input"))
    written = _Literals(shapes)
    members = {member.name: member for member in request.members} if request is not None else {}
    lines = [f"response = client.{method}("] if values else [f"response = client.{method}()"]
    for name, value in values.items():
        said = written.value(value, _shape_of(members.get(name), shapes), 4)
        note = text(notes.get(name))
        start = f"{name}={said}" if _writable(name) else f"**{{{name!r}: {said}}}"
        lines.append(f"    {start}," + (f"  # {' '.join(note.split())}" if note else ""))
    lines += [")"] if values else []
    output = raw.get("output")
    if isinstance(output, dict) and output:
        lines += ["", "# response without ResponseMetadata:"]
        lines += [f"# {line}" for line in written.value(output, None, 0).splitlines()]
    return Example(
        code="\n".join(lines),
        language="python",
        title=text(raw.get("title")).strip(),
        doc=to_markdown(text(raw.get("description"))),
    )


class _Literals:
    """JSON values as Python source; a shape, where it is known, turns texts into bytes and times."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = shapes

    def value(self, value: object, shape: Shape | None, indent: int) -> str:
        if isinstance(value, dict):
            inner = [f"{name!r}: {said}" for name, said in self._members(value, shape, indent)]
            return _bracketed("{", inner, "}", indent)
        if isinstance(value, list):
            element = self._shapes.get(shape.element) if shape is not None else None
            return _bracketed("[", [self.value(one, element, indent + 4) for one in value], "]", indent)
        if isinstance(value, str) and shape is not None and shape.type == "scalar":
            return _scalar(value, shape.label)
        return repr(value)

    def _members(self, value: Table, shape: Shape | None, indent: int) -> Iterator[tuple[str, str]]:
        members = {member.name: member for member in shape.members} if shape is not None else {}
        element = self._shapes.get(shape.element) if shape is not None else None
        for name, one in value.items():
            yield name, self.value(one, element or _shape_of(members.get(name), self._shapes), indent + 4)


def _bracketed(opening: str, parts: list[str], closing: str, indent: int) -> str:
    line = f"{opening}{', '.join(parts)}{closing}"
    if len(line) + indent <= _WIDTH and "\n" not in line:
        return line
    space = " " * indent
    return "\n".join([opening, *(f"{space}    {part}," for part in parts), f"{space}{closing}"])


def _scalar(value: str, label: str) -> str:
    """A text of an example as what the client accepts: the examples write numbers and times as texts, too."""
    kind = _PYTHON.get(label)
    if kind == "bytes":
        return repr(value.encode())
    if kind == "datetime":
        return _time(value)
    if (kind == "int" and re.fullmatch(r"-?[0-9]+", value)) or (
        kind == "float" and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value)
    ):
        return value
    if kind == "bool" and value in ("true", "false"):
        return value.capitalize()
    return repr(value)


def _time(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return repr(value)
    parts = [moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second]
    while len(parts) > 3 and not parts[-1]:
        parts.pop()
    return f"datetime({', '.join(map(str, parts))})"


def _shape_of(member: Member | None, shapes: Mapping[str, Shape]) -> Shape | None:
    return shapes.get(member.shape) if member is not None else None


def _type(name: str, shapes: Mapping[str, Shape]) -> str:
    """Python type of a shape; structures are dictionaries."""
    around: list[str] = []
    seen: set[str] = set()
    shape = shapes.get(name)
    while shape is not None and shape.type in ("list", "map") and shape.name not in seen:
        seen.add(shape.name)
        around.append("list[{}]" if shape.type == "list" else "dict[str, {}]")
        shape = shapes.get(shape.element)
    said = "dict" if shape is None or shape.type != "scalar" else _PYTHON.get(shape.label, "object")
    if shape is not None and shape.limits.get("streaming"):
        said = "bytes | BinaryIO"
    for form in reversed(around):
        said = form.format(said)
    return said


def _writable(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
