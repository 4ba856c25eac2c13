"""The docs tools: what they say, version line first, and what they refuse."""

import json

import pytest

from fakes.index import Index, entries, parcel, sample, symbol
from goldens import check_golden
from refdesk.domain.entries import Page
from refdesk.domain.errors import Ambiguous, InvalidInput, NotFound, RefdeskError, VersionNotIndexed
from refdesk.domain.text import estimate_tokens

CALLS: dict[str, tuple[str, dict[str, object]]] = {
    "search-release": (
        "search_docs",
        {"query": "keep a parcel", "library": "aws:depot", "version": "1.44.0", "limit": 2},
    ),
    "search-all": ("search_docs", {"query": "install parcels", "limit": 2}),
    "search-nothing": ("search_docs", {"query": "zebra", "library": "aws:depot"}),
    "page": ("get_page", {"page": "pypi:parcel@2.0.0/page/README.md"}),
    "page-part": ("get_page", {"page": "guide/index.md", "library": "parcel", "max_tokens": 300}),
    "list-releases": ("list_apis", {}),
    "list-apis": ("list_apis", {"library": "pypi:parcel", "version": "1.0.0", "limit": 3}),
    "detail": ("get_api_detail", {"api": "keep_parcel", "library": "aws:depot", "version": "1.34.0"}),
    "detail-unasked-version": ("get_api_detail", {"api": "parcel.Client"}),
    "detail-deprecated": ("get_api_detail", {"api": "parcel.drop", "library": "parcel", "version": "1.0.0"}),
    "check-available": ("check_version", {"api": "KeepParcel", "library": "aws:depot", "version": "1.44.0"}),
    "check-deprecated": ("check_version", {"api": "parcel.drop", "library": "parcel", "version": "1.0.0"}),
    "check-removed": ("check_version", {"api": "get_depot_location", "library": "aws:depot"}),
    "check-not-yet": ("check_version", {"api": "KeepParcel.IfNoneMatch", "library": "aws:depot", "version": "1.34.0"}),
    "check-unknown": ("check_version", {"api": "keep_parcels", "library": "aws:depot"}),
    "check-open": ("check_version", {"api": "parcel.lazy.x", "library": "parcel"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_reads_as_in_its_golden_file(name: str) -> None:
    operation, arguments = CALLS[name]
    check_golden(f"answers/{name}.md", sample().call(operation, **arguments).text + "\n")


@pytest.mark.parametrize("name", ["search-release", "page-part", "list-apis", "detail", "check-removed"])
def test_a_structure_is_as_in_its_golden_file(name: str) -> None:
    operation, arguments = CALLS[name]
    result = sample().call(operation, **arguments).result.model_dump(mode="json")
    check_golden(f"answers/{name}.json", json.dumps(result, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("name", CALLS)
def test_the_version_line_is_first_in_text_and_structure(name: str) -> None:
    operation, arguments = CALLS[name]
    answer = sample().call(operation, **arguments)
    structure = answer.result.model_dump(mode="json")
    assert next(iter(structure)) == "version_line"
    assert answer.text.splitlines()[0] == structure["version_line"]
    assert structure["version_line"].startswith("[Version: ")


@pytest.mark.parametrize(
    ("key", "version", "line"),
    [
        ("pypi:box@0.27.2", "0.27.2", "[Version: pypi:box 0.27.2]"),
        ("aws:box@2006-03-01+1.34.162", "1.34.162", "[Version: aws:box 2006-03-01 via botocore 1.34.162]"),
        ("gcp:box@v3+2.0", "v3", "[Version: gcp:box v3 via google-api-python-client 2.0]"),
        ("site:box@main", "main", "[Version: site:box main]"),
    ],
)
def test_the_version_line_names_both_axes(key: str, version: str, line: str) -> None:
    index = Index()
    index.add(key, entries([symbol("box.go", doc="Go.")], pages=[Page("a.md", "A", "# A\n\nGo.\n", "concept")]))
    library = key.partition("@")[0]
    for name, arguments in (
        ("search_docs", {"query": "go"}),
        ("get_page", {"page": "a.md"}),
        ("list_apis", {}),
        ("get_api_detail", {"api": "box.go"}),
        ("check_version", {"api": "box.go"}),
    ):
        text = index.call(name, **arguments, library=library, version=version).text
        assert text.splitlines()[0] == line
        assert f"requested: {version}; served: " in text.splitlines()[1]
        assert "You named no version" not in text
        unasked = index.call(name, **arguments, library=library).text
        assert unasked.splitlines()[0] == line
        assert f"You named no version: this is {line[10:-1]}; name one if your project uses another." in unasked


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_docs", {"query": "parcel"}),
        ("get_page", {"page": "README.md"}),
        ("list_apis", {}),
        ("get_api_detail", {"api": "parcel.get"}),
        ("check_version", {"api": "parcel.get"}),
    ],
)
def test_no_tool_substitutes_a_version(name: str, arguments: dict[str, object]) -> None:
    with pytest.raises(VersionNotIndexed) as caught:
        sample().call(name, **arguments, library="pypi:parcel", version="1.7")
    assert caught.value.details["nearest"] == ["pypi:parcel@1.0.0", "pypi:parcel@2.0.0"]


def test_what_else_is_indexed_changes_no_answer_about_a_named_release() -> None:
    alone, among = Index(), sample()
    alone.add("pypi:parcel@2.0.0", parcel(newer=True))
    for name, arguments in (
        ("search_docs", {"query": "install parcels", "limit": 20, "explain": True}),
        ("get_page", {"page": "guide/index.md"}),
        ("list_apis", {}),
        ("get_api_detail", {"api": "parcel.Client"}),
        ("get_api_detail", {"api": "Client.send"}),
    ):
        calls = [one.call(name, **arguments, library="pypi:parcel", version="2.0.0") for one in (alone, among)]
        assert calls[0].text == calls[1].text
        assert calls[0].result == calls[1].result


def test_the_fields_of_a_detail_are_those_that_scripts_rely_on() -> None:
    detail = sample().call("get_api_detail", api="keep_parcel", library="aws:depot").result.model_dump(mode="json")
    assert {
        "library", "version", "name", "names", "kind", "signature", "params", "returns", "errors", "examples",
        "deprecated", "since", "source", "updated",
    } <= detail.keys()  # fmt: skip
    assert {"requested", "served", "rule", "via"} == detail["version"].keys()
    assert {"name", "type", "required", "default", "enum", "doc"} <= detail["params"][0].keys()
    assert {"package", "version", "path", "url"} <= detail["source"].keys()
    assert (detail["deprecated"], detail["version"]["requested"]) == (None, None)
    assert detail["version"]["via"] == "botocore==1.44.0"
    old = sample().call("get_api_detail", api="parcel.drop", library="parcel", version="1.0").result.model_dump()
    assert old["deprecated"] == {
        "since": "1.5", "replacement": "parcel.get", "note": "Use get.", "evidence": "directive",
    }  # fmt: skip


def test_the_end_of_a_deprecated_answer_is_the_hint() -> None:
    for name in ("get_api_detail", "check_version"):
        text = sample().call(name, api="parcel.drop", library="parcel", version="1.0.0").text
        assert text.rstrip().splitlines()[-1] == "**Deprecated since 1.5: use parcel.get.** (evidence: directive)"


def test_the_date_of_a_deprecation_is_not_the_date_of_the_api() -> None:
    answer = sample().call("check_version", api="parcel.drop", library="parcel", version="1.0.0").result.model_dump()
    assert (answer["since"], answer["deprecated"]["since"]) == (None, "1.5")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_docs", {"query": "x", "version": "1.0"}),
        ("list_apis", {"version": "1.0"}),
        ("list_apis", {"prefix": "x"}),
        ("list_apis", {"cursor": "x"}),
        ("get_api_detail", {"api": "parcel.get", "version": "1.0"}),
        ("check_version", {"api": " "}),
        ("search_docs", {"query": ""}),
        ("search_docs", {"query": '"'}),
        ("get_page", {"page": ""}),
    ],
)
def test_what_cannot_be_understood_is_refused_with_the_way_out(name: str, arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        sample().call(name, **arguments)
    assert caught.value.suggestion


@pytest.mark.parametrize("query", ["上传文件", "parcel\x00cart", "word " * 2_000, "NEAR(a b", "a AND OR b", "--flag"])
def test_no_query_is_too_strange(query: str) -> None:
    assert sample().call("search_docs", query=query).text.startswith("[Version: ")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (
            {"query": "zebra", "library": "parcel"},
            "Nothing found in pypi:parcel 2.0.0; these words occur nowhere: zebra.",
        ),
        (
            {"query": "zebra"},
            "Nothing found in the indexed libraries; these words occur nowhere: zebra. Name a library.",
        ),
        ({"query": "parcel", "library": "parcel", "content_type": "error"}, "No hit passes the filters"),
        ({"query": "parcel"}, "Read more: get_page"),
    ],
)
def test_a_search_says_what_to_do_next(arguments: dict[str, object], hint: str) -> None:
    assert sample().call("search_docs", **arguments).text.splitlines()[-1].startswith(hint)


