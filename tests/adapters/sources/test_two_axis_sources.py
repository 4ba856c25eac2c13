"""Which API in which version, from which carrier: AWS and Google."""

from datetime import UTC, datetime

import orjson
import pytest

from fakes.archives import MemoryArchives
from fakes.clock import NOON, FixedClock
from fakes.sources import UPLOADED, published
from refdesk.adapters.sources import AwsSource, GcpSource
from refdesk.domain.errors import InvalidInput, NetworkUnavailable, NotFound, UnknownVersion
from refdesk.domain.releases import Updated
from refdesk.domain.specs import parse_specs
from refdesk.ports.archives import Archives
from refdesk.ports.progress import silent

DOCUMENTS = "googleapiclient/discovery_cache/documents"
NEEDS = b"Requires-Dist: not(valid\nRequires-Dist: botocore<1.10,>=1.9\n"
METADATA = b"Metadata-Version: 2.1\nName: botocore\nHome-page: https://example.org/botocore\n\nHome-page: no\n"


def botocore(*folders: str) -> dict[str, bytes]:
    files = {f"botocore/data/{one}/service-2.json.gz": b"model" for one in folders}
    return {
        **files,
        "botocore-1.dist-info/METADATA": METADATA,
        "botocore/data/endpoints.json": b"{}",
        "botocore/data/empty/2020-01-01/paginators-1.json": b"{}",
    }


def aws() -> tuple[AwsSource, MemoryArchives]:
    newest = botocore("box/2020-05-31", "box/2019-03-26", "crate/2014-01-01")
    folder = "botocore/data/box/2020-05-31"
    newest |= {
        f"{folder}/{name}": b"{}"
        for name in (
            "paginators-1.json", "paginators-1.sdk-extras.json", "service-2.sdk-extras.json", "waiters-2.json",
            "examples-1.json", "endpoint-rule-set-1.json.gz", "endpoint-bdd-1.json.gz", "notes.txt",
        )
    }  # fmt: skip
    archives = published(
        {
            "botocore": {
                "1.9.0": botocore("box/2019-03-26"),
                "1.10.0": newest,
                "1.11.0": botocore("withdrawn/2020-01-01"),
                "2.0.0rc1": botocore("preview/2020-01-01"),
            },
            "boto3": {
                "1.9.5": {
                    "boto3-1.9.5.dist-info/METADATA": b"Requires-Dist: not(valid\nRequires-Dist: botocore<1.10,>=1.9\n"
                },
                "1.0": {"boto3/__init__.py": b""},
            },
        },
        yanked=[("botocore", "1.11.0")],
    )
    return AwsSource(archives, FixedClock()), archives


def gcp(uploaded: datetime | None = UPLOADED) -> GcpSource:
    def document(name: str, version: str, **more: str) -> bytes:
        return orjson.dumps({"name": name, "version": version, **more})

    files = {
        f"{DOCUMENTS}/shelf.v2.json": document("shelf", "v2"),
        f"{DOCUMENTS}/shelf.v10.json": document("shelf", "v10", revision="20260115"),
        f"{DOCUMENTS}/shelf.v11beta1.json": document("shelf", "v11beta1", revision="20269999"),
        f"{DOCUMENTS}/shelf.alpha.json": document("shelf", "alpha"),
        f"{DOCUMENTS}/admin.directoryv1.json": document("admin", "directory_v1", revision="20200101"),
        f"{DOCUMENTS}/admin.directory_v1.json": document("admin", "directory_v1", revision="20260101"),
        f"{DOCUMENTS}/admin.reports_v1.json": document("admin", "reports_v1"),
        f"{DOCUMENTS}/broken.v1.json": b"{",
        f"{DOCUMENTS}/listed.v1.json": b"[]",
        f"{DOCUMENTS}/camelCase.v1.json": document("camelCase", "v1"),
        f"{DOCUMENTS}/index.json": b"{}",
    }
    return GcpSource(published({"google-api-python-client": {"2.0.0": files}}, uploaded=uploaded), FixedClock())


