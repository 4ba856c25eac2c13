"""Tabs: the panels of a text, and which of them are variants of one text."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refdesk.domain.languages import language_of_label
from refdesk.domain.markdown import Block

_SMALL = 200
_ALIKE = 0.85
_FEW_WORDS = 8
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel.

    Attributes:
        body: Its text without the lines around it and without their indentation.
        start, end: Offsets of its content.
    """

    label: str
    body: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Group:
    """Panels that follow one another.

    Attributes:
        start, end: Offsets, with the lines around the panels.
    """

    start: int
    end: int
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Variants:
    """Panels that say the same but for a few words.

    Attributes:
        labels: Of all of them.
        body: Of the first.
        start, end: Offsets of its content.
        terms: Words that only the others have.
        languages: What the labels name.
    """

    labels: tuple[str, ...]
    body: str
    start: int
    end: int
    terms: str
    languages: tuple[str, ...]


def groups(markdown: str, scanned: Sequence[Block]) -> Iterator[Group]:
    """The groups of tabs that become chunks of their own: alternatives with code, or of some length."""
    found: list[Panel] = []
    start = end = 0
    at = 0
    while at < len(scanned):
        if scanned[at].kind != "tab":
            at += 1
            continue
        if found and scanned[at].start != end:
            yield from _worthy(start, end, found, scanned)
            found = []
        if not found:
            start = scanned[at].start
        after = _closing(scanned, at)
        panel, end = _panel(markdown, scanned, at, after)
        found.append(panel)
        at = after + 1
    yield from _worthy(start, end, found, scanned)


def variants(panels: Sequence[Panel]) -> list[Variants]:
    """Panels, near-identical ones as one."""
    together: list[list[Panel]] = []
    for panel in panels:
        same = next((some for some in together if alike(some[0].body, panel.body)), None)
        if same is None:
            together.append([panel])
        else:
            same.append(panel)
    return [_as_one(some) for some in together]


def alike(one: str, other: str) -> bool:
    """Whether two texts have nearly the same words: Dice's coefficient of their words, repeats counted."""
    if one == other:
        return True
    longer, shorter = max(len(one), len(other)), min(len(one), len(other))
    if shorter < longer * 0.6:
        return False
    first, second = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
    total = first.total() + second.total()
    return total >= 2 * _FEW_WORDS and 2 * (first & second).total() >= _ALIKE * total


def other_words(shown: str, others: Sequence[str]) -> str:
    """The words of other texts that a text does not have, each once."""
    known = set(_WORD.findall(shown))
    words = (word for text in others for word in _WORD.findall(text))
    return " ".join(dict.fromkeys(word for word in words if word not in known))


def _as_one(panels: Sequence[Panel]) -> Variants:
    first = panels[0]
    return Variants(
        labels=tuple(dict.fromkeys(panel.label for panel in panels if panel.label)),
        body=first.body,
        start=first.start,
        end=first.end,
        terms=other_words(first.body, [panel.body for panel in panels[1:]]) if len(panels) > 1 else "",
        languages=tuple(dict.fromkeys(name for panel in panels if (name := language_of_label(panel.label)))),
    )


def _closing(scanned: Sequence[Block], at: int) -> int:
    """Number of the block that closes a panel; of the end of the text where nothing does."""
    depth = 0
    for number in range(at, len(scanned)):
        kind = scanned[number].kind
        depth += (kind == "tab") - (kind == "end")
        if not depth:
            return number
    return len(scanned)


def _panel(markdown: str, scanned: Sequence[Block], at: int, after: int) -> tuple[Panel, int]:
    """The panel between two blocks, and where it ends."""
    opening = scanned[at]
    start = opening.end
    stop = scanned[after].start if after < len(scanned) else len(markdown)
    end = scanned[after].end if after < len(scanned) else len(markdown)
    line = markdown[opening.start : opening.body]
    body = markdown[start:stop].strip("\n")
    indent = len(line) - len(line.lstrip(" "))
    if indent:
        body = re.sub(rf"(?m)^ {{1,{indent}}}", "", body)
    return Panel(opening.text, body, start, stop), end


def _worthy(start: int, end: int, panels: Sequence[Panel], scanned: Sequence[Block]) -> Iterator[Group]:
    if len(panels) < 2 or any(panel.body.lstrip().startswith(">") for panel in panels):
        return
    code = any(block.kind in ("fence", "code") and start <= block.start < end for block in scanned)
    if code or any(len(panel.body) > _SMALL for panel in panels):
        yield Group(start, end, tuple(panels))
