"""The command `refdesk`: the command line with the commands that start servers and configure clients."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from refdesk.surfaces.cli.main import run
from refdesk.surfaces.servers import server_commands


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")  # a terminal shows what it can
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # JSON is UTF-8, whatever the locale says
    sys.exit(run(sys.argv[1:] if arguments is None else arguments, server_commands))
