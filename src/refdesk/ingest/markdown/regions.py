"""Which lines of a file an include asks for."""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

_REGION_MARKS = re.compile(
    r"\bANCHOR(?:_END)?:\s*[\w-]|\b(?:tag|end)::[\w.-]+\[\]|-{1,}8<-{1,}[ \t]*\[(?:start|end):|^\s*#(?:end)?region\b"
)
_STARTS = (
    r"\bANCHOR:\s*{name}\s*$",
    r"\btag::{name}\[\]",
    r"<{name}>\s*$",
    r"#region\s+{name}\b",
    r"\[start:\s*{name}\s*\]",
)
_ENDS = (r"\bANCHOR_END:\s*{name}\s*$", r"\bend::{name}\[\]", r"</{name}>", r"#endregion\b", r"\[end:\s*{name}\s*\]")


@dataclass(frozen=True, slots=True)
class Selection:
    """A part of a file; empty fields do not restrict.

    Attributes:
        lines: Line numbers from 1, `3-7,9-`.
        region: Name of a marked region, or several with `;` or `,`.
        start_after, start_at, end_before, end_at: Texts that a line contains.
        object: Dotted name of a Python function or class.
    """

    lines: str = ""
    region: str = ""
    start_after: str = ""
    start_at: str = ""
    end_before: str = ""
    end_at: str = ""
    object: str = ""

    @classmethod
    def from_directive(cls, options: Mapping[str, str]) -> "Selection":
        """Read the options of Sphinx' `literalinclude`."""
        return cls(
            lines=options.get("lines", ""),
            start_after=options.get("start-after", ""),
            start_at=options.get("start-at", ""),
            end_before=options.get("end-before", ""),
            end_at=options.get("end-at", ""),
            object=options.get("pyobject", ""),
        )


def select(text: str, selection: Selection) -> str | None:
    """The part of a text, dedented; None if it is not there: never the whole for a part that was not found."""
    lines: list[str] | None = text.splitlines()
    if selection.object:
        lines = _python_object(lines or [], selection.object)
    if lines is not None and selection.region:
        lines = _regions(lines, re.split(r"[;,]", selection.region))
    if lines is not None and selection.lines:
        lines = _numbered(lines, selection.lines)
    if lines is not None:
        lines = _between(lines, selection)
    if lines is None:
        return None
    if selection != Selection():
        lines = [line for line in lines if not _REGION_MARKS.search(line)]
    return textwrap.dedent("\n".join(lines)).strip("\n")


def _regions(lines: list[str], names: list[str]) -> list[str] | None:
    found: list[str] = []
    for name in names:
        quoted = re.escape(name.strip())
        starts = re.compile("|".join(_STARTS).replace("{name}", quoted), re.IGNORECASE)
        ends = re.compile("|".join(_ENDS).replace("{name}", quoted), re.IGNORECASE)
        start = next((number for number, line in enumerate(lines) if starts.search(line)), None)
        if start is None:
            return None
        rest = lines[start + 1 :]
        found += rest[: next((number for number, line in enumerate(rest) if ends.search(line)), len(rest))]
    return found


def _numbered(lines: list[str], numbers: str) -> list[str] | None:
    found: list[str] = []
    for span in re.split(r"[,;]", numbers):
        match = re.fullmatch(r"\s*(\d*)\s*(-?)\s*(\d*)\s*", span)
        if match is None:
            return None
        first = int(match[1] or 1)
        last = int(match[3]) if match[3] else len(lines) if match[2] else first
        found += lines[max(0, first - 1) : last]
    return found or None


def _between(lines: list[str], selection: Selection) -> list[str] | None:
    for wanted, offset in ((selection.start_after, 1), (selection.start_at, 0)):
        if wanted:
            start = next((number for number, line in enumerate(lines) if wanted in line), None)
            if start is None:
                return None
            lines = lines[start + offset :]
    for wanted, offset in ((selection.end_before, 0), (selection.end_at, 1)):
        if wanted:
            end = next((number for number, line in enumerate(lines) if wanted in line), None)
            if end is None:
                return None
            lines = lines[: end + offset]
    return lines


def _python_object(lines: list[str], name: str) -> list[str] | None:
    """The lines of a function or class, by indentation."""
    for part in name.split("."):
        head = re.compile(rf"(?P<indent>\s*)(?:async\s+def|def|class)\s+{re.escape(part)}\b")
        start = next((number for number, line in enumerate(lines) if head.match(line)), None)
        if start is None:
            return None
        indent = len(lines[start]) - len(lines[start].lstrip())
        end = next(
            (
                number
                for number, line in enumerate(lines[start + 1 :], start + 1)
                if line.strip() and len(line) - len(line.lstrip()) <= indent and not line.lstrip().startswith(")")
            ),
            len(lines),
        )
        lines = lines[start:end]
    return lines
