"""A site: which files are pages, what lies beside them, what is taken over, what is told of."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Entries, PageEntries, Problem, Relation, SourceFiles
from refdesk.domain.errors import SourceRejected
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.ingest.html.site import parse_site
from refdesk.ingest.pipeline import ingest

PROSE = "A tap lets water through as long as it is open and nobody has closed the main valve in the cellar. "
CODE = "<pre>tap = Tap()\ntap.open()</pre>"


def page(title: str, body: str = f"<p>{PROSE}</p>", head: str = "") -> bytes:
    top = f"<html><head><title>{title}</title>{head}</head>"
    return f"{top}<body><main><h1>{title}</h1>{body}</main></body></html>".encode()


def entry(name: str, doc: str = "Text.") -> str:
    return (
        f"<dl class='py function'><dt class='sig sig-object py' id='{name}'><span class='sig-name'>{name}</span>()</dt>"
        f"<dd><p>{doc}</p></dd></dl>"
    )


def sphinx(title: str, *entries: str) -> bytes:
    return page(
        title, f"<p>{PROSE}</p>{''.join(entries)}", "<script src='_static/documentation_options.js'></script>"
    ).replace(b"<main>", b"<div class='body' role='main'>")


def inventory(*lines: str) -> bytes:
    head = b"# Sphinx inventory version 2\n# Project: Taps\n# Version: 2\n# compressed with zlib\n"
    return head + zlib.compress("".join(f"{line}\n" for line in lines).encode())


def source(files: Mapping[str, bytes], **more: Any) -> SourceFiles:
    return SourceFiles(
        Release(Library("site", "taps"), "2"),
        "site",
        dict(sorted(files.items())),
        Origin("docs", "2", "", "", verified=False),
        Updated(datetime(2026, 1, 1, tzinfo=UTC), "indexed"),
        **more,
    )


def served(files: Mapping[str, bytes], **more: Any) -> SourceFiles:
    return source(files, urls={path: f"https://e.org/{path}" for path in files}, **more)


def parsed(files: Mapping[str, bytes], **more: Any) -> Entries:
    return parse_site(source(files, **more))


def paths(entries: Entries) -> list[str]:
    return [one.path for one in entries.pages]


def told(entries: Entries) -> dict[str, str]:
    return {one.path: one.message for one in entries.problems}


def test_pages_of_several_kinds_become_one_site() -> None:
    entries = ingest(
        source(
            {
                "index.html": page("Index"),
                "guide.md": b"# Guide\n\nText.\n",
                "old.txt": b"Old\n===\n\n.. note:: Text.\n",
                "UPPER.HTM": page("Upper"),
                "nameless": b"<!DOCTYPE html>" + page("Nameless"),
                "logo.svg": b"<svg/>",
                "a.css": b"",
                "b.css": b"",
                "LICENCE-without-ending": b"Text",
            }
        )
    )
    assert paths(entries) == ["UPPER.HTM", "guide.md", "index.html", "nameless", "old.txt"]
    assert [one.path for one in entries.fidelity] == ["UPPER.HTM", "index.html", "nameless"]
    assert told(entries) == {
        "LICENCE-without-ending": "not read: 1 file(s) with no ending are no pages",
        "a.css": "not read: 2 file(s) with .css are no pages",
        "logo.svg": "not read: 1 file(s) with .svg are no pages",
    }


def test_what_the_server_says_goes_before_the_name() -> None:
    types = {"a.md": "text/html; charset=utf-8", "b.html": "text/markdown", "c": "application/xhtml+xml"}
    entries = parsed({"a.md": page("A"), "b.html": b"# B\n\nText.\n", "c": page("C")}, types=types)
    assert [one.path for one in entries.fidelity] == ["a.md", "c"]
    assert [one.title for one in entries.pages] == ["A", "C", "B"]


def test_one_bad_page_stops_nothing_and_is_told_of() -> None:
    entries = parsed({"a.html": page("A"), "b.html": b"%PDF-1.4", "c.html": b"", "d.html": page("Page not found", "")})
    assert paths(entries) == ["a.html"]
    assert sorted(told(entries)) == ["b.html", "c.html", "d.html"]
    assert told(entries)["c.html"].startswith("not read: It is empty.")


def test_a_page_that_breaks_its_converter_is_told_of() -> None:
    def earlier(path: str, _sha256: str, _maker: str) -> PageEntries | None:
        if path == "b.html":
            raise RecursionError("too deep")
        return None

    entries = parsed({"a.html": page("A"), "b.html": page("B")}, earlier=earlier)
    assert paths(entries) == ["a.html"]
    assert told(entries) == {"b.html": "not read: converting it failed (RecursionError: too deep)"}


@pytest.mark.parametrize(
    "files", [{}, {"a.css": b""}, {"a.html": b""}, {"llms.txt": b"<html>x"}], ids=["none", "other", "empty", "llms"]
)
def test_a_site_without_any_page_is_refused(files: Mapping[str, bytes]) -> None:
    with pytest.raises(SourceRejected, match=f"None of the {len(files)} files became a page"):
        parsed(files)


def test_what_was_made_of_the_same_bytes_before_is_taken_over() -> None:
    files = {"a.html": page("A"), "b.html": page("B")}
    first = parsed(files)
    known = {(one.path, one.sha256, one.maker): one for one in first.fidelity}
    kept = next(one for one in first.pages if one.path == "a.html")
    asked: list[tuple[str, str, str]] = []

    def earlier(*key: str) -> PageEntries | None:
        asked.append((key[0], key[1], key[2]))
        receipt = known.get((key[0], key[1], key[2]))
        if key[0] != "a.html" or receipt is None:
            return None
        return PageEntries(replace(kept, title="taken over"), receipt)

    again = parsed(files, earlier=earlier)
    assert asked == list(known)
    assert [one.title for one in again.pages] == ["taken over", "B"]
    assert again.fidelity == first.fidelity


def test_a_page_under_two_addresses_is_one() -> None:
    canonical = "<link rel='canonical' href='/a/'>"
    files = {
        "a.html": page("A"),
        "a/": page("A"),
        "a/index.html": page("A"),
        "b.html": page("A", head=canonical),
        "c.html": page("A", head=canonical).replace(b"valve", b"gate"),
        "d.html": page("A", head="<link rel=canonical href='http://['>"),
    }
    types = dict.fromkeys(files, "text/html")
    entries = parse_site(served(files, types=types))
    assert paths(entries) == ["a.html", "c.html", "d.html"]
    assert told(entries) == dict.fromkeys(("a/", "a/index.html", "b.html"), "left out: the same page as a.html")


def test_a_symbol_of_two_pages_is_that_of_the_page_which_the_inventory_names() -> None:
    files = {
        "api.html": sphinx("API", entry("turn", "Much more text than there is elsewhere.")),
        "taps.html": sphinx("Taps", entry("turn"), entry("drip")),
        "other.html": sphinx("Other", entry("drip", "More text on it.")),
    }
    listed = parsed(files | {"objects.inv": inventory("turn py:function 1 taps.html#$ -")})
    assert {one.name: one.place.path for one in listed.symbols} == {"turn": "taps.html", "drip": "other.html"}
    assert Relation("taps.html", "defines", "turn") in listed.relations
    assert Relation("api.html", "defines", "turn") not in listed.relations
    assert Problem("api.html", "turn: described in taps.html too", "others") in listed.problems
    unlisted = parsed(files)
    assert {one.name: one.place.path for one in unlisted.symbols} == {"turn": "api.html", "drip": "other.html"}


def test_only_pages_of_which_the_inventory_says_something_new_are_made_anew() -> None:
    files = {"taps.html": sphinx("Taps", entry("turn")), "other.html": sphinx("Other", entry("drip"))}
    lines = ["turn py:function 1 taps.html#$ -", "drip py:function 1 other.html#$ -"]
    before = {one.path: one.maker for one in parsed(files | {"objects.inv": inventory(*lines)}).fidelity}
    lines.append("gush py:function 1 taps.html#$ -")
    after = {one.path: one.maker for one in parsed(files | {"objects.inv": inventory(*lines)}).fidelity}
    assert before["other.html"] == after["other.html"]
    assert before["taps.html"] != after["taps.html"]


@pytest.mark.parametrize(
    ("name", "data", "told_of"),
    [
        pytest.param("objects.inv", b"<html>not found", True, id="no inventory"),
        pytest.param("index.json", b"[]", True, id="no index of a docset"),
        pytest.param(
            "index.json",
            json.dumps({"entries": [{"name": "turn()", "path": "taps#turn", "type": "f"}], "types": []}).encode(),
            False,
            id="index of a docset",
        ),
        pytest.param("meta.json", b"{}", False, id="facts of a docset"),
        pytest.param("docs/objects.inv", inventory("turn py:function 1 taps.html#$ -"), False, id="in a folder"),
    ],
)
def test_lists_beside_pages_are_no_pages(name: str, data: bytes, *, told_of: bool) -> None:
    entries = parsed({"docs/taps.html": sphinx("Taps", entry("turn")), name: data})
    assert paths(entries) == ["docs/taps.html"]
    assert list(told(entries)) == ([name] if told_of else [])


GOOD = f"# A\n\n{PROSE}\n\n```\ntap = Tap()\ntap.open()\n```\n"


@pytest.mark.parametrize(
    ("twin", "used"),
    [
        pytest.param(GOOD, True, id="as much"),
        pytest.param(f"# A\n\n{PROSE}\n\ntap = Tap()\ntap.open()\n", False, id="code flattened"),
        pytest.param(
            f"# A\n\n{PROSE}\n\n# open\n\n# close\n\n```\ntap = Tap()\n```\n", False, id="comments as headings"
        ),
        pytest.param("# A\n\n```\ntap = Tap()\ntap.open()\n```\n", False, id="words missing"),
        pytest.param("---\ntitle: A\n---\n", False, id="nothing"),
    ],
)
def test_the_markdown_form_of_a_page_is_used_if_it_carries_as_much(twin: str, *, used: bool) -> None:
    """Report: cloudflare/workers-sdk#15177, served Markdown worse than HTML."""
    entries = parsed({"a.html": page("A", f"<p>{PROSE}</p>{CODE}"), "a.md": twin.encode()}, twins={"a.html": "a.md"})
    assert paths(entries) == ["a.html"]
    assert ("```\ntap = Tap()" in entries.pages[0].markdown) or not used
    assert (entries.pages[0].markdown == twin) == used
    assert entries.fidelity[0].after.code == 1


