"""Full disks, read-only folders, damaged and foreign files: each has its own error and loses nothing."""

import errno
import logging
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import apsw
import numpy as np
import pytest

from contracts.catalog_contract import NEW, OLD
from contracts.ledger_contract import CALL, call
from contracts.packs_contract import ENTRIES, RELEASE, manifest_of
from contracts.processes import run
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.ledger import FileLedger
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.adapters.packs.vectors import FileVectorCache
from refdesk.adapters.sqlite import storage_error, storage_errors
from refdesk.domain.entries import Chunk, Entries
from refdesk.domain.errors import (
    Busy,
    PackUnreadable,
    RefdeskError,
    StorageFailure,
    StorageFull,
    StorageReadOnly,
)
from refdesk.ports.packs import Vectors
from refdesk.ports.progress import silent

_MARK = int.from_bytes(b"rfdc", "big")


class Disk(Protocol):
    """What the fixture `disk` gives."""

    path: Path

    def fill(self, leave: int) -> None: ...

    def freeze(self) -> None: ...


@pytest.mark.parametrize(
    ("error", "system", "expected"),
    [
        pytest.param(apsw.FullError("full"), 0, StorageFull, id="full"),
        pytest.param(apsw.IOError("io"), errno.ENOSPC, StorageFull, id="io-no-space"),
        pytest.param(apsw.IOError("io"), errno.EFBIG, StorageFull, id="io-file-limit"),
        pytest.param(apsw.IOError("io"), errno.EDQUOT, StorageFull, id="io-quota"),
        pytest.param(apsw.IOError("io"), errno.EROFS, StorageReadOnly, id="io-read-only"),
        pytest.param(apsw.IOError("io"), errno.EIO, StorageFailure, id="io-broken"),
        pytest.param(apsw.ReadOnlyError("ro"), 0, StorageReadOnly, id="read-only"),
        pytest.param(apsw.PermissionsError("perm"), 0, StorageReadOnly, id="permissions"),
        pytest.param(apsw.CorruptError("bad"), 0, PackUnreadable, id="corrupt"),
        pytest.param(apsw.NotADBError("bad"), 0, PackUnreadable, id="no-database"),
        pytest.param(apsw.BusyError("busy"), 0, Busy, id="busy"),
        pytest.param(apsw.LockedError("locked"), 0, Busy, id="locked"),
        pytest.param(apsw.CantOpenError("open"), 0, StorageFailure, id="cannot-open"),
        pytest.param(OSError(errno.ENOSPC, "no space"), 0, StorageFull, id="os-no-space"),
        pytest.param(OSError(errno.EROFS, "read-only"), 0, StorageReadOnly, id="os-read-only"),
        pytest.param(PermissionError(errno.EACCES, "no"), 0, StorageReadOnly, id="os-permission"),
        pytest.param(OSError("no number"), 0, StorageFailure, id="os-unknown"),
    ],
)
def test_each_error_of_the_system_has_its_name(
    tmp_path: Path, error: Exception, system: int, expected: type[RefdeskError]
) -> None:
    named = storage_error(error, tmp_path / "a.pack", system, PackUnreadable)
    assert type(named) is expected
    assert named.suggestion


@pytest.mark.parametrize("error", [apsw.SQLError("syntax"), apsw.ConstraintError("unique"), ValueError()], ids=repr)
def test_defects_of_ours_stay_what_they_are(tmp_path: Path, error: Exception) -> None:
    assert storage_error(error, tmp_path) is None
    with pytest.raises(type(error)), storage_errors(tmp_path):
        raise error


def test_a_full_disk_leaves_nothing_of_a_pack_and_what_answered_still_does(disk: Disk) -> None:
    packs = FolderPacks(disk.path / "packs", disk.path / "locks")
    name = packs.write(manifest_of(), ENTRIES, silent)
    disk.fill(leave=20_000)
    numbers = np.random.default_rng(1).integers(0, 10**9, 30_000)
    large = Entries(chunks=[Chunk("a", "a", " ".join(map(str, numbers)), "concept")])
    with pytest.raises(StorageFull):
        packs.write(manifest_of(), large, silent)
    with pytest.raises(StorageFull):
        packs.write_vectors(name, "e", Vectors(np.zeros((4, 30_000), np.int8), np.zeros(4, np.float32)))
    assert [one.name for one in (disk.path / "packs").iterdir()] == [name]
    assert packs.open(name).entries.symbol("PutThing") == ENTRIES.symbols[0]


