"""Small packages for tests of the Python parser: a dictionary of paths and sources becomes entries."""

from collections.abc import Mapping
from datetime import UTC, datetime
from textwrap import dedent

from refdesk.domain.entries import Entries, Problem, SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.symbols import Param, Symbol
from refdesk.ingest.python import parse_python


def source_files(files: Mapping[str, str | bytes], problems: tuple[Problem, ...] = ()) -> SourceFiles:
    content = {
        path: text if isinstance(text, bytes) else dedent(text).lstrip("\n").encode()
        for path, text in sorted(files.items())
    }
    return SourceFiles(
        Release(Library("pypi", "pkg"), "1.0"),
        "python",
        content,
        Origin("pkg", "1.0", "pkg-1.0-py3-none-any.whl", "00", verified=True, url="https://example.org/pkg"),
        Updated(datetime(2026, 1, 1, tzinfo=UTC), "registry"),
        problems,
    )


def parse(files: Mapping[str, str | bytes]) -> Entries:
    return parse_python(source_files(files))


def symbols_of(files: Mapping[str, str | bytes]) -> dict[str, Symbol]:
    """Canonical name → symbol."""
    return {one.name: one for one in parse(files).symbols}


def module(code: str) -> dict[str, Symbol]:
    """The symbols of a package that is one module `pkg`; names without `pkg.`."""
    return {name.removeprefix("pkg."): one for name, one in symbols_of({"pkg.py": code}).items()}


def function(code: str, name: str = "f") -> Symbol:
    return module(code)[name]


def param(symbol: Symbol, name: str) -> Param:
    return next(one for one in symbol.params if one.name == name)
