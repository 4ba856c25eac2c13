"""Searching over one release, one library, or the default release of every library."""

from collections.abc import Sequence
from dataclasses import dataclass

from refdesk.domain.entries import ContentType
from refdesk.domain.errors import PackUnreadable, RefdeskError
from refdesk.ports.catalog import Catalog
from refdesk.ports.embedder import Embedder
from refdesk.retrieval.evidence import vectors_id
from refdesk.retrieval.packing import Packed, fit
from refdesk.retrieval.plan import Filters, Method, Plan, plan
from refdesk.retrieval.search import Question, Ranked, Ranking, View, rank
from refdesk.services.shelf import Chosen, Shelf

FAN_OUT = 10
"""Releases that one search without a library reads at most; beyond, their cards choose."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with its filters.

    Attributes:
        query: What is sought, in English where possible.
        words: The user's own words, in any language; empty if they are the query.
        library: Empty for the default release of every library; `version` empty for the library's default.
        max_tokens: Budget of all hits together.
    """

    query: str
    words: str = ""
    library: str = ""
    version: str = ""
    api: str = ""
    content_type: ContentType | None = None
    language: str = ""
    limit: int = 5
    max_tokens: int = 1_500
    method: Method = "blend"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        searched: The releases that were searched; `Packed.candidate.pack` is an index into them.
        left_out: Default releases that were not searched because their cards fit less.
        unreadable: Why default releases were not searched whose packs cannot be read.
        vectors: `used`, `off` (no embedder), `building` (some releases have none yet), `language` (the embedder does
            not read the question's language) or `failed`.
    """

    searched: Sequence[Chosen]
    left_out: int
    hits: Sequence[Packed]
    ranking: Ranking
    vectors: str
    unreadable: Sequence[PackUnreadable] = ()


class Searching:
    """Asks packs, in three ways, and ranks what they give."""

    def __init__(self, shelf: Shelf, catalog: Catalog, embedder: Embedder | None) -> None:
        self._shelf = shelf
        self._catalog = catalog
        self._embedder = embedder

    def search(self, ask: Ask) -> Found:
        """The best passages for a question.

        Raises:
            InvalidInput: A question without words.
            LibraryNotIndexed, VersionNotIndexed, Ambiguous, PackUnreadable: As their names say.
        """
        filters = Filters(ask.content_type, ask.language.lower(), ask.api)
        readable = self._embedder.languages if self._embedder else frozenset[str]()
        query = ask.query if ask.query.strip() else ask.words
        wanted = plan(query, filters, words=ask.words, readable=readable, method=ask.method)
        chosen, unreadable, left_out = self._choose(ask, wanted)
        vector, state = self._embed(query, wanted)
        views = [View(one.pack.text, one.pack.entries, one.library) for one in chosen]
        ranking = rank(wanted, views, ask.limit, vector)
        if ranking.without_vectors and state == "used":
            state = "building"

        def summary_of(one: Ranked) -> str:
            name = one.chunk.symbol
            return chosen[one.candidate.pack].pack.entries.symbol(name).summary if name else ""

        packed = fit(ranking.hits, ask.max_tokens, wanted.terms, summary_of)
        return Found(chosen, left_out, packed, ranking, state, unreadable)

    def _choose(self, ask: Ask, wanted: Plan) -> tuple[Sequence[Chosen], Sequence[PackUnreadable], int]:
        if ask.library:
            return [self._shelf.choose(ask.library, ask.version)], (), 0
        defaults = self._shelf.defaults()
        if len(defaults) > FAN_OUT:
            by_pack = {one.pack: one for one in defaults}
            ranked = self._catalog.rank_packs(wanted.terms, len(self._shelf.published()))
            # A question may share no word with any card; then the first libraries are as good as any.
            best = dict.fromkeys([*(pack for pack in ranked if pack in by_pack), *by_pack])
            defaults = [by_pack[pack] for pack in list(best)[:FAN_OUT]]
            return *self._shelf.opened(defaults), len(by_pack) - FAN_OUT
        return *self._shelf.opened(defaults), 0

    def _embed(self, query: str, wanted: Plan) -> tuple[Question | None, str]:
        if self._embedder is None:
            return None, "off"
        if not wanted.weights.vector:
            return None, "language"
        try:
            return Question(vectors_id(self._embedder.id), self._embedder.embed_query(query)), "used"
        except RefdeskError:
            # A damaged model must not take lexical search down with it; the answer says that it was left out.
            return None, "failed"
