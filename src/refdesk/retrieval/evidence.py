"""What of a chunk is embedded: its name and its beginning, which say what it is about."""

import re
from typing import Final

from refdesk.domain.entries import Chunk
from refdesk.domain.libraries import Library
from refdesk.domain.names import snake

LONGEST: Final = 520
"""Characters of the text that are embedded. Together with the title they stay well under the 256 tokens that small
models read; more text was measured to blur the vector rather than to sharpen it."""

FORM: Final = "text-2"
"""Names what `text_of` takes of a chunk and how. It changes whenever `text_of` gives another text for any chunk, so
that vectors of the old texts no longer count."""

_NAMELESS = ("pypi", "site")
"""Ecosystems whose own name says nothing of what a library is for."""

_QUOTE = re.compile(r"^[ \t]*>.*\n?", re.MULTILINE)
_SIGNATURE = re.compile(r"\A(`{3,}|~{3,})[^\n]*\n.*?\n\1[ \t]*\n+(?=\S)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_MARKS = re.compile(r"^[ \t]*(?:#{1,6} |> ?|[-*+] )|[*`]+", re.MULTILINE)
_SEPARATORS = re.compile(r"[\W_]+")
_SPACE = re.compile(r"\s+")


def text_of(chunk: Chunk, library: Library | None = None) -> str:
    """The text that an embedder reads for a chunk.

    First the library and the symbol's name in words (`aws s3 put object`), because small models read no identifiers and
    a question over several libraries says which one it means; then title, heading, and the first 520 characters without
    Markdown marks, without the signature and without notes in quotation, which often stand before what a thing is.
    Equal chunks give equal texts, so that a cache by content finds them again in every release.

    Args:
        chunk: What is embedded.
        library: The library that it belongs to; left out, the text does not name it.
    """
    start = chunk.text[: LONGEST * 4]
    if chunk.symbol:
        start = _SIGNATURE.sub("", start) or start
    plain = _plain(_QUOTE.sub("", start)) or _plain(start)
    if len(plain) > LONGEST:
        cut = plain[: LONGEST + 1].rpartition(" ")[0]
        plain = cut or plain[:LONGEST]
    heading = " > ".join(part for part in chunk.heading if part != chunk.title)
    return "\n".join(part for part in (_spoken(chunk, library), chunk.title, heading, plain) if part)


def vectors_id(embedder: str) -> str:
    """What the vectors of a pack are named by: the embedder's id and the form of the texts that it read."""
    return f"{embedder}+{FORM}"


def _plain(markdown: str) -> str:
    return _SPACE.sub(" ", _MARKS.sub("", _LINK.sub(r"\1", _FENCE.sub(" ", markdown)))).strip()


def _spoken(chunk: Chunk, library: Library | None) -> str:
    """Library and the last two parts of the symbol's name as lower-case words."""
    place = (library.ecosystem if library.ecosystem not in _NAMELESS else "", library.name) if library else ()
    name = ".".join(chunk.symbol.split(".")[-2:])
    return _SEPARATORS.sub(" ", " ".join((*place, snake(name)))).strip()
