"""Symbols to chunks: normally one for each symbol, whose text is its description."""

import re
from collections.abc import Iterator, Mapping

from refdesk.domain.entries import Chunk, ContentType
from refdesk.domain.markdown import blocks
from refdesk.domain.shapes import FindShape, members_of
from refdesk.domain.symbols import Example, Param, Symbol, SymbolKind
from refdesk.ingest.fences import fenced
from refdesk.ingest.known import Known
from refdesk.ingest.markdown.chunks import LARGEST, Told, cut_long, languages_of

TERMS_LIMIT = 2_000
"""Characters of further words that one symbol may bring into the index."""

_KINDS: Mapping[SymbolKind, ContentType] = {"error": "error", "setting": "configuration"}

_FOUND_BY_OWNER = frozenset({"type", "attribute", "property"})
"""Kinds that have nothing to find but a name where they have no description: their owner's chunk has that name."""

_TITLE = re.compile(r"#{1,6} [^\n]*\n+")
_LAST = re.compile(r"\.|::")
_SENTENCE_LIMIT = 120
_VALUES_LIMIT = 20
_EXAMPLES_LIMIT = 10
_LONG_EXAMPLE = 300
_SENTENCE_END = re.compile(r"[.!?。](?:\s|\Z)|\n")


def chunks_of_symbol(symbol: Symbol, find: FindShape) -> tuple[Chunk, ...]:
    """What a search can find of a symbol.

    An attribute or property without a description has no chunk of its own: hundreds of bare names that hold the words
    of a question would stand before the one entry that answers it.

    The first chunk has the id `api/<name>`; a description that is too long goes on in `api/<name>#2` and so on, an
    example that explains something by itself is `api/<name>#example1`.

    Args:
        symbol: The API entry.
        find: Looks up the shape that holds its parameters.
    """
    if symbol.kind in _FOUND_BY_OWNER and not symbol.doc.strip() and symbol.deprecation is None:
        return ()
    kind = _KINDS.get(symbol.kind, "api_reference")
    texts = _texts(symbol)
    title = f"{symbol.name} ({symbol.kind})"
    params = _params(symbol, find)
    found = [_chunk(symbol, f"api/{symbol.name}", title, texts[0], kind, _terms(symbol, params))]
    found += [
        _chunk(symbol, f"api/{symbol.name}#{number}", title, text, kind) for number, text in enumerate(texts[1:], 2)
    ]
    for number, example in enumerate(_telling(symbol.examples), 1):
        shown = f"{symbol.name}: {example.title or 'example'}"
        for part, text in enumerate(cut_long(_example_text(example)), 1):
            tail = f"#example{number}" if part == 1 else f"#example{number}.{part}"
            found.append(_chunk(symbol, f"api/{symbol.name}{tail}", shown, text, "code_example"))
    return tuple(found)


def chunks_told(symbol: Symbol, told: Told, known: Known) -> Iterator[Chunk]:
    """The same where a page describes the symbol: what it says of parameters and results is in the text.

    Args:
        symbol: The API entry.
        told: Its section of the page.
        known: The symbols of the release.
    """
    if symbol.kind in _FOUND_BY_OWNER and not symbol.doc.strip() and symbol.deprecation is None:
        return
    kind = _KINDS.get(symbol.kind, "api_reference")
    title = f"{symbol.name} ({symbol.kind})"
    names = _names(symbol)
    for number, draft in enumerate(told.drafts, 1):
        text = _without_title(draft.text) if number == 1 else draft.text
        yield Chunk(
            id=f"api/{symbol.name}" if number == 1 else f"api/{symbol.name}#{number}",
            title=title,
            text=text,
            content_type=kind,
            heading=told.heading,
            names=names,
            terms=draft.terms,
            symbol=symbol.name,
            page=told.page,
            anchor=told.anchor,
            url=symbol.place.url,
            languages=draft.languages,
            deprecated=symbol.deprecation is not None,
            facets=draft.facets,
            mentions=known.mentions(draft.spelled, symbol.name),
            warning=draft.warning,
        )


