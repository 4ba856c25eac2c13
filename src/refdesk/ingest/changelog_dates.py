"""The date of a release as its own changelog states it.

A heading that names the version and a date (`## 1.2.0 (2024-05-29)`, `[1.2] - May 29, 2024`, `2.0 / 29th May 2024`), or
one whose text begins with a line that is only a date (`Released 2024-05-29`). Dates of digits are read in the order of
ISO 8601 only: what `05/04/2024` means depends on who wrote it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from string import punctuation

from refdesk.domain.entries import Page
from refdesk.domain.markdown import outline
from refdesk.domain.releases import Updated
from refdesk.domain.versions import same_version

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*\.?"
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<y1>\d{{4}})(?P<mark>[-/])(?P<m1>\d{{1,2}})(?P=mark)(?P<d1>\d{{1,2}})"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?(?P<m2>{_MONTH}),?[ -](?P<y2>\d{{4}})"
    rf"|(?P<m3>{_MONTH}) (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>\d{{4}}))(?![\w.])",
    re.IGNORECASE,
)
_ONLY_DATE = re.compile(
    r"[\W_]*(?:(?:release date|released?|date|published)(?: on)?)?[\W_]*(?P<date>.+?)[\W_]*\Z", re.IGNORECASE
)
_NUMBER = re.compile(r"v?(?P<version>\d+(?:[.!]\w+)*(?:[.+-]\w+)*)\Z", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+", re.IGNORECASE)
_YEAR = re.compile(r"[0-9][0-9][0-9][0-9][^\n]*")
"""To the end of its line, so that each line is found once; written out, because counting digits takes twice as long."""

_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-+)[ \t\r]*$", re.MULTILINE)
_LONGEST_ONLY = 60
"""Characters of a line that is only a date, without the signs around it."""

_MARKS = str.maketrans("", "", "_*`")  # of emphasis and code, which headings lose before they are read
_FIRST_WORDS = 3
"""Words of a heading among which its version stands: `Version 1.2`, `refdesk release 1.2`."""


def stated_date(pages: Iterable[Page], version: str) -> Updated | None:
    """The date that a changelog, or the history at the end of a README, gives for a version; None if none does.

    Args:
        pages: Pages of the release.
        version: What the release is called. A label that is no version number (`main`) means the newest entry.
    """
    dated = [(page.content_type == "changelog", *one) for page in pages for one in _dated_headings(page.markdown)]
    own = [at for _, named, at in dated if any(same_version(version, one) for one in named)]
    if not own and _VERSION.match(version) is None:
        own = [at for is_changelog, named, at in dated if is_changelog and named]
    return Updated(max(own), "changelog") if own else None


def _dated_headings(markdown: str) -> Iterator[tuple[tuple[str, ...], datetime]]:
    """Versions that a heading may name, and its date."""
    if not _may_hold_date(markdown):
        return
    for heading in outline(markdown):
        found = _DATE.search(heading.text)
        words = _DATE.sub(" ", heading.text).split()[:_FIRST_WORDS]
        numbers = (_NUMBER.match(word.strip("[]():,;/–—-")) for word in words)
        named = tuple(number["version"] for number in numbers if number is not None)
        at = _moment(found) if found is not None else _below(markdown[heading.body : heading.end])
        if at is not None:
            yield named, at


def _may_hold_date(markdown: str) -> bool:
    """Whether a page needs to be looked at by headings: most have no date where one counts, and headings cost more."""
    lines = (markdown[markdown.rfind("\n", 0, one.start()) + 1 : one.end()] for one in _YEAR.finditer(markdown))
    dated = [line for line in (one.translate(_MARKS) for one in lines) if _DATE.search(line)]
    return any(
        line.lstrip()[:1] in ("#", "<") or (len(line.strip(punctuation)) <= _LONGEST_ONLY and _below(line))
        for line in dated
    ) or (bool(dated) and _UNDERLINE.search(markdown) is not None)


def _below(section: str) -> datetime | None:
    """The date that the first line of a section is."""
    line = next((one for one in section.split("\n") if one.strip()), "")
    only = _ONLY_DATE.match(line)
    found = _DATE.fullmatch(only["date"]) if only is not None else None
    return _moment(found) if found is not None else None


def _moment(found: re.Match[str]) -> datetime | None:
    year = found["y1"] or found["y2"] or found["y3"]
    month = found["m1"] or found["m2"] or found["m3"]
    day = found["d1"] or found["d2"] or found["d3"]
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    try:
        return datetime(int(year), number, int(day), tzinfo=UTC)
    except ValueError:
        return None
