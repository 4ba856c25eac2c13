"""Structured forms of the docs answers: what `--json` prints and MCP returns as structured content."""

from typing import Any

from pydantic import Field

from refdesk.operations.descriptor import Output
from refdesk.operations.provenance import Provenance, Source


class Deprecated(Output):
    """That something is deprecated, and how that is known."""

    since: str | None
    replacement: str | None
    note: str
    evidence: str


class ParamRow(Output):
    """One parameter; nested members carry their path as name."""

    name: str
    type: str
    required: bool
    default: str | None
    enum: list[str]
    doc: str
    kind: str = Field(
        description="How it is passed: keyword_only, positional_only, path, query, header, body …; or empty"
    )
    limits: dict[str, Any] = Field(description="min, max, pattern, format as stated")
    since: str | None
    deprecated: Deprecated | None


class ReturnsBlock(Output):
    """What a call gives back."""

    type: str
    doc: str
    members: list[str] = Field(description="Names of the members of a structured result")


class ErrorRow(Output):
    """An error that a call can raise."""

    name: str
    doc: str


class ExampleBlock(Output):
    """A usage example from the source."""

    title: str
    doc: str
    code: str
    language: str


class CompanionBlock(Output):
    """The same API in the release beside the one that answers: the package of a site, or the site of a package."""

    role: str = Field(description="source: read from the package's code; documentation: read from its site")
    release: str
    id: str
    url: str
    signature: str
    doc: str


class ApiDetail(Provenance):
    """Everything about one API."""

    id: str
    name: str
    names: list[str]
    kind: str
    summary: str
    signature: str
    doc: str
    params: list[ParamRow]
    params_cut: bool = Field(description="Deeper members exist that are not listed; ask with param=PATH")
    focus: ParamRow | None = Field(description="The parameter that was asked for; params are then its members")
    returns: ReturnsBlock | None
    errors: list[ErrorRow]
    examples: list[ExampleBlock]
    members: list[str]
    deprecated: Deprecated | None
    since: str | None
    attributes: dict[str, Any] = Field(
        description="http, paginator, waiters, scopes, overloads, bases … where there are"
    )
    companion: CompanionBlock | None = Field(description="The package of a site, or the site of a package; else null")
    source: Source
    text: str = Field(exclude=True)


class ApiRow(Output):
    """One API in a list."""

    name: str
    kind: str
    summary: str
    deprecated: bool


class ReleaseRow(Output):
    """One indexed release."""

    library: str
    version: str
    via: str | None
    updated: str
    updated_by: str
    indexed: str
    symbols: int
    pages: int
    problems: int


class ApiList(Output):
    """Names with summaries; without a library the indexed releases."""

    version_line: str
    provenance: Provenance | None
    releases: list[ReleaseRow]
    apis: list[ApiRow]
    total: int = Field(description="All APIs of the release, or all releases")
    next_cursor: str | None


class PagePart(Provenance):
    """A part of a page."""

    id: str
    title: str
    url: str
    text: str
    sections: list[str]
    tokens: int
    next_cursor: str | None
    warning: str | None = Field(description="What is suspicious about its text; null for most")
    source: Source


class FileAnswer(Provenance):
    """A file that a release was made from, as it came."""

    release: str = Field(description="Key of the release")
    path: str = Field(description="File inside the package's archive")
    size: int = Field(description="Bytes")
    sha256: str = Field(description="Hash of the file's bytes")
    text: str | None = Field(description="The file, if it is UTF-8 and not compressed")
    base64: str | None = Field(description="Its bytes, if it has no text")
    source: Source


class Hit(Output):
    """One search hit."""

    id: str = Field(description="Pass it to get_page, or the API's name to get_api_detail")
    title: str
    section: str = Field(description="Headings from the page's root, joined by ' > '")
    version: str
    kind: str = Field(description="Content type: api_reference, howto, concept, error, changelog …")
    url: str
    updated: str
    snippet: str = Field(description="Untrusted documentation text")
    deprecated: bool
    facets: list[str] = Field(description="Labels of the tabs that it stands under, e.g. a language or version")
    warning: str | None = Field(description="What is suspicious about its text; null for most")


class SearchAnswer(Output):
    """Hits, best first."""

    version_line: str
    provenance: Provenance | None = Field(description="Of the release searched; null where several were")
    note: str = Field(description="What was searched where no library was named, and what was not searched or how")
    hits: list[Hit]
    hint: str = Field(description="What to do next, or how to narrow or widen the question")
    explain: dict[str, Any] | None = Field(
        description="The plan and why each hit stands where it does; only on request"
    )


class StateRow(Output):
    """What one indexed release says of a name."""

    version: str
    state: str


class VersionAnswer(Provenance):
    """Whether an API or parameter exists in a version."""

    name: str
    status: str = Field(description="available, deprecated, removed, not_yet_added or unknown")
    evidence: str
    proven: bool = Field(description="False where a missing name proves nothing: more may exist than is documented")
    since: str | None
    replacement: str | None
    deprecated: Deprecated | None
    changes: list[str] = Field(description="Differences of the parameters from compared_with")
    compared_with: str | None
    similar: list[str]
    states: list[StateRow]


class AddedRow(Output):
    """What became of one release."""

    spec: str
    outcome: str = Field(description="indexed, rebuilt, already, or failed")
    release: str | None
    symbols: int
    pages: int
    chunks: int
    problems: int
    vectors: str = Field(description="ready, off, or failed")
    seconds: float
    error: dict[str, Any] | None


class AddAnswer(Output):
    """What an `add` did, one row for each release."""

    version_line: str
    added: list[AddedRow]
    exit_code: int = Field(default=0, exclude=True)


class RemoveAnswer(Output):
    """Which releases no longer answer."""

    version_line: str
    removed: list[str]


class ProblemRow(Output):
    """Something of a release's source that was left out."""

    release: str
    path: str
    message: str


class ReleaseList(Output):
    """Indexed releases, and of one library what was left out of them."""

    version_line: str
    releases: list[ReleaseRow]
    problems: list[ProblemRow]
