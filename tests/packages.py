"""The real packages that tests and figures use, pinned by hash and kept in one folder between runs."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from refdesk.adapters.archives import open_archives
from refdesk.domain.libraries import normal_package
from refdesk.ports.archives import Archive, ArchiveReader, Archives, PackageVersion
from refdesk.ports.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Pin:
    package: str
    version: str
    filename: str
    sha256: str


PINS = (
    Pin(
        "attrs",
        "25.4.0",
        "attrs-25.4.0-py3-none-any.whl",
        "adcf7e2a1fb3b36ac48d97835bb6d8ade15b8dcce26aba8bf1d14847b57a3373",
    ),
    Pin(
        "azure-mgmt-storage",
        "21.2.1",
        "azure_mgmt_storage-21.2.1-py3-none-any.whl",
        "f97df1fa39cde9dbacf2cd96c9cba1fc196932185e24853e276f74b18a0bd031",
    ),
    Pin(
        "azure-storage-blob",
        "2.1.0",
        "azure_storage_blob-2.1.0-py2.py3-none-any.whl",
        "a8e91a51d4f62d11127c7fd8ba0077385c5b11022f0269f8a2a71b9fc36bef31",
    ),
    Pin(
        "azure-storage-blob",
        "12.31.1",
        "azure_storage_blob-12.31.1-py3-none-any.whl",
        "9e012d5f4ab658b7cb8a4581329d7a7aa2bf5f39b4d63baeefaae7f9e90fe6f0",
    ),
    Pin(
        "botocore",
        "1.34.162",
        "botocore-1.34.162-py3-none-any.whl",
        "2d918b02db88d27a75b48275e6fb2506e9adaaddbec1ffa6a8a0898b34e769be",
    ),
    Pin(
        "botocore",
        "1.40.76",
        "botocore-1.40.76-py3-none-any.whl",
        "fe425d386e48ac64c81cbb4a7181688d813df2e2b4c78b95ebe833c9e868c6f4",
    ),
    Pin(
        "botocore",
        "1.44.8",
        "botocore-1.44.8-py3-none-any.whl",
        "76342a76c338701db80dcb8afe1c9bd079283d6fffbb9d881442abb02a215043",
    ),
    Pin(
        "click",
        "8.1.7",
        "click-8.1.7-py3-none-any.whl",
        "ae74fb96c20a0277a1d615f1e4d73c8414f5a98db8b799a7931d1582f3390c28",
    ),
    Pin(
        "docopt",
        "0.6.2",
        "docopt-0.6.2.tar.gz",
        "49b3a825280bd66b3aa83585ef59c4a8c82f2c8a522dbe754a8bc8d08c85c491",
    ),
    Pin(
        "google-api-python-client",
        "2.70.0",
        "google_api_python_client-2.70.0-py2.py3-none-any.whl",
        "67da78956f2bf4b763305cd791aeab250878c1f88f1422aaba4682a608b8e5a4",
    ),
    Pin(
        "google-api-python-client",
        "2.202.0",
        "google_api_python_client-2.202.0-py3-none-any.whl",
        "aaa90064c9bb642ff1d065b22ca8958a2cb6e345909cefe70d0e5452fc50e08b",
    ),
    Pin(
        "httpx",
        "0.23.3",
        "httpx-0.23.3-py3-none-any.whl",
        "a211fcce9b1254ea24f0cd6af9869b3d29aba40154e947d2a07bb499b3e310d6",
    ),
    Pin(
        "httpx",
        "0.27.2",
        "httpx-0.27.2-py3-none-any.whl",
        "7bb2708e112d8fdd7829cd4243970f0c223274051cb35ee80c03301ee29a3df0",
    ),
    Pin(
        "httpx",
        "0.28.1",
        "httpx-0.28.1-py3-none-any.whl",
        "d909fcccc110f8c7faf814ca82a9a4d816bc5a6dbfea25d6591d6985b8ba59ad",
    ),
)
"""Every package that a test may read; `docopt` has only a source archive."""


def package_cache(environment: Mapping[str, str] = os.environ) -> Path:
    """Where they are kept: `REFDESK_TEST_CACHE`, else `.cache/packages` under the project."""
    named = environment.get("REFDESK_TEST_CACHE")
    return Path(named) if named else Path(__file__).parent.parent / ".cache" / "packages"


def pinned_archives() -> "PinnedArchives":
    """The pinned packages, fetched through pip's own settings where they are missing."""
    return PinnedArchives(open_archives(package_cache(), os.environ))


class PinnedArchives:
    """An Archives of nothing but the pins, whatever the registry has grown since.

    `versions` names the pinned ones, so that "the newest" is the same every day.
    """

    def __init__(self, archives: Archives) -> None:
        self._archives = archives
        self._pins = {(pin.package, pin.version): pin for pin in PINS}

    def versions(self, package: str) -> Sequence[PackageVersion]:
        name = normal_package(package)
        wanted = [pin.version for pin in PINS if pin.package == name]
        assert wanted, f"{package} is not among the pins of tests/packages.py"
        return [PackageVersion(one, self.fetch(name, one, silent).uploaded) for one in wanted]

    def fetch(self, package: str, version: str, progress: Progress) -> Archive:
        pin = self._pins.get((normal_package(package), version))
        assert pin, f"{package}=={version} is not among the pins of tests/packages.py"
        archive = self._archives.fetch(package, version, progress)
        assert (archive.filename, archive.sha256) == (pin.filename, pin.sha256)
        return archive

    def open(self, archive: Archive) -> AbstractContextManager[ArchiveReader]:
        return self._archives.open(archive)

    def kept(self) -> Iterator[Archive]:
        return self._archives.kept()
