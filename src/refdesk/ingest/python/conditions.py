"""Conditional definitions: which branch is shown when a module defines one name in several.

griffe takes the last definition, which in real code is the fallback or the old variant. Here branches are put in
order of preference before griffe sees them: the branch that type checkers see, the newest Python, the body of a
`try` before its handlers, else the first one. A later branch keeps only what no earlier one has defined.
"""

import ast
from collections.abc import Iterable, Sequence

NEWEST_PYTHON = (3, 99)
"""Version that tests of `sys.version_info` are decided for: newer than any real one."""

_KNOWN_NAMES = {"TYPE_CHECKING": True, "PY3": True, "PY2": False, "False": False, "True": True}
_Try = (ast.Try, ast.TryStar)


def prune(module: ast.Module) -> None:
    """Take losing branches out of a module and its classes, in place; lines of what remains stay as they are."""
    _prune_body(module.body, set())


def bound_names(statements: Iterable[ast.stmt]) -> set[str]:
    """Names that statements bind in their own scope."""
    names: set[str] = set()
    for statement in statements:
        names |= _bound_by(statement)
    return names


def decide(test: ast.expr) -> bool | None:
    """The value of a condition where it can be known without running anything; None where it cannot."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Name | ast.Attribute):
        return _KNOWN_NAMES.get(test.id if isinstance(test, ast.Name) else test.attr)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = decide(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        values = [decide(value) for value in test.values]
        dominant = isinstance(test.op, ast.Or)
        if dominant in values:
            return dominant
        return None if None in values else not dominant
    return _decide_version(test) if isinstance(test, ast.Compare) else None


def _prune_body(body: list[ast.stmt], before: set[str]) -> None:
    defined = set(before)
    for statement in body:
        if isinstance(statement, ast.If):
            _prune_if(statement, defined)
        elif isinstance(statement, _Try):
            _prune_try(statement, defined)
        elif isinstance(statement, ast.ClassDef):
            _prune_body(statement.body, set())
        elif isinstance(statement, ast.With | ast.For | ast.While):
            _prune_body(statement.body, defined)
        defined |= _bound_by(statement)


def _prune_if(statement: ast.If, before: set[str]) -> None:
    known = decide(statement.test)
    checked_by_types = any(
        getattr(node, "id", getattr(node, "attr", "")) == "TYPE_CHECKING" for node in ast.walk(statement.test)
    )
    _prune_body(statement.body, before)
    _prune_body(statement.orelse, before)
    if known is None or (known and checked_by_types):
        statement.orelse = _without(statement.orelse, bound_names(statement.body))
    elif known:
        statement.orelse = []
    elif checked_by_types:
        statement.body = _without(statement.body, bound_names(statement.orelse)) or [_nothing(statement)]
    else:
        statement.body = [_nothing(statement)]


def _prune_try(statement: ast.Try | ast.TryStar, before: set[str]) -> None:
    _prune_body(statement.body, before)
    _prune_body(statement.orelse, before)
    _prune_body(statement.finalbody, before)
    for handler in statement.handlers:
        _prune_body(handler.body, before)
    if before and not any(bound_names(handler.body) for handler in statement.handlers):
        # `def f(): ...` and then `try: from ._fast import f`: the definition in Python is the one that can be read.
        statement.body = _without(statement.body, before, imports_only=True) or [_nothing(statement)]
    defined = bound_names(statement.body) | bound_names(statement.orelse)
    for handler in statement.handlers:
        handler.body = _without(handler.body, defined) or [_nothing(statement)]
        defined |= bound_names(handler.body)


def _without(statements: Sequence[ast.stmt], names: set[str], *, imports_only: bool = False) -> list[ast.stmt]:
    """Statements that bind something beyond `names`; what they bind of `names` is taken out of imports and blocks."""
    kept: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            statement.names = [one for one in statement.names if _imported(one) not in names]
            if statement.names:
                kept.append(statement)
        elif isinstance(statement, ast.If) and not imports_only:
            statement.body = _without(statement.body, names) or [_nothing(statement)]
            statement.orelse = _without(statement.orelse, names)
            kept.append(statement)
        elif imports_only or not (bound := _bound_by(statement)) or bound - names:
            kept.append(statement)
    return kept


def _bound_by(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {_imported(one) for one in statement.names if one.name != "*"}
    if isinstance(statement, ast.Assign):
        return {name for target in statement.targets for name in _target_names(target)}
    if isinstance(statement, ast.AnnAssign | ast.AugAssign):
        return set(_target_names(statement.target))
    if isinstance(statement, ast.If):
        return bound_names(statement.body) | bound_names(statement.orelse)
    if isinstance(statement, _Try):
        parts = [statement.body, statement.orelse, statement.finalbody]
        parts += [handler.body for handler in statement.handlers]
        return set().union(*map(bound_names, parts))
    return bound_names(statement.body) if isinstance(statement, ast.With | ast.For | ast.While) else set()


def _target_names(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple | ast.List):
        return [name for element in target.elts for name in _target_names(element)]
    return []


def _imported(name: ast.alias) -> str:
    return name.asname or name.name.partition(".")[0]


def _nothing(place: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Pass(), place)


def _decide_version(test: ast.Compare) -> bool | None:
    if len(test.ops) != 1:
        return None
    actual = _python_version(test.left)
    try:
        wanted: object = ast.literal_eval(test.comparators[0])
    except (ValueError, TypeError):
        return None
    if isinstance(actual, int) and not isinstance(wanted, int):
        return None
    if isinstance(actual, tuple) and not (isinstance(wanted, tuple) and all(isinstance(one, int) for one in wanted)):
        return None
    return None if actual is None else _compare(actual, test.ops[0], wanted)


def _compare(actual: object, operator: ast.cmpop, wanted: object) -> bool | None:
    less: bool = actual < wanted  # type: ignore[operator]  # both are ints, or both tuples of ints: checked above
    equal = actual == wanted
    answers: dict[type[ast.cmpop], bool] = {
        ast.Lt: less,
        ast.LtE: less or equal,
        ast.Gt: not less and not equal,
        ast.GtE: not less,
        ast.Eq: equal,
        ast.NotEq: not equal,
    }
    return answers.get(type(operator))


def _python_version(node: ast.expr) -> tuple[int, ...] | int | None:
    """`sys.version_info`, a slice or a part of it."""
    if isinstance(node, ast.Attribute) and node.attr in ("major", "minor") and _is_version_info(node.value):
        return NEWEST_PYTHON[node.attr == "minor"]
    if isinstance(node, ast.Subscript) and _is_version_info(node.value):
        return _part_of_version(node.slice)
    return NEWEST_PYTHON if _is_version_info(node) else None


def _is_version_info(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "version_info"


def _part_of_version(part: ast.expr) -> tuple[int, ...] | int | None:
    chosen = part.upper if isinstance(part, ast.Slice) else part
    number = chosen.value if isinstance(chosen, ast.Constant) and isinstance(chosen.value, int) else None
    if isinstance(part, ast.Slice):
        return NEWEST_PYTHON[:number]
    return NEWEST_PYTHON[number] if number in (0, 1) else None
