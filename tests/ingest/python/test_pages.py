from collections.abc import Mapping

import pytest

from ingest.python.building import parse
from refdesk.domain.entries import Page

METADATA = """
    Metadata-Version: 2.4
    Name: pkg
    Version: 1.0
    Summary: Does things.
    Home-page: https://example.org/home
    Author: Ann
    License: MIT
    Requires-Python: >=3.9
    Project-URL: Source, https://example.org/source
    Project-URL: Documentation, https://example.org/docs
    Project-URL: broken
    Classifier: Development Status :: 4 - Beta
    Classifier: Topic :: Software
    Requires-Dist: anyio
    Requires-Dist: tomli>=2; python_version < "3.11"
    Requires-Dist: brotli; (python_version < "4") and extra == "br"
    Requires-Dist: h2<5; extra == 'http2'
    Provides-Extra: http2
    Provides-Extra: empty
    Description-Content-Type: text/markdown

    [![badge](https://a.b/c.svg)](https://a.b)

    # The `pkg` package

    Words.
"""


def _pages(files: Mapping[str, str | bytes]) -> dict[str, Page]:
    return {one.path: one for one in parse(files).pages}


def test_metadata_becomes_a_readable_page() -> None:
    page = _pages({"pkg-1.0.dist-info/METADATA": METADATA})["METADATA"]
    assert (page.title, page.content_type, page.url) == (
        "pkg: package metadata",
        "metadata",
        "https://example.org/docs",
    )
    assert page.markdown.split("\n") == [
        "# pkg 1.0",
        "",
        "Does things.",
        "",
        "- Requires Python: >=3.9",
        "- Licence: MIT",
        "- Author: Ann",
        "- Home page: https://example.org/home",
        "- Source: https://example.org/source",
        "- Documentation: https://example.org/docs",
        "",
        "## Dependencies",
        "",
        "- `anyio`",
        '- `tomli>=2` if python_version < "3.11"',
        "",
        "## Extras",
        "",
        '- `br`: `brotli` if python_version < "4"',
        "- `empty`: nothing more",
        "- `http2`: `h2<5`",
        "",
        "## Classifiers",
        "",
        "- Development Status :: 4 - Beta",
    ]


def test_the_long_description_is_the_readme() -> None:
    page = _pages({"pkg-1.0.dist-info/METADATA": METADATA})["README.md"]
    assert (page.title, page.content_type) == ("The pkg package", "concept")
    assert page.markdown == "# The `pkg` package\n\nWords."


def test_symbols_lead_to_the_documentation() -> None:
    entries = parse({"pkg-1.0.dist-info/METADATA": METADATA, "pkg.py": "def f(): ..."})
    assert {one.place.url for one in entries.symbols} == {"https://example.org/docs"}
    assert {one.place.url for one in parse({"pkg.py": ""}).symbols} == {"https://example.org/pkg"}


@pytest.mark.parametrize(
    ("headers", "url"),
    [
        ("Home-page: https://a.b", "https://a.b"),
        ("Project-URL: Homepage, https://a.c\nHome-page: https://a.b", "https://a.c"),
        ("Project-URL: Repository, https://a.d", "https://a.d"),
        ("Home-page: UNKNOWN", "https://example.org/pkg"),
        ("Project-URL: Docs, javascript:x", "https://example.org/pkg"),
    ],
)
def test_the_best_url_for_people_is_chosen(headers: str, url: str) -> None:
    entries = parse({"PKG-INFO": f"Name: pkg\n{headers}\n", "pkg.py": ""})
    assert entries.symbols[0].place.url == url


def test_a_readme_in_restructured_text_is_kept_readable() -> None:
    content = "Name: pkg\n\nPkg\n===\n\nUse ``f``::\n\n    f(1)\n\nMore\n----\nx\n"
    page = _pages({"pkg-1.0.dist-info/METADATA": content})["README.md"]
    assert page.markdown == "# Pkg\n\nUse `f`:\n\n```python\nf(1)\n```\n\n## More\n\nx"
    assert page.title == "Pkg"


def test_a_description_in_a_header_is_unfolded() -> None:
    content = b"Name: pkg\nDescription: Pkg\n        ===\n        \n        Words.\nPlatform: x\n"
    assert _pages({"pkg.egg-info/PKG-INFO": content})["README.md"].markdown == "# Pkg\n\nWords."


def test_readme_and_changelog_files_are_pages() -> None:
    pages = _pages(
        {
            "README.rst": "Pkg\n===\n",
            "CHANGELOG.md": "# Changes\n\n## 1.0\n\n\n\n- new\n",
            "docs/history.rst": "History\n=======\n",
            "CHANGES": "1.0\n",
            "MIGRATION.md": "```\n# code\n```\n\nwords",
            "pkg/CHANGELOG.md": "# Not one of ours\n",
            "pkg-1.0.dist-info/NEWS.txt": "News\n",
            "NEWS.md": "",
        }
    )
    assert {path: (one.title, one.content_type) for path, one in pages.items()} == {
        "CHANGELOG.md": ("Changes", "changelog"),
        "CHANGES": ("pkg: changes", "changelog"),
        "MIGRATION.md": ("pkg: changes", "howto"),
        "README.md": ("Pkg", "concept"),
        "docs/history.rst": ("History", "changelog"),
        "pkg-1.0.dist-info/NEWS.txt": ("pkg: changes", "changelog"),
    }
    assert pages["CHANGELOG.md"].markdown == "# Changes\n\n## 1.0\n\n- new"


def test_a_page_that_is_not_utf_8_is_read_as_latin_1() -> None:
    pages = {one.path: one for one in parse({"CHANGELOG.md": "# Änderungen\n".encode("latin-1")}).pages}
    assert pages["CHANGELOG.md"].title == "Änderungen"


def test_a_long_licence_text_is_cut() -> None:
    page = _pages({"PKG-INFO": f"Name: pkg\nVersion: 1\nLicense: {'word ' * 100}\nSummary: UNKNOWN\n"})["METADATA"]
    assert page.markdown.endswith("word ...")
    assert "UNKNOWN" not in page.markdown
