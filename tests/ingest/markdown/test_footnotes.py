"""Footnotes travel with the part that refers to them."""

import pytest

from refdesk.ingest.markdown.sections import LARGEST
from sites import chunks_of

NOTES = "\n[^1]: A constant rate.\n[^long]: " + "x" * 700 + "\n"


def texts(text: str) -> list[str]:
    return [chunk.text for chunk in chunks_of(text + NOTES)]


def test_a_part_carries_the_note_that_it_refers_to() -> None:
    first, *_others = texts("# A\n\nRamps[^1].\n\n## B\n\nOther words.\n")
    assert first == "# A\n\nRamps[^1].\n\n[^1]: A constant rate."


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("No note.", id="none"),
        pytest.param("A note[^2] that is nowhere.", id="unknown"),
        pytest.param("A note[^long] as long as a page.", id="long"),
        pytest.param("[^1]: another one", id="its own"),
    ],
)
def test_nothing_is_added_to_a_part_that_needs_nothing(text: str) -> None:
    first, *_others = texts(f"# A\n\n{text}\n\n## B\n\nOther words.\n")
    assert first == f"# A\n\n{text}"


def test_what_looks_like_a_note_in_code_is_none() -> None:
    first, *_others = texts("# A\n\nSee[^3].\n\n```\n[^3]: x\n```\n\n## B\n\nOther words.\n")
    assert first.endswith("```\n[^3]: x\n```")


def test_a_part_never_grows_too_large() -> None:
    assert max(map(len, texts("# A\n\n" + "Ramps[^1] are words. " * 1000 + "\n\n## B\n\nWords.\n"))) <= LARGEST
