"""Posting lists, and that cutting text at white space first changes no token."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refdesk.adapters.packs.postings import PostingsBuilder, decode
from refdesk.domain.text import tokens

# Characters that the tokeniser treats in different ways, and white space of several kinds.
_TEXTS = st.text(
    st.sampled_from("aAbB1_-./:;,'\"`*()[]{}<>=!?\u0301é上传\u00a0\u2003\u00a8 \n\t\x1c"), max_size=30
) | st.text(max_size=20)


def _lists(builder: PostingsBuilder) -> dict[str, tuple[list[int], list[int], list[int]]]:
    decoded = {term: decode(data) for term, data in builder.lists()}
    assert list(decoded) == sorted(decoded)
    return {term: (one.chunks.tolist(), one.in_names.tolist(), one.in_prose.tolist()) for term, one in decoded.items()}


@given(st.lists(st.tuples(st.lists(_TEXTS, max_size=2), st.lists(_TEXTS, max_size=2)), max_size=5))
@example([(["--flag -x a.-b"], ["(\u0301foo foo.\u0338 .foo. ::a::b:: - -- a- -1 'it's'"])])
def test_lists_hold_what_the_tokeniser_finds(chunks: list[tuple[list[str], list[str]]]) -> None:
    builder = PostingsBuilder()
    expected: dict[str, tuple[list[int], list[int], list[int]]] = {}
    for row, (names, prose) in enumerate(chunks):
        builder.add(names, prose)
        in_names, in_prose = (Counter(token for text in column for token in tokens(text)) for column in (names, prose))
        for term in in_names.keys() | in_prose.keys():
            one = expected.setdefault(term, ([], [], []))
            for column, value in zip(one, (row, in_names[term], in_prose[term]), strict=True):
                column.append(value)
    assert _lists(builder) == expected
    lengths = builder.lengths()
    assert lengths.names.tolist() == [sum(len(tokens(text)) for text in names) for names, _ in chunks]
    assert lengths.prose.tolist() == [sum(len(tokens(text)) for text in prose) for _, prose in chunks]


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        pytest.param([0, 255], 1 + 2, id="gaps-of-one-byte"),
        pytest.param([0, 256], 1 + 4, id="gaps-of-two-bytes"),
        pytest.param([0, 65_536], 1 + 8, id="gaps-of-four-bytes"),
        pytest.param([65_536], 1 + 4, id="a-far-first-row"),
    ],
)
def test_gaps_take_as_few_bytes_as_they_need(rows: list[int], size: int) -> None:
    builder = PostingsBuilder()
    for row in range(rows[-1] + 1):
        builder.add((), ("word",) if row in rows else ())
    ((term, data),) = builder.lists()
    assert (term, len(data)) == ("word", size)
    assert decode(data).chunks.tolist() == rows
    assert decode(data).in_prose.tolist() == [1] * len(rows)


@pytest.mark.parametrize(
    ("names", "prose"),
    [
        pytest.param(["a", ""], ["a", "a"], id="both"),
        pytest.param(["a", "a"], ["", ""], id="names-only"),
        pytest.param(["a a", "a"], ["", ""], id="names-only-counted"),
        pytest.param(["a", ""], ["", "a a"], id="apart"),
        pytest.param(["", ""], ["a a a", "a"], id="prose-counted"),
    ],
)
def test_columns_stay_apart(names: list[str], prose: list[str]) -> None:
    builder = PostingsBuilder()
    for name, text in zip(names, prose, strict=True):
        builder.add((name,), (text,))
    ((_, data),) = builder.lists()
    found = decode(data)
    assert found.chunks.tolist() == [0, 1]
    assert found.in_names.tolist() == [len(one.split()) for one in names]
    assert found.in_prose.tolist() == [len(one.split()) for one in prose]
    assert found.in_names.dtype == found.in_prose.dtype == np.uint8
