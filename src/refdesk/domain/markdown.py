"""Reading the structure of Markdown: headings, fences, tables, sections, anchors.

A line scanner after CommonMark 0.31 and GFM, lenient where real documents are sloppy: a fence may be indented by any
amount and stand behind list, quotation and definition marks. Blocks partition the text: joined they are the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from itertools import accumulate
from typing import Literal
from urllib.parse import unquote

BlockKind = Literal["heading", "fence", "code", "html", "table", "item", "text", "tab", "end", "blank"]
"""`code` is an indented code block, `item` the first paragraph of a list item, `tab` and `end` the lines around a panel
of tabs (`<tab label="…">`, `</tab>`); `blank` only opens a text."""

_CONTAINER = r"(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|:(?=[ \t])))*[ \t]*"
_OPENER = re.compile(rf"(?P<prefix>{_CONTAINER})(?P<mark>`{{3,64}}(?!`)|~{{3,64}}(?!~))(?P<info>.*)")
_CLOSER = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*\r?\n?\Z")
_ATX = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*)|\Z)")
_HTML_HEADING = re.compile(
    r" {0,3}<h(?P<level>[1-6])\b(?P<attributes>[^>]*)>(?P<text>.*?)</h(?P=level)>[ \t]*\Z", re.IGNORECASE
)
_UNDERLINE = re.compile(r" {0,3}(?P<mark>=+|-+)[ \t]*\Z")
_DELIMITERS = re.compile(r"(?=[^|\n]*\|)[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_VERBATIM = re.compile(r"[ \t>]*<(?:(?P<tag>pre|script|style|textarea)\b[^>]*>|!--)", re.IGNORECASE)
_VERBATIM_TAG = re.compile(r"<(?:pre|script|style|textarea|!--)", re.IGNORECASE)
_MARGIN_FENCE = re.compile(r"^```(?!`)(.*)$", re.MULTILINE)
_TAB = re.compile(r"""[ \t>]*<(?:(?P<end>/)tab|tab label="(?P<label>[^"<>]*)")>[ \t]*\Z""")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[|>#<:]|(?:[-*_][ \t]*){3,}\Z)| {4}|\t")
_EXPLICIT = re.compile(
    r"[ \t]*\{[ \t]*#(?P<id>[^\s{}]+)[^{}]*\}[ \t]*\Z|[ \t]*\{/\*[ \t]*#(?P<mdx>[^\s*]+)[ \t]*\*/\}\Z"
)
_ID = re.compile(
    r"""<a\b[^>]*?\b(?:id|name)[ \t]*=[ \t]*["']?(?P<id>[^"'\s>]+)|^\((?P<myst>[^()\s]+)\)=""", re.IGNORECASE
)
_ANCHORS = re.compile(r"\s*(?:(?:<a\b[^<>]*>\s*</a>|<a\b[^<>]*/>|\([^()\s]+\)=)\s*)+\Z", re.IGNORECASE)
_HTML_ID = re.compile(r"""\bid[ \t]*=[ \t]*["']?(?P<id>[^"'\s>]+)""", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ONE_SPAN = re.compile(r"\s*`([^`\x00]*[^`\x00\s][^`\x00]*)`\s*")
_IMAGE_OR_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*_])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_KEPT = re.compile("\x00(\\d+)\x00")
_MARKED = re.compile(r"[`\\\[*_<&\x00]")
_LONGEST_HEADING = 600
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Block:
    """One block of lines with the blank lines after it.

    Attributes:
        start, end: Offsets; the next block starts at `end`.
        body: Offset where the inside begins: after a fence's opening line, after a table's delimiter row.
        level: Of a heading, from 1.
        text: Of a heading, as written; of a tab, its label.
        info: Of a fence: its info string, word for word.
        reopen: What to write before a part of the block that was cut off: an opening line, a table's header.
        close: The closing line of a fence or `pre`.
        closed: False for a fence that its container or the text ended.
    """

    kind: BlockKind
    start: int
    end: int
    body: int = 0
    level: int = 0
    text: str = ""
    info: str = ""
    reopen: str = ""
    close: str = ""
    closed: bool = True

    @property
    def language(self) -> str:
        """First word of the info string in lower case, without decoration: `{.python title=x}` → `python`."""
        first = re.match(r"[\s{.]*([\w+#-]+)", self.info)
        return first[1].lower() if first else ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and the section under it.

    Attributes:
        level: 1 to 6.
        text: Plain text, without marks.
        anchor: Its explicit id, else the slug that GitHub makes; unique in the document.
        aliases: Other anchors that lead here.
        written: The heading's own Markdown, without its marks.
        start: Offset of the heading, or of the anchors that stand before it.
        body: Offset of what follows it.
        end: Offset where the section ends: the next heading of the same or a higher rank.
        path: Texts of the headings above, the outermost first, without its own.
    """

    level: int
    text: str
    anchor: str
    aliases: tuple[str, ...]
    written: str
    start: int
    body: int
    end: int
    path: tuple[str, ...] = ()


def blocks(markdown: str) -> tuple[Block, ...]:
    """Cut a text into blocks that partition it."""
    return tuple(_Scanner(markdown).run())


def outline(markdown: str, scanned: Sequence[Block] | None = None) -> tuple[Heading, ...]:
    """All headings in order of the text.

    Args:
        markdown: The document.
        scanned: Its blocks, where the caller has them already.
    """
    every = blocks(markdown) if scanned is None else scanned
    taken: dict[str, int] = {}
    found: list[tuple[Block, int, str, str, tuple[str, ...], tuple[str, ...]]] = []
    ends: list[int] = []
    open_: list[int] = []
    before: Block | None = None
    for block in every:
        if block.kind == "heading":
            text, ids = _heading_text(block.text)
            start = block.start
            if (
                before is not None
                and markdown[before.start] in "<( \t"
                and _ANCHORS.match(markdown, before.start, before.end)
            ):
                start = before.start
                ids += _ids([markdown[start : before.end]])
            while open_ and found[open_[-1]][0].level >= block.level:
                ends[open_.pop()] = start
            slug = slugify(text)
            anchor, aliases = (ids[0], (*ids[1:], slug)) if ids else (_unique(slug, taken), ())
            path = tuple(found[number][2] for number in open_)
            open_.append(len(found))
            found.append((block, start, text, anchor, aliases, path))
            ends.append(len(markdown))
        before = block
    return tuple(
        Heading(block.level, text, anchor, aliases, block.text, start, block.end, end, path)
        for (block, start, text, anchor, aliases, path), end in zip(found, ends, strict=True)
    )


def section(markdown: str, anchor: str) -> str | None:
    """The section that an anchor, a heading's text or its slug names, with its subsections; None if there is none.

    `Guide > Install` means the heading `Install` below `Guide`.
    """
    wanted = unquote(anchor.strip().removeprefix("#")).strip()
    *above, last = [part.strip().casefold() for part in wanted.split(" > ")]
    best: tuple[int, Heading] | None = None
    for heading in outline(markdown) if wanted else ():
        rank = _fit(heading, wanted, last, {*above})
        if rank is not None and (best is None or rank < best[0]):
            best = (rank, heading)
    return markdown[best[1].start : best[1].end] if best else _item(markdown, wanted)


def slugify(text: str) -> str:
    """The anchor that GitHub makes of a heading's plain text: lower case, punctuation dropped, spaces as hyphens."""
    return _NOT_IN_SLUG.sub("", text.strip().lower()).replace(" ", "-")


