"""Public names: under which names each object of a package can be reached, and which of them is the canonical one.

A name is public if `__all__` lists it, or if it has no leading underscore and is defined or re-exported in a module
whose path is public. Re-exported means: by `from x import a as a`, by a star import, by an `__init__` without
`__all__`, or by a module that defines no class or function of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import griffe

from refdesk.ingest.python.namespaces import Binding, Found, Namespaces

MOST_NAMES = 12
"""Public names kept of one object; those beyond are the longest ones."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """One public object.

    Attributes:
        names: All public names, the canonical one first.
        module: The module whose namespace the canonical name stands in.
        listed: Whether some `__all__` lists it.
        external: Path that it was imported from, for what the package hands on from another one.
        missing: True where that path should be in the package and its source is not there.
    """

    names: tuple[str, ...]
    module: str
    listed: bool
    thing: griffe.Object | None = None
    external: str = ""
    missing: bool = False


@dataclass(slots=True)
class _Candidates:
    found: Found
    names: dict[str, str] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Public:
    """What a package shows.

    Attributes:
        modules: Public module → the names that it shows and the canonical names that they mean.
        objects: In order of canonical name.
        module_names: Public path → the real module behind it.
    """

    modules: dict[str, dict[str, str]]
    objects: tuple[Exposed, ...]
    module_names: dict[str, str]
    by_thing: dict[int, Exposed]

    def name_of(self, found: Found) -> str:
        """Canonical name of what a name leads to; empty if it is not public."""
        if found.module:
            return found.module if found.module in self.modules else ""
        exposed = self.by_thing.get(id(found.thing)) if found.thing is not None else None
        return exposed.names[0] if exposed else ""


def find_public(namespaces: Namespaces) -> Public:
    """Collect the public names of a package."""
    paths = _public_modules(namespaces)
    tops = _tops(namespaces)
    candidates: dict[object, _Candidates] = {}
    shown: dict[str, dict[str, object]] = {}
    for path, module in paths.items():
        for name, found, listed in _shown(namespaces, module):
            key: object = id(found.thing) if found.thing is not None else found.external
            one = candidates.setdefault(key, _Candidates(found))
            one.names[f"{path}.{name}"] = path
            if listed:
                one.listed.add(f"{path}.{name}")
            shown.setdefault(path, {})[name] = key
    exposed = {key: _exposed(one, tops) for key, one in candidates.items()}
    taken: dict[str, Exposed] = {}
    for shown_one in sorted(exposed.values(), key=lambda each: (each.names[0], each.external)):
        taken.setdefault(shown_one.names[0], shown_one)
    modules = {
        path: {name: exposed[key].names[0] for name, key in shown.get(path, {}).items()} for path in sorted(paths)
    }
    objects = tuple(taken[name] for name in sorted(taken))
    return Public(modules, objects, paths, {id(one.thing): one for one in objects if one.thing is not None})


def is_private(path: str, namespaces: Namespaces) -> bool:
    """Whether a part of a module's path says that it is not for others."""
    parts = path.split(".")
    if all(name.startswith("_") for name in namespaces.modules if "." not in name):
        parts = parts[1:]
    return any(part.startswith("_") for part in parts)


def _public_modules(namespaces: Namespaces) -> dict[str, str]:
    """Public path → module; a private module that an `__init__` shows under a public name is public there."""
    paths = {name: name for name in namespaces.modules if not is_private(name, namespaces)}
    for name in list(paths):
        node = namespaces.modules[name]
        if not node.package:
            continue
        for binding in namespaces.bindings(name).values():
            if binding.name.startswith("_") or binding.thing is not None or f"{name}.{binding.name}" in paths:
                continue
            found = namespaces.member(name, binding.name)
            if found.module and is_private(found.module, namespaces) and found.module.startswith(f"{name}."):
                paths[f"{name}.{binding.name}"] = found.module
    return {path: paths[path] for path in sorted(paths)}


def _tops(namespaces: Namespaces) -> set[str]:
    """Packages and modules that stand at the top, below namespaces without a file."""
    found: set[str] = set()
    for name, node in namespaces.modules.items():
        parts = name.split(".")
        above = [".".join(parts[:depth]) for depth in range(1, len(parts))]
        if node.path and not any(namespaces.modules[one].path for one in above):
            found.add(name)
    return found


def _shown(namespaces: Namespaces, module: str) -> Iterator[tuple[str, Found, bool]]:
    """Names that a module shows, what they mean, and whether its `__all__` lists them."""
    exports = namespaces.exports(module)
    bindings = namespaces.bindings(module)
    listed = set(exports or ())
    facade = not any(one.thing is not None and not one.thing.is_attribute for one in bindings.values())
    open_to_all = exports is None and (namespaces.modules[module].package or facade)
    for name in [*(exports or ()), *(one for one in bindings if one not in listed)]:
        binding = bindings.get(name)
        if name not in listed and not _shows(binding, name, open_to_all=open_to_all):
            continue
        found = namespaces.member(module, name)
        if found.module or (name not in listed and found.thing is None and not _handed_on(binding)):
            continue
        if name not in listed and isinstance(found.thing, griffe.Attribute) and not _worth_a_name(found.thing, name):
            continue
        yield name, found, name in listed


def _shows(binding: Binding | None, name: str, *, open_to_all: bool) -> bool:
    if binding is None or name.startswith("_"):
        return False
    return binding.thing is not None or binding.explicit or binding.star or open_to_all


def _handed_on(binding: Binding | None) -> bool:
    return binding is not None and binding.explicit


def _worth_a_name(attribute: griffe.Attribute, name: str) -> bool:
    """Whether a module's unlisted attribute is more than its own bookkeeping (loggers, type variables)."""
    if attribute.docstring is not None:
        return True
    value = str(attribute.value or "")
    called = value.partition("(")[0].rpartition(".")[2]
    return name != "log" and called not in ("TypeVar", "ParamSpec", "TypeVarTuple", "getLogger", "get_logger")


def _exposed(one: _Candidates, tops: set[str]) -> Exposed:
    own = one.found.thing.name if one.found.thing is not None else ""

    def rank(name: str) -> tuple[bool, bool, int, int, bool, str]:
        parts = name.split(".")
        above_all = name in one.listed and one.names[name] in tops
        private = sum(part.startswith("_") for part in parts)
        return (not above_all, name not in one.listed and bool(one.listed), private, len(parts), parts[-1] != own, name)

    names: Sequence[str] = sorted(one.names, key=rank)
    found = one.found
    return Exposed(
        tuple(names[:MOST_NAMES]), one.names[names[0]], bool(one.listed), found.thing, found.external, found.missing
    )
