"""What the command line prints: answers on stdout, everything else on stderr."""

import json
import sys

import click
import orjson
from pydantic import BaseModel

from refdesk.domain.errors import RefdeskError, StorageFailure
from refdesk.operations.dispatcher import Answer


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer: as one JSON document, as Markdown to a pipe, or laid out for a terminal.

    Raises:
        StorageFailure: There is no stdout, or what it goes to is full.
    """
    if sys.stdout is None:
        raise StorageFailure("The answer cannot be written: stdout is closed.", "Leave stdout open.")
    try:
        if as_json:
            click.echo(to_json(answer.result))
        elif _is_terminal() and not answer.operation.plain:
            _lay_out(answer.text)
        else:
            click.echo(answer.text)
    except BrokenPipeError:  # who reads has seen enough; click ends the process quietly
        raise
    except OSError as error:
        raise StorageFailure(
            f"The answer cannot be written to stdout: {error.strerror or error}.", "Look at where the output goes."
        ) from error


def to_json(result: BaseModel) -> str:
    """The structured form of a result as an indented JSON document."""
    return orjson.dumps(result.model_dump(mode="json"), option=orjson.OPT_INDENT_2).decode()


def print_error(error: RefdeskError, *, as_json: bool) -> None:
    """Print an error to stderr: the one shape as JSON, or a message and what to do next."""
    if as_json:
        payload = error.payload()
        if error.trace_id:
            payload["trace_id"] = error.trace_id
        click.echo(_printable(json.dumps(payload, indent=2, ensure_ascii=False, default=str)), err=True)
        return
    click.echo(_printable(f"refdesk: {error.message}"), err=True)
    if error.suggestion:
        click.echo(_printable(f"  → {error.suggestion}"), err=True)


def _printable(text: str) -> str:
    """A text that may quote bytes of the command line that are no UTF-8; inside JSON the escapes are valid too."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _lay_out(text: str) -> None:
    """The header lines as they are, the rest as Markdown."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.text import Text

    console = Console()
    head, _, body = text.partition("\n\n")
    for number, line in enumerate(head.splitlines()):
        console.print(Text(line, style="bold green" if number == 0 else "dim"))
    if body:
        console.print()
        markdown = Markdown(body)
        for child in (child for token in markdown.parsed for child in token.children or ()):
            if child.type == "softbreak":
                child.type = "hardbreak"  # the lines of an answer are lines; ids and addresses stand on their own
        console.print(markdown)
