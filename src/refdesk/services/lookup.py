"""Exact look-up: API lists and API details."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from refdesk.domain.errors import InvalidInput, NotFound
from refdesk.domain.names import similar
from refdesk.domain.shapes import descend, expand, members_of
from refdesk.domain.symbols import Param, Symbol
from refdesk.ports.packs import Summary
from refdesk.services.companions import Companion, companion_of
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
        of_result: Whether the focus is a member of the result, and no parameter.
        companion: The same API in the release beside this one: of the package for a site, of the site for a package.
    """

    chosen: Chosen
    symbol: Symbol
    params: tuple[Param, ...]
    cut: bool
    focus: Param | None = None
    of_result: bool = False
    companion: Companion | None = None


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
        chosen = self.choose(name, library, version)
        detail = detail_of(chosen, name, param)
        return replace(detail, companion=companion_of(self._shelf, chosen, detail.symbol))

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
        """Symbols of a release in order of name, those that begin with `prefix` in any spelling."""
        chosen = self._shelf.choose(library, version)
        scope = f"{chosen.published.pack}/list/{prefix.strip()}"
        after = str(read_cursor(cursor, scope)) if cursor else ""
        entries = chosen.pack.entries
        found: Sequence[Summary] = ()
        for begin in _beginnings(chosen, prefix):
            found = entries.summaries(begin, after, limit + 1)
            if found:
                break
        if not found and not cursor and prefix:
            near = similar(prefix, entries.names())
            raise NotFound(
                f"{chosen.published.release.label} has no API whose name begins with {prefix!r}."
                + (f" Similar names there: {', '.join(near)}." if near else ""),
                "Leave prefix out for the whole list, or use search_docs.",
                prefix=prefix,
                similar=list(near),
            )
        more = make_cursor(scope, found[limit - 1].name) if len(found) > limit else ""
        total = chosen.published.counts.get("symbols", 0)
        return Listing(chosen, prefix, tuple(found[:limit]), total, more)


def detail_of(chosen: Chosen, name: str, param: str = "") -> Detail:
    """Everything about one API of a chosen release; raises as `Lookup.detail`."""
    symbol = find_symbol(chosen, name)
    find = chosen.pack.entries.shape
    if not param.strip():
        expansion = expand(top_params(chosen, symbol), find, ROWS)
        return Detail(chosen, symbol, expansion.rows, expansion.cut)
    focus = find_param(chosen, symbol, param)
    of_result = focus is None
    focus = focus or find_result(chosen, symbol, param)
    if focus is None:
        raise no_param(chosen, symbol, param)
    expansion = expand([focus], find, ROWS)
    return Detail(chosen, symbol, expansion.rows[1:], expansion.cut, focus, of_result)


def top_params(chosen: Chosen, symbol: Symbol) -> tuple[Param, ...]:
    """The parameters of a symbol, from itself or from its input shape."""
    shape = chosen.pack.entries.shape(symbol.input_shape) if symbol.input_shape else None
    return members_of(shape, chosen.pack.entries.shape) if shape else symbol.params


def find_param(chosen: Chosen, symbol: Symbol, path: str) -> Param | None:
    """The parameter, or nested member of one, at a path; None if there is none."""
    return descend(top_params(chosen, symbol), path.strip(), chosen.pack.entries.shape)


def find_result(chosen: Chosen, symbol: Symbol, path: str) -> Param | None:
    """The member of what a call gives back at a path; None if there is none. It is no parameter."""
    shape = chosen.pack.entries.shape(symbol.returns.shape) if symbol.returns and symbol.returns.shape else None
    if shape is None:
        return None
    return descend(members_of(shape, chosen.pack.entries.shape), path.strip(), chosen.pack.entries.shape)


def takes_any(params: Sequence[Param]) -> Param | None:
    """The parameter that takes arguments of any name (`**kwargs`); None if there is none."""
    return next((one for one in params if one.kind == "var_keyword"), None)


def no_param(chosen: Chosen, symbol: Symbol, path: str) -> NotFound:
    """The error for a parameter that a symbol does not have."""
    top = top_params(chosen, symbol)
    names = [one.name for one in top]
    near = similar(path, names)
    hint = f" Similar: {', '.join(near)}." if near else ""
    rest = takes_any(top)
    advice = "Do not pass it. Leave param out to see all parameters."
    if rest is not None:
        hint = f" It takes further arguments as `{rest.name}` that its source does not name.{hint}"
        advice = "Leave param out for what the source says of them."
    return NotFound(
        f"{symbol.name} of {chosen.published.release.label} has no parameter {path!r}.{hint}",
        advice,
        name=symbol.name,
        param=path,
        similar=list(near),
        params=names[:100],
    )


def _beginnings(chosen: Chosen, prefix: str) -> Sequence[str]:
    """The prefix as written, and where no name begins so: without separators, and behind the library's own name.

    `put_ob` is a beginning of `PutObject`, as `put_object` is one of its names; `files` one of `drive.files.get`.
    """
    begin = prefix.strip()
    name = chosen.library.name
    joined = begin.replace("_", "")
    tried = (begin, joined, *(f"{own}.{begin}" for own in (name, name.replace("-", "_"), name.replace("-", "."))))
    return list(dict.fromkeys(tried)) if begin else [""]
