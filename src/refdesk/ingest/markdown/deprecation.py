"""Whether a part of a page says of itself that it is deprecated: in a badge on its heading, in a call-out below it."""

import re

_READ = 400
_NAME = re.compile(r"`|\w\(|\w[._:-]\w|\A\S+\Z")
"""What a badge stands behind: the name of something. Prose may end in the word as well."""

_CALL_OUT = re.compile(r">[ \t]*\*\*(?:[A-Za-z]+:[ \t]*)?deprecated\b[^*\n]{0,60}\*\*", re.IGNORECASE)
_BADGE = re.compile(r"(?P<name>\S.*?)[ \t]+\(?deprecated\)?", re.IGNORECASE)


def is_deprecated(text: str) -> bool:
    """Whether a chunk begins with that.

    Args:
        text: Of the chunk, with the heading of its section where it is the first of it.
    """
    start = text[:_READ]
    if "deprecated" not in start.casefold():
        return False
    heading, _, below = start.partition("\n") if start.startswith("#") else ("", "", start)
    badge = _BADGE.fullmatch(heading.lstrip("#").strip())
    named = badge is not None and _NAME.search(badge["name"]) is not None
    return named or _CALL_OUT.match(below.lstrip()) is not None
