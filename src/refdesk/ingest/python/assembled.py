"""Docstrings that decorators put together at run time: `@doc`, `@Appender`, `@Substitution` as pandas has them.

Literal cases are evaluated: constants of modules, `%` and `.format` with constants, tables of texts, docstrings of
other functions. What stays open is taken out; a placeholder is never shown.
"""

import ast
import re
from collections.abc import Mapping
from inspect import cleandoc
from textwrap import dedent
from typing import Any

import griffe

from refdesk.ingest.python.docstrings import GAP_ENTRY
from refdesk.ingest.python.facts import Decorator, class_facts, function_facts, module_facts
from refdesk.ingest.python.namespaces import Namespaces
from refdesk.ingest.python.warned import dotted

_PLACEHOLDER = re.compile(r"%\([\w:.*-]+\)[sd]|(?<![{\\$`])\{[A-Za-z_]\w*\}(?!\})|%s")
_ONLY_PLACEHOLDERS = re.compile(rf"^(?P<indent>[ \t]*)(?:(?:{_PLACEHOLDER.pattern})[ \t]*)+\n?", re.MULTILINE)
_TEMPLATE = re.compile(r"\w%\(\w+\)s|%\(\w+\)s\w|^[ \t]*(?:%\(\w+\)s|\{[a-z]\w*\})[ \t]*$", re.MULTILINE)
"""What shows that a docstring is a template for others: a placeholder inside a word or alone on its line."""

_DEEPEST = 12
_MOST_STEPS = 2000
"""Expressions evaluated for one docstring: constants that use each other many times must not multiply."""

_GAP, _OPEN, _CLOSE = "\ue000", "\ue001", "\ue002"
"""Mark a part that is not known, and braces that `.format` has already let through, until the text is finished."""

MISSING = "assembled at run time"
PARTLY = "partly assembled at run time"


