"""Refreshing asks as it was asked before, and tells page by page what changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from fakes.catalog import MemoryCatalog
from fakes.clock import NOON, FixedClock
from fakes.documents import MemorySites
from fakes.packs import MemoryPacks
from refdesk.domain.entries import Entries, Page, SourceFiles
from refdesk.domain.errors import InvalidInput, NetworkUnavailable, SourceRejected, VersionNotIndexed
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.progress import Progress, Step, silent
from refdesk.ports.sites import SiteChanges
from refdesk.ports.sources import Discovery
from refdesk.services.indexing import Indexing
from refdesk.services.refreshing import Refreshed, Refreshing
from refdesk.services.shelf import Shelf

CART = Library("site", "cart")
URL = "https://cart.example/"


@dataclass
class Place:
    """A source of `site:` that serves its pages as they are now, under the version that is stated now."""

    pages: dict[str, str]
    version: str = "1"
    stated_by: str = "label"
    place: str = "/docs"
    down: bool = False
    asked: list[Spec] = field(default_factory=list)
    ecosystem: str = "site"

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        progress(Step("resolve", str(spec)))
        self.asked.append(spec)
        if self.down:
            raise NetworkUnavailable("Nobody answers.", "Try again.")
        if not spec.version and not self.version:
            raise InvalidInput("It states no version.", "Name it.")
        release = Release(spec.library, spec.version or self.version)
        return [Discovery(release, lambda _progress: self._read(release))]

    def _read(self, release: Release) -> SourceFiles:
        content = {path: text.encode() for path, text in self.pages.items()}
        digest = repr(sorted(self.pages.items())).encode().hex().ljust(64, "0")
        origin = Origin(
            self.place, release.version, "", digest, verified=False, version_from=self.stated_by, documents="pypi:cart"
        )
        return SourceFiles(release, "markdown", content, origin, Updated(NOON, "indexed"))


def ingest(source: SourceFiles) -> Entries:
    return Entries(pages=[Page(path, path, data.decode(), "concept") for path, data in source.files.items()])


class Bench:
    def __init__(self, place: Place) -> None:
        self.place = place
        self.catalog, self.packs, self.sites = MemoryCatalog(), MemoryPacks(), MemorySites()
        self.indexing = Indexing({"site": place}, ingest, self.catalog, self.packs, FixedClock(), None, self.sites)
        self.shelf = Shelf(self.catalog, self.packs)

    def add(self, version: str = "") -> None:
        (added,) = self.indexing.add([Spec(CART, version, path="/docs")], silent)
        assert added.error is None
        self.place.asked.clear()

    def refresh(self, version: str = "") -> Sequence[Refreshed]:
        return Refreshing(self.shelf, self.indexing, self.sites).refresh("site:cart", version, silent)


def test_a_folder_is_read_again_and_its_pages_are_compared() -> None:
    bench = Bench(Place({"a": "one", "b": "two", "c": "three"}))
    bench.add("1")
    (same,) = bench.refresh()
    assert same.added is not None
    assert (same.added.outcome, same.changes) == ("already", SiteChanges(unchanged=3))
    bench.place.pages = {"a": "one", "b": "other", "d": "new"}
    (found,) = bench.refresh()
    assert found.added is not None
    assert found.added.outcome == "rebuilt"
    assert found.changes == SiteChanges(added=("d",), changed=("b",), removed=("c",), unchanged=1)
    assert found.changes.pages == 3


@pytest.mark.parametrize(
    ("stated_by", "version", "options"),
    [
        pytest.param("label", "1", SiteOptions(documents="pypi:cart"), id="label-stays"),
        pytest.param("", "1", SiteOptions(documents="pypi:cart"), id="older-index"),
        pytest.param("options", "", SiteOptions(version_from="inventory", documents="pypi:cart"), id="inventory"),
        pytest.param("title", "", SiteOptions(version_from="title", documents="pypi:cart"), id="title"),
        pytest.param("file", "", SiteOptions(documents="pypi:cart"), id="file"),
    ],
)
def test_a_folder_is_asked_for_as_it_was(stated_by: str, version: str, options: SiteOptions) -> None:
    bench = Bench(Place({"a": "one"}, stated_by=stated_by))
    bench.add()
    bench.refresh()
    assert bench.place.asked == [Spec(CART, version, path="/docs", site=options)]


def test_a_site_that_states_another_version_is_added_beside() -> None:
    bench = Bench(Place({"a": "one"}, stated_by="title"))
    bench.add()
    bench.place.version = "2"
    (found,) = bench.refresh()
    assert found.added is not None
    assert found.added.published is not None
    assert (found.before.release.version, found.added.published.release.version) == ("1", "2")
    assert found.changes == SiteChanges(added=("a",))
    assert len(bench.catalog.published()) == 2
    # Both are asked for in the same way now: once is enough.
    assert len(bench.refresh()) == 1


def test_one_version_or_all_are_refreshed() -> None:
    bench = Bench(Place({"a": "one"}))
    bench.add("1")
    bench.add("2")
    assert [one.before.release.version for one in bench.refresh()] == ["2", "1"]
    assert [one.before.release.version for one in bench.refresh("1")] == ["1"]
    with pytest.raises(VersionNotIndexed):
        bench.refresh("3")


def test_a_fetched_site_is_asked_for_as_it_is_remembered() -> None:
    bench = Bench(Place({"a": "one"}, place=URL))
    bench.add("1")
    (lost,) = bench.refresh()
    assert lost.error is not None
    assert lost.error.suggestion == f"Add it again: refdesk add site:cart@1 --url {URL}"
    spec = Spec(CART, "1", site=SiteOptions(URL, scope="host", max_pages=9))
    bench.sites.specs["site:cart@1"] = spec
    changes = SiteChanges(changed=(f"{URL}a",), failed={f"{URL}b": "timed out"}, unchanged=4)
    bench.sites.found["site:cart@1"] = changes
    (found,) = bench.refresh()
    assert (bench.place.asked, found.changes) == ([spec], changes)
    bench.sites.found.clear()
    (found,) = bench.refresh()
    assert found.changes == SiteChanges(unchanged=1)


def test_a_site_that_does_not_answer_is_told_and_stays() -> None:
    bench = Bench(Place({"a": "one"}))
    bench.add("1")
    bench.place.down = True
    (found,) = bench.refresh()
    assert found.added is not None
    assert (found.added.outcome, found.changes) == ("failed", None)
    assert len(bench.catalog.published()) == 1


def test_a_site_that_states_no_version_any_more_is_told_of_and_stays() -> None:
    bench = Bench(Place({"a": "one"}, stated_by="title"))
    bench.add()
    bench.place.version = ""
    (found,) = bench.refresh()
    assert found.added is not None
    assert isinstance(found.added.error, SourceRejected)
    assert found.added.error.message.startswith("site:cart 1 is kept as it was")
    assert "refdesk extract /docs" in found.added.error.suggestion
    assert len(bench.catalog.published()) == 1


def test_a_lost_pack_is_built_again() -> None:
    bench = Bench(Place({"a": "one"}))
    bench.add("1")
    for one in bench.catalog.published():
        bench.packs.remove(one.pack)
    (found,) = bench.refresh()
    assert found.changes == SiteChanges(added=("a",))


def test_a_pack_that_is_lost_meanwhile_has_no_pages_to_name() -> None:
    bench = Bench(Place({"a": "one"}))
    bench.add("1")
    publish = bench.catalog.publish

    def lose(*arguments: object) -> object:
        published = publish(*arguments)  # type: ignore[arg-type]  # whatever indexing hands on
        bench.packs.remove(bench.catalog.published()[0].pack)
        return published

    bench.catalog.publish = lose  # type: ignore[assignment,method-assign]  # another process that removes it
    bench.place.pages = {"a": "two"}
    (found,) = bench.refresh()
    assert found.changes == SiteChanges()


def test_releases_of_packages_never_change() -> None:
    bench = Bench(Place({"a": "one"}))
    release = Release(Library("pypi", "cart"), "1")
    bench.add("1")
    published = bench.catalog.published()[0]
    bench.catalog.publish(replace(published, release=release), {})
    with pytest.raises(InvalidInput, match="never change") as caught:
        Refreshing(bench.shelf, bench.indexing, bench.sites).refresh("pypi:cart", "", silent)
    assert "refdesk add pypi:cart@VERSION" in caught.value.suggestion
