"""Inline markup of reStructuredText to Markdown: roles, literals, links, substitutions, footnotes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# What is between the marks never goes over an empty line: a single stray mark then spoils one paragraph at most.
_LITERAL = re.compile(r"``(?P<code>(?:(?!\n[ \t]*\n).)+?)``(?!`)", re.DOTALL)
_ROLE = re.compile(r":(?P<role>[A-Za-z][\w:+.-]*):`(?P<text>(?:[^`\\]|\\.)+)`")
_LINK = re.compile(r"(?<![`\w])`(?P<text>[^`<]*?)\s*<(?P<target>[^<>`]+)>`__?")
_PHRASE = re.compile(r"(?<![`\w])`(?P<text>(?:(?!\n[ \t]*\n)[^`])+)`__?(?!\w)")
_DEFAULT = re.compile(r"(?<![`\w\x00])`(?P<text>(?:(?!\n[ \t]*\n)[^`])+)`(?![`_])")
_WORD = re.compile(r"(?<![\w`/.-])(?P<text>[A-Za-z0-9][\w.+-]*?)__?(?![\w`])")
_SUBSTITUTION = re.compile(r"\|(?P<name>[^|\s](?:[^|\n]*[^|\s])?)\|_{0,2}")
_FOOTNOTE = re.compile(r"\[#?(?P<name>[\w.*-]*)\]_(?!\w)")
_ESCAPED_ENDING = re.compile(r"(?<=\x00)\\(?=[a-z]{1,3}\b)")
"""Ends a mark inside a word, as the plural of something in code; elsewhere such a backslash is the text's own."""

_ESCAPED_SPACE = re.compile(r"(?<!\\)\\[ \n]")
_TITLED = re.compile(r"(?P<text>.+?)\s*<(?P<target>[^<>]+)>\Z", re.DOTALL)
_KEPT = re.compile("\x00(\\d+)\x00")
_NUMBERED = {
    "pep": "PEP ", "rfc": "RFC ", "issue": "#", "pr": "#", "pull": "#", "ticket": "#", "gh": "#", "bpo": "#",
}  # fmt: skip
_PROSE_ROLES = frozenset({
    "ref", "doc", "term", "numref", "abbr", "guilabel", "menuselection", "dfn", "any", "download", "title", "sub",
    "sup", "issue", "pr", "user", "gh", "ticket", "cve", "keyword", "eq", "t", "external",
})  # fmt: skip


@dataclass(slots=True)
class Names:
    """Targets and substitutions that a document defines, by normal name."""

    targets: dict[str, str] = field(default_factory=dict)
    substitutions: dict[str, str] = field(default_factory=dict)


def normal(name: str) -> str:
    """A reference name as reStructuredText compares it: any case, white space as one blank."""
    return " ".join(name.strip("` ").lower().split())


def inline(text: str, names: Names | None = None) -> str:
    """Markdown for inline markup; plain text, bold, emphasis and what is Markdown already stay as they are.

    Args:
        text: Paragraphs without blocks of code.
        names: What the document defines; a reference to anything else keeps its text.
    """
    text = text.replace("\x00", "")
    if not any(mark in text for mark in "`_\\|"):
        return text
    known = names or Names()
    kept: list[str] = []

    def keep(value: str) -> str:
        kept.append(value)
        return f"\x00{len(kept) - 1}\x00"

    text = _LITERAL.sub(lambda match: keep(code(match["code"]) or match.group()), text)
    text = _SUBSTITUTION.sub(lambda match: _substituted(match, known.substitutions), text)
    text = _ROLE.sub(lambda match: keep(_role(match["role"], match["text"])), text)
    text = _LINK.sub(lambda match: keep(_link(match["text"], match["target"], known.targets)), text)
    text = _PHRASE.sub(lambda match: keep(_reference(match["text"], known.targets)), text)
    text = _DEFAULT.sub(lambda match: keep(code(match["text"]) or match.group()), text)
    text = _FOOTNOTE.sub(lambda match: keep(f"[^{match['name'] or '#'}]"), text)
    text = _WORD.sub(lambda match: _known(match, known.targets), text)
    text = _ESCAPED_ENDING.sub("", _ESCAPED_SPACE.sub("", text))
    while _KEPT.search(text):  # what is kept may hold something that was kept before it
        text = _KEPT.sub(lambda match: kept[int(match[1])], text)
    return text


def code(text: str) -> str:
    """A code span that may contain backticks; empty if there is nothing in it."""
    text = re.sub(r"[ \t]*\n[ \t]*", " ", text).strip()
    if "`" not in text:
        return f"`{text}`" if text else ""
    longest = max(len(run) for run in re.findall("`+", text))
    mark = "`" * (longest + 1)
    return f"{mark} {text} {mark}"


def _role(role: str, text: str) -> str:
    last = role.rpartition(":")[2]
    titled = _TITLED.match(text)
    if last == "math":
        return f"${text}$"
    shown = titled["text"] if titled else text
    if last in _NUMBERED:
        return f"{_NUMBERED[last]}{shown}" if shown[:1].isdigit() else shown
    if last in ("strong", "emphasis"):
        return f"**{shown}**" if last == "strong" else f"*{shown}*"
    if last in _PROSE_ROLES:
        return " ".join(shown.lstrip("~!").replace("<", "").replace(">", "").split())
    if titled is None:
        # `~a.b.C` shows only the last part, `!name` is no link, `.get` is looked up anywhere.
        shown = shown.removeprefix("!")
        shown = shown[1:].rpartition(".")[2] if shown.startswith("~") else shown.removeprefix(".")
    return code(shown) or shown


def _link(text: str, target: str, targets: Mapping[str, str]) -> str:
    url = "".join(target.split())
    if url.endswith("_") and "/" not in url:
        url = targets.get(normal(target.strip().rstrip("_")), "")
    shown = " ".join(text.split())
    if not url:
        return shown
    return f"[{shown}]({url})" if shown and shown != url else f"<{url}>"


def _reference(text: str, targets: Mapping[str, str]) -> str:
    url = targets.get(normal(text), "")
    shown = " ".join(text.split())
    return f"[{shown}]({url})" if url else shown


def _known(match: re.Match[str], targets: Mapping[str, str]) -> str:
    url = targets.get(normal(match["text"]), "")
    return f"[{match['text']}]({url})" if url else match.group()


def _substituted(match: re.Match[str], substitutions: Mapping[str, str]) -> str:
    return substitutions.get(normal(match["name"]), match.group())
