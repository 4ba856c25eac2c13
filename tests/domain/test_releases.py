"""Releases: keys and labels as answers show them."""

from datetime import UTC, datetime

import pytest

from refdesk.domain.entries import Chunk, Entries, Page, Problem, Relation, SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Published, Release, Updated
from refdesk.domain.symbols import Symbol

S3 = Release(Library("aws", "s3"), "2006-03-01", Carrier("botocore", "1.34.162"))
HTTPX = Release(Library("pypi", "httpx"), "0.27.2")
ORIGIN = Origin("httpx", "0.27.2", "httpx-0.27.2.whl", "ab" * 32, verified=True)
UPDATED = Updated(datetime(2024, 8, 27, tzinfo=UTC), "registry")


@pytest.mark.parametrize(
    ("release", "key", "label", "package_version"),
    [
        (S3, "aws:s3@2006-03-01+1.34.162", "aws:s3 2006-03-01 via botocore 1.34.162", "1.34.162"),
        (HTTPX, "pypi:httpx@0.27.2", "pypi:httpx 0.27.2", "0.27.2"),
    ],
    ids=["two axes", "one axis"],
)
def test_a_release_has_a_key_and_a_label(release: Release, key: str, label: str, package_version: str) -> None:
    assert (release.key, release.label, release.package_version) == (key, label, package_version)


def test_a_carrier_is_written_as_pip_writes_it() -> None:
    assert str(Carrier("botocore", "1.34.162")) == "botocore==1.34.162"


def test_values_are_equal_by_content_and_hashable() -> None:
    again = Release(Library("aws", "s3"), "2006-03-01", Carrier("botocore", "1.34.162"))
    assert again == S3
    assert {S3, again} == {S3}
    assert {Problem("a", "b"), Problem("a", "b")} == {Problem("a", "b")}
    assert Relation("a", "member", "b") == Relation("a", "member", "b")


@pytest.mark.parametrize(
    "value",
    [
        Published(S3, "x.pack", 1, ORIGIN, UPDATED, UPDATED.at),
        Page("a.md", "A", "# A", "concept"),
        Chunk("page/a.md#1", "A", "text", "concept"),
        Symbol("f", "function", ("f",)),
        SourceFiles(HTTPX, "python", {}, ORIGIN, UPDATED),
        Entries(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_frozen_and_have_no_other_attributes(value: object) -> None:
    with pytest.raises((AttributeError, TypeError)):
        value.anything = 1  # type: ignore[attr-defined]  # the point of the test


def test_defaults_are_empty_and_not_shared() -> None:
    assert Entries().shapes == {}
    assert Entries().shapes is not Entries().shapes
    assert Published(S3, "x", 1, ORIGIN, UPDATED, UPDATED.at).counts == {}
