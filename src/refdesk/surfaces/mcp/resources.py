"""Resources: every page, symbol and specification file of the indexed releases, by address.

Each is read through an operation, as all answers are. Pages and symbols carry their version line and are fenced;
specification files are handed out byte for byte.
"""

import mimetypes
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote

import anyio.to_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError

from refdesk.domain.documents import document_id, parse_document_id
from refdesk.domain.errors import Ambiguous, InvalidInput, NotFound, PackUnreadable, RefdeskError
from refdesk.domain.releases import Published, Release
from refdesk.operations.docs import PAGE
from refdesk.operations.outputs import FileAnswer
from refdesk.operations.specification import SPECIFICATION
from refdesk.surfaces.mcp.calls import Calls, Context
from refdesk.surfaces.mcp.desk import Desk
from refdesk.surfaces.mcp.tools import text_of

MARKDOWN = "text/markdown"

_BASE = "refdesk://{ecosystem}/{library}/{version}"
_SPEC = re.compile(r"refdesk://(?P<ecosystem>[^/]+)/(?P<library>[^/]+)/(?P<version>[^/]+)/spec/(?P<path>[^#?]+)\Z")
_RELEASES = 50
"""Releases whose entry points stand on one page of the list."""

_FILES = 10
"""Specification files that are listed of a release that has no page."""

TEMPLATES: tuple[types.ResourceTemplate, ...] = (
    types.ResourceTemplate(
        name="page",
        title="Documentation page",
        uri_template=f"{_BASE}/page/{{+path}}",
        description="A page as Markdown, e.g. refdesk://pypi/httpx/0.27.2/page/README.md",
        mime_type=MARKDOWN,
    ),
    types.ResourceTemplate(
        name="api",
        title="API entry",
        uri_template=f"{_BASE}/api/{{+name}}",
        description="An API entry as Markdown, e.g. refdesk://aws/s3/2006-03-01+1.34.162/api/PutObject",
        mime_type=MARKDOWN,
    ),
    types.ResourceTemplate(
        name="spec",
        title="Specification file",
        uri_template=f"{_BASE}/spec/{{+path}}",
        description="A file of the package that the release was read from, as it came; .gz stays compressed.",
    ),
)


class Resources:
    """Lists and reads resources."""

    def __init__(self, desk: Desk, calls: Calls) -> None:
        self._desk = desk
        self._calls = calls

    async def list_templates(self, _context: Context, _params: object) -> types.ListResourceTemplatesResult:
        """The three kinds of addresses."""
        return types.ListResourceTemplatesResult(resource_templates=list(TEMPLATES))

    async def list_resources(
        self, _context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Where reading can begin: a page, or the specification, of each indexed release."""
        return await anyio.to_thread.run_sync(self._entry_points, params.cursor if params else None)

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """One resource; unknown ones are an error of the protocol, as it demands."""
        uri = str(params.uri)
        try:
            spec = _SPEC.match(uri)
            if spec is not None:
                return await self._specification(context, uri, spec)
            if parse_document_id(uri) is None or not uri.startswith("refdesk://"):
                raise NotFound("No resource has this address.", "resources/templates/list shows their forms.")
            answer = await self._calls.run(context, PAGE.name, {"page": uri, "max_tokens": PAGE.ceiling})
        except RefdeskError as error:
            raise _protocol_error(uri, error) from error
        content = types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text_of(answer))
        return types.ReadResourceResult(contents=[content], _meta={"trace_id": answer.trace_id})

    def _entry_points(self, cursor: str | None) -> types.ListResourcesResult:
        try:
            start = int(cursor or 0)
        except ValueError:
            start = -1
        published = self._desk.services.shelf.published()
        if start < 0 or (start and start >= len(published)):
            raise MCPError(types.INVALID_PARAMS, "That cursor belongs to no list of resources; begin without one.")
        shown = published[start : start + _RELEASES]
        more = start + _RELEASES < len(published)
        return types.ListResourcesResult(
            resources=[one for release in shown for one in self._of_release(release)],
            next_cursor=str(start + _RELEASES) if more else None,
        )

    def _of_release(self, published: Published) -> Iterator[types.Resource]:
        release = published.release
        try:
            pack = self._desk.services.shelf.open(published)
        except PackUnreadable:
            return  # asking for one of its pages says what is wrong with it
        pages = sorted(pack.entries.pages(), key=lambda page: (not _is_readme(page.path), page.path))
        if pages:
            page = pages[0]
            yield types.Resource(
                uri=document_id(release, "page", page.path).uri,
                name=f"{release.label}: {page.path}",
                title=page.title or page.path,
                mime_type=MARKDOWN,
            )
            return
        for path in pack.manifest.files[:_FILES] if published.origin.filename else ():
            yield types.Resource(
                uri=spec_uri(release, path), name=f"{release.label}: {path}", title=path, mime_type=mime_of(path)
            )

    async def _specification(self, context: Context, uri: str, spec: re.Match[str]) -> types.ReadResourceResult:
        ecosystem, library, version, path = (unquote(part) for part in spec.groups())
        arguments = {"library": f"{ecosystem}:{library}", "version": version, "path": path}
        answer = await self._calls.run(context, SPECIFICATION.name, arguments)
        content = _contents(uri, FileAnswer.model_validate(answer.result))
        return types.ReadResourceResult(contents=[content], _meta={"trace_id": answer.trace_id})


def spec_uri(release: Release, path: str) -> str:
    """The address of a specification file of a release."""
    version = release.key.partition("@")[2]
    parts = (release.library.ecosystem, release.library.name, version)
    return f"refdesk://{'/'.join(quote(part, safe='') for part in parts)}/spec/{quote(path)}"


def mime_of(path: str) -> str:
    """The media type of a file by its name."""
    if path.endswith(".gz"):
        return "application/gzip"
    if path.endswith((".md", ".markdown")):
        return MARKDOWN
    return mimetypes.guess_type(path, strict=False)[0] or "text/plain"


def _contents(uri: str, file: FileAnswer) -> types.TextResourceContents | types.BlobResourceContents:
    mime = mime_of(file.path)
    if file.base64 is None:
        return types.TextResourceContents(uri=uri, mime_type=mime, text=file.text or "")
    binary = mime if not mime.startswith("text/") else "application/octet-stream"
    return types.BlobResourceContents(uri=uri, mime_type=binary, blob=file.base64)


def _is_readme(path: str) -> bool:
    return path.rpartition("/")[2].lower().partition(".")[0] in ("readme", "index")


def _protocol_error(uri: str, error: RefdeskError) -> MCPError:
    data: dict[str, Any] = {"uri": uri, **error.payload()}
    message = f"{error.message} {error.suggestion}".strip()
    wrong = isinstance(error, NotFound | InvalidInput | Ambiguous)
    return MCPError(types.INVALID_PARAMS if wrong else types.INTERNAL_ERROR, message, data)
