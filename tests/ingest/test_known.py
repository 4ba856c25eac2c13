"""Symbols as the texts of pages name them."""

import pytest

from refdesk.domain.symbols import Place, Symbol
from refdesk.ingest.known import Known


def symbol(name: str, url: str = "", path: str = "api.html") -> Symbol:
    return Symbol(name, "function", (name,), place=Place(path, 0, url))


KNOWN = Known([
    symbol("tap.Tap.open", "https://e.org/api.html#open-it"),
    symbol("tap.Tap.close_all"),
    symbol("tap.Valve.close_all"),
    symbol("tap.Tap.turn_off"),
    symbol("std::map::insert_all", "", "api.html#map.insert"),
    symbol("get"),
])  # fmt: skip


@pytest.mark.parametrize(
    ("spelled", "names"),
    [
        ("tap.Tap.open", ("tap.Tap.open",)),
        ("Tap.open(force=True)", ("tap.Tap.open",)),
        ("turn_off()", ("tap.Tap.turn_off",)),
        ("close_all", ()),
        ("open()", ()),
        ("get", ()),
        ("insert_all", ("std::map::insert_all",)),
        ("x", ()),
        ("Nothing.known", ()),
    ],
)
def test_a_spelling_leads_to_the_one_symbol_that_it_can_mean(spelled: str, names: tuple[str, ...]) -> None:
    assert KNOWN.mentions([spelled]) == names


def test_a_text_does_not_mention_itself() -> None:
    assert KNOWN.mentions(["Tap.open", "turn_off"], "tap.Tap.open") == ("tap.Tap.turn_off",)


def test_entries_are_found_by_the_anchor_of_their_address_and_by_their_name() -> None:
    assert {anchor: one.name for anchor, one in KNOWN.entries("api.html").items()} == {
        "open-it": "tap.Tap.open",
        "tap.Tap.open": "tap.Tap.open",
        "tap.Tap.close_all": "tap.Tap.close_all",
        "tap.Valve.close_all": "tap.Valve.close_all",
        "tap.Tap.turn_off": "tap.Tap.turn_off",
        "get": "get",
    }
    assert KNOWN.entries("other.html") == {}


def test_a_release_without_symbols_mentions_none() -> None:
    assert Known().mentions(["tap.Tap.open"]) == ()
