"""Asking the user which version, where the caller named none and several are indexed.

Clients of the revision 2026-07-28 are asked by the result of the call, which they repeat with the answer; older ones
by a request from the server. Whoever cannot or will not answer gets the default, and the answer says so.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from refdesk.domain.documents import parse_document_id
from refdesk.domain.errors import RefdeskError
from refdesk.operations.dispatcher import AnyOperation, validate
from refdesk.services.shelf import Shelf

_KEY = "version"
_MOST = 50
"""Versions that are offered, newest first; a longer list helps nobody."""


class VersionQuestion:
    """Settles the version of a call.

    Args:
        shelf: What is indexed.
        remember: Whether a refusal holds for as long as the server runs: where it serves one client only.
    """

    def __init__(self, shelf: Shelf, *, remember: bool) -> None:
        self._shelf = shelf
        self._remember = remember
        self._refused: set[str] = set()

    async def settle(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.CallToolRequestParams,
        operation: AnyOperation,
        arguments: Mapping[str, Any],
    ) -> Mapping[str, Any] | types.InputRequiredResult:
        """The arguments with the version that the user chose, as they were, or the question to send back."""
        if not operation.asks_version or not _can_ask(context):
            return arguments
        library, labels = await anyio.to_thread.run_sync(partial(self._choices, operation, arguments))
        if len(labels) < 2 or library in self._refused:
            return arguments
        question = _question(library, labels)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            answer = (params.input_responses or {}).get(_KEY)
            if answer is None:
                return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=question)})
        else:
            answer = await _ask(context, question)
        chosen = _chosen(answer)
        if chosen is None:
            if self._remember:
                self._refused.add(library)
            return arguments
        return {**arguments, "version": chosen}

    def _choices(self, operation: AnyOperation, arguments: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
        """The library and its versions as a caller can name them, newest first; none where nothing is to be asked."""
        try:
            given = validate(operation, arguments).model_dump()
            if not given["library"] or given["version"] or given.get("cursor"):
                return "", ()
            if parse_document_id(given.get("page", "")) is not None:
                return "", ()  # such an id names its version
            library = self._shelf.library(given["library"])
        except RefdeskError:
            return "", ()  # the call itself says what is wrong
        labels = [one.release.label.partition(" ")[2] for one in self._shelf.releases(library)]
        return str(library), labels[:_MOST]


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client shows forms; one that declares elicitation without a mode does."""
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS or context.session.can_send_request


def _question(library: str, labels: Sequence[str]) -> types.ElicitRequestFormParams:
    return types.ElicitRequestFormParams(
        message=f"Which version of {library} does your project use?",
        requested_schema={
            "type": "object",
            "properties": {_KEY: {"type": "string", "title": "Version", "enum": list(labels), "default": labels[0]}},
            "required": [_KEY],
        },
    )


async def _ask(
    context: ServerRequestContext[Any, Any], question: types.ElicitRequestFormParams
) -> types.ElicitResult | None:
    try:
        return await context.session.elicit_form(question.message, question.requested_schema, context.request_id)
    except MCPError:
        return None  # the client said that it can ask, and could not


def _chosen(answer: object) -> str | None:
    """The version of an accepted answer; whether it exists, the call itself checks."""
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return None
    version = (answer.content or {}).get(_KEY)
    return version if isinstance(version, str) and version.strip() else None
