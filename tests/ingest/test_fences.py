import pytest

from refdesk.ingest.fences import fenced, fenced_lines, guess_language


def test_a_fence_is_longer_than_those_inside() -> None:
    assert fenced("```\na\n```", "md") == "````md\n```\na\n```\n````"
    assert fenced_lines("a\n\nb\n", "") == ["```", "a", "", "b", "```"]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        (">>> a", "pycon"),
        ("$ ls", "console"),
        ("a = 1", "python"),
        ("import a", "python"),
        ("a b c", ""),
        ("x = = 1", ""),
        ("word", ""),
    ],
)
def test_the_language_of_code_is_only_said_if_it_is_known(code: str, language: str) -> None:
    assert guess_language(code) == language
