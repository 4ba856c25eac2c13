"""Files to pages: which files, which encoding, which title, which kind. Nothing is skipped silently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import ContentType, Problem
from refdesk.domain.markdown import balanced
from refdesk.ingest.markdown import page_of_file
from sites import page_of, parsed
from texts import MARKDOWN

RST = "Title\n=====\n\nSome ``code`` and :func:`name`.\n\n.. note:: Careful.\n"


@pytest.mark.parametrize(
    "path",
    [
        *("a.md", "README.MD", "b.markdown", "c.mdx", "d.mdoc", "e.qmd", "f.rmd", "g.mkd"),
        *("h.rst", "i.txt", "README", "CHANGES"),
    ],
)
def test_every_kind_of_text_file_becomes_a_page(path: str) -> None:
    """context7#498, neuledge PR 87, lockdocs 0.3.0: files were skipped by their extension."""
    entries = parsed({path: "# Title\n\nText.\n"})
    assert [page.path for page in entries.pages] == [path]
    assert entries.problems == ()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("guide.adoc", "not read: AsciiDoc"),
        ("page.tsx", "not read: a page written as code"),
        ("index.html", "not read: HTML"),
        ("n.ipynb", "not read: a notebook"),
        ("x.png", "not read: 1 file(s) with .png are no pages"),
        ("Makefile", "not read: 1 file(s) with no extension are no pages"),
        ("requirements.txt", "not read: 1 file(s) with .txt are no pages"),
        ("requirements/dev.txt", "not read: 1 file(s) with .txt are no pages"),
    ],
)
def test_every_other_file_is_told_of(path: str, message: str) -> None:
    entries = parsed({path: "x"})
    assert entries.pages == ()
    assert entries.problems == (Problem(path, message),)


def test_other_files_of_one_kind_are_told_of_together() -> None:
    assert parsed({"b.png": b"", "a.png": b""}).problems == (
        Problem("a.png", "not read: 2 file(s) with .png are no pages"),
    )


@pytest.mark.parametrize(("path", "text"), [("a.txt", RST), ("README", RST), ("a.rst", RST)])
def test_restructured_text_is_recognised_by_what_it_says(path: str, text: str) -> None:
    assert page_of(text, path).markdown == "# Title\n\nSome `code` and `name`.\n\n> **Note:** Careful.\n"


def test_plain_text_stays_as_it_is() -> None:
    assert page_of("Just words.\nMore words.\n", "notes.txt").markdown == "Just words.\nMore words.\n"


@pytest.mark.parametrize(
    ("data", "text", "problem"),
    [
        (b"caf\xc3\xa9", "café", ""),
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café", ""),
        ("café".encode("utf-16"), "café", ""),
        ("café".encode("utf-16-be"), None, "NUL"),
        (b"\xfe\xff" + "café".encode("utf-16-be"), "café", ""),
        (b"\xff\xfe" + "x".encode("utf-16-le") + b"\x00", "x\ufffd", "not wholly utf-16-le"),
        ("café".encode("utf-32"), "café", ""),
        (b"caf\xe9 \x93x\x94", "café “x”", "read as windows-1252"),
        (b"caf\xe9 \x81", "café \x81", "read as latin-1"),
        (b"coding: koi8-r\n\xcb", "coding: koi8-r\nк", "read as koi8-r, which it declares"),
        (b"charset=nonsense\n\xe9", "charset=nonsense\né", "declares nonsense but is not"),
        (b"coding: ascii\n\xe9", "coding: ascii\né", "declares ascii but is not"),
        (b"a\r\nb\rc", "a\nb\nc", ""),
        (b"a\x00b", "ab", "NUL characters"),
    ],
)
def test_encodings_are_read_and_doubts_are_told(data: bytes, text: str | None, problem: str) -> None:
    entries = parsed({"page.md": data})
    if text is not None:
        assert entries.pages[0].markdown == text + "\n"
    assert [problem in one.message for one in entries.problems] == ([True] if problem else [])


@pytest.mark.parametrize(
    ("text", "title", "markdown"),
    [
        ("---\ntitle: Front\n---\n# First\n\nx", "Front", "# First\n\nx\n"),
        ("---\ntitle: Front\n---\n\nx", "Front", "# Front\n\nx\n"),
        ("---\ntitle: \"A \\\"b\\\"\"\ndescription: 'It''s'\n---\nx", 'A "b"', '# A "b"\n\nIt\'s\n\nx\n'),
        ("---\ndescription: About.\n---\n# First\n\nx", "First", "# First\n\nAbout.\n\nx\n"),
        ("---\ndescription: About.\n---\nx", "page", "About.\n\nx\n"),
        ("---\ndescription: x\n---\nx", "page", "x\n"),
        ("---\ntitle: >\n  Two\n  lines\n# comment\ntags:\n- a\n  - b\n---\nx", "Two lines", "# Two lines\n\nx\n"),
        ("---\ntitle: T # comment\nslug: /x\n---\nx", "T", "# T\n\nx\n"),
        ('+++\ntitle = "Toml"\n+++\nx', "Toml", "# Toml\n\nx\n"),
        ("---\nsidebar_label: Side\n---\nx", "Side", "# Side\n\nx\n"),
        ("---\n---\nx", "page", "x\n"),
        ("---\n\nx\n\n---\n\ny", "page", "---\n\nx\n\n---\n\ny\n"),
        ("## Only deep\n\nx", "Only deep", "## Only deep\n\nx\n"),
        ("x\n\n# Late", "Late", "x\n\n# Late\n"),
        ("<h1>By <b>HTML</b></h1>\n\nx", "By HTML", "<h1>By <b>HTML</b></h1>\n\nx\n"),
        ("# 1.2.0\n\nx\n\n# 1.1.0\n\ny", "page", "# 1.2.0\n\nx\n\n# 1.1.0\n\ny\n"),
        ("#\n\nx", "page", "#\n\nx\n"),
    ],
)
def test_the_title_comes_from_front_matter_heading_or_name(text: str, title: str, markdown: str) -> None:
    page = page_of(text)
    assert (page.title, page.markdown) == (title, markdown)


