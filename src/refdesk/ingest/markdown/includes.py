"""Includes that a source format leaves to its build: the file's text where it is there, else a visible marker.

Forms: mdBook `{{#include f.rs:region}}`, MkDocs `--8<-- "f"`, AsciiDoc `include::f[tag=x]`, Docfx
`[!code-csharp[](f.cs?name=x)]` and `[!INCLUDE [](f.md)]`, MyST ```` ```{literalinclude} f ````; Sphinx directives call
`Includes.selected` from the reStructuredText converter, MDX imports `Includes.code` and `Includes.prose`.
"""

import posixpath
import re
from collections.abc import Callable, Mapping

from refdesk.domain.markdown import Block, blocks
from refdesk.ingest.decoding import decode
from refdesk.ingest.fences import fenced, language_of
from refdesk.ingest.markdown.front_matter import split_front_matter
from refdesk.ingest.markdown.regions import Selection, select
from refdesk.ingest.restructured.inclusions import marker

_PROSE = (".md", ".mdx", ".markdown", ".rst", ".inc")
_DEEPEST = 5

_MDBOOK = re.compile(r"(?<!\\)\{\{#(?P<how>include|rustdoc_include|playground)[ \t]+(?P<target>[^\s}]+)[^}]*\}\}")
_SNIPPET = re.compile(r"""^(?P<indent>[ \t]*)(?:-{1,}8<-{1,})[ \t]+["'](?P<target>[^"']+)["'][ \t]*$""")
_ASCIIDOC = re.compile(r"^(?P<indent>[ \t]*)include::(?P<target>[^\[\]\s]+)\[(?P<options>[^\]]*)\][ \t]*$")
_DOCFX_CODE = re.compile(
    r"\[!code(?:-(?P<language>[\w+#-]+))?[ \t]*\[[^\]]*\]\((?P<target>[^()?#\s]+)(?P<options>[?#][^()\s]*)?[^()]*\)\]",
    re.IGNORECASE,
)
_DOCFX_TEXT = re.compile(r"\[!include[ \t]*-?[ \t]*\[[^\]]*\]\((?P<target>[^()\s]+)[^()]*\)\]", re.IGNORECASE)
_MYST = re.compile(r"\{(?P<how>literalinclude|include)\}[ \t]+(?P<target>\S+)")
_OPTION = re.compile(r"^[ \t]*:(?P<key>[\w-]+):[ \t]*(?P<value>.*)$")
_ANY = ("{{#", "8<-", "include::", "[!", "{literalinclude}", "{include}")


