"""Signatures: parameters as the source declares them, and the line that one would write."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import griffe

from refdesk.domain.symbols import Param, ParamKind
from refdesk.ingest.prose import deprecation_from_note
from refdesk.ingest.python.facts import function_facts
from refdesk.ingest.python.warned import text_of

_KINDS: Mapping[griffe.ParameterKind | None, ParamKind] = {
    griffe.ParameterKind.positional_only: "positional_only",
    griffe.ParameterKind.keyword_only: "keyword_only",
    griffe.ParameterKind.var_positional: "var_positional",
    griffe.ParameterKind.var_keyword: "var_keyword",
}
_WIDEST = 100
"""Characters of a signature that stands on one line."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A type annotation, and what `Annotated[...]` and `Literal[...]` in it say.

    Attributes:
        deprecated: Text of a `deprecated(...)` inside `Annotated`; None if there is none.
    """

    type: str = ""
    enum: tuple[str, ...] = ()
    doc: str = ""
    deprecated: str | None = None


def read_annotation(text: str) -> Annotation:
    """Read an annotation: allowed values of `Literal`, text of `Annotated[T, Doc("...")]`."""
    if "Literal[" not in text and "Annotated[" not in text:
        return Annotation(text)
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Annotation(text)
    doc, deprecated = "", None
    if isinstance(node, ast.Subscript) and _last(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
        for one in node.slice.elts[1:]:
            if isinstance(one, ast.Call) and _last(one.func) in ("Doc", "doc") and one.args:
                doc = text_of(one.args[0])
            elif isinstance(one, ast.Call) and _last(one.func) == "deprecated" and one.args:
                deprecated = text_of(one.args[0])
        node = node.slice.elts[0]
        text = ast.unparse(node)
    return Annotation(text, _literals(node), doc, deprecated)


def parameters(function: griffe.Function, *, bound: bool) -> tuple[Param, ...]:
    """The parameters of a function in order; of a bound one without the first (`self`, `cls`)."""
    defaults = function_facts(function).defaults
    declared = list(function.parameters)
    if bound and declared and _KINDS.get(declared[0].kind, "") in ("", "positional_only"):
        declared = declared[1:]
    return tuple(_param(one, defaults) for one in declared)


def is_bound(function: griffe.Function) -> bool:
    """Whether a call through the class or an object fills the first parameter."""
    return isinstance(function.parent, griffe.Class) and "staticmethod" not in function.labels


def render(keyword: str, name: str, params: Sequence[Param], returns: str = "") -> str:
    """A declaration: `def get(url: str, *, timeout: float = 5.0) -> Response`.

    Longer ones have a parameter on each line.
    """
    parts = list(_parts(params))
    tail = f" -> {returns}" if returns else ""
    head = f"{keyword} {name}".strip()
    line = f"{head}({', '.join(parts)}){tail}"
    if len(line) <= _WIDEST or not parts:
        return line
    return "\n".join([f"{head}(", *(f"    {part}," for part in parts), f"){tail}"])


def declaration(function: griffe.Function, params: Sequence[Param]) -> str:
    """The declaration of a function with these parameters."""
    keyword = "async def" if "async" in function.labels else "def"
    returns = read_annotation(str(function.returns)).type if function.returns is not None else ""
    return render(keyword, function.name, params, returns)


def _param(one: griffe.Parameter, defaults: Mapping[str, str]) -> Param:
    kind = _KINDS.get(one.kind, "")
    annotation = read_annotation(str(one.annotation)) if one.annotation is not None else Annotation()
    default = None if kind in ("var_positional", "var_keyword") or one.default is None else str(one.default)
    if default is not None:
        default = defaults.get(one.name, default)
    return Param(
        name=one.name.lstrip("*"),
        type=annotation.type,
        required=default is None and not kind.startswith("var_"),
        default=default,
        enum=annotation.enum,
        doc=annotation.doc.strip(),
        kind=kind,
        deprecation=None if annotation.deprecated is None else deprecation_from_note(annotation.deprecated, "flag"),
    )


def _parts(params: Sequence[Param]) -> Iterable[str]:
    """Parameters as written, with the `/` and `*` that their kinds need."""
    before = ""
    starred = False
    for param in params:
        if before == "positional_only" and param.kind != "positional_only":
            yield "/"
        if param.kind == "keyword_only" and not starred:
            starred = True
            yield "*"
        starred = starred or param.kind == "var_positional"
        yield _written(param)
        before = param.kind
    if before == "positional_only":
        yield "/"


def _written(param: Param) -> str:
    stars = {"var_positional": "*", "var_keyword": "**"}.get(param.kind, "")
    text = f"{stars}{param.name}"
    if param.type:
        text += f": {param.type}"
    if param.default is not None:
        text += f" = {param.default}" if param.type else f"={param.default}"
    return text


def _literals(node: ast.expr) -> tuple[str, ...]:
    """Values of every `Literal[...]` in an annotation, if it allows nothing but them (and None)."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _of_all([node.left, node.right])
    if not isinstance(node, ast.Subscript):
        return ()
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    name = _last(node.value)
    if name == "Literal":
        return tuple(str(one.value) for one in inner if isinstance(one, ast.Constant))
    if name in ("Optional", "Union"):
        return _of_all(inner)
    return ()


def _of_all(nodes: Sequence[ast.expr]) -> tuple[str, ...]:
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value is None:
            continue
        values = _literals(node)
        if not values:
            return ()
        found += values
    return tuple(dict.fromkeys(found))


def _last(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))
