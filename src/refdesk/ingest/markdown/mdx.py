"""MDX and Markdoc: imports, exports and component tags to readable Markdown."""

import re

from refdesk.domain.markdown import blocks
from refdesk.ingest.fences import fenced, language_of
from refdesk.ingest.markdown.includes import Includes
from refdesk.ingest.markdown.regions import Selection
from refdesk.ingest.restructured.inclusions import marker
from refdesk.ingest.tabs import CLOSING, opening

_IMPORT = re.compile(
    r"^import[ \t]+(?:(?:type[ \t]+)?(?P<name>[A-Za-z_$][\w$]*)?[ \t]*,?[ \t]*"
    r"(?:\{[^{}]*\}|\*[ \t]+as[ \t]+\w+)?\s*from\s*)?"
    r"""["'](?P<target>[^"'\n]+)["'];?[ \t]*(?:\n|\Z)""",
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export[ \t]+(?:const|let|var|default|function|async|class|type|interface)\b", re.MULTILINE)
_COMMENT = re.compile(r"\{/\*(?![ \t]*#).*?\*/\}", re.DOTALL)
_BRACES = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Z][\w.]*)"
    rf"""(?P<attributes>(?:\s+(?:[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|{_BRACES}))?|{_BRACES}))*)\s*(?P<alone>/?)>"""
)
_MARKDOC = re.compile(
    r"\{%[ \t]*(?P<end>/?)[ \t]*(?P<name>[a-zA-Z][\w-]*)"
    r"""(?P<attributes>(?:[^%"'{}/]|/(?!\s*%\})|"[^"]*"|'[^']*'|%(?!\})|\{[^{}]*\})*)(?P<alone>/?)[ \t]*%\}"""
)
_ATTRIBUTE = re.compile(r"""\b(?P<key>[\w-]+)\s*=\s*\{?\s*(?P<quote>["'`])(?P<value>.*?)(?P=quote)""", re.DOTALL)
_BEFORE_TAG = re.compile(r"(?:(?<=\n)|\A)[ \t]+\Z")
_BARE = re.compile(r"""^[ \t]*["'](?P<value>[^"']+)["']""")
_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_NOTES = frozenset(
    {"note", "tip", "info", "warning", "danger", "caution", "important", "callout", "admonition", "aside", "alert"}
)
_LABELS = ("label", "title", "header", "heading", "summary")
_TABS = frozenset({"tab", "tabitem", "codetab", "tabpanel"})
_STEPS = frozenset({"step"})
_DRAWN = (".jsx", ".tsx", ".vue", ".svelte")


def plain_mdx(text: str, includes: Includes) -> str:
    """Markdown without imports, exports and component tags; tabs become panels, titles of cards bold lines.

    Code and pages that are imported and shown are put where they are shown.
    """
    imported: dict[str, str] = {}
    pieces = [piece if fence else _without_modules(piece, imported) for fence, piece in _pieces(text)]
    shown = _shown("".join(pieces), imported, includes)
    return _Unwrapper(_TAG).text(shown)


def plain_markdoc(text: str) -> str:
    """Markdown without Markdoc tags; tabs become panels, titles bold lines."""
    return _Unwrapper(_MARKDOC).text(text)


def is_mdx(text: str) -> bool:
    """Whether a `.md` file is written in MDX, as some site generators allow."""
    return "<TabItem" in text or (
        _IMPORT.search(text) is not None and re.search(r"^\s*<[A-Z]", text, re.MULTILINE) is not None
    )


def _pieces(text: str) -> list[tuple[bool, str]]:
    """The text in pieces: whether one is code, and itself."""
    return [(block.kind == "fence", text[block.start : block.end]) for block in blocks(text)]


def _without_modules(piece: str, imported: dict[str, str]) -> str:
    def note(match: re.Match[str]) -> str:
        if match["name"]:
            imported[match["name"]] = match["target"].rpartition("!")[2]
        return ""

    piece = _COMMENT.sub("", _IMPORT.sub(note, piece))
    export = _EXPORT.search(piece)
    return piece if export is None else piece[: export.start()] + _after_statement(piece[export.start() :])


def _after_statement(piece: str) -> str:
    """What follows a statement: the rest after the line on which its brackets are closed."""
    depth = 0
    lines = piece.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0:
            return "".join(lines[number:])
    return ""


