"""Descriptions of a discovery document as Markdown: plain text or Markdown, wrapped by hand."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from refdesk.domain.symbols import Deprecation
from refdesk.ingest.prose import deprecation

_PROSE_LINE = re.compile(r"(?!\d+[.)]\s|[-*+]\s)[\w`\"'(\[*“‘$<&]")
_CODE_LINE = re.compile(r".*[{};\\|]\s*\Z|.*  \Z|.*[\[(]\Z|(?:#|//|\||>|={3,}|-{3,}|\"[^\"]*\"\s*:)")
_FENCE = re.compile(r"\s*(?:```|~~~)")


@lru_cache(maxsize=8192)
def markdown(description: str) -> str:
    """A description with the lines of its paragraphs joined.

    Only blocks in which every line is plain prose are joined: lists, tables, indented and fenced code stay as they are.
    """
    written = description.replace("\r\n", "\n").replace("\r", "\n").strip()
    if "\n" not in written:
        return written
    out: list[str] = []
    block: list[str] = []
    fenced = False
    for line in written.split("\n"):
        if _FENCE.match(line):
            out += _joined(block)
            block = []
            fenced = not fenced
            out.append(line)
        elif fenced:
            out.append(line)
        elif not line.strip():
            out += _joined(block)
            block = []
            if out and out[-1]:
                out.append("")
        else:
            block.append(line)
    return "\n".join(out + _joined(block)).strip()


def with_values(doc: str, enum: Sequence[str], meanings: Sequence[str], deprecated: Sequence[bool]) -> str:
    """A description followed by what the allowed values mean, where the source says it."""
    lines = []
    for at, value in enumerate(enum):
        meaning = " ".join(meanings[at].split()) if at < len(meanings) else ""
        mark = " (deprecated)" if at < len(deprecated) and deprecated[at] else ""
        lines.append(f"- `{value}`{mark}{f': {meaning}' if meaning else ''}")
    if all(line == f"- `{value}`" for line, value in zip(lines, enum, strict=True)):
        return doc
    return "\n\n".join(part for part in (doc, "Values:", "\n".join(lines)) if part)


def deprecated(flagged: bool, description: str, subject: str) -> Deprecation | None:
    """Whether something is deprecated: the flag counts most, its description says since when and what to use."""
    said = deprecation(description, subject) if description else None
    if not flagged:
        return said
    return replace(said, evidence="flag") if said else Deprecation("flag")


def _joined(block: Sequence[str]) -> list[str]:
    if len(block) > 1 and all(_PROSE_LINE.match(line) and not _CODE_LINE.match(line) for line in block):
        return [" ".join(line.strip() for line in block)]
    return list(block)
