"""What happens to an index when processes are stopped, run at the same time, or have nowhere to write."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.processes import Refdesk, add_wheel

STAGES = ["resolve", "download", "read", "store"]


def stopped_at(refdesk: Refdesk, stage: str, how: signal.Signals) -> tuple[int, str]:
    """Add a package and stop the process when it says that it has come to a stage."""
    with refdesk.start("add", "pypi:crates") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(stage):
                process.send_signal(how)
                break
        rest = process.stderr.read()
    return process.returncode, rest


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("stage", STAGES)
def test_after_a_kill_the_old_release_answers_and_the_next_start_cleans_up(refdesk: Refdesk, stage: str) -> None:
    assert refdesk("add", "pypi:parcel@1.0.0").code == 0
    assert stopped_at(refdesk, stage, signal.SIGKILL)[0] == -signal.SIGKILL
    assert "# parcel.send" in refdesk("api", "send", "--library", "parcel").out
    assert refdesk("add", "pypi:crates").code == 0
    packs = sorted(path.name.partition("@")[0] for path in (refdesk.home / "packs").iterdir())
    assert packs == ["pypi-crates", "pypi-parcel"]
    assert list((refdesk.home / "archives" / "incoming").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("stage", ["read", "store"])
def test_an_interruption_is_said_and_leaves_nothing_half_done(refdesk: Refdesk, stage: str) -> None:
    code, rest = stopped_at(refdesk, stage, signal.SIGINT)
    assert code == 130
    assert "Interrupted; what was indexed stays" in rest
    assert "Traceback" not in rest
    assert not list(refdesk.home.glob("packs/*.tmp"))


def test_processes_that_add_the_same_release_make_it_once(refdesk: Refdesk) -> None:
    processes = [refdesk.start("add", "pypi:crates", "--json") for _ in range(3)]
    answers = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert sorted(json.loads(one)["added"][0]["outcome"] for one in answers) == ["already", "already", "indexed"]
    assert len(list((refdesk.home / "packs").iterdir())) == 1


def test_no_network_is_never_told_as_not_found(refdesk: Refdesk) -> None:
    assert refdesk("add", "pypi:parcel@1.0.0").code == 0
    away = {"PIP_NO_INDEX": "", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    ended = refdesk("add", "pypi:absent", "pypi:parcel@2.0.0", "pypi:parcel@1.0.0", "--json", **away)
    rows = json.loads(ended.out)["added"]
    assert ended.code == 4
    assert [(row["error"] or {}).get("error") for row in rows] == ["network_unavailable", "network_unavailable", None]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_full_or_closed_stdout_is_said_as_such(refdesk: Refdesk, form: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            refdesk.command("list", *form), env=refdesk.environment(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert process.returncode == 5
    assert b"cannot be written to stdout" in process.stderr


def test_a_broken_archive_without_a_hash_is_fetched_again(tmp_path: Path) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    own = Refdesk(tmp_path / "home", folder)
    path = add_wheel(folder, "crate", "1.0", {"crate/__init__.py": b"def lift(): ...\n"})
    whole = path.read_bytes()
    path.write_bytes(whole[:200])
    assert own("add", "pypi:crate").code == 6
    path.write_bytes(whole)
    assert own("add", "pypi:crate").code == 0


def test_one_damaged_pack_stops_no_other_release(refdesk: Refdesk) -> None:
    assert refdesk("add", "pypi:parcel@2.0.0", "aws:depot").code == 0
    for pack in (refdesk.home / "packs").glob("pypi-parcel*"):
        pack.write_bytes(pack.read_bytes()[:2_000])
    found = refdesk("search", "keep a parcel in a depot")
    assert (found.code, "KeepParcel" in found.out) == (0, True)
    assert "Build it again: refdesk add pypi:parcel@2.0.0" in found.out
    assert refdesk("api", "keep_parcel").code == 0
    assert refdesk("api", "send").code == 5  # it may be there: not "not found"
    assert "pypi:parcel 2.0.0" in refdesk("list", "parcel").out
    assert "rebuilt" in refdesk("add", "pypi:parcel@2.0.0").out
    assert refdesk("remove", "pypi:parcel==2.0.0").code == 0


def test_one_module_with_a_syntax_error_is_left_out_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    own = Refdesk(tmp_path / "home", folder)
    bad = {"crate/bad.py": b"def (:\n", "crate/latin.py": b'"""caf\xe9"""\n', "crate/nul.py": b"x = 1\0\n"}
    add_wheel(folder, "crate", "1.0", {"crate/__init__.py": b"def lift(weight): ...\n", **bad})
    assert "3 problems" in own("add", "pypi:crate").out
    listed = own("list", "crate").out
    assert all(name in listed for name in bad)
    assert own("api", "lift", "--library", "crate").code == 0
