"""From settings to a desk that answers."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from refdesk import bootstrap
from refdesk.adapters.embedders.minilm import MiniLm
from refdesk.bootstrap import open_desk
from refdesk.domain.errors import StorageReadOnly
from refdesk.operations.descriptor import Caller
from refdesk.ports.ledger import Call
from refdesk.settings import Settings


def test_opening_a_desk_touches_nothing_and_asks_nobody(tmp_path: Path) -> None:
    home = tmp_path / "not" / "there"
    desk = open_desk(Settings(home, vectors=False), {})
    desk.close()
    assert not home.exists() or not any(home.rglob("*.pack"))
    assert os.environ["OPENBLAS_NUM_THREADS"]


def test_a_desk_adds_and_answers(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()
    (book / "a.md").write_text("# A\n\nWords about carts.\n", encoding="utf-8")
    desk = open_desk(Settings(tmp_path / "home", vectors=False), {})
    caller = Caller("python")
    desk.dispatcher.call("index_library", {"specs": [f"files:{book} as site:book@main"]}, caller)
    answer = desk.dispatcher.call("search_docs", {"query": "carts"}, caller)
    assert answer.text.startswith("[Version: site:book main]")
    assert desk.ledger is not None
    assert [call.operation for call in desk.ledger.calls(5)] == ["search_docs", "index_library"]
    desk.close()


def call(at: datetime) -> Call:
    return Call("trace", at, "cli", "list_apis", "{}")


def test_closing_forgets_calls_that_are_older_than_the_settings_say(tmp_path: Path) -> None:
    desk = open_desk(Settings(tmp_path, vectors=False, call_log_days=30), {})
    assert desk.ledger is not None
    desk.ledger.record(call(datetime(2001, 1, 1, tzinfo=UTC)))
    desk.ledger.record(call(desk.clock.now()))
    desk.close()
    again = open_desk(Settings(tmp_path, vectors=False), {})
    assert again.ledger is not None
    assert len(again.ledger.calls(10)) == 1
    again.close()


def test_a_log_that_cannot_be_pruned_is_closed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk = open_desk(Settings(tmp_path, vectors=False), {})

    def refuse(*_arguments: object) -> int:
        raise StorageReadOnly("The index folder may not be written.")

    monkeypatch.setattr(type(desk.ledger), "prune", refuse)
    desk.close()
    assert "old calls stay in the log" in caplog.text


def test_without_a_call_log_nothing_is_kept(tmp_path: Path) -> None:
    desk = open_desk(Settings(tmp_path, vectors=False, call_log_days=0), {})
    assert desk.ledger is None
    desk.dispatcher.call("list_apis", {}, Caller("python"))
    desk.close()
    assert not (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize(
    ("available", "wanted", "used"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_vectors_are_used_where_they_are_wanted_and_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, available: bool, wanted: bool, used: bool
) -> None:
    monkeypatch.setattr("refdesk.bootstrap.MiniLm.available", lambda _self: available)
    desk = open_desk(Settings(tmp_path, vectors=wanted), {})
    answer = desk.dispatcher.call("search_docs", {"query": "x"}, Caller("python"))
    assert ("no embedder is installed" in answer.text) is not used
    desk.close()


@pytest.mark.parametrize(
    ("installed", "chromium", "missing"),
    [
        pytest.param(("scrapy", "playwright"), "/bin/sh", [], id="everything"),
        pytest.param(("scrapy", "playwright"), "/no/browser", ["chromium"], id="no-browser"),
        pytest.param((), "", ["crawl", "render"], id="nothing"),
    ],
)
def test_what_is_not_installed_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], chromium: str, missing: list[str]
) -> None:
    monkeypatch.setattr(bootstrap, "find_spec", lambda name: name if name in installed else None)
    desk = open_desk(Settings(tmp_path, vectors=False, chromium=chromium), {})
    found = desk.services.checkup.check().missing
    assert [one.name for one in found] == missing
    assert all("install" in one.install for one in found)
    desk.close()


def test_vectors_that_are_wanted_and_not_installed_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MiniLm, "available", lambda _self: False)
    desk = open_desk(Settings(tmp_path), {})
    assert "vectors" in [one.name for one in desk.services.checkup.check().missing]
    desk.close()
