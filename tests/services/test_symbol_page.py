"""A symbol as Markdown: whole where it fits, shortened from the least important on where it does not."""

from dataclasses import replace

import pytest

from fakes.index import Index, entries, sample, symbol
from goldens import check_golden
from refdesk.domain.symbols import Deprecation, Param
from refdesk.domain.text import estimate_tokens
from refdesk.services.lookup import Detail
from refdesk.services.symbol_page import deprecation_hint, param_line, symbol_markdown


def detail(name: str, library: str = "aws:depot", version: str = "", param: str = "") -> Detail:
    return sample().lookup.detail(name, library, version, param)


@pytest.mark.parametrize(
    ("file", "name", "library", "version", "param"),
    [
        ("operation", "KeepParcel", "aws:depot", "1.44.0", ""),
        ("deprecated-operation", "GetDepotLocation", "aws:depot", "1.34.0", ""),
        ("parameter", "KeepParcel", "aws:depot", "1.44.0", "Labels"),
        ("result-member", "KeepParcel", "aws:depot", "1.44.0", "ETag"),
        ("error", "NoSuchDepot", "aws:depot", "1.44.0", ""),
        ("type", "Label", "aws:depot", "1.44.0", ""),
        ("class", "parcel.Client", "pypi:parcel", "1.0.0", ""),
        ("method", "parcel.Client.send", "pypi:parcel", "1.0.0", ""),
        ("deprecated-function", "parcel.drop", "pypi:parcel", "1.0.0", ""),
    ],
)
def test_a_page_reads_as_in_its_golden_file(file: str, name: str, library: str, version: str, param: str) -> None:
    check_golden(f"symbols/{file}.md", symbol_markdown(detail(name, library, version, param)))


@pytest.mark.parametrize(
    ("param", "line"),
    [
        (Param("a"), "`a` (any)"),
        (Param("a", "int", required=True), "`a` (int, required)"),
        (Param("a", "int", default="1", kind="keyword_only"), "`a` (int, default `1`, keyword-only)"),
        (Param("a", "int", since="2.0", deprecation=Deprecation("flag")), "`a` (int, since 2.0, deprecated)"),
        (Param("a", "str", enum=("X", "Y")), "`a` (str) one of `X`, `Y`"),
        (Param("a", "int", limits={"min": 1, "max": 9}), "`a` (int) [min 1, max 9]"),
        (Param("a", "int", limits={"min": 0, "readOnly": True, "x": None}), "`a` (int) [min 0, readOnly]"),
        (Param("a", "string (byte)", limits={"format": "byte", "max": 9}), "`a` (string (byte)) [max 9]"),
        (Param("a", "timestamp", limits={"format": "iso8601"}), "`a` (timestamp) [format `iso8601`]"),
        (Param("a", limits={"key_enum": ["X", "Y"]}), "`a` (any) [key_enum X, Y]"),
        (Param("a", doc="One.\n\nTwo."), "`a` (any) — One.\n\n  Two."),
    ],
)
def test_a_parameter_is_one_line_of_facts(param: Param, line: str) -> None:
    assert param_line(param, None) == line


def test_many_allowed_values_are_cut_only_where_the_text_is_shortened() -> None:
    param = Param("a", "str", enum=tuple(f"v{number}" for number in range(30)))
    assert "`v29`" in param_line(param, None)
    assert param_line(param, 100).endswith("`v19` and 10 more")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("1.5", "get", "Use get.", "flag"), "**Deprecated since 1.5: use get.** (evidence: flag)"),
        (("", "", "", "flag"), "**Deprecated.** (evidence: flag)"),
        (("", "", "Go\naway.", "prose"), "**Deprecated.** Go away. (evidence: prose)"),
    ],
)
def test_the_hint_is_one_line(arguments: tuple[str, str, str, str], line: str) -> None:
    assert deprecation_hint(*arguments) == line


def test_the_hint_is_the_last_line_of_a_deprecated_entry() -> None:
    text = symbol_markdown(detail("GetDepotLocation", version="1.34.0"))
    assert text.splitlines()[-1].startswith("**Deprecated since 1.30: use HeadDepot.**")


def test_a_value_that_the_signature_shows_is_not_told_twice() -> None:
    one = replace(symbol("a.LIMIT", kind="attribute"), signature="LIMIT = 20", attributes={"value": "20", "x": 1})
    text = symbol_markdown(replace(detail("parcel.drop", "pypi:parcel", "1.0.0"), symbol=one))
    assert text.count("20") == 1
    assert "- x: 1" in text


def large(params: int, words: int) -> Detail:
    doc = "\n\n".join("What it does in words. " * 20 for _ in range(words))
    many = tuple(
        Param(f"p{number}", "str", doc=f"First {number}. " * 30 + "\n\nMore.", enum=("X",)) for number in range(params)
    )
    nested = tuple(replace(one, name=f"p0.{one.name}") for one in many)
    made = symbol("box.go", doc=doc, params=(*many, *nested), signature="def go()")
    index = Index()
    index.add("pypi:box@1", entries([made]))
    return index.lookup.detail("box.go", "box", "", "")


@pytest.mark.parametrize(("params", "words"), [(1, 1), (5, 5), (20, 40), (60, 80), (100, 200)])
@pytest.mark.parametrize("budget", [400, 2_000, 8_000])
def test_a_page_keeps_its_budget_and_says_what_is_shortened(params: int, words: int, budget: int) -> None:
    made = large(params, words)
    text = symbol_markdown(made, budget)
    assert estimate_tokens(text) <= budget + 40
    whole = symbol_markdown(made)
    assert text == whole or "get_page with the id of this API" in text
    assert text.startswith("# box.go\n\nKind: function")
    assert "```python\ndef go()\n```" in text
    assert "`p0` (str)" in whole
    assert "More." in whole


def test_a_list_of_parameters_that_is_cut_says_how_to_go_on() -> None:
    whole = detail("KeepParcel")
    assert "This list is cut at 200 rows" in symbol_markdown(replace(whole, cut=True))
    assert "This list is cut" not in symbol_markdown(whole)


def test_members_that_the_description_names_are_not_repeated() -> None:
    members = ("box.go", "box.stay", "other.x")
    index = Index()
    made = symbol("box", kind="resource", doc="- `box.go`: Goes.\n- `box.stay`: Stays.", members=members)
    index.add("site:a@1", entries([made, symbol("full", kind="resource", doc="`m`", members=("m",))]))
    assert symbol_markdown(index.lookup.detail("box", "site:a", "", "")).endswith("## Members\n\n`other.x`\n")
    assert "Members" not in symbol_markdown(index.lookup.detail("full", "site:a", "", ""))


def test_many_members_are_cut_with_their_number() -> None:
    index = Index()
    names = tuple(f"box.m{number:03}" for number in range(130))
    index.add("pypi:box@1", entries([symbol("box", kind="module", members=names)]))
    assert "and 30 more (list_apis with prefix)" in symbol_markdown(index.lookup.detail("box", "box", "", ""))
