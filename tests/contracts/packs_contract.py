"""What every folder of packs must do."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from fakes.clock import NOON
from refdesk.domain.entries import Chunk, Counts, Entries, Fidelity, Page, Problem, Relation
from refdesk.domain.errors import InternalError, PackUnreadable
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Release, Updated
from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import Deprecation, ErrorRef, Example, Param, Place, Returns, Symbol
from refdesk.domain.text import TOKENISER, tokens
from refdesk.ports.packs import PACK_FORMAT, Manifest, NameMatch, Pack, Packs, Summary, Vectors
from refdesk.ports.progress import Step, silent

RELEASE = Release(Library("aws", "drawer"), "2006-03-01", Carrier("clouds", "1.34.0"))


def manifest_of(release: Release = RELEASE) -> Manifest:
    return Manifest(
        format=PACK_FORMAT,
        release=release,
        origin=Origin(
            "clouds",
            "1.34.0",
            "clouds-1.34.0.whl",
            "ab" * 32,
            verified=True,
            url="https://clouds.example",
            version_from="inventory",
            documents="pypi:clouds",
        ),
        updated=Updated(NOON, "registry"),
        indexed_at=NOON,
        tokeniser=TOKENISER,
        files=("clouds/drawer.json",),
        counts={"symbols": 4, "pages": 2, "chunks": 4},
    )


PUT = Symbol(
    name="PutThing",
    kind="operation",
    names=("PutThing", "put_thing"),
    summary="Puts a thing into a drawer.",
    doc="Puts a thing into a drawer.\n\nThe drawer must be open.",
    signature="client.put_thing(**kwargs)",
    params=(
        Param(
            "Drawer",
            "string",
            required=True,
            default="'top'",
            enum=("top", "bottom"),
            limits={"min": 1, "pattern": "[a-z]+", "odd": [1.5, None, True, {"a": "b"}]},
            doc="Which drawer.",
            kind="path",
            shape="DrawerName",
            since="1.2",
            deprecation=Deprecation("flag", "1.3", "Chest", "Use Chest."),
        ),
    ),
    input_shape="PutThingRequest",
    returns=Returns("PutThingResult", "What was put.", "PutThingResult"),
    errors=(ErrorRef("DrawerFull", "No room."),),
    examples=(Example("client.put_thing(Drawer='top')\n", "python", "Put", "Puts one."),),
    since="1.0",
    place=Place("clouds/drawer.json", 12, "https://clouds.example/put"),
    members=("PutThing.Member",),
    open=True,
    attributes={"http": {"method": "PUT", "path": "/{Drawer}"}, "waiters": ["thing_exists"]},
)
CREATE = Symbol("drawer.things.create", "method", ("drawer.things.create",), "Creates a thing.")
OTHER_CREATE = Symbol("drawer.boxes.lids.create", "method", ("drawer.boxes.lids.create", "drawer.create"), "")
OLD = Symbol("putthing", "function", ("putthing",), "Old.", deprecation=Deprecation("prose"))
SHAPE = Shape(
    name="PutThingRequest",
    type="structure",
    label="PutThingRequest",
    doc="Asks to put.",
    members=(Member("Drawer", "DrawerName", "Which.", required=True, default="'top'", kind="path"),),
    enum=("a",),
    limits={"max": 3},
    deprecation=Deprecation("flag"),
)
GUIDE = Page("guide/install.md", "Install", "# Install\n\nRun it.", "howto", "https://clouds.example/install", "de")
README = Page("README.md", "Clouds", "# Clouds", "concept")
CHUNKS = (
    Chunk(
        id="api/PutThing",
        title="PutThing",
        text=PUT.doc,
        content_type="api_reference",
        heading=("Drawers", "Things"),
        names=("PutThing", "put_thing"),
        terms="Drawer which drawer",
        symbol="PutThing",
        url="https://clouds.example/put",
        languages=("python",),
        deprecated=True,
        facets=("Python 3.10+", "npm"),
        mentions=("drawer.things.create",),
        warning="It addresses an agent.",
    ),
    Chunk("api/PutThing#example", "PutThing: example", "client.put_thing()", "code_example", symbol="PutThing"),
    Chunk("page/README.md#0", "Clouds", "Clouds put things into drawers.", "concept", page="README.md"),
    Chunk("page/guide/install.md#0", "Install", "", "howto", page="guide/install.md", anchor="run"),
)
RECEIPTS = (
    Fidelity(
        "guide/install.md",
        "cd" * 32,
        "html-1+ab12",
        "sphinx",
        before=Counts(code=3, tables=1, panels=2, headings=4, words=120, links=9),
        after=Counts(code=3, tables=1, panels=2, headings=4, words=118, links=8),
        removed={"navigation": 40, "edit links": 2},
        undone=("repetition",),
    ),
    Fidelity("README.md", "ef" * 32, "html-1+ab12", "unknown", Counts(), Counts()),
)
ENTRIES = Entries(
    symbols=(PUT, CREATE, OTHER_CREATE, OLD),
    shapes={SHAPE.name: SHAPE, "DrawerName": Shape("DrawerName", "scalar", "string")},
    pages=(GUIDE, README),
    chunks=CHUNKS[::-1],
    relations=(Relation("PutThing", "raises", "DrawerFull"), Relation("README.md", "mentions", "PutThing")),
    problems=(Problem("clouds/broken.py", "not UTF-8"),),
    fidelity=RECEIPTS,
)


class PacksContract:
    """A test class of an implementation inherits this and overrides `packs`."""

    @pytest.fixture
    def packs(self) -> Packs:
        raise NotImplementedError

    @pytest.fixture
    def name(self, packs: Packs) -> str:
        with packs.building(RELEASE.key):
            return packs.write(manifest_of(), ENTRIES, silent)

    @pytest.fixture
    def pack(self, packs: Packs, name: str) -> Pack:
        return packs.open(name)

    def test_the_name_of_a_pack_tells_its_release_and_its_content(self, packs: Packs, name: str) -> None:
        assert name.startswith("aws-drawer@2006-03-01+1.34.0-")
        assert name.endswith(".pack")
        assert packs.write(manifest_of(), ENTRIES, silent) == name
        assert packs.write(manifest_of(), replace(ENTRIES, problems=()), silent) != name

    def test_writing_reports_progress_to_the_end(self, packs: Packs) -> None:
        steps: list[Step] = []
        packs.write(manifest_of(), ENTRIES, steps.append)
        assert steps[-1] == Step("store", RELEASE.label, 4, 4, "chunks")

    def test_a_manifest_of_another_format_is_a_defect_of_the_caller(self, packs: Packs) -> None:
        with pytest.raises(InternalError):
            packs.write(replace(manifest_of(), format=PACK_FORMAT + 1), ENTRIES, silent)

    def test_the_manifest_comes_back(self, pack: Pack) -> None:
        assert pack.manifest == manifest_of()

    def test_problems_come_back(self, pack: Pack) -> None:
        assert list(pack.problems()) == [Problem("clouds/broken.py", "not UTF-8")]

    def test_relations_come_back_in_order_of_their_sources(self, pack: Pack) -> None:
        assert list(pack.relations()) == list(ENTRIES.relations)

    def test_receipts_come_back_whole_in_order_of_their_paths(self, pack: Pack) -> None:
        assert list(pack.fidelity()) == list(RECEIPTS[::-1])

    def test_an_open_pack_is_shared(self, packs: Packs, pack: Pack, name: str) -> None:
        assert packs.open(name) is pack

    @pytest.mark.parametrize("symbol", ENTRIES.symbols, ids=lambda one: one.name)
    def test_symbols_come_back_whole(self, pack: Pack, symbol: Symbol) -> None:
        assert pack.entries.symbol(symbol.name) == symbol

    @pytest.mark.parametrize("other", ["put_thing", "PutThin", "", "zzz", "PUTTHING"])
    def test_no_symbol_answers_to_another_name_than_its_canonical_one(self, pack: Pack, other: str) -> None:
        with pytest.raises(KeyError):
            pack.entries.symbol(other)

    @pytest.mark.parametrize(
        ("asked", "matches"),
        [
            pytest.param("PutThing", [(0, "PutThing", "PutThing"), (2, "putthing", "putthing")], id="canonical"),
            pytest.param("put_thing", [(1, "put_thing", "PutThing"), (2, "putthing", "putthing")], id="other-name"),
            pytest.param("putthing", [(0, "putthing", "putthing"), (2, "PutThing", "PutThing")], id="case-decides"),
            pytest.param("Put-Thing", [(2, "PutThing", "PutThing"), (2, "putthing", "putthing")], id="folded"),
            pytest.param(" `put_thing()` ", [(1, "put_thing", "PutThing"), (2, "putthing", "putthing")], id="call"),
            pytest.param("drawer.things.create", [(0, "drawer.things.create", "drawer.things.create")], id="dotted"),
            pytest.param("things().create(x)", [(3, "drawer.things.create", "drawer.things.create")], id="chain"),
            pytest.param(
                "create",
                [
                    (3, "drawer.create", "drawer.boxes.lids.create"),
                    (4, "drawer.things.create", "drawer.things.create"),
                ],
                id="fewest-parts-left-out",
            ),
            pytest.param("lids.create", [(4, "drawer.boxes.lids.create", "drawer.boxes.lids.create")], id="tail"),
            pytest.param("drawer", [], id="a-head-is-no-tail"),
            pytest.param("PutThin", [], id="near-misses-are-no-matches"),
            pytest.param("", [], id="empty"),
            pytest.param(" () ", [], id="nothing-left"),
            pytest.param("'; DROP TABLE block; --\0", [], id="hostile"),
        ],
    )
    def test_find_ranks_the_symbols_of_a_spelling(
        self, pack: Pack, asked: str, matches: Sequence[tuple[int, str, str]]
    ) -> None:
        assert list(pack.entries.find(asked)) == [NameMatch(*one) for one in matches]

    def test_shapes_come_back_whole(self, pack: Pack) -> None:
        assert pack.entries.shape("PutThingRequest") == SHAPE
        assert pack.entries.shape("putthingrequest") is None

    @pytest.mark.parametrize(
        ("prefix", "after", "limit", "names"),
        [
            pytest.param(
                "", "", 10, ["PutThing", "drawer.boxes.lids.create", "drawer.things.create", "putthing"], id="all"
            ),
            pytest.param("PUT", "", 10, ["PutThing", "putthing"], id="any-case"),
            pytest.param("put", "PutThing", 10, ["putthing"], id="after-a-name"),
            pytest.param("", "drawer.c", 1, ["drawer.things.create"], id="after-what-is-not-there"),
            pytest.param("", "", 2, ["PutThing", "drawer.boxes.lids.create"], id="limit"),
            pytest.param("", "", 0, [], id="limit-zero"),
            pytest.param("zz", "", 10, [], id="none"),
        ],
    )
    def test_summaries_page_through_canonical_names(
        self, pack: Pack, prefix: str, after: str, limit: int, names: Sequence[str]
    ) -> None:
        assert [one.name for one in pack.entries.summaries(prefix, after, limit)] == names

    def test_a_summary_tells_kind_sentence_and_deprecation(self, pack: Pack) -> None:
        assert pack.entries.summaries("putt", "", 5) == [
            Summary("PutThing", "operation", "Puts a thing into a drawer.", deprecated=False),
            Summary("putthing", "function", "Old.", deprecated=True),
        ]

    def test_names_are_all_public_names(self, pack: Pack) -> None:
        assert list(pack.entries.names()) == sorted(
            ["PutThing", "put_thing", "drawer.things.create", "drawer.boxes.lids.create", "drawer.create", "putthing"]
        )

    def test_pages_come_back_whole_and_are_listed_without_text(self, pack: Pack) -> None:
        assert pack.entries.page("guide/install.md") == GUIDE
        assert pack.entries.page("guide") is None
        assert list(pack.entries.pages()) == [replace(README, markdown=""), replace(GUIDE, markdown="")]

    def test_rows_follow_the_ids_of_chunks(self, pack: Pack) -> None:
        assert list(pack.text.chunks([2, 0, 3, 1, 0])) == [replace(CHUNKS[row], terms="") for row in (2, 0, 3, 1, 0)]
        assert list(pack.text.heads([3, 0])) == [replace(CHUNKS[row], terms="", text="") for row in (3, 0)]

    def test_rows_of_a_symbol_are_those_that_describe_it(self, pack: Pack) -> None:
        assert list(pack.text.rows_of_symbol("PutThing")) == [0, 1]
        assert list(pack.text.rows_of_symbol("put_thing")) == []
        assert list(pack.text.rows_of_symbol("")) == []

    def test_postings_count_names_and_prose_apart(self, pack: Pack) -> None:
        found = pack.text.postings(["drawer", "putthing", "zzz", "example", "drawer"])
        assert set(found) == {"drawer", "putthing", "example"}
        assert _lists(found["drawer"]) == ([0, 2], [0, 0], [5, 1])
        assert _lists(found["putthing"]) == ([0, 1], [2, 1], [0, 0])
        assert _lists(found["example"]) == ([1], [1], [0])
        assert [found["drawer"].chunks.dtype, found["drawer"].in_names.dtype, found["drawer"].in_prose.dtype] == [
            np.uint32,
            np.uint8,
            np.uint8,
        ]

    def test_lengths_count_tokens(self, pack: Pack) -> None:
        lengths = pack.text.lengths()
        first = CHUNKS[0]
        assert lengths.names.dtype == lengths.prose.dtype == np.uint16
        assert len(lengths.names) == len(lengths.prose) == 4
        assert lengths.names[0] == sum(len(tokens(text)) for text in (*first.names, first.title))
        assert lengths.prose[0] == sum(len(tokens(text)) for text in (*first.heading, first.text, first.terms))

    def test_counts_and_lengths_stop_at_the_largest_number(self, packs: Packs) -> None:
        long = Chunk("a", "many", "word " * 70_000, "concept", names=("word",) * 300)
        text = packs.open(packs.write(manifest_of(), Entries(chunks=(long,)), silent)).text
        assert _lists(text.postings(["word"])["word"]) == ([0], [255], [255])
        assert (text.lengths().names[0], text.lengths().prose[0]) == (301, 65_535)

    def test_an_empty_release_answers_with_nothing(self, packs: Packs) -> None:
        pack = packs.open(packs.write(manifest_of(), Entries(), silent))
        assert not [*pack.entries.find("a"), *pack.entries.names(), *pack.entries.summaries("", "", 9)]
        assert not [
            *pack.entries.pages(),
            *pack.text.chunks([]),
            *pack.text.lengths().prose,
            *pack.problems(),
            *pack.relations(),
            *pack.fidelity(),
        ]
        assert not pack.text.postings(["a"])

    def test_vectors_are_there_once_they_are_written(self, packs: Packs, pack: Pack, name: str) -> None:
        assert pack.text.vectors("small-1") is None
        values = np.arange(-8, 8, dtype=np.int8).reshape(4, 4)
        packs.write_vectors(name, "small-1", Vectors(values, np.array([0.5, 1, 2, 0], np.float32)))
        found = pack.text.vectors("small-1")
        assert found is not None
        assert found.values.dtype == np.int8
        assert found.scales.dtype == np.float32
        assert found.values.tolist() == values.tolist()
        assert found.scales.tolist() == [0.5, 1, 2, 0]
        assert pack.text.vectors("small-2") is None

    def test_no_chunks_have_no_vectors_and_that_is_known(self, packs: Packs) -> None:
        name = packs.write(manifest_of(), Entries(), silent)
        packs.write_vectors(name, "e", Vectors(np.zeros((0, 4), np.int8), np.zeros(0, np.float32)))
        found = packs.open(name).text.vectors("e")
        assert found is not None
        assert found.values.shape == (0, 4)

    def test_a_removed_pack_is_missing_and_removing_it_again_is_nothing(self, packs: Packs, name: str) -> None:
        packs.remove(name)
        packs.remove(name)
        with pytest.raises(PackUnreadable) as caught:
            packs.open(name)
        assert caught.value.suggestion

    def test_a_reader_goes_on_reading_a_removed_pack(self, packs: Packs, pack: Pack, name: str) -> None:
        packs.remove(name)
        assert pack.entries.symbol("PutThing") == PUT
        assert len(pack.text.chunks([0, 1, 2, 3])) == 4

    @pytest.mark.parametrize("as_function", [False, True], ids=["list", "function"])
    def test_cleaning_removes_what_is_not_published(self, packs: Packs, name: str, as_function: bool) -> None:
        other = replace(RELEASE, version="2")
        kept = packs.write(manifest_of(other), ENTRIES, silent)
        published: Sequence[str] | Callable[[], Sequence[str]] = (lambda: [kept]) if as_function else [kept]
        assert list(packs.clean(published)) == [name]
        assert list(packs.clean(published)) == []
        assert packs.open(kept).manifest.release == other

    def test_cleaning_leaves_what_is_being_built(self, packs: Packs) -> None:
        with packs.building(RELEASE.key):
            name = packs.write(manifest_of(), ENTRIES, silent)
            assert list(packs.clean([])) == []
        assert packs.open(name).manifest == manifest_of()

    def test_cleaning_asks_again_before_it_removes(self, packs: Packs, name: str) -> None:
        answers = iter([[], [name], [name]])
        assert list(packs.clean(lambda: next(answers))) == []
        assert packs.open(name).manifest == manifest_of()

    def test_only_one_thread_builds_a_release(self, packs: Packs) -> None:
        order: list[str] = []
        waiting = threading.Event()

        def build() -> None:
            waiting.set()
            with packs.building(RELEASE.key):
                order.append("second")

        thread = threading.Thread(target=build)
        with packs.building(RELEASE.key), packs.building("pypi:other@1"):
            thread.start()
            assert waiting.wait(20)
            order.append("first")
        thread.join(20)
        assert order == ["first", "second"]


def _lists(postings: object) -> tuple[list[int], ...]:
    return tuple(getattr(postings, column).tolist() for column in ("chunks", "in_names", "in_prose"))