@pytest.mark.parametrize(
    ("word", "via", "label"),
    [
        pytest.param("aws:box", "", "aws:box 2020-05-31 via botocore 1.10.0", id="newest-stable-not-withdrawn"),
        pytest.param("aws:box@latest", "", "aws:box 2020-05-31 via botocore 1.10.0", id="latest"),
        pytest.param("aws:box@1.9.0", "", "aws:box 2019-03-26 via botocore 1.9.0", id="package-version"),
        pytest.param("aws:box@>=1.8,<1.10", "", "aws:box 2019-03-26 via botocore 1.9.0", id="range"),
        pytest.param("aws:box@2019-03-26", "", "aws:box 2019-03-26 via botocore 1.10.0", id="api-version"),
        pytest.param("aws:box@2019-03-26", "botocore==1.9.0", "aws:box 2019-03-26 via botocore 1.9.0", id="both"),
        pytest.param("aws:box@1.9.0", "botocore==1.9", "aws:box 2019-03-26 via botocore 1.9.0", id="the-same-twice"),
        pytest.param("aws:box@latest", "botocore==1.9.0", "aws:box 2019-03-26 via botocore 1.9.0", id="latest-in-it"),
        pytest.param("aws:box@botocore==1.9.0", "", "aws:box 2019-03-26 via botocore 1.9.0", id="carrier-as-version"),
        pytest.param("aws:box", "boto3==1.9.5", "aws:box 2019-03-26 via botocore 1.9.0", id="boto3-fixes-botocore"),
        pytest.param("aws:withdrawn@1.11.0", "", "aws:withdrawn 2020-01-01 via botocore 1.11.0", id="withdrawn"),
    ],
)
def test_a_spec_means_one_aws_release(word: str, via: str, label: str) -> None:
    source, _ = aws()
    found = source.discover(parse_specs([word], via)[0], silent)
    assert [one.release.label for one in found] == [label]


@pytest.mark.parametrize(
    ("word", "labels"),
    [
        pytest.param("gcp:shelf", ["gcp:shelf v10"], id="stable-before-newer-beta-and-numeric-order"),
        pytest.param("gcp:shelf@v11beta1", ["gcp:shelf v11beta1"], id="beta-if-named"),
        pytest.param("gcp:shelf@ALPHA", ["gcp:shelf alpha"], id="any-letter-case"),
        pytest.param("gcp:shelf@2.0.0", ["gcp:shelf v10"], id="package-version"),
        pytest.param("gcp:admin", ["gcp:admin directory_v1", "gcp:admin reports_v1"], id="every-member-of-a-family"),
        pytest.param("gcp:admin@directory_v1", ["gcp:admin directory_v1"], id="one-member"),
        pytest.param("gcp:camelcase", ["gcp:camelcase v1"], id="names-in-mixed-case"),
        pytest.param("gcp:broken", ["gcp:broken v1"], id="the-path-where-the-document-is-broken"),
        pytest.param("gcp:listed", ["gcp:listed v1"], id="the-path-where-it-is-no-object"),
    ],
)
def test_a_spec_means_google_releases(word: str, labels: list[str]) -> None:
    source = gcp()
    found = source.discover(parse_specs([word])[0], silent)
    assert [one.release.label for one in found] == [f"{one} via google-api-python-client 2.0.0" for one in labels]


def test_a_star_means_the_newest_version_of_every_service() -> None:
    source, _ = aws()
    found = source.discover(parse_specs(["aws:*"])[0], silent)
    assert [one.release.key for one in found] == ["aws:box@2020-05-31+1.10.0", "aws:crate@2014-01-01+1.10.0"]
    with pytest.raises(InvalidInput, match="one API version of every API"):
        source.discover(parse_specs(["aws:*@2020-05-31"])[0], silent)


def test_models_extras_paginators_waiters_and_examples_are_read_and_endpoint_rules_are_not() -> None:
    source, _ = aws()
    read = source.discover(parse_specs(["aws:box"])[0], silent)[0].read(silent)
    assert [one.rpartition("/")[2] for one in read.files] == [
        "examples-1.json", "paginators-1.json", "paginators-1.sdk-extras.json", "service-2.json.gz",
        "service-2.sdk-extras.json", "waiters-2.json",
    ]  # fmt: skip
    assert read.origin.url == "https://example.org/botocore"
    assert read.origin.verified
    assert read.updated == Updated(UPLOADED, "registry")


def test_the_old_file_of_a_family_member_gives_way_to_the_one_that_the_client_reads() -> None:
    source = gcp()
    read = source.discover(parse_specs(["gcp:admin@directory_v1"])[0], silent)[0].read(silent)
    assert list(read.files) == [f"{DOCUMENTS}/admin.directory_v1.json"]
    assert read.updated == Updated(datetime(2026, 1, 1, tzinfo=UTC), "revision")


@pytest.mark.parametrize(
    ("word", "undated", "updated"),
    [
        pytest.param("gcp:shelf", False, Updated(datetime(2026, 1, 15, tzinfo=UTC), "revision"), id="revision"),
        pytest.param("gcp:shelf@v2", False, Updated(UPLOADED, "registry"), id="no-revision"),
        pytest.param("gcp:shelf@v11beta1", False, Updated(UPLOADED, "registry"), id="a-revision-that-is-no-date"),
        pytest.param("gcp:shelf@v2", True, Updated(NOON, "indexed"), id="nobody-says"),
    ],
)
def test_updated_is_what_the_source_itself_states(word: str, undated: bool, updated: Updated) -> None:
    source = gcp(None if undated else UPLOADED)
    assert source.discover(parse_specs([word])[0], silent)[0].read(silent).updated == updated


