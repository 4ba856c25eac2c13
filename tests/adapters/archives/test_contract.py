"""The fake and the real adapter, over every kind of registry that pip can be pointed to, honour one contract."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.archives_contract import PACKAGE, SHELF, ArchivesContract, Desk
from fakes.archives import MemoryArchives
from fakes.registry import LoopbackRegistry, Upload, tar_gz_of, upload, write_index, write_links, zip_of
from refdesk.adapters.archives import open_archives

STEM = PACKAGE.replace("-", "_")
WHEELS = {
    PACKAGE: [
        upload(f"{STEM}-{one.version}-py3-none-any.whl", zip_of(one.files), one.uploaded, yanked=one.yanked)
        for one in SHELF
    ]
}
SDISTS = {
    PACKAGE: [
        upload(
            f"{PACKAGE}-{one.version}.tar.gz",
            tar_gz_of({f"{PACKAGE}-{one.version}/{name}": content for name, content in one.files.items()}),
            one.uploaded,
            yanked=one.yanked,
        )
        for one in SHELF
    ]
}
NO_FILES = {"PIP_CONFIG_FILE": os.devnull}
# Port 9 of this machine: nothing listens there.
DEAD = "http://127.0.0.1:9/simple"


class TestMemoryArchives(ArchivesContract):
    @pytest.fixture
    def desk(self) -> Desk:
        archives = MemoryArchives()
        for one in SHELF:
            archives.publish(PACKAGE, one.version, one.files, uploaded=one.uploaded, yanked=one.yanked)
        return Desk(archives, lambda: setattr(archives, "offline", True))


class _RealAdapter(ArchivesContract):
    """The adapter with an environment that a subclass gives it."""

    @staticmethod
    def desk_of(folder: Path, environment: dict[str, str], *, hashed: bool = True, dated: bool = False) -> Desk:
        # A folder of certificates without any: reading the system's takes longer than all the rest.
        fixed = NO_FILES | {"PIP_CERT": str(folder.parent)}
        variables = fixed | environment
        archives = open_archives(folder, variables, pause=lambda _seconds: None)

        def go_offline() -> None:
            variables.clear()
            variables.update(fixed | {"PIP_INDEX_URL": DEAD})

        return Desk(archives, go_offline, dated=dated, hashed=hashed, withdraws=hashed)


@pytest.mark.parametrize("shelf", [WHEELS, SDISTS], ids=["wheels", "sdists"])
class TestFileIndex(_RealAdapter):
    @pytest.fixture
    def desk(self, tmp_path: Path, shelf: dict[str, list[Upload]]) -> Desk:
        url = write_index(tmp_path / "index", shelf)
        return self.desk_of(tmp_path / "store", {"PIP_INDEX_URL": url})


class TestFindLinks(_RealAdapter):
    @pytest.fixture
    def desk(self, tmp_path: Path) -> Desk:
        folder = write_links(tmp_path / "links", WHEELS)
        return self.desk_of(
            tmp_path / "store", {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"{tmp_path}/none {folder}"}, hashed=False
        )


class TestJsonIndex(_RealAdapter):
    @pytest.fixture
    def desk(self, tmp_path: Path) -> Iterator[Desk]:
        with LoopbackRegistry(WHEELS, "json").serving() as registry:
            yield self.desk_of(tmp_path / "store", {"PIP_INDEX_URL": registry.url}, dated=True)


class TestHtmlIndex(_RealAdapter):
    @pytest.fixture
    def desk(self, tmp_path: Path) -> Iterator[Desk]:
        with LoopbackRegistry(SDISTS, "html").serving() as registry:
            yield self.desk_of(tmp_path / "store", {"PIP_INDEX_URL": registry.url})