def test_a_page_with_declarations_keeps_its_own_text() -> None:
    files = {"taps.html": sphinx("Taps", entry("turn")), "taps.md": f"# Taps\n\n{PROSE * 9}\n\n## turn\n".encode()}
    entries = parsed(files, twins={"taps.html": "taps.md"})
    assert PROSE * 9 not in entries.pages[0].markdown


def test_a_new_markdown_form_makes_the_page_new() -> None:
    files = {"a.html": page("A"), "a.md": GOOD.encode()}
    hashes = {
        parsed(files | {"a.md": twin}, twins={"a.html": "a.md"}).fidelity[0].sha256 for twin in (b"# A\n", b"# B\n")
    }
    assert len(hashes) == 2


def test_a_page_that_scripts_build_is_read_from_its_markdown_form() -> None:
    shell = b"<html><body><div id=app></div><script src=a.js></script></body></html>"
    files = {"a.html": shell, "a.md": GOOD.encode(), "b.html": shell}
    entries = parse_site(served(files, twins={"a.html": "a.md"}))
    assert [(one.path, one.url, one.title) for one in entries.pages] == [("a.html", "https://e.org/a.html", "A")]
    assert told(entries)["a.html"].startswith("read from a.md: It is built by scripts")
    assert "--render" in told(entries)["b.html"]


