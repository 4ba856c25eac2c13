"""From the bytes of one release to its entries: parse, clean, cut into chunks, check, put in order."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from importlib import import_module
from itertools import chain

from refdesk.domain.entries import Chunk, Entries, Page, Problem, Relation, SourceFiles
from refdesk.domain.errors import InternalError
from refdesk.domain.markdown import balanced, blocks, close_fences
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol
from refdesk.ingest.changelog_dates import stated_date
from refdesk.ingest.cleaning import clean, clean_line
from refdesk.ingest.known import Known
from refdesk.ingest.markdown.chunks import Cut, cut_page
from refdesk.ingest.suspicion import with_warning
from refdesk.ingest.symbol_chunks import chunks_of_symbol, chunks_told
from refdesk.ingest.symbol_cleaning import clean_shape, clean_symbol

# Parsers are imported when their format comes up: one source needs one of them, and each brings its libraries.
_PARSERS = {
    "aws": ("refdesk.ingest.aws", "parse_aws"),
    "discovery": ("refdesk.ingest.discovery", "parse_discovery"),
    "python": ("refdesk.ingest.python", "parse_python"),
    "markdown": ("refdesk.ingest.markdown", "parse_markdown"),
    "site": ("refdesk.ingest.html.site", "parse_site"),
}


def ingest(source: SourceFiles) -> Entries:
    """Everything that the files of one release hold, checked and in a fixed order.

    What is dropped or changed on the way (a second symbol of the same name, a relation that leads nowhere, invisible
    characters) is among the problems. Where the source gives no date, that of its changelog is taken.

    Raises:
        SourceRejected: The files cannot be what their format says.
        InternalError: No parser reads the format.
    """
    entries = finish(_parser(source.format)(source), source.problems)
    if source.updated.by != "indexed":
        return entries
    return replace(entries, updated=stated_date(entries.pages, source.release.package_version))


def finish(parsed: Entries, problems_of_source: Iterable[Problem] = ()) -> Entries:
    """What a parser made of the files, cleaned, cut into chunks, checked and in order.

    Args:
        parsed: What the parser returned; its own chunks are kept beside those that are cut here.
        problems_of_source: What was left out before.
    """
    problems = [*problems_of_source, *parsed.problems]
    symbols = _symbols(parsed.symbols, problems)
    shapes = {name: clean_shape(parsed.shapes[name], problems) for name in sorted(parsed.shapes)}
    known = Known(symbols)
    cuts = _cuts(parsed.pages, known, problems)
    pages = tuple(page for page, _ in cuts)
    return Entries(
        symbols=symbols,
        shapes=shapes,
        pages=pages,
        chunks=_chunks(parsed.chunks, (cut for _, cut in cuts), _of_symbols(symbols, shapes, cuts, known), problems),
        relations=_relations(parsed.relations, {*shapes, *(one.name for one in symbols)}, pages, problems),
        problems=tuple(sorted(set(problems), key=lambda one: (one.path, one.message))),
        fidelity=tuple(sorted(parsed.fidelity, key=lambda one: one.path)),
    )


def _parser(format_: str) -> Callable[[SourceFiles], Entries]:
    if format_ not in _PARSERS:
        raise InternalError(f"No parser reads the format {format_!r}.", format=format_)
    module, name = _PARSERS[format_]
    parser: Callable[[SourceFiles], Entries] = getattr(import_module(module), name)
    return parser


def _symbols(parsed: Iterable[Symbol], problems: list[Problem]) -> tuple[Symbol, ...]:
    found: dict[str, Symbol] = {}
    for symbol in parsed:
        if symbol.name in found:
            problems.append(Problem(symbol.place.path, f"a second {symbol.name} was left out", "others"))
        else:
            found[symbol.name] = clean_symbol(symbol, problems)
    return tuple(found[name] for name in sorted(found))


def _cuts(parsed: Iterable[Page], known: Known, problems: list[Problem]) -> Sequence[tuple[Page, Cut]]:
    """The pages, clean, and what each is cut into; a page is scanned once."""
    found: dict[str, tuple[Page, Cut]] = {}
    for page in parsed:
        if page.path in found:
            problems.append(Problem(page.path, "a second page of this path was left out", "others"))
            continue
        cleaned = clean(page.markdown)
        if cleaned.message:
            problems.append(Problem(page.path, cleaned.message))
        markdown, scanned = cleaned.text, blocks(cleaned.text)
        if not all(block.closed for block in scanned):
            markdown = close_fences(markdown)
            scanned = blocks(markdown)
        clean_page = replace(page, markdown=markdown, title=clean_line(page.title))
        found[page.path] = clean_page, cut_page(clean_page, known, scanned)
    return tuple(found[path] for path in sorted(found))


def _of_symbols(
    symbols: Sequence[Symbol], shapes: Mapping[str, Shape], cuts: Iterable[tuple[Page, Cut]], known: Known
) -> Iterator[Chunk]:
    """The chunks of symbols; a page that describes one gives it its text."""
    told = {name: said for _, cut in cuts for name, said in cut.told.items()}
    for symbol in symbols:
        if symbol.name in told:
            yield from chunks_told(symbol, told[symbol.name], known)
        else:
            yield from map(with_warning, chunks_of_symbol(symbol, shapes.get))


def _chunks(
    parsed: Iterable[Chunk], cuts: Iterable[Cut], of_symbols: Iterable[Chunk], problems: list[Problem]
) -> tuple[Chunk, ...]:
    found: dict[str, Chunk] = {}
    own = (one if balanced(one.text) else replace(one, text=close_fences(one.text)) for one in parsed)
    for chunk in chain(map(with_warning, own), of_symbols, (chunk for cut in cuts for chunk in cut.chunks)):
        if chunk.id in found:
            problems.append(Problem(chunk.page or chunk.symbol, f"a second chunk {chunk.id} was left out", "others"))
            continue
        found[chunk.id] = chunk
        if chunk.warning:
            problems.append(Problem(chunk.page or chunk.symbol, f"{chunk.id}: {chunk.warning}"))
    return tuple(found[id_] for id_ in sorted(found))


def _relations(
    parsed: Iterable[Relation], names: AbstractSet[str], pages: Sequence[Page], problems: list[Problem]
) -> tuple[Relation, ...]:
    """The links whose two ends exist: symbols, shapes of their parameters, pages that speak of them."""
    sources = names | {page.path for page in pages}
    found: set[Relation] = set()
    for relation in parsed:
        if relation.source in sources and relation.target in names:
            found.add(relation)
        else:
            missing = relation.target if relation.source in sources else relation.source
            link = f"{relation.source} {relation.kind} {relation.target}"
            problems.append(Problem(relation.source, f"link left out: {link}; there is no {missing}", "others"))
    return tuple(sorted(found, key=lambda one: (one.source, one.kind, one.target)))
