# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
import contextlib
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.errors import SourceRejected
from refdesk.ingest.html.heads import Inventory, read_docset, read_inventory
from refdesk.ingest.html.heads import inventory as module
from refdesk.ingest.html.heads.inventory import Item, is_page

HEAD = b"# Sphinx inventory version 2\n# Project: Tap\n# Version: 1.4\n# The remainder is compressed using zlib.\n"


def version_2(*lines: str, head: bytes = HEAD) -> bytes:
    return head + zlib.compress("\n".join(lines).encode())


def test_version_2_names_what_the_api_is_and_where() -> None:
    data = version_2(
        "tap.Valve.open py:method 1 api.html#$ -",
        "open valve py:data 1 api.html#valve Open the valve",
        "-m std:cmdoption 1 cli.html#cmdoption-m -",
        "intro std:label -1 index.html#intro Introduction",
        "index std:doc -1 index.html Start",
        "nonsense",
        "no-role x 1 a.html -",
    )
    assert read_inventory(data) == Inventory(
        "Tap",
        "1.4",
        (
            Item("tap.Valve.open", "py:method", "api.html", "tap.Valve.open"),
            Item("open valve", "py:data", "api.html", "valve"),
            Item("-m", "std:cmdoption", "cli.html", "cmdoption-m"),
        ),
    )


def test_version_1_has_modules_and_anchors_that_are_names() -> None:
    data = b"# Sphinx inventory version 1\n# Project: Tap\n# Version: 0.9\ntap mod tap.html\ntap.open function tap.html\nx\n"
    assert read_inventory(data) == Inventory(
        "Tap",
        "0.9",
        (Item("tap", "py:module", "tap.html", "module-tap"), Item("tap.open", "py:function", "tap.html", "tap.open")),
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no Sphinx inventory"),
        (b"<html>", "no Sphinx inventory"),
        (b"# Sphinx inventory version 3\n", "no Sphinx inventory"),
        (b"# Sphinx inventory version 2\n# Project: Tap\n", "ends in its head"),
        (HEAD + b"no zlib", "damaged"),
        (version_2("a py:data 1 a.html -")[:-6], "cut off"),
    ],
)
def test_what_is_no_inventory_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(SourceRejected, match=said):
        read_inventory(data)


def test_an_inventory_that_inflates_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1_000)
    with pytest.raises(SourceRejected, match="more than"):
        read_inventory(HEAD + zlib.compress(b"a" * 100_000))


@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[a-z_]+(\.[A-Za-z_]+){0,3}", fullmatch=True),
            st.sampled_from(["py:method", "c:function", "cpp:class", "std:envvar", "js:data"]),
            st.from_regex(r"[a-z]+(/[a-z]+)?\.html", fullmatch=True),
            st.from_regex(r"[A-Za-z0-9_.-]*", fullmatch=True),
        )
    )
)
def test_what_is_written_is_read(rows: list[tuple[str, str, str, str]]) -> None:
    lines = [f"{name} {role} 1 {uri}{'#' + anchor if anchor else ''} -" for name, role, uri, anchor in rows]
    assert [(one.name, one.role, one.uri, one.anchor) for one in read_inventory(version_2(*lines)).items] == rows


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for candidate in (data, HEAD + data, HEAD + zlib.compress(data), b"# Sphinx inventory version 1\n" + data):
        with contextlib.suppress(SourceRejected):
            assert isinstance(read_inventory(candidate), Inventory)


def test_a_docset_names_pages_and_anchors() -> None:
    index = {
        "entries": [
            {"name": "Tap.open()", "path": "api/index#tap.Tap.open", "type": "tap"},
            {"name": "Start", "path": "start"},
        ]
    }
    assert read_docset(json.dumps(index).encode()).items == (
        Item("Tap.open", "tap", "api/index", "tap.Tap.open"),
        Item("Start", "", "start", ""),
    )


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"entries": 1}', b'{"entries": [1]}', b'{"entries": [{}]}', b"\xff"]
)
def test_what_is_no_docset_is_refused(data: bytes) -> None:
    with pytest.raises(SourceRejected):
        read_docset(data)


@pytest.mark.parametrize(
    ("uri", "page", "same"),
    [
        ("library/os.html", "library/os.html", True),
        ("library/os.html", "https://docs.test/3/library/os.html", True),
        ("library/os.html", "https://docs.test/3/library/os.html?x=1", True),
        ("library/os/", "https://docs.test/library/os/index.html", True),
        ("library/os.html", "library/posix.html", False),
        ("os.html", "library/posixos.html", False),
        ("os.html", "", True),
        ("index.html", "https://docs.test/", True),
    ],
)
def test_pages_are_the_same_whatever_serves_them(uri: str, page: str, same: bool) -> None:
    assert is_page(uri, page) is same


def test_of_two_places_that_of_the_page_is_taken() -> None:
    here, there = (
        Item("tap.open", "py:function", "b.html", "tap.open"),
        Item("tap.open", "py:data", "a.html", "tap.open"),
    )
    inventory = Inventory(items=(there, here))
    assert inventory.at("tap.open", "b.html") == here
    assert inventory.at("tap.open", "c.html") == there
    assert inventory.at("tap.close", "b.html") is None
    assert inventory.names["tap.open"] == [there, here]
