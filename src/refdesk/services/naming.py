"""From a spelling to exactly one symbol, or to an error that names what it could have meant."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from refdesk.domain.errors import Ambiguous, NotFound
from refdesk.domain.libraries import SPELLINGS, Library
from refdesk.domain.names import clean, fold, similar
from refdesk.domain.shapes import Shape, members_of
from refdesk.domain.symbols import JsonValue, Symbol
from refdesk.ports.packs import NameMatch, PackEntries
from refdesk.services.companions import without_documentation
from refdesk.services.shelf import Chosen, Shelf

_QUALIFIED = re.compile(rf"(?:{'|'.join(SPELLINGS)}):[A-Za-z0-9]", re.IGNORECASE)
_RECEIVERS = {"client", "service", "self", "session", "resource"}
_FIRST_TAIL = 3
_CLASSES = frozenset({"class", "error"})
"""Ranks from here on are the last parts of a name: several symbols may end so, whatever stands before."""

_COMPARED = 20_000
"""Names that a misspelt one is compared with where no library is named."""


def find_symbol(chosen: Chosen, name: str) -> Symbol:
    """The symbol that a name means in one release.

    Raises:
        NotFound: No symbol or type is called so; the details name similar ones, as names.
        Ambiguous: Several are; nothing is chosen.
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
    shape = _shape(chosen, name)
    if shape is not None:
        return type_symbol(shape, entries)
    raise absent(chosen, name)


def best_matches(chosen: Chosen, name: str) -> Sequence[NameMatch]:
    """What a name can mean, one match for each symbol, best first.

    A whole name decides by its rank. The last parts of a name fit everything that ends so, preferring those that are
    written exactly so; a class (`BlobClient`), or a class and its member (`BlobClient.upload_blob`), means the most
    public one of that name, not its variant deeper in the package, while a member alone (`get`) stays open.
    """
    entries = chosen.pack.entries
    # As written first: overloads differ in the parameters behind their names alone, which a spelling leaves out.
    for spelling in dict.fromkeys((name.strip(), *spellings(chosen, name))):
        matches = entries.find(spelling)
        if matches:
            best = min(match.rank for match in matches)
            if best < _FIRST_TAIL:
                return _by_symbol(match for match in matches if match.rank == best)
            symbols = {match.symbol: entries.symbol(match.symbol) for match in matches}
            ending = f".{clean(spelling)}"
            fitting = [match for match in matches if _ends(symbols[match.symbol], ending)] or matches
            if "." in clean(spelling) or all(symbols[match.symbol].kind in _CLASSES for match in fitting):
                least = min(match.rank for match in fitting)
                fitting = [match for match in fitting if match.rank == least]
            return _by_symbol(fitting)
    return []


def spellings(chosen: Chosen, name: str) -> Sequence[str]:
    """The name itself, then without the library or receiver before it (`s3.put_object`, `s3.Client.put_object`).

    What is a name of the release itself is never taken off: `Client.codes` must not be answered by `codes`.
    """
    library = chosen.library
    text = clean(name)
    names = {library.name, library.name.replace("-", "."), library.name.removeprefix("azure-")}
    found = [text]
    ecosystem = {written for written, meant in SPELLINGS.items() if meant == library.ecosystem}
    for heads in (ecosystem, {fold(one) for one in names}, _RECEIVERS):
        text = _without_head(chosen.pack.entries, text, heads)
        found.append(text)
    return list(dict.fromkeys(found))


