"""Reports T1 to T4: versions as people write them, over folders of pages under labels."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from fakes.printed import Cli, Printed
from refdesk.surfaces.cli.main import run


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line in process; `home` is not used."""
    monkeypatch.setenv("REFDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REFDESK_VECTORS", "0")

    def call(*arguments: str, home: Path | None = None) -> Printed:
        del home
        code = run(arguments, lambda _desk: [])
        printed = capsys.readouterr()
        return Printed(code, printed.out, printed.err)

    return call


def shelve(ask: Cli, folder: Path, labels: Iterable[str]) -> None:
    specs: list[str] = []
    for label in labels:
        place = folder / "my docs ünï" / label
        place.mkdir(parents=True)
        (place / "a.md").write_text(f"# Page\n\nThis is <{label}> and nothing else.\n", encoding="utf-8")
        specs.append(f"files:{place} as site:guide@{label}")
    assert ask("add", *specs).code == 0


CASES = [
    ("T1", "1.19 1.20 1.9", "1.20", "1.20", "exact"),
    ("T1", "1.19 1.20 1.9", "1.20.x", "1.20", "minor_line"),
    ("T1", "1.19 1.20 1.9", "1.x", "1.20", "minor_line"),
    ("T1", "1.19 1.20 1.9", "1.20.3", "1.20", "minor_line"),
    ("T1", "1.19 1.20 1.9", "", "1.20", "newest_stable"),
    ("T1", "1.19 1.20 1.9", "~1.19", "1.19", "range"),
    ("T2", "latest stable v2-beta 2024-10-01", "latest", "latest", "label"),
    ("T2", "latest stable v2-beta 2024-10-01", "v2-beta", "v2-beta", "exact"),
    ("T2", "latest stable v2-beta 2024-10-01", "2024-10-01", "2024-10-01", "exact"),
    ("T2", "v2-beta", "", "v2-beta", "only_release"),
    ("T2", "latest", "", "latest", "only_release"),
    ("T3", "1.15.9 1.15.10", "", "1.15.10", "newest_stable"),
    ("T3", "1.15.9 1.15.10", "1.15.9", "1.15.9", "exact"),
    ("T3", "2.0.0-rc.2 2.0.0-rc.10", "", "2.0.0-rc.10", "newest"),
    ("T3", "2.0.0-rc.2 2.0.0-rc.10 2.0.0", "", "2.0.0", "newest_stable"),
    ("T3", "2.0.0-rc.2 2.0.0-rc.10", "2.0.0-rc.2", "2.0.0-rc.2", "exact"),
    ("T3", "1.0.0+20130313144700 0.0.1", "", "1.0.0+20130313144700", "newest_stable"),
    ("T3", "1.0.0+1 1.0.0+2", "1.0.0+1", "1.0.0+1", "exact"),
]


@pytest.mark.parametrize(
    ("labels", "version", "served", "rule"), [case[1:] for case in CASES], ids=[" ".join(case[:3]) for case in CASES]
)
def test_a_version_is_served_by_its_rule(
    ask: Cli, tmp_path: Path, labels: str, version: str, served: str, rule: str
) -> None:
    shelve(ask, tmp_path, labels.split())
    printed = ask("page", "a.md", "--library", "site:guide", *(["--version", version] if version else []))
    assert f"served: {served}; rule: {rule}" in printed.out
    assert f"<{served}>" in printed.out


@pytest.mark.parametrize(
    ("labels", "version", "nearest"),
    [
        pytest.param("2.11", "3.0.0", "2.11", id="T4 a later version"),
        pytest.param("2.11", "2.1", "2.11", id="T4 not by its first letters"),
        pytest.param(
            "2.0.0-rc.2 2.0.0-rc.10", "2.0.0", "2.0.0-rc.10", id="T3 the release of which there are candidates"
        ),
        pytest.param("v2-beta", "v2", "v2-beta", id="T2 the release of a beta"),
        pytest.param("1.19 1.20", "1.21.3", "1.20", id="T1 a line that is not there"),
    ],
)
def test_nothing_is_served_for_a_version_that_is_not_there(
    ask: Cli, tmp_path: Path, labels: str, version: str, nearest: str
) -> None:
    shelve(ask, tmp_path, labels.split())
    printed = ask("page", "a.md", "--library", "site:guide", "--version", version)
    assert (printed.code, printed.out) == (3, "")
    assert f"Nearest indexed: site:guide {nearest}" in printed.err
    assert "nothing else" not in printed.err


def test_releases_are_listed_newest_first(ask: Cli, tmp_path: Path) -> None:
    shelve(ask, tmp_path, ["1.15.9", "1.15.10", "1.9"])
    listed = [line.split(":")[1] for line in ask("list").out.splitlines() if line.startswith("- ")]
    assert listed == ["guide 1.15.10", "guide 1.15.9", "guide 1.9"]
