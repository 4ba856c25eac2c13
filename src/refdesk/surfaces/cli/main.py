"""Running the command line: the commands of all operations, and those that start servers."""

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

import click

import refdesk
from refdesk.bootstrap import Desk, open_desk
from refdesk.domain.errors import Cancelled, InternalError, InvalidInput, RefdeskError
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.dispatcher import Dispatcher
from refdesk.settings import read_settings
from refdesk.surfaces.cli.commands import command_of
from refdesk.surfaces.cli.output import print_error

_LOG = logging.getLogger("refdesk")

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
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return InvalidInput.exit_code
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        usage = InvalidInput(error.format_message(), f"{context.command_path if context else 'refdesk'} --help")
        print_error(usage, as_json=as_json)
        return usage.exit_code
    except (click.Abort, KeyboardInterrupt):
        interrupted = Cancelled(
            "Interrupted; what was indexed stays, and pages that were fetched are kept.",
            "The same call goes on from there.",
        )
        print_error(interrupted, as_json=as_json)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  the border of the process: people and agents get one shape of error
        _LOG.exception("refdesk %s failed", " ".join(arguments[:1]))
        print_error(_defect(error), as_json=as_json)
        return InternalError.exit_code
    finally:
        desk.close()
    return code if isinstance(code, int) else 0


class LazyDesk:
    """The desk, opened by the first command that needs it."""

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self._handler: logging.Handler | None = None
        self.home: Path | None = None

    def __call__(self) -> Desk:
        """The open desk."""
        if self._desk is None:
            environment = dict(os.environ)
            if self.home is not None:
                environment["REFDESK_HOME"] = str(self.home)
            self._desk = open_desk(read_settings(environment))
        return self._desk

    def dispatcher(self) -> Dispatcher:
        """The dispatcher of the open desk, for one command.

        Defects are then logged to `errors.log` in the index folder: stderr holds the error itself and nothing else.
        """
        opened = self()
        if self._handler is None:
            path = opened.settings.home / "errors.log"
            self._handler = _QuietLog(path, maxBytes=1 << 20, backupCount=1, encoding="utf-8", delay=True)
            _LOG.addHandler(self._handler)
        return opened.dispatcher

    def close(self) -> None:
        """Close it if it was opened."""
        if self._desk is not None:
            self._desk.close()
        if self._handler is not None:
            _LOG.removeHandler(self._handler)
            self._handler.close()


class _QuietLog(RotatingFileHandler):
    """A log that cannot be written must not hide the answer."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  the parent's name
        """Nothing."""

    def close(self) -> None:
        """Close it; on a full disk that writes what is buffered, and fails once more."""
        with suppress(OSError):
            super().close()


FurtherCommands = Callable[[LazyDesk], Sequence[click.Command]]


def _defect(error: Exception) -> InternalError:
    return InternalError(
        f"refdesk itself failed ({type(error).__name__}: {error}).", "Please report it with the command that you ran."
    )


def _group(desk: LazyDesk, further: Sequence[click.Command]) -> click.Group:
    @click.group(help=refdesk.__doc__, context_settings={"help_option_names": ["-h", "--help"]})
    @click.version_option(refdesk.__version__, prog_name="refdesk")
    @click.option("--home", type=click.Path(path_type=Path), help="The index folder, instead of REFDESK_HOME.")
    def group(home: Path | None) -> None:
        desk.home = home

    for operation in CATALOGUE:
        group.add_command(command_of(operation, desk.dispatcher))
    for command in further:
        group.add_command(command)
    return group