@pytest.mark.parametrize(
    ("text", "problem", "begins"),
    [
        ("---\ntitle: x\n\nnever closed", "not closed", "---\ntitle: x"),
        ("---\ntitle: x\nnonsense here\n---\ny", "1 unreadable line(s)", "# x\n\ny"),
        ("+++\nnonsense\n+++\ny", "cannot be read", "y"),
        ("---\n  - orphan\ntitle: x\n---\ny", "1 unreadable line(s)", "# x\n\ny"),
    ],
)
def test_broken_front_matter_never_stops_a_page(text: str, problem: str, begins: str) -> None:
    entries = parsed({"page.md": text})
    assert entries.pages[0].markdown.startswith(begins)
    assert problem in entries.problems[0].message


@pytest.mark.parametrize(
    ("path", "title"), [("guide/first-steps.md", "first steps"), ("guide/index.md", "guide"), ("index.md", "index")]
)
def test_a_page_without_any_title_is_called_by_its_name(path: str, title: str) -> None:
    assert page_of("text", path).title == title


@pytest.mark.parametrize("data", [b"", b"\n\n", b"---\ntitle: x\n---\n"])
def test_a_file_without_text_is_no_page_and_told_of(data: bytes) -> None:
    entries = parsed({"a.md": data})
    assert entries.pages == ()
    assert entries.problems == (Problem("a.md", "has no text"),)


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("CHANGELOG.md", "# Changelog", "changelog"),
        ("docs/changelog/2.md", "# Two", "changelog"),
        ("NEWS", "x", "changelog"),
        ("notes.md", "# Release notes", "changelog"),
        ("history-notes.md", "# x\n\n## 1.2.0 (2024-01-01)\n\na\n\n## 1.1.0\n\nb", "changelog"),
        ("spec.md", "# Spec\n\n## 1.1 Scope\n\na\n\n## 1.2 Terms\n\nb", "concept"),
        ("LICENSE", "x", "metadata"),
        ("README.md", "# Tool", "howto"),
        ("docs/how-to/x.md", "# X", "howto"),
        ("docs/getting-started.md", "# X", "howto"),
        ("x.md", "# How to sing", "howto"),
        ("docs/troubleshooting.md", "# X", "error"),
        ("x.md", "# Error codes", "error"),
        ("docs/configuration.md", "# X", "configuration"),
        ("x.md", "# Environment variables", "configuration"),
        ("docs/api/client.md", "# X", "api_reference"),
        ("x.md", "# API reference", "api_reference"),
        ("examples/x.md", "# X", "code_example"),
        ("x.md", "# Ideas", "concept"),
    ],
)
def test_the_kind_of_a_page_follows_from_path_title_and_text(path: str, text: str, kind: ContentType) -> None:
    assert page_of(text, path).content_type == kind


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.md", "English.", "en"),
        ("zh-CN/a.md", "x", "zh"),
        ("docs/ja/a.md", "x", "ja"),
        ("README.fr.md", "x", "fr"),
        ("a.md", "---\nlang: de-AT\n---\nx", "de"),
        ("a.md", "这是中文的文档。", "zh"),
        ("a.md", "これは日本語です。", "ja"),
        ("a.md", "한국어 문서입니다.", "ko"),
    ],
)
def test_the_language_of_a_page_is_told(path: str, text: str, language: str) -> None:
    assert page_of(text, path).language == language


def test_open_fences_are_closed() -> None:
    assert page_of("```\nx").markdown == "```\nx\n```\n"


def test_one_file_can_be_made_a_page_by_itself() -> None:
    page, problems = page_of_file("README.md", b"# A\n\n{{#include x.rs}}\n", {})
    assert page is not None
    assert page.title == "A"
    assert problems == (Problem("README.md", "1 include(s) not found: x.rs"),)
    assert page_of_file("a.md", b"", {})[0] is None


@given(st.binary(max_size=200), st.sampled_from(["a.md", "a.mdx", "a.mdoc", "a.rst", "a.txt", "README"]))
def test_any_bytes_are_read_without_an_error(data: bytes, path: str) -> None:
    entries = parsed({path: data})
    assert len(entries.pages) == 1 or entries.problems


@given(MARKDOWN, st.sampled_from(["a.md", "a.mdx", "a.mdoc", "a.rst", "a.txt"]))
def test_any_text_becomes_a_page_with_balanced_fences(text: str, path: str) -> None:
    for page in parsed({path: text}).pages:
        assert balanced(page.markdown)


def test_a_program_called_a_page_is_none() -> None:
    page, problems = page_of_file("ls.md", b"\x7fELF\x02\x01\x01\x00\xff\xfe\x03" * 50, {})
    assert page is None
    assert [one.message for one in problems] == ["not read: it is no text, whatever it is called"]