FULL = (
    "# A\nSource: https://e.org/a.html\n\nText of a.\n\n# C\nSource: https://e.org/guide/c\n\nText of c.\n\n"
    "# D\nSource: https://e.org/d\n\n"
)


def test_the_pages_of_a_full_text_are_added_to_those_that_are_there() -> None:
    files = {"a.html": page("A"), "llms-full.txt": FULL.encode(), "llms.txt": b"# Taps\n\n- [A](/a.html)\n"}
    entries = parse_site(served(files))
    assert [(one.path, one.url) for one in entries.pages] == [
        ("a.html", "https://e.org/a.html"),
        ("guide/c.md", "https://e.org/guide/c"),
        ("d.md", "https://e.org/d"),
    ]


def test_a_full_text_may_have_pages_without_text() -> None:
    full = b'<doc url="https://e.org/x">\n</doc>\n<doc url="https://e.org/y">\nText.\n</doc>\n'
    entries = parse_site(served({"llms-full.txt": full}))
    assert paths(entries) == ["y.md"]
    assert told(entries) == {"x.md": "has no text"}


def test_html_that_is_served_as_something_else_is_noticed() -> None:
    files = {"llms.txt": page("Home"), "llms-full.txt": page("Home"), "README.md": page("Readme"), "a.html": page("A")}
    entries = parse_site(served(files))
    assert paths(entries) == ["a.html", "README.md"]
    assert told(entries) == {
        "llms.txt": "not read: a page of HTML, served as llms.txt",
        "llms-full.txt": "not read: a page of HTML, served as llms-full.txt",
    }


