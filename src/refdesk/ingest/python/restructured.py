"""reStructuredText as Markdown: docstrings and long descriptions of packages.

Reads what is common in Python's documentation (docutils' reStructuredText specification, Sphinx' directives, the
call-outs of MkDocs); what it does not know stays readable text. Blocks of code stay byte for byte.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import dedent

from refdesk.ingest.fences import PROMPT, fenced_lines, guess_language
from refdesk.ingest.restructured.inline import Names, inline, normal

_DIRECTIVE = re.compile(r"\.\. (?P<name>[A-Za-z][\w:.+-]*)::(?:\s+(?P<argument>.*))?\Z")
_SUBSTITUTION = re.compile(r"\.\. \|[^|]+\| ")
_TARGET = re.compile(r"\.\. _(?P<name>`[^`]+`|[^:`]+):\s*(?P<url>\S+)?\s*\Z")
_FOOTNOTE = re.compile(r"\.\. \[(?P<mark>[^\]]+)\]\s*(?P<text>.*)\Z")
_OPTION = re.compile(r":[\w-]+:(?:\s.*)?\Z")
_ITEM = re.compile(r"(?P<mark>[-*+\u2022]|\d{1,3}[.)]|\(?[a-z]\)|#\.)\s+(?=\S)")
_ADORNMENT = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{2,}\s*\Z")
_SIMPLE_TABLE = re.compile(r"=+(?: +=+)+\s*\Z")
_GRID = re.compile(r"\+[-=+]+\+\s*\Z")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})")
_MKDOCS = re.compile(r"(?:!!!|\?\?\?\+?) +(?P<kind>[\w-]+)(?: +\"(?P<title>[^\"]*)\")?\s*\Z")
_MARKDOWN = re.compile(r"^(?:```|#{1,6} \S)|(?:\A|\n\n)~~~|\]\([^)\s]+\)|^!!! \w", re.MULTILINE)
"""Tildes below a line of text underline a heading of reStructuredText."""

_DEEPEST = 20
"""Blocks inside of blocks that are told apart; what is deeper stays plain lines."""

_CODE = {
    "code-block", "code", "sourcecode", "parsed-literal", "testcode", "doctest", "ipython", "prompt", "highlight",
    "jupyter-execute", "plot", "productionlist", "math", "console", "try_on_binder",
}  # fmt: skip
_CALL_OUTS = {
    "note", "warning", "tip", "important", "caution", "danger", "hint", "attention", "error", "seealso", "todo",
    "admonition", "topic", "sidebar", "example", "info", "abstract", "question", "success", "failure", "bug", "quote",
}  # fmt: skip
_DROPPED = {
    "literalinclude", "image", "figure", "include", "toctree", "contents", "raw", "currentmodule", "module", "index",
    "automodule", "autoclass", "autofunction", "automethod", "autosummary", "only", "highlight", "meta", "role",
    "default-role", "sectionauthor", "codeauthor", "tabularcolumns", "graphviz", "inheritance-diagram", "py:module",
    "py:currentmodule", "testsetup", "testcleanup", "container", "minigallery",
}  # fmt: skip
_CHANGES = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
    "deprecated-removed": "Deprecated since version",
}


@dataclass(slots=True)
class _Document:
    heading: int
    names: Names
    adornments: list[str] = field(default_factory=list)
    depth: int = 0


def to_markdown(text: str, heading: int = 2) -> str:
    """A text in reStructuredText, plain text or Markdown as Markdown.

    Args:
        text: Without common indentation.
        heading: Level of its highest headings.
    """
    text = text.replace("\x00", "").expandtabs(4).strip("\n")
    if "\n" not in text and not text.startswith((".. ", ">>>", "```", "~~~")):
        return inline(text.strip().removesuffix("::") + (":" if text.rstrip().endswith("::") else ""))
    document = _Document(heading, _names(text))
    lines = text.split("\n")
    blocks = _markdown_blocks(lines, document) if _MARKDOWN.search(text) else _blocks(lines, document)
    return "\n".join(blocks).strip("\n")


def _names(text: str) -> Names:
    found = Names()
    for line in text.split("\n"):
        match = _TARGET.match(line.strip())
        if match and match["url"]:
            found.targets[normal(match["name"])] = match["url"]
    return found


def _blocks(lines: Sequence[str], document: _Document) -> list[str]:
    """Blocks of reStructuredText at one level of indentation."""
    if document.depth >= _DEEPEST:
        return [line.strip() for line in lines]
    document.depth += 1
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            if out and out[-1]:
                out.append("")
            at += 1
            continue
        taken, block = _block(lines, at, document)
        if out and out[-1] and block and (_apart(block) or _apart_end(out)):
            out.append("")
        out += block
        at += taken
    document.depth -= 1
    return out


def _apart(block: Sequence[str]) -> bool:
    return block[0].startswith(("```", "~~~", "> ", "#", "**"))


def _apart_end(out: Sequence[str]) -> bool:
    return out[-1].startswith(("```", "~~~", "> ", "#"))


def _block(lines: Sequence[str], at: int, document: _Document) -> tuple[int, list[str]]:
    """How many lines the block that starts at `at` takes, and what it becomes."""
    line = lines[at]
    if line.startswith(".. ") or line.strip() == "..":
        taken, body = _indented(lines, at + 1)
        return taken + 1, _explicit(line, body, document)
    if line[0] == " ":
        taken, body = _indented(lines, at)
        code = "\n".join(body)
        language = guess_language(code)
        return taken, fenced_lines(code, language) if language in ("python", "console") else _blocks(body, document)
    for read in (_fence, _session, _table, _heading, _call_out, _item):
        found = read(lines, at, document)
        if found is not None:
            return found
    return _paragraph(lines, at, document)


def _indented(lines: Sequence[str], at: int) -> tuple[int, list[str]]:
    """The indented lines from here on, without their common indentation and blank lines around."""
    end = at
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" ")):
        end += 1
    while end > at and not lines[end - 1].strip():
        end -= 1
    return end - at, dedent("\n".join(lines[at:end])).strip("\n").split("\n") if end > at else []


def _explicit(line: str, body: list[str], document: _Document) -> list[str]:
    directive = _DIRECTIVE.match(line.rstrip())
    if directive is not None:
        return _directive(directive["name"].lower(), (directive["argument"] or "").strip(), body, document)
    footnote = _FOOTNOTE.match(line)
    if footnote is not None:
        said = inline(" ".join([footnote["text"], *body]).strip(), document.names)
        return [f"[^{footnote['mark'].lstrip('#') or '#'}]: {said}"]
    return []  # a comment, a target or a substitution: nothing to read


def _directive(name: str, argument: str, body: list[str], document: _Document) -> list[str]:
    while body and _OPTION.match(body[0]):
        body = body[1:]
    if name in _CHANGES:
        return _change(name, argument, body, document)
    if name in _CODE:
        code = "\n".join(body).strip("\n")
        language = {"math": "math", "doctest": "pycon", "ipython": "pycon", "console": "console"}.get(name)
        return fenced_lines(code, language or argument.partition(" ")[0] or guess_language(code)) if code else []
    if name in _DROPPED:
        return []
    if name in _CALL_OUTS:
        return _quoted(name, argument, body, document)
    if name == "rubric":
        return [f"**{inline(argument)}**", *_blocks(body, document)]
    return [*([inline(argument, document.names)] if argument else []), *_blocks(body, document)]


def _change(name: str, argument: str, body: list[str], document: _Document) -> list[str]:
    version, _, note = argument.partition(" ")
    text = " ".join(part for part in _strip_blank([note, *_blocks(body, document)]) if part)
    head = f"{_CHANGES[name]} {version.rstrip(':')}" if version else _CHANGES[name].rpartition(" ")[0]
    said = f"**{head}:** {inline(text, document.names)}" if text else f"**{head}.**"
    return [f"> {said}"] if name.startswith("deprecated") else [said]


def _quoted(name: str, argument: str, body: list[str], document: _Document) -> list[str]:
    titled = name in ("admonition", "topic", "sidebar")
    title = (
        inline(argument.rstrip(":")) if titled and argument else {"seealso": "See also"}.get(name, name.capitalize())
    )
    inner = _strip_blank(_blocks([*([] if titled or not argument else [argument]), *body], document))
    if not inner:
        return []
    if inner[0].startswith(("```", "- ", "* ", "> ", "#")):
        inner = ["", *inner]
    first = f"> **{title}:** {inner[0]}".rstrip()
    return [first, *(f"> {line}".rstrip() for line in inner[1:])]


def _fence(lines: Sequence[str], at: int, _document: _Document) -> tuple[int, list[str]] | None:
    match = _FENCE.match(lines[at])
    if match is None:
        return None
    end = at + 1
    while end < len(lines) and not lines[end].strip().startswith(match["fence"]):
        end += 1
    closed = [*lines[at:end], match["fence"]]
    return min(end + 1, len(lines)) - at, closed


def _session(lines: Sequence[str], at: int, _document: _Document) -> tuple[int, list[str]] | None:
    """A Python session: from a prompt to the next empty line."""
    if not PROMPT.match(lines[at]):
        return None
    end = at
    while end < len(lines) and lines[end].strip():
        end += 1
    return end - at, fenced_lines("\n".join(lines[at:end]), "pycon")


def _table(lines: Sequence[str], at: int, _document: _Document) -> tuple[int, list[str]] | None:
    """A table, kept as it is drawn."""
    if _SIMPLE_TABLE.match(lines[at]):
        borders = [at]
        for number in range(at + 1, len(lines)):
            if _SIMPLE_TABLE.match(lines[number]):
                borders.append(number)
                if number + 1 >= len(lines) or not lines[number + 1].strip():
                    break
        return borders[-1] - at + 1, fenced_lines("\n".join(lines[at : borders[-1] + 1]), "text")
    if _GRID.match(lines[at]):
        end = at
        while end < len(lines) and lines[end][:1] in ("+", "|"):
            end += 1
        return end - at, fenced_lines("\n".join(lines[at:end]), "text")
    return None


def _heading(lines: Sequence[str], at: int, document: _Document) -> tuple[int, list[str]] | None:
    over = _ADORNMENT.match(lines[at])
    if over is not None:
        if at + 2 < len(lines) and lines[at + 1].strip() and lines[at + 2].rstrip() == lines[at].rstrip():
            return 3, [_headline(lines[at + 1].strip(), over[1] * 2, document)]
        return 1, ["---"] if len(lines[at].strip()) >= 4 else [lines[at]]
    under = _ADORNMENT.match(lines[at + 1]) if at + 1 < len(lines) else None
    if under is None or len(lines[at + 1].strip()) < min(len(lines[at].strip()), 4):
        return None
    return 2, [_headline(lines[at].strip(), under[1], document)]


def _headline(text: str, adornment: str, document: _Document) -> str:
    if adornment not in document.adornments:
        document.adornments.append(adornment)
    level = min(6, document.heading + document.adornments.index(adornment))
    return f"{'#' * level} {inline(text, document.names)}"


def _call_out(lines: Sequence[str], at: int, document: _Document) -> tuple[int, list[str]] | None:
    """A call-out of MkDocs: `!!! note "Title"` and an indented text."""
    match = _MKDOCS.match(lines[at])
    if match is None:
        return None
    taken, body = _indented(lines, at + 1)
    inner = _markdown_blocks(body, document)
    title = match["title"] or match["kind"].capitalize()
    return taken + 1, [f"> **{title}**", ">", *(f"> {line}".rstrip() for line in inner)]


def _item(lines: Sequence[str], at: int, document: _Document) -> tuple[int, list[str]] | None:
    match = _ITEM.match(lines[at])
    if match is None:
        return None
    width = match.end()
    end = at + 1
    while end < len(lines):
        inside = lines[end].startswith(" ")
        if lines[end].strip() and not inside:
            break
        end += 1
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    rest = [line[min(width, len(line) - len(line.lstrip())) :] for line in lines[at + 1 : end]]
    inner = _blocks([lines[at][width:], *rest], document)
    mark = match["mark"] if match["mark"][0].isdigit() else "-"
    pad = " " * (len(mark) + 1)
    return end - at, [f"{mark} {inner[0]}", *(pad + line if line else "" for line in inner[1:])]


def _paragraph(lines: Sequence[str], at: int, document: _Document) -> tuple[int, list[str]]:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not lines[end].startswith((" ", ".. ", ">>> ")):
        if _ITEM.match(lines[end]) and not _ITEM.match(lines[at]) and lines[end - 1].rstrip().endswith(":"):
            break
        if (
            end + 1 < len(lines)
            and _ADORNMENT.match(lines[end + 1])
            and lines[end + 1].strip().startswith(("===", "---"))
        ):
            break
        end += 1
    text = "\n".join(line.strip() for line in lines[at:end])
    taken, body = _indented(lines, end) if end < len(lines) else (0, [])
    if text.endswith("::"):
        code = "\n".join(body)
        said = text[:-2].rstrip() + ("" if text == "::" or text[:-2].endswith((" ", "\n")) else ":")
        said_lines = inline(said, document.names).split("\n") if said.strip(": \n") else []
        if not body:
            return end - at, said_lines
        return end - at + taken, [
            *said_lines,
            *([""] if said_lines else []),
            *fenced_lines(code, guess_language(code)),
        ]
    if end < len(lines) and lines[end].startswith(" ") and body:
        return end - at + taken, _hanging(text, body, document)
    return end - at, inline(text, document.names).split("\n")


def _hanging(text: str, body: list[str], document: _Document) -> list[str]:
    """A line with an indented one below it: a term and its definition, or a sentence that goes on."""
    if body[0][:1] in "-*>":
        return [*inline(text, document.names).split("\n"), "", *_blocks(body, document)]
    term = "\n" not in text and len(text) <= 70 and not text.endswith((".", ",", ";"))
    if term and not text[0].islower():
        return [f"**{inline(text.removesuffix(':'), document.names)}**", "", *_blocks(body, document)]
    if body[0].startswith(".. ") or "" in body:
        return [*inline(text, document.names).split("\n"), "", *_blocks(body, document)]
    return inline("\n".join([text, *(line.strip() for line in body)]), document.names).split("\n")


def _markdown_blocks(lines: Sequence[str], document: _Document) -> list[str]:
    """Markdown, with the few things of Sphinx and MkDocs that stray into it."""
    out: list[str] = []
    at = 0
    prose: list[str] = []
    for taken, block in iter(_markdown_parts(lines, document)):
        if block is None:
            prose.append(lines[at])
        else:
            out += [*inline("\n".join(prose), document.names).split("\n"), *block] if prose else block
            prose = []
        at += taken
    return [*out, *(inline("\n".join(prose), document.names).split("\n") if prose else [])]


def _markdown_parts(lines: Sequence[str], document: _Document) -> Iterator[tuple[int, list[str] | None]]:
    at = 0
    while at < len(lines):
        line = lines[at]
        found: tuple[int, list[str] | None] | None = None
        if line.startswith(".. ") and _DIRECTIVE.match(line.rstrip()):
            found = _block(lines, at, document)
        elif line.strip():
            found = _fence(lines, at, document) or _call_out(lines, at, document)
            found = found or (_indented_fence(lines, at) if line.startswith(" ") else None)
        taken, block = found or (1, None)
        yield taken, block
        at += taken


def _indented_fence(lines: Sequence[str], at: int) -> tuple[int, list[str]] | None:
    """A fence inside a list item, kept as it stands."""
    match = _FENCE.match(lines[at].lstrip())
    if match is None:
        return None
    end = at + 1
    while end < len(lines) and not lines[end].lstrip().startswith(match["fence"]):
        end += 1
    return min(end + 1, len(lines)) - at, list(lines[at : end + 1])


def _strip_blank(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
