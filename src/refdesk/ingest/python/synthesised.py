"""Parameters of classes whose `__init__` is made from their fields: dataclasses, attrs, pydantic, named tuples."""

import ast
from collections.abc import Iterator
from dataclasses import replace

import griffe

from refdesk.domain.symbols import Param, ParamKind
from refdesk.ingest.python.classes import ClassView
from refdesk.ingest.python.facts import Decorator, class_facts
from refdesk.ingest.python.signatures import read_annotation
from refdesk.ingest.python.warned import dotted, text_of

_DATACLASSES = (
    "dataclass",
    "dataclasses.dataclass",
    "pydantic.dataclasses.dataclass",
    "pydantic_dataclasses.dataclass",
)
_ATTRS = (
    "attr.s", "attr.attrs", "attr.attributes", "attr.dataclass", "attr.define", "attr.frozen", "attr.mutable",
    "attrs.define", "attrs.frozen", "attrs.mutable", "define", "frozen", "mutable", "attrs",
)  # fmt: skip
_MODELS = ("pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic_settings.BaseSettings", "pydantic.BaseSettings")
_DICTIONARIES = ("typing.TypedDict", "typing_extensions.TypedDict")
_TUPLES = ("typing.NamedTuple", "typing_extensions.NamedTuple")
_FIELD_CALLS = ("field", "Field", "ib", "attrib")


def field_params(view: ClassView) -> tuple[Param, ...] | None:
    """Parameters made from the fields of a class; None if its `__init__` is not made from fields."""
    form = _form(view)
    if not form:
        return None
    params: dict[str, Param] = {}
    for one in reversed(view.ancestors):
        if form in ("dataclass", "attrs") and _decorator(one) is None:
            continue
        keyword_only = form in ("model", "dictionary") or _says(one, "kw_only")
        total = one.keywords.get("total") is None or str(one.keywords["total"]) != "False"
        for name, param in _fields(one, form, keyword_only=keyword_only, total=total):
            if param is None:
                params.pop(name, None)
            else:
                params[name] = param
    ordered = [*(one for one in params.values() if not one.kind), *(one for one in params.values() if one.kind)]
    return tuple(ordered)


def constructor(view: ClassView) -> griffe.Function | None:
    """The `__init__` or `__new__` that makes objects of a class; None if it is made from fields or not visible."""
    if view.is_protocol or view.is_enum:
        return None
    for one in view.ancestors:
        for name in ("__init__", "__new__"):
            maker = one.members.get(name)
            if isinstance(maker, griffe.Function):
                return maker
        if _decorator(one) is not None and _form(view):
            return None
    return None


def _form(view: ClassView) -> str:
    if view.is_protocol or view.is_enum:
        return ""
    decorator = next((found for one in view.ancestors if (found := _decorator(one)) is not None), None)
    if decorator is not None:
        if decorator.keywords.get("init") is False:
            return ""
        return "dataclass" if decorator.last == "dataclass" else "attrs"
    for form, bases in (("model", _MODELS), ("dictionary", _DICTIONARIES), ("tuple", _TUPLES)):
        if any(base in bases for base in view.outside):
            return form
    return ""


def _decorator(thing: griffe.Class) -> Decorator | None:
    for one in class_facts(thing).decorators:
        if one.name in _DATACLASSES or one.name in _ATTRS or one.last == "dataclass":
            return one
    return None


def _says(thing: griffe.Class, word: str) -> bool:
    decorator = _decorator(thing)
    return decorator is not None and decorator.keywords.get(word) is True


def _fields(thing: griffe.Class, form: str, *, keyword_only: bool, total: bool) -> Iterator[tuple[str, Param | None]]:
    for name, member in thing.members.items():
        if not isinstance(member, griffe.Attribute) or "property" in member.labels or name == "model_config":
            continue
        annotation = str(member.annotation) if member.annotation is not None else ""
        if annotation.rpartition(".")[2] == "KW_ONLY":
            keyword_only = True
            continue
        if not _is_field(member, annotation, form):
            continue
        param = _param(name, annotation, str(member.value) if member.value is not None else "", form)
        if param is None:
            yield name, None
            continue
        if form == "dictionary":
            param = _of_dictionary(param, total=total)
        doc = param.doc or (member.docstring.value if member.docstring is not None else "")
        kind: ParamKind = "keyword_only" if keyword_only else param.kind
        yield name, replace(param, doc=doc, kind=kind)


def _is_field(member: griffe.Attribute, annotation: str, form: str) -> bool:
    made = form == "attrs" and str(member.value or "").partition("(")[0].rpartition(".")[2] in _FIELD_CALLS
    # griffe takes `ClassVar` off; what is left of it is only a class attribute.
    class_only = "class-attribute" in member.labels and "instance-attribute" not in member.labels
    private = form == "model" and member.name.startswith("_")
    return (bool(annotation) or made) and not class_only and not private


def _param(name: str, annotation: str, value: str, form: str) -> Param | None:
    """A field as a parameter; None if it is no parameter (`init=False`)."""
    stated = read_annotation(
        annotation.removeprefix("InitVar[").removesuffix("]") if "InitVar[" in annotation else annotation
    )
    call = _call(value)
    words = {word.arg: word.value for word in call.keywords if word.arg} if call is not None else {}
    if call is None:
        default = value or None
    elif (init := words.get("init")) is not None and ast.unparse(init) == "False":
        return None
    else:
        default = _default(call, words)
    public = name.lstrip("_") if form == "attrs" else name
    alias = text_of(words.get("alias"))
    return Param(
        name=alias or public,
        type=stated.type,
        required=default is None,
        default=default,
        enum=stated.enum,
        doc=stated.doc or text_of(words.get("description")),
        kind="keyword_only" if "kw_only" in words and ast.unparse(words["kw_only"]) == "True" else "",
    )


def _call(value: str) -> ast.Call | None:
    """The call that describes a field: `field(default=1)`; None if the value is the default itself."""
    if "(" not in value:
        return None
    try:
        node = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    is_field = isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _FIELD_CALLS
    return node if is_field and isinstance(node, ast.Call) else None


def _default(call: ast.Call, words: dict[str, ast.expr]) -> str | None:
    factory = words.get("default_factory") or words.get("factory")
    if factory is not None:
        return f"{ast.unparse(factory)}()"
    value = words.get("default") or (call.args[0] if call.args else None)
    text = ast.unparse(value) if value is not None else ""
    return (
        text if text not in ("", "...", "Ellipsis", "MISSING", "NOTHING", "attr.NOTHING", "PydanticUndefined") else None
    )


def _of_dictionary(param: Param, *, total: bool) -> Param:
    for word, required in (("NotRequired", False), ("Required", True)):
        head, _, rest = param.type.partition("[")
        if head.rpartition(".")[2] == word:
            return replace(param, type=rest.removesuffix("]"), required=required)
    return replace(param, required=total)
