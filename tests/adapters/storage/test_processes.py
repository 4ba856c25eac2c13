"""Several processes over one index folder, some of them killed at a bad moment."""

import random
import threading
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from contracts.catalog_contract import published
from contracts.ledger_contract import call
from contracts.packs_contract import ENTRIES, RELEASE, manifest_of
from contracts.processes import run, start
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.ledger import FileLedger
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.domain.entries import Entries
from refdesk.domain.releases import Release
from refdesk.ports.progress import silent

# Publishes one build of the release after another, each with another problem noted, as an `add` does.
_PUBLISH_FOREVER = """
from refdesk.domain.entries import Problem
print("started", flush=True)
for number in range(100_000):
    chunks = [replace(ENTRIES.chunks[0], id=f"c{n}", text=f"text {n} " * 20) for n in range(200)]
    entries = replace(ENTRIES, chunks=chunks, problems=[Problem("build", str(number))])
    with packs.building(RELEASE.key):
        name = packs.write(manifest_of(), entries, silent)
        earlier = catalog.publish(published(RELEASE, name), {"drawer": number + 1})
        if earlier is not None and earlier.pack != name:
            packs.remove(earlier.pack)
    ledger.record(call(number))
"""


def _home(path: Path) -> tuple[FolderPacks, FileCatalog, FileLedger]:
    return (
        FolderPacks(path / "packs", path / "locks"),
        FileCatalog(path / "catalog.db"),
        FileLedger(path / "ledger.db"),
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_build_killed_at_any_moment_leaves_a_release_that_answers(tmp_path: Path, seed: int) -> None:
    packs, catalog, ledger = _home(tmp_path)
    first = packs.write(manifest_of(), ENTRIES, silent)
    catalog.publish(published(RELEASE, first), {"drawer": 1})
    catalog.close()
    process = start(tmp_path, _PUBLISH_FOREVER)
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    # Any moment within the first few builds; the process runs on until it is killed.
    threading.Event().wait(random.Random(seed).uniform(0, 0.15))
    process.kill()
    process.communicate(timeout=60)

    (answering,) = catalog.published()
    gone = packs.clean(lambda: [one.pack for one in catalog.published()])
    assert answering.pack not in gone
    pack = packs.open(answering.pack)
    assert pack.manifest.release == RELEASE
    assert len(pack.text.chunks(range(len(pack.text.lengths().prose)))) in {4, 200}
    assert [one.name for one in (tmp_path / "packs").iterdir()] == [answering.pack]
    assert packs.clean([answering.pack]) == []
    assert catalog.rank_packs(["drawer"], 5) == [answering.pack]
    with packs.building(RELEASE.key):
        ledger.record(call(1))
    ledger.close()
    catalog.close()
    for name in ("catalog.db", "ledger.db"):
        connection = apsw.Connection(str(tmp_path / name), apsw.SQLITE_OPEN_READONLY)
        assert connection.pragma("integrity_check") == "ok"
        connection.close()


def test_cleaning_leaves_what_another_process_is_building_or_has_not_published_yet(tmp_path: Path) -> None:
    packs, _, _ = _home(tmp_path)
    process = start(
        tmp_path,
        """
        with packs.building(RELEASE.key):
            half = home / "packs" / f"aws-drawer@2006-03-01+1.34.0-new.pack.0.tmp"
            half.parent.mkdir(parents=True)
            half.write_bytes(b"half")
            print(packs.write(manifest_of(), ENTRIES, silent), flush=True)
            sys.stdin.readline()
        print("let go", flush=True)
        sys.stdin.readline()
        """,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    name = process.stdout.readline().strip()
    half = "aws-drawer@2006-03-01+1.34.0-new.pack.0.tmp"
    assert packs.clean([]) == []
    assert packs.open(name).manifest == manifest_of()
    assert (tmp_path / "packs" / half).exists()
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "let go\n"
    assert packs.clean([name]) == [half]
    process.communicate("\n", timeout=60)
    assert packs.clean([]) == [name]


def test_a_killed_builder_gives_its_right_away(tmp_path: Path) -> None:
    packs, _, _ = _home(tmp_path)
    process = start(
        tmp_path,
        """
        with packs.building(RELEASE.key):
            name = packs.write(manifest_of(), ENTRIES, silent)
            (home / "packs" / (name + ".0123456789ab.vectors.0.tmp")).write_bytes(b"half")
            (home / "packs" / (name + ".0123456789ab.vectors")).write_bytes(b"orphan")
            print(name, flush=True)
            sys.stdin.readline()
        """,
    )
    assert process.stdout is not None
    name = process.stdout.readline().strip()
    process.kill()
    process.communicate(timeout=60)
    with packs.building(RELEASE.key):
        assert packs.clean([]) == [f"{name}.0123456789ab.vectors.0.tmp"]
    assert packs.clean([]) == [name]
    assert list((tmp_path / "packs").iterdir()) == []


def test_two_processes_that_add_the_same_release_build_it_one_after_the_other(tmp_path: Path) -> None:
    program = """
    with packs.building(RELEASE.key):
        if catalog.published():
            print("already")
        else:
            name = packs.write(manifest_of(), ENTRIES, silent)
            catalog.publish(published(RELEASE, name), {})
            print("built")
    """
    processes = [start(tmp_path, program) for _ in range(3)]
    said = sorted(process.communicate(timeout=60)[0].strip() for process in processes)
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert said == ["already", "already", "built"]


def test_processes_that_publish_at_once_lose_nothing(tmp_path: Path) -> None:
    program = """
    from refdesk.domain.libraries import Library
    from refdesk.domain.releases import Release
    for number in range(20):
        release = Release(Library("pypi", f"thing{number}"), sys.argv[2])
        catalog.publish(published(release, f"{release.key}.pack"), {"word": number})
        ledger.record(call(number))
    ledger.close()
    """
    processes = [start(tmp_path, program, version) for version in ("1.0", "2.0", "3.0")]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    _, catalog, ledger = _home(tmp_path)
    assert len(catalog.published()) == 60
    assert catalog.generation() == 60
    assert len(ledger.calls(100)) == 60
    catalog.close()


def test_a_reader_sees_what_another_process_publishes(tmp_path: Path) -> None:
    _, catalog, _ = _home(tmp_path)
    assert catalog.generation() == 0
    run(tmp_path, 'catalog.publish(published(RELEASE, "a.pack"), {"word": 1})')
    assert (catalog.generation(), len(catalog.published())) == (1, 1)
    run(tmp_path, "catalog.withdraw(RELEASE)")
    assert (catalog.generation(), len(catalog.published())) == (2, 0)
    catalog.close()


def test_a_program_that_just_ends_has_its_calls_recorded(tmp_path: Path) -> None:
    run(tmp_path, "for number in range(300): ledger.record(call(number))")
    assert len(FileLedger(tmp_path / "ledger.db").calls(1_000)) == 300


def test_a_forked_child_records_too(tmp_path: Path) -> None:
    output = run(
        tmp_path,
        """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of a fork beside threads
        ledger.record(call(0, 0))
        child = os.fork()
        if child == 0:
            ledger.record(call(1, 1))
            ledger.close()
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        ledger.record(call(2, 2))
        print([one.trace_id for one in ledger.calls(9)])
        """,
    )
    assert output.splitlines() == ["0", "['t2', 't1', 't0']"]


def test_every_process_writes_the_same_bytes(tmp_path: Path) -> None:
    packs, _, _ = _home(tmp_path / "here")
    name = packs.write(manifest_of(), ENTRIES, silent)
    assert run(tmp_path / "there", "print(packs.write(manifest_of(), ENTRIES, silent))").strip() == name
    assert (tmp_path / "here" / "packs" / name).read_bytes() == (tmp_path / "there" / "packs" / name).read_bytes()


def test_threads_share_one_pack(tmp_path: Path) -> None:
    packs, _, _ = _home(tmp_path)
    pack = packs.open(packs.write(manifest_of(), ENTRIES, silent))
    expected = (ENTRIES.symbols[0], pack.text.chunks([0, 1, 2, 3]))
    right: list[bool] = []

    def read() -> None:
        right.extend((pack.entries.symbol("PutThing"), pack.text.chunks([0, 1, 2, 3])) == expected for _ in range(50))

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert right == [True] * 300


def test_releases_that_differ_in_one_character_do_not_share_a_lock(tmp_path: Path) -> None:
    packs, _, _ = _home(tmp_path)
    other = replace(RELEASE, version="2006-03-02")
    with packs.building(RELEASE.key), packs.building(other.key):
        name = packs.write(manifest_of(Release(RELEASE.library, "3")), Entries(), silent)
        assert packs.clean([]) == [name]
