"""Which pages of a site are documentation, and which its generator makes beside it."""

import pytest

from refdesk.ingest.html.generated import told_apart


@pytest.mark.parametrize(
    ("generator", "path"),
    [
        ("sphinx", "_modules/parcel/send.html"),
        ("sphinx", "genindex.html"),
        ("sphinx", "en/genindex-A.html"),
        ("sphinx", "py-modindex/index.html"),
        ("sphinx", "search.html"),
        ("javadoc", "org/parcel/class-use/Send.html"),
        ("javadoc", "index-files/index-3.html"),
        ("javadoc", "api/org/parcel/package-tree.html"),
        ("doxygen", "send_8h_source.html"),
        ("doxygen", "functions_b.html"),
        ("doxygen", "class_parcel-members.html"),
        ("rustdoc", "src/parcel/lib.rs.html"),
        ("rustdoc", "parcel/all.html"),
        ("rustdoc", "book/print.html"),
        ("node", "all.html"),
        ("docusaurus", "tags/parcel/index.html"),
        ("unknown", "404.html"),
        ("mkdocs", "print_page/index.html"),
    ],
)
def test_what_only_repeats_is_left_out_and_told_of(generator: str, path: str) -> None:
    kept, told = told_apart([path, "guide.html"], generator)
    assert kept == ["guide.html"]
    assert [one.path for one in told] == [path]
    assert "left out: 1 page(s)" in told[0].message


@pytest.mark.parametrize(
    ("generator", "path"),
    [
        ("sphinx", "topics/search.html"),
        ("sphinx", "all.html"),
        ("unknown", "search.html"),
        ("rustdoc", "parcel/fn.all.html"),
        ("rustdoc", "book/settings.html"),
        ("node", "http.html"),
        ("javadoc", "org/parcel/package-summary.html"),
        ("doxygen", "class_parcel.html"),
        ("unknown", "guide/404.html"),
    ],
)
def test_what_only_looks_like_it_stays(generator: str, path: str) -> None:
    assert told_apart([path], generator) == ([path], [])


def test_pages_of_one_kind_are_one_problem() -> None:
    kept, told = told_apart(["_modules/a.html", "_modules/b.html", "genindex.html", "a.html"], "sphinx")
    assert kept == ["a.html"]
    assert [(one.path, one.message) for one in told] == [
        ("genindex.html", "left out: 1 page(s), indexes and lists of what other pages hold"),
        ("_modules/a.html", "left out: 2 page(s), listings of source code"),
    ]
