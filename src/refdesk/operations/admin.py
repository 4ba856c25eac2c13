"""The toolset `admin`: adding and removing releases."""

from typing import Literal

from pydantic import Field

from refdesk.domain.adding import AddOptions, parse_add
from refdesk.domain.errors import (
    ExtraMissing,
    LibraryNotIndexed,
    NetworkUnavailable,
    NotFound,
    PackUnreadable,
    SourceRejected,
    StorageFailure,
    VersionNotIndexed,
)
from refdesk.domain.releases import Published
from refdesk.domain.versions import resolve
from refdesk.operations.descriptor import Caller, Example, Input, Operation, Served
from refdesk.operations.outputs import AddAnswer, AddedRow, ProblemRow, ReleaseList, RemoveAnswer
from refdesk.operations.presenting import release_row, releases_line
from refdesk.operations.provenance import line_of
from refdesk.operations.services import Services
from refdesk.services.indexing import Added


class AddInput(Input):
    """Arguments of `index_library`."""

    specs: list[str] = Field(
        min_length=1,
        max_length=100,
        description="Releases: aws:s3@1.34.162, gcp:drive@v3, pypi:httpx==0.27.2; or one site:NAME with url or path",
        json_schema_extra={"cli": "argument"},
    )
    via: str = Field("", description="Carrier for aws: and gcp:, PACKAGE==VERSION")
    version: str = Field("", description="Version of the one library that is named, instead of @VERSION")
    url: str = Field("", description="Site: where to begin; a page, llms.txt, a sitemap or objects.inv")
    path: str = Field("", description="Site: a folder of HTML, Markdown or a DevDocs docset, instead of url")
    urls: list[str] = Field(
        default_factory=list,
        max_length=20_000,
        description="Site: pages one by one, instead of url or beside it",
        json_schema_extra={"cli": "lines"},
    )
    version_from: Literal["", "url", "inventory", "title", "switcher"] = Field(
        "", description="Site: what states its version; left out: the first of these that does"
    )
    scope: Literal["", "path", "host", "listed"] = Field(
        "", description="Site: follow links below url (path, unless you choose), on its host, or none (listed)"
    )
    max_pages: int = Field(20_000, ge=1, le=200_000, description="Site: fetch no more pages than this")
    render: bool = Field(False, description="Site: let a browser render pages (extra render)")
    documents: str = Field("", description="Site: the library that it documents, pypi:flask, to be answered together")
    vectors: bool = Field(True, description="Also make vectors, for questions in plain language")


class RemoveInput(Input):
    """Arguments of `remove_library`."""

    library: str = Field(description="ecosystem:name, or ecosystem:name@version", json_schema_extra={"cli": "argument"})
    version: str = Field("", description="One version; left out: all versions of the library")


class ReleasesInput(Input):
    """Arguments of `list_releases`."""

    library: str = Field("", description="ecosystem:name; left out: all", json_schema_extra={"cli": "argument"})


def run_add(services: Services, request: AddInput, caller: Caller) -> AddAnswer:
    """Add releases."""
    specs = parse_add(
        request.specs,
        AddOptions(
            via=request.via,
            version=request.version,
            url=request.url,
            path=request.path,
            urls=tuple(request.urls),
            version_from=request.version_from,
            scope=request.scope,
            max_pages=request.max_pages,
            render=request.render,
            documents=request.documents,
        ),
    )
    added = services.indexing.add(specs, caller.progress, vectors=request.vectors)
    rows = [_row(one) for one in added]
    if len(added) == 1 and added[0].error is not None and added[0].published is None:
        raise added[0].error
    good = [row.release for row in rows if row.release]
    failed = next((one.error.exit_code for one in added if one.error is not None), 0)
    return AddAnswer(version_line=line_of(good) if good else "[Version: nothing added]", added=rows, exit_code=failed)


def run_remove(services: Services, request: RemoveInput, _caller: Caller) -> RemoveAnswer:
    """Remove releases."""
    name, at, version = request.library.partition("@")  # as `add` takes it
    if not at:
        name, _, version = name.partition("==")
    try:
        library = services.shelf.library(name)
        releases = list(services.shelf.releases(library))
        version = request.version or version
        if version:
            wanted = resolve(version, [one.release for one in releases], library).release
            releases = [one for one in releases if one.release == wanted]
    except (LibraryNotIndexed, VersionNotIndexed) as error:
        raise type(error)(error.message, "Nothing was removed; see refdesk list.", **error.details) from error
    removed = services.indexing.remove(releases)
    labels = [release.label for release in removed]
    return RemoveAnswer(version_line=line_of(labels) if labels else f"[Version: {library}]", removed=labels)


def run_releases(services: Services, request: ReleasesInput, _caller: Caller) -> ReleaseList:
    """List releases."""
    if not request.library:
        libraries = dict.fromkeys(one.release.library for one in services.shelf.published())
        rows = [release_row(one) for library in libraries for one in services.shelf.releases(library)]
        return ReleaseList(version_line=releases_line(len(rows)), releases=rows, problems=[])
    releases = services.shelf.releases(services.shelf.library(request.library))
    problems = [row for one in releases for row in _problems(services, one)]
    rows = [release_row(one) for one in releases]
    return ReleaseList(version_line=releases_line(len(rows)), releases=rows, problems=problems)


def render_add(answer: AddAnswer) -> str:
    """What happened, a line for each release."""
    return "\n".join([answer.version_line, "", *(_line(row) for row in answer.added)])


