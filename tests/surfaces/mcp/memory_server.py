"""A server over a desk in memory, as a process of its own: `memory_server.py stdio|http`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from fakes.desk import memory_desk
from refdesk.settings import Settings
from refdesk.surfaces.mcp.http import serve_http
from refdesk.surfaces.mcp.server import serve_stdio

if __name__ == "__main__":
    desk = memory_desk()
    settings = Settings(Path("unused"))
    if sys.argv[1] == "http":
        serve_http(desk, settings, port=0)
    else:
        serve_stdio(desk, settings, read_only="--read-only" in sys.argv)
    sys.stdout.write("closed\n")
