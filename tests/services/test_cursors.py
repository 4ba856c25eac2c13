"""Cursors go on exactly where they were made for, and nowhere else."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.errors import InvalidInput
from refdesk.services.cursors import make_cursor, read_cursor


@given(st.text(), st.one_of(st.text(), st.integers()))
def test_what_was_put_in_comes_out(scope: str, after: str | int) -> None:
    assert read_cursor(make_cursor(scope, after), scope) == after


@given(st.text())
def test_no_text_is_an_exception_of_another_kind(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        read_cursor(cursor, "pack/list/")


@pytest.mark.parametrize("held", ["[]", '["a"]', "1", "null", '["a", null]', '["a", true]', '["a", 1.5]', "[" * 9000])
def test_json_of_another_form_is_no_cursor(held: str) -> None:
    with pytest.raises(InvalidInput):
        read_cursor(base64.urlsafe_b64encode(held.encode()).decode(), "scope")


def test_a_cursor_of_an_older_pack_is_refused_with_the_way_out() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_cursor(make_cursor("old.pack/list/", "Name"), "new.pack/list/")
    assert "rebuilt" in caught.value.message
    assert caught.value.suggestion == "Leave cursor out to start again."
