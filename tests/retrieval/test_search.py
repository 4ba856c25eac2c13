import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from fakes.embedder import HashingEmbedder
from fakes.packs import MemoryPack
from refdesk.domain.entries import Chunk, ContentType, Entries
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.symbols import Symbol
from refdesk.domain.text import TOKENISER
from refdesk.ports.packs import PACK_FORMAT, Manifest
from refdesk.retrieval.evidence import text_of
from refdesk.retrieval.plan import NAMED, PROSE, Filters, Method, plan
from refdesk.retrieval.search import Question, Ranking, View, rank
from refdesk.retrieval.vectors import quantise

EMBEDDER = HashingEmbedder(256)
MOMENT = datetime(2026, 11, 30, tzinfo=UTC)


def pack(chunks: Sequence[Chunk], names: Sequence[tuple[str, ...]] = (), *, vectors: bool = True) -> MemoryPack:
    release = Release(Library("pypi", "shop"), "1.0")
    manifest = Manifest(
        PACK_FORMAT, release, Origin("shop", "1.0", "", "", True), Updated(MOMENT, "indexed"), MOMENT, TOKENISER, (), {}
    )
    symbols = [Symbol(one[0], "function", one) for one in names]
    made = MemoryPack(manifest, Entries(symbols=symbols, chunks=chunks))
    if vectors:
        texts = [text_of(one) for one in made.chunks(range(len(chunks)))]
        made.made[EMBEDDER.id] = quantise(EMBEDDER.embed_documents(texts))
    return made


def entry(name: str, text: str, *, terms: str = "", deprecated: bool = False, names: tuple[str, ...] = ()) -> Chunk:
    return Chunk(
        f"api/{name}", name, text, "api_reference", names=names or (name,), terms=terms, symbol=name,
        deprecated=deprecated,
    )  # fmt: skip


def passage(page: str, number: int, text: str, content_type: ContentType = "howto", *languages: str) -> Chunk:
    return Chunk(
        f"page/{page}#{number}", f"{page} {number}", text, content_type, page=page, languages=tuple(languages)
    )  # fmt: skip


SHOP = pack(
    [
        entry("PutItem", "Stores one item in a table.", terms="TableName IfNoneMatch", names=("PutItem", "put_item")),
        entry("GetItem", "Reads one item of a table.", terms="TableName", names=("GetItem", "get_item")),
        entry("PutItems", "Stores many items. Use PutItem for one.", deprecated=True),
        entry("shop.Client.close", "Closes the connection.", names=("shop.Client.close",)),
        entry("shop.Client", "The client of the shop.", names=("shop.Client",)),
        entry("shop.Server.close", "Closes the listening socket.", names=("shop.Server.close",)),
        *[passage("guide.md", number, "How to store an item in a table, step by step.") for number in range(4)],
        passage("CHANGELOG.md", 0, "1.0: store an item in a table faster.", "changelog"),
        passage("python.md", 0, "Iterate over a table in Python.", "code_example", "python"),
        passage("go.md", 0, "Iterate over a table in Go.", "code_example", "go"),
    ],
    [
        ("PutItem", "put_item"), ("GetItem", "get_item"), ("PutItems",), ("shop.Client.close",), ("shop.Client",),
        ("shop.Server.close",),
    ],
)  # fmt: skip
EMPTY = pack([])


def search(
    query: str,
    *packs: MemoryPack,
    limit: int = 5,
    filters: Filters | None = None,
    method: Method = "blend",
    vectors: bool = True,
) -> Ranking:
    made = plan(query, filters, readable=EMBEDDER.languages if vectors else frozenset(), method=method)
    question = Question(EMBEDDER.id, EMBEDDER.embed_query(query)) if made.weights.vector else None
    return rank(made, [View(one.text, one.entries) for one in packs or (SHOP,)], limit, question)


def ids(ranking: Ranking) -> list[str]:
    return [hit.chunk.id for hit in ranking.hits]


