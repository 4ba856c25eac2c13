"""Specs: what people write to add a release."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.errors import InvalidInput
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier
from refdesk.domain.specs import Spec, parse_carrier, parse_specs

DRIVE = Library("gcp", "drive")
BOTOCORE = Carrier("botocore", "1.34.162")


@pytest.mark.parametrize(
    ("words", "via", "expected"),
    [
        (["aws:s3"], "", [Spec(Library("aws", "s3"))]),
        (["aws:s3@1.34.162"], "", [Spec(Library("aws", "s3"), "1.34.162")]),
        (["aws:s3@2006-03-01"], "botocore==1.34.162", [Spec(Library("aws", "s3"), "2006-03-01", BOTOCORE)]),
        (["aws:s3@botocore==1.34.162"], "", [Spec(Library("aws", "s3"), "", BOTOCORE)]),
        (["gcp:drive@v3", "gcp:drive@v2"], "", [Spec(DRIVE, "v3"), Spec(DRIVE, "v2")]),
        (["pypi:httpx==0.27.2"], "", [Spec(Library("pypi", "httpx"), "0.27.2")]),
        (["pypi:httpx@httpx==0.27.2"], "", [Spec(Library("pypi", "httpx"), "0.27.2")]),
        (["pypi:Zope.Interface@7"], "", [Spec(Library("pypi", "zope-interface"), "7")]),
        (["aws:*@1.44.8"], "", [Spec(Library("aws", "*"), "1.44.8")]),
        (["files:docs as site:handbook"], "", [Spec(Library("site", "handbook"), path="docs")]),
        (["files:docs", "as", "site:handbook@2"], "", [Spec(Library("site", "handbook"), "2", path="docs")]),
        (["files:a b", "as", "site:x", "gcp:drive"], "", [Spec(Library("site", "x"), path="a b"), Spec(DRIVE)]),
    ],
)  # fmt: skip
def test_words_become_specs(words: list[str], via: str, expected: list[Spec]) -> None:
    assert list(parse_specs(words, via)) == expected


@pytest.mark.parametrize(
    ("words", "via", "says"),
    [
        ([], "", "Nothing to add"),
        (["s3"], "", "no ecosystem"),
        ([""], "", "no ecosystem"),
        (["aws:s3@"], "", "ends where a version"),
        (["pypi:httpx==="], "", "ends where a version"),
        (["pypi:httpx=="], "", "ends where a version"),
        (["aws:s3@botocore=="], "", "PACKAGE==VERSION"),
        (["aws:s3"], "botocore", "PACKAGE==VERSION"),
        (["aws:s3"], "a=b", "PACKAGE==VERSION"),
        (["pypi:httpx"], "botocore==1", "its own package"),
        (["pypi:httpx@requests==1"], "", "not carried by"),
        (["site:handbook"], "", "where its pages are"),
        (["files:docs"], "", "which library"),
        (["files:docs", "to", "site:x"], "", "which library"),
        (["files:docs", "as"], "", "which library"),
        (["files: as site:x"], "", "needs a folder"),
        (["files:docs as pypi:x"], "", "become a site"),
        (["files:docs as handbook"], "", "no ecosystem"),
        (['"'], "", ""),
        (["@nasa"], "", ""),
        (["a=b"], "", ""),
        (["grammar::fa"], "", ""),
        (["健康:数据"], "", ""),
        (["\x00"], "", ""),
        (["x" * 10_000], "", ""),
    ],
)
def test_what_is_no_spec_says_how_to_write_one(words: list[str], via: str, says: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        parse_specs(words, via)
    assert says in raised.value.message
    assert raised.value.suggestion


VERSIONS = st.from_regex(r"v?[0-9]{1,3}(\.[0-9]{1,3}){0,2}(rc[0-9])?", fullmatch=True)
NAMES = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True).filter(lambda name: "--" not in name)


@given(st.sampled_from(["aws", "gcp", "pypi"]), NAMES, st.one_of(st.just(""), VERSIONS))
def test_a_spec_reads_back_as_it_is_written(ecosystem: str, name: str, version: str) -> None:
    spec = Spec(Library(ecosystem, name), version)
    assert parse_specs([str(spec)]) == (spec,)


@given(NAMES, st.one_of(st.just(""), VERSIONS), NAMES, VERSIONS)
def test_a_spec_with_a_carrier_reads_back_with_its_option(name: str, version: str, package: str, carrier: str) -> None:
    spec = Spec(Library("aws", name), version, Carrier(package, carrier))
    words, _, via = str(spec).partition(" --via ")
    assert parse_specs([words], via) == (spec,)


@given(NAMES, st.one_of(st.just(""), VERSIONS), st.from_regex(r"[a-z./][a-z0-9./_-]{0,20}", fullmatch=True))
def test_a_folder_reads_back_in_one_word_and_in_three(name: str, version: str, path: str) -> None:
    spec = Spec(Library("site", name), version, path=path)
    source, _, target = str(spec).partition(" as ")
    assert parse_specs([str(spec)]) == parse_specs([source, "as", target]) == (spec,)


@given(st.lists(st.text(max_size=20), max_size=4), st.text(max_size=10))
def test_any_words_give_specs_or_invalid_input(words: list[str], via: str) -> None:
    with suppress(InvalidInput):
        assert all(str(spec.library) for spec in parse_specs(words, via))


def test_a_carrier_is_lower_case_and_trimmed() -> None:
    assert parse_carrier(" Botocore==1.34.162 ") == BOTOCORE
