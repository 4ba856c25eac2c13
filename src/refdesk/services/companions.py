"""A package and the site that documents it: one answer with the signature of the one, the explanation of the other.

Which site documents which library is stated when the site is added (`--documents pypi:flask`), never guessed from
names. Only releases of one version belong together: the same version, or a package of the line that the site is
written for (a site `2.2` documents 2.2.2). What a companion adds is marked with its own release.
"""

import re
from dataclasses import dataclass
from typing import Literal

from refdesk.domain.libraries import Library
from refdesk.domain.releases import Published
from refdesk.domain.symbols import Symbol
from refdesk.domain.versions import release_key, same_version
from refdesk.services.shelf import Chosen, Shelf

_LINE = re.compile(r"v?\d+\.\d+(?:\.\d+)*\Z")
_AS_WRITTEN = 1
"""Ranks of look-ups up to this one are a whole public name as written."""


@dataclass(frozen=True, slots=True)
class Companion:
    """The same API in the release that belongs beside the one that answers.

    Attributes:
        role: `source`: it is read from the package's code, the answer from its site; `documentation`: the other way.
    """

    role: Literal["source", "documentation"]
    published: Published
    symbol: Symbol


def companion_of(shelf: Shelf, chosen: Chosen, symbol: Symbol) -> Companion | None:
    """What the release beside the chosen one has under a public name of a symbol; None if there is none."""
    role, candidates = _beside(shelf, chosen.published)
    for published in candidates:
        other = shelf.readable(published)
        found = _named(other, symbol) if other is not None else None
        if found is not None:
            return Companion(role, published, found)
    return None


def without_documentation(fitting: list[Chosen]) -> list[Chosen]:
    """Releases that have a name, without the sites that document another one of them: the package answers for both."""
    libraries = {str(one.library) for one in fitting}
    return [one for one in fitting if one.published.origin.documents not in libraries]


def _beside(shelf: Shelf, published: Published) -> tuple[Literal["source", "documentation"], list[Published]]:
    documents = published.origin.documents
    version = published.release.version
    if documents:
        packages = shelf.releases(Library.parse(documents))
        fitting = [one for one in packages if _fits(version, one.release.version)]
        return "source", sorted(fitting, key=lambda one: release_key(one.release), reverse=True)
    library = str(published.release.library)
    sites = [one for one in shelf.published() if one.origin.documents == library]
    fitting = [one for one in sites if _fits(one.release.version, version)]
    # A site of exactly this version before one that is written for its line.
    return "documentation", sorted(fitting, key=lambda one: (-len(one.release.version), one.release.key))


def _fits(site: str, package: str) -> bool:
    """Whether a site's version is the package's, or the line that it belongs to."""
    line = site.removeprefix("v")
    return same_version(site, package) or (_LINE.match(site) is not None and package.startswith(f"{line}."))


def _named(other: Chosen, symbol: Symbol) -> Symbol | None:
    """The one symbol that shares a public name, written exactly so; None where none or several do."""
    entries = other.pack.entries
    found = {
        match.symbol
        for name in symbol.names
        for match in entries.find(name)
        if match.rank <= _AS_WRITTEN and match.name == name
    }
    return entries.symbol(found.pop()) if len(found) == 1 else None
