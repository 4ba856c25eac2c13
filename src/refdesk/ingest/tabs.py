"""Panels of tabs as Markdown: `<tab label="…">` and `</tab>` on lines of their own, whatever a source writes."""

import re
from collections.abc import Sequence
from html import escape
from textwrap import dedent

from refdesk.domain.markdown import blocks

_MKDOCS = re.compile(r"(?P<indent>[ \t]*)===[!+]{0,2}[ \t]+(?P<quote>[\"'])(?P<label>.*)(?P=quote)[ \t]*\Z")
_BLOCK = re.compile(r"[ \t]*(?P<mark>/{3,})[ \t]*(?:(?P<name>tab|[\w-]+)[ \t]*(?:\|[ \t]*(?P<label>.*?))?)?[ \t]*\Z")
_MYST = re.compile(r"[ \t]*(?P<mark>:{3,}|`{3,})(?:\{(?P<name>[\w-]+)\}[ \t]*(?P<label>.*?))?[ \t]*\Z")
_MYST_PANELS = frozenset({"tab-item", "tab", "group-tab"})
_MYST_GROUPS = frozenset({"tab-set", "tabs"})
_OPTION = re.compile(r"[ \t]*:[\w-]+:")


def panel(label: str, lines: Sequence[str]) -> list[str]:
    """The lines of a panel."""
    return [opening(label), "", *lines, "", CLOSING]


def opening(label: str) -> str:
    """The line before a panel."""
    return f'<tab label="{escape(" ".join(label.split()))}">'


CLOSING = "</tab>"
"""The line after a panel."""


def with_panels(markdown: str) -> str:
    """Markdown with the panels that MkDocs (`=== "x"`, `/// tab | x`) and MyST (`:::{tab-item} x`) write."""
    if not any(mark in markdown for mark in ("=== ", "===!", "===+", "/// tab", "{tab-item}", "{tab}", "{group-tab}")):
        return markdown
    lines = markdown.split("\n")
    code = _in_code(markdown, len(lines))
    return "\n".join(_converted(lines, code))


def _in_code(markdown: str, count: int) -> list[bool]:
    """For each line whether it is inside a fence."""
    found = [False] * count
    for block in blocks(markdown):
        if block.kind == "fence" and "{tab" not in block.info:
            first = markdown.count("\n", 0, block.start)
            last = first + markdown[block.start : block.end].rstrip().count("\n")
            found[first : last + 1] = [True] * (last + 1 - first)
    return found


def _converted(lines: Sequence[str], code: Sequence[bool]) -> list[str]:
    found: list[str] = []
    open_: list[tuple[str, bool]] = []  # marks of blocks, and whether each is a panel
    at = 0
    while at < len(lines):
        mkdocs = None if code[at] else _MKDOCS.match(lines[at])
        if mkdocs is not None:
            body, after = _indented(lines, at + 1, len(mkdocs["indent"].expandtabs(4)))
            inner = _converted(body, code[at + 1 : after] if len(body) == after - at - 1 else [False] * len(body))
            found += [f"{mkdocs['indent']}{line}".rstrip() for line in panel(mkdocs["label"], inner)]
            at = after
            continue
        found += [lines[at]] if code[at] else _bordered(lines, at, open_)
        at += 1
    return found


def _bordered(lines: Sequence[str], at: int, open_: list[tuple[str, bool]]) -> list[str]:
    """A line that may open or close a block of panels."""
    line = lines[at]
    match = _BLOCK.match(line) or _MYST.match(line)
    if match is None:
        return [] if open_ and _OPTION.match(line) and _opens(lines[at - 1]) else [line]
    name, mark = match["name"], match["mark"]
    if name in _MYST_PANELS:
        open_.append((mark, True))
        return ["", opening(match["label"] or ""), ""]
    if name in _MYST_GROUPS:
        open_.append((mark, False))
        return []
    if not name and open_ and open_[-1][0] == mark:
        _, is_panel = open_.pop()
        return ["", CLOSING, ""] if is_panel else []
    return [line]


def _opens(line: str) -> bool:
    match = _MYST.match(line)
    return _OPTION.match(line) is not None or (match is not None and match["name"] in _MYST_PANELS)


def _indented(lines: Sequence[str], at: int, indent: int) -> tuple[list[str], int]:
    """The lines that are indented deeper, without their indentation, and where they end."""
    end = last = at
    while end < len(lines):
        if lines[end].strip():
            if len(lines[end].expandtabs(4)) - len(lines[end].expandtabs(4).lstrip()) < indent + 4:
                break
            last = end + 1
        end += 1
    return dedent("\n".join(line.expandtabs(4) for line in lines[at:last])).split("\n"), last
