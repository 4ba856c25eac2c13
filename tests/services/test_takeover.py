"""Pages that did not change are taken over from the earlier pack, exactly as converting would make them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from fakes.catalog import MemoryCatalog
from fakes.clock import NOON, FixedClock
from fakes.documents import MemorySites
from fakes.packs import MemoryPacks
from fakes.sources import MemorySource
from refdesk.domain.entries import (
    Counts,
    Entries,
    Fidelity,
    Page,
    PageEntries,
    Problem,
    ProblemCause,
    Relation,
    SourceFiles,
)
from refdesk.domain.errors import PackUnreadable
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.domain.symbols import Place, Symbol
from refdesk.ports.packs import Pack
from refdesk.ports.progress import Progress, Step, silent
from refdesk.services.indexing import Indexing
from refdesk.services.shelf import Shelf
from refdesk.services.takeover import Takeover
from refdesk.services.watched import WatchedFiles

RELEASE = Release(Library("site", "cart"), "1")
URL = "https://cart.example/"
MAKER = "html-1+abc"


def made(name: str, text: str, *problems: Problem) -> PageEntries:
    """A page that defines one symbol of its own name."""
    symbol = Symbol(f"cart.{name}", "function", (f"cart.{name}",), text, place=Place(name, 0, f"{URL}{name}#x"))
    return PageEntries(
        Page(name, name, f"# {name}\n\n{text}\n", "api_reference", f"{URL}{name}"),
        Fidelity(name, text, MAKER, "sphinx", Counts(words=2), Counts(words=2)),
        (symbol,),
        (Relation(name, "defines", symbol.name),),
        problems,
    )


@dataclass
class Site:
    """A site whose pages are converted by `made`; `converted` names those that were not taken over."""

    pages: dict[str, PageEntries]
    url: str = URL
    format: str = "site"
    converted: list[str] = field(default_factory=list)
    catalog: MemoryCatalog = field(default_factory=MemoryCatalog)
    packs: MemoryPacks = field(default_factory=MemoryPacks)
    sites: MemorySites = field(default_factory=MemorySites)

    def files(self) -> SourceFiles:
        content = {name: one.fidelity.sha256.encode() for name, one in self.pages.items()}
        digest = "".join(sorted(f"{name}{data.decode()}" for name, data in content.items())).encode().hex()[:64]
        origin = Origin(self.url, "1", "", digest.ljust(64, "0"), verified=False, url=self.url)
        return SourceFiles(RELEASE, self.format, content, origin, Updated(NOON, "indexed"))

    def ingest(self, source: SourceFiles) -> Entries:
        self.converted.clear()
        all_made = [self._page(source, name) for name in source.files]
        return Entries(
            symbols=[symbol for one in all_made for symbol in one.symbols],
            pages=[one.page for one in all_made],
            relations=[relation for one in all_made for relation in one.relations],
            problems=[problem for one in all_made for problem in one.problems],
            fidelity=[one.fidelity for one in all_made],
        )

    def _page(self, source: SourceFiles, name: str) -> PageEntries:
        sha256 = source.files[name].decode()
        earlier = source.earlier(name, sha256, MAKER) if source.earlier else None
        if earlier is None:
            self.converted.append(name)
        return earlier or self.pages[name]

    def indexing(self) -> Indexing:
        source = MemorySource("site", [self.files()])
        return Indexing({"site": source}, self.ingest, self.catalog, self.packs, FixedClock(), None, self.sites)

    def add(self, progress: Progress = silent) -> str:
        (added,) = self.indexing().add([Spec(RELEASE.library, site=SiteOptions(self.url))], progress)
        assert added.error is None
        return added.outcome

    def pack(self) -> Pack:
        return Shelf(self.catalog, self.packs).choose("site:cart", "").pack


def site(**texts: str) -> Site:
    return Site({name: made(name, text) for name, text in texts.items()})


def held(pack: Pack) -> object:
    return (
        [pack.entries.page(one.path) for one in pack.entries.pages()],
        [pack.entries.symbol(name) for name in pack.entries.names()],
        list(pack.relations()),
        list(pack.fidelity()),
    )


def test_pages_with_the_same_bytes_are_taken_over_whole() -> None:
    cart = site(a="one", b="two", c="three")
    assert (cart.add(), cart.converted) == ("indexed", ["a", "b", "c"])
    cart.pages |= {"b": made("b", "changed"), "d": made("d", "new")}
    del cart.pages["c"]
    assert (cart.add(), cart.converted) == ("rebuilt", ["b", "d"])
    fresh = site(a="one", b="changed", d="new")
    fresh.add()
    assert held(cart.pack()) == held(fresh.pack())


def test_nothing_is_read_again_where_nothing_changed() -> None:
    cart = site(a="one")
    cart.add()
    pack = cart.pack()
    cart.converted = ["untouched"]
    assert (cart.add(), cart.converted) == ("already", ["untouched"])
    assert cart.pack() is pack


def test_another_maker_or_another_place_takes_nothing_over() -> None:
    cart = site(a="one", b="two")
    cart.add()
    takeover = Takeover(cart.pack())
    assert takeover("a", "one", "html-2") is None
    assert takeover("a", "other", MAKER) is None
    assert takeover("z", "one", MAKER) is None
    cart.url = "https://elsewhere.example/"
    cart.pages["b"] = made("b", "changed")
    assert (cart.add(), cart.converted) == ("rebuilt", ["a", "b"])


def test_an_earlier_pack_that_is_gone_is_nothing_to_take_from() -> None:
    cart = site(a="one")
    cart.add()
    for one in cart.catalog.published():
        cart.packs.remove(one.pack)
    assert (cart.add(), cart.converted) == ("rebuilt", ["a"])


@pytest.mark.parametrize(
    ("cause", "taken", "told"),
    [
        pytest.param("", True, True, id="of-the-page"),
        pytest.param("others", False, False, id="for-the-sake-of-others"),
        pytest.param("fetching", True, False, id="of-fetching"),
    ],
)
def test_the_cause_of_what_was_told_decides_whether_a_page_is_taken_over(
    cause: ProblemCause, taken: bool, told: bool
) -> None:
    cart = Site({"a": made("a", "one", Problem("a", "told", cause))})
    cart.add()
    found = Takeover(cart.pack())("a", "one", MAKER)
    assert (found is not None) == taken
    assert bool(found and found.problems) == told


def test_what_was_told_of_its_symbol_counts_as_told_of_the_page() -> None:
    cart = Site({"a": made("a", "one", Problem("cart.a", "link left out", "others"))})
    cart.add()
    assert Takeover(cart.pack())("a", "one", MAKER) is None


class BrokenPack:
    """A pack whose receipts are there and whose pages are damaged."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack

    def __getattr__(self, name: str) -> object:
        if name == "entries":
            raise PackUnreadable("Damaged.", "Add it again.")
        return getattr(self._pack, name)


