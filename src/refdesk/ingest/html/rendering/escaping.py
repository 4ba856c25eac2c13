"""Text of a page as Markdown that reads as the same text: as few backslashes as are safe."""

import re

BREAK = "\x01"
"""Stands for a line break inside a paragraph until the paragraph is written."""

OPEN, CLOSE = "\x02", "\x03"
"""Stand before and after emphasis, whose marks are written when its neighbours are known."""

_SPECIAL = re.compile("[\\\\`*_<&\\]~\x00-\x08\u00ad\u200b\u2060\ufeff]")
_ESCAPED = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)"  # a backslash that would escape what follows
    r"|`"
    r"|(?<!\s)\*|\*(?!\s)"
    r"|(?<![^\W_])_|_(?![^\W_])"  # not inside a word
    r"|<(?=[A-Za-z/!?])|<\Z"
    r"|&(?=#?\w+;)"
    r"|\](?=[(\[])"
    r"|~(?=~)|(?<=~)~"
    "|[\x00-\x08\u00ad\u200b\u2060\ufeff]"
)
_LINE_START = re.compile(
    r"(?:#{1,6}(?=\s|\Z)|[-+](?=\s|\Z)|>|[=-]+\Z|:(?=\s)|\[[^\]]*\]:|\||~{3})|(?P<number>\d{1,9})[.)](?=\s|\Z)"
)
_RISKY_START = frozenset("#-+>=:[|~0123456789")
_EMPHASIS = re.compile(f"{OPEN}(?P<mark>\\*+|~~)|(?P<end>\\*+|~~){CLOSE}")
_BALANCED = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*\Z")
_ENDS_IN_WORD = re.compile(r"[\w*~]\Z")


def escape(text: str) -> str:
    """A text node, with a backslash before what would be read as inline markup, without invisible characters."""
    return text if _SPECIAL.search(text) is None else _ESCAPED.sub(_escaped, text)


def code_span(text: str) -> str:
    """Text in code marks, its white space collapsed as a browser does; empty if there is none."""
    text = " ".join(text.split())
    if "`" not in text:
        return f"`{text}`" if text else ""
    longest = max(len(run) for run in re.findall("`+", text))
    mark = "`" * (longest + 1)
    return f"{mark} {text} {mark}"


def link(text: str, url: str) -> str:
    """Inline Markdown as a link."""
    if text.count("[") != text.count("]"):
        text = re.sub(r"(?<!\\)([\[\]])", r"\\\1", text)
    return f"[{text}]({_target(url)})"


def image(alt: str, url: str) -> str:
    """An image by its alternative text; only the text where its address is the image itself."""
    alt = " ".join(alt.split())
    text = escape(alt).replace("[", "\\[").replace("]", "\\]").replace("\\\\]", "\\]")
    return f"![{text}]({_target(url)})" if url and not url.startswith("data:") else text


def lines_of(pieces: list[str]) -> list[list[str]]:
    """Inline pieces as paragraphs of lines: two breaks in a row begin a new paragraph."""
    text = "".join(pieces)
    if OPEN in text:
        text = _settled(text)
    if BREAK not in text:
        line = " ".join(text.split())
        return [[safe_start(line)]] if line else []
    paragraphs: list[list[str]] = [[]]
    for part in text.split(BREAK):
        line = " ".join(part.split())
        if line:
            paragraphs[-1].append(safe_start(line))
        elif paragraphs[-1]:
            paragraphs.append([])
    return [lines for lines in paragraphs if lines]


def one_line(pieces: list[str], separator: str = " ") -> str:
    """Inline pieces as one line, its breaks as `separator`; a heading, a cell, a label."""
    text = "".join(pieces)
    if OPEN in text:
        text = _settled(text)
    if BREAK not in text:
        return " ".join(text.split())
    return separator.join(line for line in (" ".join(part.split()) for part in text.split(BREAK)) if line)


def safe_start(line: str) -> str:
    """A line that would begin a heading, list, quotation, table or definition, with a backslash against it."""
    if line[0] not in _RISKY_START:
        return line
    match = _LINE_START.match(line)
    if match is None or line.startswith("[^"):
        return line
    at = match.end("number") if match["number"] else 0
    return f"{line[:at]}\\{line[at:]}"


def _escaped(match: re.Match[str]) -> str:
    mark = match.group()
    return f"\\{mark}" if " " < mark < "\x7f" else ""


def _target(url: str) -> str:
    if " " in url or "<" in url or "\n" in url:
        url = url.strip().replace("\n", "").replace(" ", "%20").replace("<", "%3C").replace(">", "%3E")
    if "(" in url or ")" in url:
        url = url if _BALANCED.match(url) else url.replace("(", "%28").replace(")", "%29")
    return url


def _settled(text: str) -> str:
    """Emphasis with its marks; without them where it is part of a word, which Markdown would not read as emphasis."""
    parts: list[str] = []
    opened: list[int] = []
    at = 0
    for match in _EMPHASIS.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
        if match["mark"]:
            opened.append(len(parts))
            parts.append(match["mark"])
        else:
            begin = opened.pop()
            before = next((part for part in reversed(parts[:begin]) if part), " ")
            follows = text[at : at + 1]
            glued = _ENDS_IN_WORD.search(before) or follows.isalnum() or follows in ("_", "*", "~", OPEN)
            parts.append(match["end"])
            if glued:
                parts[begin] = parts[-1] = ""
    parts.append(text[at:])
    return "".join(parts)
