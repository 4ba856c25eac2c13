"""The one tokeniser: identifiers whole and in parts, plain words by their stem, CJK as bigrams; it never raises."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.text import estimate_tokens, plural_stem, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("upload_file", ["upload_file", "upload", "file"]),
        ("PutObject", ["putobject", "put", "object"]),
        ("httpx.Client.get", ["httpx.client.get", "httpx", "client", "get"]),
        ("S3", ["s3"]),
        ("buckets", ["bucket"]),
        ("Policies", ["policy"]),
        ("--error-on-warnings", ["--error-on-warnings", "error", "on", "warning"]),
        ("上传文件", ["上传", "传文", "文件"]),
        ("文", ["文"]),
        ("上传file", ["上传", "file"]),
        ("", []),
        ("?!", []),
    ],
)  # fmt: skip
def test_a_text_is_cut_into_tokens(text: str, expected: list[str]) -> None:
    assert [token for token in tokens(text) if token in expected] == expected


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ('"--error-on-warnings"', "--error-on-warnings"),
        ("@nasa", "nasa"),
        ("a=b", "a"),
        ("grammar::fa", "grammar::fa"),
        ("grammar::fa", "grammar"),
        ("health.base", "health.base"),
        ("health.base", "base"),
        ("NEAR(a b", "near"),
        ("AND", "and"),
        ("why?", "why"),
        ("x/y/z", "x/y/z"),
        ("IfNoneMatch", "ifnonematch"),
        ("getHTTPResponse", "http"),
        ("ＰｕｔＯｂｊｅｃｔ", "putobject"),
        ("naïve", "naïve"),
        ("ключ_доступа", "ключ_доступа"),
    ],
)
def test_what_search_syntax_would_stumble_over_is_a_plain_word(text: str, present: str) -> None:
    assert present in tokens(text)


@pytest.mark.parametrize("text", ['"', "'", "*", "(", "\x00", "\ud800", "\u202e", "   ", "\n\t"])
def test_signs_alone_make_no_token_and_no_error(text: str) -> None:
    assert tokens(text) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [("x" * 10_000, 0), ("word " * 2_000, 2_000), ("a_" * 5_000, 1), ("a." * 5_000, 1), ("漢" * 10_000, 9_999)],
    ids=["a monstrous word", "many words", "a monstrous identifier", "a monstrous path", "a monstrous CJK run"],
)
def test_ten_kilobytes_are_cut_and_monsters_are_not_indexed(text: str, count: int) -> None:
    found = tokens(text)
    assert len(found) == count
    assert all(len(token) <= 80 for token in found)


@given(st.text())
def test_tokens_of_any_text_are_lower_case_and_hold_no_white_space(text: str) -> None:
    for token in tokens(text):
        assert token == token.lower() or token.lower() == token
        assert not re.search(r"\s", token)
        assert token


IDENTIFIER = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,20}([.][A-Za-z_][A-Za-z0-9_]{0,15}){0,2}", fullmatch=True)


@given(IDENTIFIER)
def test_an_identifier_is_always_found_as_a_whole(name: str) -> None:
    whole = name.lower()
    assert {whole, plural_stem(whole)} & set(tokens(name))


@given(IDENTIFIER, IDENTIFIER)
def test_tokens_of_a_sentence_are_those_of_its_words(one: str, other: str) -> None:
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)


@given(st.text(max_size=200))
def test_compatible_spellings_give_the_same_tokens(text: str) -> None:
    assert tokens(text) == tokens(unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("policies", "policy"),
        ("series", "sery"),
        ("classes", "classe"),
        ("buckets", "bucket"),
        ("status", "status"),
        ("access", "access"),
        ("does", "does"),
        ("trees", "trees"),
        ("shoes", "shoes"),
        ("gas", "gas"),
        ("as", "as"),
        ("bucket", "bucket"),
        ("movies", "movy"),
        ("days", "day"),
    ],
)
def test_plural_endings_are_taken_off_by_harmans_rules(word: str, stem: str) -> None:
    assert plural_stem(word) == stem


@given(st.from_regex(r"[a-z]{1,20}", fullmatch=True))
def test_a_stem_is_not_longer_than_its_word_and_begins_like_it(word: str) -> None:
    stem = plural_stem(word)
    assert len(stem) <= len(word)
    assert stem[: len(stem) - 1] == word[: len(stem) - 1]


@pytest.mark.parametrize(("text", "estimate"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢" * 8, 2)])
def test_language_model_tokens_are_estimated_by_characters(text: str, estimate: int) -> None:
    assert estimate_tokens(text) == estimate
