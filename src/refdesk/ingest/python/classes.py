"""Classes: their bases inside and outside of the package, inherited members, enumerations, errors and fields."""

import builtins
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import griffe

from refdesk.ingest.python.facts import class_facts, module_facts
from refdesk.ingest.python.namespaces import Found, Namespaces

_ENUMS = re.compile(r"(?:^|\.)(?:\w*Enum(?:Type)?|Flag|IntFlag|Choices|TextChoices|IntegerChoices)\Z")
_ERROR_NAME = re.compile(r"(?:Error|Exception|Warning)\Z")
_KNOWN_OUTSIDE = re.compile(
    r"(?:abc\.ABC|typing(?:_extensions)?\.(?:Generic|Protocol|NamedTuple|TypedDict|Any)"
    r"|enum\.\w+|contextlib\.(?:Abstract\w+|ContextDecorator|AsyncContextDecorator)"
    r"|collections\.abc\.\w+|builtins\.\w+|typing(?:_extensions)?\.[A-Z]\w*)\Z"
)
"""Bases outside of the package whose members everybody can look up in Python itself."""


@dataclass(frozen=True, slots=True)
class ClassView:
    """A class with what it inherits.

    Attributes:
        ancestors: The class itself and its bases inside the package, in Python's order.
        bases: Direct bases as dotted names, those of the package by their definition.
        outside: Bases of any of the ancestors that lead out of the package.
        members: Name → member, inherited ones included.
        owners: Name → the ancestor that defines the member.
        open: True where it may have members that cannot be seen here.
    """

    thing: griffe.Class
    ancestors: tuple[griffe.Class, ...]
    bases: tuple[str, ...]
    outside: tuple[str, ...]
    members: Mapping[str, griffe.Object]
    owners: Mapping[str, griffe.Class]
    open: bool
    keywords: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_error(self) -> bool:
        """Whether it is an exception, as far as can be seen."""
        return any(_is_error(base) for base in self.outside)

    @property
    def is_enum(self) -> bool:
        """Whether its members are the values of an enumeration."""
        return any(_ENUMS.search(base) for base in self.outside)

    @property
    def is_protocol(self) -> bool:
        """Whether it only describes what other classes must have."""
        return any(base.endswith(".Protocol") for base in self._own_outside)

    @property
    def unseen(self) -> str:
        """The first base outside of the package whose members not everybody knows; empty if there is none."""
        return next((base for base in self.outside if not _is_known(base)), "")

    @property
    def _own_outside(self) -> tuple[str, ...]:
        return tuple(base for base in self.bases if base in self.outside)


class Classes:
    """Views of the classes of one package, made once for each."""

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        self._views: dict[int, ClassView] = {}
        self._lines: dict[int, list[griffe.Class]] = {}
        self._attached = {
            id(found.thing)
            for name, node in namespaces.modules.items()
            for one in sorted(module_facts(node.tree).attached)
            if (found := namespaces.lookup(name, one)).thing is not None
        }

    def view(self, thing: griffe.Class) -> ClassView:
        """A class with what it inherits."""
        if id(thing) not in self._views:
            self._views[id(thing)] = self._view(thing)
        return self._views[id(thing)]

    def base_founds(self, thing: griffe.Class) -> list[Found]:
        """What the direct bases of a class are."""
        module = thing.module.path
        return [self._lookup(thing, module, _base_name(str(base))) for base in thing.bases if _base_name(str(base))]

    def _lookup(self, thing: griffe.Class, module: str, name: str) -> Found:
        parent = thing.parent
        if isinstance(parent, griffe.Class) and isinstance(inner := parent.members.get(name), griffe.Class):
            return Found(thing=inner)
        found = self._namespaces.lookup(module, name)
        if found.external and found.external == name and hasattr(builtins, name):
            return Found(external=f"builtins.{name}")
        return found

    def _view(self, thing: griffe.Class) -> ClassView:
        ancestors = self._line(thing, frozenset())
        outside: dict[str, None] = {}
        for one in ancestors:
            for found in self.base_founds(one):
                if not isinstance(found.thing, griffe.Class):
                    outside[found.external or (found.thing.path if found.thing is not None else found.module)] = None
        members: dict[str, griffe.Object] = {}
        owners: dict[str, griffe.Class] = {}
        for one in ancestors:
            for name, member in one.members.items():
                if name not in members and (seen := self._member(one, member)) is not None:
                    members[name], owners[name] = seen, one
        bases = tuple(
            found.external or (found.thing.path if found.thing is not None else found.module)
            for found in self.base_founds(thing)
        )
        return ClassView(
            thing, tuple(ancestors), bases, tuple(outside), members, owners,
            self._is_open(ancestors, outside, members),
            {key: str(value) for key, value in thing.keywords.items()},
        )  # fmt: skip

    def _member(self, owner: griffe.Class, member: griffe.Object | griffe.Alias) -> griffe.Object | None:
        """A member, or what it is another name of: `getName = get_name`."""
        if isinstance(member, griffe.Alias):
            found = self._namespaces.resolve(member.target_path)
            return found.thing
        if isinstance(member, griffe.Attribute) and member.annotation is None and member.docstring is None:
            name = str(member.value) if isinstance(member.value, griffe.ExprName) else ""
            other = owner.members.get(name) if name != member.name else None
            if isinstance(other, griffe.Function):
                return other
        return member

    def _line(self, thing: griffe.Class, above: frozenset[int]) -> list[griffe.Class]:
        """Python's order of bases (C3), as far as they are in the package."""
        if id(thing) in self._lines:
            return self._lines[id(thing)]
        if id(thing) in above:
            return []
        direct = [one.thing for one in self.base_founds(thing) if isinstance(one.thing, griffe.Class)]
        lines = [self._line(base, above | {id(thing)}) for base in direct]
        merged = [thing, *_merge([*lines, direct])]
        if not above:
            self._lines[id(thing)] = merged
        return merged

    def _is_open(
        self, ancestors: Sequence[griffe.Class], outside: Mapping[str, None], members: Mapping[str, griffe.Object]
    ) -> bool:
        if {"__getattr__", "__getattribute__"} & set(members):
            return True
        if not all(map(_is_known, outside)):
            return True
        return any(class_facts(one).open or id(one) in self._attached for one in ancestors)


def _merge(lines: list[list[griffe.Class]]) -> list[griffe.Class]:
    """C3 linearisation; where the source has no consistent order, the first one stands."""
    merged: list[griffe.Class] = []
    lines = [list(line) for line in lines if line]
    while lines:
        heads = [line[0] for line in lines]
        good = next((one for one in heads if not any(_in(one, line[1:]) for line in lines)), heads[0])
        merged.append(good)
        lines = [rest for line in lines if (rest := [one for one in line if one is not good])]
    return merged


def _in(thing: griffe.Class, line: Sequence[griffe.Class]) -> bool:
    return any(one is thing for one in line)


def _base_name(text: str) -> str:
    """A base without its type arguments; empty for an expression that is no name."""
    name = text.partition("[")[0].partition("(")[0].strip()
    return name if re.fullmatch(r"[\w.]+", name) else ""


def _is_known(base: str) -> bool:
    return bool(_KNOWN_OUTSIDE.match(base) or _ENUMS.search(base))


def _is_error(base: str) -> bool:
    last = base.rpartition(".")[2]
    known = getattr(builtins, last, None) if base == f"builtins.{last}" else None
    if isinstance(known, type):
        return issubclass(known, BaseException)
    return _ERROR_NAME.search(last) is not None
