"""What the packs know of a question. This is the only module of retrieval that asks the packs.

Of each pack: `postings` and `lengths` once, `find` for the names of the question, `rows_of_symbol` for the symbols
found, `vectors` once, `heads` for the candidates that are looked at, `chunks` for the hits. numpy is loaded by the
first search, not by importing this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refdesk.domain.entries import Chunk
from refdesk.domain.libraries import Library
from refdesk.ports.packs import Lengths, NameMatch, PackEntries, PackText, Postings
from refdesk.retrieval.fusion import Way
from refdesk.retrieval.layout import Candidate, Layout
from refdesk.retrieval.plan import Plan
from refdesk.retrieval.question import terms_of
from refdesk.retrieval.structured import Mention, Named, Structured, structured

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAX_NAMED = 20
_MAX_MENTIONS = 50
_ALWAYS_FEW = 3
_FEW = 20
_LAST_WHOLE_RANK = 2


@dataclass(frozen=True, slots=True)
class View:
    """One release that is searched.

    Attributes:
        library: Whose release it is: a question over several libraries that says which one it means leans to it.
    """

    text: PackText
    entries: PackEntries
    library: Library | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """The embedded question: vectors of this embedder id are compared with it."""

    embedder: str
    vector: "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Candidates:
    """What was read for one question.

    Attributes:
        plan: Settled by what the look-up of names found.
        similarities: Cosine with the question by common row number, 0 in blind packs; None without a question.
        named: What the structured way says.
        blind: Packs without vectors of the embedder, where vectors are wanted.
    """

    plan: Plan
    views: Sequence[View]
    layout: Layout
    postings: Sequence[Mapping[str, Postings]]
    lengths: Sequence[Lengths]
    similarities: "NDArray[np.float32] | None"
    named: Mapping[Candidate, Structured]
    blind: frozenset[int]

    @property
    def unknown(self) -> tuple[str, ...]:
        """Terms of the question that occur in none of the packs."""
        return tuple(term for term in self.plan.terms if not any(term in one for one in self.postings))

    def ways(self, depth: int) -> tuple[Way, ...]:
        """The best `depth` candidates of each way, with the scores that the other ways give to them."""
        from refdesk.retrieval import lexical

        weights = self.plan.weights
        near = [] if self.similarities is None else lexical.best(self.similarities, depth)
        named = [self.layout.number(one) for one in self.named]
        scores = lexical.score(self.plan.terms, self.postings, self.lengths, self.layout, (*near, *named)).scores
        worded = lexical.best(scores, depth)
        # Reciprocal ranks are about what each way itself found; the blend wants to know what it says of all of them.
        if self.plan.method == "blend":
            worded = near = list(dict.fromkeys((*worded, *near, *named)))
        candidates = self.layout.candidates(worded)
        by_words = {one: score for one, score in zip(candidates, scores[worded].tolist(), strict=True) if score}
        by_vector: dict[Candidate, float] = {}
        if self.similarities is not None:
            if near is not worded:
                candidates = self.layout.candidates(near)
            scored = zip(candidates, self.similarities[near].tolist(), strict=True)
            by_vector = {one: score for one, score in scored if one.pack not in self.blind}
        return (
            Way("lexical", weights.lexical, by_words, bottom=0.0),
            Way("vector", weights.vector, by_vector, blind=self.blind),
            Way("structured", weights.structured, {one: said.score for one, said in self.named.items()}, 0.0, 1.0),
        )

    def heads(self, candidates: Sequence[Candidate]) -> list[Chunk]:
        """The chunks of the candidates with empty texts, in their order."""
        return [chunk for one in candidates for chunk in self.views[one.pack].text.heads([one.row])]

    def chunks(self, candidates: Sequence[Candidate]) -> list[Chunk]:
        """The chunks of the candidates, in their order."""
        return [chunk for one in candidates for chunk in self.views[one.pack].text.chunks([one.row])]

    def is_exact(self, candidate: Candidate) -> bool:
        """Whether the question spells the name of the candidate's symbol."""
        said = self.named.get(candidate)
        return said is not None and said.exact

    def terms_of(self, candidate: Candidate) -> tuple[str, ...]:
        """Terms of the question that a candidate holds, in the plan's order."""
        from refdesk.retrieval import lexical

        return lexical.matched(self.plan.terms, self.postings[candidate.pack], candidate.row)

    def symbols(self, name: str) -> frozenset[tuple[int, str]]:
        """Pack index and canonical name of the symbols that a spelling fits best, in each pack."""
        return frozenset(
            (pack, match.symbol)
            for pack, view in enumerate(self.views)
            for match in _best_matches(view.entries.find(name))
        )


