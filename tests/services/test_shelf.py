"""Which indexed release answers a request."""

import pytest

from fakes.index import Index, depot, entries, parcel, sample, symbol
from refdesk.domain.errors import Ambiguous, LibraryNotIndexed, PackUnreadable, VersionNotIndexed
from refdesk.domain.releases import Published
from refdesk.services.shelf import Shelf, respell


@pytest.mark.parametrize(
    ("library", "version", "key", "rule"),
    [
        ("pypi:parcel", "", "pypi:parcel@2.0.0", "newest_stable"),
        ("parcel", "1.0", "pypi:parcel@1.0.0", "exact"),
        ("pypi:parcel", "parcel==1.0.0", "pypi:parcel@1.0.0", "exact"),
        ("aws:depot", "1.34.0", "aws:depot@2020-01-01+1.34.0", "carrier"),
        ("aws:depot", "2020-01-01", "aws:depot@2020-01-01+1.44.0", "api_version"),
        ("aws:depot", "2020-01-01+1.34.0", "aws:depot@2020-01-01+1.34.0", "exact"),
    ],
)
def test_a_version_chooses_the_release_that_it_means(library: str, version: str, key: str, rule: str) -> None:
    chosen = sample().shelf.choose(library, version)
    assert (chosen.published.release.key, chosen.rule, chosen.others) == (key, rule, 1)
    assert chosen.for_caller == (not version)


def test_a_version_that_is_not_indexed_is_never_substituted() -> None:
    with pytest.raises(VersionNotIndexed) as caught:
        sample().shelf.choose("pypi:parcel", "1.5.0")
    assert caught.value.details["nearest"] == ["pypi:parcel@1.0.0", "pypi:parcel@2.0.0"]
    assert "refdesk add pypi:parcel@1.5.0" in caught.value.suggestion


def test_a_library_that_is_not_indexed_says_nothing_of_its_existence() -> None:
    with pytest.raises(LibraryNotIndexed) as caught:
        sample().shelf.choose("pypi:nothing", "")
    assert "nothing of whether it exists" in caught.value.message
    assert caught.value.details["indexed"] == ["aws:depot", "pypi:parcel"]


def test_a_bare_name_of_two_ecosystems_is_ambiguous() -> None:
    index = sample()
    index.add("site:parcel@1", entries([symbol("x")]))
    with pytest.raises(Ambiguous):
        index.shelf.choose("parcel", "")


def test_the_list_of_releases_is_read_again_after_a_change_of_another_process() -> None:
    index = sample()
    assert len(index.shelf.releases(index.shelf.library("parcel"))) == 2
    index.add("pypi:parcel@3.0.0", parcel())
    assert index.shelf.choose("parcel", "").published.release.version == "3.0.0"
    assert [one.release.key for one in index.shelf.defaults()] == [
        "aws:depot@2020-01-01+1.44.0",
        "pypi:parcel@3.0.0",
    ]


def test_a_lost_pack_names_the_call_that_builds_it_again() -> None:
    index = sample()
    index.damage("aws:depot@2020-01-01+1.44.0")
    with pytest.raises(PackUnreadable) as caught:
        index.shelf.choose("aws:depot", "")
    assert caught.value.suggestion == "Build it again: refdesk add aws:depot@2020-01-01 --via botocore==1.44.0"
    assert index.shelf.choose("aws:depot", "1.34.0").published.release.package_version == "1.34.0"


def test_a_pack_that_was_replaced_while_it_was_chosen_is_opened_in_its_new_form() -> None:
    index = sample()
    old = next(iter(index.shelf.published()))
    index.clock.advance(60)
    index.add(old.release.key, depot(newer=True))
    index.packs.remove(old.pack)
    assert index.shelf.open(old).manifest.release == old.release


def published(key: str, folder: str = "") -> Published:
    made = Index().add(key, entries())
    if not folder:
        return made
    from dataclasses import replace

    return replace(made, origin=replace(made.origin, package=folder, filename=""))


def test_a_release_is_spelt_as_add_takes_it() -> None:
    assert respell(published("pypi:box@1.0")) == "pypi:box@1.0"
    assert respell(published("gcp:drive@v3+2.0.0")) == "gcp:drive@v3 --via google-api-python-client==2.0.0"
    assert respell(published("site:book@main", "/docs")) == "site:book@main --path /docs"


def test_an_empty_shelf_has_nothing_to_choose_from() -> None:
    index = Index()
    shelf = Shelf(index.catalog, index.packs)
    assert (list(shelf.published()), list(shelf.defaults())) == ([], [])
    with pytest.raises(LibraryNotIndexed):
        shelf.choose("aws:depot", "")