BODIES = st.one_of(
    st.binary(max_size=80),
    st.sampled_from(
        (page("A"), b"# A\n\nText.\n", b"<p>x", b"<html>", sphinx("Taps", entry("turn")), inventory(), b"{}")
    ),
)
NAMES = st.sampled_from(
    (
        "a.html",
        "a/index.html",
        "a/",
        "b.md",
        "objects.inv",
        "index.json",
        "llms.txt",
        "llms-full.txt",
        "c.txt",
        "d",
        "e.png",
    )
)


@given(st.dictionaries(NAMES, BODIES, max_size=6), st.booleans())
def test_any_files_are_a_site_or_are_refused(files: dict[str, bytes], served_: bool) -> None:
    try:
        entries = ingest(served(files) if served_ else source(files))
    except SourceRejected:
        return
    assert entries.pages
    assert {one.path for one in entries.fidelity} <= {one.path for one in entries.pages}


def test_the_text_that_a_page_was_made_from_is_no_second_page() -> None:
    made = parse_site(
        source({"guide.html": page("Guide"), "guide.txt": b"How it is sent.", "other.txt": b"More of it."})
    )
    assert [one.path for one in made.pages] == ["guide.html", "other.txt"]
    assert [one.message for one in made.problems if one.path == "guide.txt"] == [
        "left out: what the page of HTML of this name was made from"
    ]


def test_many_pages_that_lead_to_pages_of_the_site_are_one_problem() -> None:
    def stub(target: str) -> bytes:
        return f"<html><head><meta http-equiv='refresh' content='0; url={target}'></head><body></body></html>".encode()

    few = {f"old{number}.html": stub("index.html") for number in range(5)}
    apart = {"away.html": stub("https://else.test/")}
    assert len(parsed({"index.html": page("A"), **few, **apart}).problems) == 6
    many = {f"old{number}.html": stub("index.html") for number in range(6)}
    for files in (
        source({"index.html": page("A"), **many, **apart}),
        served({"index.html": page("A"), **many, **apart}),
    ):
        messages = told(parse_site(files))
        assert messages["old0.html"] == (
            "not read: 6 pages that only lead to another page of the site (the first: old0.html, old1.html, old2.html)"
        )
        assert set(messages) == {"away.html", "old0.html"}


@pytest.mark.parametrize(
    ("body", "advice"), [("<script>build(x)</script>", "--render"), ("<p> </p>", "refdesk extract FILE")]
)
def test_a_site_without_a_page_says_what_would_help(body: str, advice: str) -> None:
    with pytest.raises(SourceRejected) as caught:
        parse_site(source({"index.html": f"<html><body>{body}</body></html>".encode()}))
    assert advice in caught.value.suggestion
