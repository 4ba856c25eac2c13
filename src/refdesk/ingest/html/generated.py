"""Pages that a generator makes besides the documentation: indexes, listings of source code, all pages in one.

What they say stands on other pages too, in a better place, or is the library's code and no documentation of it. They
are left out, and told of by kind.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from refdesk.domain.entries import Problem

_INDEX = "indexes and lists of what other pages hold"
_SOURCE = "listings of source code"
_WHOLE = "pages that repeat all others"

_SEARCH = (re.compile(r"search\.html\Z"), _INDEX)
"""The form to search in, which lies at the top; deeper, `search.html` is about searching."""

_ANYWHERE = ((re.compile(r"404\.html\Z"), _INDEX), (re.compile(r"(?:.*/)?print_page(?:/|\.html)"), _WHOLE))

_BY_GENERATOR: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "sphinx": (
        _SEARCH,
        (re.compile(r"(?:.*/)?_modules/"), _SOURCE),
        (re.compile(r"(?:.*/)?(?:genindex(?:-[\w-]+)?|[a-z]+-modindex|modindex)(?:\.html|/index\.html)\Z"), _INDEX),
    ),
    "javadoc": (
        _SEARCH,
        (re.compile(r"(?:.*/)?(?:src-html|source)/"), _SOURCE),
        (
            re.compile(
                r"(?:.*/)?(?:class-use/|index-files/|(?:package-use|package-tree|overview-tree|help-doc|constant-values"
                r"|serialized-form|index-all|allclasses(?:-index|-frame|-noframe)?|allpackages-index|deprecated-list"
                r"|new-list|system-properties|external-specs|package-frame|overview-frame)\.html\Z)"
            ),
            _INDEX,
        ),
    ),
    "doxygen": (
        (re.compile(r".*_source\.html\Z"), _SOURCE),
        (
            re.compile(
                r"(?:.*/)?(?:(?:functions|globals|namespacemembers)(?:_\w+)?|annotated|classes|hierarchy|inherits|files"
                r"|dir_[0-9a-f]{32}|[\w-]+-members)\.html\Z"
            ),
            _INDEX,
        ),
    ),
    "rustdoc": (
        (re.compile(r"(?:.*/)?src/.*\.rs\.html\Z"), _SOURCE),
        (re.compile(r"(?:.*/)?print\.html\Z"), _WHOLE),
        (re.compile(r"(?:[\w-]+/)?all\.html\Z|(?:help|settings)\.html\Z"), _INDEX),
    ),
    "node": ((re.compile(r"(?:.*/)?all\.html\Z"), _WHOLE),),
    "docusaurus": (
        _SEARCH,
        (re.compile(r"(?:.*/)?tags(?:/|\.html\Z)"), _INDEX),
    ),
}


def told_apart(paths: Iterable[str], generator: str) -> tuple[list[str], list[Problem]]:
    """Pages of documentation, and what is said of the others: one problem for each kind."""
    kept: list[str] = []
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for path in paths:
        what = _what(path, generator)
        if what:
            first.setdefault(what, path)
            counts[what] += 1
        else:
            kept.append(path)
    return kept, list(_problems(first, counts))


def _what(path: str, generator: str) -> str:
    rules = (*_ANYWHERE, *_BY_GENERATOR.get(generator, ()))
    return next((what for pattern, what in rules if pattern.match(path)), "")


def _problems(first: dict[str, str], counts: Counter[str]) -> Iterator[Problem]:
    for what, path in sorted(first.items()):
        yield Problem(path, f"left out: {counts[what]} page(s), {what}")
