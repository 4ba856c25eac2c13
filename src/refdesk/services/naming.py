"""From a spelling to exactly one symbol, or to an error that names what it could have meant."""

import re
from collections.abc import Iterable, Sequence

from refdesk.domain.errors import Ambiguous, NotFound
from refdesk.domain.names import clean, fold, similar
from refdesk.domain.shapes import Shape, members_of
from refdesk.domain.symbols import Symbol
from refdesk.ports.packs import NameMatch, Pack, PackEntries
from refdesk.services.shelf import Chosen, Shelf

_QUALIFIED = re.compile(r"(?P<ecosystem>aws|gcp|google|pypi|azure|site)[:.](?P<name>[A-Za-z0-9_-]+)[.:/](?P<rest>.+)\Z")
_RECEIVERS = ("client", "service", "self", "session", "resource")


def find_symbol(chosen: Chosen, name: str) -> Symbol:
    """The symbol that a name means in one release.

    Raises:
        NotFound: No symbol or type is called so; the details name similar ones, as names.
        Ambiguous: Several are, equally well.
    """
    entries = chosen.pack.entries
    matches = best_matches(chosen, name)
    if len(matches) == 1:
        return entries.symbol(matches[0].symbol)
    if matches:
        names = [match.symbol for match in matches]
        raise Ambiguous(
            f"{name!r} could be {_listed(names)} in {chosen.published.release.label}.",
            f"Ask again with one full name, for example {names[0]}.",
            names=names[:20],
        )
    shape = _shape(entries, name, chosen)
    if shape is not None:
        return type_symbol(shape, entries)
    raise absent(chosen, name)


def best_matches(chosen: Chosen, name: str) -> Sequence[NameMatch]:
    """The matches of the best rank over all spellings of the name, one for each symbol."""
    matches = [match for spelling in spellings(chosen, name) for match in chosen.pack.entries.find(spelling)]
    best = min((match.rank for match in matches), default=0)
    by_symbol = {match.symbol: match for match in matches if match.rank == best}
    return [by_symbol[symbol] for symbol in sorted(by_symbol)]


def spellings(chosen: Chosen, name: str) -> Sequence[str]:
    """The name itself, and without the library or receiver before it (`s3.put_object`, `client.put_object`)."""
    library = chosen.library
    text = clean(name)
    own = {library.name, library.name.replace("-", "_"), *_RECEIVERS}
    prefixes = [f"{library.ecosystem}.{one}" for one in sorted(own)] + sorted(own)
    bare = [
        text.split(".", prefix.count(".") + 1)[-1] for prefix in prefixes if fold(text).startswith(fold(prefix) + ".")
    ]
    return list(dict.fromkeys([text, *bare]))


def choose_by_name(shelf: Shelf, name: str) -> Chosen:
    """The library whose default release has the name, for a caller who named no library.

    Raises:
        NotFound: No indexed library has it.
        Ambiguous: Several libraries have it, equally well.
    """
    qualified = _QUALIFIED.match(name.strip())
    if qualified is not None:
        wanted = f"{qualified['ecosystem']}:{qualified['name']}"
        if any(str(one.release.library) == wanted for one in shelf.published()):
            return shelf.choose(wanted, "")
    found: dict[int, list[Chosen]] = {}
    seen: list[str] = []
    for published in shelf.defaults():
        chosen = shelf.default(published)
        matches = best_matches(chosen, name)
        if matches:
            found.setdefault(matches[0].rank, []).append(chosen)
        seen.append(str(chosen.library))
    if not found:
        raise NotFound(
            f"No indexed library has an API called {name!r} ({len(seen)} libraries looked at).",
            "Name the library, or call list_apis for what is indexed. Do not guess: it may not exist.",
            name=name,
            searched=seen[:20],
        )
    fitting = found[min(found)]
    if len(fitting) > 1:
        names = [str(one.library) for one in fitting]
        raise Ambiguous(
            f"{name!r} exists in {_listed(names)}.", f"Name the library, for example {names[0]}.", libraries=names[:20]
        )
    return fitting[0]


def absent(chosen: Chosen, name: str) -> NotFound:
    """The error for a name that a release does not have: what was searched, and similar names."""
    release = chosen.published.release
    near = similar(name, chosen.pack.entries.names())
    hint = f" Similar names there: {_listed(near)}." if near else ""
    return NotFound(
        f"{release.label} has no API called {name!r}.{hint}",
        "Do not call it: use a name that exists, or search_docs for what you want to do."
        " check_version says whether other indexed versions have it.",
        name=name,
        release=release.key,
        similar=list(near),
    )


def type_symbol(shape: Shape, entries: PackEntries) -> Symbol:
    """A structure of the graph as a symbol of kind `type`, made on reading."""
    label = shape.label or shape.name
    return Symbol(
        name=shape.name,
        kind="type",
        names=(shape.name,),
        doc=shape.doc,
        signature=f"{label} ({shape.type})" if shape.type != "structure" else label,
        params=members_of(shape, entries.shape),
        deprecation=shape.deprecation,
        attributes={"type": shape.type, **({"enum": list(shape.enum)} if shape.enum else {})},
    )


def _shape(entries: PackEntries, name: str, chosen: Chosen) -> Shape | None:
    for spelling in spellings(chosen, name):
        shape = entries.shape(spelling)
        if shape is not None:
            return shape
    return None


def _listed(names: Iterable[str], most: int = 6) -> str:
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def open_owner(pack: Pack, name: str) -> Symbol | None:
    """The nearest existing owner of a dotted name (`a.B` of `a.B.c`); None if none of its prefixes exists."""
    text = clean(name)
    while "." in text:
        text = text.rpartition(".")[0]
        matches = pack.entries.find(text)
        if matches and (len(matches) == 1 or matches[0].rank < matches[1].rank):
            return pack.entries.symbol(matches[0].symbol)
    return None