@pytest.mark.parametrize("method", ["blend", "rrf"])
@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "no vectors"])
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("PutItem", "api/PutItem"),
        ("put_item", "api/PutItem"),
        ("PUTITEM", "api/PutItem"),
        ("put item", "api/PutItem"),
        ("which parameters does `get_item` take to read items and store items in a table", "api/GetItem"),
        ("Client.close", "api/shop.Client.close"),
        ("PutItems", "api/PutItems"),
        ("iterate in Go", "page/go.md#0"),
        ('iterate AND "in Go" *', "page/go.md#0"),
    ],
)
def test_what_the_question_names_or_says_stands_first(query: str, first: str, vectors: bool, method: Method) -> None:
    assert ids(search(query, vectors=vectors, method=method))[0] == first


def test_a_parameter_of_the_question_leads_to_its_symbol() -> None:
    found = search("what is IfNoneMatch for")
    assert ids(found)[0] == "api/PutItem"
    assert found.hits[0].trace.names == ("IfNoneMatch",)
    assert found.plan.weights == NAMED


def test_a_name_that_nothing_has_leaves_the_question_prose() -> None:
    found = search("store an item with BigShop")
    assert found.plan.weights == PROSE
    assert "bigshop" in found.unknown
    assert found.ways == ("lexical", "vector")


def test_what_every_chunk_repeats_is_no_name_of_one() -> None:
    many = pack([entry(f"op{number}", "MegaShop operation.") for number in range(30)])
    assert search("use MegaShop to pay", many).plan.weights == PROSE


def test_what_very_many_chunks_mention_is_no_name_of_one() -> None:
    crowd = [entry(f"op{number}", "MegaShop." if number < 55 else "Operation.") for number in range(1_200)]
    assert search("use MegaShop to pay", pack(crowd, vectors=False)).plan.weights == PROSE


def test_a_page_may_not_fill_the_result_and_release_notes_rank_low() -> None:
    found = ids(search("how to store an item in a table", limit=10))
    assert sum(one.startswith("page/guide.md") for one in found) == 2
    assert found[0].startswith("page/guide.md")
    assert found.index("page/CHANGELOG.md#0") > found.index("api/PutItem")


def test_release_notes_answer_questions_about_change() -> None:
    assert ids(search("what changed in 1.0: store an item in a table"))[0] == "page/CHANGELOG.md#0"


def test_a_question_over_several_libraries_leans_to_the_one_that_it_names() -> None:
    chunks = [entry("Send", "Sends a message away.")]
    views = [
        View(pack(chunks).text, pack(chunks).entries, library)
        for library in (Library("pypi", "mail"), Library("aws", "sqs"))
    ]
    hits = rank(plan("send the message with sqs"), views).hits
    assert [hit.candidate.pack for hit in hits] == [1, 0]
    assert "library named ×1.1" in hits[0].trace.explain()


def test_scores_never_rise_and_ties_are_in_order_of_packs() -> None:
    twin = pack([entry("PutItem", "Stores one item.")], [("PutItem",)])
    found = search("PutItem", twin, EMPTY, twin, limit=10)
    assert [hit.candidate for hit in found.hits] == [(0, 0), (2, 0)]
    assert found.hits[0].score == found.hits[1].score
    scores = [hit.score for hit in search("store an item", limit=20).hits]
    assert scores == sorted(scores, reverse=True)


def test_the_order_of_the_packs_only_breaks_ties() -> None:
    other = pack([entry("SendItem", "Sends one item to a table of the shop.")], [("SendItem",)])
    one, two = search("send item to shop", SHOP, other), search("send item to shop", other, SHOP)
    assert ids(one) == ids(two)
    assert [hit.score for hit in one.hits] == pytest.approx([hit.score for hit in two.hits])


