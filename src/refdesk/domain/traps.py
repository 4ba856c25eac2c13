"""Sites that link to themselves for ever: which addresses are not worth asking for.

An address by itself is refused for what no page has: segments that repeat, a depth that no reader goes to. What only
many addresses together show is counted: dates without end, queries without end, a parameter that is new each time.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

DEEPEST = 24
"""Segments of the deepest path; the deepest of the known documentation sites has 14."""

MOST_QUERIES = 100
"""Addresses of one path that differ in their queries only."""

MOST_DATES = 250
"""Addresses that differ in their dates only: release notes have fewer, calendars more."""

MOST_VALUES = 60
"""Values of a query parameter that is new on nearly every address, before it counts as an id of sessions."""

_REPEATED = re.compile(r"((?:/[^/]+){1,3})\1{2,}(?=/|\Z)")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d([-/_.])(?:1[0-2]|0?[1-9])(?:\1(?:3[01]|[12]\d|0?[1-9]))?(?!\d)")
_DATE_NAME = re.compile(r"(?:date|day|week|month|year|from|to|start|end|time|calendar)\Z", re.IGNORECASE)


@dataclass(slots=True)
class Traps:
    """Counts the addresses of one crawl, and refuses those that lead nowhere.

    The order of the addresses decides which ones of a trap are taken; a trap is left, not entered less often.
    """

    _queries: Counter[str] = field(default_factory=Counter)
    _dates: Counter[str] = field(default_factory=Counter)
    _values: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _paths: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _uses: Counter[str] = field(default_factory=Counter)
    _sessions: set[str] = field(default_factory=set)

    def refuses(self, url: str) -> str:
        """Why a canonical address that was not seen before is not worth asking for, in words; empty if it is."""
        path, _, query = url.partition("://")[2].partition("?")
        if path.count("/") > DEEPEST:
            return f"more than {DEEPEST} folders deep"
        if _REPEATED.search(path):
            return "its folders repeat"
        if query:
            why = self._query(path, query)
            if why:
                return why
        return self._date(path, query)

    def _query(self, path: str, query: str) -> str:
        for item in query.split("&"):
            name, _, value = item.partition("=")
            self._uses[name] += 1
            if len(self._values[name]) <= MOST_VALUES:
                self._values[name].add(value)
                self._paths[name].add(path)
                if self._is_session(name):
                    self._sessions.add(name)
            if name in self._sessions:
                return f"its parameter {name} is another on every page"
        self._queries[path] += 1
        return "one page with queries without end" if self._queries[path] > MOST_QUERIES else ""

    def _is_session(self, name: str) -> bool:
        # One page that is asked for by its number has many values on one path; a session is new on every path.
        values = len(self._values[name])
        return values > MOST_VALUES and len(self._paths[name]) > MOST_VALUES // 6 and self._uses[name] < 2 * values

    def _date(self, path: str, query: str) -> str:
        shape = _DATE.sub("DATE", f"{path}?{query}")
        named = [item for item in query.split("&") if _DATE_NAME.match(item.partition("=")[0])]
        if named:
            shape = path + "?" + "&".join(item.partition("=")[0] for item in named)
        elif "DATE" not in shape:
            return ""
        self._dates[shape] += 1
        return "dates without end" if self._dates[shape] > MOST_DATES else ""