class Includes:
    """Resolves the includes of one page.

    Attributes:
        missing: Targets that could not be resolved, in order of appearance.
        used: Paths of prose that was taken into the page.
    """

    def __init__(self, page: str, files: Mapping[str, bytes]) -> None:
        self._stack = [page]
        self._files = files
        self.missing: list[str] = []
        self.used: set[str] = set()

    def resolve(self, text: str) -> str:
        """The Markdown text with its includes resolved."""
        if not any(mark in text for mark in _ANY):
            return text
        return "".join(self._block(text, block) for block in blocks(text))

    def code(self, target: str, selection: Selection) -> str | None:
        """Lines of a file, dedented; None, and noted as missing, if the file or the region is not there."""
        path = self._path(target)
        chosen = select(decode(self._files[path])[0], selection) if path else None
        if chosen is None:
            self.missing.append(target)
        return chosen

    def selected(self, target: str, options: Mapping[str, str]) -> str | None:
        """Lines of a file as the options of Sphinx' `literalinclude` choose them; see `code`."""
        return self.code(target, Selection.from_directive(options))

    def prose(self, target: str, convert: Callable[[str], str] | None = None) -> str:
        """Text of a page that is taken into this one, its own includes resolved; a marker if it is not there."""
        path = self._path(target)
        if not path or path in self._stack or len(self._stack) > _DEEPEST:
            self.missing.append(target)
            return marker(target)
        self.used.add(path)
        self._stack.append(path)
        text = split_front_matter(decode(self._files[path])[0]).text
        text = convert(text) if convert else self.resolve(text)
        self._stack.pop()
        return text.strip()

    def _path(self, target: str) -> str:
        """Path of a target among the files; empty if it is not there."""
        clean = target.partition("?")[0]
        here = posixpath.dirname(self._stack[-1])
        root = re.sub(r"^(?:~|@site|@)?/+", "", clean)
        for candidate in (posixpath.join(here, clean) if root == clean else root, root):
            normal = posixpath.normpath(candidate)
            if normal in self._files:
                return normal
        return ""

    def _block(self, text: str, block: Block) -> str:
        whole = text[block.start : block.end]
        myst = _MYST.match(block.info) if block.kind == "fence" else None
        if myst is not None:
            return self._myst(whole, myst["how"], myst["target"])
        if not any(mark in whole for mark in _ANY):
            return whole
        inside = block.kind == "fence"
        lines = whole.split("\n")
        return "\n".join(self._line(line, inside=inside) for line in lines)

    def _line(self, line: str, *, inside: bool) -> str:
        snippet = _SNIPPET.match(line)
        if snippet is not None:
            return self._one(snippet["target"], _colons(snippet["target"]), snippet["indent"], inside=inside)
        asciidoc = _ASCIIDOC.match(line)
        if asciidoc is not None:
            return self._one(asciidoc["target"], _asciidoc(asciidoc["options"]), asciidoc["indent"], inside=inside)
        line = _MDBOOK.sub(
            lambda match: self._one(match["target"], _colons(match["target"]), _indent(line), inside=inside).lstrip(),
            line,
        )
        if inside:
            return line
        line = _DOCFX_CODE.sub(self._docfx, line)
        return _DOCFX_TEXT.sub(lambda match: self.prose(match["target"]), line)

    def _one(self, target: str, selection: Selection, indent: str, *, inside: bool) -> str:
        file = target.partition(":")[0] if selection != Selection() else target
        if not inside and file.lower().endswith(_PROSE) and selection == Selection():
            text = self.prose(file)
        else:
            code = self.code(file, selection)
            missing = marker(target) if code is None else ""
            text = missing or (
                code or "" if inside or file.lower().endswith(_PROSE) else fenced(code or "", language_of(file))
            )
        return "\n".join(indent + line if line else line for line in text.rstrip("\n").split("\n"))

    def _docfx(self, match: re.Match[str]) -> str:
        code = self.code(match["target"], _docfx(match["options"] or ""))
        if code is None:
            return marker(match["target"])
        return "\n" + fenced(code, (match["language"] or language_of(match["target"])).lower()) + "\n"

    def _myst(self, whole: str, how: str, target: str) -> str:
        options = dict(_OPTION.findall(line)[0] for line in whole.splitlines() if _OPTION.match(line))
        tail = whole[len(whole.rstrip()) :]
        indent = _indent(whole)
        if how == "include" and not any(key.startswith(("start", "end", "lines")) for key in options):
            text = self.prose(target)
        else:
            code = self.code(target, Selection.from_directive(options))
            language = options.get("language") or language_of(target)
            text = marker(target) if code is None else fenced(code, language)
        return "\n".join(indent + line if line else line for line in text.split("\n")) + tail


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _colons(target: str) -> Selection:
    """`file:region`, `file:3`, `file:3:7`, `file::7`."""
    _, first, rest = target.partition(":")
    if not first:
        return Selection()
    start, colon, end = rest.partition(":")
    if start.isdigit() or end.isdigit():
        return Selection(lines=f"{start or 1}-{end if colon else start}")
    return Selection(region=start)


def _asciidoc(options: str) -> Selection:
    found = dict(re.findall(r"(lines|tags?)=\"?([^\",]+)", options))
    return Selection(
        lines=found.get("lines", "").replace("..", "-").replace(";", ","),
        region=found.get("tag") or found.get("tags", ""),
    )


def _docfx(options: str) -> Selection:
    lines = re.fullmatch(r"#L(\d+)(?:-L?(\d+))?", options)
    if lines is not None:
        return Selection(lines=f"{lines[1]}-{lines[2] or lines[1]}")
    found = dict(re.findall(r"(name|range|start|end)=([^&]+)", options.removeprefix("?")))
    span = f"{found.get('start', '1')}-{found.get('end', '')}" if "start" in found or "end" in found else ""
    region = found.get("name", "") or (options[1:] if options.startswith("#") else "")
    return Selection(lines=found.get("range", "") or span, region=region)
