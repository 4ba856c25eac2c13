"""What every catalog must do."""

from dataclasses import replace

import pytest

from fakes.clock import NOON
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Published, Release, Updated
from refdesk.ports.catalog import Catalog

DRAWER = Library("aws", "drawer")
HTTP = Library("pypi", "http-thing")


def published(release: Release, pack: str = "") -> Published:
    return Published(
        release=release,
        pack=pack or f"{release.version}.pack",
        format=1,
        origin=Origin("clouds", "1.34.0", "clouds.whl", "ab" * 32, verified=True, url="https://clouds.example"),
        updated=Updated(NOON, "registry"),
        indexed_at=NOON,
        counts={"symbols": 2, "pages": 0, "chunks": 3},
    )


OLD = published(Release(DRAWER, "2006-03-01", Carrier("clouds", "1.9.0")), "old.pack")
NEW = published(Release(DRAWER, "2006-03-01", Carrier("clouds", "1.34.0")), "new.pack")
ONE_AXIS = published(Release(HTTP, "0.27.2"), "http.pack")


class CatalogContract:
    """A test class of an implementation inherits this and overrides `catalog`."""

    @pytest.fixture
    def catalog(self) -> Catalog:
        raise NotImplementedError

    def test_an_empty_catalog_answers_with_nothing(self, catalog: Catalog) -> None:
        assert list(catalog.published()) == []
        assert list(catalog.published(DRAWER)) == []
        assert list(catalog.rank_packs(["a"], 5)) == []
        assert catalog.withdraw(OLD.release) is None
        assert catalog.generation() == 0

    def test_published_releases_come_back_whole_sorted_by_library_and_key(self, catalog: Catalog) -> None:
        for one in (ONE_AXIS, OLD, NEW):
            assert catalog.publish(one, {}) is None
        assert list(catalog.published()) == [NEW, OLD, ONE_AXIS]
        assert list(catalog.published(DRAWER)) == [NEW, OLD]
        assert list(catalog.published(Library("pypi", "drawer"))) == []

    def test_publishing_again_replaces_and_returns_the_earlier_pack(self, catalog: Catalog) -> None:
        again = replace(OLD, pack="again.pack")
        catalog.publish(OLD, {"bucket": 1})
        assert catalog.publish(again, {"drawer": 1}) == OLD
        assert list(catalog.published()) == [again]
        assert list(catalog.rank_packs(["bucket"], 5)) == []
        assert list(catalog.rank_packs(["drawer"], 5)) == ["again.pack"]

    def test_withdrawing_returns_what_answered(self, catalog: Catalog) -> None:
        catalog.publish(OLD, {"bucket": 1})
        catalog.publish(NEW, {"bucket": 1})
        assert catalog.withdraw(OLD.release) == OLD
        assert catalog.withdraw(OLD.release) is None
        assert list(catalog.published()) == [NEW]
        assert list(catalog.rank_packs(["bucket"], 5)) == ["new.pack"]

    def test_the_generation_grows_with_every_change_and_only_then(self, catalog: Catalog) -> None:
        seen = [catalog.generation()]
        catalog.publish(OLD, {})
        seen.append(catalog.generation())
        catalog.publish(OLD, {})
        seen.append(catalog.generation())
        catalog.withdraw(OLD.release)
        seen.append(catalog.generation())
        assert seen == sorted(set(seen))
        catalog.withdraw(OLD.release)
        catalog.published()
        assert catalog.generation() == seen[-1]

    def test_rare_terms_choose_the_pack(self, catalog: Catalog) -> None:
        catalog.publish(OLD, {"get": 40, "bucket": 3})
        catalog.publish(NEW, {"get": 50})
        catalog.publish(ONE_AXIS, {"get": 60})
        assert list(catalog.rank_packs(["get", "bucket"], 3)) == ["old.pack", "http.pack", "new.pack"]
        assert list(catalog.rank_packs(["bucket", "bucket", "zzz"], 3)) == ["old.pack"]

    def test_more_chunks_with_a_term_fit_better_and_ties_go_by_name(self, catalog: Catalog) -> None:
        catalog.publish(OLD, {"bucket": 2})
        catalog.publish(NEW, {"bucket": 2})
        catalog.publish(ONE_AXIS, {"bucket": 9})
        assert list(catalog.rank_packs(["bucket"], 9)) == ["http.pack", "new.pack", "old.pack"]

    @pytest.mark.parametrize(("limit", "count"), [(0, 0), (-1, 0), (1, 1), (10**6, 2)])
    def test_no_more_packs_than_asked_for(self, catalog: Catalog, limit: int, count: int) -> None:
        catalog.publish(OLD, {"bucket": 1})
        catalog.publish(NEW, {"bucket": 1})
        assert len(catalog.rank_packs(["bucket"], limit)) == count

    def test_terms_are_never_taken_for_syntax(self, catalog: Catalog) -> None:
        catalog.publish(OLD, {"bucket": 1})
        assert list(catalog.rank_packs(["' OR 1=1 --", '"', "\0", "%", ""], 5)) == []
