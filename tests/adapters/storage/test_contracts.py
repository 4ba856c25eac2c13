"""The files and their fakes in memory keep the same contracts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.catalog_contract import CatalogContract
from contracts.ledger_contract import LedgerContract
from contracts.packs_contract import PacksContract
from contracts.vector_cache_contract import VectorCacheContract
from fakes.catalog import MemoryCatalog
from fakes.clock import NOON, FixedClock
from fakes.ledger import MemoryLedger
from fakes.packs import MemoryPacks
from fakes.vectors import MemoryVectorCache
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.clock import SystemClock
from refdesk.adapters.ledger import FileLedger
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.adapters.packs.vectors import FileVectorCache
from refdesk.ports.clock import Clock


class TestFolderPacks(PacksContract):
    @pytest.fixture
    def packs(self, tmp_path: Path) -> FolderPacks:
        return FolderPacks(tmp_path / "packs", tmp_path / "locks")


class TestMemoryPacks(PacksContract):
    @pytest.fixture
    def packs(self) -> MemoryPacks:
        return MemoryPacks()


class TestFileCatalog(CatalogContract):
    @pytest.fixture
    def catalog(self, tmp_path: Path) -> Iterator[FileCatalog]:
        catalog = FileCatalog(tmp_path / "index" / "catalog.db")
        yield catalog
        catalog.close()


class TestMemoryCatalog(CatalogContract):
    @pytest.fixture
    def catalog(self) -> MemoryCatalog:
        return MemoryCatalog()


class TestFileLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Iterator[FileLedger]:
        ledger = FileLedger(tmp_path / "index" / "ledger.db")
        yield ledger
        ledger.close()


class TestMemoryLedger(LedgerContract):
    @pytest.fixture
    def ledger(self) -> MemoryLedger:
        return MemoryLedger()


class TestFileVectorCache(VectorCacheContract):
    @pytest.fixture
    def cache(self, tmp_path: Path) -> FileVectorCache:
        return FileVectorCache(tmp_path / "vectors")


class TestMemoryVectorCache(VectorCacheContract):
    @pytest.fixture
    def cache(self) -> MemoryVectorCache:
        return MemoryVectorCache()


@pytest.mark.parametrize("clock", [SystemClock(), FixedClock()], ids=["system", "fixed"])
def test_clocks_tell_utc_and_never_go_back(clock: Clock) -> None:
    assert clock.now().utcoffset() == NOON.utcoffset()
    assert clock.now() <= clock.now()
    assert clock.elapsed() <= clock.elapsed()


def test_a_fixed_clock_moves_when_told_to() -> None:
    clock = FixedClock()
    clock.advance(2.5)
    assert (clock.elapsed(), (clock.now() - NOON).total_seconds()) == (2.5, 2.5)
