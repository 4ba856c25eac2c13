import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.errors import InvalidInput
from refdesk.retrieval.plan import BASE, MAX_TERMS, NAMED, PROSE, Filters, plan

ENGLISH = frozenset({"en"})


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("how do I upload the files", ("upload", "file")),
        ("upload_file timeout", ("upload_file", "upload", "file", "timeout")),
        ("call `is` on it", ("is", "call")),
        ("PutObject in 1.34.162", ("putobject", "put", "object", "1.34.162")),
        ("v3 of drive", ("drive", "v3")),
        ("the", ("the",)),
        ("AND", ("and",)),
        ("why?", ("why",)),
        ("NEAR(a b", ("near", "b")),
        ("a=b", ("b",)),
        ("@nasa", ("nasa",)),
        ("x\x00y * \" ' upload", ("x", "y", "upload")),
        ("grammar::fa", ("grammar::fa", "grammar", "fa")),
        ("上传文件", ("上传", "传文", "文件")),
        ("a", ("a",)),
    ],
)
def test_terms_are_the_telling_tokens_with_those_of_identifiers_first(query: str, expected: tuple[str, ...]) -> None:
    assert plan(query).terms == expected


@pytest.mark.parametrize("query", ["", " \n", '"', "*", "?!", "\x00", "“”", "x" * 300])
def test_a_query_without_words_is_told_what_to_do(query: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        plan(query)
    assert "upload a file" in caught.value.suggestion


def test_ten_kilobytes_of_text_give_a_bounded_number_of_terms() -> None:
    assert len(plan(" ".join(f"word{number}" for number in range(2_000))).terms) == MAX_TERMS


def test_a_pasted_stack_trace_gives_a_bounded_number_of_names() -> None:
    assert len(plan("\n".join(f"module_{number}.call_it" for number in range(300))).names) == 8


def test_prose_pulls_to_vectors() -> None:
    assert plan("upload a file", readable=ENGLISH).weights == PROSE
    assert PROSE.vector > BASE.vector


@pytest.mark.parametrize("query", ["上传文件", "загрузить файл"])
def test_a_language_that_the_embedder_cannot_read_gets_no_vector_weight(query: str) -> None:
    assert plan(query, readable=ENGLISH).weights.vector == 0
    assert plan(query, readable=ENGLISH, method="rrf").weights.vector == 0


def test_without_an_embedder_no_question_has_vector_weight() -> None:
    assert plan("upload a file").weights.vector == 0


def test_names_that_exist_pull_to_the_lexical_and_the_structured_way() -> None:
    made = plan("upload with put_object", readable=ENGLISH)
    assert made.settled(found=True).weights == NAMED
    assert made.settled(found=False) == made


def test_settling_gives_vectors_no_weight_that_they_did_not_have() -> None:
    assert plan("上传 put_object", readable=ENGLISH).settled(found=True).weights.vector == 0


def test_reciprocal_ranks_keep_the_base_weights_whatever_is_found() -> None:
    made = plan("upload with put_object", readable=ENGLISH, method="rrf")
    assert made.weights == made.settled(found=True).weights == BASE


@pytest.mark.parametrize(
    ("query", "spoken"),
    [
        ("create key pair", "create key pair"),
        ("Query", "Query"),
        ("put_object", ""),
        ("how do I create a new key pair", ""),
    ],
)
def test_a_short_question_may_be_a_name_in_words(query: str, spoken: str) -> None:
    assert plan(query).spoken == spoken


def test_words_beside_the_question_add_terms_and_names_but_leave_its_language() -> None:
    made = plan("upload a file", words="用 put_object 上传", readable=ENGLISH)
    assert made.names == ("put_object",)
    assert {"upload", "file", "put_object", "上传"} <= set(made.terms)
    assert made.language == "en"
    assert made.weights.vector > 0
    assert made.query == "upload a file"


@pytest.mark.parametrize("filters", [Filters("howto"), Filters(language="python"), Filters(api="x")])
def test_filters_are_true_when_they_filter(filters: Filters) -> None:
    assert filters
    assert plan("upload", filters).filters == filters
    assert not plan("upload").filters


@given(st.text(), st.text(max_size=20))
def test_any_text_gives_a_plan_or_the_one_error(query: str, words: str) -> None:
    try:
        made = plan(query, words=words, readable=ENGLISH)
    except InvalidInput:
        return
    assert 0 < len(made.terms) <= MAX_TERMS
    assert len(set(made.terms)) == len(made.terms)
    assert made == plan(query, words=words, readable=ENGLISH)