def _without_title(text: str) -> str:
    """A section without its heading, where the signature that follows says as much."""
    title = _TITLE.match(text)
    return text[title.end() :] if title is not None and text.startswith(("```", "~~~"), title.end()) else text


def _chunk(symbol: Symbol, id_: str, title: str, text: str, kind: ContentType, terms: str = "") -> Chunk:
    parent = symbol.name.rpartition(".")[0]
    fences = "```" in text or "~~~" in text
    return Chunk(
        id=id_,
        title=title,
        heading=(parent,) if parent else (),
        text=text,
        content_type=kind,
        names=_names(symbol),
        terms=terms,
        symbol=symbol.name,
        url=symbol.place.url,
        languages=languages_of(blocks(text)) if fences else (),
        deprecated=symbol.deprecation is not None,
    )


def _names(symbol: Symbol) -> tuple[str, ...]:
    lasts = (_LAST.split(name)[-1] for name in (*symbol.names, symbol.name))
    return tuple(dict.fromkeys([*symbol.names, *lasts]))


def _texts(symbol: Symbol) -> tuple[str, ...]:
    """The description as it stands where there is one; else what else is known, in words."""
    if symbol.doc.strip():
        return (symbol.doc,) if len(symbol.doc) <= LARGEST else cut_long(symbol.doc)
    parts = [symbol.summary.strip()]
    if symbol.signature:
        parts.append(fenced(symbol.signature, ""))
    if symbol.returns is not None and symbol.returns.doc:
        parts.append(f"Returns {symbol.returns.doc}")
    return cut_long("\n\n".join(part for part in parts if part) or f"`{symbol.name}` ({symbol.kind})")


def _params(symbol: Symbol, find: FindShape) -> tuple[Param, ...]:
    if symbol.params or not symbol.input_shape:
        return symbol.params
    shape = find(symbol.input_shape)
    return members_of(shape, find) if shape is not None else ()


def _terms(symbol: Symbol, params: tuple[Param, ...]) -> str:
    """Words that lead to the symbol, the most telling first, so that the limit cuts the least telling."""
    words: list[str] = []
    room = TERMS_LIMIT
    for word in _words(symbol, params):
        room -= len(word) + 1
        if room < 0:
            break
        words.append(word)
    return "\n".join(words)


def _words(symbol: Symbol, params: tuple[Param, ...]) -> Iterator[str]:
    if symbol.doc.strip() and symbol.summary and symbol.summary not in symbol.doc:
        yield symbol.summary
    http = symbol.attributes.get("http")
    if isinstance(http, dict):
        yield f"{http.get('method', '')} {http.get('path', '')}".strip()
    for param in params:
        yield param.name
    for member in symbol.members:
        yield member.rpartition(".")[2]
    for error in symbol.errors:
        yield error.name
    if symbol.signature and not params:
        yield symbol.signature
    for param in params:
        yield from param.enum[:_VALUES_LIMIT]
    for param in params:
        if param.doc:
            yield _first_sentence(param.doc)


def _first_sentence(doc: str) -> str:
    end = _SENTENCE_END.search(doc, 0, _SENTENCE_LIMIT)
    return doc[: end.start() if end else _SENTENCE_LIMIT].strip()


def _telling(examples: tuple[Example, ...]) -> list[Example]:
    """The examples that are worth finding by themselves: explained ones and long ones."""
    return [one for one in examples if one.code.strip() and (one.doc or one.title or len(one.code) > _LONG_EXAMPLE)][
        :_EXAMPLES_LIMIT
    ]


def _example_text(example: Example) -> str:
    title = f"**{example.title.strip()}**" if example.title.strip() else ""
    code = fenced(example.code, example.language)
    return "\n\n".join(part for part in (title, example.doc.strip(), code) if part)
