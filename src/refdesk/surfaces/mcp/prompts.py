"""Prompts and completions of arguments."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import anyio.to_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError

from refdesk.domain.errors import RefdeskError
from refdesk.domain.libraries import Library
from refdesk.operations.guidance import PROMPTS
from refdesk.surfaces.mcp.calls import Context
from refdesk.surfaces.mcp.desk import Desk

_BY_NAME = {one.name: one for one in PROMPTS}
_MOST = 100
"""Values of one completion at most; a rule of the protocol."""


async def list_prompts(_context: Context, _params: object) -> types.ListPromptsResult:
    """All prompts, in one page."""
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=prompt.name,
                title=prompt.title,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(name=one.name, description=one.description, required=one.required)
                    for one in prompt.arguments
                ],
            )
            for prompt in PROMPTS
        ]
    )


async def get_prompt(_context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    """One prompt with the user's arguments."""
    prompt = _BY_NAME.get(params.name)
    if prompt is None:
        names = ", ".join(_BY_NAME)
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name!r}. Prompts: {names}.")
    try:
        text = prompt.text(params.arguments or {})
    except RefdeskError as error:
        raise MCPError(types.INVALID_PARAMS, f"{error.message} {error.suggestion}", error.payload()) from error
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=prompt.description, messages=[message])


class Completions:
    """Completes arguments of prompts and of resource addresses from what is indexed."""

    def __init__(self, desk: Desk) -> None:
        self._shelf = desk.services.shelf

    async def complete(self, _context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Values that begin with what was typed; none for arguments that are free text."""
        given = (params.context.arguments if params.context else None) or {}
        in_address = isinstance(params.ref, types.ResourceTemplateReference)
        values = await anyio.to_thread.run_sync(self._values, params.argument.name, given, in_address)
        typed = params.argument.value.lower()
        fitting = [one for one in values if one.lower().startswith(typed)]
        return types.CompleteResult(
            completion=types.Completion(values=fitting[:_MOST], total=len(fitting), has_more=len(fitting) > _MOST)
        )

    def _values(self, argument: str, given: Mapping[str, str], in_address: bool) -> Sequence[str]:
        find: Mapping[str, Callable[[], Iterable[str]]] = {
            "ecosystem": lambda: (one.release.library.ecosystem for one in self._shelf.published()),
            "library": lambda: self._libraries(given.get("ecosystem", ""), in_address),
            "version": lambda: self._versions(given, in_address),
            "from": lambda: self._versions(given, in_address),
            "to": lambda: self._versions(given, in_address),
        }
        return list(dict.fromkeys(find[argument]())) if argument in find else []

    def _libraries(self, ecosystem: str, in_address: bool) -> Iterable[str]:
        every = (one.release.library for one in self._shelf.published())
        if not in_address:
            return (str(one) for one in every)
        return (one.name for one in every if not ecosystem or one.ecosystem == ecosystem)

    def _versions(self, given: Mapping[str, str], in_address: bool) -> Iterable[str]:
        """Newest first; of all libraries that fit what is known so far."""
        name, ecosystem = given.get("library", ""), given.get("ecosystem", "")
        if not name:
            return ()
        if not in_address:
            try:
                found = self._shelf.releases(self._shelf.library(name))
            except RefdeskError:
                return ()
            return (one.release.label.partition(" ")[2] for one in found)
        fitting = (one for one in self._shelf.published() if _fits(one.release.library, name, ecosystem))
        libraries = dict.fromkeys(one.release.library for one in fitting)
        releases = [one.release for library in libraries for one in self._shelf.releases(library)]
        return (one.key.partition("@")[2] for one in releases)


def _fits(library: Library, name: str, ecosystem: str) -> bool:
    return library.name == name and (not ecosystem or library.ecosystem == ecosystem)
