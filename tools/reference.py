"""Makes the reference pages `docs/tools.md`, `docs/cli.md` and `docs/errors.md` from the code that they describe.

Run without arguments it writes them, with `--check` it fails where a page is not what the code says.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from refdesk.domain import errors
from refdesk.domain.errors import RefdeskError
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.descriptor import Operation

DOCS = Path(__file__).parents[1] / "docs"
_REPEATED = "; may be repeated, and a file stands for its lines"
_VIEWS = {"structured": "structured content", "text": "text"}
_MADE = "<!-- Made by tools/reference.py from the code; change it there. -->\n"


def main() -> int:
    """Write or check the pages."""
    check = "--check" in sys.argv[1:]
    stale = []
    for name, text in {"tools.md": tools_page(), "cli.md": cli_page(), "errors.md": errors_page()}.items():
        path = DOCS / name
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not check:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name} is not what the code says; run: python tools/reference.py")
    return 1 if stale else 0


def tools_page() -> str:
    """Every tool: what it is for, what it takes and returns."""
    parts = [
        _MADE,
        "# Tools",
        "What an agent sees over MCP, in this order. Arguments are strict: an unknown one is an error.",
    ]
    for operation in CATALOGUE:
        if not operation.tool:
            continue
        parts += [f"## `{operation.name}`", operation.description, _table(operation)]
        parts.append(
            f"Toolset `{operation.toolset}`; {operation.effects}s the index; answers as {_VIEWS[operation.view]},"
            f" at most {operation.ceiling:,} tokens."
        )
        raised = ", ".join(f"[`{error.code}`](errors.md#{error.code})" for error in operation.errors)
        parts.append(f"Errors: {raised}." if raised else "")
    return _page(parts)


def cli_page() -> str:
    """Every command that is an operation, with its options."""
    parts = [
        _MADE,
        "# Command line",
        (
            "Every command takes `--json`: one JSON document on stdout and nothing else there. Errors go to stderr, as"
            " JSON too where `--json` is given. `refdesk --home DIR COMMAND` uses another index folder."
        ),
        "## Exit codes",
        "\n".join(f"- {code}: {meaning}" for code, meaning in sorted(_exit_codes().items())),
    ]
    for operation in CATALOGUE:
        parts += [
            f"## `refdesk {operation.cli}`",
            f"{operation.title}: the command of `{operation.name}`.",
            # Tools are described on their own page.
            "" if operation.tool else operation.description.partition(" Example: ")[0],
            _options(operation),
        ]
    parts += [
        "## `refdesk mcp`",
        "Serve over MCP on stdin and stdout. `--toolsets docs,admin` chooses tools, `--read-only` wins over all.",
        "## `refdesk serve`",
        (
            "Serve over MCP as Streamable HTTP at `/mcp`, on loopback only; tools that write are not offered."
            " `--host`, `--port` (0 takes a free one), `--toolsets`."
        ),
        "## `refdesk client-config`",
        (
            "Print the settings that connect a client, or write them into its file; `--rules` prints the paragraph for"
            " AGENTS.md, CLAUDE.md or a Cursor rule. See [clients](clients.md)."
        ),
    ]
    return _page(parts)


def errors_page() -> str:
    """Every error code."""
    parts = [
        _MADE,
        "# Errors",
        (
            "One shape on every surface: `error` (the code), `message`, `suggestion` (the next call to make),"
            " `retryable`, and `details` where there are structured facts. Codes and fields are stable, wording is not."
        ),
    ]
    for error in _errors():
        parts += [
            f"## {error.code}",
            inspect.getdoc(error) or "",
            f"Exit code {error.exit_code}; {'worth a retry' if error.retryable else 'not worth a retry unchanged'}.",
        ]
    return _page(parts)


def _errors() -> list[type[RefdeskError]]:
    classes = [one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, RefdeskError)]
    return sorted((one for one in classes if one is not RefdeskError), key=lambda one: (one.exit_code, one.code))


def _exit_codes() -> dict[int, str]:
    """What each exit code means: those of errors are the errors' own."""
    named: dict[int, list[str]] = {}
    for error in _errors():
        named.setdefault(error.exit_code, []).append(f"[`{error.code}`](errors.md#{error.code})")
    of_errors = {code: ", ".join(names) for code, names in named.items()}
    return {0: "the answer is on stdout", **of_errors, 130: "interrupted; what was indexed stays"}


def _table(operation: Operation[Any, Any]) -> str:
    rows = ["| argument | type | meaning |", "|---|---|---|"]
    for name, field in operation.input.model_fields.items():
        rows.append(
            f"| `{name}`{' (required)' if field.is_required() else ''} | {_type(field)} | {field.description} |"
        )
    return "\n".join(rows)


def _options(operation: Operation[Any, Any]) -> str:
    lines = []
    for name, field in operation.input.model_fields.items():
        many = get_origin(field.annotation) is list
        flag = f"--{name.replace('_', '-')}"
        if field.is_required():
            lines.append(f"- `{name.upper()}{'…' if many else ''}`: {field.description}")
        elif field.annotation is bool:
            lines.append(f"- `{flag}` / `--no-{flag[2:]}`: {field.description}")
        else:
            lines.append(f"- `{flag}`: {field.description}{_limits(field)}{_REPEATED if many else ''}")
    return "\n".join([*lines, "- `--json`: the structured form"])


def _type(field: FieldInfo) -> str:
    if get_origin(field.annotation) is Literal:
        return "one of " + ", ".join(f"`{choice}`" for choice in get_args(field.annotation) if choice)
    name = "list of str" if get_origin(field.annotation) is list else getattr(field.annotation, "__name__", "")
    return name + _limits(field)


def _limits(field: FieldInfo) -> str:
    found = [
        f"{sign} {getattr(one, key)}"
        for one in field.metadata
        for key, sign in (("ge", "≥"), ("le", "≤"))
        if hasattr(one, key)
    ]
    default = (
        [f"default {field.default}"] if isinstance(field.default, int) and not isinstance(field.default, bool) else []
    )
    return f" ({', '.join(found + default)})" if found or default else ""


def _page(parts: list[str]) -> str:
    return "\n\n".join(_filled(parts)) + "\n"


def _filled(parts: list[str]) -> Iterator[str]:
    yield from (part.strip() for part in parts if part.strip())


if __name__ == "__main__":
    sys.exit(main())
