"""Names of API entries: spellings that mean the same, and suggestions for those that mean nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.names import clean, fold, similar, snake, tails


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("PutObject", "PutObject"),
        ("`put_object`", "put_object"),
        ("files().create()", "files.create"),
        ("s3:PutObject", "s3.PutObject"),
        ("httpx/Client/get", "httpx.Client.get"),
        ("Array#map", "Array.map"),
        ("grammar::fa", "grammar.fa"),
        ("a..b", "a.b"),
        ("client.put_object(Bucket='b', Key=f(x))", "client.put_object"),
        ("  x.y.  ", "x.y"),
        ("ＰｕｔＯｂｊｅｃｔ", "PutObject"),
        ('"', ""),
        ("@nasa", "@nasa"),
        ("a=b", "a=b"),
        ("health.base", "health.base"),
        ("", ""),
    ],
)
def test_a_spelling_is_cleaned_of_calls_and_foreign_separators(written: str, cleaned: str) -> None:
    assert clean(written) == cleaned


@pytest.mark.parametrize(
    "spelling", ["PutObject", "put_object", "put-object", "PUT OBJECT", "putObject()", "`Put_Object`", "put object"]
)
def test_spellings_that_differ_in_case_and_separators_fold_to_the_same(spelling: str) -> None:
    assert fold(spelling) == "putobject"


@given(st.text(max_size=60))
def test_folding_never_raises_and_is_lower_case(text: str) -> None:
    assert fold(text) == fold(text).lower()


@given(st.from_regex(r"[A-Za-z_]\w{0,10}(\.[A-Za-z_]\w{0,10}){0,3}", fullmatch=True))
def test_folding_a_name_twice_changes_nothing_more(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize("text", ["(" * 5_000, "()" * 5_000, "a" * 10_000, "\x00", "名前.取得"])
def test_odd_names_are_cleaned_without_harm(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(("name", "ends"), [("a.b.c", ["b.c", "c"]), ("a", []), ("", [])])
def test_tails_are_the_last_parts_longest_first(name: str, ends: list[str]) -> None:
    assert tails(name) == ends


@pytest.mark.parametrize(
    ("camel", "expected"),
    [("PutObject", "put_object"), ("GetACLPolicy", "get_acl_policy"), ("ListObjectsV2", "list_objects_v2"), ("x", "x")],
)
def test_camel_case_becomes_snake_case(camel: str, expected: str) -> None:
    assert snake(camel) == expected


NAMES = ["PutObject", "GetObject", "DeleteObject", "httpx.Client.get", "httpx.AsyncClient.get", "CreateBucket"]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("putobjct", "PutObject"),
        ("PutObjects", "PutObject"),
        ("httpx.Client.gett", "httpx.Client.get"),
        ("creat_bucket", "CreateBucket"),
    ],
)
def test_a_misspelt_name_finds_what_was_meant(asked: str, first: str) -> None:
    assert similar(asked, NAMES)[0] == first


def test_a_wrong_path_finds_names_by_their_last_part() -> None:
    assert "httpx.Client.get" in similar("requests.sessions.Session.get", NAMES)


def test_nothing_is_similar_to_something_else() -> None:
    assert similar("zzzzqqqq", NAMES) == []
    assert similar("", []) == []


@given(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=12), st.integers(1, 5))
def test_suggestions_are_names_each_once_and_not_more_than_asked_for(asked: str, names: list[str], limit: int) -> None:
    found = similar(asked, names, limit)
    assert len(found) <= limit
    assert len(set(found)) == len(found)
    assert set(found) <= set(names)


@given(st.permutations(NAMES))
def test_suggestions_do_not_depend_on_the_order_of_the_names(names: list[str]) -> None:
    assert set(similar("Objct", names)) == set(similar("Objct", NAMES))
