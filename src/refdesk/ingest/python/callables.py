"""Everything about one function, method or property that does not depend on the name it is reached by."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import griffe

from refdesk.domain.symbols import Deprecation, ErrorRef, Example, JsonValue, Param, Returns
from refdesk.ingest.prose import summary
from refdesk.ingest.python import deprecations
from refdesk.ingest.python.assembled import Assembler
from refdesk.ingest.python.classes import Classes
from refdesk.ingest.python.docstrings import Docstring, Documented, parse_docstring
from refdesk.ingest.python.facts import Decorator, FunctionFacts, function_facts
from refdesk.ingest.python.namespaces import Namespaces
from refdesk.ingest.python.signatures import declaration, is_bound, parameters, read_annotation

NameSymbol = Callable[[str, str], str]
"""(module, name as written there) → canonical name of a public symbol, empty if it is none."""

_NAME = re.compile(r"[A-Za-z_][\w.]*\Z")
_PLAIN = frozenset({"None", "True", "False", "...", "Ellipsis"})
_SENTINEL = re.compile(r"\.\.\.|object\(\)|no_?default|sentinel|unset|missing|undefined", re.IGNORECASE)
_LONGEST_VALUE = 80

_LABELS = ("classmethod", "staticmethod", "abstractmethod", "cached", "writable")
_PROPERTIES = ("cache_readonly", "reify", "lazy", "lazy_attribute")
_NO_DOC = Docstring()


@dataclass(frozen=True, slots=True)
class Described:
    """What an answer about a callable says; the fields are those of `Symbol`."""

    summary: str = ""
    doc: str = ""
    signature: str = ""
    params: tuple[Param, ...] = ()
    returns: Returns | None = None
    errors: tuple[ErrorRef, ...] = ()
    examples: tuple[Example, ...] = ()
    deprecation: Deprecation | None = None
    since: str = ""
    attributes: Mapping[str, JsonValue] = field(default_factory=dict)
    types: tuple[str, ...] = ()


class Callables:
    """Descriptions of the functions of one package, each made once."""

    def __init__(self, namespaces: Namespaces, classes: Classes, name_symbol: NameSymbol) -> None:
        self._namespaces = namespaces
        self._classes = classes
        self._assembler = Assembler(namespaces)
        self._name_symbol = name_symbol
        self._described: dict[int, Described] = {}

    def describe(self, thing: griffe.Object) -> Described:
        """A function, method or property."""
        if id(thing) not in self._described:
            callable_ = isinstance(thing, griffe.Function) and not is_property(thing)
            self._described[id(thing)] = self._function(thing) if callable_ else self._property(thing)  # type: ignore[arg-type]  # decided by `callable_`
        return self._described[id(thing)]

    def documented(self, thing: griffe.Object) -> tuple[Docstring, str]:
        """The docstring of an object or, without one, of the same member in a base; and a note where it is from."""
        text, note = self._assembler.docstring(thing)
        if text or note:
            return parse_docstring(text, thing.name) if text else _NO_DOC, note
        owner = thing.parent
        if isinstance(owner, griffe.Class) and not isinstance(thing, griffe.Class):
            for base in self._classes.view(owner).ancestors[1:]:
                inherited = base.members.get(thing.name)
                if isinstance(inherited, griffe.Object):
                    text, _ = self._assembler.docstring(inherited)
                    if text:
                        return parse_docstring(text, thing.name), f"inherited from {base.path}"
        return _NO_DOC, ""

    def errors(self, doc: Docstring, module: str) -> tuple[ErrorRef, ...]:
        """The errors that a docstring states."""
        return tuple(ErrorRef(self._name_symbol(module, name) or name, said) for name, said in doc.raises if name)

    def _function(self, function: griffe.Function) -> Described:
        facts = function_facts(function)
        doc, note = self.documented(function)
        declared = parameters(function, bound=is_bound(function))
        attributes = _attributes(function, note)
        overloads = list(function.overloads or ())
        if overloads:
            attributes["overloads"] = [declaration(one, parameters(one, bound=is_bound(function))) for one in overloads]
        shown = informative(function, declared)
        params = with_docs(shown, doc.params, accepts_more=_takes_keywords(declared))
        params = deprecations.of_parameters(params, facts.parameters, facts.decorators)
        params = self.with_values(params, function.module.path)
        since, params = _api_versions(facts.decorators, params, attributes)
        returns = _returns(read_annotation(str(function.returns or "")).type, doc)
        return Described(
            summary(doc.text), doc.text, declaration(function, declared), params, returns,
            self.errors(doc, function.module.path), doc.examples,
            deprecations.decide(facts.decorators, facts.deprecation, doc.deprecation),
            since or doc.since, attributes, tuple(one.type for one in params if one.type),
        )  # fmt: skip

    def with_values(self, params: Sequence[Param], module: str) -> tuple[Param, ...]:
        """Parameters whose defaults are constants of the package, with the constants' values in their texts."""
        return tuple(self._with_value(one, module) for one in params)

    def _with_value(self, param: Param, module: str) -> Param:
        if param.default is None or param.default in _PLAIN or not _NAME.match(param.default):
            return param
        found = self._namespaces.lookup(module, param.default).thing
        value = str(found.value) if isinstance(found, griffe.Attribute) and found.value is not None else ""
        if not value or len(value) > _LONGEST_VALUE or _SENTINEL.search(value) or "\n" in value:
            return param
        said = f"Default: `{param.default}` is `{value}`."
        return param if said in param.doc else replace(param, doc=f"{param.doc}\n\n{said}".strip())

    def _property(self, thing: griffe.Attribute | griffe.Function) -> Described:
        facts: FunctionFacts = function_facts(thing)
        doc, note = self.documented(thing)
        annotation = thing.returns if isinstance(thing, griffe.Function) else thing.annotation
        stated = read_annotation(str(annotation)).type if annotation is not None else ""
        attributes = _attributes(thing, note)
        since, _ = _api_versions(facts.decorators, (), attributes)
        returns = _returns(stated, doc)
        shown = stated or (returns.type if returns else "")
        return Described(
            summary(doc.text) or summary(returns.doc if returns else ""), doc.text,
            f"{thing.name}: {shown}" if shown else thing.name, (), returns,
            self.errors(doc, thing.module.path), doc.examples,
            deprecations.decide(facts.decorators, facts.deprecation, doc.deprecation),
            since or doc.since, attributes,
        )  # fmt: skip