def test_an_api_version_that_the_carrier_does_not_have_is_answered_by_those_that_it_has() -> None:
    source, _ = aws()
    with pytest.raises(NotFound) as caught:
        source.discover(parse_specs(["aws:box@2001-01-01"])[0], silent)
    assert caught.value.details["available"] == ["2019-03-26", "2020-05-31"]
    assert caught.value.details["carrier"] == "botocore==1.10.0"
    assert "refdesk add aws:box@2020-05-31" in caught.value.suggestion


def test_an_unknown_service_is_answered_by_similar_ones_and_the_carrier_looked_at() -> None:
    source, _ = aws()
    with pytest.raises(NotFound, match=r"botocore==1.10.0 carries no API called 'crates'. Similar: crate.") as caught:
        source.discover(parse_specs(["aws:crates"])[0], silent)
    assert caught.value.details["similar"] == ["aws:crate"]
    assert caught.value.suggestion == "Write for example: refdesk add aws:crate"


@pytest.mark.parametrize(
    ("word", "via", "message"),
    [
        pytest.param("aws:box", "requests==2.0", "not carried by requests", id="another-package"),
        pytest.param("aws:box@1.10.0", "botocore==1.9.0", "names two package versions", id="two-package-versions"),
        pytest.param("aws:box", "boto3==1.0", "does not say which botocore", id="boto3-without-requirement"),
    ],
)
def test_a_carrier_that_cannot_be_meant_is_invalid(word: str, via: str, message: str) -> None:
    source, _ = aws()
    with pytest.raises(InvalidInput, match=message) as caught:
        source.discover(parse_specs([word], via)[0], silent)
    assert caught.value.suggestion


def test_a_package_version_that_does_not_exist_names_the_nearest() -> None:
    source, _ = aws()
    with pytest.raises(UnknownVersion) as caught:
        source.discover(parse_specs(["aws:box@1.10.7"])[0], silent)
    assert caught.value.details["nearest"] == ["1.10.0", "1.9.0", "2.0.0rc1"]


def test_without_network_a_kept_version_that_is_named_still_answers_and_others_are_not_called_missing() -> None:
    source, archives = aws()
    source.discover(parse_specs(["aws:box@1.9.0"])[0], silent)
    archives.offline = True
    assert source.discover(parse_specs(["aws:box@1.9.0"])[0], silent)
    with pytest.raises(NetworkUnavailable):
        source.discover(parse_specs(["aws:box"])[0], silent)


def test_only_pre_releases_or_only_withdrawn_versions() -> None:
    packages = {"botocore": {"2.0.0rc1": botocore("box/2020-01-01")}}
    source = AwsSource(published(packages), FixedClock())
    assert source.discover(parse_specs(["aws:box"])[0], silent)[0].release.package_version == "2.0.0rc1"
    source = AwsSource(published(packages, yanked=[("botocore", "2.0.0rc1")]), FixedClock())
    for word in ("aws:box", "aws:box@3.0"):
        with pytest.raises(UnknownVersion):
            source.discover(parse_specs([word])[0], silent)


@pytest.mark.packages
@pytest.mark.parametrize(
    ("word", "via", "keys"),
    [
        pytest.param("aws:s3@1.34.162", "", ["aws:s3@2006-03-01+1.34.162"], id="package-version"),
        pytest.param("aws:cloudfront", "", ["aws:cloudfront@2020-05-31+1.44.8"], id="the-newest-of-nineteen"),
        pytest.param("aws:cloudfront@2014-05-31", "", ["aws:cloudfront@2014-05-31+1.44.8"], id="the-oldest"),
        pytest.param("gcp:drive@v2", "", ["gcp:drive@v2+2.202.0"], id="google-version"),
        pytest.param("gcp:compute", "", ["gcp:compute@v1+2.202.0"], id="stable-before-alpha-beta-preview"),
        pytest.param(
            "gcp:admin@directory_v1",
            "google-api-python-client==2.202.0",
            ["gcp:admin@directory_v1+2.202.0"],
            id="family",
        ),
    ],
)
def test_real_carriers(real_archives: Archives, word: str, via: str, keys: list[str]) -> None:
    spec = parse_specs([word], via)[0]
    source = (AwsSource if spec.library.ecosystem == "aws" else GcpSource)(real_archives, FixedClock())
    found = source.discover(spec, silent)
    assert [one.release.key for one in found] == keys
    read = found[0].read(silent)
    assert read.updated.by == ("registry" if spec.library.ecosystem == "aws" else "revision")
    assert read.origin.url.startswith("https://github.com/")


@pytest.mark.packages
def test_every_service_of_a_real_carrier(real_archives: Archives) -> None:
    found = AwsSource(real_archives, FixedClock()).discover(parse_specs(["aws:*@1.44.8"])[0], silent)
    assert len({one.release.key for one in found}) == len(found) == 445
