"""Node.js: headings that hold a call in `code`, with their history below them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.page import HEADINGS, Heads, Subject, first, has_class, heading_level
from refdesk.ingest.html.tree import elements

_CALL = re.compile(r"(?P<new>new )?(?P<name>[\w$.]+(?:\[[\w$.@]+\])?)(?P<call>\(.*\))?", re.DOTALL)
_WHOLE_SITE = "all"
"""The page that repeats all others."""

_LABEL = re.compile(
    r"(?P<label>Class|Event|(?:Static |Class )?[Mm]ethod|Class property|Class field|Constructor)s?:\s*", re.IGNORECASE
)


_NAME_IN_C = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")
_TYPE_IN_C = re.compile(r"(?:typedef|struct|enum)\b")
_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""What errors are told apart by, on the page about them."""


def find_node(subject: Subject) -> Heads:
    """What the headings of a page declare."""
    content = next((one for one in subject.root.iter("div") if one.get("id") == "apicontent"), subject.root)
    module = subject.page.rpartition("/")[2].partition(".")[0]
    finder = _Finder(module)
    found: dict[HtmlElement, Sequence[Head]] = {}
    headings = list(content.iter("h2", "h3", "h4", "h5", "h6"))
    for heading in headings:
        head = finder.head(heading)
        if head is not None:
            found[heading] = (head,)
    if module and any(_is_of_module(head, module) for heads in found.values() for head in heads):
        title = headings[0]
        found.setdefault(title, (_head(title, module, "module", ()),))
    canonical = module != _WHOLE_SITE
    return Heads(
        {
            heading: (replace(_described(heading, heads[0], found), canonical=canonical),)
            for heading, heads in found.items()
        }
    )


def _is_of_module(head: Head, module: str) -> bool:
    return head.name.startswith(f"{module}.") and head.kind != "attribute"


class _Finder:
    """Reads headings in order, and remembers the class that each stands in."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._classes: list[tuple[int, str]] = []

    def head(self, heading: HtmlElement) -> Head | None:
        level = heading_level(heading)
        self._classes = [one for one in self._classes if one[0] < level]
        code = first(heading, "code")
        label = _LABEL.match(_shown(heading))
        if code is None or (label is None and (heading.text or "").strip()):
            return None
        text = " ".join("".join(code.itertext()).split())
        what = label["label"].lower() if label is not None else ""
        if what == "event":
            return self._event(heading, text.strip("'\""))
        match = _CALL.fullmatch(text)
        if match is None:
            return None
        if what == "class":
            name = match["name"]
            self._classes.append((level, name))
            return _head(heading, name, "error" if name.endswith("Error") else "class", ())
        return self._of_call(heading, match, text)

    def _of_call(self, heading: HtmlElement, match: re.Match[str], text: str) -> Head:
        owner = self._classes[-1][1] if self._classes else ""
        written = match["name"]
        if match["new"]:
            return _head(heading, f"{owner or written}.constructor", "method", (text,), (f"new {written}",))
        last = written.partition(".")[2] or written
        belongs = owner and written.partition(".")[0] != owner.partition(".")[0]
        name = f"{owner}.{last}" if belongs else written
        if self._module == "errors" and _CODE.fullmatch(written):
            return _head(heading, written, "error", ())
        kind: SymbolKind = "method" if match["call"] and owner else "function" if match["call"] else "attribute"
        return _head(heading, name, kind, (text,), (written,))

    def _event(self, heading: HtmlElement, name: str) -> Head:
        owner = self._classes[-1][1] if self._classes else self._module
        return _head(heading, f"{owner}.event.{name}" if owner else f"event.{name}", "attribute", ())


def _head(
    heading: HtmlElement, name: str, kind: SymbolKind, signatures: tuple[str, ...], names: tuple[str, ...] = ()
) -> Head:
    return Head(
        name=name,
        kind=kind,
        anchor=_anchor(heading),
        signatures=signatures,
        language="javascript",
        title=_shown(heading),
        by_heading=True,
        names=names,
    )


def _described(heading: HtmlElement, head: Head, declaring: dict[HtmlElement, Sequence[Head]]) -> Head:
    """The head with what is below its heading, up to the next one that is as high or declares something itself."""
    after = tuple(_below(heading, declaring))
    lists = [one for one in after if one.tag == "ul"]
    before = after[: after.index(lists[0])] if lists else ()
    leads = lists and all(one.tag not in ("p", "pre") for one in before)
    fields = (*(one for one in after if has_class(one, "api_metadata")), *(lists[:1] if leads else ()))
    return replace(_in_c(head, after), fields=fields, after=after)


def _in_c(head: Head, after: Sequence[HtmlElement]) -> Head:
    """What is not called in its heading, but declared in C below it: a function or a type of Node-API."""
    block = next((one for one in after if one.tag == "pre"), None) if head.kind == "attribute" else None
    text = "".join(block.itertext()).strip() if block is not None else ""
    if not text or not _NAME_IN_C.fullmatch(head.name):
        return head
    if _TYPE_IN_C.match(text):
        return replace(head, kind="type", signatures=(text,), language="c")
    if re.match(rf"[\w\s*]+\b{head.name}\s*\(", text):
        return replace(head, kind="function", signatures=(text.partition(";")[0],), language="c")
    return head


def _below(heading: HtmlElement, declaring: dict[HtmlElement, Sequence[Head]]) -> Iterator[HtmlElement]:
    for one in heading.itersiblings():
        if one.tag in HEADINGS and (
            one in declaring or heading.tag == "h2" or heading_level(one) <= heading_level(heading)
        ):
            return
        if one.tag == "section":
            return
        if isinstance(one.tag, str):
            yield one


def _shown(heading: HtmlElement) -> str:
    """The text of a heading without its permalink."""
    parts = [heading.text or ""]
    for child in elements(heading):
        if child.tag in ("code", "em", "strong"):
            parts.append("".join(child.itertext()))
        if child.tag != "a":
            parts.append(child.tail or "")
    return " ".join("".join(parts).split())


def _anchor(heading: HtmlElement) -> str:
    if heading.get("id"):
        return str(heading.get("id"))
    mark = next((one for one in heading.iter("a") if has_class(one, "mark")), None)
    return (mark.get("id") or "") if mark is not None else ""
