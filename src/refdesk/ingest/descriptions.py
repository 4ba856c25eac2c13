"""HTML descriptions of service models as Markdown.

Written for the vocabulary of AWS models, which is HTML with elements of its own (`note`, `important`, `fullname`, `a`
without a target as a cross-reference) and much soup: unclosed and self-closed tags, placeholders such as `<region>`
that are meant as text, whole descriptions escaped twice. A general converter loses the call-outs and falls back to raw
HTML where Markdown is awkward; here no element survives as HTML, code stays as it is, and text is escaped only where a
renderer would otherwise read markup (https://spec.commonmark.org/0.31.2/), so that names stay readable.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

_CALL_OUTS = {
    "note": "Note",
    "important": "Important",
    "warning": "Warning",
    "caution": "Caution",
    "tip": "Tip",
}
_PARAGRAPHS = frozenset({"p", "para", "div", "section", "fullname", "br", "hr", "title", "blockquote"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "dl", "itemizedlist", "orderedlist", "variablelist"})
_ITEMS = frozenset({"li", "listitem"})
_CODES = frozenset({"code", "kbd", "samp", "tt", "var", "function", "filename", "literal", "computeroutput"})
_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "emphasis": "*"}
_LINKS = frozenset({"a", "ulink", "link", "xref"})
_CELLS = frozenset({"td", "th"})
_TABLES = frozenset({"table", "tr"})
_DROPPED = frozenset({"script", "style", "template", "iframe", "object", "noscript"})
_TRANSPARENT = frozenset(
    {"u", "s", "span", "small", "sub", "sup", "text", "value", "copy", "replaceable", "zonbook", "xhtml", "img", "font"}
    | {"tbody", "thead", "tfoot", "input", "html", "body", "head", "cite", "q", "abbr", "wbr", "member", "simplelist"}
)
_KNOWN = (
    frozenset({*_CALL_OUTS, *_EMPHASIS, "pre", "dt", "dd", "programlisting"})
    | _PARAGRAPHS | _HEADINGS | _LISTS | _ITEMS | _CODES | _LINKS | _CELLS | _TABLES | _DROPPED | _TRANSPARENT
)  # fmt: skip

_TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<[!?][^<>]*>|<(?P<end>/?)(?P<tag>[A-Za-z][\w:-]*)(?P<rest>[^<>]*)>", re.DOTALL)
_SIMPLE = re.compile(r"\s*<p>\s*(?P<text>[A-Za-z][A-Za-z0-9 ,.;:()'\"/%=-]*)</p>\s*")
_TWICE_ESCAPED = re.compile(r"\s*&lt;(?:p|note|important|ul|div)&gt;")
_ESCAPED_BLOCK = re.compile(r"\s*<(?:p|note|important|ul|div)>")
_HREF = re.compile(r"\b(?:href|url)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))", re.IGNORECASE)
_HIDDEN = re.compile(r"\bhidden\b(?!\s*=\s*[\"']?false)|display\s*:\s*none", re.IGNORECASE)
_SAFE_TARGET = re.compile(r"(?:https?://|mailto:)[^\s<>]+\Z", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_][\w$.:-]*\Z")

# Zero-width and direction marks, soft hyphens, tag characters and the selectors that can smuggle text, control
# characters, and the two private-use characters that stand for finished pieces while a block is assembled.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ue000\ue001\U000e0000-\U000e0fff]"
)
_DEEPEST = 40
"""Elements nested deeper than this are read as if their tags were not there; real ones nest to 9."""

_PIECE = re.compile("\ue000(\\d+)\ue001")
_SPECIAL = re.compile(r"[\\*_<`\[&~]")
_ESCAPABLE = re.compile(
    "(?P<span>(?<!`)(?P<ticks>`+)(?!`)[^`\ue000]+(?P=ticks)(?!`))"
    r"|(?P<mark>`|\\(?=[!-/:-@\[-`{-~])|\*(?=\S)|(?<![^\W_])_(?=\S)|<(?=[A-Za-z/!?])|\[(?=[^\[\]]*\][(\[:])"
    r"|&(?=#?\w+;)|~(?=~))"
)
_BLOCK_START = re.compile(
    r"(?P<number>\d{1,9})(?P<stop>[.)])(?=\s|\Z)|(?P<mark>#{1,6}(?=\s|\Z)|[-+*](?=\s|\Z)|>|[-=~]{3,})"
)
_TICKS = re.compile(r"`+")


@lru_cache(maxsize=16_384)
def to_markdown(text: str) -> str:
    """Turn an HTML or plain description into Markdown.

    Paragraphs of a `note`, `important`, `warning`, `caution` or `tip` become one call-out (`> **Note:** …`), definition
    lists become lists with a bold term, links keep only http, https and mailto targets, and `<a>Name</a>` without a
    target becomes code. Scripts, styles, comments, hidden elements and invisible characters are dropped.

    Args:
        text: Any text; broken HTML is read as far as it can be.

    Returns:
        Markdown without HTML elements; empty for an empty or wholly invisible description.
    """
    if simple := _SIMPLE.fullmatch(text):
        return " ".join(simple["text"].split())
    if _TWICE_ESCAPED.match(text):
        text = html.unescape(text)
    writer = _Writer()
    if "<" not in text:
        for paragraph in re.split(r"\n[ \t]*\n", text):
            writer.text(paragraph)
            writer.flush()
    else:
        _read(text, writer)
    return writer.finish()


def _read(text: str, writer: "_Writer") -> None:
    """Feed the tags and the text between them to a writer, in order."""
    start, dropped = 0, ""
    for token in _TOKEN.finditer(text):
        if not dropped and token.start() > start:
            writer.text(text[start : token.start()])
        start = token.end()
        tag = (token["tag"] or "").lower()
        if dropped:
            dropped = "" if token["end"] and tag == dropped else dropped
        elif token["tag"] is None:
            continue
        elif tag not in _KNOWN:
            writer.literal(token.group())
        elif token["end"]:
            writer.close_tag(tag)
        elif tag in _DROPPED or _HIDDEN.search(token["rest"]):
            dropped = "" if token["rest"].endswith("/") else tag
        elif not token["rest"].endswith("/") or tag in _PARAGRAPHS:
            writer.open_tag(tag, token["rest"])
    if not dropped:
        writer.text(text[start:])


Kind = Literal["p", "list", "code", "heading", "call-out", "table"]


@dataclass(slots=True)
class _Box:
    """A block that holds blocks: the root, a list, an item, a call-out, a table, a row or a cell.

    Attributes:
        label: Title of a call-out, tag of a list, finished term of an item of a definition list.
        in_term: Whether text now belongs to the term.
    """

    kind: str
    label: str = ""
    blocks: list[tuple[Kind, str]] = field(default_factory=list)
    in_term: bool = False


@dataclass(slots=True)
class _Span:
    """An open inline element; `pieces` is what it holds so far."""

    tag: str
    target: str = ""
    pieces: list[str] = field(default_factory=list)
    depth: int = 1


class _Writer:
    """Builds blocks from tags and text. Finished inline pieces wait in `_done`, out of the reach of escaping."""

    def __init__(self) -> None:
        self._boxes = [_Box("root")]
        self._spans: list[_Span] = [_Span("")]
        self._done: list[str] = []
        self._heading = 0
        self._raw: list[str] | None = None

    def text(self, text: str) -> None:
        if "&" in text:
            text = html.unescape(text)
        self._add(_INVISIBLE.sub("", text))

    def literal(self, text: str) -> None:
        """Text that looks like a tag but is none of the vocabulary."""
        self._add(_INVISIBLE.sub("", html.unescape(text)))

    def open_tag(self, tag: str, rest: str) -> None:
        if self._raw is not None:
            return
        if self._in_code() and not self._is_block(tag):
            self._spans[-1].depth += tag in _CODES
        elif len(self._spans) > _DEEPEST or len(self._boxes) > _DEEPEST:
            self.flush()
        elif tag in _CODES or tag in _EMPHASIS or tag in _LINKS:
            self._spans.append(_Span(tag, _target(rest) if tag in _LINKS else ""))
        elif tag not in _TRANSPARENT:
            self.flush()
            self._open_block(tag)

    def close_tag(self, tag: str) -> None:
        if self._raw is not None:
            if tag in ("pre", "programlisting"):
                self._close_raw()
        elif tag in _CODES or tag in _EMPHASIS or tag in _LINKS:
            self._close_span(tag)
        elif tag not in _TRANSPARENT and tag != "br":
            self.flush()
            self._close_block(tag)

    def flush(self) -> None:
        """End the paragraph, heading or term that is being written."""
        while len(self._spans) > 1:
            self._end_span()
        pieces = self._spans[0].pieces
        if not pieces:
            return
        words = " ".join("".join(pieces).split())
        pieces.clear()
        said = _PIECE.sub(lambda match: self._done[int(match[1])], _escape(words)).strip()
        self._done.clear()
        if not said:
            return
        box = self._boxes[-1]
        if box.in_term:
            box.label = f"{box.label} {said}".strip()
        elif self._heading:
            box.blocks.append(("heading", f"{'#' * max(4, self._heading)} {said}"))
        else:
            box.blocks.append(("p", said))

    def finish(self) -> str:
        """Close whatever is open and return the whole."""
        if self._raw is not None:
            self._close_raw()
        self.flush()
        while len(self._boxes) > 1:
            self._end_box()
        return _join(self._boxes[0].blocks)

    def _add(self, text: str) -> None:
        (self._spans[-1].pieces if self._raw is None else self._raw).append(text)

    def _in_code(self) -> bool:
        return self._spans[-1].tag in _CODES

    @staticmethod
    def _is_block(tag: str) -> bool:
        return not (tag in _CODES or tag in _EMPHASIS or tag in _LINKS or tag in _TRANSPARENT)

    # Inline elements.

    def _close_span(self, tag: str) -> None:
        if self._in_code():
            top = self._spans[-1]
            top.depth -= tag in _CODES
            if not top.depth:
                self._end_span()
            return
        same = [number for number, span in enumerate(self._spans) if number and _alike(span.tag, tag)]
        while same and len(self._spans) > same[-1]:
            self._end_span()

    def _end_span(self) -> None:
        span = self._spans.pop()
        into = self._spans[-1].pieces
        inner = "".join(span.pieces)
        words = inner.strip()
        if not words:
            into.append(" " if inner else "")
            return
        before, after = (" " if inner[0].isspace() else ""), (" " if inner[-1].isspace() else "")
        if span.tag in _CODES:
            into.append(before + self._code(inner, into) + after)
        elif span.tag in _EMPHASIS:
            mark = _EMPHASIS[span.tag]
            kept = mark in map(str.strip, self._done_in(words))
            into.append(before + (words if kept else f"{self._piece(mark)}{words}{self._piece(mark)}") + after)
        else:
            into.append(before + self._link(words, span.target, into) + after)

    def _code(self, inner: str, into: list[str]) -> str:
        said = re.sub(r"\s*[\r\n]\s*", " ", inner.strip())
        said = _PIECE.sub(lambda match: self._done[int(match[1])], said)
        joined = bool(into) and bool(into[-1]) and into[-1][-1] in "`\ue001"
        behind_code = joined and (into[-1][-1] == "`" or self._done[-1].endswith("`"))
        return (" " if behind_code else "") + self._piece(_code_span(said))

    def _link(self, words: str, target: str, into: list[str]) -> str:
        if target == words:
            return self._piece(target)
        if target:
            target = target.replace("(", "%28").replace(")", "%29")
            return f"{self._piece('[')}{words}{self._piece(f']({target})')}"
        return self._code(words, into) if _IDENTIFIER.match(words) else words

    def _piece(self, finished: str) -> str:
        self._done.append(finished)
        return f"\ue000{len(self._done) - 1}\ue001"

    def _done_in(self, words: str) -> list[str]:
        return [self._done[int(number)] for number in _PIECE.findall(words)]

    # Blocks.

    def _open_block(self, tag: str) -> None:
        if tag in _HEADINGS:
            self._heading = int(tag[1])
        elif tag in ("pre", "programlisting"):
            self._raw = []
        elif tag in _CALL_OUTS or tag in _LISTS or tag == "table":
            self._boxes.append(_new_box(tag))
        elif tag in _ITEMS:
            self._open_item()
        elif tag == "dt":
            self._open_item()
            self._boxes[-1].in_term = True
        elif tag == "dd":
            self._open_definition()
        elif tag == "tr":
            self._open_within("row", "table")
        elif tag in _CELLS:
            self._open_within("cell", "row")

    def _close_block(self, tag: str) -> None:
        if tag in _HEADINGS:
            self._heading = 0
        elif tag in _CALL_OUTS:
            self._close_box("call-out", frozenset())
        elif tag in _LISTS:
            self._close_box("list", frozenset({"call-out", "cell"}))
        elif tag in _ITEMS:
            self._close_box("item", frozenset({"list", "call-out", "cell"}))
        elif tag == "dt":
            self._boxes[-1].in_term = False
        elif tag in _CELLS:
            self._close_box("cell", frozenset({"table"}))
        elif tag == "tr":
            self._close_box("row", frozenset({"table"}))
        elif tag == "table":
            self._close_box("table", frozenset())

    def _open_item(self) -> None:
        self._close_box("item", frozenset({"list", "call-out", "cell"}))
        if self._boxes[-1].kind != "list":
            self._boxes.append(_Box("list", "ul"))
        self._boxes.append(_Box("item"))

    def _open_definition(self) -> None:
        box = self._boxes[-1]
        if box.kind == "item" and (box.in_term or box.label):
            box.in_term = False
        else:
            self._open_item()

    def _open_within(self, kind: str, outer: str) -> None:
        self._close_box(kind, frozenset({"table"}))
        if self._boxes[-1].kind != outer:
            if outer == "row":
                self._open_within("row", "table")
            else:
                self._boxes.append(_Box(outer))
        self._boxes.append(_Box(kind))

    def _close_box(self, kind: str, barriers: frozenset[str]) -> None:
        """Close the innermost box of a kind and all inside it, unless a barrier stands between."""
        for number in range(len(self._boxes) - 1, 0, -1):
            if self._boxes[number].kind == kind:
                while len(self._boxes) > number:
                    self._end_box()
                return
            if self._boxes[number].kind in barriers:
                return

    def _end_box(self) -> None:
        box = self._boxes.pop()
        kind, render = _RENDER[box.kind]
        if said := render(box):
            self._boxes[-1].blocks.append((kind, said))

    def _close_raw(self) -> None:
        raw = "".join(self._raw or ()).strip("\n").rstrip()
        self._raw = None
        if _ESCAPED_BLOCK.match(raw):
            inner = _Writer()
            _read(raw, inner)
            self._boxes[-1].blocks.append(("p", inner.finish()))
        elif raw.strip():
            fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(raw)), default=0))
            self._boxes[-1].blocks.append(("code", f"{fence}\n{raw}\n{fence}"))


def _new_box(tag: str) -> _Box:
    if tag in _CALL_OUTS:
        return _Box("call-out", _CALL_OUTS[tag])
    return _Box("table") if tag == "table" else _Box("list", "ol" if tag in ("ol", "orderedlist") else "ul")


def _list(box: _Box) -> str:
    items = [text for _, text in box.blocks]
    between = "\n\n" if any("\n\n" in item for item in items) else "\n"
    lines: list[str] = []
    for number, item in enumerate(items, 1):
        marker = f"{number}. " if box.label == "ol" else "- "
        lines.append(
            marker + item.replace("\n", "\n" + " " * len(marker)).replace("\n" + " " * len(marker) + "\n", "\n\n")
        )
    return between.join(lines)


def _item(box: _Box) -> str:
    blocks = box.blocks
    if box.label:
        term = box.label.removesuffix(":")
        term = term if "**" in term else f"**{term}**"
        if blocks and blocks[0][0] == "p":
            blocks = [("p", f"{term}: {blocks[0][1]}"), *blocks[1:]]
        else:
            blocks = [("p", f"{term}:" if blocks else term), *blocks]
    said = ""
    for kind, text in blocks:
        said += ("\n" if kind == "list" and "\n\n" not in text else "\n\n") * bool(said) + text
    return said


def _call_out(box: _Box) -> str:
    if not box.blocks:
        return ""
    first, said = box.blocks[0][0], _join(box.blocks)
    said = f"**{box.label}:**" + (" " if first == "p" else "\n\n") + said
    return "\n".join(f"> {line}".rstrip() for line in said.split("\n"))


def _table(box: _Box) -> str:
    rows = [text for _, text in box.blocks]
    if not rows:
        return ""
    columns = rows[0].count("\n") + 1
    lines = [f"| {row} |".replace("\n", " | ") for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * columns, *lines[1:]])


def _row(box: _Box) -> str:
    return "\n".join(text for _, text in box.blocks)


def _cell(box: _Box) -> str:
    # Never empty: an empty cell still is a column.
    return " ".join(_join(box.blocks).split()).replace("|", "\\|") or " "


_RENDER: dict[str, tuple[Kind, Callable[[_Box], str]]] = {
    "list": ("list", _list),
    "item": ("p", _item),
    "call-out": ("call-out", _call_out),
    "table": ("table", _table),
    "row": ("p", _row),
    "cell": ("p", _cell),
}


def _join(blocks: list[tuple[Kind, str]]) -> str:
    return "\n\n".join(text for _, text in blocks)


def _alike(one: str, other: str) -> bool:
    """Whether a closing tag ends an element: soup closes `b` with `strong` and `code` with `kbd`."""
    return one == other or _EMPHASIS.get(one, one) == _EMPHASIS.get(other) or (one in _LINKS and other in _LINKS)


def _target(rest: str) -> str:
    match = _HREF.search(rest)
    if match is None:
        return ""
    target = _INVISIBLE.sub("", html.unescape(match[1] or match[2] or match[3] or "")).strip().replace(" ", "%20")
    return target if _SAFE_TARGET.match(target) else ""


def _code_span(said: str) -> str:
    ticks = "`" * (1 + max(map(len, _TICKS.findall(said)), default=0))
    space = " " if said.startswith("`") or said.endswith("`") else ""
    return f"{ticks}{space}{said}{space}{ticks}"


def _escape(words: str) -> str:
    if _SPECIAL.search(words):
        lone = "*" if words.count("*") == 1 else ""
        lone += "_" if words.count("_") == 1 else ""
        words = _ESCAPABLE.sub(
            lambda match: match["span"] or (match["mark"] if match["mark"] in lone else "\\" + match["mark"]), words
        )
    if start := _BLOCK_START.match(words):
        mark = f"{start['number']}\\{start['stop']}" if start["number"] else "\\" + start["mark"]
        words = mark + words[start.end() :]
    return words
