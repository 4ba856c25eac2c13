"""reStructuredText to Markdown: what documentation uses, after the docutils specification; not all of it.

With it come the directives of Sphinx and, since docstrings mix them in, fences of Markdown and call-outs of MkDocs.
What has no counterpart keeps its text. Sections take their level from the order in which their underlines appear.
"""

import re
from collections.abc import Sequence
from textwrap import dedent

from refdesk.domain.markdown import blocks
from refdesk.ingest.fences import PROMPT, fenced_lines, guess_language
from refdesk.ingest.restructured.callouts import call_out, kind_of
from refdesk.ingest.restructured.directives import Directive, Directives
from refdesk.ingest.restructured.inclusions import Inclusions
from refdesk.ingest.restructured.inline import Names, inline, normal
from refdesk.ingest.restructured.tables import grid_table, is_grid, is_simple, simple_table

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*\Z")
_PLAIN_UNDERLINE = re.compile(r"(?:={3,}|-{3,})\s*\Z")
_EXPLICIT = re.compile(r"\.\.(?:\s+|\Z)")
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|]+\|\s+)?(?P<name>[A-Za-z][\w:+.-]*?)\s?::(?:\s+(?P<argument>.*))?\Z")
_TARGET = re.compile(r"\.\.\s+_(?P<name>`[^`]+`|(?:[^:\\]|\\.|:(?!\s|\Z))+):(?:\s+(?P<url>\S.*))?\Z")
_SUBSTITUTION = re.compile(r"\.\.\s+\|(?P<name>[^|]+)\|\s+(?P<how>replace|image|unicode)::\s*(?P<text>.*)\Z")
_FOOTNOTE = re.compile(r"\.\.\s+\[#?(?P<name>[\w.*-]*)\]\s*(?P<text>.*)\Z")
_FIELD = re.compile(r":(?P<name>(?![:\s])(?:[^:\\]|\\.|:(?!\s|\Z|`))+):(?:\s+(?P<text>.*))?\Z")
_FOR_THE_BUILD = frozenset({"orphan", "tocdepth", "nocomments", "nosearch", "hide-toc"})
_BULLET = re.compile(r"(?P<mark>[-*+•])(?:\s+|\Z)")
_NUMBER = re.compile(r"(?P<mark>\(?\d{1,4}[.)]|\(?[a-zA-Z]\)|#[.)])\s+(?=\S)")
_LINE_BLOCK = re.compile(r"\|(?:\s|\Z)")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?\Z")
FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})(?![^\n]*\1)")
"""The beginning of a block of code in Markdown."""

_MKDOCS = re.compile(r"(?:!!!|\?\?\?\+?) +(?P<kind>[\w-]+)(?: +\"(?P<title>[^\"]*)\")?\s*\Z")
_DEEPEST = 20
"""Blocks inside of blocks that are told apart; what is deeper stays plain lines."""

_SIGNS = re.compile(
    r"^\.\. +[\w:-]+::|^[^\n]+\n(?:={3,}|-{3,}|~{3,})\n|::\n\n[ \t]+\S|:[a-z:]+:`[^`]+`|``[^`\n]+``|`[^`]+`_\b",
    re.MULTILINE,
)
_MARKDOWN_SIGNS = re.compile(r"^#{1,6} \S|^```|\]\([^)\s]+\)", re.MULTILINE)


def looks_like_rst(text: str) -> bool:
    """Whether a text without a telling name is reStructuredText rather than Markdown."""
    head = text[:50_000]
    return len(_SIGNS.findall(head)) > 2 * len(_MARKDOWN_SIGNS.findall(head))


def rst_to_markdown(text: str, includes: Inclusions) -> str:
    """A page of reStructuredText as Markdown; never raises, what is not understood stays as text."""
    return squeezed("\n".join(Converter(includes).page(text.replace("\x00", "").expandtabs(8)))).strip("\n") + "\n"


