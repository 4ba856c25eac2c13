"""Searching a release, a library or all; what answers depends on the releases asked for and nothing else."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.embedder import HashingEmbedder
from fakes.index import Index, entries, parcel, sample, symbol
from fakes.vectors import MemoryVectorCache
from refdesk.domain.entries import Page
from refdesk.domain.errors import ExtraMissing, InvalidInput, LibraryNotIndexed, VersionNotIndexed
from refdesk.ports.progress import silent
from refdesk.services.embedding import Embedding
from refdesk.services.searching import FAN_OUT, Ask, Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def ids(found: Found) -> list[str]:
    return [packed.ranked.chunk.id for packed in found.hits]


def test_a_name_is_found_first_in_any_spelling() -> None:
    found = sample().searching.search(Ask("keep_parcel", library="aws:depot"))
    assert ids(found)[0].startswith("api/KeepParcel")
    assert [one.published.release.key for one in found.searched] == ["aws:depot@2020-01-01+1.44.0"]


def test_without_a_library_the_default_release_of_each_is_searched() -> None:
    found = sample().searching.search(Ask("how do I keep parcels"))
    assert [one.published.release.key for one in found.searched] == [
        "aws:depot@2020-01-01+1.44.0",
        "pypi:parcel@2.0.0",
    ]
    assert (found.left_out, found.vectors) == (0, "off")


def test_filters_and_limit_hold() -> None:
    search = sample().searching.search
    assert len(search(Ask("parcel", library="parcel", limit=1)).hits) == 1
    howto = search(Ask("carts and parcels", library="parcel", content_type="howto", limit=20))
    assert {packed.ranked.chunk.content_type for packed in howto.hits} == {"howto"}
    about = search(Ask("url", library="parcel", api="parcel.Client", limit=20))
    assert about.hits
    assert all(packed.ranked.chunk.symbol.startswith("parcel.Client") for packed in about.hits)


@pytest.mark.parametrize("version", ["", "1.0.0"])
def test_what_else_is_indexed_changes_neither_hits_nor_scores(version: str) -> None:
    alone = Index()
    alone.add("pypi:parcel@1.0.0", parcel())
    among = sample() if version else Index()
    if not version:
        among.add("pypi:parcel@1.0.0", parcel())
    for number in range(12):
        among.add(f"pypi:other{number}@1", entries([symbol("other.install", doc="Install parcels on carts.")]))
    ask = Ask("install parcels", library="parcel", version=version, limit=20)
    one, other = alone.searching.search(ask), among.searching.search(ask)
    assert [(packed.ranked.chunk.id, packed.ranked.score) for packed in one.hits] == [
        (packed.ranked.chunk.id, packed.ranked.score) for packed in other.hits
    ]


def test_of_many_libraries_those_whose_cards_fit_are_searched() -> None:
    index = Index()
    for number in range(FAN_OUT + 5):
        index.add(f"pypi:lib{number:02}@1", entries([symbol(f"lib{number:02}.wheel{number:02}")]))
    found = index.searching.search(Ask("wheel14"))
    assert found.left_out == 5
    assert ids(found)[0].startswith("api/lib14.wheel14")


def test_a_question_that_no_card_knows_is_still_searched_and_says_what_was_left_out() -> None:
    index = Index()
    for number in range(FAN_OUT + 2):
        page = Page("a.md", "T", "# T\n\nA sentence about zebras.\n", "concept")
        index.add(f"site:s{number:02}@1", entries(pages=[page]))
    found = index.searching.search(Ask("zebras"))
    assert (len(found.searched), found.left_out) == (FAN_OUT, 2)
    assert found.hits


@pytest.mark.parametrize("query", ["", "   ", '"', "*", "\x00", "()", "…"])
def test_a_question_without_words_is_refused(query: str) -> None:
    with pytest.raises(InvalidInput):
        sample().searching.search(Ask(query))


@pytest.mark.parametrize(
    "query",
    [
        '"parcel',
        "AND",
        "NEAR(a b",
        "parcel*",
        "a=b",
        "上传文件",
        "parcel\x00cart",
        "word " * 2_000,
        "--flag",
        "\ud800 x",
    ],
)
def test_no_text_is_a_syntax(query: str) -> None:
    sample().searching.search(Ask(query))


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=200))
def test_any_text_is_searched_or_refused(query: str) -> None:
    try:
        sample().searching.search(Ask(query, library="parcel"))
    except InvalidInput:
        return


def test_the_users_own_words_count_beside_the_question_or_alone() -> None:
    index = Index()
    index.add("site:s@1", entries(pages=[Page("a.md", "上传文件", "# 上传文件\n\n步骤。\n", "howto")]))
    assert ids(index.searching.search(Ask("send it", words="上传文件")))
    assert ids(index.searching.search(Ask("", words="上传文件")))


def test_an_empty_index_finds_nothing_and_searched_nothing() -> None:
    found = Index().searching.search(Ask("anything"))
    assert (list(found.searched), list(found.hits)) == ([], [])


@pytest.mark.parametrize(
    ("library", "version", "error"), [("pypi:parcel", "7", VersionNotIndexed), ("pypi:nothing", "", LibraryNotIndexed)]
)
def test_a_release_that_is_not_indexed_is_never_substituted(library: str, version: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        sample().searching.search(Ask("parcel", library=library, version=version))


class BrokenEmbedder(HashingEmbedder):
    def embed_query(self, text: str) -> "NDArray[np.float32]":
        raise ExtraMissing(f"No model for {text!r}.", "pip install refdesk[vectors]")


def test_vectors_say_whether_they_took_part() -> None:
    embedder = HashingEmbedder()
    index = Index(embedder)
    published = index.add("pypi:parcel@1.0.0", parcel())
    ask = Ask("how can I send several parcels", library="parcel")
    assert index.searching.search(ask).vectors == "building"
    Embedding(index.packs, MemoryVectorCache(), embedder).complete(published, silent)
    assert index.searching.search(ask).vectors == "used"
    assert index.searching.search(Ask("上传文件", library="parcel")).vectors == "language"
    broken = Index(BrokenEmbedder())
    broken.add("pypi:parcel@1.0.0", parcel())
    found = broken.searching.search(ask)
    assert found.vectors == "failed"
    assert found.hits
