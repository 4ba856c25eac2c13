"""Exact look-up: lists and details."""

import pytest

from fakes.index import Index, entries, sample, symbol
from refdesk.domain.errors import InvalidInput, NotFound
from refdesk.domain.shapes import Member, Shape
from refdesk.services.lookup import ROWS


def test_a_detail_lists_the_top_level_first_then_nested_members_by_path() -> None:
    detail = sample().lookup.detail("keep_parcel", "aws:depot", "1.34.0", "")
    names = [param.name for param in detail.params]
    assert names == ["Depot", "Key", "Body", "Class", "Labels", "Labels[].Key", "Labels[].Value"]
    assert (detail.cut, detail.focus) == (False, None)


@pytest.mark.parametrize("path", ["Labels", "labels", "Labels[]", " Labels "])
def test_a_parameter_is_opened_by_its_path(path: str) -> None:
    detail = sample().lookup.detail("KeepParcel", "aws:depot", "", path)
    assert detail.focus is not None
    assert [param.name for param in detail.params] == ["Labels[].Key", "Labels[].Value"]
    assert not detail.of_result


def test_a_nested_member_has_a_path_of_its_own() -> None:
    detail = sample().lookup.detail("KeepParcel", "aws:depot", "", "Labels.Value")
    assert detail.focus is not None
    assert (detail.focus.name, detail.params) == ("Labels[].Value", ())


def test_a_member_of_the_result_is_told_apart_from_a_parameter() -> None:
    detail = sample().lookup.detail("KeepParcel", "aws:depot", "", "ETag")
    assert detail.of_result
    assert sample().lookup.detail("KeepParcel", "aws:depot", "", "Label").params[0].name == "Label.Key"


def test_an_unknown_parameter_names_similar_ones() -> None:
    with pytest.raises(NotFound) as caught:
        sample().lookup.detail("KeepParcel", "aws:depot", "", "Lables")
    assert caught.value.details["similar"] == ["Labels"]
    assert "Do not pass it" in caught.value.suggestion


def test_where_arguments_of_any_name_are_taken_a_missing_parameter_is_not_called_wrong() -> None:
    with pytest.raises(NotFound) as caught:
        sample().lookup.detail("Client.send", "parcel", "", "speed")
    assert "further arguments as `kwargs`" in caught.value.message
    assert "Do not pass it" not in caught.value.suggestion


@pytest.mark.parametrize(
    ("name", "library", "version"), [("", "aws:depot", ""), ("  ", "", ""), ("KeepParcel", "", "1.34.0")]
)
def test_a_look_up_that_cannot_be_understood_is_refused(name: str, library: str, version: str) -> None:
    with pytest.raises(InvalidInput):
        sample().lookup.detail(name, library, version, "")


def wide(members: int) -> Index:
    inner = Shape("Inner", "structure", "Inner", members=tuple(Member(f"m{n:03}", "S") for n in range(members)))
    top = Shape("Top", "structure", "Top", members=(Member("First", "Inner"), Member("Second", "Inner")))
    shapes = {one.name: one for one in (inner, top, Shape("S", "scalar", "string"))}
    index = Index()
    index.add("aws:wide@1", entries([symbol("Go", kind="operation", input_shape="Top")], shapes))
    return index


def test_rows_are_cut_at_two_hundred_and_the_cut_is_said() -> None:
    detail = wide(150).lookup.detail("Go", "aws:wide", "", "")
    assert (len(detail.params), detail.cut) == (ROWS, True)
    deeper = wide(150).lookup.detail("Go", "aws:wide", "", "Second")
    assert (len(deeper.params), deeper.cut) == (150, False)


def test_a_list_goes_on_where_it_stopped() -> None:
    lookup = sample().lookup
    names: list[str] = []
    cursor = ""
    while True:
        part = lookup.listing("parcel", "1.0.0", "", cursor, 3)
        names.extend(item.name for item in part.items)
        cursor = part.next_cursor
        if not cursor:
            break
    assert names == sorted(names)
    assert len(names) == part.total == 8


@pytest.mark.parametrize(
    ("library", "prefix", "names"),
    [
        ("aws:depot", "Keep", ["KeepParcel"]),
        ("aws:depot", "keep_par", ["KeepParcel"]),
        ("pypi:parcel", "Client", ["parcel.Client", "parcel.Client.get", "parcel.Client.send"]),
        ("pypi:parcel", "parcel.client.g", ["parcel.Client.get"]),
    ],
)
def test_a_prefix_may_be_spelt_as_people_do(library: str, prefix: str, names: list[str]) -> None:
    assert [item.name for item in sample().lookup.listing(library, "", prefix, "", 10).items] == names


def test_a_prefix_of_another_spelling_goes_on_too() -> None:
    lookup = sample().lookup
    first = lookup.listing("pypi:parcel", "", "Client", "", 2)
    second = lookup.listing("pypi:parcel", "", "Client", first.next_cursor, 2)
    assert [item.name for item in second.items] == ["parcel.Client.send"]


def test_a_prefix_that_nothing_has_is_not_found_with_similar_names() -> None:
    with pytest.raises(NotFound) as caught:
        sample().lookup.listing("aws:depot", "", "KepParcel", "", 10)
    assert caught.value.details["similar"] == ["KeepParcel", "keep_parcel"]


def test_a_cursor_of_another_list_or_an_older_pack_is_refused() -> None:
    index = sample()
    cursor = index.lookup.listing("pypi:parcel", "1.0.0", "", "", 2).next_cursor
    for library, version, prefix in (("parcel", "2.0.0", ""), ("parcel", "1.0.0", "parcel.C"), ("aws:depot", "", "")):
        with pytest.raises(InvalidInput):
            index.lookup.listing(library, version, prefix, cursor, 2)


def test_a_release_without_symbols_has_an_empty_list() -> None:
    index = Index()
    index.add("site:book@1", entries())
    assert index.lookup.listing("site:book", "", "", "", 5).items == ()
