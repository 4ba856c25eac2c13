"""Stubs laid over sources: types from the `.pyi`, texts and defaults from the `.py`."""

from collections.abc import Mapping
from dataclasses import dataclass

import griffe


@dataclass(frozen=True, slots=True)
class Deferred:
    """Definitions of a stub for names that the source imports: they belong to what the import leads to.

    Attributes:
        source: The module whose stub it is.
        stub: A module with nothing but these definitions.
    """

    source: griffe.Module
    stub: griffe.Module


def adopt_overloads(stub: griffe.Module | griffe.Class, source: griffe.Object | None = None) -> None:
    """Show functions of a stub that have overloads and no implementation anywhere."""
    known: Mapping[str, griffe.Object | griffe.Alias] = source.members if source is not None else {}
    for name, overloads in list(stub.overloads.items()):
        if overloads and name not in stub.members and name not in known:
            shown = overloads[-1]
            shown.overloads = list(overloads)
            stub.set_member(name, shown)
            del stub.overloads[name]
    for name, member in stub.members.items():
        if isinstance(member, griffe.Class):
            inner = known.get(name)
            adopt_overloads(member, inner if isinstance(inner, griffe.Class) else None)


def merge(source: griffe.Module, stub: griffe.Module) -> Deferred | None:
    """Lay a stub over the module that it types.

    Returns:
        What can only be merged when all modules are known; None if there is no such thing.
    """
    adopt_overloads(stub, source)
    later = griffe.Module(stub.name, filepath=stub.filepath, parent=stub.parent)
    for name, member in source.members.items():
        if member.is_alias and name in stub.members and not stub.members[name].is_alias:
            later.members[name] = stub.members.pop(name)
        if member.is_alias and stub.overloads.get(name):
            later.overloads[name] = stub.overloads.pop(name)
    griffe.merge_stubs(source, stub)
    return Deferred(source, later) if later.members or later.overloads else None


def merge_deferred(deferred: Deferred, targets: Mapping[str, griffe.Object]) -> None:
    """Lay definitions of a stub over the objects that the source imports under their names.

    A name that leads to no object (`targets` lacks it) takes the stub's definition.
    """
    stub = deferred.stub
    held = griffe.Module(stub.name, filepath=deferred.source.filepath)
    held.members.update(targets)
    for name in [*stub.members]:
        if name not in targets:
            adopted = stub.members.pop(name)
            adopted.runtime = False
            deferred.source.set_member(name, adopted)
    griffe.merge_stubs(held, stub)
