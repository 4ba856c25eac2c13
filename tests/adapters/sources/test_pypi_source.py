"""Which files of a Python package are read, and under which paths."""

import pytest

from fakes.archives import MemoryArchives
from fakes.clock import NOON, FixedClock
from fakes.sources import UPLOADED, published
from refdesk.adapters.sources import PypiSource
from refdesk.adapters.sources.layout import lay_out
from refdesk.adapters.sources.pypi import LARGEST
from refdesk.domain.entries import Problem, SourceFiles
from refdesk.domain.errors import InvalidInput
from refdesk.domain.releases import Updated
from refdesk.domain.specs import parse_specs
from refdesk.ports.archives import Archives
from refdesk.ports.progress import silent


def read(files: dict[str, bytes], archives: MemoryArchives | None = None) -> SourceFiles:
    store = archives or published({"parcel": {"1.0": files}})
    source = PypiSource(store, FixedClock())
    return source.discover(parse_specs(["pypi:parcel"])[0], silent)[0].read(silent)


WHEEL = {
    "parcel/__init__.py": b"a",
    "parcel/_core.pyi": b"b",
    "parcel/py.typed": b"",
    "parcel/_speed.cpython-312-x86_64-linux-gnu.so": b"\x7fELF",
    "parcel/_fast.abi3.so": b"\x7fELF",
    "parcel/_win.pyd": b"MZ",
    "parcel/data.json": b"{}",
    "parcel/CHANGELOG.md": b"# 1.0",
    "parcel-1.0.dist-info/METADATA": b"Project-URL: Source, https://example.org/src\nProject-URL: odd\n\nreadme",
    "parcel-1.0.dist-info/RECORD": b"",
    "parcel-1.0.dist-info/top_level.txt": b"parcel",
    "parcel-1.0.data/purelib/parcel/moved.py": b"m",
    "parcel-1.0.data/scripts/run.py": b"s",
}


def test_a_wheel_hands_over_code_metadata_and_documents_and_only_the_names_of_compiled_modules() -> None:
    found = read(WHEEL)
    assert dict(found.files) == {
        "parcel-1.0.dist-info/METADATA": WHEEL["parcel-1.0.dist-info/METADATA"],
        "parcel/CHANGELOG.md": b"# 1.0",
        "parcel/__init__.py": b"a",
        "parcel/_core.pyi": b"b",
        "parcel/_fast.abi3.so": b"",
        "parcel/_speed.cpython-312-x86_64-linux-gnu.so": b"",
        "parcel/_win.pyd": b"",
        "parcel/moved.py": b"m",
        "parcel/py.typed": b"",
    }
    assert found.origin.url == "https://example.org/src"
    assert found.updated == Updated(UPLOADED, "registry")


def test_what_is_no_api_is_left_out_and_counted_by_group() -> None:
    found = read(
        {
            "parcel/__init__.py": b"",
            "parcel/tests/__init__.py": b"",
            "parcel/tests/test_a.py": b"",
            "parcel/test/__init__.py": b"",
            "parcel/test/a_test.py": b"",
            "parcel/conftest.py": b"",
            "parcel/_vendor/six.py": b"",
            "parcel/vendored/six.py": b"",
            "parcel/benchmarks/speed.py": b"",
            "parcel/examples/hello.py": b"",
        }
    )
    assert list(found.files) == ["parcel/__init__.py"]
    assert found.problems == (
        Problem("parcel/_vendor/six.py", "2 files left out (vendored): copies of other packages are documented where "
                "they come from."),
        Problem("parcel/benchmarks/speed.py", "1 file left out (benchmarks): benchmarks are no API."),
        Problem("parcel/conftest.py", "5 files left out (tests): tests are no API."),
        Problem("parcel/examples/hello.py", "1 file left out (examples): examples are no API."),
    )  # fmt: skip


def test_a_folder_called_test_that_holds_no_tests_is_api() -> None:
    found = read({"parcel/__init__.py": b"", "parcel/test/client.py": b"", "parcel/testing/__init__.py": b""})
    assert list(found.files) == ["parcel/__init__.py", "parcel/test/client.py", "parcel/testing/__init__.py"]
    assert not found.problems


