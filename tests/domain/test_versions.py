"""Versions: order, and which indexed release a request means. The cases name the public reports that they come from."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refdesk.domain.errors import InvalidInput, VersionNotIndexed
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Release
from refdesk.domain.versions import (
    is_api_version,
    is_preview,
    nearest,
    newest_stable,
    release_key,
    resolve,
    same_version,
    version_key,
)

S3 = Library.parse("aws:s3")
DRIVE = Library.parse("gcp:drive")
COMPUTE = Library.parse("gcp:compute")
HTTPX = Library.parse("pypi:httpx")
SITE = Library.parse("site:handbook")


def of_s3(*carriers: str, api: str = "2006-03-01") -> list[Release]:
    return [Release(S3, api, Carrier("botocore", one)) for one in carriers]


def of_google(library: Library, *versions: str, carrier: str = "2.202.0") -> list[Release]:
    return [Release(library, one, Carrier("google-api-python-client", carrier)) for one in versions]


def of(library: Library, *versions: str) -> list[Release]:
    return [Release(library, one) for one in versions]


@pytest.mark.parametrize(
    "ascending",
    [
        pytest.param(["1.15.9", "1.15.10"], id="numbers by value (neuledge PR 105)"),
        pytest.param(["2.0.0-rc.2", "2.0.0-rc.10", "2.0.0"], id="release candidates by value, below their release"),
        pytest.param(["0.0.1", "1.0.0+20130313144700", "1.0.1"], id="build metadata does not count"),
        pytest.param(["1.0.dev1", "1.0a1", "1.0rc1", "1.0", "1.0.post1"], id="stages of PEP 440"),
        pytest.param(["1.9", "1.19", "1.20"], id="1.20 is above 1.9 (arabold 480)"),
        pytest.param(["2024-10-01-preview", "2024-10-01", "2025-01-01"], id="dates, previews below"),
        pytest.param(["v1beta1", "v1", "v1.1", "v2"], id="API labels"),
        pytest.param(["v1p1beta1", "directory_v1", "directory_v2"], id="API labels with a prefix"),
        pytest.param(["latest", "2024-10-01", "1.0"], id="words below dates below numbers"),
        pytest.param(["alpha", "v1"], id="a stage without a number is lowest"),
        pytest.param(["1!0.5", "2!0.1"], id="epochs"),
    ],
)
def test_versions_are_ordered_by_what_their_parts_mean(ascending: list[str]) -> None:
    for lower, higher in pairwise(ascending):
        assert version_key(lower) < version_key(higher), (lower, higher)


@given(st.lists(st.text(max_size=12), min_size=2, max_size=6))
@example(["", "¹", "9" * 5_000, "v" + "1" * 5_000])
def test_any_labels_can_be_sorted(labels: list[str]) -> None:
    ordered = sorted(labels, key=version_key)
    assert [version_key(one) for one in ordered] == sorted(map(version_key, labels))


@pytest.mark.parametrize("text", ["9" * 5_000, "v" + "9" * 5_000, ">=" + "9" * 5_000, "1." * 5_000 + "x"])
def test_a_text_that_is_too_long_for_a_version_is_said_to_be(text: str) -> None:
    with pytest.raises(InvalidInput, match="too long for a version"):
        resolve(text, of(HTTPX, "0.27.2"), HTTPX)
    assert not same_version(text, "1.0")


@pytest.mark.parametrize(
    ("label", "preview"),
    [
        ("2.0.0", False),
        ("2.0.0rc1", True),
        ("2.0.0-rc.1", True),
        ("v1", False),
        ("v1beta1", True),
        ("v1p1beta1", True),
        ("alpha", True),
        ("preview", True),
        ("2024-01-01-preview", True),
        ("2024-01-01", False),
        ("latest", False),
        ("next", True),
        ("1.0.post1", False),
        ("research", False),
    ],
)
def test_previews_are_told_from_releases(label: str, preview: bool) -> None:
    assert is_preview(label) is preview


@pytest.mark.parametrize(
    ("label", "api"),
    [
        ("v3", True),
        ("2006-03-01", True),
        ("alpha", True),
        ("directory_v1", True),
        ("1.34.162", False),
        ("latest", False),
    ],
)
def test_labels_of_apis_are_told_from_versions_of_packages(label: str, api: bool) -> None:
    assert is_api_version(label) is api


def test_the_newest_stable_label_is_a_preview_only_where_nothing_else_is_there() -> None:
    assert newest_stable(["1.9", "1.20", "2.0rc1"]) == "1.20"
    assert newest_stable(["2.0rc1", "2.0rc2"]) == "2.0rc2"
    assert newest_stable([]) is None


def test_versions_are_the_same_by_pep_440_or_by_their_text() -> None:
    assert same_version("1.0", "1.0.0")
    assert same_version("main", "main")
    assert not same_version("1.0", "1.0.1")
    assert not same_version("main", "1.0")


BOTH_S3 = of_s3("1.34.162", "1.44.8")
LINES = of(SITE, "1.19", "1.20")


@pytest.mark.parametrize(
    ("requested", "releases", "served", "rule"),
    [
        pytest.param("", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "newest_stable", id="none: the newest carrier"),
        pytest.param("", BOTH_S3[:1], "aws:s3@2006-03-01+1.34.162", "only_release", id="none: the only one"),
        pytest.param("", of(HTTPX, "1.0rc1", "1.0rc2"), "pypi:httpx@1.0rc2", "newest", id="none: only previews"),
        pytest.param("", of(HTTPX, "0.27.2", "1.0rc2"), "pypi:httpx@0.27.2", "newest_stable", id="none: no preview"),
        pytest.param(
            "", of_google(DRIVE, "v2", "v3"), "gcp:drive@v3+2.202.0", "newest_stable", id="none: the newest API"
        ),
        pytest.param(
            "",
            of_google(COMPUTE, "alpha", "beta", "v1"),
            "gcp:compute@v1+2.202.0",
            "newest_stable",
            id="none: no alpha",
        ),
        pytest.param("1.34.162", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "carrier", id="a bare package version"),
        pytest.param("2006-03-01", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "api_version", id="an API version"),
        pytest.param("V2", of_google(DRIVE, "v2", "v3"), "gcp:drive@v2+2.202.0", "api_version", id="in another case"),
        pytest.param("botocore==1.34.162", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "carrier", id="a carrier"),
        pytest.param("httpx==0.27.2", of(HTTPX, "0.27.2"), "pypi:httpx@0.27.2", "exact", id="the package itself"),
        pytest.param(
            "2006-03-01 via botocore 1.34.162",
            BOTH_S3,
            "aws:s3@2006-03-01+1.34.162",
            "exact",
            id="as the answer shows it",
        ),
        pytest.param(
            "2006-03-01 via botocore==1.34.162", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "exact", id="both axes named"
        ),
        pytest.param("2006-03-01+1.44.8", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "exact", id="the version of a key"),
        pytest.param("aws:s3@2006-03-01+1.44.8", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "exact", id="a whole key"),
        pytest.param("1.34", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "minor_line", id="a line of the carrier"),
        pytest.param("3", of_google(DRIVE, "v2", "v3"), "gcp:drive@v3+2.202.0", "minor_line", id="a line of the API"),
        pytest.param("1.x", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "minor_line", id="a major line"),
        pytest.param(">=1.30,<1.40", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "range", id="a range"),
        pytest.param("^1.19", LINES, "site:handbook@1.20", "range", id="a caret range"),
        pytest.param("^0.27", of(HTTPX, "0.27.2", "0.28.1"), "pypi:httpx@0.27.2", "range", id="a caret below 1"),
        pytest.param(
            ">=1.0rc1", of(HTTPX, "0.27.2", "1.0rc2"), "pypi:httpx@1.0rc2", "range", id="a range with a preview"
        ),
        pytest.param(
            ">=0.1", of(HTTPX, "0.27.2", "1.0rc2"), "pypi:httpx@0.27.2", "range", id="a range takes stable ones"
        ),
        pytest.param(">0.27.2", of(HTTPX, "0.27.2", "1.0rc2"), "pypi:httpx@1.0rc2", "range", id="or previews if none"),
        pytest.param("1.0", of(HTTPX, "1.0.0"), "pypi:httpx@1.0.0", "exact", id="equal by PEP 440"),
        pytest.param("1.20", LINES, "site:handbook@1.20", "exact", id="arabold 480: 1.20"),
        pytest.param("1.20.x", LINES, "site:handbook@1.20", "minor_line", id="arabold 480: 1.20.x"),
        pytest.param("1.x", LINES, "site:handbook@1.20", "minor_line", id="arabold 480: 1.x"),
        pytest.param(
            "1.20.3", LINES, "site:handbook@1.20", "minor_line", id="arabold 480: a patch of a documented line"
        ),
        pytest.param("1.20.3", of(SITE, "1", "1.20"), "site:handbook@1.20", "minor_line", id="the longest line"),
        pytest.param("", LINES, "site:handbook@1.20", "newest_stable", id="arabold 480: none"),
        pytest.param("latest", of(SITE, "latest"), "site:handbook@latest", "label", id="arabold 475: a label"),
        pytest.param("Stable", of(SITE, "stable"), "site:handbook@stable", "label", id="arabold 475: in another case"),
        pytest.param("v2-beta", of(SITE, "v2-beta"), "site:handbook@v2-beta", "exact", id="arabold 475: a beta"),
        pytest.param(
            "2024-10-01", of(SITE, "2024-10-01"), "site:handbook@2024-10-01", "exact", id="arabold 475: a date"
        ),
        pytest.param("", of(SITE, "stable"), "site:handbook@stable", "only_release", id="arabold 475: none, one label"),
        pytest.param("latest", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "newest_stable", id="latest without such a label"),
        pytest.param("stable", of(HTTPX, "1.0rc1"), "pypi:httpx@1.0rc1", "newest", id="stable where there is none"),
        pytest.param(
            "1.15.9", of(HTTPX, "1.15.9", "1.15.10"), "pypi:httpx@1.15.9", "exact", id="both stay addressable"
        ),
    ],
)
def test_a_request_is_served_by_the_release_that_it_means(
    requested: str, releases: list[Release], served: str, rule: str
) -> None:
    found = resolve(requested, releases, releases[0].library)
    assert (found.release.key, found.rule) == (served, rule)


@pytest.mark.parametrize(
    ("requested", "releases", "near", "suggestion"),
    [
        pytest.param("3.0.0", of(HTTPX, "2.11"), "pypi:httpx@2.11", "refdesk add pypi:httpx@3.0.0", id="context7 3132"),
        pytest.param("1.40.0", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "refdesk add aws:s3@1.40.0", id="between two"),
        pytest.param(
            "1.20.3", of(HTTPX, "1.20"), "pypi:httpx@1.20", "refdesk add pypi:httpx@1.20.3", id="a package's patch"
        ),
        pytest.param(
            "2007-01-01", BOTH_S3, "aws:s3@2006-03-01+1.44.8", "refdesk add aws:s3@2007-01-01", id="an API version"
        ),
        pytest.param("boto3==1.0", BOTH_S3, "aws:s3@2006-03-01+1.34.162", "--via boto3==1.0", id="another carrier"),
        pytest.param(
            "httpx==9", of(HTTPX, "0.27.2"), "pypi:httpx@0.27.2", "refdesk add pypi:httpx@9", id="its own package"
        ),
        pytest.param(">=9", of(HTTPX, "0.27.2"), "pypi:httpx@0.27.2", "refdesk list pypi:httpx", id="an empty range"),
        pytest.param(
            "v9 via botocore 1.44.8", BOTH_S3, "aws:s3@2006-03-01", "refdesk list", id="an API that it has not"
        ),
        pytest.param("1.2", LINES, "site:handbook@1.19", "refdesk list site:handbook", id="1.2 is no part of 1.20"),
        pytest.param("nightly", LINES, "site:handbook@1.19", "refdesk list site:handbook", id="a word"),
    ],
)
def test_what_is_not_indexed_is_an_error_that_names_the_nearest(
    requested: str, releases: list[Release], near: str, suggestion: str
) -> None:
    with pytest.raises(VersionNotIndexed) as caught:
        resolve(requested, releases, releases[0].library)
    assert str(caught.value.details["nearest"][0]).startswith(near)  # type: ignore[index]  # JSON values
    assert suggestion in caught.value.suggestion
    assert "Nothing was substituted" in caught.value.message


def test_a_range_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="not a version range"):
        resolve(">=one", of(HTTPX, "1.0"), HTTPX)


def test_the_nearest_releases_are_those_below_and_above() -> None:
    releases = of(HTTPX, "1.0", "1.5", "2.0", "3.0")
    assert [one.version for one in nearest("1.7", releases)] == ["1.5", "1.0", "2.0"]
    assert [one.version for one in nearest("0.1", releases)] == ["1.0", "1.5", "2.0"]
    assert [one.version for one in nearest("9", releases, limit=1)] == ["3.0"]


def test_releases_of_two_axes_stand_by_the_api_first_and_the_carrier_second() -> None:
    releases = [*of_google(DRIVE, "v2", carrier="3.0"), *of_google(DRIVE, "v3", "v4beta1", carrier="2.0")]
    assert [one.key for one in sorted(releases, key=release_key)] == [
        "gcp:drive@v4beta1+2.0",
        "gcp:drive@v2+3.0",
        "gcp:drive@v3+2.0",
    ]


@given(st.lists(st.from_regex(r"\d{1,2}\.\d{1,2}(rc\d)?", fullmatch=True), min_size=1, unique=True))
def test_every_indexed_version_is_reachable_by_its_own_name(versions: list[str]) -> None:
    releases = of(HTTPX, *versions)
    for release in releases:
        assert same_version(resolve(release.version, releases, HTTPX).release.version, release.version)


@given(st.text(max_size=20), st.lists(st.sampled_from(["1.0", "2.0", "3.0rc1", "latest"]), min_size=1, unique=True))
def test_any_request_gives_an_indexed_release_or_one_of_two_errors(requested: str, versions: list[str]) -> None:
    releases = of(SITE, *versions)
    with suppress(VersionNotIndexed, InvalidInput):
        assert resolve(requested, releases, SITE).release in releases
