"""Options: the items of a long list that each describe one thing by name (`--flag`, a key, an error)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refdesk.domain.markdown import Block, plain
from refdesk.ingest.markdown.names import name_in

_LEAST = 3
_TOGETHER = 250
_LONGEST_TERM = 200
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+(?P<term>\S.*)")
_NAMED = re.compile(
    r"(?:<a\b[^<>]*>(?:</a>)?[ \t]*)?(?:\*\*|__)?(?:\[)?(?P<ticks>`+)(?P<code>[^`\n]+)(?P=ticks)"
    r"|(?:<a\b[^<>]*>(?:</a>)?[ \t]*)?(?:\*\*|__)(?P<bold>--?[\w-]+|[A-Za-z_$][\w$.:-]*)[^*_\n]{0,80}(?:\*\*|__)"
)
_DEFINITION = re.compile(r"\n?[ ]{0,3}:[ \t]")
_ANCHOR = re.compile(r"""<a\b[^<>]*\bid=["']?(?P<id>[^"'\s>]+)""")
_AFTER_TERM = re.compile(r"[ \t]+[–—-][ \t]|:(?=[ \t]|\Z)")
_LINK = re.compile(r"\[[^\[\]]*\]\([^()\s]*\)")
_WORD = re.compile(r"[\w.:-]+[ \t]*\Z")
_CODES = re.compile(r"`+([^`\n]+)`+")
_TYPES = re.compile(
    r"\(`+(?:bool(?:ean)?|int(?:eger)?|float(?:ing point)?|number|string|str|enum|list|dict|array|object|text)`+\)"
)
_EMPTY_ANCHOR = re.compile(r"<a\b[^<>]*></a>")


@dataclass(frozen=True, slots=True)
class Option:
    """A range of a section that describes one thing, or a few short ones.

    Attributes:
        title: What it describes, in plain text; empty for what stands around the options and for several of them.
        names: Their names.
        anchor: Id that stands in the term; empty if there is none.
    """

    start: int
    end: int
    title: str = ""
    names: tuple[str, ...] = ()
    anchor: str = ""


def options(markdown: str, scanned: Sequence[Block], start: int, end: int) -> list[Option]:
    """The options of a range, in ranges that partition it; empty where it is no list of them.

    Args:
        markdown: The text.
        scanned: The blocks of the range.
        start: Where it begins.
        end: Where it ends.
    """
    found: list[tuple[int, str]] = []
    last = start
    for number, block in enumerate(scanned):
        term = _term(markdown, scanned, number)
        if term:
            found.append((max(block.start, start), term))
        if term or (found and not _ends_list(markdown, block)):
            last = min(block.end, end)
        elif found:
            break
    if len(found) < _LEAST or last - found[0][0] < (end - start) // 2:
        return []
    edges = [*(place for place, _ in found), last]
    every = [_option(edges[number], edges[number + 1], term) for number, (_, term) in enumerate(found)]
    around = [Option(start, found[0][0])] if found[0][0] > start else []
    return [*around, *_together(every), *([Option(last, end)] if last < end else [])]


def _term(markdown: str, scanned: Sequence[Block], number: int) -> str:
    """The line that names what a block describes; empty if it begins no option."""
    block = scanned[number]
    if block.kind not in ("item", "text") or markdown[block.start] in " \t:>":
        return ""
    line, _, rest = markdown[block.start : block.end].partition("\n")
    if block.kind == "item":
        item = _ITEM.match(line)
        return item["term"] if item is not None and _describes(item["term"], rest) else ""
    following = number + 1 < len(scanned) and _DEFINITION.match(markdown, scanned[number + 1].start)
    return line if len(line) <= _LONGEST_TERM and (_DEFINITION.match(rest) or following) else ""


def _describes(term: str, rest: str) -> bool:
    """Whether an item names something and says more of it than where it is read."""
    return _NAMED.match(term) is not None and (_LINK.sub("", term).strip(" –—-:*`") != "" or bool(rest.strip()))


def _ends_list(markdown: str, block: Block) -> bool:
    return markdown[block.start] not in " \t:\n" and block.kind in ("text", "heading", "table", "html", "tab")


def _option(start: int, end: int, term: str) -> Option:
    anchor = _ANCHOR.search(term)
    term = _EMPTY_ANCHOR.sub("", term)
    named = _NAMED.match(term)
    after = _AFTER_TERM.search(term)
    codes = _CODES.findall(_TYPES.sub("", term[: after.start() if after else _LONGEST_TERM]))
    names = [name for code in codes for one in code.split(", ") if (name := name_in(one))]
    if named is not None and named["bold"]:
        names.insert(0, named["bold"])
    if not names and _WORD.match(term):
        names = [term.strip()]
    title = plain(named[0]).lstrip("[") if named is not None else plain(term)
    return Option(start, end, title, tuple(dict.fromkeys(names))[:8], anchor["id"] if anchor else "")


def _together(every: Sequence[Option]) -> Iterator[Option]:
    """Each option by itself, short neighbours together."""
    some: list[Option] = []
    for option in every:
        if some and some[-1].end - some[0].start >= _TOGETHER:
            yield _one_of(some)
            some = []
        if some and option.end - option.start >= _TOGETHER:
            yield _one_of(some)
            some = []
        some.append(option)
    yield _one_of(some)


def _one_of(some: Sequence[Option]) -> Option:
    if len(some) == 1:
        return some[0]
    names = tuple(dict.fromkeys(name for option in some for name in option.names))
    return Option(some[0].start, some[-1].end, "", names, some[0].anchor)
