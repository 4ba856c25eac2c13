"""Markdown as plain text: what a reader reads, without the marks."""

import re

from refdesk.domain.markdown import Block, blocks, plain

_CELL = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_EXPLICIT_ID = re.compile(r"[ \t]*\{[ \t]*#[^\s{}]+[^{}]*\}[ \t]*\Z")
_MARKS = re.compile(r"[ \t]*(?:(?:>|[-*+](?=\s|\Z)|\d{1,9}[.)](?=\s|\Z)|:(?=\s))[ \t]*)*")
_RULE = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+)\Z")
_DELIMITERS = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_NOTE = re.compile(r"\[\^([^\]\s]+)\](:?)")
_TASK = re.compile(r"\[[ xX]\][ \t]+")


def plain_text(markdown: str) -> str:
    """The text of a document: headings, paragraphs, cells and code without their Markdown syntax.

    Code stands as it is, without fences. Links and images are their text, the delimiter rows of tables are gone, cells
    are apart by a blank, `<tab label="…">` is its label.
    """
    parts = (_text(block, markdown[block.start : block.end]) for block in blocks(markdown))
    return "\n\n".join(part for part in parts if part)


def _text(block: Block, text: str) -> str:
    if block.kind == "fence":
        return _code(block, text)
    if block.kind == "heading":
        return plain(_EXPLICIT_ID.sub("", block.text))
    if block.kind == "tab":
        return block.text
    if block.kind == "end":
        return ""
    if block.kind == "table":
        return _rows(text)
    if block.kind == "code":
        return "\n".join(line.removeprefix("    ") for line in text.rstrip().split("\n"))
    return "\n".join(line for line in map(_line, text.rstrip().split("\n")) if line)


def _code(block: Block, text: str) -> str:
    """What a fence holds, without the marks of the lists and quotations around it."""
    lines = text.rstrip().split("\n")[1:]
    if block.closed and lines:
        lines = lines[:-1]
    prefix = block.close[: len(block.close) - len(block.close.lstrip(" \t>"))]
    return "\n".join(_unprefixed(line, prefix) for line in lines).strip("\n")


def _unprefixed(line: str, prefix: str) -> str:
    """A line without as much of a container's marks as it has."""
    return line[len(prefix) :] if line.startswith(prefix) else line if line.strip(" \t>") else ""


def _rows(text: str) -> str:
    rows = [_cells(line) for line in text.rstrip().split("\n") if not _DELIMITERS.match(line)]
    return "\n".join(row for row in rows if row)


def _cells(line: str) -> str:
    cells = (plain(_BREAK.sub(" ", cell).replace("\\|", "|")) for cell in _CELL.split(_MARKS.sub("", line, count=1)))
    return " ".join(cell for cell in cells if cell)


def _line(line: str) -> str:
    if _RULE.match(line):
        return ""
    bare = _TASK.sub("", line[_MARKS.match(line).end() :], count=1)  # type: ignore[union-attr]  # it matches nothing too
    return plain(_BREAK.sub(" ", _NOTE.sub(r"\1", bare)))
