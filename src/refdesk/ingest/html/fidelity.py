"""The receipt of a page: what its main content held as it was served, and what of it its Markdown holds.

What is counted, on both sides:

- `code`: blocks of code, `pre` with text, without columns of line numbers. Its Markdown has a block if a fence, an
  indented block or a cell of a table says the same but for white space, quotation marks and prompts (`>`). A
  declaration that becomes a fence is none before, and so none after.
- `tables`: tables of data, with two rows and a row of two cells; not those that lay out code, fields or footnotes.
- `panels`: panels of tabs, where there are several side by side.
- `headings`: `h1` to `h6` with text that name no call-out and no footnotes. Declarations become headings too, so
  there may be more after than before.
- `words`: what stands between white space and punctuation, as a reader sees it.
- `links`: `a` with a target other than the page itself, and text that is no code.

Before is without what cleaning took out: that has its own account (`removed`).
"""

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from lxml.etree import XPath, tostring
from lxml.html import HtmlElement

from refdesk.domain.entries import Counts
from refdesk.domain.markdown import Block

LOST_WORDS = 0.1
"""The share of words that may be missing without being told of: signs of lists, numbers of notes, repeated labels."""

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_COUNTED = ("pre", "table", "a", "div", "section", *_HEADINGS)
_SIGNS = bytes(32 if chr(code) in string.punctuation.replace("_", "") or code < 32 else code for code in range(256))
"""What parts words of UTF-8: a table for bytes costs a tenth of a search for words."""

_TARGET = re.compile(r"\]\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"\n]*\")?\)")
_ID = re.compile(r"\{#[^\s{}]+\}|<a id=\"[^\"\n]*\"></a>")
_BORDER = re.compile(r"^[ \t>]*</?tab(?: label=\"[^\"]*\")?>[ \t]*$", re.MULTILINE)
_NO_DATA = (
    "highlighttable",
    "docutils field-list",
    "footnote",
    "citation",
    "linenos",
    "rouge-table",
    "citationtable",
    "memname",
    "memberdecls",
    "mlabels",
)
_PANELS = frozenset({"tabbed-block", "sd-tab-content", "sphinx-tabs-panel", "tab-content"})
_CALLOUTS = frozenset({"note", "tip", "important", "warning", "caution", "danger", "admonition", "alert", "callout"})
_DECLARATIONS = frozenset({"item-decl"})
_PIECES = XPath(".//text()", smart_strings=False)
_LONGEST_LINE = 300
"""Characters of a line, on average; the text of pages that were made small has hardly any lines."""

_CELL_MARKS = re.compile(r"<br>|[`\\]")
_LAYOUT = re.compile(r"[\s>]+")


@dataclass(frozen=True, slots=True)
class Receipt:
    """Counts of one page, and what they say in words.

    Attributes:
        loss: What is missing beyond the set share; empty if nothing is.
    """

    before: Counts
    after: Counts
    loss: str = ""


@dataclass(slots=True)
class _Seen:
    """What was found below an element."""

    counts: Counter[str]
    code: Counter[str]


def receipt(content: HtmlElement, skip: AbstractSet[HtmlElement], markdown: str, scanned: Sequence[Block]) -> Receipt:
    """Count a page before and after.

    Args:
        content: Its main content, as it was served.
        skip: Elements inside of it that cleaning left out.
        markdown: What became of it.
        scanned: The blocks of that.
    """
    seen = _seen(content)
    for element in _outermost(skip):
        if not len(element) and element.tag not in _HEADINGS:  # most: permalink signs, scripts
            seen.counts["word"] -= _words(_encoded(element.text or ""))
            seen.counts["a"] -= element.tag == "a" and _is_link(element)
            continue
        gone = _seen(element)
        seen.counts.subtract(gone.counts)
        seen.code -= gone.code
    before = _counts(seen.counts, seen.code.total())
    after = count_markdown(markdown, scanned, seen.code)
    return Receipt(before, after, loss_of(before, after))


def count_markdown(markdown: str, scanned: Sequence[Block], wanted: Counter[str] | None = None) -> Counts:
    """Count what Markdown holds.

    Args:
        markdown: The text.
        scanned: Its blocks.
        wanted: Blocks of code, without layout, of which those that are there are counted; all if None.
    """
    kinds = Counter(block.kind for block in scanned)
    code = kinds["fence"] + kinds["code"]
    if wanted is not None:
        there = Counter(_bare(_inside(markdown, block)) for block in scanned if block.kind in ("fence", "code"))
        missing = wanted - there
        code = wanted.total() - missing.total()
        if missing and kinds["table"]:
            cells = _in_cells("".join(markdown[one.start : one.end] for one in scanned if one.kind == "table"))
            code += sum(min(count, cells.count(_in_cells(text))) for text, count in missing.items())
    seen = _ID.sub("", _TARGET.sub("]", markdown))
    if kinds["tab"]:
        seen = _BORDER.sub("", seen)
    return Counts(
        code=code,
        tables=kinds["table"],
        panels=kinds["tab"],
        headings=kinds["heading"],
        words=_words(_encoded(seen)),
        links=markdown.count("]("),
    )


