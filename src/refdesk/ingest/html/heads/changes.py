"""What a page says about versions: added, deprecated, removed; bound to what it stands directly under."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from lxml.html import HtmlElement

from refdesk.domain.symbols import Deprecation
from refdesk.ingest.html.heads.page import has_class
from refdesk.ingest.html.tree import elements, text_of
from refdesk.ingest.prose import deprecation_from_note

ADDED, CHANGED, DEPRECATED, REMOVED = "added", "changed", "deprecated", "removed"

_CLASSES = {
    "versionadded": ADDED, "versionchanged": CHANGED, "deprecated": DEPRECATED, "deprecated-removed": DEPRECATED,
    "versionremoved": REMOVED, "deprecation-block": DEPRECATED, "stab": DEPRECATED, "versiondeprecated": DEPRECATED,
}  # fmt: skip
_WORDS = re.compile(
    r"\s*(?P<word>New|Added|Changed|Deprecated|Removed)\b(?: (?:in|since|from)[: ])?\s*(?:(?:version|release)\b ?)?"
    r"(?:[A-Z][\w-]* (?=v?\d)|[a-z]+ (?=v?\d))?(?P<version>v?\d[\w.+-]*(?:, v\d[\w.+-]*)*)?"
    r"(?P<until>,? (?:(?:and |scheduled )?(?:will be |for )|to be )?remov\w+ (?:in|since) (?:version )?"
    r"(?P<end>[\w.]+))?"
    r"\s*[:.–—-]*\s*",
    re.IGNORECASE,
)
_WRAPPERS = frozenset({"div", "details", "section", "span", "body"})
_STABILITY = re.compile(r"\bDeprecated\b[^\w\s]*\s*(?P<said>.*)", re.DOTALL)
_ALL = re.compile(r"(?:\Z|This (?:was|is|has|keyword|method|function|class|module|feature)\b)", re.IGNORECASE)
_PARTS = re.compile(
    r"(?:Added|New)? ?(?:support for )?(?:the )?(?:optional )?(?P<names>[*`]{1,2}[\w.]+[*`]{1,2}"
    r"(?:(?:,| and|, and| or) (?:the )?[*`]{1,2}[\w.]+[*`]{1,2})*)"
    r" (?:keyword[- ]only |keyword |optional )?(?:parameters?|arguments?|options?|keywords?)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_AS_OF = re.compile(
    r"(?:As of|Since)[,:]? (?:the )?(?:[A-Z]\w* ){0,3}?(?:version |release )?v?(?P<version>\d[\w.]*)", re.IGNORECASE
)
_NAME = re.compile(r"[*`]{1,2}(?P<name>\w[\w.]*?)[*`]{1,2}")
_OF_A_PART = re.compile(r"\b(?:parameters?|arguments?|keywords?|options?|values?|passing|kwargs?)\b", re.IGNORECASE)
_OF_A_VALUE = re.compile(
    r"(?:The )?(?:default|string|values?)\b|Not passing |(?!Nothing|During)[A-Z][a-z]+ing |(?:Use of|Support for) "
)


@dataclass(frozen=True, slots=True)
class Change:
    """One note about versions.

    Attributes:
        kind: `added`, `changed`, `deprecated`, `removed`.
        version: As stated; empty if none.
        said: The words after the version, as Markdown.
        subject: What the paragraph before it begins with, where it may be about that alone.
    """

    kind: str
    version: str
    said: str
    subject: str = ""


def changes_under(
    body: Sequence[HtmlElement],
    others: Collection[HtmlElement],
    inline: Callable[[HtmlElement], str],
    entered: Sequence[HtmlElement] = (),
) -> Iterator[Change]:
    """The notes directly under an entry: not those of entries in it, of its parameters, or of items of its lists.

    Args:
        body: Elements that describe it.
        others: Bodies of entries: those that are not entered.
        inline: Makes Markdown of an element.
        entered: The bodies that are read although they are among the others: those of the entry itself.
    """
    for element in body:
        if element in others and element not in entered:
            continue
        kind = _kind(element)
        if kind:
            subject = _subject_before(element)
            yield from (replace(one, subject=subject) if not one.said else one for one in _read(element, kind, inline))
        elif element.tag == "blockquote":
            yield from _stability(element, inline)
        elif has_class(element, "api_metadata"):
            yield from _history(element, inline)
        elif element.tag == "dl" and has_class(element, "deprecated"):
            yield from (Change(DEPRECATED, "", inline(one)) for one in elements(element) if one.tag == "dd")
        elif element.tag in _WRAPPERS or element.tag == "dd":
            yield from changes_under(tuple(elements(element)), others, inline)


def read_words(text: str) -> Change | None:
    """A note by its words alone, old and new ones: `New in version 3.2:`, `Deprecated since v1.0.0`."""
    match = _WORDS.match(text)
    if match is None:
        return None
    kind = {"new": ADDED}.get(match["word"].lower(), match["word"].lower())
    said = text[match.end() :].strip()
    if match["end"]:
        said = f"{said} Will be removed in {match['end'].rstrip('.')}.".strip()
    return Change(kind, (match["version"] or "").rstrip(".:-"), said)


def added(changes: Sequence[Change], params: Collection[str]) -> str:
    """The version that added the whole entry."""
    stated = {
        one.version for one in changes if one.kind == ADDED and one.subject not in params and _ALL.match(one.said)
    }
    return stated.pop() if len(stated) == 1 else ""  # several are about what stands before each of them


def deprecated(changes: Sequence[Change], name: str, params: Collection[str]) -> Deprecation | None:
    """The deprecation of the whole entry; a note about one of its parameters or values is none."""
    last = re.split(r"[.:]", name)[-1]
    found = [
        one for one in changes if one.kind == DEPRECATED and one.subject not in params and not _of_part(one.said, last)
    ]
    if not found:
        return None
    version = next((one.version for one in found if one.version), "")
    return deprecation_of(Change(DEPRECATED, version, next((one.said for one in found if one.said), "")))


def _of_part(said: str, name: str) -> bool:
    first = said.partition(". ")[0]
    subject = _NAME.match(first.removeprefix("The "))
    if subject is not None and subject["name"].rpartition(".")[2] != name:
        return True
    about_part = _OF_A_PART.search(first) is not None and not first.startswith(("This", "Use", "use"))
    return about_part or _OF_A_VALUE.match(first) is not None


def deprecation_of(change: Change) -> Deprecation:
    """A note of deprecation as such: what to use instead as it says it."""
    stated = replace(
        deprecation_from_note(change.said.replace("replaced by:", "replaced by"), "directive"), note=change.said
    )
    as_of = _AS_OF.match(change.said)
    since = change.version or stated.since or (as_of["version"].rstrip(".") if as_of is not None else "")
    replacement = stated.replacement.strip("*")
    return replace(stated, since=since, replacement=f"{replacement})" if replacement.endswith("(") else replacement)


def added_parts(changes: Sequence[Change]) -> dict[str, str]:
    """Parameter → version that added it, where a note says just that."""
    found = {one.subject: one.version for one in changes if one.kind == ADDED and one.subject}
    for one in changes:
        match = _PARTS.match(one.said) if one.kind in (ADDED, CHANGED) else None
        if match is None:
            continue
        begins = one.said.lower().startswith(("added", "new"))
        if begins or re.match(r"\s*(?:was|were|has been|have been) added", match["rest"]):
            found.update({name["name"]: one.version for name in _NAME.finditer(match["names"])})
    return found


def deprecated_parts(changes: Sequence[Change]) -> dict[str, Deprecation]:
    """Parameter → its deprecation, where a note begins with its name."""
    found = {one.subject: deprecation_of(one) for one in changes if one.kind == DEPRECATED and one.subject}
    for one in changes:
        match = _PARTS.match(one.said) if one.kind == DEPRECATED else None
        if match is not None and not one.said.lower().startswith(("added", "new")):
            found.update({name["name"]: deprecation_of(one) for name in _NAME.finditer(match["names"])})
    return found


def _subject_before(element: HtmlElement) -> str:
    """What a note in the middle of a text may be about: the parameter that the paragraph before it begins with.

    A note at the end is about the whole.
    """
    if not any(not _kind(one) for one in element.itersiblings() if isinstance(one.tag, str)):
        return ""
    before = element.getprevious()
    while before is not None and (_kind(before) or has_class(before, "availability")):
        before = before.getprevious()
    if before is None or before.tag != "p" or not len(before):
        return ""
    begins = before[0].tag in ("em", "code", "strong") and (before.text or "").strip() in ("", "If", "The", "If the")
    return text_of(before[0]) if begins else ""


def _kind(element: HtmlElement) -> str:
    names = element.get("class")
    if names is None or element.tag in ("dl", "dd", "li"):
        return ""
    for name in names.split():
        if name in _CLASSES:
            return "" if name == "stab" and "deprecated" not in names else _CLASSES[name]
    labelled = len(element) > 0 and has_class(element[0], "deprecatedLabel")  # Javadoc before 17
    return DEPRECATED if labelled else ""


def _read(element: HtmlElement, kind: str, inline: Callable[[HtmlElement], str]) -> Iterator[Change]:
    text = inline(element)
    plain = re.sub(r"^[\s>*_👎]+", "", text)
    read = read_words(plain.replace("**", "", 1) if plain.count("**") % 2 else plain)
    if read is None:
        yield Change(kind, "", plain)
        return
    yield Change(kind, read.version, re.sub(r"^[*_:.\s]+(?=\w)", "", read.said) if "**" in plain[:40] else read.said)


def _stability(element: HtmlElement, inline: Callable[[HtmlElement], str]) -> Iterator[Change]:
    match = _STABILITY.search(inline(element)) if text_of(element).startswith("Stability: 0") else None
    if match is not None:
        yield Change(DEPRECATED, "", match["said"].strip())


def _history(element: HtmlElement, inline: Callable[[HtmlElement], str]) -> Iterator[Change]:
    """Node's `Added in:` and `Deprecated since:`, alone or in a table of changes, newest first."""
    for span in element.iter("span"):
        read = read_words(text_of(span).replace("in:", "in").replace("since:", "since"))
        if read is not None and read.version:
            yield Change(read.kind, read.version.partition(",")[0], "")
    for version, text in ((text_of(row[0]), inline(row[1])) for row in element.iter("tr") if len(row) > 1):
        if not text.startswith(("Added in", "Deprecated since", "Removed in")):
            yield Change(CHANGED, version, text)