def test_a_damaged_pack_gives_nothing_and_stops_nothing() -> None:
    cart = site(a="one", b="two")
    cart.add()
    takeover = Takeover(BrokenPack(cart.pack()))  # type: ignore[arg-type]  # a double that fails on purpose
    assert [takeover(name, text, MAKER) for name, text in (("a", "one"), ("b", "two"))] == [None, None]


def test_a_receipt_without_its_page_gives_nothing() -> None:
    cart = site(a="one")
    cart.ingest = lambda _source: Entries(fidelity=[made("a", "one").fidelity])  # type: ignore[assignment,method-assign]  # another parser
    cart.add()
    assert Takeover(cart.pack())("a", "one", MAKER) is None


def test_pages_without_receipts_are_not_looked_at() -> None:
    cart = site()
    cart.add()
    assert Takeover(cart.pack())("a", "one", MAKER) is None


def test_converting_is_reported_file_by_file() -> None:
    cart = site(**{f"p{number:02}": f"text {number}" for number in range(25)})
    steps: list[Step] = []
    cart.add(steps.append)
    assert [(one.done, one.total, one.unit) for one in steps if one.stage == "convert"] == [
        (10, 25, "files"),
        (20, 25, "files"),
        (25, 25, "files"),
    ]


def test_a_removed_site_is_forgotten() -> None:
    cart = site(a="one")
    cart.add()
    cart.sites.specs[RELEASE.key] = Spec(RELEASE.library)
    assert cart.indexing().remove(cart.catalog.published()) == [RELEASE]
    assert not cart.sites.specs


def test_watched_files_are_the_files() -> None:
    files: Mapping[str, bytes] = {"a": b"1", "b": b"2"}
    steps: list[Step] = []
    watched = WatchedFiles(files, "site:cart 1", steps.append)
    assert (dict(watched), len(watched), "a" in watched, "z" in watched) == (files, 2, True, False)
    assert watched["a"] == b"1"
    assert steps == [Step("convert", "site:cart 1", 2, 2, "files")]
    names: Sequence[str] = list(watched)
    assert names == ["a", "b"]
