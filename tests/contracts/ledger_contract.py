"""What every ledger must do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from fakes.clock import NOON
from refdesk.ports.ledger import Call, Ledger

CALL = Call(
    trace_id="t0",
    at=NOON + timedelta(microseconds=123_456),
    surface="mcp",
    operation="search_docs",
    arguments='{"query":"put"}',
    conversation="c",
    principal="p",
    library="aws:drawer",
    requested="1.34",
    served="aws:drawer@2006-03-01+1.34.0",
    ids=("api/PutThing", "page/ä"),
    count=2,
    error="not_found",
    seconds=0.25,
)


def call(number: int, minutes: float = 0, error: str = "") -> Call:
    return replace(CALL, trace_id=f"t{number}", at=NOON + timedelta(minutes=minutes), error=error)


class LedgerContract:
    """A test class of an implementation inherits this and overrides `ledger`."""

    @pytest.fixture
    def ledger(self) -> Ledger:
        raise NotImplementedError

    def test_an_empty_ledger_has_no_calls(self, ledger: Ledger) -> None:
        assert list(ledger.calls(5)) == []
        assert ledger.prune(NOON) == 0
        ledger.close()

    def test_a_call_comes_back_whole(self, ledger: Ledger) -> None:
        ledger.record(CALL)
        assert list(ledger.calls(5)) == [CALL]

    def test_the_newest_calls_come_first(self, ledger: Ledger) -> None:
        for number, minutes in enumerate((1, 3, 2, 3)):
            ledger.record(call(number, minutes))
        assert [one.trace_id for one in ledger.calls(9)] == ["t3", "t1", "t2", "t0"]
        assert [one.trace_id for one in ledger.calls(2)] == ["t3", "t1"]

    @pytest.mark.parametrize("limit", [0, -3])
    def test_a_limit_of_nothing_gives_nothing(self, ledger: Ledger, limit: int) -> None:
        ledger.record(CALL)
        assert list(ledger.calls(limit)) == []

    def test_calls_can_be_chosen_by_their_error(self, ledger: Ledger) -> None:
        for number, error in enumerate(("", "not_found", "busy", "not_found")):
            ledger.record(call(number, number, error))
        assert [one.trace_id for one in ledger.calls(9, "not_found")] == ["t3", "t1"]
        assert list(ledger.calls(9, "' OR ''='")) == []

    def test_pruning_forgets_what_is_older(self, ledger: Ledger) -> None:
        for number in range(4):
            ledger.record(call(number, number))
        assert ledger.prune(NOON + timedelta(minutes=2)) == 2
        assert [one.trace_id for one in ledger.calls(9)] == ["t3", "t2"]

    def test_recording_goes_on_after_closing(self, ledger: Ledger) -> None:
        ledger.record(call(0, 0))
        ledger.close()
        ledger.close()
        ledger.record(call(1, 1))
        assert [one.trace_id for one in ledger.calls(9)] == ["t1", "t0"]

    def test_many_calls_are_all_kept(self, ledger: Ledger) -> None:
        for number in range(1_000):
            ledger.record(call(number, number))
        assert [one.trace_id for one in ledger.calls(2_000)] == [f"t{number}" for number in range(999, -1, -1)]
