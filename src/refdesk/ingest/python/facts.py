"""What griffe does not keep of a module: bodies, decorators' arguments, defaults as written, constants.

The facts are read from the syntax tree while griffe visits it (its extension hooks) and hang on griffe's objects.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import griffe

from refdesk.domain.symbols import JsonValue
from refdesk.ingest.python import exports, warned
from refdesk.ingest.python.conditions import prune
from refdesk.ingest.python.rebinding import decorate
from refdesk.ingest.python.warned import dotted

_KEY = "refdesk"
_OPEN_DECORATOR_WORDS = ("delegat", "inherit_names", "proxy", "add_", "attach", "forward", "populate")
_DOC_DECORATORS = ("doc", "append", "subst", "interp", "dedent", "inherit")
_SLICE = 100
_LONGEST_VALUE = 40
"""Elements of a literal beyond which its value is no reading matter and is replaced by `...`."""


@dataclass(frozen=True, slots=True)
class Decorator:
    """A decorator as written: dotted name, and its arguments where they are literals (None where not)."""

    name: str
    args: tuple[JsonValue, ...] = ()
    keywords: Mapping[str, JsonValue] = field(default_factory=dict)
    node: ast.expr | None = None

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def makes_docs(self) -> bool:
        """Whether its name says that it assembles a docstring."""
        return any(word in self.last.lower() for word in _DOC_DECORATORS)


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """Facts of one function or property.

    Attributes:
        defaults: Parameter → default as written.
        deprecation: The deprecation warning that every call raises.
        parameters: Parameter → the deprecation warning that passing it raises.
    """

    decorators: tuple[Decorator, ...] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)
    deprecation: warned.Warned | None = None
    parameters: Mapping[str, warned.Warned] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """Facts of one class; `open` where its body or decorators add members that cannot be listed."""

    decorators: tuple[Decorator, ...] = ()
    open: bool = False
    deprecation: warned.Warned | None = None


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """Facts of one module.

    Attributes:
        exports: What `__all__` lists (`exports.read`); None if there is none.
        open: Whether names are added at run time.
        attached: Classes of the module that get members from outside their body.
        retired: Old names that a module-level `__getattr__` still serves with a warning, or refuses.
        texts: String constants, for docstrings that are put together at run time.
        tables: Dictionaries of such constants.
        renamed: Names imported as themselves (`import a as a`), with their lines: the mark of a re-export.
    """

    exports: tuple[str, ...] | None = None
    open: bool = False
    attached: frozenset[str] = frozenset()
    retired: tuple[warned.Retired, ...] = ()
    texts: Mapping[str, ast.expr] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, ast.expr]] = field(default_factory=dict)
    renamed: frozenset[tuple[str, int]] = frozenset()
    deprecation: warned.Warned | None = None


_Facts = TypeVar("_Facts", FunctionFacts, ClassFacts, ModuleFacts)


def function_facts(thing: griffe.Object) -> FunctionFacts:
    """Facts of a function, or of a property (which griffe shows as an attribute)."""
    return _read(thing, FunctionFacts)


def class_facts(thing: griffe.Object) -> ClassFacts:
    """Facts of a class."""
    return _read(thing, ClassFacts)


def module_facts(thing: griffe.Object) -> ModuleFacts:
    """Facts of a module."""
    return _read(thing, ModuleFacts)


class FactsExtension(griffe.Extension):
    """Prunes conditional branches before griffe visits a module, and collects facts; one instance for each module."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._lines = code.splitlines()
        self._module = ModuleFacts()

    def on_module_node(self, *, node: Any, agent: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002  # griffe's hook
        """Put the syntax tree in order before it is visited."""
        prune(node)
        decorate(node)
        self._module = _facts_of_module(node)
        _shorten_tables(node)
        _slice_body(node)

    def on_module_instance(self, *, node: Any, mod: griffe.Module, agent: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002  # griffe's hook
        """Keep the module's facts."""
        mod.extra[_KEY]["facts"] = self._module

    def on_class_instance(self, *, node: Any, cls: griffe.Class, agent: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002  # griffe's hook
        """Keep a class's facts."""
        decorators = _decorators(node)
        adds = any(word in one.last.lower() for one in decorators for word in _OPEN_DECORATOR_WORDS)
        initialiser = next((one for one in _statements(node) if getattr(one, "name", "") == "__init__"), None)
        warning = warned.always(initialiser) if isinstance(initialiser, ast.FunctionDef) else None
        cls.extra[_KEY]["facts"] = ClassFacts(decorators, adds or _writes_namespace(node.body), warning)

    def on_function_instance(self, *, node: Any, func: griffe.Function, agent: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002  # griffe's hook
        """Keep a function's facts."""
        func.extra[_KEY]["facts"] = self._function(node)

    def on_attribute_instance(self, *, node: Any, attr: griffe.Attribute, agent: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002  # griffe's hook
        """Keep the facts of the function behind a property."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            attr.extra[_KEY]["facts"] = self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> FunctionFacts:
        return FunctionFacts(
            _decorators(node), self._defaults(node.args), warned.always(node), warned.for_parameters(node)
        )

    def _defaults(self, arguments: ast.arguments) -> dict[str, str]:
        positional = arguments.posonlyargs + arguments.args
        with_default = positional[len(positional) - len(arguments.defaults) :]
        pairs = [*zip(with_default, arguments.defaults, strict=True)]
        pairs += [
            (argument, default)
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is not None
        ]
        return {argument.arg: self._source(default) for argument, default in pairs}

    def _source(self, node: ast.expr) -> str:
        """An expression as written, on one line."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if first != last or last >= len(self._lines):
            return ast.unparse(node)
        # Columns of the syntax tree count bytes of UTF-8.
        return self._lines[first].encode()[node.col_offset : node.end_col_offset].decode()


def _read(thing: griffe.Object, form: type[_Facts]) -> _Facts:
    facts = thing.extra[_KEY].get("facts") if _KEY in thing.extra else None
    return facts if isinstance(facts, form) else form()


def _decorators(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[Decorator, ...]:
    found: list[Decorator] = []
    for one in node.decorator_list:
        if isinstance(one, ast.Call):
            keywords = {word.arg: _literal(word.value) for word in one.keywords if word.arg}
            found.append(Decorator(dotted(one.func), tuple(map(_literal, one.args)), keywords, one))
        else:
            found.append(Decorator(dotted(one), node=one))
    return tuple(found)


def _literal(node: ast.expr) -> JsonValue:
    """The value of a literal; of a text with changing parts its text; None for anything else."""
    text = warned.text_of(node)
    if text:
        return text
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    return _json(value)


def _json(value: object) -> JsonValue:
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_json(one) for one in value]
    return {str(key): _json(one) for key, one in value.items()} if isinstance(value, dict) else None


def _facts_of_module(node: ast.Module) -> ModuleFacts:
    texts: dict[str, ast.expr] = {}
    tables: dict[str, dict[str, ast.expr]] = {}
    for statement in node.body:
        _note_texts(statement, texts, tables)
    attached = frozenset(_attached(node.body))
    hook = next((one for one in node.body if getattr(one, "name", "") == "__getattr__"), None)
    return ModuleFacts(
        exports=exports.read(node),
        open=hook is not None or _writes_namespace(node.body),
        attached=attached,
        retired=warned.retired(node, hook) if isinstance(hook, ast.FunctionDef) else (),
        texts=texts,
        tables=tables,
        deprecation=warned.in_body(node.body),
        renamed=frozenset(
            (one.name, inner.lineno)
            for inner in _outside_functions(node.body)
            if isinstance(inner, ast.ImportFrom)
            for one in inner.names
            if one.asname == one.name
        ),
    )


def _note_texts(statement: ast.stmt, texts: dict[str, ast.expr], tables: dict[str, dict[str, ast.expr]]) -> None:
    target: ast.expr | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    value = getattr(statement, "value", None)
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        key = target.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(value, ast.expr):
            tables.setdefault(target.value.id, {})[key.value] = value
    elif isinstance(target, ast.Name) and isinstance(value, ast.Dict):
        # `{**other}` is noted under the name of the other table.
        tables[target.id] = {
            f"**{dotted(one)}" if key is None else str(getattr(key, "value", "")): one
            for key, one in zip(value.keys, value.values, strict=True)
        }
    elif isinstance(target, ast.Name) and isinstance(value, ast.Constant | ast.BinOp | ast.Call | ast.JoinedStr):
        texts[target.id] = value


def _attached(body: Sequence[ast.stmt]) -> set[str]:
    """Classes that statements outside of functions give members to: `setattr(Series, ...)`, `Series.plot = ...`."""
    found: set[str] = set()
    for node in _outside_functions(body):
        if isinstance(node, ast.Call) and dotted(node.func) == "setattr" and node.args:
            found.add(dotted(node.args[0]))
        elif isinstance(node, ast.Assign):
            found.update(dotted(one.value) for one in node.targets if isinstance(one, ast.Attribute))
    return found - {""}


def _writes_namespace(body: Sequence[ast.stmt]) -> bool:
    """Whether a body fills its own namespace: `globals()[name] = ...`, `locals().update(...)`."""
    for node in _outside_functions(body):
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Subscript) and _is_namespace(one.value) for one in targets):
                return True
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("update", "setdefault") and _is_namespace(node.func.value):
                return True
        elif isinstance(node, ast.Call) and dotted(node.func) == "setattr" and _is_own_module(node.args[:1]):
            return True
    return False


def _is_own_module(nodes: Sequence[ast.expr]) -> bool:
    return any(isinstance(node, ast.Subscript) and dotted(node.value) == "sys.modules" for node in nodes)


def _is_namespace(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in ("globals", "locals", "vars") and not node.args


def _outside_functions(body: Sequence[ast.stmt]) -> list[ast.AST]:
    found: list[ast.AST] = []
    queue: list[ast.AST] = list(body)
    while queue:
        node = queue.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.Constant):
            continue
        found.append(node)
        queue.extend(ast.iter_child_nodes(node))
    return found


def _shorten_tables(module: ast.Module) -> None:
    """Replace long literals by `...`, so that a table of ten thousand rows costs nothing."""
    for statement in module.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        value = statement.value
        size = len(getattr(value, "elts", getattr(value, "keys", ())))
        span = (value.end_lineno or value.lineno) - value.lineno
        if size > _LONGEST_VALUE or span > 200:
            statement.value = ast.copy_location(ast.Constant(value=...), value)


def _slice_body(scope: ast.Module | ast.ClassDef) -> None:
    """Put the statements of a long body into blocks: griffe looks for each one's neighbour from the start of its block.

    Without it a module of 8,000 constants takes 8 seconds. The first statement (the docstring) stays where it is.
    """
    for statement in scope.body:
        if isinstance(statement, ast.ClassDef):
            _slice_body(statement)
    if len(scope.body) <= 2 * _SLICE:
        return
    blocks: list[ast.stmt] = scope.body[:1]
    rest = scope.body[1:]
    while rest:
        end = _SLICE
        # A text below an assignment documents it and stays beside it.
        while end < len(rest) and isinstance(rest[end], ast.Expr):
            end += 1
        blocks.append(ast.copy_location(ast.With(items=[], body=rest[:end]), rest[0]))
        rest = rest[end:]
    scope.body = blocks


def _statements(scope: ast.ClassDef) -> list[ast.stmt]:
    """The statements of a class, those in blocks included."""
    found: list[ast.stmt] = []
    for one in scope.body:
        found += one.body if isinstance(one, ast.With) and not one.items else [one]
    return found
