"""The encoding of a page: what its bytes show goes before what its server, then what the page itself states.

Labels and their meanings are those of the WHATWG encoding standard, under which `iso-8859-1` is `windows-1252`. Unlike
browsers, bytes that are valid UTF-8 are read as that whatever was stated: servers state their default encoding for
pages that they do not know, and no text in another encoding of more than a few letters is valid UTF-8 by chance.
"""

import re

from refdesk.ingest.decoding import decode

_STATED = re.compile(rb"(?:charset|encoding)\s{0,20}=\s{0,20}[\"']?\s{0,20}([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_CHARSET = re.compile(r"charset\s{0,20}=\s{0,20}[\"']?\s{0,20}([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_HEAD = 4096
"""Bytes in which a page states its encoding; the standard looks at 1,024, pages with long comments at more."""

_CODECS = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le", "ucs-2", "unicode"), "utf-16-le"),
    "utf-16be": "utf-16-be",
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "ascii", "us-ascii", "cp1252"), "cp1252"),
    **dict.fromkeys(("windows-1252", "x-cp1252", "iso_8859-1", "ansi_x3.4-1968"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5", "windows-1254", "cp1254"), "cp1254"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk", "chinese", "gb_2312-80", "csgb2312"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5", "cn-big5", "csbig5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms932", "ms_kanji"), "cp932"),
    **dict.fromkeys(("euc-jp", "x-euc-jp", "cseucpkdfmtjapanese"), "euc_jp"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean", "windows-949", "ksc5601", "cseuckr"), "cp949"),
    **dict.fromkeys(("iso-2022-jp", "csiso2022jp"), "iso2022_jp"),
    **dict.fromkeys(("tis-620", "windows-874", "iso-8859-11"), "cp874"),
    **dict.fromkeys(("koi8-r", "koi8", "koi"), "koi8_r"),
    "koi8-u": "koi8_u",
    "ibm866": "cp866",
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{page}": f"cp{page}" for page in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
    **{f"cp{page}": f"cp{page}" for page in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
}


_TWICE = re.compile(rb"\xc3[\x82-\xb4]\xc2[\x80-\x9f]")
"""The beginning of UTF-8 that was read as latin-1: a letter and a control character that no text holds.

Looked for in bytes, where it begins with one of its own, which costs a fifth of what a search for two ranges does."""


def decode_page(data: bytes, content_type: str = "") -> tuple[str, str]:
    r"""The text of a page.

    A page that was encoded twice (its UTF-8 taken for latin-1 and encoded again, as some tools that save pages do) is
    decoded twice, if that is what the whole of it shows.

    Args:
        data: Its bytes.
        content_type: As served, with its parameters.

    Returns:
        The text with `\n` line ends and without NUL, and what is doubtful about it; empty if nothing is.
    """
    text, doubt = _decoded(data, content_type)
    once = _decoded_again(text)
    return (once, "was encoded twice; it was decoded twice") if once else (text, doubt)


def _decoded_again(text: str) -> str:
    """A text that was encoded twice, as it was before; empty if it was not."""
    if not _TWICE.search(text.encode("utf-8", "replace")):
        return ""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return ""


def _decoded(data: bytes, content_type: str) -> tuple[str, str]:
    wide = _wide(data)
    if wide:
        return _plain(data.decode(wide, "replace"), "")
    stated = _stated(data, content_type)
    if stated == "iso2022_jp" and b"\x1b" in data:  # its bytes are ASCII, and so valid UTF-8
        return _plain(data.decode(stated, "replace"), "")
    if stated in ("", "utf-16-le", "utf-16-be"):
        return _undeclared(data)
    try:
        return _plain(data.decode("utf-8-sig"), "")
    except UnicodeDecodeError:
        return _declared(data, stated)


def _wide(data: bytes) -> str:
    """UTF-16 without a byte-order mark, by the `<` that a page begins with; empty if it is not."""
    head = data[:200].lstrip(b" \t\r\n\x00")
    if data[:1] == b"\x00" and head[:2] == b"<\x00":
        return "utf-16-be"
    return "utf-16-le" if head[:2] == b"<\x00" and data[:3] != b"<\x00\x00" else ""


def _stated(data: bytes, content_type: str) -> str:
    """The codec that the server, else the page, states; empty for none or one that nobody knows."""
    served = _CHARSET.search(content_type)
    own = _STATED.search(data[:_HEAD])
    names = [served[1] if served else "", own[1].decode("ascii") if own else ""]
    return next((_CODECS[name.lower()] for name in names if name.lower() in _CODECS), "")


def _undeclared(data: bytes) -> tuple[str, str]:
    """A text without a statement that could be true; nearly UTF-8 is broken UTF-8, as most pages are."""
    text, doubt = decode(data)
    return _broken_utf8(data) or (text, doubt) if doubt.startswith(("is not UTF-8", "declares")) else (text, doubt)


def _declared(data: bytes, stated: str) -> tuple[str, str]:
    if stated == "utf-8":
        return _broken_utf8(data) or _plain(data.decode("cp1252", "replace"), "states utf-8 but is not; read as cp1252")
    text = data.decode(stated, "replace")
    bad = text.count("\ufffd")
    if bad * 100 > len(text):
        return _plain(data.decode("cp1252", "replace"), f"states {stated} but is not; read as cp1252")
    return _plain(text, f"is not wholly {stated}; broken characters were replaced" if bad else "")


def _broken_utf8(data: bytes) -> tuple[str, str] | None:
    """UTF-8 with a few broken characters; None if those are not few."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(map(len, re.findall(r"[^\x00-\x7f\ufffd]+", text)))
    return _plain(text, "is not wholly UTF-8; broken characters were replaced") if bad * 4 <= good else None


def _plain(text: str, doubt: str) -> tuple[str, str]:
    if "\x00" in text:
        text = text.replace("\x00", "")
        doubt = "; ".join(filter(None, [doubt, "contains NUL characters; they were dropped"]))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff"), doubt
