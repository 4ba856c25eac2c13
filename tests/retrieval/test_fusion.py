from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.retrieval.fusion import K, Way, account, fuse
from refdesk.retrieval.layout import Candidate
from refdesk.retrieval.plan import Method
from refdesk.retrieval.trace import WayTrace

A, B, C = Candidate(0, 0), Candidate(0, 1), Candidate(1, 0)
METHODS: tuple[Method, ...] = ("blend", "rrf")

candidates = st.builds(Candidate, st.integers(0, 2), st.integers(0, 5))
scores = st.dictionaries(candidates, st.integers(1, 8).map(float), max_size=8)
methods = st.sampled_from(METHODS)


def ways(lexical: Mapping[Candidate, float], vector: Mapping[Candidate, float], *, weight: float = 0.7) -> list[Way]:
    return [Way("lexical", 1 - weight, lexical, bottom=0.0), Way("vector", weight, vector)]


def test_reciprocal_ranks_start_at_one_and_add_up_by_weight() -> None:
    found = fuse([Way("lexical", 0.5, {A: 9, B: 3}), Way("vector", 0.3, {B: 0.8, C: 0.1})], "rrf")
    total = 0.8
    expected = {
        B: 0.5 / total / (K + 2) + 0.3 / total / (K + 1),
        A: 0.5 / total / (K + 1),
        C: 0.3 / total / (K + 2),
    }
    assert {one.candidate: one.score for one in found} == pytest.approx(expected)
    assert [one.candidate for one in found] == [B, A, C]


def test_the_blend_scales_each_way_and_keeps_how_much_better() -> None:
    found = fuse(ways({A: 10, B: 5}, {A: 0.2, B: 0.8, C: 0.5}), "blend")
    assert {one.candidate: one.score for one in found} == pytest.approx(
        {A: 0.3 * 1 + 0.7 * 0, B: 0.3 * 0.5 + 0.7 * 1, C: 0.7 * 0.5}
    )


def test_a_stated_top_leaves_room_above_weak_evidence() -> None:
    found = fuse([Way("structured", 1, {A: 0.4}, bottom=0.0, top=1.0)], "blend")
    assert found[0].score == pytest.approx(0.4)


def test_equal_scores_of_a_way_all_count_fully() -> None:
    assert [one.score for one in fuse([Way("vector", 1, {A: 0.3, B: 0.3})], "blend")] == [1, 1]


@pytest.mark.parametrize("method", METHODS)
def test_ways_that_found_nothing_or_do_not_count_are_left_out(method: Method) -> None:
    alone = fuse([Way("lexical", 0.2, {A: 2, B: 1})], method)
    assert fuse([Way("lexical", 0.2, {A: 2, B: 1}), Way("vector", 0.8, {})], method) == alone
    assert fuse([Way("lexical", 0.2, {A: 2, B: 1}), Way("vector", 0.0, {B: 9, C: 1})], method) == alone
    assert fuse([], method) == []


def test_a_pack_that_a_way_cannot_see_into_is_judged_by_the_others() -> None:
    seeing = Way("lexical", 0.4, {A: 8, C: 8}, bottom=0.0)
    found = fuse([seeing, Way("vector", 0.6, {A: 0.9, B: 0.1}, blind=frozenset({1}))], "blend")
    assert {one.candidate: one.score for one in found} == pytest.approx({A: 1.0, C: 1.0, B: 0.0})


def test_the_account_names_rank_score_weight_and_share_of_each_way() -> None:
    given_ways = [*ways({A: 10, B: 5}, {B: 0.8, C: 0.5}, weight=0.75), Way("structured", 0, {A: 1})]
    assert account(given_ways, "blend", [A, C]) == [
        (WayTrace("lexical", 1, 10, 0.25, 0.25), WayTrace("vector", 0, 0, 0.75, 0)),
        (WayTrace("lexical", 0, 0, 0.25, 0), WayTrace("vector", 2, 0.5, 0.75, 0)),
    ]


def test_the_account_leaves_out_a_way_that_cannot_see_the_candidate() -> None:
    blind = [Way("lexical", 1, {A: 1, C: 2}), Way("vector", 3, {A: 1}, blind=frozenset({1}))]
    assert [[one.way for one in traces] for traces in account(blind, "rrf", [A, C])] == [
        ["lexical", "vector"],
        ["lexical"],
    ]


@given(scores, scores, methods)
def test_the_order_is_total(lexical: dict[Candidate, float], vector: dict[Candidate, float], method: Method) -> None:
    found = fuse(ways(lexical, vector), method)
    assert found == sorted(found, key=lambda one: (-one.score, one.candidate))
    assert sorted(one.candidate for one in found) == sorted({*lexical, *vector})


@given(scores, scores, methods)
def test_the_order_of_the_input_is_irrelevant(
    lexical: dict[Candidate, float], vector: dict[Candidate, float], method: Method
) -> None:
    third = Way("structured", 0.2, {A: 1.0}, bottom=0.0, top=1.0)
    expected = fuse([*ways(lexical, vector), third], method)
    turned = ways(dict(reversed(lexical.items())), dict(reversed(vector.items())))
    assert all(fuse(order, method) == expected for order in permutations([*turned, third]))


@given(scores, scores, methods, st.sampled_from([0.25, 2.0, 64.0]))
def test_only_the_proportion_of_the_weights_matters(
    lexical: dict[Candidate, float], vector: dict[Candidate, float], method: Method, factor: float
) -> None:
    given_ways = ways(lexical, vector)
    scaled = [replace(way, weight=way.weight * factor) for way in given_ways]
    assert fuse(scaled, method) == fuse(given_ways, method)


@given(scores, scores, methods, st.data())
def test_a_candidate_that_a_way_likes_better_never_falls(
    lexical: dict[Candidate, float], vector: dict[Candidate, float], method: Method, data: st.DataObject
) -> None:
    if not lexical:
        return
    chosen = data.draw(st.sampled_from(sorted(lexical)))
    before = [one.candidate for one in fuse(ways(lexical, vector), method)].index(chosen)
    liked = {**lexical, chosen: lexical[chosen] + data.draw(st.sampled_from([0.5, 1.0, 20.0]))}
    after = [one.candidate for one in fuse(ways(liked, vector), method)].index(chosen)
    assert after <= before


@given(scores, scores, methods)
def test_the_shares_of_an_account_add_up_to_the_fused_score(
    lexical: dict[Candidate, float], vector: dict[Candidate, float], method: Method
) -> None:
    given_ways = ways(lexical, vector)
    found = fuse(given_ways, method)
    accounts = account(given_ways, method, [one.candidate for one in found])
    assert [sum(one.share for one in traces) for traces in accounts] == pytest.approx([one.score for one in found])
