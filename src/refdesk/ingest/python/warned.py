"""Deprecation warnings in bodies: which calls, parameters and old names raise one."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_CATEGORY = re.compile(r"deprecat|futurewarning|removedin", re.IGNORECASE)
_WARN = re.compile(r"(?:^|\.)(?:warn|warn_explicit)$")
_WARN_DEPRECATED = re.compile(r"(?:^|\.)_*(?:warn_)?(?:on_)?deprecat\w*$")
_GAP = "\u2026"
"""Stands where a text has a part that is only known at run time."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning as written: its text (gaps as `…`, empty if not literal) and its category."""

    message: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class Retired:
    """An old name that a module's `__getattr__` serves with a warning, or refuses.

    Attributes:
        replacement: What it hands out instead, as written; empty if not visible.
        gone: True where it raises instead of warning.
    """

    name: str
    message: str
    replacement: str = ""
    gone: bool = False


def text_of(node: ast.expr | None) -> str:
    """The text of a string expression, with `…` for parts that are not literal; empty if it is no string."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) if isinstance(part, ast.Constant) else _GAP for part in node.values)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add):
            left, right = text_of(node.left), text_of(node.right)
            return (left or _GAP) + (right or _GAP) if left or right else ""
        if isinstance(node.op, ast.Mod):
            return re.sub(r"%(?:\(\w+\))?[-#0+ ]*\d*[sdrif]", _GAP, text_of(node.left))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return re.sub(r"\{[^{}]*\}", _GAP, text_of(node.func.value))
    return ""


def dotted(node: ast.expr | None) -> str:
    """The dotted name that an expression is; empty if it is another expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def always(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Warned | None:
    """The deprecation warning that every call of a function raises; None if there is none or it has a condition."""
    return in_body(function.body)


def for_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[str, Warned]:
    """Parameter → the deprecation warning that passing it raises.

    Only tests that ask whether it was passed count (`x is not None`, `"x" in kwargs`); a test of its value warns
    about that value. The text must name the parameter.
    """
    arguments = function.args
    names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    words = arguments.kwarg.arg if arguments.kwarg else ""
    found: dict[str, Warned] = {}
    for statement in function.body:
        if isinstance(statement, ast.If):
            name = _passed(statement.test, names, words)
            warning = in_body(statement.body) if name else None
            if warning and re.search(rf"\b{re.escape(name)}\b", warning.message):
                found.setdefault(name, warning)
    return found


def retired(module: ast.Module, hook: ast.FunctionDef) -> tuple[Retired, ...]:
    """Old names in the literal cases of a module's `__getattr__`: `if name == "x": warnings.warn(...)`."""
    argument = hook.args.args[0].arg if hook.args.args else ""
    found: list[Retired] = []
    queue: list[ast.stmt] = list(hook.body)
    while queue:
        statement = queue.pop(0)
        if isinstance(statement, ast.If):
            queue = [*statement.orelse, *queue]
            names = _names_tested(statement.test, argument, module)
            found += [one for name, said in names if (one := _retired(name, said, statement.body)) is not None]
    return tuple(found)


def in_body(body: Sequence[ast.stmt]) -> Warned | None:
    """The deprecation warning that statements raise whenever they run; None if there is none."""
    for statement in body:
        if isinstance(statement, ast.Return | ast.Raise):
            return None
        if isinstance(statement, ast.With):
            inner = in_body(statement.body)
            if inner is not None:
                return inner
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            warning = _warning(statement.value)
            if warning is not None:
                return warning
    return None


def _warning(call: ast.Call) -> Warned | None:
    name = dotted(call.func)
    values = [*call.args, *(word.value for word in call.keywords if word.arg in ("message", "category", "msg"))]
    if _WARN.search(name):
        for value in values:
            # `warn(SomeDeprecation("text"))` and `warn("text", SomeDeprecation)`
            made = value.func if isinstance(value, ast.Call) else value
            category = dotted(made).rpartition(".")[2]
            if _CATEGORY.search(category):
                holder = value.args[0] if isinstance(value, ast.Call) and value.args else values[0]
                return Warned(_clean(text_of(holder)), category)
        return None
    if _WARN_DEPRECATED.search(name):
        message = next((text for value in values if (text := text_of(value))), "")
        return Warned(_clean(message), "") if message else None
    return None


def _passed(test: ast.expr, names: set[str], words: str) -> str:
    """The parameter of which a test asks whether it was passed; empty if it asks something else."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return ""
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.IsNot) and isinstance(left, ast.Name) and left.id in names:
        return left.id
    if isinstance(test.ops[0], ast.In) and isinstance(left, ast.Constant) and isinstance(left.value, str):
        return left.value if words and isinstance(right, ast.Name) and right.id == words else ""
    return ""


def _names_tested(test: ast.expr, argument: str, module: ast.Module) -> list[tuple[str, str]]:
    """Old names that a test asks for, each with the text that a table gives it."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and dotted(test.left) == argument):
        return []
    wanted = test.comparators[0]
    if isinstance(test.ops[0], ast.Eq):
        return [(name, "")] if (name := _constant(wanted)) else []
    if not isinstance(test.ops[0], ast.In):
        return []
    if isinstance(wanted, ast.Name):
        wanted = _assigned(module, wanted.id) or wanted
    if isinstance(wanted, ast.Dict):
        pairs = zip(wanted.keys, wanted.values, strict=True)
        return [(name, text_of(value)) for key, value in pairs if (name := _constant(key))]
    return [(name, "") for one in getattr(wanted, "elts", ()) if (name := _constant(one))]


def _constant(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _assigned(module: ast.Module, name: str) -> ast.expr | None:
    for statement in module.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == name for one in targets):
            value = getattr(statement, "value", None)
            return value if isinstance(value, ast.expr) else None
    return None


def _retired(name: str, said: str, body: Sequence[ast.stmt]) -> Retired | None:
    warning = in_body(body)
    if warning is not None:
        handed = next((dotted(one.value) for one in body if isinstance(one, ast.Return)), "")
        return Retired(name, _filled(warning.message, name, said), handed)
    raised = next((one.exc for one in body if isinstance(one, ast.Raise)), None)
    message = _clean(text_of(raised.args[0])) if isinstance(raised, ast.Call) and raised.args else ""
    return Retired(name, _filled(message, name, said), gone=True) if message else None


def _filled(message: str, name: str, said: str) -> str:
    """A message whose gaps are, as in real code, the old name and what a table says of it."""
    filled = message.replace(_GAP, name, 1)
    return filled.replace(_GAP, said, 1) if said else filled


def _clean(text: str) -> str:
    return " ".join(text.split())
