"""Blocks of code, byte for byte, with their language and without line numbers and buttons."""

import re
from collections.abc import Callable
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from refdesk.ingest.fences import fenced_lines, guess_language
from refdesk.ingest.html.rendering.queries import holds_break, holds_pre, string_of, truth
from refdesk.ingest.html.rendering.walker import ClassHandler, Lines, Walker

_holds_odd = truth(
    ".//*[not(self::span or self::a or self::code or self::em or self::strong or self::b or self::i or self::mark)]"
)
_class_names = cast("Callable[[HtmlElement], list[str]]", etree.XPath(".//@class", smart_strings=False))
_holds_table = truth(".//table")
_NUMBERS = frozenset({
    "linenos", "lineno", "linenumber", "line-number", "line-numbers", "line-numbers-rows", "line-numbers-wrapper",
    "gutter", "rouge-gutter", "hljs-ln-numbers", "hljs-ln-n", "linenodiv", "react-syntax-highlighter-line-number", "ln",
    "code-line-number", "blob-num", "copy", "copybtn", "copy-button", "test-arrow", "hideme", "line-no",
    "lnt",
})  # fmt: skip
_LINES = frozenset({"line", "code-line", "ec-line", "token-line", "view-line", "cl"})
_SPECIAL = _NUMBERS | _LINES | {"boring"}
_OWN_LINE = frozenset({"div", "p", "li", "tr", "pre", "h1", "h2", "h3", "h4", "ul", "ol", "table", "details"})
_DROPPED = frozenset({"button", "script", "style", "input", "template", "noscript"})
_PREFIXED = re.compile(r"(?:highlight(?:-source)?|language|lang|sourceCode|brush:?|code)-(?P<name>[\w+#.-]+)\Z")
_PLAIN = frozenset({
    "text", "plain", "plaintext", "none", "txt", "nohighlight", "no-highlight", "source", "output", "block", "default",
    "ref", "example", "snippet", "wrapper", "container", "fence", "sample", "toolbar", "copy", "inline", "autohide",
})  # fmt: skip
_BARE = frozenset({
    "python", "python3", "pycon", "py", "bash", "sh", "shell", "console", "shell-session", "java", "javascript", "js",
    "typescript", "ts", "jsx", "tsx", "json", "yaml", "toml", "ini", "xml", "html", "css", "scss", "c", "cpp", "csharp",
    "go", "rust", "ruby", "php", "perl", "sql", "kotlin", "swift", "scala", "haskell", "r", "lua", "dart", "elixir",
    "erlang", "clojure", "groovy", "powershell", "diff", "makefile", "dockerfile", "nginx", "graphql", "http", "cmake",
    "fortran", "matlab", "julia", "vim", "protobuf", "ocaml", "objectivec", "vb", "fsharp",
})  # fmt: skip
_ATTRIBUTES = ("data-language", "data-lang", "lang", "syntax", "data-code-language")
_COLOURS = re.compile(r"</?(?:font|span|u|b|i)(?:\s[^<>]*)?>")
_HOLDERS = 4
"""How many elements around a block are asked for its language."""


