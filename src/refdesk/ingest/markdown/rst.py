"""reStructuredText pages to Markdown: what documentation uses, after the docutils specification; not all of it.

What has no counterpart keeps its text. Sections take their level from the order in which their underlines appear.
"""

import re
import textwrap
from collections.abc import Sequence

from refdesk.domain.markdown import blocks
from refdesk.ingest.fences import fenced_lines
from refdesk.ingest.markdown.includes import Includes
from refdesk.ingest.markdown.rst_directives import Directive, Directives
from refdesk.ingest.restructured.inline import Names, inline, normal
from refdesk.ingest.restructured.tables import grid_table, is_grid, is_simple, simple_table

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*\Z")
_EXPLICIT = re.compile(r"\.\.(?:\s+|\Z)")
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|]+\|\s+)?(?P<name>[A-Za-z][\w:+.-]*?)\s?::(?:\s+(?P<argument>.*))?\Z")
_TARGET = re.compile(r"\.\.\s+_(?P<name>`[^`]+`|(?:[^:\\]|\\.|:(?!\s|\Z))+):(?:\s+(?P<url>\S.*))?\Z")
_SUBSTITUTION = re.compile(r"\.\.\s+\|(?P<name>[^|]+)\|\s+(?P<how>replace|image|unicode)::\s*(?P<text>.*)\Z")
_FOOTNOTE = re.compile(r"\.\.\s+\[#?(?P<name>[\w.*-]*)\]\s*(?P<text>.*)\Z")
_FIELD = re.compile(r":(?P<name>(?![:\s])(?:[^:\\]|\\.|:(?!\s|\Z|`))+):(?:\s+(?P<text>.*))?\Z")
_FOR_THE_BUILD = frozenset({"orphan", "tocdepth", "nocomments", "nosearch", "hide-toc"})
_BULLET = re.compile(r"(?P<mark>[-*+•])(?:\s+|\Z)")
_NUMBER = re.compile(r"(?P<mark>\(?(?:\d{1,4}|[a-zA-Z]|#)[.)])\s+(?=\S)")
_LINE_BLOCK = re.compile(r"\|(?:\s|\Z)")
_SIGNS = re.compile(
    r"^\.\. +[\w:-]+::|^[^\n]+\n(?:={3,}|-{3,}|~{3,})\n|::\n\n[ \t]+\S|:[a-z:]+:`[^`]+`|``[^`\n]+``|`[^`]+`_\b",
    re.MULTILINE,
)
_MARKDOWN_SIGNS = re.compile(r"^#{1,6} \S|^```|\]\([^)\s]+\)", re.MULTILINE)


def looks_like_rst(text: str) -> bool:
    """Whether a text without a telling name is reStructuredText rather than Markdown."""
    head = text[:50_000]
    return len(_SIGNS.findall(head)) > 2 * len(_MARKDOWN_SIGNS.findall(head))


def rst_to_markdown(text: str, includes: Includes) -> str:
    """A page of reStructuredText as Markdown; never raises, what is not understood stays as text."""
    return _squeezed("\n".join(_Converter(includes).page(text.replace("\x00", "").expandtabs(8)))).strip("\n") + "\n"


