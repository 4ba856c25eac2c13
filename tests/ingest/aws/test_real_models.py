"""Known facts of real botocore models; expected values were read in the wheels themselves."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from refdesk.domain.entries import Entries, SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Release, Updated
from refdesk.domain.shapes import Shape, descend, expand, members_of
from refdesk.domain.symbols import Param, Symbol
from refdesk.ingest.aws import parse_aws
from refdesk.ports.archives import Archives
from refdesk.ports.progress import silent

pytestmark = pytest.mark.packages

Read = Callable[[str, str, str], Entries]


@pytest.fixture(scope="module")
def read(real_archives: Archives) -> Read:
    known: dict[tuple[str, str, str], Entries] = {}

    def entries(version: str, service: str, api: str) -> Entries:
        if (version, service, api) not in known:
            archive = real_archives.fetch("botocore", version, silent)
            with real_archives.open(archive) as reader:
                files = {
                    name: reader.read(name)
                    for name in reader.names()
                    if name.startswith(f"botocore/data/{service}/{api}/")
                }
            known[version, service, api] = parse_aws(
                SourceFiles(
                    Release(Library("aws", service), api, Carrier("botocore", version)),
                    "aws",
                    files,
                    Origin("botocore", version, archive.filename, archive.sha256, archive.verified),
                    Updated(datetime(2026, 1, 1, tzinfo=UTC), "registry"),
                )
            )
        return known[version, service, api]

    return entries


def symbol(entries: Entries, name: str) -> Symbol:
    return next(one for one in entries.symbols if one.name == name)


def params(entries: Entries, operation: str) -> dict[str, Param]:
    shape = entries.shapes[symbol(entries, operation).input_shape]
    return {one.name: one for one in members_of(shape, entries.shapes.get)}


@pytest.mark.parametrize(("version", "there"), [("1.34.162", False), ("1.44.8", True)])
def test_put_object_has_if_none_match_only_in_the_newer_version(version: str, there: bool, read: Read) -> None:
    found = params(read(version, "s3", "2006-03-01"), "PutObject")
    assert [name for name, param in found.items() if param.required] == ["Bucket", "Key"]
    assert ("IfNoneMatch" in found) is there
    assert (found["ACL"].kind, found["Bucket"].kind, found["Body"].kind) == ("header", "path", "")


def test_no_such_key_says_what_it_means(read: Read) -> None:
    error = symbol(read("1.44.8", "s3", "2006-03-01"), "NoSuchKey")
    assert error.summary == "The specified key does not exist."
    assert "GetObject" in str(error.attributes["operations"])


def test_sdk_extras_are_merged(read: Read) -> None:
    """`service-2.sdk-extras.json` adds SourceRegion to operations of rds, of which the service itself knows nothing."""
    assert "SourceRegion" in params(read("1.44.8", "rds", "2014-10-31"), "CopyDBSnapshot")
    assert read("1.44.8", "s3", "2006-03-01").shapes["Expires"].label == "timestamp"


def test_list_objects_has_its_paginator(read: Read) -> None:
    operation = symbol(read("1.34.162", "s3", "2006-03-01"), "ListObjectsV2")
    assert operation.attributes["paginator"] == {
        "input_token": "ContinuationToken",
        "output_token": "NextContinuationToken",
        "more_results": "IsTruncated",
        "limit_key": "MaxKeys",
        "result_key": ["Contents", "CommonPrefixes"],
        "non_aggregate_keys": ["RequestCharged"],
    }


@pytest.mark.parametrize(("version", "there"), [("1.34.162", True), ("1.40.76", False)])
def test_chime_meetings_moved_away(version: str, there: bool, read: Read) -> None:
    names = [one.name for one in read(version, "chime", "2018-05-01").symbols]
    assert ("CreateMeeting" in names) is there


def test_a_replacement_in_another_service_is_no_relation(read: Read) -> None:
    entries = read("1.34.162", "chime", "2018-05-01")
    deprecation = symbol(entries, "CreateMeeting").deprecation
    assert deprecation is not None
    assert deprecation.evidence == "flag"
    assert deprecation.replacement.startswith("CreateMeeting in the ")
    assert not any(one.source == "CreateMeeting" and one.kind == "replaced_by" for one in entries.relations)


@pytest.mark.parametrize(("api", "there"), [("2019-03-26", False), ("2020-05-31", True)])
def test_cache_policies_are_in_the_newest_api_of_cloudfront_only(api: str, there: bool, read: Read) -> None:
    names = [one.name for one in read("1.44.8", "cloudfront", api).symbols]
    assert ("CreateCachePolicy" in names) is there


def test_invocation_types_of_lambda(read: Read) -> None:
    found = params(read("1.44.8", "lambda", "2015-03-31"), "Invoke")
    assert found["InvocationType"].enum == ("Event", "RequestResponse", "DryRun")
    assert [name for name, param in found.items() if param.required] == ["FunctionName"]


def test_nested_parameters_are_reached_by_path(read: Read) -> None:
    entries = read("1.44.8", "s3", "2006-03-01")
    top = tuple(params(entries, "DeleteObjects").values())
    key = descend(top, "Delete.Objects[].Key", entries.shapes.get)
    assert key is not None
    assert (key.type, key.required) == ("string", True)


def test_a_huge_operation_is_cut_and_never_flattened(read: Read) -> None:
    entries = read("1.44.8", "quicksight", "2018-04-01")
    top = tuple(params(entries, "CreateDashboard").values())
    asked: list[str] = []

    def find(name: str) -> Shape | None:
        asked.append(name)
        return entries.shapes.get(name)

    expansion = expand(top, find, 200)
    assert (len(expansion.rows), expansion.cut) == (200, True)
    assert [row.name for row in expansion.rows[: len(top)]] == [one.name for one in top]
    assert len(asked) < 5_000
