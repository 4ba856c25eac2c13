import pytest

from refdesk.domain.entries import Chunk, ContentType
from refdesk.domain.libraries import Library
from refdesk.retrieval.boosts import MAX_ENTRIES, MAX_PER_PAGE, boosted, boosts, leanings, spread
from refdesk.retrieval.question import Intent


def chunk(
    content_type: ContentType = "api_reference",
    *,
    deprecated: bool = False,
    symbol: str = "",
    page: str = "",
    facets: tuple[str, ...] = (),
) -> Chunk:
    return Chunk("id", "title", "text", content_type, symbol=symbol, page=page, deprecated=deprecated, facets=facets)


def score(one: Chunk, intent: Intent = "any", *, exact: bool = False) -> float:
    return boosted(0.5, boosts(one, intent, exact))


@pytest.mark.parametrize(
    ("higher", "lower", "intent"),
    [
        (chunk(), chunk(deprecated=True), "howto"),
        (chunk("howto"), chunk("changelog"), "any"),
        (chunk("howto"), chunk("metadata"), "howto"),
        (chunk("changelog"), chunk("howto"), "change"),
        (chunk("error"), chunk("concept"), "error"),
        (chunk("api_reference"), chunk("error"), "howto"),
        (chunk("api_reference"), chunk("howto"), "parameter"),
        (chunk("api_reference"), chunk("howto"), "signature"),
        (chunk("api_reference"), chunk("howto"), "lookup"),
        (chunk("code_example"), chunk("api_reference"), "howto"),
        (chunk("concept"), chunk("api_reference"), "concept"),
    ],
)
def test_what_fits_the_intent_stands_higher(higher: Chunk, lower: Chunk, intent: Intent) -> None:
    assert score(higher, intent) > score(lower, intent)


@pytest.mark.parametrize("intent", ["change", "availability"])
def test_deprecated_entries_and_release_notes_keep_their_place_in_questions_about_change(intent: Intent) -> None:
    assert score(chunk(deprecated=True), intent) == score(chunk(), intent)
    assert score(chunk("changelog"), intent) >= score(chunk(), intent)


def test_an_exact_name_stands_before_everything_even_if_deprecated() -> None:
    best_of_the_rest = boosted(1.0, boosts(chunk("error"), "error", False))
    assert boosted(0.2, boosts(chunk(deprecated=True), "error", True)) > best_of_the_rest


def test_nothing_moves_an_ordinary_hit() -> None:
    assert boosts(chunk(), "any", False) == ()
    assert score(chunk()) == 0.5


def test_each_reason_says_what_it_did() -> None:
    reasons = [reason.reason for reason in boosts(chunk("changelog", deprecated=True), "howto", True)]
    assert reasons == ["exact name", "deprecated", "changelog"]


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({"upload", "s3"}, (1.1, 1.0, 1.0, 1.0)),
        ({"aws", "s3"}, (1.1**2, 1.0, 1.0, 1.0)),
        ({"google", "storage"}, (1.0, 1.1**2, 1.1, 1.0)),
        ({"azure"}, (1.0, 1.0, 1.1, 1.0)),
        ({"pypi"}, (1.0, 1.0, 1.0, 1.0)),
    ],
)
def test_a_question_that_says_which_library_leans_to_it(terms: set[str], expected: tuple[float, ...]) -> None:
    libraries = [Library("aws", "s3"), Library("gcp", "storage"), Library("pypi", "azure-storage-blob"), None]
    assert leanings(libraries, terms) == expected
    assert leanings(libraries[:1] * 2, terms) == (1.0, 1.0)


def test_a_page_and_a_symbol_may_not_fill_the_result() -> None:
    page, other = chunk(page="guide.md"), chunk(page="other.md")
    symbol = chunk(symbol="PutObject")
    ranked = [(0, page), (0, symbol), (0, page), (0, symbol), (0, page), (1, page), (1, symbol), (0, other)]
    kept = spread(list(enumerate(ranked)), lambda one: one[1])
    assert [place for place, _ in kept] == [0, 1, 2, 5, 6, 7]
    assert MAX_PER_PAGE == 2


def test_entries_of_one_page_do_not_fill_the_result_unless_the_question_names_them() -> None:
    entries = [chunk(symbol=f"tap.{name}", page="api.html") for name in "abcdef"]
    passages = [chunk("howto", page="api.html") for _ in range(MAX_PER_PAGE + 1)]
    assert spread([*entries, *passages], lambda one: (0, one)) == [*entries[:MAX_ENTRIES], *passages[:MAX_PER_PAGE]]
    assert spread(entries, lambda one: (0, one), lambda _: True) == entries


def test_of_the_panels_of_a_section_the_best_one_is_a_hit() -> None:
    panels = [chunk("howto", page="a.md", facets=(label,)) for label in ("npm", "yarn")]
    assert spread(panels, lambda one: (0, one)) == panels[:1]
