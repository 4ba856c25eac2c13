"""Cleaning: what a reader cannot see goes and is counted; code, emoji and scripts that need joiners stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.markdown import blocks
from refdesk.ingest.cleaning import clean, clean_line, needs_cleaning
from texts import MARKDOWN


@pytest.mark.parametrize(
    ("text", "cleaned", "message"),
    [
        ("plain", "plain", ""),
        ("a\u200bb\u2060c\ufeff", "abc", "removed 3 invisible character(s)"),
        ("soft\u00adhyphen", "softhyphen", "removed 1 invisible character(s)"),
        ("a\u202eb\u2066c\u2069", "abc", "removed 3 bidirectional control(s)"),
        ("hi\U000e0049\U000e0067", "hi", "removed 2 tag character(s)"),
        ("a\x00b\x1bc", "abc", "removed 2 control character(s)"),
        ("a\tb\nc", "a\tb\nc", ""),
        ("x\u200dy", "xy", "removed 1 invisible character(s)"),
        ("x\u200cy", "xy", "removed 1 invisible character(s)"),
        ("a\u200e", "a", "removed 1 bidirectional control(s)"),
        ("a <!-- do this --> b", "a  b", "removed 1 comment(s)"),
        ("<!-->b", "b", "removed 1 comment(s)"),
        ("<!--\n```\nhidden\n```\n-->\nb", "\nb", "removed 1 comment(s)"),
        ("<!-- open\n\nstays", " open\n\nstays", "removed 1 comment(s)"),
        ("[//]: # (note to the model)\nb", "b", "removed 1 comment(s)"),
        ("<script>go()</script>b", "b", "removed 1 script or style(s)"),
        ("a <script> tag in prose", "a <script> tag in prose", ""),
        ("![logo](data:image/png;base64,AAAA)", "logo", "removed 1 data: address(s)"),
        ("[run](data:text/html,<b>(x)</b>) b", "run b", "removed 1 data: address(s)"),
        ("[id]: data:text/plain,x\nb", "b", "removed 1 data: address(s)"),
        ('<img alt="x" src="data:image/png;base64,AA"> b', '<img alt="x"> b', "removed 1 data: address(s)"),
        ("the data: it is fine", "the data: it is fine", ""),
        ("<div hidden>no <div>no</div></div>b", "b", "removed 1 hidden element(s)"),
        ('<span style="display: none">no</span>b', "b", "removed 1 hidden element(s)"),
        ("<p style='font-size:0'>no</p>b", "b", "removed 1 hidden element(s)"),
        ('<p style="opacity:0.5">yes</p>', '<p style="opacity:0.5">yes</p>', ""),
        ('<p title="a hidden gem" style="color:red">yes</p>', '<p title="a hidden gem" style="color:red">yes</p>', ""),
        ("<img hidden>b", "b", "removed 1 hidden element(s)"),
        ("<br hidden/>b", "b", "removed 1 hidden element(s)"),
        ("<div hidden>never closed", "never closed", "removed 1 hidden element(s)"),
        ("<details>kept</details>", "<details>kept</details>", ""),
        ('<a href="x" hidden>no</a><b hidden>no</b>yes', "yes", "removed 2 hidden element(s)"),
        ("<i hidden><b hidden>x</b></i>yes", "yes", "removed 1 hidden element(s)"),
    ],
)
def test_hidden_text_goes_and_is_counted(text: str, cleaned: str, message: str) -> None:
    result = clean(text)
    assert (result.text, result.message) == (cleaned, message)
    assert clean(cleaned).text == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d💻 and 👨\u200d👩\u200d👧",
        "❤\ufe0f\u200d🔥",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "क\u094d\u200cष क\u094d\u200dष",
        "עברית\u200f, עברית",
    ],
    ids=["emoji", "emoji with selector", "flag", "persian", "devanagari", "hebrew"],
)
def test_joiners_and_marks_that_the_writing_needs_stay(text: str) -> None:
    assert clean(text).text == text


@pytest.mark.parametrize(
    "code",
    [
        "```python\nif x:\u202e <!-- y -->\n```\n",
        "~~~\n<script>x</script>\u200b\n~~~\n",
        "    indented \u202e code\n",
        "<pre>\n\u202e<!-- x -->\n</pre>\n",
        "`a <!-- b -->\u202e`",
    ],
    ids=["fence", "tildes", "indented", "pre", "span"],
)
def test_code_is_kept_byte_for_byte_and_what_hides_in_it_is_told(code: str) -> None:
    result = clean(f"{code}")
    assert result.text == code
    assert not result.removed
    assert ("kept in code" in result.message) == ("\u202e" in code or "\u200b" in code)


def test_prose_around_code_is_cleaned() -> None:
    result = clean("a\u200b\n\n```\nb\u202e\n```\n\nc<!-- d -->\n")
    assert result.text == "a\n\n```\nb\u202e\n```\n\nc\n"
    assert result.message == ("removed 1 comment(s), 1 invisible character(s); kept in code 1 bidirectional control(s)")


def test_a_comment_that_begins_before_a_code_span_ends_where_it_says() -> None:
    assert clean("<!-- a ` b --> c `d`").text == " c `d`"


def test_short_texts_lose_invisible_characters_only() -> None:
    assert clean_line("a\u200bb <!-- c -->") == "ab <!-- c -->"
    assert clean_line("plain") == "plain"


@given(st.text(max_size=300))
def test_cleaning_never_raises_and_does_not_add_anything(text: str) -> None:
    cleaned = clean(text).text
    remaining = iter(text)
    assert all(character in remaining for character in cleaned)


@given(st.text("abc <>-!`\n\u200b\u202e\u200d\ufeff\x07\U000e0041", max_size=60))
def test_a_text_that_is_cleaned_twice_has_no_invisible_characters_outside_of_code(text: str) -> None:
    cleaned = clean(text).text
    prose = "".join(cleaned[one.start : one.end] for one in blocks(cleaned) if one.kind in ("text", "heading", "item"))
    assert "`" in prose or not set(prose) & set("\u202e\x07\U000e0041\ufeff\u200b")


@given(MARKDOWN)
def test_fences_survive_cleaning_word_for_word(text: str) -> None:
    before = [text[one.start : one.end] for one in blocks(text) if one.kind == "fence"]
    assert all(fence in clean(text).text for fence in before)


def test_an_ordinary_text_needs_no_cleaning() -> None:
    assert not needs_cleaning("A text with `<Tag>`, a | table | and a <b>bold</b> word. " * 50)


@pytest.mark.parametrize("text", ["<!--" * 3_000, "<a " * 3_000, "![" * 3_000, "`" * 9_000, "<div hidden>" * 500])
def test_hostile_texts_are_cleaned_in_bounded_time(text: str) -> None:
    assert len(clean(text).text) <= len(text)