def test_files_that_are_too_large_and_links_are_told() -> None:
    files = {"parcel.py": b"", "parcel_table.py": b"x" * (LARGEST + 1)}
    archives = published({"parcel": {"1.0": files}}, uploaded=None, skipped=(("parcel/link.py", "a link"),))
    found = read({}, archives)
    assert list(found.files) == ["parcel.py"]
    assert found.problems == (
        Problem("parcel/link.py", "a link"),
        Problem("parcel_table.py", "Left out: 4,194,305 bytes, more than the 4,194,304 that are read of one file."),
    )
    assert found.updated == Updated(NOON, "indexed")
    assert not found.origin.url


def test_the_whole_registry_cannot_be_meant() -> None:
    with pytest.raises(InvalidInput, match="whole registry"):
        PypiSource(published({}), FixedClock()).discover(parse_specs(["pypi:*"])[0], silent)


@pytest.mark.parametrize(
    ("files", "read_as"),
    [
        pytest.param(
            ["PKG-INFO", "README.md", "setup.py", "src/parcel/__init__.py", "src/parcel/a.py", "tests/test_a.py"],
            ["PKG-INFO", "README.md", "parcel/__init__.py", "parcel/a.py"],
            id="src-layout",
        ),
        pytest.param(
            ["PKG-INFO", "HISTORY.rst", "docs/conf.py", "parcel/__init__.py", "setup.py", "tools/__init__.py"],
            ["HISTORY.rst", "PKG-INFO", "parcel/__init__.py"],
            id="package-at-the-top",
        ),
        pytest.param(["PKG-INFO", "parcel.py", "setup.py"], ["PKG-INFO", "parcel.py"], id="one-module"),
        pytest.param(["other.py", "setup.py"], ["other.py"], id="one-module-of-another-name"),
        pytest.param(
            ["azure/parcel/__init__.py", "azure/parcel/_x.py", "setup.py"],
            ["azure/parcel/__init__.py", "azure/parcel/_x.py"],
            id="namespace-package",
        ),
        pytest.param(
            ["lib/parcel.egg-info/top_level.txt", "lib/parcel/__init__.py", "lib/second.py", "lib/unnamed/__init__.py"],
            ["parcel/__init__.py", "second.py"],
            id="top-level-names-stated",
        ),
        pytest.param(
            ["parcel.egg-info/top_level.txt", "src/parcel/__init__.py", "src/second.py", "third.py"],
            ["parcel/__init__.py", "second.py"],
            id="stated-names-are-under-src",
        ),
        pytest.param(
            ["src/_parcel.abi3.so", "src/_parcel.pyi", "src/parcel-stubs/__init__.pyi"],
            ["_parcel.abi3.so", "_parcel.pyi", "parcel-stubs/__init__.pyi"],
            id="stubs-and-compiled-modules",
        ),
        pytest.param(
            ["README", "docs/migration-guide.md", "docs/index.md", "MIGRATING.rst", "CHANGES.txt", "parcel.py"],
            ["CHANGES.txt", "MIGRATING.rst", "docs/migration-guide.md", "parcel.py"],
            id="documents-about-change",
        ),
        pytest.param(["LICENSE"], [], id="nothing"),
    ],
)
def test_a_source_archive_looks_like_a_wheel(files: list[str], read_as: list[str]) -> None:
    package = "azure-parcel" if files[0].startswith("azure") else "parcel"
    layout = lay_out(sorted(files), "parcel-1.0.tar.gz", package, lambda _: b"parcel\nsecond\ntests\n")
    assert sorted([*layout.read, *layout.names_only]) == sorted(read_as)


@pytest.mark.packages
@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("pypi:httpx@0.27.2", ["httpx-0.27.2.dist-info/METADATA", "httpx/_client.py", "httpx/py.typed"]),
        (
            "pypi:azure-storage-blob==12.31.1",
            ["azure/storage/blob/_blob_client.py"],
        ),
        ("pypi:docopt", ["PKG-INFO", "docopt.py"]),
    ],
)
def test_real_packages(real_archives: Archives, word: str, some: list[str]) -> None:
    read = PypiSource(real_archives, FixedClock()).discover(parse_specs([word])[0], silent)[0].read(silent)
    assert set(some) <= set(read.files)
    assert "setup.py" not in read.files
    assert read.updated.by == "registry"
