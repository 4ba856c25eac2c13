"""Schemas to the graph of shapes.

Every schema is a shape of its own name. Objects that stand inline get the path to them as their name
(`File.capabilities`); scalars without anything special and lists and maps of them are shared (`string`,
`list of File`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import JsonValue
from refdesk.ingest.discovery.descriptions import deprecated, markdown, with_values
from refdesk.ingest.discovery.document import Node, flag, flags, node, nodes, number, text, texts, wrong

_DEEPEST = 60


def scalar_type(schema: Node, where: str) -> str:
    """Readable type of something without structure: `string`, `integer (int32)`, `string (int64)`."""
    kind, form = text(schema, "type", where) or "any", text(schema, "format", where)
    return f"{kind} ({form})" if form else kind


def limits_of(schema: Node, where: str) -> dict[str, JsonValue]:
    """What restricts a value: `pattern`, `min`, `max`, `format`, `readOnly`."""
    found: dict[str, JsonValue] = {}
    for key, name in (("pattern", "pattern"), ("minimum", "min"), ("maximum", "max"), ("format", "format")):
        value = text(schema, key, where)
        if value:
            found[name] = number(value) if name in ("min", "max") else value
    if flag(schema, "readOnly", where):
        found["readOnly"] = True
    return found


@dataclass(slots=True)
class Schemas:
    """Builds the shapes of one document.

    Attributes:
        declared: The document's schemas by id.
        shapes: What has been built.
        dangling: Names that are referred to and not declared, with the place that refers to them first.
    """

    declared: Mapping[str, Node]
    shapes: dict[str, Shape] = field(default_factory=dict)
    dangling: dict[str, str] = field(default_factory=dict)

    def declare_all(self) -> None:
        """Build a shape for every schema."""
        for name, schema in self.declared.items():
            self._declare(name, schema, name)

    def refer(self, schema: Node, name: str, where: str, depth: int = 0) -> str:
        """The name of the shape that a schema stands for.

        Args:
            schema: A reference, or an inline schema.
            name: What an inline structure is to be called.
            where: Place in the document, for errors.
            depth: How deep inside a declared schema this is.
        """
        if depth > _DEEPEST:
            raise wrong(where, f"nested at most {_DEEPEST} levels deep", schema)
        target = text(schema, "$ref", where)
        if target:
            if target not in self.declared:
                self.dangling.setdefault(target, where)
                self._keep(Shape(target, "scalar", target))
            return target
        kind = text(schema, "type", where)
        if kind == "array":
            return self._list(self.refer(node(schema, "items", where), name, f"{where}.items", depth + 1))
        if kind == "object" and schema.get("properties"):
            return self._keep(self._structure(name, schema, where, depth))
        if kind == "object" and "additionalProperties" in schema:
            return self._map(self._values(schema, name, where, depth))
        return self._scalar(schema, name, where)

    def _declare(self, name: str, schema: Node, where: str) -> None:
        kind = text(schema, "type", where)
        doc = markdown(text(schema, "description", where))
        old = deprecated(flag(schema, "deprecated", where), doc, name)
        if kind == "array":
            element = self.refer(node(schema, "items", where), f"{name}[]", f"{where}.items", 1)
            self._keep(Shape(name, "list", name, doc, element=element, deprecation=old))
        elif "additionalProperties" in schema and not schema.get("properties"):
            element = self._values(schema, f"{name}{{}}", where, 0)
            self._keep(Shape(name, "map", name, doc, element=element, deprecation=old))
        elif kind in ("object", ""):
            self._keep(self._structure(name, schema, where, 0))
        else:
            enum, limits = texts(schema, "enum", where), limits_of(schema, where)
            label = scalar_type(schema, where)
            self._keep(Shape(name, "scalar", label, doc, enum=enum, limits=limits, deprecation=old))

    def _structure(self, name: str, schema: Node, where: str, depth: int) -> Shape:
        doc = markdown(text(schema, "description", where))
        old = deprecated(flag(schema, "deprecated", where), doc, name)
        members = []
        for key, value in nodes(schema, "properties", where):
            members.append(self._member(f"{name}.{key}", key, value, f"{where}.{key}", depth + 1))
        if "additionalProperties" in schema:
            further = self._values(schema, f"{name}{{}}", where, depth)
            doc = f"{doc}\n\nFurther keys are allowed, with values of type {further}.".strip()
        return Shape(name, "structure", name, doc, tuple(members), deprecation=old)

    def _member(self, name: str, key: str, schema: Node, where: str, depth: int) -> Member:
        plain = markdown(text(schema, "description", where))
        holder = schema if "enum" in schema else node(schema, "items", where)
        doc = with_values(
            plain,
            texts(holder, "enum", where),
            texts(holder, "enumDescriptions", where),
            flags(holder, "enumDeprecated", where),
        )
        if flag(schema, "readOnly", where) and not plain.lower().startswith(("output only", "[output only]")):
            doc = f"Output only. {doc}".strip()
        methods = texts(node(schema, "annotations", where), "required", where)
        if methods:
            doc = f"{doc}\n\nRequired by {', '.join(f'`{one}`' for one in methods)}.".strip()
        return Member(
            key,
            self.refer(schema, name, where, depth),
            doc,
            default=text(schema, "default", where) if "default" in schema else None,
            deprecation=deprecated(flag(schema, "deprecated", where), plain, key),
        )

    def _values(self, schema: Node, name: str, where: str, depth: int) -> str:
        """The shape of a map's values; `additionalProperties` may be just true."""
        if schema["additionalProperties"] is True:
            return self._keep(Shape("any", "scalar", "any"))
        return self.refer(node(schema, "additionalProperties", where), name, f"{where}.additionalProperties", depth + 1)

    def _list(self, element: str) -> str:
        return self._keep(Shape(f"list of {element}", "list", f"list of {element}", element=element))

    def _map(self, element: str) -> str:
        return self._keep(Shape(f"map of string to {element}", "map", f"map of string to {element}", element=element))

    def _scalar(self, schema: Node, name: str, where: str) -> str:
        label, enum, limits = scalar_type(schema, where), texts(schema, "enum", where), limits_of(schema, where)
        if enum or set(limits) - {"readOnly", "format"}:
            return self._keep(Shape(name, "scalar", label, enum=enum, limits=limits))
        shared = f"{label}, read-only" if "readOnly" in limits else label
        return self._keep(Shape(shared, "scalar", label, limits=limits))

    def _keep(self, shape: Shape) -> str:
        self.shapes.setdefault(shape.name, shape)
        return shape.name
