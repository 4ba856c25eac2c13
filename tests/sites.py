"""Small sites for tests: files in, what becomes of them out."""

from collections.abc import Mapping
from datetime import UTC, datetime

from refdesk.domain.entries import Chunk, Entries, Page, SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.ingest.markdown import chunks_of_page, parse_markdown


def site(files: Mapping[str, str | bytes]) -> SourceFiles:
    """A folder of files as a source hands it over."""
    return SourceFiles(
        Release(Library("site", "handbook"), "1"),
        "markdown",
        {path: data.encode() if isinstance(data, str) else data for path, data in files.items()},
        Origin("docs", "1", "", "", verified=False),
        Updated(datetime(2026, 1, 1, tzinfo=UTC), "indexed"),
    )


def parsed(files: Mapping[str, str | bytes]) -> Entries:
    """What the parser makes of a folder."""
    return parse_markdown(site(files))


def page_of(text: str | bytes, path: str = "page.md", **others: str) -> Page:
    """The page of one file; further files by name, with `_` for the dot."""
    entries = parsed({path: text, **{name.replace("__", "/").replace("_", "."): data for name, data in others.items()}})
    return next(page for page in entries.pages if page.path == path)


def chunks_of(text: str, path: str = "page.md") -> list[Chunk]:
    """The chunks of one file."""
    return list(chunks_of_page(page_of(text, path)))
