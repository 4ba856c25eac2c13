"""reStructuredText inside a line as Markdown: roles, literals, links, footnotes."""

import re
from collections.abc import Mapping

_LITERAL = re.compile(r"``(?P<code>(?:(?!``).)+?)``", re.DOTALL)
_ROLE = re.compile(r":(?P<role>[A-Za-z][\w:+.-]*):`(?P<text>[^`]+)`")
_LINK = re.compile(r"`(?P<text>[^`<]*?)\s*<(?P<url>[^<>`]+)>`__?")
_NAMED_LINK = re.compile(r"`(?P<text>[^`<>]+)`__?(?![\w`])")
_WORD_LINK = re.compile(r"(?<![\w`:/.])(?P<text>[A-Za-z][\w-]*)_(?![\w`])")
_FOOTNOTE = re.compile(r"\[(?P<mark>[\w#*-]+)\]_(?!\w)")
_TITLED = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]+)>\Z", re.DOTALL)
_ESCAPED_SPACE = re.compile(r"(?<!\\)\\ ")
_ESCAPED_ENDING = re.compile(r"\\(?=[a-z]{1,3}\b)")
"""Ends a mark inside a word: the plural of something in code."""
_CODE = re.compile(r"(?P<ticks>`+)(?!`)(?:(?!(?P=ticks)).)+?(?P=ticks)(?!`)", re.DOTALL)
_LINK_ROLES = {"ref", "doc", "term", "external", "download", "numref", "eq", "std:ref", "std:doc", "std:term"}


def inline(text: str, targets: Mapping[str, str] | None = None) -> str:
    """Inline marks of reStructuredText as Markdown; plain text and Markdown stay as they are.

    Args:
        text: Paragraphs without blocks of code.
        targets: Lower-case names of hyperlink targets and their urls.
    """
    if "`" not in text and "_" not in text and "\\" not in text:
        return text
    known = targets or {}
    text = _ROLE.sub(_role, text)
    text = _LINK.sub(_link, text)
    text = _LITERAL.sub(_literal, text)
    text = _NAMED_LINK.sub(lambda match: _named(match["text"], known, code=True), text)
    return _outside_code(text, known)


def _outside_code(text: str, targets: Mapping[str, str]) -> str:
    parts: list[str] = []
    start = 0
    for match in _CODE.finditer(text):
        parts += [_plain(text[start : match.start()], targets), match.group()]
        ending = _ESCAPED_ENDING.match(text, match.end())
        start = ending.end() if ending else match.end()
    return "".join([*parts, _plain(text[start:], targets)])


def _plain(text: str, targets: Mapping[str, str]) -> str:
    text = _FOOTNOTE.sub(r"[\g<mark>]", _ESCAPED_SPACE.sub("", text))
    if targets:
        return _WORD_LINK.sub(
            lambda match: _named(match["text"], targets) if match["text"].lower() in targets else match.group(), text
        )
    return text


def _role(match: re.Match[str]) -> str:
    role, text = match["role"], " ".join(match["text"].split())
    titled = _TITLED.match(text)
    if role in _LINK_ROLES:
        return titled["title"] if titled and titled["title"] else text.replace("<", "").replace(">", "")
    if role == "pep":
        return f"PEP {text}"
    if role == "rfc":
        return f"RFC {text}"
    if role in ("issue", "gh", "pr", "pull", "bpo", "user"):
        return f"#{text}" if text.isdigit() else text
    if titled and titled["title"]:
        return f"`{titled['title']}`"
    # `~a.b.C` shows only the last part; `!name` is no link.
    text = text.removeprefix("!")
    return f"`{text[1:].rpartition('.')[2]}`" if text.startswith("~") else f"`{text.removeprefix('.')}`"


def _link(match: re.Match[str]) -> str:
    url = "".join(match["url"].split())
    text = " ".join(match["text"].split())
    if re.match(r"[a-z]+://|mailto:", url):
        return f"[{text}]({url})" if text and text != url else f"<{url}>"
    return text or url


def _literal(match: re.Match[str]) -> str:
    code = " ".join(match["code"].split("\n")).strip()
    return f"`` {code} ``" if "`" in code else f"`{code}`"


def _named(text: str, targets: Mapping[str, str], *, code: bool = False) -> str:
    text = " ".join(text.split())
    url = targets.get(text.lower(), "")
    if url:
        return f"[{text}]({url})"
    return f"`{text}`" if code and re.fullmatch(r"[\w.()]+", text) else text