class Assembler:
    """Finds docstrings of the functions and classes of one package."""

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        self._steps = 0

    def docstring(self, thing: griffe.Object) -> tuple[str, str]:
        """The docstring of an object, and a note if it is not, or not wholly, what the source shows."""
        written = thing.docstring.value if thing.docstring is not None else ""
        decorators = [one for one in _decorators(thing) if one.makes_docs and isinstance(one.node, ast.Call)]
        if not decorators and not _TEMPLATE.search(written):
            return written, ""
        self._steps = 0
        text = self._raw(thing, 0)
        finished = _without_placeholders(text.replace(_GAP, "\u2026")).replace(_OPEN, "{").replace(_CLOSE, "}")
        if not finished.strip():
            return "", MISSING
        whole = finished == text.replace(_OPEN, "{").replace(_CLOSE, "}")
        return finished, "" if whole else PARTLY

    def _raw(self, thing: griffe.Object, depth: int, *, fill: bool = True) -> str:
        """The text that decorators make of a docstring, with the placeholders that cannot be filled."""
        text = dedent(thing.docstring.value) if thing.docstring is not None else ""
        if depth > _DEEPEST:
            return text
        module = thing.module.path
        for one in reversed(_decorators(thing)):
            if one.makes_docs and isinstance(one.node, ast.Call):
                text = self._apply(one, one.node, text, module, depth, fill=fill)
        return text

    def _apply(self, decorator: Decorator, call: ast.Call, text: str, module: str, depth: int, *, fill: bool) -> str:
        words = {word.arg: word.value for word in call.keywords if word.arg}
        name = decorator.last.lower()
        if "subst" in name:
            values: Any = {key: self._text(value, module, depth) for key, value in words.items()}
            if call.args:
                values = tuple(self._text(one, module, depth) or "" for one in call.args)
            return _percent(text, values)
        if "append" in name:
            added = self._text(call.args[0], module, depth) if call.args else None
            return "\n".join(part for part in (text.rstrip(), dedent(added or "").strip("\n")) if part)
        if name.endswith("doc"):
            parts = [text, *(dedent(self._template(one, module, depth) or "") for one in call.args)]
            joined = "\n".join(part for part in parts if part.strip())
            filled = {key: self._text(value, module, depth) for key, value in words.items()}
            return _format(joined, filled) if fill else joined
        return text

    def _template(self, node: ast.expr, module: str, depth: int) -> str | None:
        """A text, or the docstring template of the function that a name means."""
        text = self._text(node, module, depth + 1)
        name = dotted(node)
        if text is not None or not name:
            return text
        found = self._namespaces.lookup(module, name)
        return self._raw(found.thing, depth + 1, fill=False) if found.thing is not None else None

    def _text(self, node: ast.expr, module: str, depth: int) -> str | None:
        """The value of an expression that is a text; None where it is not known."""
        self._steps += 1
        if depth > _DEEPEST or self._steps > _MOST_STEPS:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name | ast.Attribute):
            return self._named(dotted(node), module, depth)
        if isinstance(node, ast.Subscript):
            return self._from_table(node, module, depth)
        if isinstance(node, ast.BinOp):
            return self._operation(node, module, depth)
        if isinstance(node, ast.Call):
            return self._called(node, module, depth)
        return None

    def _operation(self, node: ast.BinOp, module: str, depth: int) -> str | None:
        left = self._text(node.left, module, depth)
        if isinstance(node.op, ast.Add):
            right = self._text(node.right, module, depth)
            return None if left is None and right is None else (left or _GAP) + (right or _GAP)
        if not isinstance(node.op, ast.Mod) or left is None:
            return left
        return _percent(left, self._values(node.right, module, depth + 1))

    def _called(self, node: ast.Call, module: str, depth: int) -> str | None:
        name = dotted(node.func).rpartition(".")[2]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            template = self._text(node.func.value, module, depth + 1)
            words = {word.arg: self._text(word.value, module, depth + 1) for word in node.keywords if word.arg}
            return _format(template, words) if template is not None else None
        if name in ("dedent", "cleandoc") and node.args:
            text = self._text(node.args[0], module, depth + 1)
            return None if text is None else dedent(text) if name == "dedent" else cleandoc(text)
        return None

    def _values(self, node: ast.expr, module: str, depth: int) -> Any:  # noqa: ANN401  # what `%` takes
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return {
                key.value: self._text(value, module, depth) for key, value in pairs if isinstance(key, ast.Constant)
            }
        if isinstance(node, ast.Tuple):
            return tuple(self._text(one, module, depth) or "" for one in node.elts)
        table = self._table(dotted(node), module)
        if table is not None:
            return {key: self._text(value, home, depth) for key, (value, home) in table.items()}
        return self._text(node, module, depth)

    def _named(self, name: str, module: str, depth: int) -> str | None:
        place = self._defined(name, module)
        node = module_facts(self._namespaces.modules[place[0]].tree).texts.get(place[1]) if place else None
        return self._text(node, place[0], depth + 1) if node is not None and place else None

    def _from_table(self, node: ast.Subscript, module: str, depth: int) -> str | None:
        table = self._table(dotted(node.value), module)
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        entry = table.get(key) if table is not None and isinstance(key, str) else None
        return self._text(entry[0], entry[1], depth + 1) if entry is not None else None

    def _table(self, name: str, module: str, depth: int = 0) -> dict[str, tuple[ast.expr, str]] | None:
        """A table of texts: key → expression and the module that it is written in."""
        place = self._defined(name, module)
        if place is None or depth > _DEEPEST:
            return None
        stated = dict(module_facts(self._namespaces.modules[place[0]].tree).tables.get(place[1], {}))
        own = module_facts(self._namespaces.modules[module].tree).tables.get(name, {}) if place[0] != module else {}
        found: dict[str, tuple[ast.expr, str]] = {}
        for key, value in stated.items():
            if key.startswith("**"):
                found.update(self._spread(key[2:], place, depth) or {})
            else:
                found[key] = (value, place[0])
        found.update({key: (value, module) for key, value in own.items()})
        return found or None

    def _spread(self, name: str, place: tuple[str, str], depth: int) -> dict[str, tuple[ast.expr, str]] | None:
        """Another table that is spread into one; `x = {**x}` means the imported `x`."""
        module = place[0]
        imported = self._namespaces.modules[module].tree.imports.get(name, "") if name == place[1] else ""
        if imported:
            module, _, name = imported.rpartition(".")
        elif name == place[1]:
            return None
        return self._table(name, module, depth + 1) if module in self._namespaces.modules else None

    def _defined(self, name: str, module: str) -> tuple[str, str] | None:
        """Module and name under which a variable is defined."""
        for _ in range(_DEEPEST):
            binding = self._namespaces.bindings(module).get(name.partition(".")[0])
            if binding is None:
                return None
            if not binding.target:
                return module, name
            head, _, last = binding.target.rpartition(".")
            if head not in self._namespaces.modules:
                return None
            module, name = head, last
        return None


def _decorators(thing: griffe.Object) -> tuple[Decorator, ...]:
    return class_facts(thing).decorators if isinstance(thing, griffe.Class) else function_facts(thing).decorators


def _percent(text: str, values: Any) -> str:  # noqa: ANN401  # what `%` takes
    if isinstance(values, dict):
        return re.sub(
            r"%\((\w+)\)s", lambda match: match.group() if (one := values.get(match[1])) is None else one, text
        )
    queue = list(values) if isinstance(values, tuple) else [values or ""]
    return re.sub(r"(?<!%)%s", lambda _: queue.pop(0) if queue else "", text).replace("%%", "%")


def _format(text: str, values: Mapping[str, str | None]) -> str:
    text = text.replace("{{", _OPEN).replace("}}", _CLOSE)
    return re.sub(r"\{(\w+)\}", lambda match: match.group() if (one := values.get(match[1])) is None else one, text)


def _without_placeholders(text: str) -> str:
    """A text without placeholders; a line that was nothing else becomes an entry that the reader drops.

    Otherwise what follows such a line would be taken for text of the parameter above it.
    """
    if not _PLACEHOLDER.search(text):
        return text
    return _PLACEHOLDER.sub("", _ONLY_PLACEHOLDERS.sub(lambda match: f"{match['indent']}{GAP_ENTRY}\n", text))