def render_remove(answer: RemoveAnswer) -> str:
    """What no longer answers."""
    return "\n".join([answer.version_line, "", *(f"- removed {label}" for label in answer.removed)])


def render_releases(answer: ReleaseList) -> str:
    """Releases as text, then what was left out of them."""
    if not answer.releases:
        return f"{answer.version_line}\nNothing is indexed yet. Add a library: refdesk add pypi:httpx"
    lines = [
        f"- {one.library} {one.version}"
        + (f" via {one.via.replace('==', ' ')}" if one.via else "")
        + f": {one.symbols} APIs, {one.pages} pages, updated {one.updated} ({one.updated_by}), indexed {one.indexed}"
        + (f", {one.problems} problems" if one.problems else "")
        for one in answer.releases
    ]
    left_out = [f"- {one.release}: {one.path}: {one.message}" for one in answer.problems]
    return "\n".join([answer.version_line, "", *lines, *(["", "Left out:"] if left_out else []), *left_out])


def _problems(services: Services, published: Published) -> list[ProblemRow]:
    label = published.release.label
    try:
        problems = services.shelf.open(published).problems()
    except PackUnreadable as error:
        return [ProblemRow(release=label, path=published.pack, message=f"{error.message} {error.suggestion}")]
    return [ProblemRow(release=label, path=one.path, message=one.message) for one in problems]


def _row(one: Added) -> AddedRow:
    counts = one.published.counts if one.published else {}
    return AddedRow(
        spec=one.spec,
        outcome=one.outcome,
        release=one.published.release.label if one.published else None,
        symbols=counts.get("symbols", 0),
        pages=counts.get("pages", 0),
        chunks=counts.get("chunks", 0),
        problems=one.problems,
        vectors=one.vectors,
        seconds=round(one.seconds, 2),
        error=one.error.payload() if one.error else None,
    )


def _line(row: AddedRow) -> str:
    if row.release is None:
        error = row.error or {}
        return f"- {row.spec}: failed ({error.get('error')}): {error.get('message')} {error.get('suggestion')}"
    vectors = {"ready": ", vectors ready", "failed": ", vectors failed: search is lexical"}.get(row.vectors, "")
    if row.outcome == "already":
        return f"- {row.release}: already indexed, nothing to do ({row.symbols} APIs, {row.pages} pages{vectors})"
    library = row.release.partition(" ")[0]
    left_out = f", {row.problems} problems (refdesk list {library} names them)" if row.problems else ""
    return f"- {row.release}: {row.outcome} {row.symbols} APIs, {row.pages} pages in {row.seconds} s{left_out}{vectors}"


ADD = Operation(
    name="index_library",
    toolset="admin",
    title="Index a library",
    description=(
        "Add a release of a library to the index, straight from the package registry; nothing is installed or run."
        " Call it when an answer says library_not_indexed or version_not_indexed, with the exact version that the"
        ' project uses. A documentation site is added by itself: {"specs": ["site:flask"], "url":'
        ' "https://flask.palletsprojects.com/en/3.0.x/", "documents": "pypi:flask"}; its pages are fetched politely.'
        " Takes seconds to minutes and reports progress; a release that is already there is left as it is."
        ' Next: ask again. Example: {"specs": ["aws:s3@1.34.162", "pypi:httpx==0.27.2"]}'
    ),
    input=AddInput,
    output=AddAnswer,
    run=run_add,
    render=render_add,
    served=lambda answer: Served(
        release="; ".join(row.release for row in answer.added if row.release), count=len(answer.added)
    ),
    exit_code=lambda answer: answer.exit_code,
    view="text",
    cli="add",
    rest=("POST", "/docs/releases"),
    ceiling=8_000,
    effects="write",
    network=True,
    quotes=False,
    errors=(NotFound, NetworkUnavailable, SourceRejected, ExtraMissing, StorageFailure),
    examples=(Example({"specs": ["pypi:httpx==0.27.2"]}, "pypi:httpx 0.27.2"),),
)

REMOVE = Operation(
    name="remove_library",
    toolset="admin",
    title="Remove a library",
    description=(
        "Remove one version of a library, or all its versions, from the index. Downloaded archives stay in the store"
        ' until space is needed. Example: {"library": "aws:s3", "version": "1.34.162"}'
    ),
    input=RemoveInput,
    output=RemoveAnswer,
    run=run_remove,
    render=render_remove,
    served=lambda answer: Served(count=len(answer.removed)),
    view="text",
    cli="remove",
    rest=("DELETE", "/docs/releases"),
    ceiling=8_000,
    effects="write",
    tool=False,
    errors=(LibraryNotIndexed, StorageFailure),
)

RELEASES = Operation(
    name="list_releases",
    toolset="admin",
    title="List indexed releases",
    description=(
        "List the indexed releases with their dates and sizes; of one library also what was left out of them, and why."
        ' Example: {"library": "pypi:httpx"}'
    ),
    input=ReleasesInput,
    output=ReleaseList,
    run=run_releases,
    render=render_releases,
    served=lambda answer: Served(count=len(answer.releases)),
    view="text",
    cli="list",
    rest=("GET", "/docs/releases"),
    ceiling=25_000,
    tool=False,
    errors=(LibraryNotIndexed,),
)

OPERATIONS = (ADD, RELEASES, REMOVE)
