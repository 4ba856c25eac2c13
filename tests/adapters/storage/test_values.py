"""Values of the domain as JSON."""

from datetime import UTC, datetime
from types import MappingProxyType

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.catalog_contract import NEW
from contracts.packs_contract import CHUNKS, GUIDE, PUT, SHAPE, manifest_of
from refdesk.adapters.values import dumps, fields_of, loads
from refdesk.domain.entries import Page, Problem
from refdesk.domain.releases import Updated
from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import Deprecation, Param, Symbol

_TEXT = st.text(max_size=12)


@pytest.mark.parametrize(
    "value",
    [PUT, SHAPE, GUIDE, CHUNKS[0], NEW, manifest_of(), Symbol("a", "module", ())],
    ids=lambda value: type(value).__name__,
)
def test_values_come_back_equal(value: object) -> None:
    assert loads(type(value), dumps(value)) == value


@given(
    st.builds(
        Shape,
        name=_TEXT,
        type=st.sampled_from(["structure", "scalar"]),
        label=_TEXT,
        members=st.lists(
            st.builds(
                Member,
                name=_TEXT,
                shape=_TEXT,
                required=st.booleans(),
                default=st.none() | _TEXT,
                deprecation=st.none() | st.builds(Deprecation, evidence=st.just("flag"), note=_TEXT),
            ),
            max_size=3,
        ).map(tuple),
        enum=st.lists(_TEXT, max_size=3).map(tuple),
        limits=st.dictionaries(_TEXT, st.none() | st.integers(-(2**63), 2**63 - 1) | _TEXT, max_size=3),
    )
)
def test_any_shape_comes_back_equal(shape: Shape) -> None:
    data = dumps(shape)
    assert loads(Shape, data) == shape
    assert dumps(loads(Shape, data)) == data


def test_defaults_are_left_out() -> None:
    assert orjson.loads(dumps(Param("a", required=True))) == {"name": "a", "required": True}
    assert fields_of(Page("p", "t", "m", "concept", language="de")) == {
        "path": "p",
        "title": "t",
        "markdown": "m",
        "content_type": "concept",
        "language": "de",
    }


def test_any_mapping_and_sequence_will_do() -> None:
    assert dumps({"a": MappingProxyType({"b": [Problem("p", "m")]})}) == b'{"a":{"b":[{"path":"p","message":"m"}]}}'


def test_moments_keep_their_microseconds() -> None:
    updated = Updated(datetime(2026, 1, 2, 3, 4, 5, 678_901, UTC), "registry")
    assert loads(Updated, dumps(updated)) == updated


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", "\ud800"], ids=["object", "set", "bytes", "surrogate"])
def test_what_json_has_no_form_for_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        dumps({"a": value})


@pytest.mark.parametrize(("data", "error"), [(b"{", ValueError), (b'{"zzz": 1}', TypeError)])
def test_the_json_of_something_else_is_refused(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        loads(Problem, data)
