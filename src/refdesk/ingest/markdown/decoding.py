"""Bytes to text."""

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?:charset|coding)[ \t]*[=:][ \t]*[\"']?([A-Za-z0-9_.-]+)")


def decode(data: bytes) -> tuple[str, str]:
    r"""Read a text file: its byte-order mark decides, then UTF-8, then the encoding that it declares, then latin-1.

    Returns:
        The text with `\n` line ends and without NUL, and what is doubtful about it; empty if nothing is.
    """
    text, doubt = _decode(data)
    if "\x00" in text:
        text = text.replace("\x00", "")
        doubt = doubt or "contains NUL characters; they were dropped"
    return text.replace("\r\n", "\n").replace("\r", "\n"), doubt


def _decode(data: bytes) -> tuple[str, str]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            rest = data[len(mark) :]
            try:
                return rest.decode(encoding), ""
            except UnicodeDecodeError:
                return rest.decode(encoding, "replace"), f"is not wholly {encoding}; broken characters were replaced"
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        return _decode_declared(data)


def _decode_declared(data: bytes) -> tuple[str, str]:
    declared = _DECLARED.search(data[:1024])
    name = declared[1].decode("ascii") if declared else ""
    if name:
        try:
            return data.decode(name), f"is not UTF-8; read as {name}, which it declares"
        except (LookupError, UnicodeDecodeError):
            return data.decode("latin-1"), f"declares {name} but is not; read as latin-1"
    return data.decode("latin-1"), "is not UTF-8; read as latin-1"
