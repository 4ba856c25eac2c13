"""Our own HTTP application with the names that the conformance suite calls, registered on top of it.

The suite tests a server by tools, prompts and resources with fixed names. Here they are added in front of refdesk's
own handlers, on the same server, transport, host checks and middleware; every other name goes to refdesk. Nothing of
this is installed. `python fixtures.py` serves on a free port and prints the address.
"""

import base64
import json
import struct
import sys
import tempfile
import zlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from refdesk.bootstrap import open_desk
from refdesk.settings import Settings
from refdesk.surfaces.mcp.desk import Offer
from refdesk.surfaces.mcp.http import app_of, listen, run_app
from refdesk.surfaces.mcp.server import build_server

Context = ServerRequestContext[Any, Any]
Call = types.CallToolRequestParams
Result = types.CallToolResult | types.InputRequiredResult
Params = TypeVar("Params", bound=BaseModel)
Tool = Callable[[Context, Call], Awaitable[Result]]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PIXEL = base64.b64encode(
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\x00\x80"))
    + _chunk(b"IEND", b"")
).decode()
SILENCE = base64.b64encode(
    b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    + b"data" + struct.pack("<I", 0)
).decode()  # fmt: skip


def text(words: str) -> types.TextContent:
    """Text content."""
    return types.TextContent(type="text", text=words)


def embedded(uri: str, words: str, mime: str = "text/plain") -> types.EmbeddedResource:
    """An embedded text resource."""
    return types.EmbeddedResource(
        type="resource", resource=types.TextResourceContents(uri=uri, mime_type=mime, text=words)
    )


def image() -> types.ImageContent:
    """One grey pixel."""
    return types.ImageContent(type="image", data=PIXEL, mime_type="image/png")


def done(*content: types.ContentBlock) -> types.CallToolResult:
    """A finished call."""
    return types.CallToolResult(content=list(content))


def form(message: str, properties: Mapping[str, Any], required: list[str] | None = None) -> types.ElicitRequest:
    """A question to the user."""
    schema = {"type": "object", "properties": dict(properties), "required": required or list(properties)}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(words: str) -> types.CreateMessageRequest:
    """A question to the client's model."""
    message = types.SamplingMessage(role="user", content=text(words))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))


def asking(state: str | None = None, **requests: types.InputRequest) -> types.InputRequiredResult:
    """A call that goes on when the client has answered."""
    return types.InputRequiredResult(input_requests=requests or None, request_state=state)


NAME = form("What is your name?", {"name": {"type": "string"}})


def fixed(*content: types.ContentBlock) -> Tool:
    """A tool that always gives the same."""

    async def tool(_context: Context, _params: Call) -> Result:
        return done(*content)

    return tool


def asks_once(question: Callable[[], types.InputRequiredResult], words: str = "done") -> Tool:
    """A tool that asks, and is done with every answer there; an answer to another question is asked again."""

    async def tool(_context: Context, params: Call) -> Result:
        asked = question()
        answers = params.input_responses or {}
        if any(key not in answers for key in asked.input_requests or {}):
            return asked
        if asked.request_state is not None and params.request_state != asked.request_state:
            raise MCPError(types.INVALID_PARAMS, "another state than the one that was sent")
        return done(text(words))

    return tool


async def fails(_context: Context, _params: Call) -> Result:
    """A tool whose work fails."""
    return types.CallToolResult(content=[text("This tool always fails.")], is_error=True)


async def progresses(context: Context, _params: Call) -> Result:
    """A tool that reports progress."""
    for step in (0, 50, 100):
        await context.session.report_progress(step, 100, f"step {step}")
        await anyio.sleep(0.01)
    return done(text("done"))


async def elicits(context: Context, params: Call) -> Result:
    """A tool of the handshake era that asks the user with the message it was given."""
    question = form((params.arguments or {}).get("message", "Who?"), {"response": {"type": "string"}})
    return await _elicited(context, question)


async def elicits_defaults(context: Context, _params: Call) -> Result:
    """A question with a default for each primitive type."""
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicited(context, form("About you", properties, []))


