"""Parameters of an entry: what its declarations name, with what its fields say of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from refdesk.domain.symbols import Deprecation, Param, Returns
from refdesk.ingest.html.heads.fields import Fields, Stated
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.signatures import Declared, read_declaration, tidy

_CALLABLE = frozenset({"function", "method", "class", "error", "type"})
_BY_TYPE = frozenset({"java", "c", "cpp", "csharp"})
_CONSTRUCTORS = frozenset({"<init>", "constructor"})
_MODIFIERS = frozenset({
    "public", "protected", "private", "static", "final", "abstract", "default", "synchronized", "native", "strictfp",
    "virtual", "inline", "constexpr", "explicit", "extern", "typename", "friend",
})  # fmt: skip
_QUOTED = re.compile(r"['\"‘’“”]([^'\"‘’“”]*)['\"‘’“”]")
_CHOICES = re.compile(r"\{?\s*(?:['\"‘“][^'\"’”]*['\"’”])(?:\s*,\s*(?:or )?['\"‘“][^'\"’”]*['\"’”])+\s*\}?")
_SCOPE = re.compile(r"(?:\w+\s*(?:<[^<>]*>)?\s*::\s*)+\Z")
_PACKAGE = re.compile(r"\b(?:[a-z]\w*\.)+(?=[A-Z])")

Called = Declared


def read_calls(head: Head) -> tuple[Called, ...]:
    """What each declaration of an entry says."""
    if head.kind not in _CALLABLE:
        return ()
    name = _declared_name(head)
    return tuple(read_declaration(one, head.language, name if f"{name}" in one else "") for one in head.signatures)


def is_called(calls: Sequence[Called]) -> bool:
    """Whether any declaration has a list of parameters."""
    return any(one.called for one in calls)


def merge(
    calls: Sequence[Called], fields: Fields, since: Mapping[str, str], deprecations: Mapping[str, Deprecation]
) -> tuple[Param, ...]:
    """Declared parameters in their order, then those that only the fields name."""
    declared = _of_all(calls)
    stated = dict(fields.params)
    found = [_with(param, stated.pop(param.name, None)) for param in declared]
    takes_any = any(param.kind == "var_keyword" for param in declared)
    found += [_documented(one, takes_any=takes_any, alone=not declared) for one in stated.values()]
    if not since and not deprecations:
        return tuple(found)
    return tuple(
        replace(
            param,
            since=param.since or since.get(param.name, ""),
            deprecation=param.deprecation or deprecations.get(param.name),
        )
        for param in found
    )


def result_type(head: Head, calls: Sequence[Called], fields: Fields) -> Returns | None:
    """What a call gives back."""
    stated, doc = fields.returns
    type_ = next((one.returns for one in calls if one.returns), "") or stated
    if not type_ and head.language in _BY_TYPE and head.kind in ("function", "method") and head.signatures:
        type_ = _before_name(head)
    return Returns(type_, doc) if type_ or doc else None


def overload_name(head: Head) -> str:
    """The name of one of several entries of one name: with its types, or its parameters where it has no types."""
    if head.kind not in _CALLABLE or not head.signatures:
        return head.name
    call = read_declaration(head.signatures[0], head.language, _declared_name(head))
    if not call.called:
        return head.name
    if head.language == "java" and "(" in head.anchor:  # Javadoc's own anchor names the types
        return head.name + _PACKAGE.sub("", head.anchor[head.anchor.index("(") :])
    parts = (_plain_type(one.type) if head.language in _BY_TYPE else one.name for one in call.params)
    constant = " const" if head.language == "cpp" and re.search(r"\)\s*const\b", head.signatures[0]) else ""
    return f"{head.name}({','.join(parts)}){constant}"


def _declared_name(head: Head) -> str:
    parts = re.split(r"::|\.", head.name)
    last = parts[-1]
    return parts[-2] if last in _CONSTRUCTORS and len(parts) > 1 else last


def _before_name(head: Head) -> str:
    """The type that stands before the name in a declaration, without annotations and modifiers."""
    name = _declared_name(head)
    text = head.signatures[0].rpartition("\n")[2]
    before = text.partition("(")[0].strip().removesuffix(name)
    if re.split(r"::|\.", head.name)[-1] in _CONSTRUCTORS or not text.partition("(")[0].strip().endswith(name):
        return ""
    words = [word for word in _SCOPE.sub("", before).split() if word not in _MODIFIERS]
    type_ = re.sub(r"\A<[^<>]*(?:<[^<>]*>[^<>]*)*>\s*(?=\S)", "", " ".join(words))
    return "" if type_ == "void" else type_


def _plain_type(type_: str) -> str:
    return re.sub(r"\s*([*&<>,])\s*", r"\1", type_)


def _of_all(calls: Sequence[Called]) -> list[Param]:
    """The parameters of all overloads, in the order of the longest; required are those that each of them requires."""
    told = [one for one in calls if one.called]
    if not told:
        return []
    if len(told) == 1:
        return list(told[0].params)
    longest = max(told, key=lambda one: len(one.params))
    found = {param.name: param for one in (longest, *told) for param in reversed(one.params)}
    order = list(dict.fromkeys(param.name for one in (longest, *told) for param in one.params))
    required = {
        name
        for name in order
        if all(any(param.name == name and param.required for param in one.params) for one in told)
    }
    return [replace(found[name], required=name in required) for name in order]


def _with(param: Param, stated: Stated | None) -> Param:
    if stated is None:
        return replace(param, enum=enum) if param.type and (enum := _enum(param.type)) else param
    default = param.default if param.default is not None else stated.default or None
    type_ = param.type or stated.type
    return replace(
        param,
        type=type_,
        required=param.required and not stated.optional and default is None,
        default=default,
        enum=_enum(type_) or _enum(stated.type),
        doc=stated.doc,
        since=stated.since,
        deprecation=stated.deprecation,
    )


def _documented(one: Stated, *, takes_any: bool, alone: bool) -> Param:
    """A parameter that only the documentation names: a member of an object, or one of `**kwargs`."""
    nested = "." in one.name
    return Param(
        name=one.name,
        type=one.type,
        required=alone and not nested and not one.optional and not one.default,
        default=tidy(one.default) if one.default else None,
        enum=_enum(one.type),
        doc=one.doc,
        kind="keyword_only" if takes_any else "",
        since=one.since,
        deprecation=one.deprecation,
    )


def _enum(type_: str) -> tuple[str, ...]:
    if type_.startswith("Literal[") and type_.endswith("]"):
        return tuple(_values(type_[8:-1]))
    return tuple(_QUOTED.findall(type_)) if _CHOICES.fullmatch(type_) else ()


def _values(text: str) -> Iterator[str]:
    yield from (part.strip().strip("'\"") for part in text.split(",") if part.strip())
