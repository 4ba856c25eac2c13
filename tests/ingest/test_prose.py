import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.symbols import Deprecation
from refdesk.ingest.prose import deprecation, deprecation_from_note, summary

SUMMARIES = {
    "one sentence of two": ("Opens the gate. Then it waits.", "Opens the gate."),
    "sentence over two lines": ("Opens the\n   gate.\nThen it waits.", "Opens the gate."),
    "call-out before prose is passed over": ("> **Note:** Only at night.\n\nOpens the gate.", "Opens the gate."),
    "call-out alone": ("> **Note:** Only at night.", "Note: Only at night."),
    "heading, list, table, fence and rule are passed over": (
        "# Gate\n\n- a\n- b\n\n| a |\n|---|\n\n```\nx = 1\n```\n\n---\n\nOpens it.",
        "Opens it.",
    ),
    "no prose at all": ("# Gate\n\n- a", ""),
    "empty": ("", ""),
    "link becomes its text": ("See [the gate](https://x.example/a_(b) \"t\") and [more][1].", "See the gate and more."),
    "image becomes its text": ("![Gate](g.png) opens.", "Gate opens."),
    "emphasis and code lose their marks": ("**Opens** the *old* `gate_name` _now_.", "Opens the old gate_name now."),
    "stars in code and in names stay": ("Takes `**kwargs` and a_b_c.", "Takes **kwargs and a_b_c."),
    "escapes are taken off": (r"Multiplies a \* b and c\_d.", "Multiplies a * b and c_d."),
    "roles lose their prefix": ("Calls :py:meth:`Gate.open` twice.", "Calls Gate.open twice."),
    "full stop inside code does not end it": ("Calls `gate. Open` twice. Then stops.", "Calls gate. Open twice."),
    "abbreviation does not end it": ("Takes e.g. Anna, i.e. People. Stops.", "Takes e.g. Anna, i.e. People."),
    "small letter after the stop does not end it": ("Reads file.txt. then stops. Done.", "Reads file.txt. then stops."),
    "version does not end it": ("Since 1.2 it opens. Done.", "Since 1.2 it opens."),
    "label takes the next along": ("[Input only] Immutable. A key. Done.", "[Input only] Immutable. A key."),
    "labels alone": ("Optional.", "Optional."),
    "list right behind the sentence is left out": ("Opens one of:\n- a\n- b", "Opens one of"),
    "CJK full stop": ("打开大门，然后一直等到有人走过去为止。然后关门。", "打开大门，然后一直等到有人走过去为止。"),
}  # fmt: skip


@pytest.mark.parametrize(("markdown", "expected"), SUMMARIES.values(), ids=SUMMARIES)
def test_summary_is_the_first_plain_sentence(markdown: str, expected: str) -> None:
    assert summary(markdown) == expected


def test_a_long_summary_is_cut_at_a_word() -> None:
    said = summary("word " * 60 + "end.")
    assert said == "word " * 38 + "word…"
    assert len(said) <= 200


def test_a_long_word_is_cut_where_it_must() -> None:
    assert summary("x" * 300) == "x" * 199 + "…"


@given(st.text())
def test_a_summary_is_one_line_of_at_most_200_characters(text: str) -> None:
    said = summary(text)
    assert len(said) <= 200
    assert len(said.splitlines()) <= 1


