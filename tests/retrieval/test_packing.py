import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Chunk
from refdesk.domain.markdown import balanced
from refdesk.domain.text import estimate_tokens
from refdesk.retrieval.layout import Candidate
from refdesk.retrieval.packing import LONGEST, SHORTEST, fit, snippet
from refdesk.retrieval.search import Ranked
from refdesk.retrieval.trace import Trace

PROSE = " ".join(f"Sentence number {number} talks about nothing much." for number in range(60))
NEEDLE = PROSE.replace("Sentence number 20 talks", "Multipart uploads of policies abort")
CODE = "Intro line.\n\n```python\n" + "".join(f"call_{number}(argument={number})\n" for number in range(60)) + "```\n"
LINE = "word " * 300 + "needle " + "word " * 300


def chunk(text: str, title: str = "Title") -> Chunk:
    return Chunk("page/a.md#1", title, text, "howto")


def ranked(*texts: str) -> list[Ranked]:
    trace = Trace((), 0.5, (), 0.5)
    return [Ranked(Candidate(0, row), chunk(text), 0.5, trace) for row, text in enumerate(texts)]


def test_a_short_text_is_shown_whole() -> None:
    assert snippet(chunk("All of it.\n\n- a\n- b"), ("a",)) == "All of it.\n\n- a\n- b"


def test_a_first_heading_that_repeats_the_title_is_left_out() -> None:
    assert snippet(chunk("## `PutObject`\n\nAdds an object.", "PutObject"), ()) == "Adds an object."
    assert snippet(chunk("## Other\n\nAdds an object.", "PutObject"), ()) == "## Other\n\nAdds an object."


def test_the_part_with_the_terms_is_shown_in_whole_sentences() -> None:
    found = snippet(chunk(NEEDLE), ("multipart", "upload", "policy", "abort"), 200)
    assert "Multipart uploads of policies abort about nothing much." in found
    assert re.fullmatch(r"… Sentence number \d+ talks .* much\. …|… Multipart .*\. …", found)
    assert len(found) <= 200 + 4


@pytest.mark.parametrize("terms", [(), ("nowhere",), ("sentence", "number")])
def test_without_a_better_part_the_beginning_is_shown(terms: tuple[str, ...]) -> None:
    found = snippet(chunk(PROSE), terms, 200)
    assert found.startswith("Sentence number 0 talks")
    assert found.endswith("much. …")


def test_notes_that_stand_before_the_beginning_are_passed_over_unless_they_answer() -> None:
    text = f"> **Note:** Support for tapes has ended.\n>\n> Use disks.\n\n{PROSE}"
    assert snippet(chunk(text), ("sentence",), 200).startswith("… Sentence number 0")
    assert snippet(chunk(text), ("tape", "disk"), 200).startswith("> **Note:** Support for tapes")
    assert snippet(chunk("> A quote of the master. " * 30), (), 200).startswith("> A quote")


def test_a_term_that_is_everywhere_does_not_hide_where_the_rare_one_is() -> None:
    found = snippet(chunk(NEEDLE), ("sentence", "multipart"), 200)
    assert "Multipart" in found


def test_code_is_cut_between_lines_and_stays_fenced() -> None:
    found = snippet(chunk(CODE), ("call_40",), 200)
    assert "call_40(argument=40)" in found
    assert found.startswith("```python\ncall_")
    assert found.endswith("```\n…")
    assert balanced(found)
    assert re.search(r"^call_\d+\(argument=\d+\)\n```\n…\Z", found, re.MULTILINE)


def test_a_line_that_is_too_long_by_itself_is_cut_between_words_around_the_term() -> None:
    found = snippet(chunk(LINE), ("needle",), 200)
    assert "needle" in found
    assert set(found.split()) == {"…", "word", "needle"}
    assert len(found) <= 204


def test_text_without_any_place_to_cut_is_cut_hard() -> None:
    found = snippet(chunk("x" * 900 + "needle" + "x" * 900), ("needle",), 200)
    assert "needle" in found
    assert len(found) <= 204


@pytest.mark.parametrize(
    ("term", "text"),
    [("s3", "The bucket of S3 here."), ("文件", "上传文件到桶"), ("policy", "Two policies."), ("put", "One put.")],
)
def test_terms_are_found_as_they_are_written(term: str, text: str) -> None:
    filler = "\n".join(f"Nothing here as{number}s3x computer." for number in range(60))
    assert text in snippet(chunk(f"{filler}\n{text}\n{filler}"), (term,), 200)


