"""What kind of text a page or a section is: one table of rules, the first that fits decides."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from refdesk.domain.entries import ContentType

_Where = Literal["path", "title", "text"]

_VERSION_HEADING = r"(?:^|\n)#{1,3} \[?v?\d+\.\d+[\w.]*\]?(?:\([^()\s]*\))?[ \t]*(?:[-–—(][^\n]*)?(?=\n)"

_HOWTO_FOLDERS = r"how[-_]?tos?|guides?|tutorials?|get[-_a-z]*[-_]started|quick[-_]?start|usage|install\w*"
_HOWTO_TITLES = (
    r"^how (?:to|do|can)\b|\b(?:tutorial|quick ?start|getting started|step by step)\b|^(?:usage|install\w*)\b"
)
_NEWS = r"change[-_ ]?log|changes|history|news|whats[-_ ]?new|release[-_ ]?notes?"

_RULES: Sequence[tuple[_Where, str, ContentType]] = (
    ("path", rf"(?:^|/)(?:{_NEWS})\b[^/]*$", "changelog"),
    ("path", r"(?:^|/)(?:changelogs?|releases?|release[-_ ]notes|whatsnew)/", "changelog"),
    ("path", r"(?:^|/)(?:licen[cs]e|copying|notice|authors|contributors|maintainers|codeowners)\b[^/]*$", "metadata"),
    ("title", r"^(?:change ?log|changes|release notes|what.?s new|history)\b", "changelog"),
    ("path", r"(?:^|/|[-_])(?:errors?|exceptions?|troubleshoot\w*|faq|known[-_]issues)\b[^/]*$", "error"),
    ("title", r"\b(?:troubleshoot\w*|error (?:codes?|reference|messages?)|common (?:errors|problems))\b", "error"),
    ("title", r"^(?:errors|exceptions|error handling|known issues)$", "error"),
    ("path", r"(?:^|/|[-_])(?:config\w*|settings|options|environment)\b[^/]*$", "configuration"),
    ("title", r"^(?:configur\w+|settings|options|environment variables)\b", "configuration"),
    ("path", r"(?:^|/)(?:api|apis|reference|ref|api[-_]reference)(?:/|[-_.][^/]*$)", "api_reference"),
    ("title", r"\b(?:api reference|reference manual|api documentation)$|^(?:api|reference)$", "api_reference"),
    (
        "path",
        r"(?:^|/)(?:struct|enum|trait|fn|macro|type|constant|union|primitive|static)\.\w+\.html?$",
        "api_reference",
    ),
    (
        "title",
        r"\b(?:(?:field|method|constructor|class|enum|member) (?:summary|details?)|module contents)$",
        "api_reference",
    ),
    ("path", r"(?:^|/)(?:examples?|samples?|cookbook|recipes?|snippets?)(?:/|\b[^/]*$)", "code_example"),
    ("title", r"^(?:examples?|code samples?)\b|\bexamples?$", "code_example"),
    ("path", rf"(?:^|/)(?:{_HOWTO_FOLDERS})\b", "howto"),
    ("path", r"(?:^|/)readme\b[^/]*$", "howto"),
    ("title", _HOWTO_TITLES, "howto"),
    ("text", r"^[^\n]*\n+(?:[^\n]*\n+){0,4}#{1,3} Synopsis\b", "api_reference"),
    ("text", rf"{_VERSION_HEADING}[\s\S]*?{_VERSION_HEADING}", "changelog"),
)
_COMPILED = tuple((where, re.compile(pattern, re.IGNORECASE), kind) for where, pattern, kind in _RULES)
_READ = 20_000


def page_type(path: str, title: str, markdown: str) -> ContentType:
    """The kind of a page, by its path, its title, then its text; a page that nothing speaks for is a concept."""
    places: dict[_Where, str] = {"path": path, "title": title.strip(), "text": markdown[:_READ]}
    return next((kind for where, rule, kind in _COMPILED if rule.search(places[where])), "concept")


@lru_cache(maxsize=1_000)
def section_type(page: ContentType, heading: str, code_share: float, *, told: bool = False) -> ContentType:
    """The kind of one section: its heading may say more than its page does, and so may a text that is mostly code.

    Args:
        page: The kind of its page.
        heading: Its heading, in plain text.
        code_share: Share of code in it, 0 to 1.
        told: Whether the entries of the page's API are told of apart from this section, which is then about them.
    """
    if page in ("changelog", "metadata") or (page == "api_reference" and not told):
        return page
    base: ContentType = "concept" if page == "api_reference" else page
    own = next((kind for where, rule, kind in _COMPILED if where == "title" and rule.search(heading.strip())), base)
    return "code_example" if code_share > 0.6 and own in ("concept", "howto") else own
