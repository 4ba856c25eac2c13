"""Call-outs with their kind, and what a version added, changed or deprecated, in the forms that other sources have."""

import re
from itertools import islice, pairwise, takewhile

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.blocks import contained
from refdesk.ingest.html.rendering.escaping import one_line
from refdesk.ingest.html.rendering.queries import string_of
from refdesk.ingest.html.rendering.walker import DEEPEST_CONTAINER, ClassHandler, Lines, Walker
from refdesk.ingest.restructured.callouts import CALL_OUTS, CHANGES, call_out, change, kind_of

_KINDS = {
    "secondary": "note", "primary": "note", "default": "note", "light": "note", "dark": "note", "information": "info",
    "deprecation": "deprecated", "error": "error", "warn": "warning", "positive": "success", "negative": "warning",
}  # fmt: skip
_NEVER_ALONE = frozenset({"admonition", "error", "example", "question", "success", "failure", "bug", "quote", "todo"})
"""Kinds whose names are used for other things too: only beside a class that means a call-out."""

_ALONE = frozenset((CALL_OUTS | {"deprecated"}) - _NEVER_ALONE - {"info", "abstract", "hint", "attention"})
_MEANS_CALL_OUT = frozenset({
    "admonition", "theme-admonition", "alert", "custom-block", "custom-container", "markdown-alert", "callout",
    "admonitionblock", "notecard", "starlight-aside", "hint", "hint-container", "message", "infobox", "call-out",
    "devsite-note", "rspress-directive", "nextra-callout", "cdk-callout", "md-alert", "hx-callout",
})  # fmt: skip
_TITLE = re.compile(
    r"(?:admonition|custom-block|custom-container|hint-container|markdown-alert|callout|alert|starlight-aside"
    r"|infobox|rspress-directive)(?:-|__)?(?:title|heading|header)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+")
_VERSION = re.compile(
    r"(?:(?:New|Added|Changed|Deprecated|Removed)\s+(?:in|since)\s+version\s+|\A)(?P<version>.+?)[\s:.,]*\Z"
)
_SAYS_KIND = re.compile(
    r"(?P<kind>note|warning|important|tip|caution|danger|deprecated|hint|attention)\b[:!.]?\Z", re.IGNORECASE
)


