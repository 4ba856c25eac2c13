"""Adding, listing and removing through the command line, offline."""

import json
from pathlib import Path

import pytest

from fakes.printed import Cli
from refdesk.ports.progress import Step
from refdesk.surfaces.cli import progress as progress_module
from refdesk.surfaces.cli.progress import shown_progress


def test_one_failing_spec_of_several_stops_no_other_and_sets_the_exit_code(cli: Cli, tmp_path: Path) -> None:
    printed = cli("add", "pypi:parcel==1.0.0", "pypi:parcel==9.9", "aws:depot@1.34.0", "--json", home=tmp_path)
    rows = printed.json["added"]
    assert [row["outcome"] for row in rows] == ["indexed", "failed", "indexed"]
    assert (printed.code, rows[1]["error"]["error"]) == (3, "unknown_version")
    assert rows[1]["release"] is None
    assert cli("list", "--json", home=tmp_path).json["version_line"] == "[Version: 2 indexed releases]"
    readable = cli("add", "pypi:parcel==1.0.0", "pypi:nothing", home=tmp_path)
    assert "pypi:parcel 1.0.0: already indexed, nothing to do" in readable.out
    assert "pypi:nothing: failed (" in readable.out
    assert readable.code != 0


def test_a_second_add_does_nothing_and_says_so(cli: Cli, tmp_path: Path) -> None:
    first = cli("add", "pypi:parcel", "--json", "--no-vectors", home=tmp_path)
    # 3.0.0 is the newest, and its archive has a path that leads outside.
    assert (first.code, first.out) == (6, "")
    assert json.loads("{" + first.err.partition("{")[2])["error"] == "source_rejected"
    assert cli("add", "pypi:parcel@2.0.0", home=tmp_path).out.startswith(
        "[Version: pypi:parcel 2.0.0]\n\n- pypi:parcel"
    )
    again = cli("add", "pypi:parcel@2.0.0", "--json", home=tmp_path).json["added"][0]
    assert again["outcome"] == "already"
    assert cli("add", "aws:depot", "--via", "botocore==1.34.0", home=tmp_path).code == 0
    assert cli("add", "aws:depot@botocore==1.34.0", "--json", home=tmp_path).json["added"][0]["outcome"] == "already"


def test_a_folder_that_changed_is_read_again(cli: Cli, tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()
    page = book / "a.md"
    page.write_text("# A\n\nOld words.\n", encoding="utf-8")
    spec = f"files:{book} as site:book@main"
    home = tmp_path / "home"
    assert "indexed" in cli("add", spec, home=home).out
    assert "nothing to do" in cli("add", spec, home=home).out
    page.write_text("# A\n\nNew words.\n", encoding="utf-8")
    assert "rebuilt" in cli("add", spec, home=home).out
    assert "New words" in cli("page", "a.md", "--library", "site:book", home=home).out


def test_what_was_left_out_is_counted_and_listed(cli: Cli, tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()
    (book / "a.md").write_text("# A\n\nWords.\n", encoding="utf-8")
    (book / "picture.png").write_bytes(b"\x89PNG")
    said = cli("add", f"files:{book}", "as", "site:book@main", home=tmp_path / "home").out
    assert "1 problems (refdesk list site:book names them)" in said
    listed = cli("list", "site:book", home=tmp_path / "home").out
    assert "Left out:" in listed
    assert "png" in listed
    assert cli("list", "site:book", "--json", home=tmp_path / "home").json["problems"]


@pytest.mark.parametrize(
    ("arguments", "removed", "left"),
    [
        (("pypi:parcel",), 2, 0),
        (("pypi:parcel", "--version", "1.0.0"), 1, 1),
        (("pypi:parcel@2.0.0",), 1, 1),
    ],
)
def test_one_version_or_all_are_removed(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], removed: int, left: int
) -> None:
    cli("add", "pypi:parcel@1.0.0", "pypi:parcel@2.0.0", "--no-vectors", home=tmp_path)
    printed = cli("remove", *arguments, home=tmp_path)
    assert printed.out.count("- removed pypi:parcel") == removed
    assert len(cli("list", "--json", home=tmp_path).json["releases"]) == left


def test_a_version_that_is_not_indexed_cannot_be_removed(cli: Cli, tmp_path: Path) -> None:
    cli("add", "pypi:parcel@1.0.0", home=tmp_path)
    assert cli("remove", "pypi:parcel@3.0", "--json", home=tmp_path).error["error"] == "version_not_indexed"
    assert len(cli("list", "--json", home=tmp_path).json["releases"]) == 1


def test_a_read_only_desk_refuses_to_add_and_goes_on_reading(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFDESK_READ_ONLY", "1")
    printed = cli("add", "pypi:parcel@1.0.0", "--json")
    assert (printed.code, printed.error["error"]) == (7, "refused")
    assert cli("list").code == 0


def test_progress_goes_to_stderr_with_counts(cli: Cli, tmp_path: Path) -> None:
    printed = cli("add", "pypi:parcel@1.0.0", "aws:depot@1.34.0", "--json", home=tmp_path)
    assert "resolve pypi:parcel@1.0.0: 0 of 2 specs" in printed.err
    assert "store pypi:parcel 1.0.0" in printed.err
    assert printed.json["added"]


class Hands:
    """A clock for progress that tests move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(progress_module, "_now", lambda: self.now)


def test_lines_come_when_a_stage_begins_and_then_now_and_again_with_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = Hands(monkeypatch)
    with shown_progress(wanted=True) as progress:
        for second in range(0, 12, 2):
            hands.now = 100.0 + second
            progress(Step("embed", "pypi:box 1", second * 10, 200, "chunks"))
        progress(Step("download", "box.whl", 10, 0, "bytes"))
        progress(Step("resolve", "cart"))
    assert capsys.readouterr().err.splitlines() == [
        "embed pypi:box 1: 0 of 200 chunks",
        "embed pypi:box 1: 60 of 200 chunks, 14 s left",
        "download box.whl: 10 bytes",
        "resolve cart",
    ]


def test_pages_are_told_with_their_rate_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = Hands(monkeypatch)
    with shown_progress(wanted=True) as progress:
        for second in (0, 10):
            hands.now = 100.0 + second
            progress(Step("crawl", "site:box 1", second * 3, 50, "pages"))
        for second in (20, 30):
            hands.now = 100.0 + second
            progress(Step("crawl", "site:cart 1", second, 0, "pages"))
    assert capsys.readouterr().err.splitlines() == [
        "crawl site:box 1: 0 of 50 pages",
        "crawl site:box 1: 30 of 50 pages, 3.0 pages/s, 7 s left",
        "crawl site:cart 1: 20 pages",
        "crawl site:cart 1: 30 pages, 1.0 pages/s",
    ]


def test_nothing_is_shown_where_nothing_takes_long(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(wanted=False) as progress:
        progress(Step("read", "x"))
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_one_bar_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_is_terminal", lambda: True)
    with shown_progress(wanted=True) as progress:
        progress(Step("read", "x", 1, 2, "files"))
        progress(Step("read", "x", 2, 2, "files"))
        progress(Step("store", "x", 1, 0, "chunks"))
