"""Cleaning of everything in symbols and shapes that is third-party prose. Code of examples stays as it is."""

from collections.abc import Iterator
from dataclasses import replace

from refdesk.domain.entries import Problem
from refdesk.domain.markdown import balanced, close_fences
from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import Deprecation, Param, Symbol
from refdesk.ingest.cleaning import clean, clean_line, needs_cleaning


def clean_symbol(symbol: Symbol, problems: list[Problem]) -> Symbol:
    """The symbol with clean prose; itself where there is nothing to do. What was done is added to the problems."""
    if not _doubtful("\n".join(_prose_of_symbol(symbol))):
        return symbol
    cleaner = _Cleaner()
    clean_one = replace(
        symbol,
        summary=clean_line(symbol.summary),
        doc=cleaner.text(symbol.doc),
        params=tuple(cleaner.param(param) for param in symbol.params),
        returns=replace(symbol.returns, doc=cleaner.text(symbol.returns.doc)) if symbol.returns else None,
        errors=tuple(replace(error, doc=cleaner.text(error.doc)) for error in symbol.errors),
        examples=tuple(replace(one, title=clean_line(one.title), doc=cleaner.text(one.doc)) for one in symbol.examples),
        deprecation=cleaner.deprecation(symbol.deprecation),
    )
    problems += [Problem(symbol.place.path, f"{symbol.name}: {message}") for message in cleaner.messages]
    return clean_one


def clean_shape(shape: Shape, problems: list[Problem]) -> Shape:
    """The shape with clean prose; itself where there is nothing to do. What was done is added to the problems."""
    if not _doubtful("\n".join(_prose_of_shape(shape))):
        return shape
    cleaner = _Cleaner()
    clean_one = replace(
        shape,
        doc=cleaner.text(shape.doc),
        members=tuple(cleaner.member(member) for member in shape.members),
        deprecation=cleaner.deprecation(shape.deprecation),
    )
    problems += [Problem("", f"shape {shape.name}: {message}") for message in cleaner.messages]
    return clean_one


class _Cleaner:
    """Cleans texts and remembers what was done, each kind of message once."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def text(self, text: str) -> str:
        cleaned = clean(text)
        if cleaned.message and cleaned.message not in self.messages:
            self.messages.append(cleaned.message)
        return cleaned.text if balanced(cleaned.text) else close_fences(cleaned.text)

    def param(self, param: Param) -> Param:
        return replace(param, doc=self.text(param.doc), deprecation=self.deprecation(param.deprecation))

    def member(self, member: Member) -> Member:
        return replace(member, doc=self.text(member.doc), deprecation=self.deprecation(member.deprecation))

    def deprecation(self, deprecation: Deprecation | None) -> Deprecation | None:
        if deprecation is None:
            return None
        return replace(deprecation, note=self.text(deprecation.note), replacement=clean_line(deprecation.replacement))


def _doubtful(prose: str) -> bool:
    return needs_cleaning(prose) or "```" in prose or "~~~" in prose


def _prose_of_symbol(symbol: Symbol) -> Iterator[str]:
    yield symbol.summary
    yield symbol.doc
    for param in symbol.params:
        yield param.doc
        yield from _prose_of_deprecation(param.deprecation)
    if symbol.returns is not None:
        yield symbol.returns.doc
    for error in symbol.errors:
        yield error.doc
    for example in symbol.examples:
        yield example.title
        yield example.doc
    yield from _prose_of_deprecation(symbol.deprecation)


def _prose_of_shape(shape: Shape) -> Iterator[str]:
    yield shape.doc
    for member in shape.members:
        yield member.doc
        yield from _prose_of_deprecation(member.deprecation)
    yield from _prose_of_deprecation(shape.deprecation)


def _prose_of_deprecation(deprecation: Deprecation | None) -> Iterator[str]:
    if deprecation is not None:
        yield deprecation.note
        yield deprecation.replacement
