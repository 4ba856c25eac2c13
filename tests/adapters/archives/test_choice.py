"""Which file of a version is read, and which versions count as near."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from refdesk.adapters.archives.choice import (
    RemoteFile,
    best_file,
    is_readable,
    listed_versions,
    nearest_versions,
    parse_version,
    plain_version,
)

PURE = "p-1.0-py3-none-any.whl"
BOTH = "p-1.0-py2.py3-none-any.whl"
LINUX = "p-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
WINDOWS = "p-1.0-cp39-none-win32.whl"
STABLE = "p-1.0-cp39-abi3-win_amd64.whl"
TWO = "p-1.0-py2-none-any.whl"
TAR = "p-1.0.tar.gz"
ZIP = "p-1.0.zip"


def offered(filename: str, size: int | None = None, *, version: str = "1.0", yanked: bool = False) -> RemoteFile:
    return RemoteFile(filename, version, f"https://host/{filename}", size=size, yanked=yanked)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param([offered(LINUX, 1), offered(TAR, 1), offered(PURE, 99)], PURE, id="a pure wheel, however large"),
        pytest.param([offered(BOTH), offered(TAR)], BOTH, id="for both Pythons is pure too"),
        pytest.param([offered(LINUX, 9), offered(WINDOWS, 3), offered(TAR, 1)], WINDOWS, id="the smallest wheel"),
        pytest.param([offered(LINUX), offered(WINDOWS, 3)], WINDOWS, id="a known size before an unknown one"),
        pytest.param([offered(WINDOWS), offered(STABLE), offered(LINUX)], LINUX, id="without sizes the first name"),
        pytest.param([offered(ZIP, 1), offered(TAR, 2)], TAR, id="tar before zip"),
        pytest.param([offered(TWO, 1), offered(TAR, 2)], TAR, id="a wheel for Python 2 last"),
        pytest.param([offered(TWO, 1)], TWO, id="unless it is all there is"),
        pytest.param([offered(PURE, yanked=True), offered(TAR)], TAR, id="withdrawn files last"),
        pytest.param([offered(PURE, yanked=True)], PURE, id="unless all are withdrawn"),
        pytest.param([offered(PURE, version="2.0")], None, id="never another version"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_the_file_to_read(files: list[RemoteFile], expected: str | None) -> None:
    for order in (files, files[::-1]):
        chosen = best_file(order, Version("1"))
        assert (chosen and chosen.filename) == expected


@pytest.mark.parametrize("filename", [PURE, LINUX, TAR, ZIP, "p-1.tgz", "p-1.tar.bz2", "p-1.tar.xz", "p-1.tar"])
def test_formats_that_are_read(filename: str) -> None:
    assert is_readable(filename)


@pytest.mark.parametrize("filename", ["p-1-py3.11.egg", "p-1.exe", "p-1.msi", "p-1.rpm", "p-1.tar.Z", "p-1.whl.asc"])
def test_formats_that_are_not_read(filename: str) -> None:
    assert not is_readable(filename)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1.0", "1"),
        ("v1.0.0", "1"),
        ("1.10", "1.10"),
        ("10", "10"),
        ("0.0", "0"),
        ("1.0.10", "1.0.10"),
        ("1!1.0", "1!1"),
        ("1.0RC1", "1rc1"),
        ("1.0.post0", "1.post0"),
        ("1.0.dev0", "1.dev0"),
        ("1.0+Ubuntu.1", "1+ubuntu.1"),
    ],
)
def test_all_spellings_of_a_version_have_one_key(text: str, key: str) -> None:
    assert plain_version(Version(text)) == key


@given(
    release=st.lists(st.integers(0, 20), min_size=1, max_size=4),
    other=st.lists(st.integers(0, 20), min_size=1, max_size=4),
    ending=st.sampled_from(["", "a1", "rc0", ".post0", ".dev0", "+l.0"]),
)
def test_versions_are_equal_exactly_when_their_keys_are(release: list[int], other: list[int], ending: str) -> None:
    one, two = (Version(".".join(map(str, numbers)) + ending) for numbers in (release, other))
    assert (plain_version(one) == plain_version(two)) == (one == two)


@pytest.mark.parametrize("text", ["latest", "", "1.x", ">=2", "1 2"])
def test_what_is_no_version_is_none(text: str) -> None:
    assert parse_version(text) is None


def test_files_of_one_version_are_listed_as_one() -> None:
    first, second = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)
    files = [
        RemoteFile("p-1.10.tar.gz", "1.10", "", uploaded=second),
        RemoteFile("p-1.9.0.tar.gz", "1.9.0", "", uploaded=second, yanked=True),
        RemoteFile("p-1.9-py3-none-any.whl", "1.9", "", uploaded=first),
        RemoteFile("p-1.11.tar.gz", "1.11", "", yanked=True),
    ]
    assert [(one.version, one.uploaded, one.yanked) for one in listed_versions(files)] == [
        ("1.9", first, False),
        ("1.10", second, False),
        ("1.11", None, True),
    ]


EVERY = ["0.9", "1.0", "1.1", "1.2", "2.0a1", "2.0", "3.0"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param("1.5", ["1.2", "2.0", "1.1", "3.0"], id="between"),
        pytest.param("9", ["3.0", "2.0", "1.2", "1.1"], id="above all"),
        pytest.param("0.1", ["0.9", "1.0", "1.1", "1.2"], id="below all"),
        pytest.param("2.0b1", ["2.0a1", "2.0", "1.2", "3.0"], id="a pre-release has pre-releases near it"),
        pytest.param("1.2.x", ["1.2"], id="no version, but alike"),
        pytest.param("latest", ["3.0", "2.0", "1.2", "1.1"], id="no version at all"),
    ],
)
def test_near_versions(wanted: str, expected: list[str]) -> None:
    files = [offered(f"p-{one}.tar.gz", version=one) for one in EVERY]
    assert nearest_versions(files, wanted, 4)[: len(expected)] == expected


def test_withdrawn_versions_are_near_only_if_there_are_no_others() -> None:
    files = [offered("p-1.0.tar.gz"), offered("p-2.0.tar.gz", version="2.0", yanked=True)]
    assert nearest_versions(files, "1.9") == ["1.0"]
    assert nearest_versions(files[1:], "1.9") == ["2.0"]
    assert nearest_versions([offered("p-1.0rc1.tar.gz", version="1.0rc1")], "1.0") == ["1.0rc1"]
