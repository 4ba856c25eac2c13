"""One way in: discover, read, ingest, write beside, publish; what answered before goes on answering."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from fakes.catalog import MemoryCatalog
from fakes.clock import FixedClock
from fakes.embedder import HashingEmbedder
from fakes.index import entries, release_of, symbol
from fakes.packs import MemoryPacks
from fakes.sources import MemorySource
from fakes.vectors import MemoryVectorCache
from refdesk.domain.entries import Chunk, Entries, Problem, SourceFiles
from refdesk.domain.errors import Cancelled, NetworkUnavailable, SourceRejected, StorageFull
from refdesk.domain.releases import Origin, Updated
from refdesk.domain.specs import Spec, parse_specs
from refdesk.ports.progress import Progress, Step, silent
from refdesk.ports.sources import Discovery, Source
from refdesk.retrieval.evidence import vectors_id
from refdesk.services.embedding import Embedding
from refdesk.services.indexing import Added, Indexing, card_of
from refdesk.services.searching import Ask, Searching
from refdesk.services.shelf import Shelf

AT = Updated(datetime(2026, 5, 4, tzinfo=UTC), "registry")


def files(key: str, content: bytes = b"def go(): ...", *, folder: bool = False) -> SourceFiles:
    release = release_of(key)
    name = "" if folder else f"{release.library.name}.whl"
    origin = Origin(
        release.library.name, release.package_version, name, content.hex()[:64].ljust(64, "0"), verified=True
    )
    return SourceFiles(release, "python", {"a.py": content}, origin, AT)


def made_of(source: SourceFiles) -> Entries:
    """One symbol, named by the content of the file; content that begins with `!` makes the parser fail."""
    content = source.files["a.py"]
    if content.startswith(b"!refuse"):
        raise SourceRejected("Broken JSON.", "Report it.")
    if content.startswith(b"!"):
        raise KeyError("unexpected")
    made = entries([symbol(f"{source.release.library.name}.go", doc=content.decode())])
    return replace(made, problems=(Problem("b.py", "left out: too large"),))


class BrokenSource:
    """A source with a defect."""

    ecosystem = "gcp"

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        progress(Step("resolve", str(spec)))
        raise ZeroDivisionError("defect")


@dataclass
class Bench:
    """An Indexing over fakes; `releases` may be exchanged between two calls."""

    releases: list[SourceFiles]
    vectors: bool = False
    catalog: MemoryCatalog = field(default_factory=MemoryCatalog)
    packs: MemoryPacks = field(default_factory=MemoryPacks)
    clock: FixedClock = field(default_factory=FixedClock)
    cache: MemoryVectorCache = field(default_factory=MemoryVectorCache)
    ingest: Callable[[SourceFiles], Entries] = made_of

    def indexing(self) -> Indexing:
        source = MemorySource("pypi", self.releases)
        sources: dict[str, Source] = {
            "pypi": source,
            "site": MemorySource("site", self.releases),
            "gcp": BrokenSource(),
        }
        embedding = Embedding(self.packs, self.cache, HashingEmbedder()) if self.vectors else None
        return Indexing(sources, self.ingest, self.catalog, self.packs, self.clock, embedding)

    def add(self, *words: str, progress: Progress = silent, vectors: bool = True) -> Sequence[Added]:
        return self.indexing().add(parse_specs(words), progress, vectors=vectors)

    def doc(self, library: str) -> str:
        chosen = Shelf(self.catalog, self.packs).choose(library, "")
        name = chosen.pack.entries.names()[0]
        return chosen.pack.entries.symbol(name).doc


BOX, CART = files("pypi:box@1.0"), files("pypi:cart@2.0")


def test_a_release_is_added_once_and_a_second_time_does_nothing_and_says_so() -> None:
    bench = Bench([BOX])
    (first,) = bench.add("pypi:box@1.0")
    (second,) = bench.add("pypi:box==1.0")
    assert (first.outcome, first.problems, first.vectors) == ("indexed", 1, "off")
    assert (second.outcome, second.problems) == ("already", 1)
    assert first.published == second.published
    assert first.published is not None
    assert dict(first.published.counts) == {"symbols": 1, "pages": 0, "chunks": 1, "problems": 1}


def test_the_date_that_the_entries_state_is_the_date_of_the_release() -> None:
    stated = Updated(datetime(2024, 5, 29, tzinfo=UTC), "changelog")
    bench = Bench([BOX], ingest=lambda source: replace(made_of(source), updated=stated))
    (added,) = bench.add("pypi:box@1.0")
    assert added.published is not None
    assert added.published.updated == stated
    assert bench.packs.open(added.published.pack).manifest.updated == stated


def test_one_failing_spec_stops_no_other() -> None:
    bench = Bench([BOX, CART])
    rows = bench.add("pypi:box@1.0", "pypi:nothing@1", "gcp:drive", "pypi:cart@2.0", "aws:s3")
    assert [(row.outcome, row.error.code if row.error else "") for row in rows] == [
        ("indexed", ""),
        ("failed", "not_found"),
        ("failed", "internal"),
        ("indexed", ""),
        ("failed", "invalid_input"),
    ]
    assert [str(one.release.library) for one in bench.catalog.published()] == ["pypi:box", "pypi:cart"]


def test_a_star_adds_every_release_that_the_source_finds() -> None:
    steps: list[Step] = []
    rows = Bench([BOX, CART]).add("pypi:*", progress=steps.append)
    assert [row.outcome for row in rows] == ["indexed", "indexed"]
    assert [(step.done, step.total) for step in steps if step.stage == "index"] == [(0, 2), (1, 2)]


@pytest.mark.parametrize(
    ("content", "code"), [(b"!crash", "internal"), (b"!refuse", "source_rejected")], ids=["crash", "refusal"]
)
def test_a_failed_build_leaves_the_old_release_answering(content: bytes, code: str) -> None:
    bench = Bench([files("site:book@main", folder=True)])
    bench.add("files:/x as site:book@main")
    bench.releases = [files("site:book@main", content, folder=True)]
    (row,) = bench.add("files:/x as site:book@main")
    assert row.error is not None
    assert (row.outcome, row.error.code) == ("failed", code)
    assert bench.doc("site:book") == "def go(): ..."


def test_a_crash_of_a_parser_names_the_release_and_asks_for_a_report() -> None:
    (row,) = Bench([files("pypi:box@1.0", b"!crash")]).add("pypi:box@1.0")
    assert row.error is not None
    assert row.error.message == "Indexing pypi:box 1.0 failed in refdesk itself: KeyError: 'unexpected'"
    assert "report" in row.error.suggestion


def test_a_folder_that_changed_is_read_again_under_its_label() -> None:
    bench = Bench([files("site:book@main", b"old", folder=True)])
    assert bench.add("files:/x as site:book@main")[0].outcome == "indexed"
    assert bench.add("files:/x as site:book@main")[0].outcome == "already"
    bench.releases = [files("site:book@main", b"new", folder=True)]
    assert bench.add("files:/x as site:book@main")[0].outcome == "rebuilt"
    assert bench.doc("site:book") == "new"


@dataclass
class AgedPacks(MemoryPacks):
    """Packs that say that they were made by an older refdesk, or cannot be opened at all."""

    aged: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        MemoryPacks.__init__(self)

    def age(self, pack: str, **manifest: object) -> None:
        opened = self.open(pack)
        object.__setattr__(opened, "manifest", replace(opened.manifest, **manifest))  # type: ignore[arg-type]


@pytest.mark.parametrize("aged", [{"tokeniser": "refdesk-0"}, {"format": 0}], ids=["tokeniser", "format"])
def test_a_pack_of_an_older_refdesk_is_rebuilt(aged: dict[str, object]) -> None:
    bench = Bench([BOX], packs=AgedPacks())
    (first,) = bench.add("pypi:box@1.0")
    assert first.published is not None
    assert isinstance(bench.packs, AgedPacks)
    bench.packs.age(first.published.pack, **aged)
    bench.clock.advance(60)
    (second,) = bench.add("pypi:box@1.0")
    assert second.outcome == "rebuilt"
    assert second.published is not None
    assert second.published.pack != first.published.pack
    assert list(bench.packs.clean([])) == [second.published.pack]


def test_a_lost_pack_is_rebuilt() -> None:
    bench = Bench([BOX])
    (first,) = bench.add("pypi:box@1.0")
    assert first.published is not None
    bench.packs.remove(first.published.pack)
    assert bench.add("pypi:box@1.0")[0].outcome == "rebuilt"
    assert bench.doc("pypi:box") == "def go(): ..."


def test_what_an_interrupted_build_left_behind_is_cleaned_by_the_next_add() -> None:
    bench = Bench([BOX, CART])
    (row,) = bench.add("pypi:cart@2.0")
    assert row.published is not None
    bench.catalog.withdraw(row.published.release)
    bench.add("pypi:box@1.0")
    assert [one.pack for one in bench.catalog.published()] == list(bench.packs.clean([]))


def test_text_is_searchable_before_vectors_are_made() -> None:
    bench = Bench([BOX, CART], vectors=True)
    seen: list[tuple[str, int]] = []

    def watch(step: Step) -> None:
        if step.stage == "embed":
            found = Searching(Shelf(bench.catalog, bench.packs), bench.catalog, None).search(Ask("go"))
            seen.append((step.subject, len(found.searched)))

    rows = bench.add("pypi:box@1.0", "pypi:cart@2.0", "pypi:nothing", progress=watch)
    assert [row.vectors for row in rows] == ["ready", "ready", "off"]
    assert {count for _, count in seen} == {2}


def test_vectors_that_are_missing_are_made_by_the_next_add() -> None:
    bench = Bench([BOX], vectors=True)
    (first,) = bench.add("pypi:box@1.0", vectors=False)
    (second,) = bench.add("pypi:box@1.0")
    assert (first.vectors, second.outcome, second.vectors) == ("off", "already", "ready")
    assert second.published is not None
    assert bench.packs.open(second.published.pack).text.vectors(vectors_id(HashingEmbedder().id)) is not None


class FullCache(MemoryVectorCache):
    def put(self, embedder: str, vectors: object) -> None:
        raise StorageFull("No space left.", f"Make room: {embedder} wants to keep {vectors}.")


def test_vectors_that_fail_leave_the_text_searchable_and_are_told() -> None:
    bench = Bench([BOX], vectors=True, cache=FullCache())
    (row,) = bench.add("pypi:box@1.0")
    assert row.error is not None
    assert (row.outcome, row.vectors, row.error.code) == ("indexed", "failed", "storage_full")
    assert bench.doc("pypi:box") == "def go(): ..."


@pytest.mark.parametrize("stage", ["resolve", "read", "embed"])
def test_a_cancelled_call_ends_at_once_and_keeps_what_was_finished(stage: str) -> None:
    bench = Bench([BOX, CART], vectors=True)
    bench.add("pypi:box@1.0", vectors=False)

    def stop(step: Step) -> None:
        if step.stage == stage and "cart" in step.subject:
            raise Cancelled("The caller went away.")

    with pytest.raises(Cancelled):
        bench.add("pypi:box@1.0", "pypi:cart@2.0", progress=stop)
    assert bench.doc("pypi:box") == "def go(): ..."
    assert bench.add("pypi:cart@2.0")[0].error is None


def test_a_cancelled_discovery_ends_the_call() -> None:
    def stop(step: Step) -> None:
        if step.stage == "resolve" and not step.unit:
            raise Cancelled("The caller went away.")

    with pytest.raises(Cancelled):
        Bench([BOX]).add("pypi:box@1.0", progress=stop)


def test_no_network_is_told_as_such() -> None:
    def offline(_step: Step) -> None:
        raise NetworkUnavailable("The registry cannot be asked.")

    bench = Bench([BOX])
    source = bench.indexing()
    rows = source.add(parse_specs(["pypi:box@1.0"]), lambda step: offline(step) if not step.unit else None)
    assert [row.error.code for row in rows if row.error] == ["network_unavailable"]


def test_progress_names_every_stage() -> None:
    steps: list[Step] = []
    Bench([BOX], vectors=True).add("pypi:box@1.0", progress=steps.append)
    assert list(dict.fromkeys(step.stage for step in steps)) == ["resolve", "read", "store", "embed"]


def test_a_removed_release_no_longer_answers_and_its_pack_is_gone() -> None:
    bench = Bench([BOX, CART])
    bench.add("pypi:box@1.0", "pypi:cart@2.0")
    gone = [one for one in bench.catalog.published() if one.release.library.name == "box"]
    assert bench.indexing().remove(gone) == [BOX.release]
    assert bench.indexing().remove(gone) == []
    assert [one.pack for one in bench.catalog.published()] == list(bench.packs.clean([]))


def test_a_card_counts_the_chunks_that_have_a_term_in_their_name_or_title() -> None:
    chunks = [
        Chunk("a", "Upload files", "Text that does not count.", "howto"),
        Chunk("b", "upload_file", "", "api_reference", names=("upload_file",)),
    ]
    card = card_of(chunks)
    assert (card["upload"], card["file"], card["upload_file"], card.get("count")) == (2, 2, 1, None)