def test_a_full_disk_keeps_the_catalog_as_it_was(disk: Disk) -> None:
    catalog = FileCatalog(disk.path / "catalog.db")
    catalog.publish(OLD, {"word": 1})
    disk.fill(leave=8_000)
    with pytest.raises(StorageFull):
        catalog.publish(NEW, {f"term{number}": 1 for number in range(2_000)})
    assert list(catalog.published()) == [OLD]
    assert catalog.rank_packs(["term1", "word"], 5) == ["old.pack"]
    (disk.path / "filler").unlink()
    catalog.publish(NEW, {"word": 1})
    assert list(catalog.published()) == [NEW, OLD]
    catalog.close()


def test_a_full_disk_keeps_no_vectors_of_a_batch(disk: Disk) -> None:
    cache = FileVectorCache(disk.path / "vectors")
    cache.put("e", {"a": np.ones(8, np.float32)})
    disk.fill(leave=8_000)
    with pytest.raises(StorageFull):
        cache.put("e", {str(number): np.ones(400, np.float32) for number in range(400)})
    (disk.path / "filler").unlink()
    assert set(cache.get("e", ["a", "1"])) == {"a"}


def test_a_limit_of_the_file_size_is_a_full_disk(tmp_path: Path) -> None:
    output = run(
        tmp_path,
        """
        import resource
        from refdesk.domain.entries import Chunk, Entries
        name = packs.write(manifest_of(), ENTRIES, silent)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
        try:
            text = " ".join(str(number * 7919 % 104729) for number in range(60_000))
            packs.write(manifest_of(), Entries(chunks=[Chunk("a", "a", text, "concept")]), silent)
        except RefdeskError as error:
            print(error.code)
        print([one.name for one in (home / "packs").iterdir()] == [name])
        """,
    )
    assert output.splitlines() == ["storage_full", "True"]


def test_a_read_only_folder_is_read_and_refuses_to_be_written(disk: Disk) -> None:
    packs = FolderPacks(disk.path / "packs", disk.path / "locks")
    catalog, ledger = FileCatalog(disk.path / "catalog.db"), FileLedger(disk.path / "ledger.db")
    cache = FileVectorCache(disk.path / "vectors")
    name = packs.write(manifest_of(), ENTRIES, silent)
    vectors = Vectors(np.ones((4, 2), np.int8), np.ones(4, np.float32))
    packs.write_vectors(name, "e", vectors)
    catalog.publish(OLD, {"word": 1})
    ledger.record(CALL)
    ledger.close()
    catalog.close()
    cache.put("e", {"a": np.ones(8, np.float32)})
    disk.freeze()

    packs = FolderPacks(disk.path / "packs", disk.path / "locks")
    assert packs.open(name).entries.symbol("PutThing") == ENTRIES.symbols[0]
    assert packs.open(name).text.vectors("e") is not None
    assert list(catalog.published()) == [OLD]
    assert catalog.rank_packs(["word"], 5) == ["old.pack"]
    assert catalog.generation() == 1
    assert list(ledger.calls(5)) == [CALL]
    assert set(cache.get("e", ["a"])) == {"a"}
    writes: list[Callable[[], object]] = [
        lambda: packs.write(manifest_of(), ENTRIES, silent),
        lambda: packs.write_vectors(name, "e", vectors),
        lambda: packs.remove(name),
        lambda: packs.clean([]),
        lambda: packs.building(RELEASE.key).__enter__(),
        lambda: catalog.publish(NEW, {}),
        lambda: catalog.withdraw(OLD.release),
        lambda: ledger.prune(CALL.at),
        lambda: cache.put("e", {"b": np.ones(8, np.float32)}),
        lambda: FileVectorCache(disk.path / "new" / "vectors").put("e", {}),
    ]
    for write in writes:
        with pytest.raises(StorageReadOnly):
            write()
    assert list(catalog.published()) == [OLD]


@pytest.mark.parametrize("index", [True, False], ids=["with-its-index", "without"])
def test_a_log_that_a_dead_process_left_in_a_read_only_folder_is_never_ignored(disk: Disk, index: bool) -> None:
    run(
        disk.path,
        """
        catalog.publish(published(RELEASE, "a.pack"), {})
        catalog.close()
        catalog.publish(published(RELEASE, "b.pack"), {})
        os._exit(0)
        """,
    )
    if not index:
        (disk.path / "catalog.db-shm").unlink()
    disk.freeze()
    catalog = FileCatalog(disk.path / "catalog.db")
    if index:
        assert [one.pack for one in catalog.published()] == ["b.pack"]
    else:
        with pytest.raises(StorageReadOnly):
            catalog.published()


