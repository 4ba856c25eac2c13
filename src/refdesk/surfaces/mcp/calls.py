"""Calling tools: raw arguments to the dispatcher in a worker thread, answers and errors back."""

import concurrent.futures
import logging
import re
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession

from refdesk.domain.errors import Cancelled, InternalError, NotFound, RefdeskError
from refdesk.domain.names import similar
from refdesk.operations.descriptor import Caller
from refdesk.operations.dispatcher import Answer
from refdesk.ports.progress import Progress, Step, silent
from refdesk.surfaces.mcp.asking import VersionQuestion
from refdesk.surfaces.mcp.desk import Desk, Offer
from refdesk.surfaces.mcp.tools import error_result, result_of, tool_of

_LOG = logging.getLogger("refdesk")
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")

EVERY = 0.2
"""Seconds between two reports of progress about the same stage."""

Context = ServerRequestContext[Any, Any]


class Calls:
    """Lists and calls the tools of an offer."""

    def __init__(self, desk: Desk, offer: Offer) -> None:
        self._dispatcher = desk.dispatcher
        self._offer = offer
        self._operations = {one.name: one for one in offer.operations(desk)}
        self._withheld = {
            one.name for one in desk.dispatcher.operations(offer.toolsets) if one.tool and one.effects == "write"
        } - set(self._operations)
        self._tools = [tool_of(one) for one in self._operations.values()]
        self._question = VersionQuestion(desk.services.shelf, remember=offer.surface == "mcp-stdio")

    async def list_tools(self, _context: Context, _params: object) -> types.ListToolsResult:
        """All tools, in one page."""
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run a tool; whatever goes wrong is a result that the model can read and act on."""
        arguments: Mapping[str, Any] = params.arguments or {}
        try:
            operation = self._operations.get(params.name)
            if operation is not None:
                settled = await self._question.settle(context, params, operation, arguments)
                if isinstance(settled, types.InputRequiredResult):
                    return settled
                arguments = settled
            elif params.name not in self._withheld:
                raise self._unknown(params.name)
            progress = ProgressRelay(context.session)
            return result_of(await self.run(context, params.name, arguments, progress))
        except RefdeskError as error:
            return error_result(error)
        except Exception as error:  # noqa: BLE001  the border of the process: no model sees an error of the protocol
            _LOG.exception("tool %s failed", params.name)
            name = type(error).__name__
            return error_result(InternalError(f"{params.name} failed in refdesk itself ({name}).", "Try another call."))

    async def run(
        self, context: Context, name: str, arguments: Mapping[str, Any], progress: Progress = silent
    ) -> Answer:
        """Run an operation in a worker thread for whoever sent this request.

        Raises:
            RefdeskError: As the dispatcher's `call`.
        """
        caller = Caller(
            surface=self._offer.surface,
            conversation=self._conversation(context),
            read_only=not self._offer.writes,
            progress=progress,
        )
        return await anyio.to_thread.run_sync(partial(self._dispatcher.call, name, arguments, caller))

    def _conversation(self, context: Context) -> str:
        """The trace id of the request's `traceparent` (W3C Trace Context), else the server's own conversation."""
        given = (context.meta or {}).get("traceparent")
        match = _TRACEPARENT.fullmatch(given) if isinstance(given, str) else None
        return match["trace"] if match else self._offer.conversation

    def _unknown(self, name: str) -> NotFound:
        near = similar(name, self._operations)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return NotFound(
            f"There is no tool {name[:100]!r} here.{hint}", f"Tools: {', '.join(self._operations)}.", similar=list(near)
        )


class ProgressRelay:
    """Carries steps from a worker thread to the client that asked for them, and a cancellation back.

    The count sent grows with every report, as the protocol demands; where the work stands is in the message, because
    stages count different things.
    """

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._cancelled = (anyio.get_cancelled_exc_class(), concurrent.futures.CancelledError)
        self._stage = ("", "")
        self._sent_at = 0.0
        self._count = 0

    def __call__(self, step: Step) -> None:
        """Report a step. Runs in the worker thread.

        Raises:
            Cancelled: The client has cancelled the call.
        """
        try:
            anyio.from_thread.check_cancelled()
            stage = (step.stage, step.subject)
            now = time.monotonic()
            finished = bool(step.total) and step.done >= step.total
            if stage == self._stage and now - self._sent_at < EVERY and not finished:
                return
            self._stage, self._sent_at = stage, now
            self._count += 1
            anyio.from_thread.run(self._session.report_progress, float(self._count), None, message_of(step))
        except self._cancelled as error:
            raise Cancelled(
                f"Cancelled while {step.subject} was at: {step.stage}.", "The same call goes on from there."
            ) from error


def message_of(step: Step) -> str:
    """A step in words: `download botocore-1.34.162: 3.1 of 12.4 MB`."""
    text = f"{step.stage} {step.subject}"
    if not step.done and not step.total:
        return text
    if step.unit == "bytes":
        done = f"{step.done / 1e6:.1f}"
        return f"{text}: {done} of {step.total / 1e6:.1f} MB" if step.total else f"{text}: {done} MB"
    counts = f"{step.done} of {step.total}" if step.total else f"{step.done}"
    return f"{text}: {counts} {step.unit}".rstrip()
