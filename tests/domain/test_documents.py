"""Ids of documents: both spellings read back, everything else is no id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.documents import DocumentId, DocumentKind, document_id, parse_document_id
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Release

S3 = Release(Library("aws", "s3"), "2006-03-01", Carrier("botocore", "1.34.162"))


def test_an_id_has_two_spellings() -> None:
    one = document_id(S3, "api", "PutObject")
    assert str(one) == "aws:s3@2006-03-01+1.34.162/api/PutObject"
    assert one.uri == "refdesk://aws/s3/2006-03-01%2B1.34.162/api/PutObject"
    page = document_id(S3, "page", "guide/über uns.md", "a b")
    assert str(page) == "aws:s3@2006-03-01+1.34.162/page/guide/über uns.md#a b"
    assert page.uri == "refdesk://aws/s3/2006-03-01%2B1.34.162/page/guide/%C3%BCber%20uns.md#a%20b"


@given(
    st.sampled_from(["api", "page"]),
    st.text(st.characters(exclude_characters="#", exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=30),
    st.from_regex(r"[a-z0-9-]{0,12}", fullmatch=True),
)
def test_both_spellings_read_back(kind: DocumentKind, name: str, anchor: str) -> None:
    one = document_id(S3, kind, name, anchor)
    assert parse_document_id(f" {one} ") == one
    assert parse_document_id(one.uri) == one


def test_an_id_that_something_took_for_an_address_is_read() -> None:
    assert parse_document_id("aws:s3%402006-03-01+1.34.162/api/PutObject") == document_id(S3, "api", "PutObject")


def test_a_release_without_a_carrier_has_a_plain_version() -> None:
    assert document_id(Release(Library("pypi", "httpx"), "0.27.2"), "page", "README.md") == DocumentId(
        "pypi:httpx", "0.27.2", "page", "README.md"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", "PutObject", "guide/install.md", "https://example.org/api/x", "aws:s3@1/other/x", "refdesk://aws/s3"),
        *('"', "a=b", "\x00", "x" * 10_000),
    ],
)
def test_what_is_no_id_is_none(text: str) -> None:
    assert parse_document_id(text) is None
