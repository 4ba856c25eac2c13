from hypothesis import given
from hypothesis import strategies as st

from refdesk.retrieval.layout import Candidate, Layout


@given(st.lists(st.integers(0, 5), max_size=8))
def test_numbers_and_candidates_are_the_same_rows_in_the_same_order(sizes: list[int]) -> None:
    layout = Layout.of(sizes)
    every = [Candidate(pack, row) for pack, size in enumerate(sizes) for row in range(size)]
    assert [layout.candidate(number) for number in range(layout.size)] == every
    assert [layout.number(one) for one in every] == list(range(layout.size))
