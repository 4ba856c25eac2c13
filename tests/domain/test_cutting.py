"""Cutting pages for reading: every part within its budget, whole Markdown, and nothing lost between them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdesk.domain.cutting import LEAST_TOKENS, Piece, Slicer, cut
from refdesk.domain.errors import InvalidInput
from refdesk.domain.markdown import balanced, blocks, close_fences
from refdesk.domain.text import estimate_tokens
from texts import MARKDOWN


def pieces(text: str, budget: int) -> list[Piece]:
    found = [cut(text, budget)]
    while (following := found[-1].next) is not None:
        found.append(cut(text, budget, following))
    return found


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def test_a_text_that_fits_is_one_part() -> None:
    text = "# A\n\nText.\n"
    assert cut(text, 50) == Piece(text, None, 0, 3)


def test_an_empty_text_is_one_empty_part() -> None:
    assert cut("", 50) == Piece("", None, 0, 0)


def test_parts_end_at_section_borders() -> None:
    text = "".join(f"## Section {number}\n\n{words(25)}\n\n" for number in range(6))
    assert [piece.text.count("## ") for piece in pieces(text, 100)] == [2, 2, 2]
    assert all(piece.text.startswith("## Section") for piece in pieces(text, 100))


def test_a_section_that_is_too_long_is_cut_between_paragraphs() -> None:
    text = "# A\n\n" + "\n\n".join(words(15, f"w{number}") for number in range(12))
    parts = pieces(text, 60)
    assert len(parts) > 2
    assert all(piece.text.endswith("\n\n") for piece in parts[:-1])


def test_a_code_block_that_fits_alone_is_not_cut() -> None:
    code = "```python\n" + "x = 1\n" * 25 + "```\n"
    text = f"# A\n\n{words(30)}\n\n{code}\n{words(30)}\n"
    assert sum(code in piece.text for piece in pieces(text, 55)) == 1


def test_a_code_block_that_is_too_large_is_cut_at_blank_lines_and_opened_again() -> None:
    body = "\n\n".join("\n".join(f"line_{number}_{line} = 1" for line in range(6)) for number in range(6))
    text = f'~~~~ python title="a b"\n{body}\n~~~~\n'
    parts = pieces(text, 60)
    assert len(parts) > 2
    for piece in parts:
        assert piece.text.startswith('~~~~ python title="a b"\n')
        assert piece.text.rstrip().endswith("~~~~")
    assert all(piece.text.removesuffix("~~~~\n").endswith("\n\n") for piece in parts[:-1])


def test_the_code_of_a_list_item_is_opened_again_at_its_indentation() -> None:
    text = "- ```js\n" + "  call();\n" * 60 + "  ```\n"
    second = pieces(text, 60)[1].text
    assert second.startswith("  ```js\n  call();\n")
    assert balanced(second)


def test_the_code_of_a_quotation_is_opened_again_inside_it() -> None:
    second = pieces("> ```js\n" + "> call();\n" * 60 + "> ```\n", 60)[1].text
    assert second.startswith("> ```js\n> call();\n")


def test_a_table_that_is_too_large_repeats_its_header() -> None:
    header = "| name | meaning |\n|---|---|\n"
    parts = pieces(header + "".join(f"| n{number} | {words(5)} |\n" for number in range(30)), 60)
    assert len(parts) > 2
    assert all(piece.text.startswith(header) for piece in parts)
    assert all(piece.text.endswith(" |\n") for piece in parts)


def test_a_pre_element_that_is_too_large_is_opened_again() -> None:
    parts = pieces("<pre>\n" + "some text\n" * 60 + "</pre>\n", 60)
    assert all(piece.text.startswith("<pre>\n") and piece.text.endswith("</pre>\n") for piece in parts)


def test_a_heading_does_not_stand_alone_at_the_end_of_a_part() -> None:
    text = f"{words(30)}\n\n## Next\n\n{words(30)}\n"
    assert [piece.text.split("\n")[0][:7] for piece in pieces(text, 50)] == ["word wo", "## Next"]


def test_a_line_that_announces_code_stays_with_it() -> None:
    code = "```\n" + "x = 1\n" * 20 + "```\n"
    text = f"{words(20)}\n\nLike this:\n\n{code}"
    assert pieces(text, 60)[1].text == f"Like this:\n\n{code}"


def test_long_paragraphs_are_cut_between_sentences() -> None:
    text = " ".join(f"This is sentence number {number} of the text." for number in range(30))
    assert all(piece.text.rstrip().endswith(".") for piece in pieces(text, 60))


def test_a_word_that_is_too_long_is_cut_anywhere() -> None:
    assert [len(piece.text) for piece in pieces("x" * 500, 50)] == [200, 200, 100]


def test_chinese_sentences_are_borders_too() -> None:
    assert all(piece.text.endswith("。") for piece in pieces("这是一个句子。" * 100, 50))


def test_an_opening_line_that_eats_the_budget_is_shortened_when_repeated() -> None:
    text = f"```python {words(25)}\n" + "x = 1\n" * 60 + "```\n"
    parts = pieces(text, 60)
    assert parts[1].text.startswith("```\nx = 1\n")
    assert all(balanced(piece.text) for piece in parts)


def test_a_header_that_eats_the_budget_is_not_repeated() -> None:
    text = f"| {words(30)} |\n|---|\n" + "| x |\n" * 60
    assert pieces(text, 50)[-1].text.startswith("| x |\n")


@pytest.mark.parametrize("text", [f"```{words(90)}\nx\n```\n", f"| {words(90)} |\n|---|\n| x |\n| y |\n"])
def test_an_opening_that_is_larger_than_the_budget_does_not_stop_the_reading(text: str) -> None:
    assert "".join(text[piece.start : piece.next] for piece in pieces(text, 50)) == text


@pytest.mark.parametrize(("budget", "start"), [(LEAST_TOKENS - 1, 0), (0, 0), (-1, 0), (100, -1), (100, 6)], ids=str)
def test_a_budget_or_offset_that_cannot_be_is_refused(budget: int, start: int) -> None:
    with pytest.raises(InvalidInput) as raised:
        cut("12345", budget, start)
    assert raised.value.suggestion


def test_reading_on_at_the_end_gives_an_empty_part() -> None:
    assert cut("12345", 50, 5) == Piece("", None, 5, 2)


@settings(max_examples=200)
@given(MARKDOWN.map(close_fences), st.integers(LEAST_TOKENS, 300))
def test_parts_of_any_text_are_whole_within_budget_and_lose_nothing(text: str, budget: int) -> None:
    parts = pieces(text, budget)
    for piece in parts:
        assert estimate_tokens(piece.text) <= budget
        assert balanced(piece.text)
        assert text[piece.start : piece.next].rstrip("\n") in piece.text
        assert piece.total_tokens == estimate_tokens(text)
    assert "".join(text[piece.start : piece.next] for piece in parts) == text


@given(st.text(max_size=2_000), st.integers(LEAST_TOKENS, 100))
def test_any_characters_are_cut_with_progress(text: str, budget: int) -> None:
    parts = pieces(text, budget)
    assert "".join(text[piece.start : piece.next] for piece in parts) == text
    assert len(parts) <= len(text) + 1


@given(MARKDOWN.map(close_fences), st.integers(200, 900), st.data())
def test_a_range_is_cut_into_parts_that_cover_it(text: str, characters: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    found = list(Slicer(text, blocks(text)).parts(start, len(text), characters))
    assert [start, *(end for _, end in found)] == [*(begin for begin, _ in found), len(text)]


@pytest.mark.parametrize("mark", ["```js x", "~~~ x", "x ```` y"])
def test_a_cut_inside_a_line_makes_no_half_of_it_a_fence(mark: str) -> None:
    text = "Text " + f"{mark} " * 200
    at: int | None = 0
    found: list[str] = []
    while at is not None:
        piece = cut(text, 50, at)
        found.append(piece.text)
        at = piece.next
    assert all(balanced(one) for one in found)
    assert len(found) > 3


def test_what_is_shown_of_a_block_is_the_callers_choice() -> None:
    text = "One.\n\n```\ncode\n```\n\nTwo.\n"
    slicer = Slicer(text, blocks(text))
    loud = slicer.part(0, len(text), 1_000, lambda block, part: part.upper() if block.kind == "text" else part)
    assert loud == "ONE.\n\n```\ncode\n```\n\nTWO.\n"


def test_a_line_of_which_every_rest_looks_like_a_fence_is_cut_all_the_same() -> None:
    text = "x " + "`" * 900
    start: int | None = 0
    starts = []
    while start is not None:
        piece = cut(text, LEAST_TOKENS, start)
        starts.append(piece.start)
        start = piece.next
    assert starts == sorted(set(starts))
    assert len(starts) > 1
