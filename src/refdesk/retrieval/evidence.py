"""What of a chunk is embedded: its name and its beginning, which say what it is about."""

import re
from typing import Final

from refdesk.domain.entries import Chunk

LONGEST: Final = 520
"""Characters of the text that are embedded. Together with the title they stay well under the 256 tokens that small
models read; more text was measured to blur the vector rather than to sharpen it."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_MARKS = re.compile(r"^[ \t]*(?:#{1,6} |> ?|[-*+] )|[*`]+", re.MULTILINE)
_SPACE = re.compile(r"\s+")


def text_of(chunk: Chunk) -> str:
    """The text that an embedder reads for a chunk: title, heading, and the first 520 characters without Markdown marks.

    Equal chunks give equal texts, so that a cache by content finds them again in every release.
    """
    start = chunk.text[: LONGEST * 4]
    plain = _SPACE.sub(" ", _MARKS.sub("", _LINK.sub(r"\1", _FENCE.sub(" ", start)))).strip()
    if len(plain) > LONGEST:
        cut = plain[: LONGEST + 1].rpartition(" ")[0]
        plain = cut or plain[:LONGEST]
    heading = " > ".join(part for part in chunk.heading if part != chunk.title)
    return "\n".join(part for part in (chunk.title, heading, plain) if part)
