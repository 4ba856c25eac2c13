"""Names of programming languages, in fences and on tabs."""

import pytest

from refdesk.domain.languages import is_language, language_name, language_of_label


@pytest.mark.parametrize(
    ("word", "name"), [("py", "python"), ("TSX", "typescript"), (" c# ", "csharp"), ("zig", "zig"), ("", "")]
)
def test_a_language_has_one_name(word: str, name: str) -> None:
    assert language_name(word) == name


@pytest.mark.parametrize(
    ("label", "language"),
    [
        ("Python", "python"),
        ("Python 3.10+", "python"),
        ("Python (v2)", "python"),
        ("JavaScript", "javascript"),
        ("Node.js", "javascript"),
        ("Node.js SDK", "javascript"),
        ("cURL", "bash"),
        (".NET", "csharp"),
        ("C++", "cpp"),
        ("npm", ""),
        ("Linux", ""),
        ("Pages Router", ""),
        ("", ""),
    ],
)
def test_the_label_of_a_tab_may_name_a_language(label: str, language: str) -> None:
    assert language_of_label(label) == language


def test_plain_text_is_no_language() -> None:
    assert not is_language("text")
    assert is_language("python")
