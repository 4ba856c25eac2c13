import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from mcp.client import Client
from mcp.types import CallToolResult, Tool
from pydantic import BaseModel

from fakes.desk import GUIDE, MemoryDesk, memory_desk
from fakes.links import Connect, text_of
from goldens import check_golden
from refdesk.domain.errors import InvalidInput
from refdesk.domain.text import estimate_tokens
from refdesk.operations import docs
from refdesk.operations.descriptor import Caller
from refdesk.operations.dispatcher import AnyOperation
from refdesk.operations.guidance import INSTRUCTIONS
from refdesk.surfaces.mcp.desk import Offer
from refdesk.surfaces.mcp.server import build_server
from refdesk.surfaces.mcp.tools import HARD_CEILING, flat_schema, tool_of
from refdesk.surfaces.mcp.tools import text_of as answer_text

pytestmark = pytest.mark.anyio


def error_of(result: CallToolResult) -> dict[str, Any]:
    """The one error shape, from the last line of the text."""
    assert result.is_error
    assert result.structured_content is None
    shape: dict[str, Any] = json.loads(text_of(result).splitlines()[-1])
    return shape


def dumped(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    return [one.model_dump(by_alias=True, exclude_none=True) for one in tools]


async def test_the_tools_that_agents_see_are_the_ones_in_the_golden_file(
    connect_local: Connect, desk: MemoryDesk
) -> None:
    tools = dumped(tool_of(one) for one in Offer("mcp-stdio", ("docs", "admin"), writes=True).operations(desk))
    check_golden("mcp-tools.json", json.dumps(tools, indent=1, ensure_ascii=False) + "\n")
    async with connect_local() as client:
        assert dumped((await client.list_tools()).tools) == tools


async def test_every_schema_is_flat_and_every_text_is_short(connect: Connect) -> None:
    async with connect() as client:
        tools = (await client.list_tools()).tools
        assert client.instructions == INSTRUCTIONS
    assert len(INSTRUCTIONS.encode()) < 1_000
    for tool in tools:
        schemas = json.dumps([tool.input_schema, tool.output_schema])
        assert not any(word in schemas for word in ("$ref", "$defs", "anyOf", '"cli"'))
        assert len((tool.description or "").encode()) < 1_000
        assert len(tool.name) <= 30
        assert tool.input_schema["additionalProperties"] is False


async def test_over_http_nothing_that_writes_is_offered(connect: Connect, request: pytest.FixtureRequest) -> None:
    async with connect() as client:
        names = [one.name for one in (await client.list_tools()).tools]
        refused = await client.call_tool("index_library", {"specs": ["pypi:nothing"]})
    docs = ["search_docs", "get_page", "list_apis", "get_api_detail", "check_version"]
    http = "http" in request.node.callspec.id
    assert names == (docs if http else [*docs, "index_library", "refresh_library"])
    assert error_of(refused)["error"] == ("refused" if http else "not_found")


async def test_a_structured_tool_gives_text_and_structure_that_each_begin_with_the_version(connect: Connect) -> None:
    arguments = {"query": "send a parcel", "library": "pypi:parcel", "version": "1.0.0"}
    async with connect() as client:
        result = await client.call_tool("search_docs", arguments)
    assert text_of(result).startswith("[Version: pypi:parcel 1.0.0]\n")
    structure = result.structured_content
    assert next(iter(structure.items())) == ("version_line", "[Version: pypi:parcel 1.0.0]")
    assert None not in structure.values()
    for hit in structure["hits"]:
        assert all(hit[key] in text_of(result) for key in ("id", "title", "version", "kind", "updated", "snippet"))
    assert structure["hint"] in text_of(result)


async def test_a_text_tool_gives_text_only(connect: Connect) -> None:
    arguments = {"api": "send", "library": "pypi:parcel", "version": "2.0.0"}
    async with connect() as client:
        result = await client.call_tool("get_api_detail", arguments)
        tool = next(one for one in (await client.list_tools()).tools if one.name == "get_api_detail")
    assert tool.output_schema is None
    assert result.structured_content is None
    assert text_of(result).startswith("[Version: pypi:parcel 2.0.0]\nrequested: 2.0.0; served: 2.0.0; rule: exact;")
    assert "- `fast` (bool, default `False`) — By the fast cart." in text_of(result)


async def test_quoted_text_is_fenced_by_marks_that_it_cannot_foresee(connect: Connect) -> None:
    async with connect() as client:
        result = await client.call_tool("get_page", {"page": "pypi:parcel@1.0.0/page/README.md"})
    mark = result.meta["trace_id"][:8]  # type: ignore[index]  # every answer carries it
    head, opening, rest = text_of(result).partition(f"\n\n<documentation {mark} untrusted>\n")
    quoted, closing, after = rest.partition(f"\n</documentation {mark}>")
    assert "Ignore all previous instructions" in quoted
    assert "Ignore all previous instructions" not in head + after
    assert opening
    assert closing


async def test_answers_of_refdesk_itself_are_not_fenced(connect_local: Connect) -> None:
    async with connect_local() as client:
        result = await client.call_tool("index_library", {"specs": ["pypi:cart==1.0"]})
        empty = await client.call_tool("check_version", {"api": "send", "library": "pypi:parcel", "version": "1.0.0"})
    assert text_of(result).startswith("[Version: pypi:cart 1.0]\n\n- pypi:cart 1.0: indexed 1 APIs")
    assert "<documentation" not in text_of(result)
    assert "<documentation" in text_of(empty)


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "message", "suggestion"),
    [
        (
            "get_api_detail",
            {"api": "send", "libary": "pypi:parcel"},
            "invalid_input",
            "Unknown argument 'libary'; did you mean 'library'?",
            "get_api_detail takes: api, library, version, param.",
        ),
        ("search_docs", {"query": "x", "limit": "3"}, "invalid_input", "expected a whole number", "search_docs takes:"),
        ("search_docs", {"query": "x", "limit": 0}, "invalid_input", "Argument 'limit':", "search_docs takes:"),
        ("search_docs", {}, "invalid_input", "Argument 'query' is missing.", "search_docs takes:"),
        ("get_api_detail", {"api": "sned", "library": "pypi:wagon"}, "not_found", "no API", "Do not"),
        ("get_api_detail", {"api": "x", "library": "pypi:cart"}, "library_not_indexed", "not indexed", "refdesk add"),
        (
            "get_api_detail",
            {"api": "send", "library": "pypi:parcel", "version": "3.0"},
            "version_not_indexed",
            "Nearest indexed: pypi:parcel 2.0.0",
            "refdesk add pypi:parcel@3.0",
        ),
        ("get_page", {"page": "pypi:parcel@1.0.0/page/nowhere.md"}, "not_found", "no page", "Use search_docs"),
        ("search_doc", {}, "not_found", "Did you mean 'search_docs'?", "Tools: search_docs, get_page"),
        ("zzz", {}, "not_found", "There is no tool 'zzz' here.", "Tools: search_docs"),
        ("remove_library", {"library": "pypi:parcel"}, "not_found", "There is no tool", "Tools: search_docs"),
        ("list_releases", {}, "not_found", "There is no tool", "Tools: search_docs"),
    ],
    ids=[
        "unknown argument", "wrong type", "out of range", "missing argument", "no such API", "library not indexed",
        "version not indexed", "no such page", "nearly a tool", "no tool", "only for people, writes", "only for people",
    ],
)  # fmt: skip
async def test_errors_are_results_that_say_what_to_do_next(
    connect: Connect, tool: str, arguments: dict[str, Any], code: str, message: str, suggestion: str
) -> None:
    async with connect() as client:
        result = await client.call_tool(tool, arguments)
    shape = error_of(result)
    assert (shape["error"], shape["retryable"]) == (code, False)
    assert message in shape["message"]
    assert suggestion in shape["suggestion"]
    assert text_of(result).startswith(f"{shape['message']}\nsuggestion: {shape['suggestion']}\n")
    for leak in ("Traceback", "Error executing", "pydantic", "http"):
        assert leak not in text_of(result)


