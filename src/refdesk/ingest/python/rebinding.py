"""Decorators that are written as calls: `f = deprecated("Use g.")(f)` behind the definition of `f`.

griffe takes the last binding of a name, and would show an attribute whose value is a call in place of the function or
class that the name still means.
"""

import ast

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def decorate(module: ast.Module) -> None:
    """Turn such bindings of a module and its classes into decorators of the definitions, in place."""
    _decorate_body(module.body)


def _decorate_body(body: list[ast.stmt]) -> None:
    defined: dict[str, _Definition] = {}
    kept: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, _Definition):
            defined[statement.name] = statement
        if isinstance(statement, ast.ClassDef):
            _decorate_body(statement.body)
        name = _rebound(statement)
        if name not in defined:
            kept.append(statement)
        elif (decorator := _decorator(statement)) is not None:
            defined[name].decorator_list.insert(0, decorator)
    body[:] = kept


def _rebound(statement: ast.stmt) -> str:
    """The name that a statement binds to a call which is handed what the name meant before; empty if it does not."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=args, keywords=keywords)):
            handed = [*args, *(one.value for one in keywords)]
            names = {node.id for one in handed for node in ast.walk(one) if isinstance(node, ast.Name)}
            return name if name in names else ""
    return ""


def _decorator(statement: ast.stmt) -> ast.expr | None:
    """What is called with the old meaning and nothing else; None for a call that no decorator can stand for."""
    match statement:
        case ast.Assign(value=ast.Call(func=called, args=[ast.Name()], keywords=[])):
            return called
    return None