def test_an_empty_index_says_how_to_fill_it() -> None:
    index = Index()
    assert "Nothing is indexed" in index.call("search_docs", query="x").text
    assert "refdesk add" in index.call("list_apis").text
    for name, arguments in (("get_api_detail", {"api": "x"}), ("check_version", {"api": "x"})):
        with pytest.raises(NotFound):
            index.call(name, **arguments)
    with pytest.raises(RefdeskError):
        index.call("get_page", page="a.md", library="parcel")


def test_libraries_that_were_not_searched_are_counted() -> None:
    index = Index()
    for number in range(12):
        index.add(f"pypi:lib{number:02}@1", entries([symbol(f"lib{number:02}.go", doc="Goes.")]))
    text = index.call("search_docs", query="goes", limit=20).text
    assert "2 libraries whose names and titles fit less were not searched." in text
    assert text.splitlines()[0].endswith("more]")


def test_a_hit_can_explain_its_place() -> None:
    answer = sample().call("search_docs", query="keep_parcel", library="aws:depot", explain=True)
    explain = answer.result.model_dump()["explain"]
    assert explain["names"] == ["keep_parcel"]
    assert len(explain["hits"]) == len(answer.result.model_dump()["hits"])
    assert "weights: " in answer.text


def test_search_answers_stay_within_their_budget() -> None:
    long = [
        Page(f"p{number}.md", f"Parcels {number}", "# Parcels\n\n" + "Send parcels by cart. " * 200, "howto")
        for number in range(20)
    ]
    index = Index()
    index.add("site:long@1", entries(pages=long))
    assert estimate_tokens(index.call("search_docs", query="send parcels by cart", limit=20).text) <= 1_700


