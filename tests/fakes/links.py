"""Types and helpers of tests that talk to the MCP server."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from mcp.client import Client
from mcp.types import CallToolResult, TextContent

Connect = Callable[..., AbstractAsyncContextManager[Client]]


def text_of(result: CallToolResult) -> str:
    """The only content of a result, which is text."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
