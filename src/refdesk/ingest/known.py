"""The symbols of a release as the texts of its pages name them."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from refdesk.domain.symbols import Place, Symbol

_SEPARATOR = re.compile(r"\.|::|#")
_TELLING = re.compile(r"[_.:A-Z]")
_WHOLE = re.compile(r"\.|::|#|\w_\w|[a-z][A-Z]")
_CALL = re.compile(r"\s*\(.*\)\s*\Z", re.DOTALL)
_MOST = 20
_LONGEST = 120
_SHORTEST = 4


class Known:
    """Finds symbols by the anchors of a page and by the names that its text spells."""

    def __init__(self, symbols: Iterable[Symbol] = ()) -> None:
        """Note the names of all symbols, whole and without their first parts where that leads to one symbol only."""
        self._entries: dict[str, dict[str, Symbol]] = {}
        self._names: dict[str, str] = {}
        tails: dict[str, str] = {}
        for symbol in symbols:
            for anchor in anchors_of(symbol):
                self._entries.setdefault(symbol.place.path, {}).setdefault(anchor, symbol)
            for name in (symbol.name, *symbol.names):
                self._names.setdefault(name, symbol.name)
                for separator in _SEPARATOR.finditer(name):
                    tail = name[separator.end() :]
                    if _WHOLE.search(tail):  # `get` may be anybody's
                        tails[tail] = symbol.name if tails.get(tail, symbol.name) == symbol.name else ""
        for tail, name in tails.items():
            if name:
                self._names.setdefault(tail, name)

    def entries(self, path: str) -> Mapping[str, Symbol]:
        """The symbols of a page by the anchors that lead to them."""
        return self._entries.get(path, {})

    def mentions(self, spelled: Iterable[str], own: str = "") -> tuple[str, ...]:
        """Canonical names of the symbols that are spelled, each once, without the text's own."""
        if not self._names:
            return ()
        found: dict[str, None] = {}
        for code in spelled:
            if not _SHORTEST <= len(code) <= _LONGEST:
                continue
            called = _CALL.sub("", code) if code.endswith(")") else code
            if called == code and not _TELLING.search(code):
                continue  # an ordinary word that is also the name of something
            name = self._names.get(called)
            if name is not None and name != own:
                found[name] = None
        return tuple(found)[:_MOST]


def anchors_of(symbol: Symbol) -> tuple[str, ...]:
    """The anchors by which a page may hold a symbol's entry."""
    fragment = fragment_of(symbol.place)
    return (fragment, symbol.name) if fragment and fragment != symbol.name else (symbol.name,)


def fragment_of(place: Place) -> str:
    """The anchor of a symbol's entry in its page; empty if the source names none."""
    return unquote((place.url or place.path).partition("#")[2])
