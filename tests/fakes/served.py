"""The HTTP application in a thread, on a free port of this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from fakes.desk import MemoryDesk
from refdesk.surfaces.mcp.http import http_app, listen


@contextmanager
def served(desk: MemoryDesk, toolsets: tuple[str, ...] = ("docs", "admin")) -> Iterator[str]:
    """Serve a desk; gives the address without a path."""
    with listen("127.0.0.1", 0) as listener:
        app = http_app(desk, toolsets)
        config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
