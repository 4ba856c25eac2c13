"""The sources of one Python package as entries: bytes in, entries out.

Nothing is imported, executed or inspected, and nothing outside of the package is looked up.
"""

from collections.abc import Iterable

from refdesk.domain.entries import Entries, SourceFiles
from refdesk.ingest.python.namespaces import complete
from refdesk.ingest.python.pages import home_url, make_pages, metadata_of
from refdesk.ingest.python.public import find_public
from refdesk.ingest.python.relations import relate
from refdesk.ingest.python.symbols import Made, SymbolMaker
from refdesk.ingest.python.tree import read_modules


def parse_python(source: SourceFiles) -> Entries:
    """Everything that a package's archive says about its public API.

    Args:
        source: Files of one release, paths as in a wheel; compiled modules may have empty bytes.

    Returns:
        Symbols in order of name, pages, relations, and a problem for each file that could not be read. No chunks.
    """
    metadata = metadata_of(source.files)
    modules, problems = read_modules(source.files)
    namespaces = complete(modules)
    maker = SymbolMaker(namespaces, find_public(namespaces), home_url(metadata) or source.origin.url)
    made = _distinct(maker.make())
    return Entries(
        symbols=tuple(one.symbol for one in made),
        pages=tuple(make_pages(source.files, metadata, source.origin.package)),
        relations=tuple(relate(made, maker.name_symbol)),
        problems=tuple(sorted([*source.problems, *problems], key=lambda one: (one.path, one.message))),
    )


def _distinct(made: Iterable[Made]) -> list[Made]:
    """One symbol for each name: an object of that name before a module of it, as Python's own import has it."""
    found: dict[str, Made] = {}
    for one in made:
        name = one.symbol.name
        if name not in found or found[name].symbol.kind == "module":
            found[name] = one
    return [found[name] for name in sorted(found)]
