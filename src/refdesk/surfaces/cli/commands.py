"""Commands made from descriptors: one option for each field, `--json` for the structured form."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from refdesk.domain.errors import InvalidInput
from refdesk.operations.descriptor import Caller, Operation
from refdesk.operations.dispatcher import Dispatcher
from refdesk.surfaces.cli.output import print_answer
from refdesk.surfaces.cli.progress import shown_progress

AnyOperation = Operation[Any, Any]
OpenDispatcher = Callable[[], Dispatcher]

_POSITIONAL = "_at_position"


def command_of(operation: AnyOperation, dispatcher: OpenDispatcher) -> click.Command:
    """The command of an operation; nothing is opened before it runs."""
    params: list[click.Parameter] = []
    for name, field in operation.input.model_fields.items():
        params.extend(_parameters(name, field))
    params.append(click.Option(["--json", "as_json"], is_flag=True, help="One JSON document on stdout."))

    def run(as_json: bool, **values: object) -> int:
        arguments = _arguments(operation, values)
        with shown_progress(wanted=operation.network) as progress:
            answer = dispatcher().call(operation.name, arguments, Caller("cli", progress=progress))
        print_answer(answer, as_json=as_json)
        return operation.exit_code(answer.result)

    return click.Command(
        operation.cli, params=params, callback=run, help=_help(operation), short_help=operation.title, epilog=_EXITS
    )


_EXITS = (
    "Exit codes: 0 good, 2 usage, 3 not found or ambiguous, 4 no network, 5 storage, 6 source, 7 refused, 8 busy,"
    " 9 extra missing, 10 cancelled, 130 interrupted, 1 defect."
)


def _parameters(name: str, field: FieldInfo) -> Sequence[click.Parameter]:
    many = get_origin(field.annotation) is list
    extra = field.json_schema_extra
    positional = isinstance(extra, dict) and extra.get("cli") == "argument"
    if positional and (many or field.is_required()):
        return [click.Argument([name], nargs=-1 if many else 1, required=True, metavar=_metavar(name, many))]
    option = click.Option(_spellings(name, field), help=_described(field), **_form(field))
    if not positional:
        return [option]
    return [click.Argument([name + _POSITIONAL], required=False, metavar=f"[{name.upper()}]"), option]


def _metavar(name: str, many: bool) -> str:
    return f"{name.upper().rstrip('S')}..." if many else name.upper()


def _spellings(name: str, field: FieldInfo) -> list[str]:
    flag = name.replace("_", "-")
    return [f"--{flag}/--no-{flag}" if field.annotation is bool else f"--{flag}", name]


def _described(field: FieldInfo) -> str:
    lines = "; may be repeated, and a file stands for its lines" if _takes_lines(field) else ""
    return f"{field.description}{lines}"


def _takes_lines(field: FieldInfo) -> bool:
    """Whether a value may be a file with one value in each line."""
    return isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("cli") == "lines"


def _form(field: FieldInfo) -> dict[str, Any]:
    if get_origin(field.annotation) is list:
        return {"multiple": True, "metavar": "URL|FILE" if _takes_lines(field) else None}
    if get_origin(field.annotation) is Literal:
        choices = [choice for choice in get_args(field.annotation) if choice]
        return {"type": click.Choice(choices), "default": None}
    if field.annotation is int:
        return {"type": int, "default": field.default, "show_default": True}
    return {"default": field.default}


def _arguments(operation: AnyOperation, values: dict[str, object]) -> dict[str, object]:
    """What was said, under the names of the fields; a value given twice must be the same."""
    arguments: dict[str, object] = {}
    for name, field in operation.input.model_fields.items():
        value = values[name]
        placed = values.get(name + _POSITIONAL)
        if placed is not None and value not in (field.default, placed):
            raise InvalidInput(f"{name} was given twice: {placed!r} and {value!r}.", f"Give --{name} once.")
        value = placed if placed is not None else value
        if isinstance(value, tuple):
            value = list(_lines(value, name) if _takes_lines(field) else value)
        if value is not None:
            arguments[name] = value
    return arguments


def _lines(values: Sequence[str], name: str) -> Iterator[str]:
    """Values as they are, files as their lines without blank ones and those that begin with `#`; `-` is stdin."""
    for value in values:
        if "://" in value:
            yield value
            continue
        try:
            with click.open_file(value, encoding="utf-8") as file:
                found = [line.strip() for line in file]
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InvalidInput(
                f"--{name} {value}: no address, and no file that can be read: {reason}.",
                f"Write an address in full, --{name} https://HOST/PATH, or a file with one in each line.",
            ) from error
        yield from (line for line in found if line and not line.startswith("#"))


def _help(operation: AnyOperation) -> str:
    words = [
        f"{_metavar(name, get_origin(field.annotation) is list)}: {field.description}."
        for name, field in operation.input.model_fields.items()
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("cli") == "argument"
    ]
    return "\n\n".join([operation.description.replace(" Example: ", "\n\nAs a tool call: "), *words])
