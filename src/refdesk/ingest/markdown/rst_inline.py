"""Inline markup of reStructuredText to Markdown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_LITERAL = re.compile(r"``(?P<code>.+?)``(?!`)", re.DOTALL)
_ROLE = re.compile(r":(?P<role>[A-Za-z][\w:+.-]*):`(?P<text>(?:[^`\\]|\\.)+)`")
_LINK = re.compile(r"(?<![`\w])`(?P<text>[^`<]*?)\s*<(?P<target>[^<>`]+)>`__?")
_PHRASE = re.compile(r"(?<![`\w])`(?P<text>[^`]+)`__?(?!\w)")
_DEFAULT = re.compile(r"(?<![`\w\x00])`(?P<text>[^`]+)`(?![`_])")
_WORD = re.compile(r"(?<![\w`/.-])(?P<text>[A-Za-z0-9][\w.+-]*?)__?(?![\w`])")
_SUBSTITUTION = re.compile(r"\|(?P<name>[^|\s](?:[^|\n]*[^|\s])?)\|_{0,2}")
_FOOTNOTE = re.compile(r"\[#?(?P<name>[\w.*-]*)\]_(?!\w)")
_ESCAPED_LETTER = re.compile(r"\\(?=[^\W_])")
_ESCAPED_SPACE = re.compile(r"\\[ \n]")
_TITLE_TARGET = re.compile(r"(?P<text>.+?)\s*<(?P<target>[^<>]+)>\Z", re.DOTALL)
_KEPT = re.compile("\x00(\\d+)\x00")
_NUMBERED = {"pep": "PEP ", "rfc": "RFC ", "issue": "#", "pr": "#", "pull": "#", "ticket": "#", "gh": "#"}
_PROSE_ROLES = frozenset({
    "ref", "doc", "term", "numref", "abbr", "guilabel", "menuselection", "dfn", "any", "download", "title", "sub",
    "sup", "issue", "pr", "user", "gh", "ticket", "cve", "keyword", "eq", "t",
})  # fmt: skip


@dataclass(slots=True)
class Names:
    """Targets and substitutions that a document defines, by normal name."""

    targets: dict[str, str] = field(default_factory=dict)
    substitutions: dict[str, str] = field(default_factory=dict)


def normal(name: str) -> str:
    """A reference name as reStructuredText compares it: any case, white space as one blank."""
    return " ".join(name.strip("` ").lower().split())


def inline(text: str, names: Names) -> str:
    """Markdown for inline markup: roles, links, literals, substitutions, footnotes. Bold and emphasis are the same."""
    kept: list[str] = []

    def keep(value: str) -> str:
        kept.append(value)
        return f"\x00{len(kept) - 1}\x00"

    text = text.replace("\x00", "")
    text = _LITERAL.sub(lambda match: keep(code(match["code"])), text)
    text = _SUBSTITUTION.sub(lambda match: _substituted(match, names.substitutions), text)
    text = _ROLE.sub(lambda match: keep(_role(match["role"], match["text"])), text)
    text = _LINK.sub(lambda match: keep(_link(match["text"], match["target"], names.targets)), text)
    text = _PHRASE.sub(lambda match: keep(_reference(match["text"], names.targets)), text)
    text = _DEFAULT.sub(lambda match: keep(code(match["text"])), text)
    text = _FOOTNOTE.sub(lambda match: keep(f"[^{match['name'] or '#'}]"), text)
    text = _WORD.sub(lambda match: _known(match, names.targets), text)
    text = _ESCAPED_LETTER.sub("", _ESCAPED_SPACE.sub("", text))
    return _KEPT.sub(lambda match: kept[int(match[1])], text)


def code(text: str) -> str:
    """A code span that may contain backticks."""
    text = " ".join(text.split())
    if "`" not in text:
        return f"`{text}`"
    longest = max(len(run) for run in re.findall("`+", text))
    mark = "`" * (longest + 1)
    return f"{mark} {text} {mark}"


def _role(role: str, text: str) -> str:
    last = role.rpartition(":")[2]
    titled = _TITLE_TARGET.match(text)
    shown = titled["text"] if titled else text.lstrip("~!")
    if last == "math":
        return f"${text}$"
    if last in _NUMBERED:
        return f"{_NUMBERED[last]}{shown}" if shown[:1].isdigit() else shown
    if last in ("strong", "emphasis"):
        return f"**{shown}**" if last == "strong" else f"*{shown}*"
    return " ".join(shown.split()) if last in _PROSE_ROLES else code(shown)


def _link(text: str, target: str, targets: Mapping[str, str]) -> str:
    url = "".join(target.split())
    if url.endswith("_") and "/" not in url:
        url = targets.get(normal(target.strip().rstrip("_")), "")
    shown = " ".join(text.split())
    return f"[{shown or url}]({url})" if url else shown


def _reference(text: str, targets: Mapping[str, str]) -> str:
    url = targets.get(normal(text), "")
    shown = " ".join(text.split())
    return f"[{shown}]({url})" if url else shown


def _known(match: re.Match[str], targets: Mapping[str, str]) -> str:
    url = targets.get(normal(match["text"]), "")
    return f"[{match['text']}]({url})" if url else match.group()


def _substituted(match: re.Match[str], substitutions: Mapping[str, str]) -> str:
    return substitutions.get(normal(match["name"]), match.group())