class Converter:
    """Converts one text; nested bodies go through `body` again.

    Args:
        includes: Files that the text may refer to; None if it stands alone, so that what shows other files is left out.
        heading: Level of its highest headings.
        lenient: Whether an indented line may go on with the sentence above, as it does in docstrings.
    """

    def __init__(self, includes: Inclusions | None = None, heading: int = 1, *, lenient: bool = False) -> None:
        self._names = Names()
        self._heading_level = heading
        self._lenient = lenient
        self._depth = 0
        self._styles: list[str] = []
        self._section = heading
        self._language = ""
        self._directives = Directives(self.body, self.inline, includes, self._included, (self._level, self._entry))

    def page(self, text: str) -> list[str]:
        """Markdown lines of a whole text."""
        lines = text.split("\n")
        self.note_names(lines)
        return self.body(lines)

    def inline(self, text: str) -> str:
        """Markdown of a paragraph."""
        return inline(text, self._names)

    def body(self, lines: Sequence[str]) -> list[str]:
        """Markdown lines for the lines of a body."""
        if self._depth >= _DEEPEST:
            return [line.strip() for line in lines]
        self._depth += 1
        # Blanks at the end of an indented line may belong to code.
        lines = [line if line.startswith(" ") and line.strip() else line.rstrip() for line in lines]
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
        self._depth -= 1
        return found

    def stray(self, lines: Sequence[str], at: int) -> tuple[list[str], int] | None:
        """What of reStructuredText or MkDocs begins here in a text of Markdown, and where it ends; None if nothing."""
        if _DIRECTIVE.match(lines[at].rstrip()):
            return self._explicit(lines, at)
        return self._fence(lines, at) or self._mkdocs(lines, at)

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

    def note_names(self, lines: Sequence[str]) -> None:
        """Take note of the targets and substitutions that the lines define."""
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
        whole = self._fence(lines, at) or self._mkdocs(lines, at) or self._heading(lines, at)
        if whole is not None:
            return whole
        line = lines[at]
        for fits, convert in (
            (line[0] == " ", self._indented),
            (_EXPLICIT.match(line), self._explicit),
            (is_grid(line), self._grid),
            (is_simple(line), self._simple),
            (PROMPT.match(line), self._doctest),
            (_BULLET.match(line) or _NUMBER.match(line), self._item),
            (_FIELD.match(line), self._field),
            (_LINE_BLOCK.match(line), self._line_block),
        ):
            if fits:
                return convert(lines, at)
        return self._paragraph(lines, at)

    def _indented(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        """An indented block: a quotation to the specification, often code to those who wrote it."""
        block, after = _indented(lines, at)
        code = "\n".join(block)
        language = guess_language(code)
        return (fenced_lines(code, language) if language in ("python", "console") else self.body(block)), after

    @staticmethod
    def _fence(lines: Sequence[str], at: int) -> tuple[list[str], int] | None:
        match = FENCE.match(lines[at])
        if match is None:
            return None
        end = at + 1
        while end < len(lines) and not lines[end].strip().startswith(match["fence"]):
            end += 1
        return [*lines[at:end], match["fence"]], min(end + 1, len(lines))

    def _mkdocs(self, lines: Sequence[str], at: int) -> tuple[list[str], int] | None:
        """A call-out of MkDocs: `!!! note "Title"` and an indented text."""
        match = _MKDOCS.match(lines[at])
        if match is None:
            return None
        block, after = _indented(lines, at + 1)
        return call_out(match["title"] or kind_of(match["kind"]), self.body(block)), max(after, at + 1)

    @staticmethod
    def _doctest(lines: Sequence[str], at: int) -> tuple[list[str], int]:
        after = _until_blank(lines, at)
        return fenced_lines("\n".join(lines[at:after]), "pycon"), after

    def _line_block(self, lines: Sequence[str], at: int) -> tuple[list[str], int]:
        after = _until_blank(lines, at)
        if at + 1 < after and _TABLE_RULE.match(lines[at + 1]):  # a table of Markdown
            return [self.inline(one) for one in lines[at:after]], after
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
        self._section = min(6, self._styles.index(style) + self._heading_level)
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
        return [f'<a id="{normal(target["name"])}"></a>'] if names_section and not self._lenient else []

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
        after = at + 1 + len(_indented_lines(lines, at + 1))
        block = [one[min(width, len(one) - len(one.lstrip())) :] for one in lines[at + 1 : after]]
        mark = (
            "-"
            if match["mark"] in "-*+•"
            else "1."
            if match["mark"][0] in "(#" or match["mark"][0].isalpha()
            else match["mark"]
        )
        inner = self.body([line[width:], *block]) or [""]
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
            return self._definition(lines, at, after)
        while after < len(lines) and not self._ends_paragraph(lines, at, after):
            after += 1
        text = "\n".join(lines[at:after])
        if not text.endswith("::"):
            if self._lenient and after < len(lines) and lines[after].startswith(" ") and lines[after].strip():
                return self._definition(lines, at, after)
            return self._prose(text), after
        text = text[:-2].rstrip() + (":" if not text[:-2].endswith((" ", "\n")) and text != "::" else "")
        code, end = _indented(lines, after)
        if not code:  # quoted literal blocks and a paragraph that merely ends so
            return self._prose(text), after
        return [*(self._prose(text) if text else []), *([""] if text else []), *self._literal(code)], end

    @staticmethod
    def _ends_paragraph(lines: Sequence[str], first: int, at: int) -> bool:
        line = lines[at]
        if not line.strip() or line.startswith((" ", ".. ")) or PROMPT.match(line):
            return True
        if _is_list(line) and not _is_list(lines[first]) and lines[at - 1].endswith(":"):
            return True
        return at + 1 < len(lines) and _PLAIN_UNDERLINE.match(lines[at + 1]) is not None

    def _literal(self, code: Sequence[str]) -> list[str]:
        text = "\n".join(code)
        guessed = guess_language(text)
        return fenced_lines(text, guessed if guessed in ("pycon", "console") else self._language or guessed)

    def _definition(self, lines: Sequence[str], at: int, below: int) -> tuple[list[str], int]:
        """Lines with an indented block below: a term and its definition, or a sentence that goes on."""
        block, after = _indented(lines, below)
        text = "\n".join(one.strip() for one in lines[at:below])
        is_term = below == at + 1 and not (
            self._lenient
            and (len(text) > 70 or text.endswith((".", ",", ";")) or text[0].islower() or block[0][:1] in "-*>")
        )
        if is_term:
            return [f"**{self.inline(text.removesuffix(':'))}**", "", *self.body(block)], after
        if block[0][:1] in "-*>" or block[0].startswith(".. ") or "" in block:
            return [*self._prose(text), "", *self.body(block)], after
        return self._prose("\n".join([text, *(one.strip() for one in block)])), after

    def _prose(self, text: str) -> list[str]:
        lines = self.inline(text).split("\n")
        if not any(line.strip() for line in lines):  # pictures alone, left out
            return []
        if self._lenient:
            return lines
        return [re.sub(r"\A(#{1,6} |[-+] |\d+\. )", r"\\\1", line) for line in lines]


def squeezed(markdown: str) -> str:
    """The text with one blank line where several follow each other outside of code."""
    parts = [
        text if block.kind in ("fence", "code") else re.sub(r"\n{3,}", "\n\n", text)
        for block in blocks(markdown)
        for text in [markdown[block.start : block.end]]
    ]
    return "".join(parts)


def _is_item(line: str) -> bool:
    return _is_list(line) or _FIELD.match(line) is not None


def _is_list(line: str) -> bool:
    return _BULLET.match(line) is not None or _NUMBER.match(line) is not None


def _indented(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """The indented lines from here on, dedented, without blank lines at the ends; and where they end."""
    found = _indented_lines(lines, at)
    block = dedent("\n".join(found)).strip("\n")
    return (block.split("\n") if block else []), at + len(found)


def _indented_lines(lines: Sequence[str], at: int) -> Sequence[str]:
    """The indented lines from here on as they are, up to the last that is not blank."""
    after = last = at
    while after < len(lines) and (not lines[after].strip() or lines[after].startswith(" ")):
        after += 1
        last = after if lines[after - 1].strip() else last
    return lines[at:last]


def _until_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        at += 1
    return at