def _shown(text: str, imported: dict[str, str], includes: Includes) -> str:
    """Put imported files where the text shows them, as `{Name}` or as `<Name />`."""
    for name, target in imported.items():
        use = re.compile(
            rf"(?:<CodeBlock[^>]*>\s*)?\{{\s*{re.escape(name)}\s*\}}(?:\s*</CodeBlock>)?|<{re.escape(name)}\b[^<>]*/>"
        )
        found = use.search(text)
        path = target.partition("?")[0]
        if found is None or not path.startswith((".", "/", "@site", "~")):
            continue
        if path.lower().endswith(_DRAWN) and found.group().startswith(f"<{name}"):
            continue  # a component that draws something
        shown = _file_as_text(path, includes)
        text = use.sub(lambda _, shown=shown: f"\n{shown}\n", text)  # type: ignore[misc]  # mypy: default in lambda
    return text


def _file_as_text(path: str, includes: Includes) -> str:
    if path.lower().endswith((".md", ".mdx")):
        return includes.prose(path, lambda inner: plain_mdx(inner, includes))
    code = includes.code(path, Selection())
    return marker(path) if code is None else fenced(code, language_of(path))


class _Unwrapper:
    """Takes component tags out of the text between fences, and the indentation that they caused out of all of it."""

    def __init__(self, tags: re.Pattern[str]) -> None:
        self._tags = tags
        self._indents: list[int | None] = []

    def text(self, text: str) -> str:
        return "".join(self._dedented(piece, True) if fence else self._prose(piece) for fence, piece in _pieces(text))

    def _prose(self, piece: str) -> str:
        """The piece without tags; a tag may go over several lines, but a component's text is shifted line by line."""
        parts: list[str] = []
        at = 0
        spans = [match.span() for match in _SPAN.finditer(piece)]
        for match in self._tags.finditer(piece):
            if any(start <= match.start() < end for start, end in spans):
                continue
            before = self._dedented(piece[at : match.start()], at == 0 or piece[at - 1] == "\n")
            parts.append(_BEFORE_TAG.sub("", before) if at or not before.strip() else before)
            parts.append(self._replaced(match))
            at = match.end()
        parts.append(self._dedented(piece[at:], at == 0))
        return "".join(parts)

    def _replaced(self, match: re.Match[str]) -> str:
        is_tab = match["name"].lower() in _TABS
        if match["end"]:
            del self._indents[-1:]
            return f"\n\n{CLOSING}\n\n" if is_tab else ""
        if not match["alone"]:
            self._indents.append(None)
            if is_tab:
                return f"\n\n{opening(_named(match['name'], match['attributes']))}\n\n"
        label = _label(match["name"], match["attributes"])
        return f"{label}\n\n" if label else ""

    def _dedented(self, text: str, at_line_start: bool) -> str:
        """Text without the indentation of its component's content, which the first line of that sets."""
        if not self._indents:
            return text
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            if (number or at_line_start) and line.strip():
                indent = len(line) - len(line.lstrip(" "))
                if self._indents[-1] is None:
                    self._indents[-1] = indent
                lines[number] = line[min(indent, self._indents[-1] or 0) :]
        return "".join(lines)


def _label(name: str, attributes: str) -> str:
    """The bold text that stands for a tag: a note's kind, a tab's label, a card's title."""
    label = _named(name, attributes)
    if name.lower() in _NOTES:
        values = _values(attributes)
        kind = values.get("type") or values.get("kind") or name
        word = (kind if kind.lower() in _NOTES else name).capitalize()
        return f"**{word}: {label}**" if label else f"**{word}**"
    return f"**{label}**" if label else ""


def _named(name: str, attributes: str) -> str:
    """The label or title that a tag gives to its content."""
    values, bare = _values(attributes), _BARE.match(attributes)
    label = next((values[key] for key in _LABELS if values.get(key)), bare["value"] if bare else "")
    if not label and name.lower() in _TABS | _STEPS:
        label = values.get("value") or values.get("name") or ""
    return label


def _values(attributes: str) -> dict[str, str]:
    return {match["key"]: match["value"].strip() for match in reversed([*_ATTRIBUTE.finditer(attributes)])}