# What the sentence says → since, replacement.
DEPRECATED = {
    "colon and code": ("Deprecated: Use `allDrives` instead.", "", "allDrives"),
    "bare word": ("Deprecated.", "", ""),
    "bare word without a stop": ("DEPRECATED", "", ""),
    "in brackets": ("(Deprecated) The colour of the gate.", "", ""),
    "in square brackets": ("[DEPRECATED] Keys are gone. Use CMEK instead.", "", "CMEK"),
    "bold": ("**Deprecated.** Use the new `score` field instead.", "", "score"),
    "at sign": ("@deprecated. Use storage_allocations instead", "", "storage_allocations"),
    "dash": ("DEPRECATED -- use “x”.", "", "“x”"),
    "semicolon": ("This operation is deprecated; use OpenGate.", "", "OpenGate"),
    "after other sentences": ("Opens it. Deprecated: Please use `open_gate`.", "", "open_gate"),
    "in a later paragraph": ("Opens it.\n\nThis method is deprecated.", "", ""),
    "in a call-out of its own words": ("> **Note:** `Gate` is gone.\n>\n> This gate API is deprecated.", "", ""),
    "in a call-out": ("> **Note:** This API has been deprecated in favor of OpenGate.", "", "OpenGate"),
    "after Note that": ("Note that this field is deprecated.", "", ""),
    "since a version": ("Deprecated since version 1.2", "1.2", ""),
    "since a version, use": ("Deprecated since 2.1: Use `paths` instead.", "2.1", "paths"),
    "as of a release name": ("This field is deprecated as of V12 and will be removed.", "V12", ""),
    "in a version": ("This function was deprecated in v3.4.1.", "3.4.1", ""),
    "since a date": ("This action has been deprecated since May 3, 2024.", "May 3, 2024", ""),
    "removal is no since": ("This option is deprecated and will be removed in version 3.0.", "", ""),
    "a shout at the beginning": ("DEPRECATED Width of the gate.", "", ""),
    "obsolete in favour": ("Obsolete in favor of OpenGate.", "", "OpenGate"),
    "no longer used": ("This parameter is no longer used.", "", ""),
    "no longer supported": ("This API parameter is no longer supported.", "", ""),
    "superseded by": ("This API operation is superseded by OpenGates, which opens several.", "", "OpenGates"),
    "replaced by": ("Replaced by CreateGate in the Gates Namespace", "", "CreateGate in the Gates Namespace"),
    "instead, use": ("This field has been deprecated. Instead, use the KeySpec field.", "", "KeySpec"),
    "second sentence that says how": ("This field is deprecated. To find gates, use `FindGates`.", "", "FindGates"),
    "third sentence with instead": ("This field is deprecated. It opened it. Use B instead.", "", "B"),
    "several replacements": ("Deprecated, use A or B instead", "", "A or B"),
    "dotted name and brackets": ("This field is deprecated, use a.b[].c instead.", "", "a.b[].c"),
    "alternatives in brackets": ("This field is deprecated. Please use one of [A, B].", "", "one of [A, B]"),
    "quoted name": ("Deprecated: please use the 'types' field to say which", "", "types"),
    "kind words are left out": ("Deprecated. Use the OpenGate API action.", "", "OpenGate"),
    "link as replacement": ("Deprecated. Use [OpenGate](https://x.example/open) instead.", "", "OpenGate"),
    "advice without a name": ("Deprecated. Use one of the following fields instead:\n- a", "", ""),
    "using it is no advice": ("This field is deprecated. You can use it to open.", "", ""),
    "advice that is no name": ("Deprecated. Use the API.", "", ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "since", "replacement"), DEPRECATED.values(), ids=DEPRECATED)
def test_prose_says_that_its_subject_is_deprecated(text: str, since: str, replacement: str) -> None:
    found = deprecation(text)
    assert found is not None
    assert (found.evidence, found.since, found.replacement) == ("prose", since, replacement)
    assert found.note