def preformatted(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A `pre`: a fence; one for each of the twins that Node shows in one place."""
    if len(element) and holds_pre(element) and not _holds_table(element):
        walker.flow(element, out)  # mdBook wraps one `pre` into another
        return
    codes = [child for child in element if child.tag == "code"] if 1 < len(element) < 8 else []
    if len(codes) > 1 and all("language-" in (one.get("class") or "") for one in codes):
        _twins(walker, codes, out)
        return
    write_code(code_text(walker, element), language_of(element), out)


def write_code(code: str, language: str, out: Lines) -> None:
    """A fence around code; nothing where there is none."""
    if code.strip():
        out += [*fenced_lines(code, language), ""]


def code_text(walker: Walker, element: HtmlElement) -> str:
    """The text of preformatted code as a browser shows it, without what generators put beside it."""
    if len(element) and _is_odd(walker, element):
        parts: list[str] = []
        _collect(walker, element, parts, 0)
        text = "".join(parts)
    else:
        text = string_of(element)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if element.tag in ("pre", "textarea", "listing") and (element.text or "")[:1] in ("\n", "\r"):
        text = text.removeprefix("\n")
    return text.rstrip()


def _is_odd(walker: Walker, element: HtmlElement) -> bool:
    """Whether something inside of code is more than a word in colour."""
    if _holds_odd(element):
        return True
    for names in {*_class_names(element)}:
        if not _SPECIAL.isdisjoint(names.split()):
            return True
    skip = walker.options.skip
    return walker.skips and any(child in skip for child in element.iterdescendants())


def language_of(element: HtmlElement) -> str:
    """The language that a block of code states: on itself, on the code inside it, on what is around it."""
    inside = next((child for child in element if child.tag == "code"), None) if 0 < len(element) < 3 else None
    default = False
    places = [element] if inside is None else [inside, element]
    around: HtmlElement | None = element.getparent()
    while (
        around is not None
        and len(places) < _HOLDERS + 1
        and around.tag in ("div", "figure", "td", "tr", "tbody", "table")
    ):
        places.append(around)
        around = around.getparent()
    for place in places:
        names = (place.get("class") or "").split()
        found = _named(names, bare=place.tag in ("pre", "code"))
        if found and found not in _PLAIN:
            return found
        for attribute in _ATTRIBUTES if not found else ():
            value = (place.get(attribute) or "").lower()
            if value and (attribute != "lang" or value in _BARE) and value not in _PLAIN:
                return value
        default = default or "highlight-default" in names
    if default:
        return guess_language(string_of(element))
    return ""


def line_fragment(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Doxygen's `div.fragment`, whose lines are divisions and whose blanks are protected ones."""
    if element.find("div") is None:
        return False
    write_code(code_text(walker, element).replace("\xa0", " "), language_of(element), out)
    return True


def numbered_code(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A table of line numbers beside code."""
    blocks = [pre for cell in element.iter("td") if _is_code_cell(cell) for pre in cell.iter("pre")]
    for pre in blocks:
        preformatted(walker, pre, out)
    return bool(blocks)


def declaration(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Javadoc's declaration of a type or member, where it is not rendered as an entry."""
    write_code(code_text(walker, element).replace("\xa0", " "), "java", out)
    return True


def terminal(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A terminal that a script draws (`div.termy`): its text holds the markup of colours, which no reader sees."""
    blocks = list(element.iter("pre"))
    for pre in blocks:
        write_code(_COLOURS.sub("", code_text(walker, pre)), language_of(pre) or "console", out)
    return bool(blocks)


def beside_code(_walker: Walker, element: HtmlElement, _out: Lines) -> bool:
    """What stands beside a block and repeats its language or numbers its lines; other things of this name stay."""
    near = element.getparent()
    return near is not None and holds_pre(near) and not holds_pre(element)


def _twins(walker: Walker, codes: list[HtmlElement], out: Lines) -> None:
    for one in codes:
        names = (one.get("class") or "").split()
        label = next((kind for kind in ("mjs", "cjs") if kind in " ".join(names)), "")
        inner: Lines = []
        write_code(code_text(walker, one), _named(names, bare=False), inner)
        if label:
            title = {"mjs": "ESM", "cjs": "CommonJS"}[label]
            inner = [f'<tab label="{title}">', "", *inner, "</tab>", ""]
        out += inner


def _named(names: list[str], *, bare: bool) -> str:
    """The language that class names state; `default` and its like are no language but an answer."""
    answer = ""
    for name in names:
        match = _PREFIXED.match(name)
        if match is not None:
            found = match["name"].lower()
            if found not in _PLAIN:
                return found
            answer = answer or (found if found in ("text", "none", "plaintext") else "")
    if bare:
        known = next((name.lower() for name in names if name.lower() in _BARE), "")
        if known:
            return known
        if any(name.startswith("brush") for name in names):
            return next((name.strip(";") for name in names if name.strip(";") in _BARE), "")
    return answer


def _collect(walker: Walker, element: HtmlElement, parts: list[str], depth: int) -> None:
    if element.text:
        parts.append(element.text)
    for child in element:
        _collect_child(walker, child, parts, depth)
        if child.tail:
            parts.append(child.tail)


def _collect_child(walker: Walker, child: HtmlElement, parts: list[str], depth: int) -> None:
    tag = child.tag
    if not isinstance(tag, str) or tag in _DROPPED or walker.left_out(child):
        return
    if tag == "br":
        parts.append("\n")
        return
    if tag == "img":
        parts.append(child.get("alt") or "")
        return
    names = (child.get("class") or "").split()
    if names and (not _NUMBERS.isdisjoint(names) or (walker.options.visible and "boring" in names)):
        return
    if depth > 100:
        parts.append(string_of(child))
        return
    own_line = tag in _OWN_LINE or (not _LINES.isdisjoint(names) and _ends_nowhere(child))
    if own_line:
        _to_line_start(parts)
    size = len(parts)
    _collect(walker, child, parts, depth + 1)
    if own_line and any(parts[size:]):
        _to_line_start(parts)


def _ends_nowhere(child: HtmlElement) -> bool:
    """Whether nothing between this line and the next one ends it."""
    if child.tail:
        return False
    text = string_of(child)
    return not text.endswith("\n") and child.getnext() is not None and not holds_break(child)


def _to_line_start(parts: list[str]) -> None:
    last = next((part for part in reversed(parts) if part), "\n")
    if not last.endswith("\n"):
        parts.append("\n")


def _is_code_cell(cell: HtmlElement) -> bool:
    return not {"code", "rouge-code", "blob-code", "lntd"}.isdisjoint((cell.get("class") or "").split()) and not any(
        name in ("linenos", "gutter", "rouge-gutter") for name in (cell.get("class") or "").split()
    )


BLOCKS = dict.fromkeys(("pre", "textarea", "xmp", "listing", "plaintext"), preformatted)

CLASSES: dict[str, ClassHandler] = {
    "fragment": line_fragment,
    "member-signature": declaration,
    "memberSignature": declaration,
    "type-signature": declaration,
    "line-numbers-wrapper": beside_code,
    "line-numbers": beside_code,
    "lang": beside_code,
    "termy": terminal,
    **dict.fromkeys(("highlighttable", "rouge-table", "highlight", "lntable", "codehilitetable"), numbered_code),
}
