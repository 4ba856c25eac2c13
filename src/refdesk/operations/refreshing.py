"""Refreshing sites: in the toolset `admin`."""

from typing import Any

from pydantic import Field

from refdesk.domain.errors import (
    Ambiguous,
    ExtraMissing,
    LibraryNotIndexed,
    NetworkUnavailable,
    NotFound,
    RefdeskError,
    SourceRejected,
    StorageFailure,
    VersionNotIndexed,
)
from refdesk.operations.descriptor import Caller, Input, Operation, Output, Served
from refdesk.operations.provenance import line_of
from refdesk.operations.services import Services
from refdesk.services.refreshing import Refreshed

MOST_NAMED = 50
"""Pages of each kind that are named in the structured form; all are counted."""

_MOST_SHOWN = 10


class RefreshInput(Input):
    """Arguments of `refresh_library`."""

    library: str = Field(description="site:NAME, or site:NAME@version", json_schema_extra={"cli": "argument"})
    version: str = Field("", description="One version; left out: all versions of the site")
    vectors: bool = Field(True, description="Also make vectors, for questions in plain language")


class PageChanges(Output):
    """Pages of one kind."""

    count: int
    pages: list[str] = Field(description="Their addresses, or paths inside the folder; the first fifty")


class FailedPage(Output):
    """A page that could not be fetched this time."""

    page: str
    reason: str


class RefreshRow(Output):
    """What became of one release."""

    release: str = Field(description="The release that was refreshed")
    outcome: str = Field(description="unchanged, rebuilt, moved (the site states another version now), or failed")
    now: str | None = Field(description="The release that was read; another one if the site has moved on")
    added: PageChanges
    changed: PageChanges
    removed: PageChanges
    failed: PageChanges = Field(description="Pages that could not be fetched; those that were there before stay")
    failures: list[FailedPage]
    unchanged: int
    problems: int
    vectors: str = Field(description="ready, off, or failed")
    seconds: float
    error: dict[str, Any] | None


class RefreshAnswer(Output):
    """What a refresh found, one row for each release."""

    version_line: str
    refreshed: list[RefreshRow]
    exit_code: int = Field(default=0, exclude=True)


def run_refresh(services: Services, request: RefreshInput, caller: Caller) -> RefreshAnswer:
    """Refresh releases."""
    name, _, version = request.library.partition("@")
    found = services.refreshing.refresh(name, request.version or version, caller.progress, vectors=request.vectors)
    errors = [error for one in found if (error := _error(one)) is not None]
    if errors and len(found) == 1 and (found[0].added is None or found[0].added.published is None):
        raise errors[0]
    rows = [_row(one) for one in found]
    return RefreshAnswer(
        version_line=line_of(list(dict.fromkeys(row.now or row.release for row in rows))),
        refreshed=rows,
        exit_code=errors[0].exit_code if errors else 0,
    )


def render_refresh(answer: RefreshAnswer) -> str:
    """What changed, release by release, page by page."""
    return "\n".join([answer.version_line, *(line for row in answer.refreshed for line in ("", *_lines(row)))])


def _error(one: Refreshed) -> RefdeskError | None:
    return one.error or (one.added.error if one.added is not None else None)


def _row(one: Refreshed) -> RefreshRow:
    added, changes, error = one.added, one.changes, _error(one)
    published = added.published if added is not None else None
    failed = dict(sorted(changes.failed.items())) if changes is not None else {}
    return RefreshRow(
        release=one.before.release.label,
        outcome=_outcome(one),
        now=published.release.label if published is not None else None,
        added=_pages(changes.added if changes else ()),
        changed=_pages(changes.changed if changes else ()),
        removed=_pages(changes.removed if changes else ()),
        failed=_pages(tuple(failed)),
        failures=[FailedPage(page=page, reason=reason) for page, reason in list(failed.items())[:MOST_NAMED]],
        unchanged=changes.unchanged if changes else 0,
        problems=added.problems if added is not None else 0,
        vectors=added.vectors if added is not None else "off",
        seconds=round(added.seconds, 2) if added is not None else 0.0,
        error=error.payload() if error is not None else None,
    )


def _outcome(one: Refreshed) -> str:
    if one.added is None or one.added.published is None:
        return "failed"
    if one.added.published.release != one.before.release:
        return "moved"
    return "unchanged" if one.added.outcome == "already" else "rebuilt"


def _pages(names: tuple[str, ...]) -> PageChanges:
    return PageChanges(count=len(names), pages=list(names[:MOST_NAMED]))


def _lines(row: RefreshRow) -> list[str]:
    if row.outcome == "failed":
        error = row.error or {}
        return [f"- {row.release}: failed ({error.get('error')}): {error.get('message')} {error.get('suggestion')}"]
    lines = [f"- {_headline(row)}"]
    for what, pages in (("added", row.added), ("changed", row.changed), ("removed", row.removed)):
        if row.outcome != "moved":
            lines += _named(what, pages.count, pages.pages)
    lines += _named("failed", row.failed.count, [f"{one.page}: {one.reason}" for one in row.failures])
    if row.vectors == "failed":
        lines.append("  vectors failed: search is lexical until the next refresh")
    return lines


def _headline(row: RefreshRow) -> str:
    if row.outcome == "moved":
        library = row.release.partition(" ")[0]
        return (
            f"{row.release}: the site states another version now: {row.now}, which was added beside."
            f" {row.release} stays as it was; to take it out: refdesk remove {library}@{row.release.rpartition(' ')[2]}"
        )
    if row.outcome == "unchanged":
        return f"{row.release}: nothing changed, {_counted(row.unchanged)} as before; the release stays as it was"
    return (
        f"{row.release}: rebuilt in {row.seconds} s: {row.added.count} added, {row.changed.count} changed,"
        f" {row.removed.count} removed, {row.failed.count} failed, {row.unchanged} unchanged"
        + (
            f"; {row.problems} problems (refdesk list {row.release.partition(' ')[0]} names them)"
            if row.problems
            else ""
        )
    )


def _named(what: str, count: int, pages: list[str]) -> list[str]:
    shown = [f"  - {what}: {page}" for page in pages[:_MOST_SHOWN]]
    rest = count - len(shown)
    return [*shown, f"  - {what}: {rest} more (--json names {MOST_NAMED})"] if rest > 0 else shown


def _counted(count: int) -> str:
    return f"{count} page{'' if count == 1 else 's'}"


REFRESH = Operation(
    name="refresh_library",
    toolset="admin",
    title="Refresh a site",
    description=(
        "Ask an indexed documentation site (site:…) what changed since it was read, and take that over: only changed"
        " pages are fetched, pages that are gone leave, unchanged ones stay. Call it when an answer from a site looks"
        " older than the site. Reports added, changed, removed and failed pages; where nothing changed, nothing is"
        " done. Releases of packages never change: add another version with index_library."
        ' Example: {"library": "site:flask"}'
    ),
    input=RefreshInput,
    output=RefreshAnswer,
    run=run_refresh,
    render=render_refresh,
    served=lambda answer: Served(
        release="; ".join(row.now for row in answer.refreshed if row.now), count=len(answer.refreshed)
    ),
    exit_code=lambda answer: answer.exit_code,
    view="text",
    cli="refresh",
    rest=("PATCH", "/docs/releases"),
    ceiling=8_000,
    effects="write",
    network=True,
    quotes=False,
    errors=(
        NotFound, LibraryNotIndexed, VersionNotIndexed, Ambiguous, NetworkUnavailable, SourceRejected, ExtraMissing,
        StorageFailure,
    ),
)  # fmt: skip

OPERATIONS = (REFRESH,)
