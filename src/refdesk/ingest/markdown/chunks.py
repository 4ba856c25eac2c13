"""Pages to chunks: one section, one meaning.

Sections are cut at headings down to level three, finer where one is long; what is still long is cut between blocks.
A heading without text of its own goes with its first subsection.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refdesk.domain.cutting import CHARACTERS, Slicer
from refdesk.domain.entries import Chunk, Page
from refdesk.domain.markdown import Block, Heading, blocks, outline
from refdesk.ingest.markdown.content_types import section_type

TARGET = 400 * CHARACTERS
"""A chunk that can be cut between blocks is not longer than this; in characters."""

LARGEST = 800 * CHARACTERS
"""No chunk is longer; what cannot be cut between blocks may go up to this. In characters."""

_KEPT_WHOLE = 500 * CHARACTERS
_REMNANT = 60 * CHARACTERS
_LEVEL = 3
_API_NAME = re.compile(
    r"(?<![\w@/.-])(?:--?[A-Za-z][\w-]*|@?[A-Za-z_$][\w$]*(?:(?:\.|::|/)[A-Za-z_$][\w$]*)+(?:\(\))?"
    r"|[A-Za-z_$][\w$]*\(\)|[A-Za-z]\w*_\w+|_\w+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+)(?![\w])"
)
_CODE_IN_HEADING = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_CALL = re.compile(r"(?P<name>@?[\w.$:/-]*[\w$])\s*\(.*\)?\Z", re.DOTALL)
_ALIASES = {
    "py": "python", "python3": "python", "pycon": "python", "py3": "python", "ipython": "python", "js": "javascript",
    "jsx": "javascript", "node": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "tsx": "typescript",
    "sh": "bash", "shell": "bash", "console": "bash", "zsh": "bash", "shell-session": "bash", "shellsession": "bash",
    "yml": "yaml", "rs": "rust", "rb": "ruby", "golang": "go", "cs": "csharp", "c#": "csharp", "c++": "cpp",
    "kt": "kotlin", "ps1": "powershell", "jsonc": "json", "json5": "json", "dockerfile": "docker",
}  # fmt: skip
_NO_LANGUAGES = frozenset({"", "text", "txt", "plain", "plaintext", "none", "default", "output", "literal", "md"})
_PREFIXES = re.compile(
    r"\A(?:(?:class|def|async|function|static|const|abstract|classmethod|property|func|fn|type)\s+)+"
)


@dataclass(frozen=True, slots=True)
class _Section:
    """A range of the page that is about one thing; `heading` is None before the first one."""

    heading: Heading | None
    start: int
    end: int


def chunks_of_page(page: Page) -> tuple[Chunk, ...]:
    """Cut a page into chunks, in order; their ids are `page/<path>#<n>` with n from 1."""
    scanned = blocks(page.markdown)
    slicer = Slicer(page.markdown, scanned)
    headings = outline(page.markdown, scanned)
    found: list[Chunk] = []
    for one in _sections(page.markdown, headings):
        for start, end in _parts(slicer, scanned, one):
            text = _readable(slicer.part(start, end, LARGEST), scanned[slicer.block_at(start)])
            if text:
                inside = [block for block in scanned[slicer.block_at(start) :] if block.start < end]
                found.append(_chunk(page, one.heading, text, inside, len(found) + 1))
    return tuple(found)


def cut_long(markdown: str) -> tuple[str, ...]:
    """A text in parts of a good size, each whole Markdown; one part where it is short."""
    if len(markdown) <= _KEPT_WHOLE:
        return (markdown,)
    scanned = blocks(markdown)
    slicer = Slicer(markdown, scanned)
    parts = _parts(slicer, scanned, _Section(None, 0, len(markdown)))
    texts = (_readable(slicer.part(start, end, LARGEST), scanned[slicer.block_at(start)]) for start, end in parts)
    return tuple(text for text in texts if text) or (markdown,)


def api_names(heading: str) -> tuple[str, ...]:
    """Identifiers in a heading as written: code spans that are names, words that look like parts of an API."""
    names: list[str] = []
    for match in _CODE_IN_HEADING.finditer(heading):
        code = _PREFIXES.sub("", match[2].strip())
        call = _CALL.match(code)
        name = (call["name"] if call else code.split(" ")[0].rstrip(":,")).strip("'\"")
        if re.search(r"[^\W\d]", name) and len(name) <= 100:
            names.append(name)
    rest = _CODE_IN_HEADING.sub(" ", heading)
    names += [match.group().removesuffix("()") for match in _API_NAME.finditer(rest)]
    return tuple(dict.fromkeys(names))


def _sections(markdown: str, headings: Sequence[Heading]) -> Iterator[_Section]:
    """Ranges that partition the page, each under its heading."""
    first = headings[0].start if headings else len(markdown)
    if first:
        yield _Section(None, 0, first)
    ends = [*(heading.start for heading in headings[1:]), len(markdown)]
    carried: int | None = None
    at = 0
    while at < len(headings):
        heading, after = headings[at], at + 1
        while after < len(headings) and headings[after].level > max(_LEVEL, heading.level):
            after += 1
        if ends[after - 1] - heading.start > _KEPT_WHOLE:
            after = at + 1
        start, end = heading.start if carried is None else carried, ends[after - 1]
        only_title = after == at + 1 and not markdown[heading.body : end].strip()
        if only_title and after < len(headings) and headings[after].level > heading.level:
            carried = start
        else:
            carried = None
            yield _Section(heading, start, end)
        at = after


def _parts(slicer: Slicer, scanned: Sequence[Block], section: _Section) -> Iterator[tuple[int, int]]:
    """A section in parts of a good size; a table or code block that fits into the largest size stays whole."""
    start, end = section.start, section.end
    if end - start <= _KEPT_WHOLE:
        yield start, end
        return
    while start < end:
        after = slicer.end_of_part(start, end, TARGET)
        if after < end and scanned[slicer.block_at(after)].start != after:
            after = slicer.end_of_part(start, end, LARGEST)
        if end - after <= _REMNANT and end - start <= LARGEST:
            after = end
        yield start, after
        start = after


def _chunk(page: Page, heading: Heading | None, text: str, inside: Sequence[Block], number: int) -> Chunk:
    titles = [page.title, *heading.path, heading.text] if heading else [page.title]
    code = sum(block.end - block.start for block in inside if block.kind in ("fence", "code"))
    share = code / max(1, sum(block.end - block.start for block in inside))
    anchor = heading.anchor if heading else ""
    return Chunk(
        id=f"page/{page.path}#{number}",
        title=titles[-1] or page.title,
        heading=tuple(title for before, title in zip(["", *titles], titles, strict=False) if title and title != before),
        text=text,
        content_type=section_type(page.content_type, heading.text if heading else "", share),
        names=api_names(heading.written) if heading else (),
        page=page.path,
        anchor=anchor,
        url=f"{page.url}#{anchor}" if page.url and anchor else page.url,
        languages=languages_of(inside),
    )


def languages_of(scanned: Sequence[Block]) -> tuple[str, ...]:
    """Programming languages of the fences among blocks, each once, by the names that most people use."""
    found = (_ALIASES.get(block.language, block.language) for block in scanned if block.kind == "fence")
    return tuple(dict.fromkeys(language for language in found if language not in _NO_LANGUAGES))


def _readable(part: str, first: Block) -> str:
    """A part as a text of its own: without blank lines around it and without the indentation of a list it was in."""
    text = part.strip("\n").rstrip()
    if first.kind == "code" or not text.startswith((" ", "\t")):
        return text
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    shift = indents[0]
    end = next((at for at, line in enumerate(lines) if line.strip() and indents[at] < shift), len(lines))
    return "\n".join(
        [*(line[min(shift, indent) :] for line, indent in zip(lines[:end], indents, strict=False)), *lines[end:]]
    )
