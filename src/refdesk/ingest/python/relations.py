"""Relations between the symbols of a package."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from refdesk.domain.entries import Relation, RelationKind
from refdesk.ingest.python.symbols import Made

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_REPLACEMENT = re.compile(r"[`'\":~]|\(.*?\)")


def relate(made: Sequence[Made], name_symbol: Callable[[str, str], str]) -> list[Relation]:
    """Links of symbols to their members, the types that they take and give, their errors and their replacements.

    Args:
        made: All symbols of the package.
        name_symbol: What a name in the text of a module means.
    """
    known = {one.symbol.name: one.symbol for one in made}
    by_name = {name: symbol.name for symbol in known.values() for name in symbol.names}
    found: dict[Relation, None] = {}
    for one in made:
        for kind, target in _targets(one, name_symbol, by_name):
            if target in known and target != one.symbol.name:
                found[Relation(one.symbol.name, kind, target)] = None
    return sorted(found, key=lambda each: (each.source, each.kind, each.target))


def _targets(
    one: Made, name_symbol: Callable[[str, str], str], by_name: Mapping[str, str]
) -> Iterator[tuple[RelationKind, str]]:
    symbol = one.symbol
    for member in symbol.members:
        yield "member", member
    for target in _of_types(one.types, one.module, name_symbol):
        yield "parameter_type", target
    if symbol.returns is not None:
        for target in _of_types([symbol.returns.type], one.module, name_symbol):
            yield "returns", target
    for error in symbol.errors:
        yield "raises", error.name
    if symbol.deprecation is not None:
        yield "replaced_by", _replacement(symbol.name, symbol.deprecation.replacement, one.module, name_symbol, by_name)


def _of_types(texts: Iterable[str], module: str, name_symbol: Callable[[str, str], str]) -> Iterator[str]:
    for text in texts:
        for name in _NAME.findall(_STRING.sub("", text)):
            yield name_symbol(module, name)


def _replacement(
    name: str, stated: str, module: str, name_symbol: Callable[[str, str], str], by_name: Mapping[str, str]
) -> str:
    """The symbol that a replacement means: beside the old one, in its module, or by its full name."""
    stated = _REPLACEMENT.sub("", stated).strip()
    if not _NAME.fullmatch(stated):
        return ""
    parts = name.split(".")
    for depth in range(len(parts) - 1, 0, -1):
        beside = by_name.get(".".join([*parts[:depth], stated]))
        if beside is not None:
            return beside
    return by_name.get(stated) or name_symbol(module, stated)
