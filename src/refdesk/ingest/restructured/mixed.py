"""Texts that may be reStructuredText, plain text or Markdown: docstrings and long descriptions of packages."""

import re
from collections.abc import Iterator, Sequence

from refdesk.ingest.restructured.converter import FENCE, Converter, squeezed
from refdesk.ingest.restructured.inline import inline

_MARKDOWN = re.compile(r"^(?:```|#{1,6} \S)|(?:\A|\n\n)~~~|\]\([^)\s]+\)|^!!! \w", re.MULTILINE)
"""Tildes below a line of text underline a heading of reStructuredText."""


def to_markdown(text: str, heading: int = 2) -> str:
    """A text as Markdown; never raises, what is not understood stays as text.

    Args:
        text: Without common indentation.
        heading: Level of its highest headings.
    """
    text = text.replace("\x00", "").expandtabs(8).strip("\n")
    if "\n" not in text and not text.startswith((".. ", ">>>", "```", "~~~")):
        return inline(text.strip().removesuffix("::") + (":" if text.rstrip().endswith("::") else ""))
    converter = Converter(heading=heading, lenient=True)
    if _MARKDOWN.search(text):
        return "\n".join(_markdown(text.split("\n"), converter)).strip("\n")
    return squeezed("\n".join(converter.page(text))).strip("\n")


def _markdown(lines: Sequence[str], converter: Converter) -> list[str]:
    """Markdown, with the few things of Sphinx and MkDocs that stray into it."""
    converter.note_names(lines)
    out: list[str] = []
    prose: list[str] = []
    at = 0
    for taken, block in _parts(lines, converter):
        if block is None:
            prose.append(lines[at])
        else:
            out += [*converter.inline("\n".join(prose)).split("\n"), *block] if prose else block
            prose = []
        at += taken
    return [*out, *(converter.inline("\n".join(prose)).split("\n") if prose else [])]


def _parts(lines: Sequence[str], converter: Converter) -> Iterator[tuple[int, list[str] | None]]:
    """How many lines each part takes, and what it becomes; None for a line of prose."""
    at = 0
    while at < len(lines):
        found = converter.stray(lines, at) or _indented_fence(lines, at)
        block, after = found or (None, at + 1)
        yield after - at, block
        at = after


def _indented_fence(lines: Sequence[str], at: int) -> tuple[list[str], int] | None:
    """A fence inside a list item, kept as it stands."""
    match = FENCE.match(lines[at].lstrip())
    if match is None:
        return None
    end = at + 1
    while end < len(lines) and not lines[end].lstrip().startswith(match["fence"]):
        end += 1
    after = min(end + 1, len(lines))
    return list(lines[at:after]), after