def plain(inline: str) -> str:
    """Inline Markdown as plain text: links and images as their text, code and emphasis without marks, no tags."""
    if not _MARKED.search(inline):
        return inline.strip()
    span = _ONE_SPAN.fullmatch(inline)
    if span is not None:  # most headings of API entries
        return span[1].strip()
    spans: list[str] = []

    def keep(text: str) -> str:
        spans.append(text)
        return f"\x00{len(spans) - 1}\x00"

    text = _CODE_SPAN.sub(lambda match: keep(match[2].strip() or match[2]), inline.replace("\x00", ""))
    text = _ESCAPE.sub(lambda match: keep(match[1]), text)
    for _ in range(2):  # a link inside emphasis and the other way round
        text = _IMAGE_OR_LINK.sub(r"\1", text)
        text = _EMPHASIS.sub(r"\2", text)
    text = unescape(_TAG.sub("", text))
    return _KEPT.sub(lambda match: spans[int(match[1])], text).strip()


def close_fences(markdown: str) -> str:
    """Add the closing lines that fences lack because their quotation or the text ended; all else stays."""
    if _is_plainly_balanced(markdown):
        return markdown
    parts: list[str] = []
    for block in blocks(markdown):
        text = markdown[block.start : block.end]
        if not block.closed:
            body = text.rstrip()
            text = f"{body}\n{block.close}\n{text[len(body) :].removeprefix(chr(10))}"
        parts.append(text)
    return "".join(parts)


