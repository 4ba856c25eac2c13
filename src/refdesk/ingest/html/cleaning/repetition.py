"""Blocks that the pages of a site repeat: what stands on most pages in the same words is not what a page is about."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning.measure import count_words
from refdesk.ingest.html.cleaning.vocabulary import is_callout

LEAST_PAGES = 5
"""Pages of a sample below which nothing is called repeated."""

_SHARE = 0.4
_BLOCKS = ("div", "section", "p", "ul", "ol", "nav", "aside", "header", "footer", "form", "table", "details", "dl")
_LONGEST = 1_500
"""Characters of the largest block that is compared."""

_FEWEST = 4
"""Words of the smallest: labels and states recur."""

_EDGE = 12
_PARTS = 60


def fingerprint(element: HtmlElement) -> str:
    """What two blocks have in common when they are the same: tag and words; empty for what is too long or too short."""
    raw = "".join(element.itertext()) if _is_light(element) else ""
    text = " ".join(raw.split()).lower()
    if not text or len(text) > _LONGEST or count_words(text) < _FEWEST:
        return ""
    return hashlib.blake2b(f"{element.tag}\0{text}".encode(), digest_size=8).hexdigest()


def repeated_blocks(contents: Iterable[HtmlElement]) -> frozenset[str]:
    """Fingerprints of blocks that many of these contents have, once each, where they begin or end."""
    pages = 0
    found: Counter[str] = Counter()
    for content in contents:
        pages += 1
        marks = Counter(filter(None, map(fingerprint, blocks(content))))
        found.update(mark for mark, times in marks.items() if times == 1)
    if pages < LEAST_PAGES:
        return frozenset()
    return frozenset(mark for mark, times in found.items() if times >= max(3, _SHARE * pages))


def blocks(content: HtmlElement) -> Iterator[HtmlElement]:
    """The first and the last blocks of a content: in between, what is repeated is said again on purpose."""
    all_blocks = [one for one in content.iter(*_BLOCKS) if one is not content]
    edges = all_blocks if len(all_blocks) <= 2 * _EDGE else [*all_blocks[:_EDGE], *all_blocks[-_EDGE:]]
    return (one for one in edges if not is_callout(one.get("class") or ""))


def _is_light(element: HtmlElement) -> bool:
    """Whether an element has few parts: found without reading what it holds."""
    return next(islice(element.iter(), _PARTS, None), None) is None
