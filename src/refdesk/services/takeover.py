"""Taking over pages that did not change: what an earlier pack of a release holds of each page of its site."""

from collections import defaultdict
from collections.abc import Sequence

from refdesk.domain.entries import Fidelity, PageEntries, Problem, Relation
from refdesk.domain.errors import PackUnreadable
from refdesk.domain.symbols import Symbol
from refdesk.ports.packs import Pack

_ALL = 1 << 62


class Takeover:
    """Gives the entries of a page again, for the same bytes and the same maker (`SourceFiles.earlier`).

    What is given must be what converting would make. So a page of which something was dropped because of what other
    pages hold (a second symbol of a name, a link to a name that nothing defined) is not taken over: the other pages
    may have changed.
    """

    def __init__(self, pack: Pack) -> None:
        """Nothing of the pack is read before the first page is asked for."""
        self._pack = pack
        self._receipts: dict[str, Fidelity] | None = None
        self._symbols: defaultdict[str, list[Symbol]] = defaultdict(list)
        self._relations: defaultdict[str, list[Relation]] = defaultdict(list)
        self._problems: defaultdict[str, list[Problem]] = defaultdict(list)

    def __call__(self, path: str, sha256: str, maker: str) -> PageEntries | None:
        """The entries of a page; None if it must be converted."""
        try:
            return self._page(path, sha256, maker)
        except PackUnreadable:
            # A damaged pack gives nothing more; the pages are converted, and the new pack takes its place.
            self._receipts = {}
            return None

    def _page(self, path: str, sha256: str, maker: str) -> PageEntries | None:
        if self._receipts is None:
            self._read()
        receipt = (self._receipts or {}).get(path)
        if receipt is None or (receipt.sha256, receipt.maker) != (sha256, maker):
            return None
        page = self._pack.entries.page(path)
        if page is None:
            return None
        symbols = tuple(self._symbols[path])
        told = [*self._problems[path], *(problem for one in symbols for problem in self._problems[one.name])]
        if any(problem.cause == "others" for problem in told):
            return None
        names = [path, *(one.name for one in symbols)]
        relations = tuple(relation for name in names for relation in self._relations[name])
        return PageEntries(page, receipt, symbols, relations, tuple(dict.fromkeys(told)))

    def _read(self) -> None:
        self._receipts = {one.path: one for one in self._pack.fidelity()}
        if not self._receipts:
            return
        for symbol in self._every_symbol():
            self._symbols[symbol.place.path].append(symbol)
        for relation in self._pack.relations():
            self._relations[relation.source].append(relation)
        for problem in self._pack.problems():
            if problem.cause != "fetching":  # that is of the crawl before, not of the page
                self._problems[problem.path].append(problem)

    def _every_symbol(self) -> Sequence[Symbol]:
        entries = self._pack.entries
        return [entries.symbol(one.name) for one in entries.summaries("", "", _ALL)]