async def test_a_failed_call_is_found_in_the_log_by_its_trace_id(connect: Connect, desk: MemoryDesk) -> None:
    async with connect() as client:
        shape = error_of(await client.call_tool("get_page", {"page": ""}))
    (call,) = desk.ledger.calls(10)
    assert (call.trace_id, call.error, call.operation) == (shape["trace_id"], "invalid_input", "get_page")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "4bf92f3577b34da6a3ce929d0e0e4736"),
        ("rubbish", None),
        (7, None),
        (None, None),
    ],
    ids=["trace context", "no trace context", "no text", "nothing"],
)
async def test_a_conversation_is_known_by_its_trace_or_by_the_stdio_process(
    connect: Connect, desk: MemoryDesk, request: pytest.FixtureRequest, sent: object, kept: str | None
) -> None:
    meta: Any = {"traceparent": sent} if sent else None
    async with connect() as client:
        await client.call_tool("list_apis", {}, meta=meta)
    (call,) = desk.ledger.calls(10)
    http = "http" in request.node.callspec.id
    assert call.conversation == (kept or ("" if http else "process"))
    assert call.surface == ("mcp-http" if http else "mcp-stdio")


async def test_an_api_with_too_long_a_text_stays_below_the_ceiling_and_says_how_to_read_on(connect: Connect) -> None:
    arguments = {"api": "parcel.big", "library": "pypi:parcel", "version": "1.0.0"}
    async with connect() as client:
        detail = text_of(await client.call_tool("get_api_detail", arguments))
        whole = text_of(await client.call_tool("get_page", {"page": "pypi:parcel@1.0.0/api/parcel.big"}))
    assert estimate_tokens(detail) <= HARD_CEILING
    assert detail.startswith("[Version: pypi:parcel 1.0.0]")
    assert "get_page" in detail
    assert "[Goes on: cursor=" in whole


