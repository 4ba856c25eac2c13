"""Libraries: spellings, and which library a bare name means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.errors import Ambiguous, InvalidInput, LibraryNotIndexed, RefdeskError
from refdesk.domain.libraries import ECOSYSTEMS, Library, normal_package, resolve_library


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("aws:s3", "aws:s3"),
        ("AWS:S3", "aws:s3"),
        (" aws : s3 ", "aws:s3"),
        ("pypi:Zope.Interface", "pypi:zope-interface"),
        ("pypi:typing_extensions", "pypi:typing-extensions"),
        ("azure:storage-blob", "pypi:azure-storage-blob"),
        ("azure:azure-core", "pypi:azure-core"),
        ("azure:Storage_Blob", "pypi:azure-storage-blob"),
        ("google:drive", "gcp:drive"),
        ("site:Handbook", "site:handbook"),
        ("aws:*", "aws:*"),
        ("site:v2.docs", "site:v2.docs"),
    ],
)
def test_every_accepted_spelling_has_one_canonical_form(written: str, means: str) -> None:
    library = Library.parse(written)
    assert str(library) == means
    assert Library.parse(str(library)) == library


@pytest.mark.parametrize(
    "written",
    [
        *("", "s3", ":", "aws:", "aws:-x", "aws:x-", "pypi:a b", "npm:zod", "pypi:a/../b"),
        *('pypi:"', "pypi:名", "pypi:a\x00", "a=b", "@nasa", "grammar::fa", "health.base", "x" * 10_000),
    ],
)
def test_what_is_no_library_says_what_one_looks_like(written: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        Library.parse(written)
    assert all(f"{one}:" in raised.value.suggestion for one in ECOSYSTEMS)
    assert raised.value.details["value"] == written


@given(st.text(max_size=40))
def test_parsing_any_text_gives_a_library_or_invalid_input(text: str) -> None:
    try:
        library = Library.parse(text)
    except InvalidInput:
        return
    assert library.ecosystem in ECOSYSTEMS
    assert Library.parse(str(library)) == library


@given(st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,10}[A-Za-z0-9])?", fullmatch=True))
def test_package_names_are_normal_after_normalising(name: str) -> None:
    normal = normal_package(name)
    assert normal_package(normal) == normal
    assert Library.parse(f"pypi:{name}") == Library("pypi", normal)


KNOWN = [Library("aws", "s3"), Library("pypi", "httpx"), Library("gcp", "storage"), Library("site", "storage")]


@pytest.mark.parametrize(
    ("asked", "means"),
    [("s3", "aws:s3"), (" HTTPX ", "pypi:httpx"), ("aws:dynamodb", "aws:dynamodb"), ("google:storage", "gcp:storage")],
)
def test_a_name_resolves_to_one_library(asked: str, means: str) -> None:
    assert str(resolve_library(asked, KNOWN)) == means


def test_a_bare_package_name_may_be_written_with_underscores() -> None:
    assert resolve_library("Storage_Blob", [Library("pypi", "storage-blob")]).name == "storage-blob"


def test_a_bare_name_of_several_libraries_is_ambiguous() -> None:
    with pytest.raises(Ambiguous, match=r"gcp:storage, site:storage") as raised:
        resolve_library("storage", [*KNOWN, *KNOWN])
    assert "gcp:storage" in raised.value.suggestion


@pytest.mark.parametrize("asked", ["", "zod", "@nasa", '"', "s 3", "健康", "x" * 10_000, "\x00"])
def test_an_unknown_bare_name_names_what_is_indexed(asked: str) -> None:
    with pytest.raises(LibraryNotIndexed) as raised:
        resolve_library(asked, KNOWN)
    assert raised.value.details["indexed"] == ["aws:s3", "gcp:storage", "pypi:httpx", "site:storage"]
    assert "refdesk add pypi:" in raised.value.suggestion


@given(st.text(max_size=30), st.permutations(KNOWN))
def test_resolving_does_not_depend_on_the_order_of_what_is_known(asked: str, known: list[Library]) -> None:
    def answer(libraries: list[Library]) -> str:
        try:
            return str(resolve_library(asked, libraries))
        except RefdeskError as error:
            return f"{error.code} {error.details}"

    assert answer(known) == answer(KNOWN)
