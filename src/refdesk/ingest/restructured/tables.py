"""Tables of reStructuredText to Markdown: grid, simple, `list-table`, `csv-table`."""

import csv
import re
from collections.abc import Callable, Sequence

Inline = Callable[[str], str]

_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+\s*\Z")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+\s*\Z")
_SIMPLE_SPAN = re.compile(r"-+(?:[ \t]+-+)*\s*\Z")


def is_grid(line: str) -> bool:
    """Whether a line is the border of a grid table."""
    return _GRID_BORDER.match(line.strip()) is not None


def is_simple(line: str) -> bool:
    """Whether a line is the border of a simple table."""
    return _SIMPLE_BORDER.match(line.strip()) is not None


def markdown_table(rows: Sequence[Sequence[str]], header: int, inline: Inline) -> list[str]:
    """Lines of a Markdown table; without header rows its header is empty, further header rows are ordinary ones."""
    width = max((len(row) for row in rows), default=0)
    if not width:
        return []
    body = [[inline(cell.strip()).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    body = [row + [""] * (width - len(row)) for row in body]
    if not header:
        body.insert(0, [""] * width)
    lines = ["| " + " | ".join(row) + " |" for row in body]
    return [lines[0], "|" + " --- |" * width, *lines[1:]]


def grid_table(lines: Sequence[str], inline: Inline) -> list[str] | None:
    """A grid table; None if it has spans, which Markdown cannot show."""
    borders = [line.strip() for line in lines if is_grid(line)]
    columns = [position for position, mark in enumerate(borders[0]) if mark == "+"]
    rows: list[list[str]] = []
    current: list[list[str]] = [[] for _ in columns[1:]]
    header = 0
    for line in (one.strip() for one in lines[1:]):
        if is_grid(line):
            if [position for position, mark in enumerate(line) if mark == "+"] != columns:
                return None
            rows.append([" ".join(filter(None, cell)) for cell in current])
            current = [[] for _ in columns[1:]]
            header = header or (len(rows) if "=" in line else 0)
            continue
        if any(position >= len(line) or line[position] != "|" for position in columns):
            return None
        for cell, start, end in zip(current, columns, columns[1:], strict=False):
            cell.append(line[start + 1 : end].strip())
    return markdown_table(rows, header, inline)


def simple_table(lines: Sequence[str], inline: Inline) -> list[str]:
    """A simple table: columns under the runs of its border; a row with an empty first cell continues the one above."""
    spans = [match.span() for match in re.finditer(r"=+", lines[0])]
    starts = [start for start, _ in spans]
    rows: list[list[str]] = []
    header = 0
    for line in lines[1:]:
        if is_simple(line):
            header = header or len(rows)
        elif line.strip() and not (_SIMPLE_SPAN.match(line.strip()) and rows and set(line.strip()) <= {"-", " "}):
            ends = [*starts[1:], len(line)]
            cells = [line[start : max(start, end)].strip() for start, end in zip(starts, ends, strict=True)]
            if cells[0] or not rows:
                rows.append(cells)
            else:
                rows[-1] = [f"{above} {more}".strip() for above, more in zip(rows[-1], cells, strict=True)]
    return markdown_table(rows, header if header < len(rows) else 0, inline)


def list_table(content: Sequence[str], header: int, inline: Inline) -> list[str]:
    """A `list-table`: a list of rows, each a list of cells."""
    rows: list[list[str]] = []
    for line in content:
        match = re.match(r"(?P<row>[*+-]\s+)?\s*(?P<cell>[*+-](?:\s+|\Z))?(?P<text>.*)", line)
        assert match is not None  # noqa: S101  # every part of the pattern is optional
        if match["row"]:
            rows.append([])
            cell = re.match(r"[*+-](?:\s+|\Z)(.*)", match["text"])
            rows[-1].append(match["text"] if cell is None else cell[1])
        elif rows and match["cell"]:
            rows[-1].append(match["text"])
        elif rows and rows[-1] and line.strip():
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return markdown_table(rows, header, inline)


def csv_table(content: Sequence[str], names: str, header: int, inline: Inline) -> list[str]:
    """A `csv-table`, with its `header` option as the first row."""
    rows = [next(csv.reader([names], skipinitialspace=True))] if names else []
    rows += [row for row in csv.reader(content, skipinitialspace=True) if row]
    return markdown_table(rows, 1 if names else header, inline)