class _Converter:
    """Converts one page; nested bodies go through `body` again."""

    def __init__(self, includes: Includes) -> None:
        self._names = Names()
        self._styles: list[str] = []
        self._section = 1
        self._language = ""
        self._directives = Directives(self.body, self.inline, includes, self._included, (self._level, self._entry))

    def page(self, text: str) -> list[str]:
        lines = [line.rstrip() for line in text.split("\n")]
        self._note_names(lines)
        return self.body(lines)

    def inline(self, text: str) -> str:
        return inline(text, self._names)

    def body(self, lines: Sequence[str]) -> list[str]:
        """Markdown lines for the lines of a body."""
        found: list[str] = []
        at = 0
        while at < len(lines):
            if not lines[at].strip():
                found.append("")
                at += 1
                continue
            tight = at > 0 and _is_item(lines[at]) and bool(lines[at - 1].strip())
            part, at = self._element(lines, at)
            if part and found and found[-1] and not tight:
                found.append("")
            found += part
        return found

    def _level(self) -> int:
        """Level of a heading below the present section."""
        return min(self._section + 1, 6)

    def _entry(self, content: Sequence[str]) -> list[str]:
        """The body of an API entry, whose own entries rank below it."""
        self._section += 1
        inner = self.body(content)
        self._section -= 1
        return inner

    def _included(self, text: str) -> str:
        return "\n".join(self.page(text.expandtabs(8)))

    def _note_names(self, lines: Sequence[str]) -> None:
        for line in lines:
            bare = line.strip()
            if not bare.startswith(".."):
                continue
            target, substitution = _TARGET.match(bare), _SUBSTITUTION.match(bare)
            if target is not None and target["url"]:
                self._names.targets[normal(target["name"].replace("\\", ""))] = target["url"].strip()
            elif substitution is not None:
                how, text = substitution["how"], substitution["text"].strip()
                self._names.substitutions[normal(substitution["name"])] = "" if how == "image" else text

    def _element(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        heading = self._heading(lines, at)
        if heading is not None:
            return heading
        line = lines[at]
        for fits, convert in (
            (line[0] == " ", self._quotation),
            (_EXPLICIT.match(line), self._explicit),
            (is_grid(line), self._grid),
            (is_simple(line), self._simple),
            (line.startswith(">>> "), self._doctest),
            (_BULLET.match(line) or _NUMBER.match(line), self._item),
            (_FIELD.match(line), self._field),
            (_LINE_BLOCK.match(line), self._line_block),
        ):
            if fits:
                return convert(lines, at)
        return self._paragraph(lines, at)

    def _quotation(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        block, after = _indented(lines, at)
        return [f"> {one}".rstrip() for one in self.body(block)], after

    @staticmethod
    def _doctest(lines: Sequence[str], at: int) -> tuple[list[str], int]:
        after = _until_blank(lines, at)
        return fenced_lines("\n".join(lines[at:after]), "pycon"), after

    def _line_block(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        after = _until_blank(lines, at)
        return [self.inline(one.lstrip("| ")) + "  " for one in lines[at:after]], after

    def _heading(self, lines: Sequence[str], at: int) -> tuple[list[str], int] | None:
        line = lines[at]
        below = lines[at + 1] if at + 1 < len(lines) else ""
        mark = _UNDERLINE.match(line)
        if (
            mark is not None
            and len(line) > 1
            and below.strip()
            and at + 2 < len(lines)
            and lines[at + 2].strip() == line.strip()
        ):
            return self._titled(below, mark[1] * 2), at + 3
        if mark is not None and len(line) >= 4 and not below.strip():
            return ["---"], at + 1
        under = _UNDERLINE.match(below)
        long_enough = len(below) >= min(len(line), 4) and (len(below) >= len(line) - 3 or len(below) >= 8)
        if under is None or line[0] == " " or mark is not None or not long_enough or below.strip() == "::":
            return None
        return self._titled(line, under[1]), at + 2

    def _titled(self, title: str, style: str) -> list[str]:
        if style not in self._styles:
            self._styles.append(style)
        self._section = min(6, self._styles.index(style) + 1)
        return ["#" * self._section + " " + self.inline(title.strip())]

    def _explicit(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        line = lines[at]
        block, after = _indented(lines, at + 1)
        directive = _DIRECTIVE.match(line)
        if _SUBSTITUTION.match(line):
            return [], after
        if directive is not None:
            if directive["name"] == "highlight":
                self._language = (directive["argument"] or "").replace("none", "").strip()
            joined = after > at + 1 and bool(lines[at + 1].strip())
            found = Directive.read(directive["name"], (directive["argument"] or "").strip(), block, joined=joined)
            return self._directives.convert(found), after
        target, footnote = _TARGET.match(line), _FOOTNOTE.match(line)
        if target is not None:
            return self._anchor(lines, at, target), at + 1
        if footnote is not None:
            text = self.inline(" ".join([footnote["text"], *(one.strip() for one in block)]).strip())
            return [f"[^{footnote['name'] or '#'}]: {text}"], after
        return [], after  # a comment

    def _anchor(self, lines: Sequence[str], at: int, target: re.Match[str]) -> list[str]:
        """A label is kept where it names a section."""
        while at < len(lines) and (not lines[at].strip() or _TARGET.match(lines[at])):
            at += 1
        names_section = not target["url"] and at < len(lines) and self._heading(lines, at) is not None
        return [f'<a id="{normal(target["name"])}"></a>'] if names_section else []

    def _grid(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        after = _until_blank(lines, at)
        rows = grid_table(lines[at:after], self.inline)
        return (fenced_lines("\n".join(lines[at:after]), "text") if rows is None else rows), after

    def _simple(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        borders = [number for number in range(at + 1, len(lines)) if is_simple(lines[number])]
        ends = (border for border in borders if border + 1 == len(lines) or not lines[border + 1].strip())
        last = next(ends, borders[-1] if borders else at)
        return simple_table(lines[at : last + 1], self.inline), last + 1

    def _item(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        line = lines[at]
        match = _BULLET.match(line) or _NUMBER.match(line)
        assert match is not None  # noqa: S101  # the caller has matched
        width = match.end()
        block, after = _indented(lines, at + 1)
        mark = (
            "-"
            if match["mark"] in "-*+•"
            else "1."
            if match["mark"][0] in "(#" or match["mark"][0].isalpha()
            else match["mark"]
        )
        gap = [""] if block and not lines[at + 1].strip() else []
        inner = self.body([line[width:], *gap, *block]) or [""]
        shift = " " * (len(mark) + 1)
        return [f"{mark} {inner[0]}".rstrip(), *((shift + one).rstrip() for one in inner[1:])], after

    def _field(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        match = _FIELD.match(lines[at])
        assert match is not None  # noqa: S101  # the caller has matched
        block, after = _indented(lines, at + 1)
        if match["name"] in _FOR_THE_BUILD:
            return [], after
        inner = self.body([match["text"] or "", *block])
        while inner and not inner[0]:
            inner.pop(0)
        head = f"- **{self.inline(match['name'])}:** {inner[0] if inner else ''}".rstrip()
        return [head, *(f"  {one}".rstrip() for one in inner[1:])], after

    def _paragraph(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        after = at + 1
        if after < len(lines) and lines[after].startswith(" ") and not lines[at].endswith("::"):
            return self._definition(lines, at)
        while after < len(lines) and lines[after].strip() and not lines[after].startswith((" ", ".. ")):
            after += 1
        text = "\n".join(lines[at:after])
        if not text.endswith("::"):
            return self._prose(text), after
        text = text[:-2].rstrip() + (":" if not text[:-2].endswith((" ", "\n")) and text != "::" else "")
        code, end = _indented(lines, after)
        if not code:  # quoted literal blocks and a paragraph that merely ends so
            return self._prose(text), after
        return [*(self._prose(text) if text else []), *([""] if text else []), *self._literal(code)], end

    def _literal(self, code: Sequence[str]) -> list[str]:
        language = "pycon" if code[0].startswith(">>> ") else "console" if code[0].startswith("$ ") else self._language
        return fenced_lines("\n".join(code), language)

    def _definition(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        block, after = _indented(lines, at + 1)
        inner = self.body(block)
        term = self.inline(lines[at].strip())
        return [f"**{term}**", "", *inner], after

    def _prose(self, text: str) -> list[str]:
        lines = self.inline(text).split("\n")
        return [re.sub(r"\A(#{1,6} |[-+] |\d+\. )", r"\\\1", line) for line in lines]


def _squeezed(markdown: str) -> str:
    """The text with one blank line where several follow each other outside of code."""
    parts = [
        text if block.kind in ("fence", "code") else re.sub(r"\n{3,}", "\n\n", text)
        for block in blocks(markdown)
        for text in [markdown[block.start : block.end]]
    ]
    return "".join(parts)


def _is_item(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_BULLET, _NUMBER, _FIELD))


def _indented(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """The indented lines from here on, dedented, without blank lines at the ends; and where they end."""
    after = last = at
    while after < len(lines) and (not lines[after].strip() or lines[after].startswith(" ")):
        after += 1
        last = after if lines[after - 1].strip() else last
    block = textwrap.dedent("\n".join(lines[at:last])).strip("\n")
    return (block.split("\n") if block else []), last


def _until_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        at += 1
    return at
