import sys

import pytest
from bench import corpus, indexing, paraphrases, search_latency
from bench.measuring import Figure, cpu_of, percentile, run, table

from refdesk.domain.entries import Chunk


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        pytest.param([5.0], 0.5, 5.0, id="one value is every percentile"),
        pytest.param([3.0, 1.0, 2.0], 0.5, 2.0, id="order does not matter"),
        pytest.param([1.0, 2.0, 3.0, 4.0], 0.5, 2.0, id="nearest rank, nothing interpolated"),
        pytest.param(list(map(float, range(1, 101))), 0.95, 95.0, id="95 of 100"),
        pytest.param([1.0, 2.0], 0.0, 1.0, id="nothing is the smallest"),
        pytest.param([1.0, 2.0], 1.0, 2.0, id="all is the largest"),
    ],
)
def test_a_percentile_is_the_value_of_its_rank(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == expected


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 1.5), ([1.0], -0.1)])
def test_a_percentile_of_nothing_is_refused(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match="percentile"):
        percentile(values, share)


@pytest.mark.parametrize(
    ("figure", "kept"),
    [
        pytest.param(Figure("a", 2.0, "s"), True, id="without a limit"),
        pytest.param(Figure("a", 2.0, "s", 2.0), True, id="at a ceiling"),
        pytest.param(Figure("a", 2.1, "s", 2.0), False, id="above a ceiling"),
        pytest.param(Figure("a", 2.0, "s", 2.0, at_least=True), True, id="at a floor"),
        pytest.param(Figure("a", 1.9, "s", 2.0, at_least=True), False, id="below a floor"),
    ],
)
def test_a_limit_holds_or_is_missed(figure: Figure, kept: bool) -> None:
    assert figure.kept is kept


def test_the_table_names_what_is_missed_and_gives_no_verdict_without_a_limit() -> None:
    shown = table([Figure("speed", 2_500.4, "/s", 3_000, at_least=True, counts="9 files"), Figure("size", 1.234, "KB")])

    assert shown.splitlines()[2:] == [
        "| speed | 2,500 /s | ≥ 3,000 /s | MISSED | 9 files |",
        "| size | 1.23 KB |  |  |  |",
    ]


def test_the_cpu_of_a_call_comes_with_its_result() -> None:
    used, result = cpu_of(lambda: sum(range(1_000)))

    assert used >= 0
    assert result == 499_500


def test_a_program_is_accounted_for_and_its_exit_code_kept() -> None:
    used = run(["-c", "import sys; sys.exit(3)"], {"PATH": ""})

    assert used.code == 3
    assert used.cpu > 0
    assert used.peak_mb > 1
    assert sys.executable


def test_sizes_of_the_corpus_fall_and_sum_up() -> None:
    found = corpus.sizes()

    assert (len(found), sum(found), found[0]) == (100, 100_000, 15_000)
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize(
    ("hit", "answer", "right"),
    [
        (("aws:s3", "PutObject"), "s3:PutObject", True),
        (("aws:s3control", "PutObject"), "s3:PutObject", False),
        (("aws:s3", "PutObjectAcl"), "s3:PutObject", False),
        (("gcp:storage", "storage.objects.insert"), "gcs:objects.insert", True),
        (("gcp:compute", "compute.objects.insert"), "gcs:objects.insert", False),
        (
            ("pypi:azure-storage-blob", "azure.storage.blob.BlobClient.upload_blob"),
            "azblob:BlobClient.upload_blob",
            True,
        ),
        (
            ("pypi:azure-storage-blob", "azure.storage.blob.aio.MyBlobClient.upload_blob"),
            "azblob:BlobClient.upload_blob",
            False,
        ),
    ],
)
def test_a_hit_is_an_answer_only_of_its_own_library_and_name(hit: tuple[str, str], answer: str, right: bool) -> None:
    assert paraphrases.is_answer(hit, answer) is right


def test_the_rank_is_that_of_the_first_right_hit_among_ten() -> None:
    wrong = [("aws:s3", f"Other{number}") for number in range(9)]
    right = ("aws:s3", "PutObject")

    assert paraphrases.rank_of([*wrong, right, right], ["s3:PutObject"]) == 10
    assert paraphrases.rank_of([*wrong, wrong[0], right], ["s3:PutObject"]) == 0


@pytest.mark.parametrize(("ranks", "expected"), [([], 0.0), ([1, 2, 0, 4], 0.4375), ([0], 0.0)])
def test_the_mean_reciprocal_rank_counts_what_was_not_found_as_nothing(ranks: list[int], expected: float) -> None:
    assert paraphrases.mrr(ranks) == expected


def test_markdown_files_hold_all_sections_in_order() -> None:
    texts = [(f"Title {number}", "Text.") for number in range(85)]

    files = list(indexing.markdown_of(texts))

    assert len(files) == 3
    assert [line for file in files for line in file.splitlines() if line.startswith("## ")] == [
        f"## Title {number}" for number in range(85)
    ]


def test_questions_are_the_same_in_every_run_and_half_of_them_name_an_api() -> None:
    import random

    words = ["alpha", "bravo", "charlie", "delta", "echoes", "foxtrot"]
    chunks = [Chunk(f"api/{n}", "t", " ".join(words), "api_reference", symbol=f"service.Op{n}") for n in range(25)]

    found, again = (search_latency.questions_of(chunks, 6, random.Random(1)) for _ in range(2))

    assert found == again
    assert [len(one.split()) for one in found] == [5, 6] * 3
    assert all(one.startswith("Op") for one in found[1::2])
