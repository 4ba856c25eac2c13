"""Running the command line: the commands of all operations, and those that start servers."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

import refdesk
from refdesk.bootstrap import Desk, open_desk
from refdesk.domain.errors import InvalidInput, RefdeskError
from refdesk.operations.catalogue import CATALOGUE
from refdesk.settings import read_settings
from refdesk.surfaces.cli.commands import command_of
from refdesk.surfaces.cli.output import print_error

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def run(arguments: Sequence[str], further: "FurtherCommands") -> int:
    """Run the command line; returns the exit code.

    Args:
        arguments: Without the program's name.
        further: Makes the commands that are not operations.
    """
    as_json = "--json" in arguments
    desk = LazyDesk()
    try:
        code = _group(desk, further(desk)).main(list(arguments), prog_name="refdesk", standalone_mode=False)
    except RefdeskError as error:
        print_error(error, as_json=as_json)
        return error.exit_code
    except click.ClickException as error:
        usage = InvalidInput(error.format_message(), f"refdesk {' '.join(arguments[:1])} --help".replace("  ", " "))
        print_error(usage, as_json=as_json)
        return usage.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("refdesk: interrupted; what was indexed stays, and the same call goes on from there.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe went away; say nothing more, and keep the interpreter from flushing into it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        desk.close()
    return code if isinstance(code, int) else 0


class LazyDesk:
    """The desk, opened by the first command that needs it."""

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self.home: Path | None = None

    def __call__(self) -> Desk:
        """The open desk."""
        if self._desk is None:
            environment = dict(os.environ)
            if self.home is not None:
                environment["REFDESK_HOME"] = str(self.home)
            self._desk = open_desk(read_settings(environment))
        return self._desk

    def close(self) -> None:
        """Close it if it was opened."""
        if self._desk is not None:
            self._desk.close()


FurtherCommands = Callable[[LazyDesk], Sequence[click.Command]]


def _group(desk: LazyDesk, further: Sequence[click.Command]) -> click.Group:
    @click.group(help=refdesk.__doc__, context_settings={"help_option_names": ["-h", "--help"]})
    @click.version_option(refdesk.__version__, prog_name="refdesk")
    @click.option("--home", type=click.Path(path_type=Path), help="The index folder, instead of REFDESK_HOME.")
    def group(home: Path | None) -> None:
        desk.home = home

    for operation in CATALOGUE:
        group.add_command(command_of(operation, lambda: desk().dispatcher))
    for command in further:
        group.add_command(command)
    return group