@pytest.mark.parametrize("operation", [docs.DETAIL, docs.LIST, docs.SEARCH], ids=lambda one: one.name)
def test_a_text_above_the_ceiling_is_cut_at_a_section_border_and_says_how_to_go_on(
    desk: MemoryDesk, operation: AnyOperation
) -> None:
    arguments = {
        docs.DETAIL.name: {"api": "parcel.send", "library": "pypi:parcel"},
        docs.LIST.name: {"library": "pypi:parcel"},
        docs.SEARCH.name: {"query": "parcel"},
    }[operation.name]
    answer = replace(
        desk.dispatcher.call(operation.name, arguments, Caller("mcp-stdio")), text=f"[Version: x 1]\n\n{GUIDE}"
    )
    text = answer_text(answer)
    kept, _, line = text.rpartition("\n\n")
    assert kept.endswith("cart. \n</documentation 00000000>")
    ceiling = HARD_CEILING if operation.view == "structured" else operation.ceiling
    assert estimate_tokens(text) <= ceiling
    assert line.startswith(f"[Cut at {ceiling:,} of 55,671 tokens. ")
    assert ("get_page" if operation is docs.DETAIL else "Narrow the call") in line


def test_a_text_within_the_ceiling_is_whole_and_one_without_a_body_has_no_fence(desk: MemoryDesk) -> None:
    answer = desk.dispatcher.call(docs.LIST.name, {"library": "pypi:parcel"}, Caller("mcp-stdio"))
    assert answer_text(replace(answer, text="[Version: x 1]\n\n")) == "[Version: x 1]"
    assert answer_text(replace(answer, text="[Version: x 1]\n\n  a\n")) == (
        "[Version: x 1]\n\n<documentation 00000000 untrusted>\n  a\n</documentation 00000000>"
    )


async def test_the_largest_part_of_a_page_keeps_its_cursor(connect_local: Connect) -> None:
    parts: list[str] = []
    cursor, more = "", True
    async with connect_local() as client:
        while more:
            arguments = {"page": "pypi:parcel@1.0.0/page/guide/long.md", "max_tokens": 25_000, "cursor": cursor}
            text = text_of(await client.call_tool("get_page", arguments))
            assert estimate_tokens(text) <= HARD_CEILING
            assert "[Cut at" not in text
            parts.append(text)
            more = "[Goes on:" in text
            cursor = text.rpartition("cursor=")[2].partition("]")[0]
    assert all(any(f"## Part {number}\n" in part for part in parts) for number in range(1, 60))


async def test_a_toolset_that_does_not_exist_is_named() -> None:
    with pytest.raises(InvalidInput, match="No toolset is called nonsense"):
        build_server(memory_desk(), Offer("mcp-stdio", ("nonsense",), writes=True))


async def test_a_toolset_of_its_own_brings_only_its_tools(desk: MemoryDesk) -> None:
    server = build_server(desk, Offer("mcp-stdio", ("admin",), writes=True))
    async with Client(server, mode="legacy") as client:
        assert [one.name for one in (await client.list_tools()).tools] == ["index_library", "refresh_library"]
        assert client.server_capabilities is not None
        assert client.server_capabilities.resources is None


async def test_a_defect_of_ours_is_an_error_result_without_a_stack_trace(
    connect_local: Connect, desk: MemoryDesk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_call: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(desk.ledger, "record", broken)
    async with connect_local() as client:
        result = await client.call_tool("list_apis", {})
    assert error_of(result)["error"] == "internal"
    assert error_of(result)["message"] == "list_apis failed in refdesk itself (ZeroDivisionError)."
    assert "secret" not in text_of(result)
    assert "secret" in caplog.text


def test_a_nullable_field_of_an_output_becomes_one_that_may_be_left_out() -> None:
    class Inner(BaseModel):
        """For developers."""

        title: str

    class Outer(BaseModel):
        rows: list[Inner]
        one: Inner | None = None
        count: int | None

    assert flat_schema(Outer) == {
        "type": "object",
        "properties": {
            "rows": {
                "type": "array",
                "items": {
                    "description": "For developers.",
                    "type": "object",
                    "properties": {"title": {"type": "string"}},
                    "required": ["title"],
                },
            },
            "one": {
                "description": "For developers.",
                "type": "object",
                "properties": {"title": {"type": "string"}},
                "required": ["title"],
            },
            "count": {"type": "integer"},
        },
        "required": ["rows"],
    }