@pytest.mark.parametrize("query", ["keep parcel", "install", "parcel Client", "carts"])
def test_every_form_that_a_hit_shows_can_be_read(query: str) -> None:
    index = sample()
    for hit in index.call("search_docs", query=query, limit=20).result.model_dump()["hits"]:
        assert index.call("get_page", page=hit["id"]).result.model_dump()["id"] == hit["id"]
        if hit["url"]:
            read = index.call("get_page", page=hit["url"]).result.model_dump()
            assert read["id"].partition("#")[0] == hit["id"].partition("#")[0]


def test_an_address_that_symbols_share_is_not_shown_as_theirs() -> None:
    hits = sample().call("search_docs", query="parcel.Client", library="parcel").result.model_dump()["hits"]
    assert {hit["url"] for hit in hits if "/api/" in hit["id"]} == {""}


def test_ambiguity_is_an_error_that_names_the_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        sample().call("get_api_detail", api="get", library="parcel")
    assert caught.value.payload()["details"] == {"names": ["parcel.get", "parcel.Basket.get", "parcel.Client.get"]}


def test_what_was_served_is_logged() -> None:
    index = sample()
    index.call("search_docs", query="keep parcel", library="aws:depot", version="1.44.0", limit=1)
    index.call("search_docs", query="install parcels", limit=2)
    index.call("get_api_detail", api="keep_parcel", library="aws:depot")
    index.call("list_apis")
    index.call("list_apis", library="parcel", limit=2)
    one, many, detail, releases, listing = reversed(index.ledger.calls(10))
    assert (one.library, one.requested, one.served) == ("aws:depot", "1.44.0", "aws:depot@2020-01-01+1.44.0")
    assert one.ids == ("aws:depot@2020-01-01+1.44.0/api/KeepParcel",)
    assert many.served.split()[0].startswith("pypi:parcel@2.0.0")
    assert (detail.requested, detail.count) == ("", 1)
    assert releases.count == 4
    assert (listing.served, listing.count) == ("pypi:parcel@2.0.0", 2)


def test_an_unreadable_release_is_named_among_the_states() -> None:
    index = sample()
    index.damage("pypi:parcel@1.0.0")
    text = index.call("check_version", api="parcel.get", library="parcel").text
    assert "- pypi:parcel 1.0.0: unreadable" in text


def test_what_was_added_says_since_when() -> None:
    assert "Since: 2.0" in sample().call("check_version", api="parcel.fetch", library="parcel").text
    assert "Since: 2.0" in sample().call("get_api_detail", api="parcel.fetch", library="parcel").text


def test_a_result_without_a_known_structure_has_no_members() -> None:
    answer = sample().call("get_api_detail", api="parcel.get", library="parcel").result.model_dump()
    assert answer["returns"] == {"type": "Parcel", "doc": "The parcel.", "members": []}
    kept = sample().call("get_api_detail", api="KeepParcel", library="aws:depot").result.model_dump()
    assert kept["returns"]["members"] == ["ETag", "Label"]
    focus = sample().call("get_api_detail", api="KeepParcel", library="aws:depot", param="Labels").result.model_dump()
    assert focus["focus"]["name"] == "Labels"
