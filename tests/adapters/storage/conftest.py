"""A small disk to fill and to freeze."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


class Disk:
    """A small file system of its own that can fill up or be frozen."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def free(self) -> int:
        """Bytes that are left."""
        return shutil.disk_usage(self.path).free

    def fill(self, leave: int) -> None:
        """Use up the space except for about this many bytes."""
        with (self.path / "filler").open("wb") as file:
            file.write(bytes(max(0, self.free() - leave)))

    def freeze(self) -> None:
        """Make the file system read-only."""
        _mount("-o", "remount,ro", str(self.path))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A tmpfs of one megabyte; skips where file systems may not be mounted."""
    path = tmp_path / "disk"
    path.mkdir()
    try:
        _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(path))
    except (subprocess.CalledProcessError, FileNotFoundError):
        pytest.skip("file systems may not be mounted here")
    yield Disk(path)
    subprocess.run(["umount", "--lazy", str(path)], check=True)


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)
