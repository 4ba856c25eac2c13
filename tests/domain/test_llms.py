"""`llms.txt` and `llms-full.txt`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.llms import FullPage, is_llms, links_of, pages_of, path_of_full

URL = "https://docs.example.org/llms-full.txt"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"# Box\n\n> A box.\n", True),
        (b"\xef\xbb\xbf\n# Box\n", True),
        (b"---\ntitle: Box\n---\n", True),
        (b'<doc url="a">\n', True),
        (b"Read [this](a.md) first.\n", True),
        (b"<!doctype html><html><body><a href=x>[a](b)</a>", False),
        (b"<html>", False),
        (b"Not found", False),
        (b"", False),
    ],
)
def test_an_html_page_served_as_llms_txt_is_told_apart(content: bytes, expected: bool) -> None:
    assert is_llms(content) is expected


def test_links_are_taken_in_order_and_once() -> None:
    text = """# Box
## Guide
- [Start [now]](/start.md): first
- [Start again](https://docs.example.org/start.md#part)
- [Other](<https://other.example.org/a b>) [Mail](mailto:a@example.org) [Self](llms.txt)
## Optional
- [Api](api/index.html.md "with a title")
"""
    assert links_of(text, "https://docs.example.org/llms.txt") == (
        "https://docs.example.org/start.md",
        "https://other.example.org/a",
        "https://docs.example.org/api/index.html.md",
    )


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        pytest.param(
            "# Box\nSource: https://docs.example.org/box\n\nText.\n\n# Lid\n\nURL: /lid\n\n# Not a page\n",
            [
                FullPage("https://docs.example.org/box", "# Box\n\nText.\n"),
                FullPage("https://docs.example.org/lid", "# Lid\n\n# Not a page\n"),
            ],
            id="source lines",
        ),
        pytest.param(
            "# All\n\n---\ntitle: A\nurl: '/a.md'\n---\n# A\n\n---\nurl: /b.md\n---\n# B\n",
            [
                FullPage(URL, "# All\n"),
                FullPage("https://docs.example.org/a.md", "# A\n"),
                FullPage("https://docs.example.org/b.md", "# B\n"),
            ],
            id="front matter",
        ),
        pytest.param(
            '<doc title="A" url="/a">\nText.\n</doc>\n<doc url="/b">\nB\n</doc>\n<doc url="/a">\nMore.\n</doc>\n',
            [
                FullPage("https://docs.example.org/a", "Text.\n\nMore.\n"),
                FullPage("https://docs.example.org/b", "B\n"),
            ],
            id="tags, one page in two parts",
        ),
        pytest.param("# Box\r\n\r\nAll of it.\r\n", [FullPage(URL, "# Box\n\nAll of it.\n")], id="not parted"),
    ],
)
def test_a_full_file_is_parted_into_its_pages(text: str, pages: list[FullPage]) -> None:
    assert list(pages_of(text, URL)) == pages


@given(st.lists(st.sampled_from(["# A\n", "Source: /a\n", "---\n", '<doc url="/c">\n', "x\n", "\n"])))
def test_no_line_of_text_is_lost(lines: list[str]) -> None:
    kept = "".join(page.markdown for page in pages_of("".join(lines), URL))
    assert kept.count("x") == lines.count("x\n")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (URL, "llms-full.txt"),
        ("https://docs.example.org/guide/", "guide/index.md"),
        ("https://docs.example.org/guide.html", "guide.md"),
        ("https://docs.example.org/guide", "guide.md"),
        ("https://docs.example.org/guide.md", "guide.md"),
    ],
)
def test_a_page_of_a_full_file_has_the_path_of_its_markdown(url: str, path: str) -> None:
    assert path_of_full(FullPage(url, ""), "https://docs.example.org/") == path