def _in_cells(text: str) -> str:
    """What a block of code and the cell that it became have in common."""
    return _bare(_CELL_MARKS.sub("", text))


def _inside(markdown: str, block: Block) -> str:
    if block.kind == "code":
        return markdown[block.start : block.end]
    text = markdown[block.body : block.end].rstrip()
    return text[: text.rfind("\n") + 1] if block.closed else text


def _seen(root: HtmlElement) -> _Seen:
    counts: Counter[str] = Counter()
    code: Counter[str] = Counter()
    for element in root.iter(*_COUNTED):
        tag = element.tag
        if tag == "a":
            counts["a"] += _is_link(element)
        elif tag == "pre":
            text = _bare(_text(element))
            if text and not text.isdigit() and not _has(element, _DECLARATIONS):
                code[text] += 1
        elif tag == "table":
            counts["table"] += _is_data(element)
        elif tag in _HEADINGS:
            counts["heading"] += bool(len(element) or element.text) and not _names_callout(element)
        else:
            counts["panel"] += _is_panel(element)
    counts["word"] = _words(_shown(root))
    return _Seen(counts, code)


def _counts(counts: Counter[str], code: int) -> Counts:
    return Counts(code, counts["table"], counts["panel"], counts["heading"], counts["word"], counts["a"])


def _outermost(skip: AbstractSet[HtmlElement]) -> Iterable[HtmlElement]:
    return (one for one in skip if not any(parent in skip for parent in one.iterancestors()))


def _text(element: HtmlElement) -> str:
    return str(tostring(element, encoding="unicode", method="text", with_tail=False))


def _shown(element: HtmlElement) -> bytes:
    """The text of an element; with a space between its pieces where the page is in one line."""
    text: bytes = tostring(element, encoding="utf-8", method="text", with_tail=False)
    if text.count(b"\n") * _LONGEST_LINE >= len(text):
        return text
    pieces: list[str] = _PIECES(element)  # type: ignore[assignment]  # a path to texts gives texts
    return _encoded(" ".join(pieces))


def _words(text: bytes) -> int:
    return len(text.translate(_SIGNS).split())


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _bare(text: str) -> str:
    return _LAYOUT.sub("", text)


def _is_link(element: HtmlElement) -> bool:
    target = element.get("href")
    return target is not None and not target.startswith("#") and bool(element.text or len(element))


def _is_data(table: HtmlElement) -> bool:
    names = table.get("class") or ""
    if table.get("role") in ("presentation", "none") or any(name in names for name in _NO_DATA):
        return False
    wide = False
    for number, row in enumerate(table.iter("tr"), 1):
        wide = wide or len(row) > 1
        if wide and number > 1:
            return True
    return False


def _is_panel(element: HtmlElement) -> bool:
    """Whether it is one of several panels; one alone, as Javadoc has them, is an ordinary part of the page."""
    around = element.getparent()
    return (
        (element.get("role") == "tabpanel" or _has(element, _PANELS))
        and around is not None
        and sum(one.get("role") == "tabpanel" or _has(one, _PANELS) for one in around.iterchildren("div", "section"))
        > 1
    )


def _names_callout(heading: HtmlElement) -> bool:
    around = heading.getparent()
    return around is not None and (_has(around, _CALLOUTS) or around.get("data-footnotes") is not None)


def _has(element: HtmlElement, wanted: frozenset[str]) -> bool:
    names = element.get("class")
    return names is not None and not wanted.isdisjoint(names.split())


def loss_of(before: Counts, after: Counts) -> str:
    """What is missing beyond the set share, in words; empty if nothing is."""
    missing = [
        f"{had - has} of {had} {name}"
        for name, had, has in (
            ("blocks of code", before.code, after.code),
            ("tables", before.tables, after.tables),
            ("panels of tabs", before.panels, after.panels),
            ("headings", before.headings, after.headings),
        )
        if has < had
    ]
    if after.words < before.words * (1 - LOST_WORDS):
        missing.append(f"{before.words - after.words} of {before.words} words")
    return ", ".join(missing)