def test_a_pack_without_vectors_is_told_and_still_found() -> None:
    bare = pack([entry("SendItem", "Sends one item away.")], [("SendItem",)], vectors=False)
    found = search("sends items away", SHOP, bare)
    assert found.without_vectors == (1,)
    assert ids(found)[0] == "api/SendItem"
    assert [one.way for one in found.hits[0].trace.ways] == ["lexical"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters("changelog"), ["page/CHANGELOG.md#0"]),
        (Filters("code_example"), ["page/go.md#0", "page/python.md#0"]),
        (Filters("code_example", "Python"), ["page/python.md#0"]),
        (Filters(api="put_item"), ["api/PutItem"]),
        (Filters(api="shop.Client"), ["api/shop.Client", "api/shop.Client.close"]),
        (Filters("howto", api="GetItem"), []),
    ],
    ids=["type", "another type", "type and language", "api", "api with members", "nothing fits"],
)
def test_filters_say_what_hits_must_be(filters: Filters, expected: list[str]) -> None:
    found = search("table item client", filters=filters, limit=10)
    assert sorted(ids(found)) == expected
    assert found.filtered > 0


def test_a_page_about_an_api_passes_its_filter_by_its_names() -> None:
    about = Chunk("page/a#1", "Storing", "Store items well.", "howto", names=("put_item",), page="a")
    assert ids(search("store items", pack([about]), filters=Filters(api="GetItem"))) == []
    assert ids(search("store items", pack([about]), filters=Filters(api="put_item"))) == ["page/a#1"]


def test_filters_reach_below_the_candidates_of_an_unfiltered_search() -> None:
    crowd = [entry(f"Store{number:03}", "Store store store item.") for number in range(300)]
    rare = passage("deep.md", 0, "Among very many other words that make it long, it may store an item.")
    for vectors in (True, False):
        found = search("store item", pack([*crowd, rare]), filters=Filters("howto"), vectors=vectors)
        assert ids(found) == ["page/deep.md#0"]
        assert found.filtered == 300


def test_a_page_that_fills_the_candidates_does_not_hide_the_others() -> None:
    crowd = [passage("big.md", number, "Store store store item.") for number in range(150)]
    rare = entry("Other", "Among very many other words that make it long, it may store an item.")
    assert "api/Other" in ids(search("store item", pack([*crowd, rare]), vectors=False))


@pytest.mark.parametrize("query", ["上传文件", "zzzz"])
def test_nothing_found_is_an_empty_ranking_that_says_why(query: str) -> None:
    found = search(query, vectors=False)
    assert found.hits == ()
    assert found.ways == ()
    assert found.unknown == found.plan.terms


def test_nothing_to_search_is_an_empty_ranking() -> None:
    assert search("anything", EMPTY).hits == ()
    assert rank(plan("anything"), []).hits == ()


def test_a_hit_explains_its_place() -> None:
    found = search("store item with put_item").hits[0]
    trace = found.trace
    assert found.chunk.id == "api/PutItem"
    assert {"put_item", "store", "item"} <= set(trace.terms)
    assert trace.names == ("put_item",)
    assert trace.fused == pytest.approx(sum(one.share for one in trace.ways))
    assert sum(one.weight for one in trace.ways) == pytest.approx(1)
    assert trace.score == found.score == pytest.approx(trace.fused + 1)
    text = trace.explain()
    assert text.startswith(f"score {found.score:.3f}; lexical #1 (")
    assert "exact name +1" in text
    assert text.endswith("; names: put_item")


def test_an_account_of_a_lowered_hit_names_the_factor() -> None:
    hit = next(one for one in search("store many items in a table").hits if one.chunk.id == "api/PutItems")
    assert "deprecated ×0.9" in hit.trace.explain()
    assert "names" not in hit.trace.explain()


def test_a_way_that_did_not_find_a_hit_is_not_told() -> None:
    hit = search("closes", method="rrf", limit=1).hits[0]
    assert "structured" not in hit.trace.explain()


def test_the_same_search_gives_the_same_ranking() -> None:
    assert search("store an item in a table", limit=20) == search("store an item in a table", limit=20)


def test_importing_retrieval_does_not_load_numpy() -> None:
    program = (
        "import sys\n"
        "import refdesk.retrieval, refdesk.retrieval.search, refdesk.retrieval.packing, refdesk.retrieval.evidence\n"
        "import refdesk.retrieval.vectors\n"
        "print('numpy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
