"""Where sites state their version."""

import json

import pytest

from refdesk.domain.site_versions import (
    ORDER,
    label_in_url,
    number_in_url,
    stated_in_inventory,
    stated_in_meta,
    stated_in_options,
    stated_in_switcher,
    stated_in_title,
    stated_in_url,
    switchers,
)

ROOT = "https://docs.example.org/en/3.2/"


@pytest.mark.parametrize(
    ("url", "version"),
    [
        ("https://docs.example.org/en/3.2/", "3.2"),
        ("https://docs.example.org/en/v1.4.x/guide/", "1.4"),
        ("https://example.org/v2/docs/", "v2"),
        ("https://example.org/api/v1/docs/2.4/", "2.4"),
        ("https://example.org/attrs-25.4.0/", "25.4.0"),
        ("https://example.org/python3.11/", "3.11"),
        ("https://example.org/2.0.0-rc.1/", "2.0.0-rc.1"),
        ("https://example.org/2024-10-01/", "2024-10-01"),
        ("https://v3.example.org/docs/", "v3"),
        ("https://example.org/en/stable/", ""),
        ("https://example.org/3/", ""),
        ("https://example.org/docs/release-1.2.html", ""),
        ("https://192.168.1.10/docs/", ""),
    ],
)
def test_an_address_states_a_version(url: str, version: str) -> None:
    assert stated_in_url(url) == version


def test_a_number_and_a_label_are_told_apart_from_versions() -> None:
    assert number_in_url("https://docs.example.org/3/library/") == "3"
    assert number_in_url("https://docs.example.org/2024/") == ""
    assert label_in_url("https://docs.example.org/en/Latest/") == "latest"
    assert label_in_url("https://docs.example.org/en/") == ""


@pytest.mark.parametrize(
    ("content", "version"),
    [
        (b"# Sphinx inventory version 2\n# Project: Box\n# Version: 25.4.0\n# rest", "25.4.0"),
        (b"# Sphinx inventory version 2\n# Project: Box\n# Version: v1.2\n#", "1.2"),
        (b"# Sphinx inventory version 2\n# Project: Box\n# Version: \n#", ""),
        (b"# Sphinx inventory version 2\n# Project: Box\n# Other: 1\n#", ""),
        (b"# Sphinx inventory version 2\n# Project: Box", ""),
        (b"<html>\n\n\n404", ""),
        (b"", ""),
    ],
)
def test_an_inventory_states_a_version(content: bytes, version: str) -> None:
    assert stated_in_inventory(content) == version


@pytest.mark.parametrize(
    ("content", "version"),
    [
        (b"var DOCUMENTATION_OPTIONS = {\n URL_ROOT: '',\n VERSION: '5.3.1',\n", "5.3.1"),
        (b"const DOCUMENTATION_OPTIONS = { VERSION: '25.4.0', LANGUAGE: 'en' };", "25.4.0"),
        (b"DOCUMENTATION_OPTIONS = { 'VERSION': 'unknown' }", ""),
        (b"DOCUMENTATION_OPTIONS = {}", ""),
        (b"VERSION: '1.0'", ""),
    ],
)
def test_the_options_of_sphinx_state_a_version(content: bytes, version: str) -> None:
    assert stated_in_options(content) == version


@pytest.mark.parametrize(
    ("page", "version"),
    [
        (b"<title>Box Documentation (3.0.x)</title>", "3.0"),
        (b"<title>Welcome &#8212; box 25.4.0 documentation</title>", "25.4.0"),
        (b"<title>What is new in 1.2 &mdash; Box v2.1 documentation</title>", "2.1"),
        (b"<TITLE>\n Overview (Box SE 17 &amp; Kit 17)</TITLE>", "17"),
        (b"<title>Box release 9 notes</title>", "9"),
        (b"<title>Handle 3 boxes</title>", ""),
        (b"<title></title>", ""),
        (b"<h1>Box 3.1</h1>", ""),
    ],
)
def test_a_title_states_a_version(page: bytes, version: str) -> None:
    assert stated_in_title(page) == version


@pytest.mark.parametrize(
    ("page", "version"),
    [
        (b'<meta name="docsearch:version" content="2.3.0">', "2.3.0"),
        (b'<meta content="3.1,latest" name="docsearch:version"/>', "3.1"),
        (b'<meta name="docsearch:version" content="current">', ""),
        (b'<meta name="docsearch:version">', ""),
        (b'<meta name="description" content="1.0">', ""),
    ],
)
def test_a_page_tells_its_version_to_search_engines(page: bytes, version: str) -> None:
    assert stated_in_meta(page) == version


MIKE = [{"version": "3.3", "title": "3.3", "aliases": ["latest"]}, {"version": "3.2", "title": "3.2", "aliases": []}]
PYDATA = [
    {"name": "dev", "version": "dev", "url": "https://docs.example.org/en/dev/"},
    {"name": "3.2 (stable)", "version": "3.2.1", "url": "https://docs.example.org/en/3.2", "preferred": True},
]


@pytest.mark.parametrize(
    ("document", "root", "version"),
    [
        pytest.param(MIKE, ROOT, "3.2", id="mike"),
        pytest.param(MIKE, "https://docs.example.org/latest/", "3.3", id="mike's alias"),
        pytest.param({"versions": MIKE}, ROOT, "3.2", id="under a name"),
        pytest.param(MIKE, "https://docs.example.org/", "", id="none of them"),
        pytest.param(PYDATA, ROOT, "3.2.1", id="pydata by its address"),
        pytest.param(PYDATA, "https://docs.example.org/en/stable/", "", id="the preferred one is no evidence"),
        pytest.param([{"name": "1.4", "version": "stable", "url": ROOT}], ROOT, "1.4", id="the name of a label"),
        pytest.param(["1.0", {"version": 2}], ROOT, "", id="odd entries"),
        pytest.param("3.2", ROOT, "", id="odd document"),
    ],
)
def test_a_switcher_states_the_version_of_its_own_entry(document: object, root: str, version: str) -> None:
    assert stated_in_switcher(json.dumps(document).encode(), root) == version


def test_a_switcher_that_is_no_json_states_nothing() -> None:
    assert stated_in_switcher(b"<html>", ROOT) == ""


def test_a_switcher_is_looked_for_where_the_page_says_and_where_mike_puts_it() -> None:
    page = b"DOCUMENTATION_OPTIONS.theme_switcher_json_url = '../_static/switcher.json';"
    assert switchers(page, ROOT) == (
        "https://docs.example.org/en/_static/switcher.json",
        "https://docs.example.org/en/versions.json",
    )
    assert switchers(b"", ROOT) == ("https://docs.example.org/en/versions.json",)


def test_all_places_are_asked_in_order_where_none_is_chosen() -> None:
    assert ORDER[""] == ("url", "inventory", "options", "meta", "title", "switcher", "number")
    assert {one for name in ("url", "inventory", "title", "switcher") for one in ORDER[name]} == set(ORDER[""])