def test_trouble_of_the_ledger_is_told_once_and_never_to_the_caller(
    disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = FileLedger(disk.path / "ledger.db")
    disk.freeze()
    with caplog.at_level(logging.WARNING):
        for number in range(3):
            ledger.record(call(number))
            assert list(ledger.calls(5)) == []
        ledger.close()
    assert [record.getMessage() for record in caplog.records] == [
        f"Calls are not recorded: {disk.path} may not be written."
    ]


def test_a_full_disk_costs_calls_but_neither_the_ledger_nor_a_caller(
    disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = FileLedger(disk.path / "ledger.db")
    ledger.record(call(0, 0))
    assert len(ledger.calls(9)) == 1
    disk.fill(leave=0)
    with caplog.at_level(logging.WARNING):
        for number in range(1, 3):
            ledger.record(replace(call(number), arguments="long" * 50_000))
            ledger.calls(0)
    assert [record.getMessage().partition(" to write")[0] for record in caplog.records] == [
        "Calls are not recorded: No space left"
    ]
    (disk.path / "filler").unlink()
    ledger.record(call(9, 9))
    assert [one.trace_id for one in ledger.calls(9)] == ["t9", "t0"]
    ledger.close()


def test_recording_goes_on_when_the_trouble_is_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "ledger.db"
    path.mkdir()
    ledger = FileLedger(path)
    with caplog.at_level(logging.WARNING):
        ledger.record(call(0))
        ledger.close()
        assert len(caplog.records) == 1
        path.rmdir()
        ledger.record(call(1))
        assert [one.trace_id for one in ledger.calls(5)] == ["t1"]
    ledger.close()


def test_texts_that_no_file_can_hold_are_recorded_as_far_as_they_go(tmp_path: Path) -> None:
    ledger = FileLedger(tmp_path / "ledger.db")
    ledger.record(replace(CALL, arguments="a\udc80b", ids=("\udc80",)))
    (found,) = ledger.calls(5)
    assert (found.arguments, found.ids) == ("a?b", ("?",))
    ledger.close()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("text", "damaged", id="no-database"),
        pytest.param(
            f"PRAGMA user_version = 2; PRAGMA application_id = {_MARK}; CREATE TABLE a (b)", "format 2", id="newer"
        ),
        pytest.param("CREATE TABLE a (b)", "no catalog", id="another-database"),
    ],
)
def test_a_catalog_that_is_none_of_ours_is_refused_and_left_alone(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "catalog.db"
    if content == "text":
        path.write_bytes(b"text" * 1000)
    else:
        with closing(apsw.Connection(str(path))) as connection:
            connection.execute(content).fetchall()
    before = path.read_bytes()
    catalog = FileCatalog(path)
    for use in (catalog.published, catalog.generation, lambda: catalog.publish(OLD, {})):
        with pytest.raises(StorageFailure, match=message) as caught:
            use()
        assert caught.value.suggestion
    assert path.read_bytes() == before


def test_a_catalog_whose_maker_died_before_filling_it_is_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    path.touch()
    catalog = FileCatalog(path)
    assert list(catalog.published()) == []
    catalog.publish(OLD, {})
    assert list(FileCatalog(path).published()) == [OLD]
    catalog.close()


def test_a_catalog_that_another_process_holds_for_too_long_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refdesk.adapters.sqlite._WAIT_MILLISECONDS", 1)
    path = tmp_path / "catalog.db"
    catalog = FileCatalog(path)
    catalog.publish(OLD, {})
    with closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            catalog.publish(NEW, {})
        assert list(catalog.published()) == [OLD]
    catalog.publish(NEW, {})
    assert len(catalog.published()) == 2
    catalog.close()


def test_a_card_keeps_the_terms_of_most_chunks(tmp_path: Path) -> None:
    catalog = FileCatalog(tmp_path / "catalog.db")
    catalog.publish(OLD, {f"term{number:05}": 1 for number in range(5_000)} | {"zz": 9, "nothing": 0})
    asked = {word: catalog.rank_packs([word], 5) for word in ("zz", "term00000", "term04999", "nothing")}
    assert asked == {"zz": ["old.pack"], "term00000": ["old.pack"], "term04999": [], "nothing": []}
    catalog.close()


def test_a_folder_that_cannot_be_made_is_read_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StorageFailure):
        FileCatalog(tmp_path / "file" / "index" / "catalog.db").publish(OLD, {})
    with pytest.raises(StorageFailure):
        FolderPacks(tmp_path / "file" / "packs", tmp_path / "locks").write(manifest_of(), ENTRIES, silent)


def test_a_reader_is_not_held_up_by_a_writer(tmp_path: Path) -> None:
    catalog = FileCatalog(tmp_path / "catalog.db")
    catalog.publish(OLD, {})
    with closing(apsw.Connection(str(tmp_path / "catalog.db"))) as other:
        other.execute("BEGIN IMMEDIATE; DELETE FROM release").fetchall()
        found: list[object] = []
        thread = threading.Thread(target=lambda: found.extend(catalog.published()))
        thread.start()
        thread.join(20)
        assert found == [OLD]
    catalog.close()