def admonition(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A call-out whose class says that it is one."""
    kind = _kind(element)
    title = _title_of(element)
    if kind is None and title is None and "admonition" not in (element.get("class") or ""):
        kind = "note" if element.get("role") == "alert" else None
        if kind is None:
            return False
    _write(walker, element, kind or "admonition", title, out)
    return True


def named_alone(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """An element of class `note`, `warning` …, which DocBook and many others use, if it holds a text of its own."""
    names = (element.get("class") or "").split()
    if "admonition" in names or any(name in _MEANS_CALL_OUT for name in names):
        return admonition(walker, element, out)
    if element.tag in ("ul", "ol", "table", "span", "li", "td", "th", "tr", "section"):
        return False
    kind = next(name for name in names if name in _ALONE)
    # Doxygen: `dl.section.note > dt, dd`
    title = element.find("dt") if element.tag == "dl" else _title_of(element)
    _write(walker, element, kind, title, out)
    return True


def ascii_doc(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """AsciiDoc: a table of an icon and the content."""
    content = next((cell for cell in element.iter("td") if "content" in (cell.get("class") or "").split()), None)
    if content is None:
        return admonition(walker, element, out)
    _write(walker, content, _kind(element) or "note", None, out)
    return True


def changed(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A version directive of Sphinx, in its older and its newer wording."""
    names = (element.get("class") or "").split()
    name = next((one for one in names if one in CHANGES), "")
    said = next((one for one in element.iter("span") if "versionmodified" in (one.get("class") or "")), None)
    if not name or said is None:
        return False
    text = " ".join(string_of(said).split())
    found = _VERSION.search(text)
    version = found["version"] if found else ""
    lines = contained(walker, lambda one, inner: _without(walker, one, said, inner), element)
    out += [*change(name, version, lines), ""]
    return True


def javadoc_deprecation(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Javadoc's `div.deprecation-block`, whose label may say that the thing will be removed."""
    label = next((one for one in element.iter("span") if "eprecat" in (one.get("class") or "")), None)
    _write(walker, element, "deprecated", label, out)
    return True


def stability(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Node's index of stability, and rustdoc's notes that something is unstable or deprecated."""
    lines = contained(walker, walker.flow, element)
    while lines and not lines[-1]:
        lines.pop()
    if lines:
        out += [*(f"> {line}".rstrip() for line in lines), ""]
    return True


def by_role(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """`role=alert` and `role=note`."""
    _write(walker, element, _kind(element) or "note", _title_of(element), out)
    return True


def _write(walker: Walker, element: HtmlElement, kind: str, title: HtmlElement | None, out: Lines) -> None:
    if walker.container >= DEEPEST_CONTAINER:
        walker.flow(element, out)
        return
    lines = contained(walker, lambda one, inner: _without(walker, one, title, inner), element)
    heading = kind_of(kind)
    if title is not None:
        run: Lines = []
        walker.inline(title, run)
        shown = one_line(run).replace("**", "").rstrip(":").strip()
        heading = _heading(shown, kind)
    elif lines:
        lines[0] = _without_kind(lines[0], kind)
    if not any(lines) and title is not None:
        lines = [heading]
        heading = kind_of(kind)
    out += [*call_out(heading, lines), ""] if any(lines) else ()


def _heading(shown: str, kind: str) -> str:
    """The title of a call-out, which names its kind."""
    own = kind_of(kind)
    if not shown or shown.lower() == own.lower():
        return own
    if kind == "admonition" or own.lower() in shown.lower() or (own == "Deprecated" and "deprecat" in shown.lower()):
        return shown[:1].upper() + shown[1:]
    if shown.lower() in CALL_OUTS:
        return shown.capitalize()
    return f"{own}: {shown}"


def _without_kind(line: str, kind: str) -> str:
    """The first line without the word in bold that only repeats the kind."""
    match = re.match(r"\*\*(?P<word>[\w ]+?):?\*\*:?\s*", line)
    same = match is not None and match["word"].lower() in (kind, kind_of(kind).lower())
    return line[match.end() :] if match is not None and same else line


def _without(walker: Walker, element: HtmlElement, left_out: HtmlElement | None, out: Lines) -> None:
    """The content of an element without its title, and without the boxes that held nothing but the title."""
    if left_out is None:
        walker.flow(element, out)
        return
    inside = [left_out, *left_out.iterancestors()]
    branch = inside[inside.index(element) - 1]
    if branch is left_out:
        _around(walker, element, left_out, out)
        return
    walker.sequence(element.text, list(branch.itersiblings(preceding=True))[::-1], out)
    _without(walker, branch, left_out, out)
    walker.sequence(branch.tail, list(branch.itersiblings()), out)


def _around(walker: Walker, element: HtmlElement, left_out: HtmlElement, out: Lines) -> None:
    before = list(left_out.itersiblings(preceding=True))[::-1]
    after = list(left_out.itersiblings())
    if before or (element.text or "").strip():
        walker.sequence(element.text, before, out)
    tail = (left_out.tail or "").lstrip(" :.\u00a0\n\t") if not before else left_out.tail
    walker.sequence(tail, after, out)


def _kind(element: HtmlElement) -> str | None:
    """The kind that class names tell, as a word of call-outs."""
    for name in (element.get("class") or "").lower().split():
        for found in reversed(_WORD.findall(name)):
            word = _KINDS.get(found, found)
            if (word in CALL_OUTS or word == "deprecated") and word not in ("admonition", "alert"):
                return str(word)
    return None


def _title_of(element: HtmlElement) -> HtmlElement | None:
    """The element that holds the title of a call-out."""
    for child in islice(element.iterdescendants(), 8):
        if not isinstance(child.tag, str):
            continue
        names = child.get("class") or ""
        if _TITLE.search(names) or (child.tag in ("h3", "h4", "h5", "p", "div") and "title" in names.split()):
            return child
        says_kind = child.tag in ("b", "strong") and _SAYS_KIND.match(string_of(child).strip()) is not None
        if (says_kind or child.tag in ("h3", "h4", "h5", "h6", "summary")) and _is_first(child, element):
            return child
    return None


def _is_first(child: HtmlElement, element: HtmlElement) -> bool:
    """Whether nothing is said in an element before this child."""
    inside = [child, *child.iterancestors()]
    levels = takewhile(lambda pair: pair[0] is not element, pairwise(inside))
    return not any((parent.text or "").strip() or _says_before(node) for node, parent in levels)


def _says_before(node: HtmlElement) -> bool:
    return any(
        (isinstance(one.tag, str) and string_of(one).strip()) or (one.tail or "").strip()
        for one in node.itersiblings(preceding=True)
    )


CLASSES: dict[str, ClassHandler] = {
    **dict.fromkeys(_ALONE, named_alone),
    **dict.fromkeys(_MEANS_CALL_OUT, admonition),
    **dict.fromkeys(CHANGES, changed),
    "deprecated": lambda walker, element, out: changed(walker, element, out) or named_alone(walker, element, out),
    "admonitionblock": ascii_doc,
    **dict.fromkeys(("deprecation-block", "deprecationBlock"), javadoc_deprecation),
    **dict.fromkeys(("api_stability", "stab"), stability),
}

ROLES: dict[str, ClassHandler] = {"alert": by_role, "note": by_role}