def is_property(thing: griffe.Object) -> bool:
    """Whether it is read like an attribute: `property`, or a decorator that is called like one (`hybrid_property`)."""
    if "property" in thing.labels:
        return True
    names = [one.last.lower() for one in function_facts(thing).decorators]
    return any(name.endswith("property") or name in _PROPERTIES for name in names)


def with_docs(
    declared: Sequence[Param], documented: Mapping[str, Documented], *, accepts_more: bool
) -> tuple[Param, ...]:
    """Declared parameters with their documentation, and those that only the docstring names.

    A name that is documented but not declared is a keyword argument where the function takes `**kwargs`; otherwise
    the docstring is out of step with the code, and the code counts.
    """
    known = {param.name for param in declared}
    params = [_with_doc(param, documented.get(param.name)) for param in declared]
    if accepts_more:
        at = next((index for index, one in enumerate(params) if one.kind == "var_keyword"), len(params))
        hidden = [
            Param(one.name, one.type, default=one.default or None, enum=one.enum, kind="keyword_only")
            for one in documented.values()
            if one.name not in known and one.name.isidentifier()
        ]
        params[at:at] = [_with_doc(param, documented[param.name]) for param in hidden]
    return tuple(params)


def _with_doc(param: Param, documented: Documented | None) -> Param:
    if documented is None:
        return param
    values = re.fullmatch(r"(?:Optional\[)?(?:typing\.)?Literal\[(?P<values>[^\[\]]*)\]\]?", documented.type)
    named = tuple(re.findall(r"['\"]([^'\"]*)['\"]", values["values"])) if values else documented.enum
    return replace(
        param,
        type=param.type or documented.type,
        doc=documented.doc or param.doc,
        since=documented.since or param.since,
        enum=param.enum or (named if not param.type or not documented.enum else documented.enum),
        deprecation=param.deprecation or documented.deprecation,
    )


def _takes_keywords(params: Sequence[Param]) -> bool:
    return any(param.kind == "var_keyword" for param in params)


def informative(function: griffe.Function, declared: tuple[Param, ...]) -> tuple[Param, ...]:
    """The parameters of the fullest overload where the implementation only says `*args, **kwargs`.

    Not where an overload says the same: then anything may be passed, and no overload speaks for all calls.
    """
    overloads = function.overloads or ()
    every = [parameters(one, bound=is_bound(function)) for one in overloads]
    if not every or _names_any(declared) or not all(_names_any(one) or not one for one in every):
        return declared
    return max(every, key=lambda params: sum(not one.kind.startswith("var_") for one in params))


def _names_any(params: Sequence[Param]) -> bool:
    return any(not one.kind.startswith("var_") for one in params)


def _returns(stated: str, doc: Docstring) -> Returns | None:
    said, text = doc.returns
    if not stated and not said and not text:
        return None
    return Returns(stated or said, text)


def _attributes(thing: griffe.Object, note: str) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {label: True for label in _LABELS if label in thing.labels}
    if "async" in thing.labels:
        found["async"] = True
    if note:
        found["docstring"] = note
    return found


def _api_versions(
    decorators: Sequence[Decorator], params: tuple[Param, ...], attributes: dict[str, JsonValue]
) -> tuple[str, tuple[Param, ...]]:
    """What Azure's `@api_version_validation` says: since when the method and its parameters exist."""
    for one in decorators:
        if one.last != "api_version_validation":
            continue
        words = one.keywords
        attributes["api_versions"] = words.get("api_versions_list") or []
        added = words.get("params_added_on")
        dates = {
            str(name): date
            for date, names in (added.items() if isinstance(added, dict) else ())
            for name in (names if isinstance(names, list) else [names])
        }
        params = tuple(replace(param, since=dates.get(param.name, param.since)) for param in params)
        return str(words.get("method_added_on") or ""), params
    return "", params


def class_docs(callables: Callables, thing: griffe.Class) -> tuple[Docstring, str]:
    """The documentation of a class: its own, completed by that of its `__init__`."""
    doc, note = callables.documented(thing)
    own = thing.members.get("__init__")
    if not isinstance(own, griffe.Function):
        return doc, note
    other, _ = callables.documented(own)
    return replace(
        doc,
        text=doc.text or other.text,
        params={**other.params, **doc.params},
        raises=doc.raises or other.raises,
        examples=doc.examples or other.examples,
        deprecation=doc.deprecation or other.deprecation,
        since=doc.since or other.since,
    ), note