def balanced(markdown: str) -> bool:
    """Whether every fence that is opened is closed."""
    return _is_plainly_balanced(markdown) or all(block.closed for block in blocks(markdown))


def looks_like_fence(line: str) -> bool:
    """Whether a line, alone, would open or close a fence."""
    return _opener(line) is not None or _CLOSER.match(line) is not None


class _Scanner:
    """One pass over the lines of a text. What a line may begin is told by its first characters before it is matched."""

    def __init__(self, markdown: str) -> None:
        self._text = markdown
        lines = markdown.split("\n")
        if not lines[-1]:
            lines.pop()
        self._offsets = [0, *accumulate(len(line) + 1 for line in lines)]
        self._offsets[-1] = len(markdown)
        self._lines = [line.rstrip("\r") for line in lines] if "\r" in markdown else lines
        self._in_list = False
        self._never_closed: set[str] = set()

    def run(self) -> list[Block]:
        found: list[Block] = []
        at = 0
        while at < len(self._lines):
            block, after = self._block(at)
            found.append(block)
            at = self._next(after)
        return found

    def _next(self, at: int) -> int:
        """Where the first line from here on stands that is not blank."""
        lines = self._lines
        while at < len(lines) and (not lines[at] or lines[at].isspace()):
            at += 1
        return at

    def _block(self, at: int) -> tuple[Block, int]:
        line = self._lines[at]
        bare = line.lstrip()
        if not bare:
            return self._span("blank", at, at + 1), at + 1
        if line[0].isalpha() and not self._starts_table(at):
            self._in_list = False
            return self._paragraph(at)
        opener = _opener(line)
        if opener is not None:
            return self._fence(at, opener)
        found = self._tag_or_heading(at, line, bare[0])
        if found is not None:
            return found
        if self._starts_table(at):
            return self._table(at)
        if _may_be_item(bare[0]) and _ITEM.match(line):
            self._in_list = True
        elif line[0] not in " \t":
            self._in_list = False
        if not self._in_list and _INDENTED.match(line):
            return self._indented(at)
        return self._paragraph(at)

    def _tag_or_heading(self, at: int, line: str, first: str) -> tuple[Block, int] | None:
        """The heading, the border of a tab or the verbatim text that begins here."""
        if first not in "#<>":
            return None
        heading = self._heading(at, line)
        if heading is not None:
            return heading, at + 1
        tab = _TAB.match(line)
        if tab is not None:
            kind: BlockKind = "end" if tab["end"] else "tab"
            start, stop = self._offsets[at], self._end(at + 1)
            return Block(kind, start, stop, body=self._offsets[at + 1], text=unescape(tab["label"] or "")), at + 1
        verbatim = _VERBATIM.match(line)
        return self._verbatim(at, verbatim["tag"] or "") if verbatim is not None else None

    def _end(self, after: int) -> int:
        """Where a block ends whose own lines end here: the blank lines that follow are its as well."""
        return self._offsets[self._next(after)]

    def _span(self, kind: BlockKind, first: int, after: int) -> Block:
        return Block(kind, self._offsets[first], self._end(after))

    def _fence(self, at: int, opener: re.Match[str]) -> tuple[Block, int]:
        lines, mark, quoted = self._lines, opener["mark"], ">" in opener["prefix"]
        prefix = re.sub(r"[^>\s]", " ", opener["prefix"])
        after, closed = at + 1, False
        while after < len(lines) and not closed:
            line = lines[after]
            if quoted and not line.lstrip().startswith(">"):
                break
            if mark in line:
                closer = _CLOSER.match(line)
                closed = closer is not None and closer["mark"][0] == mark[0] and len(closer["mark"]) >= len(mark)
            after += 1
        return Block(
            "fence",
            self._offsets[at],
            self._end(after),
            body=self._offsets[at + 1],
            info=opener["info"].strip(),
            reopen=f"{prefix}{mark}{opener['info']}\n",
            close=f"{prefix}{mark}",
            closed=closed,
        ), after

    def _heading(self, at: int, line: str) -> Block | None:
        atx = _ATX.match(line)
        if atx is not None:
            level, text = len(atx["marks"]), (atx["text"] or "").rstrip()
            unclosed = text.rstrip("#")
            text = unclosed if not unclosed or unclosed[-1] in " \t" else text
        else:
            html = _HTML_HEADING.match(line) if "<h" in line.lower() else None
            if html is None:
                return None
            own = _HTML_ID.search(html["attributes"])
            level, text = int(html["level"]), html["text"] + (f" {{#{own['id']}}}" if own else "")
        return Block("heading", self._offsets[at], self._end(at + 1), level=level, text=text.strip())

    def _verbatim(self, at: int, tag: str) -> tuple[Block, int]:
        end = f"</{tag.lower()}" if tag else "-->"
        after = at if end not in self._never_closed else len(self._lines)
        while after < len(self._lines) and end not in self._lines[after].lower():
            after += 1
        if after == len(self._lines):  # never closed: an ordinary paragraph that begins with a tag
            self._never_closed.add(end)
            return self._paragraph(at)
        body = self._offsets[at + 1] if after > at else self._offsets[after + 1]
        frame = (f"<{tag}>\n", f"</{tag}>") if tag else ("", "")
        start, stop = self._offsets[at], self._end(after + 1)
        return Block("html", start, stop, body=body, reopen=frame[0], close=frame[1]), after + 1

    def _starts_table(self, at: int) -> bool:
        return (
            "|" in self._lines[at]
            and at + 1 < len(self._lines)
            and "-" in self._lines[at + 1]
            and _DELIMITERS.match(self._lines[at + 1]) is not None
        )

    def _table(self, at: int) -> tuple[Block, int]:
        after = at + 2
        while after < len(self._lines) and "|" in self._lines[after] and _opener(self._lines[after]) is None:
            after += 1
        body = self._offsets[at + 2]
        return Block(
            "table", self._offsets[at], self._end(after), body=body, reopen=self._text[self._offsets[at] : body]
        ), after

    def _indented(self, at: int) -> tuple[Block, int]:
        """An indented code block with the blank lines inside it."""
        after = last = at + 1
        while after < len(self._lines):
            line = self._lines[after]
            if line.strip():
                if not _INDENTED.match(line) or _opener(line) is not None:
                    break
                last = after + 1
            after += 1
        return self._span("code", at, last), last

    def _paragraph(self, at: int) -> tuple[Block, int]:
        first = self._lines[at].lstrip()
        item = _may_be_item(first[0]) and _ITEM.match(first) is not None
        kind: BlockKind = "item" if item else "html" if first[0] == "<" else "text"
        after = at + 1
        while after < len(self._lines):
            line = self._lines[after]
            if line[:1].isalpha():  # no mark that begins another block
                if self._starts_table(after):
                    break
                after += 1
                continue
            bare = line.lstrip()
            underline = _UNDERLINE.match(line) if bare[:1] in ("=", "-") else None
            if underline is not None and not item and not any(map(_NO_PARAGRAPH.match, self._lines[at:after])):
                text = " ".join(one.strip() for one in self._lines[at:after])
                level = 1 if underline["mark"][0] == "=" else 2
                return Block("heading", self._offsets[at], self._end(after + 1), level=level, text=text), after + 1
            if not bare or self._interrupts(after, line, bare[0]):
                break
            after += 1
        return self._span(kind, at, after), after

    def _interrupts(self, at: int, line: str, first: str) -> bool:
        return (
            (_may_be_item(first) and _ITEM.match(line) is not None)
            or _opener(line) is not None
            or (
                first in "#<>"
                and (self._heading(at, line) is not None or any(rule.match(line) for rule in (_TAB, _VERBATIM)))
            )
            or self._starts_table(at)
        )