NOT_DEPRECATED = {
    "no word of it": "Opens the gate.",
    "something else is deprecated": "This field replaces the deprecated `latLong`.",
    "used with something deprecated": "This structure is only used with the deprecated RunSql operation.",
    "a state": "The state: ACTIVE or DEPRECATED.",
    "a state in a list": "One of:\n\n- ACTIVE\n- DEPRECATED – it can no longer be chosen",
    "a state in a list behind a sentence": "One of:\n- ACTIVE\n- DEPRECATED – gone",
    "a state in code": "Is set when the image leaves `ACTIVE`. `DEPRECATED` is final.",
    "a heading": "# Deprecated\n\nLists what is old.",
    "plural noun behind it": "Deprecated extensions cannot be used.",
    "only announced": "This operation may be deprecated in the future.",
    "only planned": "This method will be deprecated soon.",
    "on a condition": "This parameter is deprecated when Mode is set.",
    "one value of it": "The NOT_FOUND value has been deprecated and replaced by GONE.",
    "another name": "CLUSTER_NAME has been deprecated.",
    "a thing that does it": "Deprecates the image.",
    "no longer used by others": "Deletes an address that is no longer used.",
    "no longer in one place": "This item is no longer used by the pool.",
    "replaced text": "After this time the instance is terminated and replaced by a new instance.",
    "the question itself": "Whether the command has been deprecated.",
    "code": "```\n# Deprecated: x\n```",
}  # fmt: skip


@pytest.mark.parametrize("text", NOT_DEPRECATED.values(), ids=NOT_DEPRECATED)
def test_prose_that_speaks_of_something_else_is_no_deprecation(text: str) -> None:
    assert deprecation(text) is None


def test_the_subjects_own_name_counts_only_when_it_is_given() -> None:
    text = "LoggingInfo has been deprecated. To choose a bucket, use Target instead."
    assert deprecation(text) is None
    assert deprecation(text, "OtherInfo") is None
    assert deprecation(text, "LoggingInfo") == Deprecation("prose", replacement="Target", note=text)


@pytest.mark.parametrize(
    "text",
    [
        "Bundles.\n\n> **Note:** BundleGate is no longer supported. Use `B` instead.",
        "> **Important:** The `BundleGate` API is being deprecated, use `B` instead.",
    ],
)
def test_the_subject_may_be_called_by_its_name_and_kind(text: str) -> None:
    found = deprecation(text, "BundleGate")
    assert found is not None
    assert found.replacement == "B"


@pytest.mark.parametrize(
    "text",
    [
        "BundleGate is no longer supported by old keys.",
        "The BundleGate parameter is no longer supported.",
        "BundleGate is being deprecated only for guests.",
        "Deprecated width of the gate.",
    ],
)
def test_something_about_the_subject_is_not_the_subject(text: str) -> None:
    assert deprecation(text, "BundleGate") is None


def test_the_note_leaves_the_label_of_a_call_out_away() -> None:
    found = deprecation("> **Note:** This action is deprecated.")
    assert found == Deprecation("prose", note="This action is deprecated.")


def test_the_note_is_what_says_it_and_what_to_do() -> None:
    found = deprecation("Opens it. This is deprecated. Use `B` instead. Gates are made of wood.")
    assert found == Deprecation("prose", replacement="B", note="This is deprecated. Use `B` instead.")


NOTES = {
    "nothing said": ("", "", ""),
    "only a date": ("since: 2022-08-30", "2022-08-30", ""),
    "end of support": ("End of support notice: On May 7, 2026, support ended.", "May 7, 2026", ""),
    "planned end": ("This API will be discontinued starting June 1, 2024.", "June 1, 2024", ""),
    "only advice": ("Use OpenGate.", "", "OpenGate"),
    "use as a noun": ("This type is for internal use and not for you.", "", ""),
    "use in a condition": ("If you use the parameter, nothing happens.", "", ""),
    "too long to be a name": ("Use " + "very " * 40 + "much", "", ""),
}


@pytest.mark.parametrize(("note", "since", "replacement"), NOTES.values(), ids=NOTES)
def test_a_flag_takes_date_and_replacement_from_its_message(note: str, since: str, replacement: str) -> None:
    assert deprecation_from_note(note) == Deprecation("flag", since, replacement, note)


@given(st.text(alphabet="Dd eprcat.:*`[]()\n->useinsteadX", max_size=200))
def test_reading_prose_never_fails(text: str) -> None:
    found = deprecation(text, "X")
    assert found is None or found.note
