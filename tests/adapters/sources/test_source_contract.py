"""The sources and the fake pass one contract."""

from hashlib import sha256
from pathlib import Path

import orjson
import pytest

from contracts.source_contract import SourceContract
from fakes.archives import MemoryArchives
from fakes.clock import NOON, FixedClock
from fakes.sources import MemorySource, published
from refdesk.adapters.sources import AwsSource, FilesSource, GcpSource, PypiSource
from refdesk.domain.adding import AddOptions, parse_add
from refdesk.domain.entries import SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.specs import Spec, parse_specs
from refdesk.ports.sources import Source

DOCUMENTS = "googleapiclient/discovery_cache/documents"


def packages() -> MemoryArchives:
    return published(
        {
            "botocore": {"1.2.3": {"botocore/data/box/2020-01-02/service-2.json": b"{}"}},
            "google-api-python-client": {
                "2.0.0": {f"{DOCUMENTS}/shelf.v1.json": orjson.dumps({"name": "shelf", "version": "v1"})}
            },
            "parcel": {"0.1": {"parcel/__init__.py": b"", "parcel/core.py": b"x = 1\n"}},
        }
    )


class TestAws(SourceContract):
    @pytest.fixture
    def source(self) -> Source:
        return AwsSource(packages(), FixedClock())

    @pytest.fixture(params=["aws:box", "aws:box@1.2.3", "aws:box@2020-01-02", "aws:box==1.2.3"])
    def spec(self, request: pytest.FixtureRequest) -> Spec:
        return parse_specs([request.param])[0]

    @pytest.fixture(params=["aws:boxx", "aws:box@2021-01-02", "aws:box@9.9"])
    def unknown(self, request: pytest.FixtureRequest) -> Spec:
        return parse_specs([request.param])[0]


class TestGcp(SourceContract):
    @pytest.fixture
    def source(self) -> Source:
        return GcpSource(packages(), FixedClock())

    @pytest.fixture(params=["gcp:shelf", "google:shelf@v1", "gcp:shelf@2.0.0"])
    def spec(self, request: pytest.FixtureRequest) -> Spec:
        return parse_specs([request.param])[0]

    @pytest.fixture(params=["gcp:shelve", "gcp:shelf@v2"])
    def unknown(self, request: pytest.FixtureRequest) -> Spec:
        return parse_specs([request.param])[0]


class TestPypi(SourceContract):
    @pytest.fixture
    def source(self) -> Source:
        return PypiSource(packages(), FixedClock())

    @pytest.fixture(params=["pypi:parcel", "pypi:parcel@0.1", "pypi:Parcel==0.1.0"])
    def spec(self, request: pytest.FixtureRequest) -> Spec:
        return parse_specs([request.param])[0]

    @pytest.fixture(params=["pypi:parce", "pypi:parcel@3"])
    def unknown(self, request: pytest.FixtureRequest) -> Spec:
        return parse_specs([request.param])[0]


class TestFiles(SourceContract):
    @pytest.fixture
    def source(self) -> Source:
        return FilesSource(FixedClock())

    @pytest.fixture(params=["@2.1", ""])
    def spec(self, request: pytest.FixtureRequest, tmp_path: Path) -> Spec:
        (tmp_path / "guide").mkdir()
        (tmp_path / "guide" / "b.md").write_text("# B\n", "utf-8")
        (tmp_path / "a.TXT").write_text("A\n", "utf-8")
        (tmp_path / "picture.png").write_bytes(b"")
        return parse_specs([f"files:{tmp_path} as site:handbook{request.param}"])[0]

    @pytest.fixture
    def unknown(self, tmp_path: Path) -> Spec:
        return parse_specs([f"files:{tmp_path}/absent as site:handbook"])[0]


class TestFolderOfPages(SourceContract):
    @pytest.fixture
    def source(self) -> Source:
        return FilesSource(FixedClock())

    @pytest.fixture(params=["@2.1", ""])
    def spec(self, request: pytest.FixtureRequest, tmp_path: Path) -> Spec:
        (tmp_path / "guide").mkdir()
        (tmp_path / "guide" / "b.html").write_text("<p>B\n", "utf-8")
        (tmp_path / "a.HTM").write_text("<title>A 1.2</title>\n", "utf-8")
        (tmp_path / "picture.png").write_bytes(b"")
        return parse_add([f"site:handbook{request.param}"], AddOptions(path=str(tmp_path)))[0]

    @pytest.fixture
    def unknown(self, tmp_path: Path) -> Spec:
        return parse_add(["site:handbook"], AddOptions(path=f"{tmp_path}/absent"))[0]


class TestMemory(SourceContract):
    @pytest.fixture
    def source(self) -> Source:
        release = Release(Library("pypi", "parcel"), "0.1")
        origin = Origin("parcel", "0.1", "parcel-0.1.tar.gz", sha256(b"").hexdigest(), verified=True)
        return MemorySource(
            "pypi", [SourceFiles(release, "python", {"parcel.py": b""}, origin, Updated(NOON, "registry"))]
        )

    @pytest.fixture
    def spec(self) -> Spec:
        return parse_specs(["pypi:parcel"])[0]

    @pytest.fixture
    def unknown(self) -> Spec:
        return parse_specs(["pypi:parcel@2"])[0]
