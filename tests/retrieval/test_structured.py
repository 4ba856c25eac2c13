from itertools import permutations

import pytest

from refdesk.ports.packs import NameMatch
from refdesk.retrieval.layout import Candidate
from refdesk.retrieval.structured import Mention, Named, Structured, structured


def named(rank: int, spelling: str = "put_object", *, row: int = 0, alone: bool = True) -> Named:
    return Named(spelling, 0, NameMatch(rank, "name", "symbol"), (row,), alone)


def test_the_way_abstains_where_the_question_names_nothing() -> None:
    assert structured([], []) == {}


def test_scores_fall_with_the_kind_of_match() -> None:
    scores = [structured([named(rank)], [])[Candidate(0, 0)].score for rank in range(8)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1
    assert scores[-1] > structured([], [Mention("x", Candidate(0, 0), True)])[Candidate(0, 0)].score
    assert (
        structured([], [Mention("x", Candidate(0, 0), True)])[Candidate(0, 0)].score
        > structured([], [Mention("x", Candidate(0, 0), False)])[Candidate(0, 0)].score
    )


@pytest.mark.parametrize(
    ("one", "exact"),
    [
        (named(0), True),
        (named(2), True),
        (named(3, "get"), False),
        (named(3, "Client.get"), True),
        (named(3, "Client.get", alone=False), False),
    ],
    ids=["canonical", "but for case", "one last part", "the only one with two last parts", "one of several with them"],
)
def test_exact_is_a_whole_name_or_the_only_one_with_these_parts(one: Named, exact: bool) -> None:
    assert structured([one], [])[Candidate(0, 0)].exact is exact


def test_matches_merge_in_any_order() -> None:
    matches = [named(3, "get"), named(0), named(1, "PutObject")]
    mentions = [Mention("Key", Candidate(0, 0), False)]
    expected = {Candidate(0, 0): Structured(1.0, True, ("Key", "PutObject", "get", "put_object"))}
    assert all(structured(order, mentions) == expected for order in permutations(matches))


def test_every_chunk_of_a_symbol_is_a_candidate() -> None:
    match = NameMatch(0, "name", "symbol")
    assert set(structured([Named("name", 2, match, (4, 9), True)], [])) == {Candidate(2, 4), Candidate(2, 9)}