def choose_by_name(shelf: Shelf, name: str) -> Chosen:
    """The library whose default release has the name, for a caller who named no library.

    Raises:
        NotFound: No indexed library has it.
        LibraryNotIndexed: The name begins with a library that is not indexed.
        Ambiguous: Several libraries have it, equally well.
        PackUnreadable: Those that can be read do not have it, and one cannot be read.
    """
    named = _qualified(shelf, name)
    if named is not None:
        return shelf.choose(str(named), "")
    every, unreadable = shelf.opened(shelf.defaults())
    found: dict[int, list[Chosen]] = {}
    for chosen in every:
        matches = best_matches(chosen, name)
        if matches:
            # Among libraries only this matters: a whole name as written, one but for its spelling, or last parts.
            found.setdefault(min(max(matches[0].rank, 1), _FIRST_TAIL), []).append(chosen)
    fitting = found[min(found)] if found else [chosen for chosen in every if _shape(chosen, name)]
    if not fitting and unreadable:
        raise unreadable[0]
    if not fitting:
        near = similar(name, islice((one for chosen in every for one in chosen.pack.entries.names()), _COMPARED))
        raise NotFound(
            f"No indexed library has an API called {name!r} ({_count(len(every), 'library', 'libraries')} looked at)."
            + (f" Similar names: {_listed(near)}." if near else ""),
            "Name the library, or call list_apis for what is indexed. Do not guess: it may not exist.",
            name=name,
            searched=[str(chosen.library) for chosen in every][:20],
            similar=list(near),
        )
    fitting = without_documentation(fitting)
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
    owner = nearest_owner(chosen, name)
    runtime = (
        f" {owner.name} may get members at run time that its source does not name, so this proves nothing."
        if owner is not None and owner.open
        else ""
    )
    return NotFound(
        f"{release.label} has no API called {name!r}.{runtime}{hint}",
        ("" if runtime else "Do not call it: use a name that exists, or search_docs for what you want to do. ")
        + "check_version says whether other indexed versions have it.",
        name=name,
        release=release.key,
        similar=list(near),
    )


def type_symbol(shape: Shape, entries: PackEntries) -> Symbol:
    """A structure of the graph as a symbol of kind `type`, made on reading."""
    label = shape.label or shape.name
    facts: dict[str, JsonValue] = {"type": shape.type} if shape.type != "structure" else {}
    if shape.enum:
        facts["enum"] = list(shape.enum)
    return Symbol(
        name=shape.name,
        kind="type",
        names=(shape.name,),
        doc=shape.doc,
        signature=f"{label} ({shape.type})" if shape.type != "structure" else label,
        params=members_of(shape, entries.shape),
        deprecation=shape.deprecation,
        attributes=facts,
    )


def nearest_owner(chosen: Chosen, name: str) -> Symbol | None:
    """The nearest existing owner of a dotted name (`a.B` of `a.B.c`); None if none of its prefixes is one symbol."""
    text = clean(name)
    while "." in text:
        text = text.rpartition(".")[0]
        matches = best_matches(chosen, text)
        if len(matches) == 1:
            return chosen.pack.entries.symbol(matches[0].symbol)
    return None


def _without_head(entries: PackEntries, text: str, heads: AbstractSet[str]) -> str:
    """A dotted name without its first parts, if they are one of the heads and no name of the release."""
    parts = text.split(".")
    for count in range(len(parts) - 1, 0, -1):
        head = ".".join(parts[:count])
        if fold(head) in heads and not entries.find(head) and not entries.summaries(f"{head}.", "", 1):
            return ".".join(parts[count:])
    return text


def _ends(symbol: Symbol, ending: str) -> bool:
    return any(name.endswith(ending) for name in (symbol.name, *symbol.names))


def _by_symbol(matches: Iterable[NameMatch]) -> Sequence[NameMatch]:
    best: dict[str, NameMatch] = {}
    for match in sorted(matches, key=lambda one: (one.rank, one.symbol, one.name)):
        best.setdefault(match.symbol, match)
    return list(best.values())


def _qualified(shelf: Shelf, name: str) -> Library | None:
    """The library that a name begins with (`aws:s3.put_object`, `aws.s3.put_object`); None if it names none.

    Raises:
        LibraryNotIndexed: `ecosystem:name` of something that is not indexed.
    """
    text = fold(name)
    known = sorted({one.release.library for one in shelf.published()})
    for library in reversed(known):  # the longer of two names that begin alike
        for written in (library.name, library.name.replace("-", ".")):
            if text.startswith(f"{fold(f'{library.ecosystem}.{written}')}."):
                return library
    written = name.strip().strip("`'\"")
    if _QUALIFIED.match(written) is None:
        return None
    ecosystem, _, rest = written.partition(":")
    return shelf.library(f"{ecosystem}:{re.split(r'[.:/#(]', rest)[0]}")


def _shape(chosen: Chosen, name: str) -> Shape | None:
    for spelling in spellings(chosen, name):
        shape = chosen.pack.entries.shape(spelling)
        if shape is not None:
            return shape
    return None


def _listed(names: Iterable[str], most: int = 6) -> str:
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
