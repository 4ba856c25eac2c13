"""What a name means in a module: imports, star imports, `__all__` and assignments followed inside the package.

Only the modules of the package are known. A name that leads out of it stays a dotted path: the running environment
is never asked. Python's own rule for `from a import b` is kept: an attribute of `a` comes before its submodule `b`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import griffe

from refdesk.ingest.python.facts import module_facts
from refdesk.ingest.python.stubs import merge_deferred
from refdesk.ingest.python.tree import ModuleNode

_DEEPEST = 40
"""Steps from name to name before a chain counts as endless."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a name leads to: exactly one of a module of the package, an object of it, or a path that leads out.

    Attributes:
        missing: True for a path that should be in the package and is not (a compiled module, a run-time name).
    """

    module: str = ""
    thing: griffe.Object | None = None
    external: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """A name of a module as its text binds it.

    Attributes:
        target: Dotted path that it was imported from; empty where the module defines it.
        star: True if a star import brought it.
        explicit: True for `from x import a as a`.
    """

    name: str
    line: int
    thing: griffe.Object | None = None
    target: str = ""
    star: bool = False
    explicit: bool = False


def complete(modules: Mapping[str, ModuleNode]) -> "Namespaces":
    """The names of all modules, with those types of stubs that needed all modules to be known."""
    first = Namespaces(modules)
    waiting = [(node, node.deferred) for node in modules.values() if node.deferred is not None]
    for node, deferred in waiting:
        names = sorted({*deferred.stub.members, *deferred.stub.overloads})
        found = {name: first.member(node.name, name).thing for name in names}
        targets = {name: thing for name, thing in found.items() if thing is not None}
        merge_deferred(deferred, targets)
    return Namespaces(modules) if waiting else first


class Namespaces:
    """Names and their meanings in the modules of one package."""

    def __init__(self, modules: Mapping[str, ModuleNode]) -> None:
        self.modules = modules
        self._bindings: dict[str, dict[str, Binding]] = {}
        self._exports: dict[str, tuple[str, ...] | None] = {}
        self._open: set[str] = set()

    def bindings(self, module: str) -> Mapping[str, Binding]:
        """Every name that the text of a module binds, star imports included, in order of lines."""
        if module not in self._bindings:
            self._bindings[module] = {}  # stands while a cycle of star imports is followed
            self._bindings[module] = self._bind(module)
        return self._bindings[module]

    def exports(self, module: str) -> tuple[str, ...] | None:
        """What `__all__` of a module lists, other lists expanded; None if it has none."""
        if module not in self._exports:
            self._exports[module] = None
            stated = module_facts(self.modules[module].tree).exports
            if stated is not None:
                names = [one for part in stated for one in self._export(module, part)]
                self._exports[module] = tuple(dict.fromkeys(names))
        return self._exports[module]

    def is_open(self, module: str) -> bool:
        """Whether the module may have names that its text does not show."""
        self.bindings(module)
        node = self.modules[module]
        return module in self._open or node.hidden or module_facts(node.tree).open

    def lookup(self, module: str, name: str) -> Found:
        """What a name, dotted or not, means when it is written in a module."""
        first, _, rest = name.partition(".")
        if first in self.bindings(module):
            found = self.member(module, first)
        elif first in self.modules:
            found = Found(module=first)
        else:
            found = Found(external=first)
        for part in rest.split(".") if rest else ():
            found = self._step(found, part, 0)
        return found

    def member(self, module: str, name: str, depth: int = 0) -> Found:
        """What `module.name` is."""
        binding = self.bindings(module).get(name)
        submodule = f"{module}.{name}"
        if binding is None or (binding.target == submodule and submodule in self.modules):
            if submodule in self.modules:
                return Found(module=submodule)
            # A namespace package is shared with others: what it lacks here is elsewhere.
            return Found(external=submodule, missing=bool(self.modules[module].path))
        if depth > _DEEPEST:
            return Found(external=submodule, missing=True)
        if binding.thing is None:
            return self.resolve(binding.target, depth + 1)
        return self._assigned(module, binding.thing, depth)

    def resolve(self, path: str, depth: int = 0) -> Found:
        """What an absolute dotted path leads to."""
        head, _, last = path.rpartition(".")
        if not head:
            return Found(module=path) if path in self.modules else Found(external=path)
        if head in self.modules:
            return self.member(head, last, depth)
        return self._step(self.resolve(head, depth + 1), last, depth) if depth <= _DEEPEST else Found(external=path)

    def _step(self, found: Found, name: str, depth: int) -> Found:
        if found.module:
            return self.member(found.module, name, depth)
        if found.thing is not None:
            inner = found.thing.members.get(name) if found.thing.is_class else None
            if isinstance(inner, griffe.Object):
                return Found(thing=inner)
            return Found(external=f"{found.thing.path}.{name}", missing=True)
        return Found(external=f"{found.external}.{name}", missing=found.missing)

    def _assigned(self, module: str, thing: griffe.Object, depth: int) -> Found:
        """An object, or what it stands for if it is only another name: `new_name = _old.name`."""
        if isinstance(thing, griffe.Attribute) and thing.annotation is None and thing.docstring is None:
            value = thing.value
            if isinstance(value, griffe.ExprName | griffe.ExprAttribute) and str(value) != thing.name:
                first, _, rest = str(value).partition(".")
                if first in self.bindings(module) and first != thing.name:
                    found = self.member(module, first, depth + 1)
                    for part in rest.split(".") if rest else ():
                        found = self._step(found, part, depth + 1)
                    if found.thing is not None and (found.thing.is_class or found.thing.is_function):
                        return found
        return Found(thing=thing)

    def _export(self, module: str, part: str) -> Iterator[str]:
        if not part.startswith("*"):
            yield part
            return
        name = part[1:]
        binding = self.bindings(module).get(name)
        target = binding.target.removesuffix(".__all__") if binding else ""
        if target not in self.modules:
            found = self.lookup(module, name.removesuffix(".__all__"))
            target = found.module
        if target in self.modules and target != module:
            yield from self.exports(target) or ()

    def _bind(self, module: str) -> dict[str, Binding]:
        found: list[Binding] = []
        for name, member in self.modules[module].tree.members.items():
            if not member.is_alias:
                found.append(Binding(name, member.lineno or 0, thing=member))  # type: ignore[arg-type]  # no alias
            elif name.endswith("/*"):
                found += self._star(module, member.target_path, member.alias_lineno or 0)  # type: ignore[union-attr]  # alias
            else:
                target, line = member.target_path, member.alias_lineno or 0  # type: ignore[union-attr]  # an alias
                explicit = target.rpartition(".")[2] == name and self._written_twice(module, name, line)
                found.append(Binding(name, line, target=target, explicit=explicit))
        bound: dict[str, Binding] = {}
        # The last one wins, as when Python runs the module; a definition wins over a star import of its own line.
        for binding in sorted(found, key=lambda one: (one.line, not one.star)):
            bound[binding.name] = binding
        return bound

    def _star(self, module: str, source: str, line: int) -> list[Binding]:
        found = self.resolve(source)
        if not found.module:
            self._open.add(module)
            return []
        if self.is_open(found.module):
            self._open.add(module)
        names = self.exports(found.module)
        inside = self.bindings(found.module)
        if names is None:
            names = tuple(name for name in inside if not name.startswith("_"))
        return [Binding(name, line, target=f"{found.module}.{name}", star=True) for name in names]

    def _written_twice(self, module: str, name: str, line: int) -> bool:
        return (name, line) in module_facts(self.modules[module].tree).renamed
