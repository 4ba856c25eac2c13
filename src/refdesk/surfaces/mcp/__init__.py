"""MCP over stdio and Streamable HTTP. The one place that knows the SDK; imported late, because the SDK is slow to."""

import gc


def _import_sdk() -> None:
    """Import the SDK with the collector off: it makes a million objects that all stay, which costs a fifth in looks."""
    enabled = gc.isenabled()
    gc.disable()
    import mcp.server.lowlevel  # noqa: F401  only so that it is there

    gc.freeze()
    if enabled:
        gc.enable()


_import_sdk()
