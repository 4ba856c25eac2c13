"""What each file of a site is: by how it was served, by its name, by how it begins."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from refdesk.domain.entries import Problem
from refdesk.ingest.markdown import is_document

Kind = Literal["html", "text", "inventory", "llms", "llms-full", "known", "other"]
"""`known` is read by others, and no page: the facts of a docset, lists of addresses."""

_NAMED: dict[str, Kind] = {
    "objects.inv": "inventory",
    "llms.txt": "llms",
    "llms-full.txt": "llms-full",
    "robots.txt": "known",
    "sitemap.xml": "known",
}
_DOCSET: dict[str, Kind] = {"index.json": "inventory", "meta.json": "known"}
"""At the top only."""

_TYPES: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "text",
    "text/x-markdown": "text",
    "text/x-rst": "text",
}
_NAMED_SINGLY = 5
_NAMED_TOGETHER = 3
_ENDING = re.compile(r"\.(?:x?html?|php|aspx?|jsp)\Z", re.IGNORECASE)
_BEGINNING = re.compile(
    rb"[\s\xef\xbb\xbf]*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head)\b",
    re.IGNORECASE | re.DOTALL,
)


def kind_of(path: str, content_type: str, read: Callable[[], bytes]) -> Kind:
    """What a file is.

    Args:
        path: Of the file.
        content_type: As served; empty if it was not served.
        read: Gives its bytes; asked only where neither its type nor its name says what it is.
    """
    name = path.rpartition("/")[2].lower()
    named = _NAMED.get(name) or _DOCSET.get(path)
    if named is not None:
        return named
    served = _TYPES.get(content_type.partition(";")[0].strip().lower())
    if served is not None:
        return served
    if _ENDING.search(path):
        return "html"
    if is_document(path):
        return "text"
    return "html" if "." not in name and begins_as_html(read()) else "other"


def begins_as_html(data: bytes) -> bool:
    """Whether bytes begin as a whole page of HTML does."""
    return _BEGINNING.match(data[:4096]) is not None


def left_out(paths: Iterable[str]) -> Iterator[Problem]:
    """Files that are no documentation, one problem for each ending."""
    others: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        _, dot, ending = path.rpartition("/")[2].rpartition(".")
        others[ending.lower() if dot else ""].append(path)
    for ending, named in sorted(others.items()):
        kind = f".{ending}" if ending else "no ending"
        yield Problem(named[0], f"not read: {len(named)} file(s) with {kind} are no pages")


def together(problems: Sequence[Problem], what: str) -> Sequence[Problem]:
    """Problems of one kind: each by itself while they are few, else one that counts them and names the first."""
    if len(problems) <= _NAMED_SINGLY:
        return problems
    named = ", ".join(one.path for one in problems[:_NAMED_TOGETHER])
    return [Problem(problems[0].path, f"not read: {len(problems)} pages that {what} (the first: {named})")]
