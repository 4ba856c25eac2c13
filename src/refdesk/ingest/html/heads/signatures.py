"""Declarations: their text without the marks of a page, and the parameters that they name."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml.etree import tostring
from lxml.html import HtmlElement

from refdesk.domain.symbols import Param, ParamKind

_MARKS = (
    "headerlink",
    "viewcode",
    "anchor",
    "permalink",
    "srclink",
    "notable-traits",
    "rightside",
    "tooltip",
    "hideme",
)
"""Classes of what stands inside a declaration and is none of it."""

_LONGEST = 20_000
"""Characters of the longest declaration that is read."""

_TYPE_FIRST = frozenset({"c", "cpp", "java", "csharp"})
_WITH_ANGLES = _TYPE_FIRST | {"rust", "typescript", "javascript"}
_RECEIVERS = frozenset({"self", "cls", "&self", "&mut self", "mut self", "this"})
_OPEN, _CLOSE = "([{", ")]}"
_NESTED = re.compile(r"[\[\]{}()<>'\"]")
_TOKEN = re.compile(
    r"->|=>|>=|<=|[()\[\]{}<>,]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^()\[\]{}<>,'\"=-]+|.", re.DOTALL
)
_NAME_FIRST = re.compile(
    r"(?P<stars>\*{1,2}|\.\.\.|\$)?(?P<name>[A-Za-z_$][\w$.-]*)(?P<maybe>\?)?\s*(?::\s*(?P<type>[^=]*?(?:=>[^=]*?)*))?"
    r"\s*(?:=(?!>)\s*(?P<default>.*))?",
    re.DOTALL,
)
_NAME_LAST = re.compile(
    r"(?P<type>.*[\s*&>\].])(?P<name>[A-Za-z_]\w*)(?P<array>(?:\[\w*\])*)\s*(?:=\s*(?P<default>.*))?", re.DOTALL
)
_KINDS: Mapping[str, ParamKind] = {"*": "var_positional", "...": "var_positional", "**": "var_keyword"}
_RETURN = re.compile(r"\s*(?:→|->|:)\s*(?P<type>.+)\Z", re.DOTALL)
_GAP = re.compile(r"(?<=[=\s(\[,])([-+~]) (?=[\w.])|^([-+~]) (?=[\w.])")
"""Sphinx 4 wrote `axis=- 1`."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What a declaration says.

    Attributes:
        called: Whether it has a list of parameters at all.
        returns: Type of the result, as written after an arrow; empty if not stated.
    """

    params: tuple[Param, ...] = ()
    called: bool = False
    returns: str = ""


def signature_text(element: HtmlElement) -> str:
    """The text of a declaration on one line, or on the lines that the page breaks it into; no marks, no tooltips."""
    if element.find(".//br") is None and not _marked_inside(element):
        return " ".join(_unmarked(element).split())
    parts: list[str] = []
    _collect(element, parts)
    lines = (" ".join(line.split()) for line in "".join(parts).replace("\n", " ").split("\x00"))
    return "\n".join(line for line in lines if line)


def code_text(element: HtmlElement) -> str:
    """The text of a declaration that the page sets line by line (`pre`), without marks."""
    parts: list[str] = []
    _collect(element, parts)
    lines = "".join(parts).replace("\x00", "\n").replace("\xa0", " ").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n").strip()


def read_declaration(text: str, language: str, name: str = "") -> Declared:
    """The parameters that a declaration names, in order; nothing where it cannot be read.

    Args:
        text: The declaration.
        language: Decides whether types stand before names.
        name: Last part of the declared name: its parameters follow it.
    """
    start = _opening(text, name) if len(text) <= _LONGEST else -1
    if start < 0:
        return Declared()
    parts, end = _parts(text, start + 1, angles=language in _WITH_ANGLES)
    read = _type_first if language in _TYPE_FIRST else _name_first
    match = _RETURN.match(text, end)
    returns = match["type"].strip().rstrip("{;").strip() if match is not None and language not in _TYPE_FIRST else ""
    return Declared(tuple(_params(parts, read)), called=True, returns=returns.partition("\nwhere")[0].strip())


def copyable(text: str) -> str:
    """A declaration as code: the arrow that pages typeset, as one types it."""
    return text.replace(" → ", " -> ").replace("→", "->") if "→" in text else text


def _marked_inside(element: HtmlElement) -> bool:
    """Whether marks may stand elsewhere than at the end (Sphinx puts them there)."""
    return element.tag != "dt" and any(_is_mark(child) for child in element.iter("a", "span", "div"))


def _unmarked(element: HtmlElement) -> str:
    text = str(tostring(element, encoding="unicode", method="text", with_tail=False))
    last = element[-1] if len(element) else None
    while last is not None and (_is_mark(last) or last.find(".//*[@class='viewcode-link']") is not None):
        mark = str(tostring(last, encoding="unicode", method="text", with_tail=False)) + (last.tail or "")
        text = text.removesuffix(mark)
        last = last.getprevious()
    return text


def _is_mark(element: HtmlElement) -> bool:
    names = element.get("class")
    return names is not None and any(mark in names for mark in _MARKS)


def _collect(element: HtmlElement, parts: list[str]) -> None:
    if element.text:
        parts.append(element.text)
    for child in element:
        if child.tag == "br":
            parts.append("\x00")
        elif isinstance(child.tag, str) and child.tag != "button" and not _is_mark(child):
            _collect(child, parts)
        if child.tail:
            parts.append(child.tail)


def _opening(text: str, name: str) -> int:
    """Where the list of parameters opens; -1 if nothing does."""
    at = text.find(f"{name}(") if name else -1
    if at >= 0:
        return at + len(name)
    return text.find("(", max(text.find(name), 0) if name else 0)


def _parts(text: str, start: int, *, angles: bool) -> tuple[Sequence[tuple[str, bool]], int]:
    """Parameters as written, each with whether it stands in optional brackets, and where their list ended."""
    close = text.find(")", start)
    inner = text[start:close] if close >= 0 else ""
    if close >= 0 and not _NESTED.search(inner):
        return [(part.strip(), False) for part in inner.split(",")], close + 1
    return _Splitter(text, start, angles=angles).split()


class _Splitter:
    """Splits a list of parameters at the commas that stand in no brackets, strings or type arguments."""

    def __init__(self, text: str, start: int, *, angles: bool) -> None:
        self._text, self._start = text, start
        self._open = _OPEN + ("<" if angles else "")
        self._close = _CLOSE + (">" if angles else "")
        self._found: list[tuple[str, bool]] = []
        self._part: list[str] = []
        self._depth = 0
        self._optional = 0
        self._was_optional = False

    def split(self) -> tuple[Sequence[tuple[str, bool]], int]:
        for match in _TOKEN.finditer(self._text, self._start):
            piece = match[0]
            if not self._depth and piece == ")":
                self._end_part()
                return self._found, match.end()
            self._take(piece, match.end())
        self._end_part()
        return self._found, len(self._text)

    def _take(self, piece: str, end: int) -> None:
        if not self._depth and piece == ",":
            self._end_part()
        elif not self._depth and piece == "[" and self._opens_optional(end):
            if not "".join(self._part).strip():
                self._was_optional = True
            self._optional += 1
        elif not self._depth and piece == "]" and self._optional:
            self._optional -= 1
        else:
            self._depth += (piece in self._open) - (piece in self._close and self._depth > 0)
            self._part.append(piece)

    def _opens_optional(self, end: int) -> bool:
        """`x[, y]` and `[x]` are optional, `x=[]` and `x: list[int]` are not."""
        return not "".join(self._part).strip() or self._text[end : end + 2].lstrip()[:1] == ","

    def _end_part(self) -> None:
        self._found.append(("".join(self._part).strip(), self._was_optional))
        self._part = []
        self._was_optional = self._optional > 0


def _params(parts: Sequence[tuple[str, bool]], read: Callable[[str, bool], Param | None]) -> Iterator[Param]:
    found: list[Param] = []
    keyword_only = False
    for text, optional in parts:
        if text == "/":
            found = [_positional(one) for one in found]
        elif text == "*":
            keyword_only = True
        elif text and text not in _RECEIVERS and (one := read(text, optional)) is not None:
            if keyword_only and not one.kind:
                one = _with_kind(one, "keyword_only")
            keyword_only = keyword_only or one.kind == "var_positional"
            found.append(one)
    yield from found


def _name_first(text: str, optional: bool) -> Param | None:
    match = _NAME_FIRST.fullmatch(text)
    if match is None or text.startswith(("self:", "mut self")):
        return None
    kind = _KINDS.get(match["stars"] or "", "")
    default = match["default"]
    return Param(
        name=match["name"],
        type=(match["type"] or "").strip(),
        required=default is None and not optional and not match["maybe"] and not kind,
        default=tidy(default) if default is not None else None,
        kind=kind,
    )


def _type_first(text: str, optional: bool) -> Param | None:
    if text == "...":
        return Param("...", kind="var_positional")
    match = _NAME_LAST.fullmatch(text)
    if match is None:
        return None
    default = match["default"]
    type_ = " ".join(f"{match['type']}{match['array']}".split())
    variable = type_.endswith("...")
    return Param(
        name=match["name"],
        type=type_,
        required=default is None and not optional and not variable,
        default=default.strip() if default is not None else None,
        kind="var_positional" if variable else "",
    )


def tidy(default: str) -> str:
    """A default as one would write it: `- 1` is `-1`."""
    return _GAP.sub(r"\1\2", default.strip())


def _positional(param: Param) -> Param:
    return _with_kind(param, "positional_only") if not param.kind else param


def _with_kind(param: Param, kind: ParamKind) -> Param:
    return Param(param.name, param.type, param.required, param.default, kind=kind)
