from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.ports.packs import Lengths, Postings
from refdesk.retrieval import lexical
from refdesk.retrieval.layout import Layout

Text = tuple[Sequence[str], Sequence[str]]


class Index:
    """Postings of small packs, made from the words of two columns."""

    def __init__(self, *packs: Sequence[Text]) -> None:
        self.postings = [_postings(pack) for pack in packs]
        self.lengths = [
            Lengths(
                np.array([len(names) for names, _ in pack], np.uint16),
                np.array([len(prose) for _, prose in pack], np.uint16),
            )
            for pack in packs
        ]
        self.layout = Layout.of([len(pack) for pack in packs])

    def score(self, *terms: str, wanted: Sequence[int] = ()) -> lexical.Lexical:
        return lexical.score(terms, self.postings, self.lengths, self.layout, wanted)

    def order(self, *terms: str, count: int = 10) -> list[int]:
        return lexical.best(self.score(*terms).scores, count)


def test_a_score_is_bm25_over_two_columns() -> None:
    index = Index([(["put"], ["put", "x", "x"]), ([], ["y"] * 3), (["z"], ["z"] * 3)])
    average_names, average_prose = 2 / 3, 3.0
    tf = 2.0 / (1 - 0.3 + 0.3 * 1 / average_names) + 1.0 / (1 - 0.75 + 0.75 * 3 / average_prose)
    expected = log(1 + (3 - 1 + 0.5) / (1 + 0.5)) * tf * 2.2 / (1.2 + tf)
    found = index.score("put")
    assert found.scores.tolist() == pytest.approx([expected, 0, 0])
    assert found.ceiling == pytest.approx(log(1 + 2.5 / 1.5) * 2.2)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ((["put"], ["x", "x"]), (["x"], ["put", "x"])),
        ((["x"], ["put", "put", "x"]), (["x"], ["put", "x", "x"])),
        ((["x"], ["put", "x"]), (["x"], ["put"] + ["x"] * 40)),
        ((["x"], ["put", "rare"]), (["x"], ["put", "common"])),
    ],
    ids=["a name counts more than prose", "more occurrences", "a shorter text", "the rarer term"],
)
def test_what_says_more_scores_more(better: Text, worse: Text) -> None:
    rest: list[Text] = [(["x"], ["common", "x"])] * 5
    found = Index([worse, better, *rest]).score("put", "rare", "common").scores
    assert found[1] > found[0] > 0


def test_statistics_are_those_of_all_packs_together_so_that_scores_compare() -> None:
    first: list[Text] = [(["put"], ["a"]), (["get"], ["a", "b"])]
    second: list[Text] = [(["put"], ["put", "c"]), (["x"], ["d"])]
    apart, together = Index(first, second), Index(first + second)
    assert apart.score("put", "a", "d").scores.tolist() == together.score("put", "a", "d").scores.tolist()


def test_a_pack_that_is_not_asked_changes_nothing() -> None:
    pack: list[Text] = [(["put"], ["a"]), (["get"], ["a", "b"])]
    assert Index(pack).score("put", "a").scores.tolist() == Index(pack).score("put", "a").scores.tolist()
    assert Index(pack, [(["put"], [])] * 9).score("put").scores.tolist()[0] < Index(pack).score("put").scores[0]


def test_unknown_terms_are_named_and_lower_the_coverage() -> None:
    found = Index([(["put"], ["a"])]).score("put", "nowhere")
    assert found.terms == ("put",)
    assert found.unknown == ("nowhere",)
    assert found.ceiling > Index([(["put"], ["a"])]).score("put").ceiling


def test_no_known_term_scores_nothing() -> None:
    assert Index([(["put"], ["a"])], []).order("nowhere") == []


def test_only_the_rarest_terms_of_a_long_question_are_scored() -> None:
    words = [f"w{number:02}" for number in range(40)]
    texts = [((), words[start:]) for start in range(40)]
    found = Index(texts).score(*reversed(words))
    assert found.terms == tuple(words[: lexical.MAX_SCORED])


def test_very_frequent_terms_only_rerank_what_a_rarer_term_found() -> None:
    index = Index([*[((), ("common", "x"))] * 2_500, ((), ("rare", "common")), ((), ("rare", "x"))])
    assert index.order("common", "rare") == [2_500, 2_501]
    assert index.score("common", "rare", wanted=[7]).scores[7] > 0
    assert len(index.order("common")) == 10


def test_ties_are_in_order_of_rows_also_at_the_end_of_the_list() -> None:
    index = Index([([], ["a"])] * 6, [([], ["a"])] * 6)
    assert index.order("a", count=8) == list(range(8))


@given(
    st.lists(st.lists(st.tuples(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abcd")))), max_size=3),
    st.integers(1, 5),
)
def test_the_best_are_the_first_of_the_total_order(packs: list[list[Text]], count: int) -> None:
    found = Index(*packs, [(["z"], ["z"])]).score("a", "b", "d")
    scores = found.scores.tolist()
    expected = sorted((row for row, score in enumerate(scores) if score > 0), key=lambda row: (-scores[row], row))
    assert lexical.best(found.scores, count) == expected[:count]
    assert all(0 <= score <= found.ceiling * 1.0001 for score in scores)


def test_matched_terms_are_those_of_the_row_in_the_order_asked() -> None:
    index = Index([(["put"], ["a"]), (["get"], ["a"])])
    assert lexical.matched(("get", "a", "put", "nowhere"), index.postings[0], 0) == ("a", "put")
    assert lexical.matched(("put",), index.postings[0], 1) == ()


def _postings(pack: Sequence[Text]) -> Mapping[str, Postings]:
    columns = [(Counter(names), Counter(prose)) for names, prose in pack]
    found = {}
    for term in sorted({term for names, prose in pack for term in (*names, *prose)}):
        rows = [row for row, (names, prose) in enumerate(columns) if names[term] or prose[term]]
        found[term] = Postings(
            np.array(rows, np.uint32),
            np.array([columns[row][0][term] for row in rows], np.uint8),
            np.array([columns[row][1][term] for row in rows], np.uint8),
        )
    return found
