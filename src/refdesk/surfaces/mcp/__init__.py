"""MCP over stdio and Streamable HTTP. The one place that knows the SDK; imported late, because the SDK is slow to."""
