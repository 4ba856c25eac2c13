import pytest

from refdesk.domain.packages import NO_API, NO_PACKAGES, is_test_file, metadata_path, project_page, project_urls


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["a-1.dist-info/METADATA", "a/__init__.py", "a/PKG-INFO"], "a-1.dist-info/METADATA"),
        (["PKG-INFO", "src/a.egg-info/PKG-INFO"], "PKG-INFO"),
        (["src/a.egg-info/PKG-INFO", "b.egg-info/PKG-INFO"], "b.egg-info/PKG-INFO"),
        (["METADATA", "PKG-INFO"], "METADATA"),
        (["a/_vendor/b-2.dist-info/METADATA", "a/__init__.py"], ""),
        (["a/METADATA", "a/PKG-INFO", "XPKG-INFO"], ""),
        ([], ""),
    ],
    ids=["wheel", "source archive", "nothing above", "unpacked", "vendored copy", "other files", "nothing"],
)
def test_metadata_stands_where_the_package_itself_states_it(paths: list[str], found: str) -> None:
    assert metadata_path(paths) == found
    assert metadata_path(reversed(paths)) == found


@pytest.mark.parametrize(
    ("fields", "page"),
    [
        ([("Project-URL", "Docs, https://a.b/docs"), ("Home-page", "https://a.b")], "https://a.b/docs"),
        ([("Project-URL", "Source Code, https://a.b/src"), ("Home-page", "https://a.b ")], "https://a.b"),
        ([("Project-URL", "Homepage, https://a.c"), ("Home-page", "https://a.b")], "https://a.c"),
        ([("project-url", "Home-Page, http://a.d")], "http://a.d"),
        ([("Project-URL", "GitHub, https://a.e")], "https://a.e"),
        ([("Project-URL", "Issues, https://a.b/issues")], ""),
        ([("Project-URL", "Docs, javascript:x"), ("Home-page", "UNKNOWN")], ""),
        ([("Project-URL", "no comma"), ("Name", "a")], ""),
    ],
    ids=["documentation", "home page", "labelled", "spelling", "source", "a tracker is no page", "no address", "none"],
)
def test_people_read_the_documentation_before_the_home_page_before_the_source(
    fields: list[tuple[str, str]], page: str
) -> None:
    assert project_page(iter(fields)) == page


def test_urls_keep_their_labels_and_order() -> None:
    fields = [
        ("Project-URL", "B , https://b"),
        ("Name", "x, y"),
        ("Project-URL", "A,https://a"),
        ("Project-URL", "odd"),
    ]
    assert project_urls(fields) == [("B", "https://b"), ("A", "https://a")]


@pytest.mark.parametrize(
    ("name", "is_test"),
    [
        ("test_a.py", True), ("conftest.py", True), ("test_a.pyi", True), ("test_a.cpython-312-linux.so", True),
        ("tests.py", False), ("testing.py", False), ("a_test.py", False), ("test_data.json", False),
    ],
)  # fmt: skip
def test_a_test_is_told_by_its_name(name: str, is_test: bool) -> None:
    assert is_test_file(name) is is_test


def test_a_folder_called_test_may_be_an_api_below_a_package_but_is_none_itself() -> None:
    assert "test" not in NO_API
    assert "test" in NO_PACKAGES
    assert set(NO_API) <= NO_PACKAGES
