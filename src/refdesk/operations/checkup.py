"""The check-up of an index: in the toolset `admin`, for people, offered as no tool."""

from pydantic import Field

from refdesk.domain.errors import Ambiguous, LibraryNotIndexed, SourceRejected, StorageFailure, VersionNotIndexed
from refdesk.operations.descriptor import Caller, Input, Operation, Output, Served
from refdesk.operations.services import Services
from refdesk.services.checkup import Diagnosis, Health

MOST_NAMED = 50
"""Pages of each kind that are named in the structured form; all are counted."""

_MOST_SHOWN = 10


class CheckupInput(Input):
    """Arguments of `check_index`."""

    library: str = Field(
        "",
        description="ecosystem:name, or ecosystem:name@version; left out: everything",
        json_schema_extra={"cli": "argument"},
    )
    version: str = Field("", description="One version; left out: all versions of the library")


class PageNote(Output):
    """Something about one page."""

    page: str
    note: str


class KindRow(Output):
    """Problems of one kind."""

    kind: str = Field(description="What the messages have in common")
    count: int
    path: str = Field(description="Where one of them is")
    example: str = Field(description="What it says")


class HealthRow(Output):
    """One release."""

    release: str
    readable: bool
    old_format: bool = Field(description="Its pack is of a format that this refdesk does not read")
    fault: str = Field(description="Why its pack cannot be read, and the call that builds it again; empty if it can")
    converted: int = Field(description="Pages that were converted from HTML")
    undone_count: int
    undone: list[PageNote] = Field(description="Pages on which steps of cleaning were undone, as they took too much")
    losses_count: int
    losses: list[PageNote] = Field(description="Pages that lost more than the set share, and what")
    problems: list[KindRow]


class ExtraRow(Output):
    """An optional part that is not installed."""

    name: str
    gives: str
    install: str


class CheckupAnswer(Output):
    """What is to be said of an index."""

    version_line: str
    healthy: bool
    releases: list[HealthRow]
    missing: list[ExtraRow]
    exit_code: int = Field(default=0, exclude=True)


def run_checkup(services: Services, request: CheckupInput, _caller: Caller) -> CheckupAnswer:
    """Look at packs and at what is installed."""
    name, _, version = request.library.partition("@")
    found = services.checkup.check(name, request.version or version)
    code = _exit_code(found)
    count = len(found.releases)
    return CheckupAnswer(
        version_line=f"[Version: {count} indexed release{'' if count == 1 else 's'}]",
        healthy=code == 0,
        releases=[_row(one) for one in found.releases],
        missing=[ExtraRow(name=one.name, gives=one.gives, install=one.install) for one in found.missing],
        exit_code=code,
    )


def render_checkup(answer: CheckupAnswer) -> str:
    """What needs attention first, then what is good to know."""
    verdict = "Healthy: every pack can be read, and no page lost content." if answer.healthy else "Needs attention:"
    lines = [answer.version_line, "", verdict]
    for row in answer.releases:
        lines += _lines(row)
    if answer.missing:
        lines += ["", "Not installed:", *(f"- {one.name}: {one.gives}. {one.install}" for one in answer.missing)]
    return "\n".join(lines)


def _exit_code(found: Diagnosis) -> int:
    if any(one.unreadable is not None for one in found.releases):
        return StorageFailure.exit_code
    return SourceRejected.exit_code if any(one.losses for one in found.releases) else 0


def _row(one: Health) -> HealthRow:
    error = one.unreadable
    return HealthRow(
        release=one.published.release.label,
        readable=error is None,
        old_format=one.old_format,
        fault=f"{error.message} {error.suggestion}" if error is not None else "",
        converted=one.converted,
        undone_count=len(one.undone),
        undone=[PageNote(page=path, note=steps) for path, steps in one.undone[:MOST_NAMED]],
        losses_count=len(one.losses),
        losses=[PageNote(page=path, note=loss) for path, loss in one.losses[:MOST_NAMED]],
        problems=[
            KindRow(kind=kind.message, count=kind.count, path=kind.example.path, example=kind.example.message)
            for kind in one.problems
        ],
    )


def _lines(row: HealthRow) -> list[str]:
    if not row.readable:
        return [f"- {row.release}: {row.fault}"]
    told = [
        *_named("lost", row.losses_count, row.losses),
        *_named("cleaning undone", row.undone_count, row.undone),
        *(f"  - {_times(one)}: {one.path}: {one.example}" for one in row.problems[:_MOST_SHOWN]),
    ]
    rest = len(row.problems) - _MOST_SHOWN
    if rest > 0:
        told.append(f"  - {rest} more kinds of problems (--json names them)")
    pages = f"{row.converted} pages from HTML, " if row.converted else ""
    problems = sum(one.count for one in row.problems)
    facts = f"{pages}{row.losses_count} with losses, {row.undone_count} with cleaning undone, " if row.converted else ""
    return [f"- {row.release}: {facts}{problems} problem{'' if problems == 1 else 's'}", *told]


def _times(one: KindRow) -> str:
    return "1 problem" if one.count == 1 else f"{one.count} problems like this one"


def _named(what: str, count: int, pages: list[PageNote]) -> list[str]:
    shown = [f"  - {what}: {one.page}: {one.note}" for one in pages[:_MOST_SHOWN]]
    rest = count - len(shown)
    return [*shown, f"  - {what}: {rest} more pages (--json names {MOST_NAMED})"] if rest > 0 else shown


CHECKUP = Operation(
    name="check_index",
    toolset="admin",
    title="Look for what is wrong with the index",
    description=(
        "Look for what is wrong with the index: packs that cannot be read or have an old format, pages that lost"
        " content when they were converted or on which cleaning was undone, what was left out by kind, optional parts"
        " that are not installed. The exit code is 0 where all is well, 5 where a pack must be built again, 6 where"
        ' pages lost content. Example: {"library": "site:flask"}'
    ),
    input=CheckupInput,
    output=CheckupAnswer,
    run=run_checkup,
    render=render_checkup,
    served=lambda answer: Served(count=len(answer.releases)),
    exit_code=lambda answer: answer.exit_code,
    view="text",
    cli="doctor",
    rest=("GET", "/docs/health"),
    ceiling=25_000,
    tool=False,
    quotes=False,
    errors=(LibraryNotIndexed, VersionNotIndexed, Ambiguous),
)

OPERATIONS = (CHECKUP,)
