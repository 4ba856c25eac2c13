"""What `__all__` of a module lists, read from its statements."""

import ast
from collections.abc import Mapping, Sequence

_TARGET = "__all__"


def read(module: ast.Module) -> tuple[str, ...] | None:
    """The names that `__all__` lists, in order; None if the module has none or makes it in a way that is not read.

    `*name` stands for everything that another `__all__` lists, known here as `name` (`from ._patch import __all__ as
    _patch_all`) or belonging to the module `name` (`submodule.__all__`).
    """
    lists: dict[str, list[str]] = {}
    unread = False
    for statement in _statements(module.body):
        target, value, adds = _change(statement)
        if value is None or not target:
            continue
        names = _names(value, lists)
        if names is not None:
            lists[target] = [*(lists.get(target, []) if adds else []), *names]
        elif target == _TARGET and not adds:
            unread = True
    listed = lists.get(_TARGET)
    return None if listed is None or (unread and not listed) else tuple(dict.fromkeys(listed))


def _statements(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        found.append(statement)
        if isinstance(statement, ast.If | ast.Try | ast.With):
            found += _statements(statement.body)
            found += _statements(getattr(statement, "orelse", []))
            for handler in getattr(statement, "handlers", []):
                found += _statements(handler.body)
    return found


def _change(statement: ast.stmt) -> tuple[str, ast.expr | None, bool]:
    """The list that a statement changes, the value, and whether it is added to what was there."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return _name(statement.targets[0]), statement.value, False
    if isinstance(statement, ast.AnnAssign):
        return _name(statement.target), statement.value, False
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return _name(statement.target), statement.value, True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and len(call.args) == 1:
            if call.func.attr == "extend":
                return _name(call.func.value), call.args[0], True
            if call.func.attr == "append":
                return _name(call.func.value), ast.List(elts=[call.args[0]]), True
    return "", None, False


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.expr, lists: Mapping[str, list[str]]) -> list[str] | None:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        parts = [_element(one, lists) for one in node.elts]
        return None if None in parts else [name for part in parts if part for name in part]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _names(node.left, lists), _names(node.right, lists)
        return None if left is None or right is None else left + right
    if isinstance(node, ast.Name):
        return list(lists[node.id]) if node.id in lists else [f"*{node.id}"]
    if isinstance(node, ast.Attribute) and node.attr == _TARGET:
        return [f"*{ast.unparse(node.value)}"]
    if isinstance(node, ast.ListComp) and len(node.generators) == 1 and isinstance(node.elt, ast.Name):
        # Azure writes: __all__.extend([p for p in _patch_all if p not in __all__])
        return _names(node.generators[0].iter, lists) if isinstance(node.generators[0].iter, ast.Name) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "sorted"):
        return _names(node.args[0], lists) if len(node.args) == 1 else None
    return None


def _element(node: ast.expr, lists: Mapping[str, list[str]]) -> list[str] | None:
    if isinstance(node, ast.Starred):
        return _names(node.value, lists)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    # `Name.__name__` in a list is the name of what is listed.
    if isinstance(node, ast.Attribute) and node.attr == "__name__" and isinstance(node.value, ast.Name):
        return [node.value.id]
    return None
