"""The parser on real, pinned packages."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

import pytest

from ingest.python.building import param
from refdesk.domain.entries import Entries, SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.symbols import Symbol
from refdesk.ingest.python import parse_python
from refdesk.ports.archives import Archives
from refdesk.ports.progress import silent

pytestmark = pytest.mark.packages

Read = Callable[[str, str], Entries]
Find = Callable[[str, str, str], Symbol]


@pytest.fixture(scope="module")
def read(real_archives: Archives) -> Read:
    @lru_cache(maxsize=1)
    def parsed(package: str, version: str) -> Entries:
        archive = real_archives.fetch(package, version, silent)
        with real_archives.open(archive) as reader:
            names = reader.names()
            files = {name: b"" if name.endswith((".so", ".pyd")) else reader.read(name) for name in names}
        origin = Origin(package, version, archive.filename, archive.sha256, archive.verified)
        release = Release(Library("pypi", package), version)
        return parse_python(SourceFiles(release, "python", files, origin, Updated(datetime.now(UTC), "indexed")))

    return parsed


@pytest.fixture(scope="module")
def find(read: Read) -> Find:
    def found(package: str, version: str, name: str) -> Symbol:
        return next(one for one in read(package, version).symbols if name in one.names)

    return found


def test_httpx_client(read: Read, find: Find) -> None:
    client = find("httpx", "0.27.2", "httpx.Client")
    assert client.name == "httpx.Client"
    assert param(client, "timeout").default == "DEFAULT_TIMEOUT_CONFIG"
    assert "Timeout(timeout=5.0)" in param(client, "timeout").doc
    assert "SSL" in param(client, "verify").doc
    assert param(client, "base_url").kind == "keyword_only"
    assert not read("httpx", "0.27.2").problems


def test_httpx_get_and_its_method(find: Find) -> None:
    signature = find("httpx", "0.27.2", "httpx.get").signature
    assert signature.startswith("def get(\n    url: URL | str,\n    *,\n    params:")
    method = find("httpx", "0.27.2", "httpx.Client.get")
    assert method.kind == "method"
    assert param(method, "follow_redirects").type == "bool | UseClientDefault"
    assert find("httpx", "0.27.2", "httpx.ReadTimeout").kind == "error"


def test_azure_upload_blob_shows_what_hides_behind_kwargs(find: Find) -> None:
    symbol = find("azure-storage-blob", "12.31.1", "azure.storage.blob.BlobClient.upload_blob")
    assert [one.name for one in symbol.params[:4]] == ["data", "blob_type", "length", "metadata"]
    overwrite = param(symbol, "overwrite")
    assert (overwrite.type, overwrite.kind, overwrite.default) == ("bool", "keyword_only", "False")
    assert not overwrite.required
    assert "ResourceExistsError" in overwrite.doc
    assert param(symbol, "tags").since == "12.4.0"
    assert symbol.params[-1].kind == "var_keyword"
    assert find("azure-storage-blob", "12.31.1", "azure.storage.blob.BlobType").attributes["values"] == [
        "BLOCKBLOB", "PAGEBLOB", "APPENDBLOB",
    ]  # fmt: skip


def test_the_old_azure_client(find: Find) -> None:
    symbol = find("azure-storage-blob", "2.1.0", "azure.storage.blob.BlockBlobService.create_blob_from_path")
    assert [one.name for one in symbol.params[:3]] == ["container_name", "blob_name", "file_path"]
    assert param(symbol, "max_connections").default == "2"


@pytest.mark.slow
def test_each_api_folder_of_azure_management_is_its_own(read: Read, find: Find) -> None:
    prefix = "azure.mgmt.storage"
    newer = find("azure-mgmt-storage", "21.2.1", f"{prefix}.v2021_08_01.models.StorageAccountCreateParameters")
    older = find("azure-mgmt-storage", "21.2.1", f"{prefix}.v2021_06_01.models.StorageAccountCreateParameters")
    assert param(newer, "is_sftp_enabled").type == "Optional[bool]"
    assert "is_sftp_enabled" not in {one.name for one in older.params}
    tls = find("azure-mgmt-storage", "21.2.1", f"{prefix}.v2023_05_01.models.MinimumTlsVersion")
    assert tls.attributes["values"] == ["TLS1_0", "TLS1_1", "TLS1_2", "TLS1_3"]
    assert not read("azure-mgmt-storage", "21.2.1").problems


def test_click_option(find: Find) -> None:
    option = find("click", "8.1.7", "click.option")
    assert option.names[0] == "click.option"
    assert [one.kind for one in option.params] == ["var_positional", "keyword_only", "var_keyword"]


def test_attrs_under_both_names(find: Find) -> None:
    define = find("attrs", "25.4.0", "attrs.define")
    assert "attr.define" in define.names
    assert find("attrs", "25.4.0", "attr.ib").kind == "function"


@pytest.mark.parametrize(
    ("package", "version"),
    [("httpx", "0.27.2"), ("click", "8.1.7"), ("attrs", "25.4.0"), ("azure-storage-blob", "12.31.1")],
)
def test_entries_are_whole(read: Read, package: str, version: str) -> None:
    entries = read(package, version)
    names = {one.name for one in entries.symbols}
    assert len(names) == len(entries.symbols)
    assert {one.target for one in entries.relations} | {one.source for one in entries.relations} <= names
    assert [one.name for one in entries.symbols if one.members and not set(one.members) <= names] == []
    assert {one.place.path for one in entries.symbols} <= {one.place.path for one in entries.symbols if one.place.path}
    assert [one.name for one in entries.symbols if one.doc.count("```") % 2] == []
    assert {"METADATA", "README.md"} <= {one.path for one in entries.pages}