async def elicits_enums(context: Context, _params: Call) -> Result:
    """A question with every form of an enumeration."""
    few = ["option1", "option2", "option3"]
    titled = [{"const": f"value{number}", "title": f"Value {number}"} for number in (1, 2, 3)]
    properties = {
        "untitledSingle": {"type": "string", "enum": few},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": few}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicited(context, form("Choose", properties, []))


async def _elicited(context: Context, question: types.ElicitRequest) -> Result:
    params = question.params
    assert isinstance(params, types.ElicitRequestFormParams)
    answer = await context.session.elicit_form(params.message, params.requested_schema, context.request_id)
    return done(text(f"action={answer.action} content={json.dumps(answer.content)}"))


async def two_rounds(_context: Context, params: Call) -> Result:
    """A tool that asks twice, with a state that grows."""
    if params.request_state is None:
        return asking("round 1", step1=form("Step 1: your name?", {"name": {"type": "string"}}))
    if params.request_state == "round 1":
        return asking("round 2", step2=form("Step 2: your colour?", {"color": {"type": "string"}}))
    return done(text("done"))


async def asks_what_the_client_can(context: Context, params: Call) -> Result:
    """A tool that asks only for what the client declared."""
    if params.input_responses:
        return done(text("done"))
    can = context.session.client_capabilities
    requests: dict[str, types.InputRequest] = {}
    if can is not None and can.elicitation is not None:
        requests["user_name"] = NAME
    if can is not None and can.sampling is not None:
        requests["greeting"] = sample("Say hello.")
    return asking(None, **requests) if requests else done(text("The client can answer nothing."))


async def needs_sampling(_context: Context, _params: Call) -> Result:
    """A tool that cannot work without a capability that the client did not declare."""
    raise MCPError(
        types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", {"requiredCapabilities": {"sampling": {}}}
    )


TOOLS: dict[str, Tool] = {
    "test_simple_text": fixed(text("This is a simple text response for testing.")),
    "test_image_content": fixed(image()),
    "test_audio_content": fixed(types.AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")),
    "test_embedded_resource": fixed(embedded("test://embedded-resource", "embedded")),
    "test_multiple_content_types": fixed(
        text("text, image, resource"), image(), embedded("test://mixed-content-resource", "{}", "application/json")
    ),
    "test_error_handling": fails,
    "test_tool_with_progress": progresses,
    "test_elicitation": elicits,
    "test_elicitation_sep1034_defaults": elicits_defaults,
    "test_elicitation_sep1330_enums": elicits_enums,
    "test_missing_capability": needs_sampling,
    "test_logging_tool": fixed(text("Nothing was logged, as nobody asked for it.")),
    "test_streaming_elicitation": asks_once(lambda: asking(user_name=NAME)),
    "test_input_required_result_elicitation": asks_once(lambda: asking(user_name=NAME), "Hello!"),
    "test_input_required_result_sampling": asks_once(
        lambda: asking(capital_question=sample("What is the capital of France?"))
    ),
    "test_input_required_result_list_roots": asks_once(lambda: asking(client_roots=types.ListRootsRequest())),
    "test_input_required_result_request_state": asks_once(
        lambda: asking("state", confirm=form("Please confirm", {"ok": {"type": "boolean"}})), "state-ok"
    ),
    "test_input_required_result_multiple_inputs": asks_once(
        lambda: asking("state", user_name=NAME, greeting=sample("Greet."), client_roots=types.ListRootsRequest())
    ),
    "test_input_required_result_multi_round": two_rounds,
    "test_input_required_result_tampered_state": asks_once(lambda: asking("state", user_name=NAME)),
    "test_input_required_result_capabilities": asks_what_the_client_can,
}  # fmt: skip

RESOURCES: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PIXEL),
    "test://template/123/data": types.TextResourceContents(
        uri="test://template/123/data", mime_type="application/json", text='{"id": "123", "templateTest": true}'
    ),
}


def _prompt_content(name: str, given: Mapping[str, str]) -> list[types.ContentBlock] | None:
    match name:
        case "test_simple_prompt" | "test_input_required_result_prompt":
            return [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            return [text(f"arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")]
        case "test_prompt_with_embedded_resource":
            return [embedded(given.get("resourceUri", ""), "embedded"), text("Read it.")]
        case "test_prompt_with_image":
            return [image(), text("Look at it.")]
        case _:
            return None


def with_fixtures(server: Server[Any]) -> Server[Any]:
    """The same server with the suite's names in front of its own."""
    _in_front(server, "tools/call", Call, _call_tool)
    _in_front(server, "prompts/get", types.GetPromptRequestParams, _get_prompt)
    _in_front(server, "resources/read", types.ReadResourceRequestParams, _read)
    # refdesk itself sends no requestState; what the fixtures send is sealed by the SDK's own middleware.
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="conformance"))
    return server


def _in_front(
    server: Server[Any],
    method: str,
    params_type: type[Params],
    fixture: Callable[[Context, Params], Awaitable[BaseModel | None]],
) -> None:
    entry = server.get_request_handler(method)
    assert entry is not None

    async def handler(context: Context, params: Params) -> HandlerResult:
        found = await fixture(context, params)
        return found if found is not None else await entry.handler(context, params)

    server.add_request_handler(method, params_type, handler)


async def _call_tool(context: Context, params: Call) -> Result | None:
    tool = TOOLS.get(params.name)
    return await tool(context, params) if tool else None


async def _get_prompt(
    _context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult | None:
    content = _prompt_content(params.name, params.arguments or {})
    if content is None:
        return None
    if params.name == "test_input_required_result_prompt" and not params.input_responses:
        return asking(user_context=form("What context?", {"context": {"type": "string"}}))
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=one) for one in content])


async def _read(_context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult | None:
    found = RESOURCES.get(str(params.uri))
    return types.ReadResourceResult(contents=[found]) if found else None


def main() -> None:
    """Serve until a signal."""
    with tempfile.TemporaryDirectory() as home, listen("127.0.0.1", 0) as listener:
        desk = open_desk(Settings(Path(home)))
        server = with_fixtures(build_server(desk, Offer("mcp-http", ("docs", "admin"), writes=False)))
        sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp\n")
        sys.stdout.flush()
        run_app(app_of(server), listener)
        desk.close()


if __name__ == "__main__":
    main()