def _may_be_item(first: str) -> bool:
    return first in "-*+" or first.isdigit()


def _fit(heading: Heading, wanted: str, last: str, above: set[str]) -> int | None:
    """How well a heading answers to a name, 0 best; None if it does not."""
    fits = (
        heading.anchor == wanted,
        wanted in heading.aliases,
        heading.anchor.casefold() == wanted.casefold(),
        heading.text.casefold() == last and above <= {text.casefold() for text in heading.path},
        slugify(heading.text) == slugify(wanted) != "",
    )
    return fits.index(True) if True in fits else None


def _item(markdown: str, anchor: str) -> str | None:
    """The item of a list whose term has an anchor, with all that belongs to it; None if there is none."""
    place = markdown.find(f'<a id="{anchor}"></a>') if anchor else -1
    if place < 0:
        return None
    start = markdown.rfind("\n", 0, place) + 1
    depth = len(markdown[start:place]) - len(markdown[start:place].lstrip(" "))
    end = re.compile(rf"^ {{0,{depth}}}\S", re.MULTILINE).search(markdown, place + 1)
    return markdown[start : end.start() if end else len(markdown)]


def _heading_text(written: str) -> tuple[str, list[str]]:
    """Plain text of a heading, and the ids that stand in it."""
    written = written[:_LONGEST_HEADING]
    explicit = _EXPLICIT.search(written) if "{" in written else None
    ids = [explicit["id"] or explicit["mdx"]] if explicit else []
    text = written[: explicit.start()] if explicit else written
    return plain(text), ids + (_ids([text]) if "<" in text or text.startswith("(") else [])


