"""Tools from descriptors, and tool results from answers and errors."""

from typing import Any

import mcp_types as types
import orjson
from pydantic import BaseModel

from refdesk.domain.cutting import cut
from refdesk.domain.errors import RefdeskError
from refdesk.domain.text import estimate_tokens
from refdesk.operations.dispatcher import Answer, AnyOperation
from refdesk.operations.outputs import ApiDetail

HARD_CEILING = 25_000
"""Tokens that no text of ours exceeds, because clients cut or refuse more."""

_ALWAYS_LOADED = frozenset({"search_docs", "get_api_detail"})
"""Tools whose schemas a client that loads tools on demand should have from the start."""

_ROOM = 100
"""Tokens of the line that says that a text was cut."""


def tool_of(operation: AnyOperation) -> types.Tool:
    """An operation as a tool: flat schemas, annotations from its effects."""
    structured = operation.view == "structured"
    meta = {"anthropic/alwaysLoad": True} if operation.name in _ALWAYS_LOADED else None
    return types.Tool(
        name=operation.name,
        title=operation.title,
        description=operation.description,
        input_schema=flat_schema(operation.input),
        output_schema=flat_schema(operation.output) if structured else None,
        annotations=types.ToolAnnotations(
            title=operation.title,
            read_only_hint=operation.effects == "read",
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=operation.network,
        ),
        _meta=meta,
    )


def result_of(answer: Answer) -> types.CallToolResult:
    """An answer as a tool result; text and structure are each complete, as clients show a model only one of them."""
    structured = answer.operation.view == "structured"
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text_of(answer))],
        structured_content=answer.result.model_dump(mode="json", exclude_none=True) if structured else None,
        _meta={"trace_id": answer.trace_id},
    )


def error_result(error: RefdeskError) -> types.CallToolResult:
    """An error as a tool result: the message, the next call to make, then the one error shape as a line of JSON."""
    payload = error.payload()
    if error.trace_id:
        payload["trace_id"] = error.trace_id
    lines = [error.message]
    if error.suggestion:
        lines.append(f"suggestion: {error.suggestion}")
    lines.append(orjson.dumps(payload, default=str, option=orjson.OPT_NON_STR_KEYS).decode())
    return types.CallToolResult(
        content=[types.TextContent(type="text", text="\n".join(lines))],
        is_error=True,
        _meta={"trace_id": error.trace_id} if error.trace_id else None,
    )


def text_of(answer: Answer) -> str:
    """An answer's text within its ceiling, what it quotes fenced as data."""
    operation = answer.operation
    # Operations with structured answers keep their own budget, and a cut text would not be complete beside it.
    ceiling = HARD_CEILING if operation.view == "structured" else min(operation.ceiling, HARD_CEILING)
    mark = answer.trace_id[:8]
    fence = estimate_tokens(_fenced("\n\nx", mark)) if operation.quotes else 0
    text = answer.text
    cut_line = ""
    if estimate_tokens(text) + fence > ceiling:
        piece = cut(text, ceiling - fence - _ROOM)
        text = piece.text
        cut_line = f"\n\n[Cut at {ceiling:,} of {piece.total_tokens:,} tokens. {_way_on(answer)}]"
    return (_fenced(text, mark) if operation.quotes else text.rstrip()) + cut_line


def flat_schema(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON Schema without references and unions, which some clients cannot read.

    A field that may be null becomes one that may be left out: structured content is sent without nulls.
    """
    schema = model.model_json_schema()
    flat = _flat(schema, schema.get("$defs", {}))
    flat.pop("description", None)  # a docstring for developers; the tool has its own description
    return flat


_LINES = "\r\n"
_DROPPED = ("title", "$defs", "cli")


def _flat(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:
        (given,) = (one for one in schema["anyOf"] if one.get("type") != "null")  # a true union has no flat form
        schema = {**given, **{key: value for key, value in schema.items() if key not in ("anyOf", "default")}}
    if "$ref" in schema:
        target = definitions[schema["$ref"].rpartition("/")[2]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    flat = {key: value for key, value in schema.items() if key not in _DROPPED}
    if "items" in flat:
        flat["items"] = _flat(flat["items"], definitions)
    if "properties" in flat:
        nullable = {name for name, one in flat["properties"].items() if _nullable(one)}
        flat["properties"] = {name: _flat(one, definitions) for name, one in flat["properties"].items()}
        flat["required"] = [name for name in flat.get("required", []) if name not in nullable]
    return flat


def _nullable(schema: dict[str, Any]) -> bool:
    return any(one.get("type") == "null" for one in schema.get("anyOf", ()))


def _fenced(text: str, mark: str) -> str:
    """The text with all but its first lines, which are ours, between marks that quoted text cannot foresee."""
    head, _, body = text.partition("\n\n")
    if not body.strip():
        return text.rstrip()
    return f"{head}\n\n<documentation {mark} untrusted>\n{body.strip(_LINES)}\n</documentation {mark}>"


def _way_on(answer: Answer) -> str:
    if isinstance(answer.result, ApiDetail):
        return f'The whole in parts: get_page with {{"page": "{answer.result.id}"}}; one parameter: param=NAME.'
    return "Narrow the call: a prefix, a smaller limit, or one section."
