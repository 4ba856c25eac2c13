"""Front matter: what a page says of itself before its text. The few scalar keys that matter, not all of YAML."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_YAML = re.compile(r"\A---[ \t]*\n(?P<body>.*?\n)??(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(?P<body>.*?\n)??\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_OPENING = re.compile(r"\A(?:---|\+\+\+)[ \t]*\n(?=[A-Za-z_][\w-]*[ \t]*[:=])")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]*)[ \t]*[:=](?:[ \t]+(?P<value>.*)|[ \t]*\Z)")
_FOLDED = re.compile(r"[>|][+-]?\d*\Z")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before a page's text.

    Attributes:
        values: Scalar values by lower-case key.
        text: The page without the front matter; the whole page where that is broken.
        problem: What is wrong with it; empty if nothing is.
    """

    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


def split_front_matter(page: str) -> FrontMatter:
    """Take the front matter off a page; one that cannot be read stays in the text and is a problem."""
    match = _YAML.match(page) or _TOML.match(page)
    if match is None:
        broken = _OPENING.match(page) is not None
        return FrontMatter(page, problem="front matter is not closed; it stays in the text" if broken else "")
    body = match["body"] or ""
    values, unread = _values(body.splitlines())
    if body.strip() and not values:
        if unread and page.startswith("---"):  # two thematic breaks around ordinary text
            return FrontMatter(page)
        return FrontMatter(page[match.end() :], problem="front matter cannot be read; it was left out")
    problem = f"front matter has {unread} unreadable line(s)" if unread else ""
    return FrontMatter(page[match.end() :].lstrip("\n"), values, problem)


def _values(lines: list[str]) -> tuple[dict[str, str], int]:
    values: dict[str, str] = {}
    unread = 0
    key = ""
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] in " \t-[]{}":  # a continuation, a list or a nested mapping
            if line[0] in " \t" and key and not line.lstrip().startswith("- "):
                values[key] = f"{values[key]} {line.strip()}".strip()
            unread += not key
            continue
        match = _KEY.match(line.rstrip())
        if match is None:
            unread += 1
            key = ""
            continue
        key = match["key"].lower()
        value = match["value"] or ""
        values[key] = "" if _FOLDED.match(value) else _scalar(value.strip())
    return values, unread


def _scalar(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        return inner.replace('\\"', '"') if value[0] == '"' else inner.replace("''", "'")
    return value.partition(" #")[0].strip()
