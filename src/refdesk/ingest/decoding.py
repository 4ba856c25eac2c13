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
_UNDEFINED = frozenset(b"\x81\x8d\x8f\x90\x9d")
_DECLARED = re.compile(rb"(?:charset|coding)[ \t]*[=:][ \t]*[\"']?([A-Za-z0-9_.-]+)")


def decode(data: bytes) -> tuple[str, str]:
    r"""Read a text file: its byte-order mark decides, then UTF-8, then the encoding that it declares, then latin-1.

    Returns:
        The text with `\n` line ends and without NUL, and what is doubtful about it; empty if nothing is.
    """
    text, doubt = _decode(data)
    if "\x00" in text:
        text = text.replace("\x00", "")
        doubt = "; ".join(filter(None, [doubt, "contains NUL characters; they were dropped"]))
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
            pass
    latin = "windows-1252" if not _UNDEFINED.intersection(data) else "latin-1"
    said = f"declares {name} but is not" if name else "is not UTF-8"
    return data.decode(latin), f"{said}; read as {latin}"
