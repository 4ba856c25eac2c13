"""Exact look-up: API lists and API details."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from refdesk.domain.errors import InvalidInput, NotFound
from refdesk.domain.names import similar
from refdesk.domain.releases import Published
from refdesk.domain.shapes import descend, expand, members_of
from refdesk.domain.symbols import Param, Symbol
from refdesk.ports.packs import Summary
from refdesk.services.cursors import make_cursor, read_cursor
from refdesk.services.naming import choose_by_name, find_symbol
from refdesk.services.shelf import Chosen, Shelf

ROWS = 200
"""Parameter rows that one answer lists at most; deeper ones are reached through `param`."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One symbol of one release.

    Attributes:
        params: Top level first, then nested members by path.
        cut: Whether deeper members exist that are not in `params`.
        focus: The parameter that was asked for; `params` are then its members. None if the whole was asked for.
    """

    chosen: Chosen
    symbol: Symbol
    params: tuple[Param, ...]
    cut: bool
    focus: Param | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A part of the list of a release's symbols; `total` counts all symbols of the release."""

    chosen: Chosen
    prefix: str
    items: tuple[Summary, ...]
    total: int
    next_cursor: str


class Lookup:
    """Answers what has a name."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def detail(self, name: str, library: str, version: str, param: str) -> Detail:
        """Everything about one API.

        Args:
            name: Any spelling.
            library: Empty to look in the default release of every indexed library.
            version: Empty for the library's default; needs a library.
            param: Path of a parameter whose members are wanted; empty for the top of the API.

        Raises:
            NotFound: The API or the parameter does not exist there.
            LibraryNotIndexed, VersionNotIndexed, Ambiguous, InvalidInput, PackUnreadable: As their names say.
        """
        return detail_of(self.choose(name, library, version), name, param)

    def choose(self, name: str, library: str, version: str) -> Chosen:
        """The release in which a name is to be looked up.

        Raises:
            InvalidInput: A version without a library, or an empty name.
            NotFound, Ambiguous: No library named, and none or several have the name.
        """
        if not name.strip():
            raise InvalidInput("The name of an API is empty.", "Name one, for example put_object.")
        if library:
            return self._shelf.choose(library, version)
        if version:
            raise InvalidInput("A version was named without a library.", "Name the library too, for example aws:s3.")
        return choose_by_name(self._shelf, name)

    def listing(self, library: str, version: str, prefix: str, cursor: str, limit: int) -> Listing:
        """Symbols of a release in order of name, those that begin with `prefix`."""
        chosen = self._shelf.choose(library, version)
        after = read_cursor(cursor, chosen.published.pack) if cursor else ""
        found = chosen.pack.entries.summaries(prefix.strip(), str(after), limit + 1)
        if not found and not cursor and prefix:
            near = similar(prefix, chosen.pack.entries.names())
            raise NotFound(
                f"{chosen.published.release.label} has no API whose name begins with {prefix!r}.",
                "Leave prefix out for the whole list, or use search_docs.",
                prefix=prefix,
                similar=list(near),
            )
        more = make_cursor(chosen.published.pack, found[limit - 1].name) if len(found) > limit else ""
        total = chosen.published.counts.get("symbols", 0)
        return Listing(chosen, prefix, tuple(found[:limit]), total, more)

    def libraries(self) -> Sequence[Published]:
        """Every indexed release."""
        return self._shelf.published()


def detail_of(chosen: Chosen, name: str, param: str = "") -> Detail:
    """Everything about one API of a chosen release; raises as `Lookup.detail`."""
    symbol = find_symbol(chosen, name)
    find = chosen.pack.entries.shape
    top = top_params(chosen, symbol)
    if not param:
        expansion = expand(top, find, ROWS)
        return Detail(chosen, symbol, expansion.rows, expansion.cut)
    focus = find_param(chosen, symbol, param)
    if focus is None:
        raise no_param(chosen, symbol, param)
    expansion = expand([focus], find, ROWS)
    return Detail(chosen, symbol, expansion.rows[1:], expansion.cut, focus)


def top_params(chosen: Chosen, symbol: Symbol) -> tuple[Param, ...]:
    """The parameters of a symbol, from itself or from its input shape."""
    shape = chosen.pack.entries.shape(symbol.input_shape) if symbol.input_shape else None
    return members_of(shape, chosen.pack.entries.shape) if shape else symbol.params


def find_param(chosen: Chosen, symbol: Symbol, path: str) -> Param | None:
    """The parameter, nested member, or member of the result, at a path; None if there is none."""
    found = descend(top_params(chosen, symbol), path, chosen.pack.entries.shape)
    if found is None and symbol.returns is not None and symbol.returns.shape:
        shape = chosen.pack.entries.shape(symbol.returns.shape)
        result = members_of(shape, chosen.pack.entries.shape) if shape else ()
        found = descend(result, path, chosen.pack.entries.shape)
        found = replace(found, doc=f"(member of the result) {found.doc}") if found else None
    return found


def no_param(chosen: Chosen, symbol: Symbol, path: str) -> NotFound:
    """The error for a parameter that a symbol does not have."""
    names = [one.name for one in top_params(chosen, symbol)]
    near = similar(path, names)
    hint = f" Similar: {', '.join(near)}." if near else ""
    return NotFound(
        f"{symbol.name} of {chosen.published.release.label} has no parameter {path!r}.{hint}",
        "Do not pass it. Leave param out to see all parameters.",
        name=symbol.name,
        param=path,
        similar=list(near),
        params=names[:100],
    )