def test_hits_fit_the_budget_together() -> None:
    packed = fit(ranked(*[PROSE] * 5), 700, ("sentence",))
    assert len(packed) == 5
    assert sum(one.tokens for one in packed) <= 700
    assert all(one.tokens >= estimate_tokens(one.snippet) for one in packed)


def test_room_that_short_hits_leave_goes_to_later_ones() -> None:
    alone = fit(ranked(PROSE, PROSE, PROSE), 330, ("sentence",))[-1]
    after_short = fit(ranked("Short.", "Short.", PROSE), 330, ("sentence",))[-1]
    assert len(after_short.snippet) > len(alone.snippet)


def test_hits_beyond_the_budget_are_left_out_from_the_end_and_the_first_is_kept() -> None:
    assert [one.ranked.candidate.row for one in fit(ranked(*[PROSE] * 50), 700, ())] == list(range(10))
    assert len(fit(ranked(PROSE, PROSE), 1, ())) == 1
    assert fit([], 1_500, ()) == []


def test_no_snippet_is_longer_than_a_hit_may_show() -> None:
    assert len(fit(ranked(PROSE), 100_000, ())[0].snippet) <= LONGEST + 4


pieces = st.sampled_from(
    ["A sentence here. ", "needle ", "\n\n", "```py\n", "```\n", "x = 1\n", "| a | b |\n|---|---|\n", "| 1 | 2 |\n",
     "- item\n", "> quote\n", "# Head\n", "长长的句子。", "word" * 60 + " ", "~~~\n", "…", "\t"]
)  # fmt: skip


@given(st.lists(pieces, max_size=120).map("".join), st.sampled_from([(), ("needle",), ("sentence", "x")]))
def test_any_text_gives_a_balanced_bounded_snippet(text: str, terms: tuple[str, ...]) -> None:
    found = snippet(chunk(text), terms, SHORTEST)
    assert balanced(found) or not balanced(text)
    assert len(found) <= SHORTEST * 2
    assert found == snippet(chunk(text), terms, SHORTEST)


SUMMARY = "Starts an upload in parts."
RELATED = (
    "The following are related:\n\n- [UploadPart](https://x.test/upload)\n- [AbortUpload](https://x.test/abort)\n\n"
)


def test_a_symbol_says_first_what_it_is_and_then_what_answers() -> None:
    found = snippet(chunk(f"{SUMMARY} {NEEDLE}"), ("multipart",), 300, SUMMARY)
    assert found.startswith(f"{SUMMARY}\n\n… ")
    assert "Multipart uploads of policies" in found
    assert len(found) <= 300 + 4


@pytest.mark.parametrize(
    "text",
    ["Starts an *upload* in parts. And more.", "> Note.\n\nStarts an upload in parts.", f"{SUMMARY} {PROSE}"],
    ids=["with marks", "behind a note", "at the beginning of a long text"],
)
def test_a_part_that_says_the_summary_is_not_told_twice(text: str) -> None:
    found = snippet(chunk(text), ("nowhere",), 200, SUMMARY)
    assert not found.startswith(f"{SUMMARY}\n\n")
    assert text.startswith(found.removesuffix(" …"))


def test_a_summary_that_leaves_no_room_is_shown_alone() -> None:
    summary = "Starts one upload after the other." + " Starts one more." * 6
    assert snippet(chunk(NEEDLE), ("multipart",), SHORTEST, summary) == summary


def test_every_hit_gets_the_summary_of_its_own_symbol() -> None:
    packed = fit(ranked(PROSE, NEEDLE), 1_500, ("multipart",), lambda one: f"It is {one.candidate.row}.")
    assert [one.snippet[:9] for one in packed] == ["It is 0.\n", "It is 1.\n"]
    assert sum(one.tokens for one in packed) <= 1_500


def test_lists_of_related_things_and_addresses_do_not_answer() -> None:
    text = f"{PROSE}\n\n{RELATED}{PROSE} An upload is in [parts](https://x.test/abort)."
    found = snippet(chunk(text), ("upload", "abort"), 200)
    assert "An upload is in [parts]" in found
    assert "UploadPart" not in found
    at_the_border = snippet(chunk(f"{RELATED}Uploads may be big. {PROSE}"), ("upload",), 200)
    assert at_the_border.startswith("… Uploads may be big.")
    before_it = snippet(chunk(f"{PROSE}\n\nUploads may be big.\n\n{RELATED}"), ("upload",), 60)
    assert before_it == "… Uploads may be big. …"