def gather(plan: Plan, views: Sequence[View], question: Question | None) -> Candidates:
    """Read what the packs know of a question.

    Args:
        plan: As it was made from the question.
        views: The releases asked for.
        question: None where the plan gives vectors no weight or there is no embedder.
    """
    postings = [view.text.postings(plan.terms) for view in views]
    lengths = [view.text.lengths() for view in views]
    sizes = [len(one.prose) for one in lengths]
    layout = Layout.of(sizes)
    named = structured(_named(plan, views), _mentions(plan, postings, sizes))
    blind, near = _similarities(plan, views, layout, question)
    return Candidates(plan.settled(bool(named)), views, layout, postings, lengths, near, named, blind)


def _similarities(
    plan: Plan, views: Sequence[View], layout: Layout, question: Question | None
) -> "tuple[frozenset[int], NDArray[np.float32] | None]":
    if question is None or not plan.weights.vector:
        return frozenset(), None
    import numpy as np

    from refdesk.retrieval import vectors

    near = np.zeros(layout.size, np.float32)
    blind = []
    for pack, view in enumerate(views):
        found = view.text.vectors(question.embedder)
        if found is None:
            blind.append(pack)
        else:
            near[layout.starts[pack] : layout.starts[pack + 1]] = vectors.similarities(found, question.vector)
    return frozenset(blind), near


def _named(plan: Plan, views: Sequence[View]) -> Iterator[Named]:
    for pack, view in enumerate(views):
        for spelling in (*plan.names, *([plan.filters.api] if plan.filters.api else [])):
            yield from _named_in(pack, view, spelling, view.entries.find(spelling))
        if plan.spoken:
            whole = [one for one in view.entries.find(plan.spoken) if one.rank <= _LAST_WHOLE_RANK]
            yield from _named_in(pack, view, plan.spoken, whole)


def _named_in(pack: int, view: View, spelling: str, matches: Sequence[NameMatch]) -> Iterator[Named]:
    alone = len(_best_matches(matches)) == 1
    for place, match in enumerate(matches[:_MAX_NAMED]):
        rows = tuple(view.text.rows_of_symbol(match.symbol))
        yield Named(spelling, pack, match, rows, alone=alone and not place)


def _best_matches(matches: Sequence[NameMatch]) -> Sequence[NameMatch]:
    """Those of the best rank; one for each symbol."""
    best = min((one.rank for one in matches), default=0)
    return list({one.symbol: one for one in matches if one.rank == best}.values())


def _mentions(plan: Plan, postings: Sequence[Mapping[str, Postings]], sizes: Sequence[int]) -> Iterator[Mention]:
    """Chunks with an identifier of the question, where few have it: what every chunk repeats is a product's name."""
    for spelling in plan.names:
        whole = next(iter(terms_of(spelling)), "")
        held = [
            (pack, one[whole])
            for pack, (one, size) in enumerate(zip(postings, sizes, strict=True))
            if whole in one and len(one[whole].chunks) <= max(_ALWAYS_FEW, size // _FEW)
        ]
        if sum(len(found.chunks) for _, found in held) <= _MAX_MENTIONS:
            for pack, found in held:
                for row, count in zip(found.chunks.tolist(), found.in_names.tolist(), strict=True):
                    yield Mention(spelling, Candidate(pack, row), among_names=count > 0)