def _ids(lines: Sequence[str]) -> list[str]:
    return [match["id"] or match["myst"] for line in lines for match in _ID.finditer(line)]


def _unique(slug: str, taken: dict[str, int]) -> str:
    """The slug with the number that GitHub gives to repeats: `x`, `x-1`, `x-2`."""
    candidate, number = slug, taken.get(slug, 0)
    while candidate in taken:
        number += 1
        candidate = f"{slug}-{number}"
    taken[slug] = number
    taken[candidate] = 0
    return candidate


def _opener(line: str) -> re.Match[str] | None:
    if not _may_hold_fence(line):
        return None
    opener = _OPENER.match(line)
    return None if opener is None or (opener["mark"][0] == "`" and "`" in opener["info"]) else opener


def _is_plainly_balanced(markdown: str) -> bool:
    """Whether all fences are closed, where that shows without a scan: fences of three backticks at the margin."""
    if not _may_hold_fence(markdown):
        return True
    marks = _MARGIN_FENCE.findall(markdown)
    return (
        len(marks) % 2 == 0
        and len(marks) == markdown.count("```")
        and not any(mark.strip(" \t\r") for mark in marks[1::2])
        and not any("`" in info for info in marks[::2])
        and "~~~" not in markdown
        and _VERBATIM_TAG.search(markdown) is None
    )


def _may_hold_fence(text: str) -> bool:
    return "```" in text or "~~~" in text
