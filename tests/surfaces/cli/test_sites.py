"""Sites through the command line, offline: folders of pages are added, refreshed, looked into and checked."""

import re
import zlib
from pathlib import Path

import pytest

from fakes.printed import Cli
from refdesk.operations.checkup import CheckupAnswer, HealthRow, KindRow, PageNote, render_checkup
from refdesk.operations.refreshing import (
    FailedPage,
    PageChanges,
    RefreshAnswer,
    RefreshRow,
    render_refresh,
)
from refdesk.surfaces.cli import output

HEAD = "<!doctype html><html><head><title>{title} — Cart 2.1 documentation</title>"
HEAD += '<script src="_static/documentation_options.js"></script></head><body>'
NAVIGATION = '<nav role="navigation"><a href="index.html">Home of the cart</a> <a href="a.html">Pushing</a></nav>'
PUSH = """<main role="main"><h1>Pushing</h1><p>Push the cart with both hands, and never backwards.</p>
<dl class="py function"><dt class="sig sig-object py" id="cart.push">
<span class="sig-prename descclassname">cart.</span><span class="sig-name descname">push</span>(<em>speed=1</em>)</dt>
<dd><p>Push it.</p></dd></dl></main></body></html>"""


def inventory(version: str) -> bytes:
    """An inventory of Sphinx that lists nothing."""
    lines = ("Sphinx inventory version 2", "Project: cart", f"Version: {version}", "compressed using zlib")
    return "".join(f"# {line}\n" for line in lines).encode() + zlib.compress(b"")


def page(folder: Path, name: str, title: str, body: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{HEAD.format(title=title)}{NAVIGATION}{body}", encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A folder of three pages, with an inventory that states the version."""
    folder = tmp_path / "book"
    page(
        folder, "index.html", "Cart", "<main role='main'><h1>Cart</h1><p>All about carts and how they roll.</p></main>"
    )
    page(folder, "a.html", "Pushing", PUSH)
    page(folder, "b.html", "Pulling", "<main role='main'><h1>Pulling</h1><p>Pull the cart uphill only.</p></main>")
    (folder / "objects.inv").write_bytes(inventory("2.1"))
    (folder / "logo.png").write_bytes(b"\x89PNG")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_a_folder_of_pages_is_added_searched_and_read(cli: Cli, book: Path, home: Path) -> None:
    added = cli("add", "site:cart", "--path", str(book), "--documents", "pypi:cart", home=home)
    assert added.code == 0
    assert added.out.startswith("[Version: site:cart 2.1]")
    assert "3 pages" in added.out
    hits = cli("search", "pull uphill", "--library", "site:cart", "--json", home=home).json["hits"]
    assert hits[0]["title"] == "Pulling"
    text = cli("page", "b.html", "--library", "site:cart", home=home).out
    assert "Pull the cart uphill only." in text
    assert "Home of the cart" not in text


def test_a_refresh_names_what_changed_and_does_nothing_where_nothing_did(cli: Cli, book: Path, home: Path) -> None:
    cli("add", "site:cart", "--path", str(book), home=home)
    same = cli("refresh", "site:cart", home=home)
    assert same.code == 0
    assert "site:cart 2.1: nothing changed, 3 pages as before; the release stays as it was" in same.out
    page(book, "b.html", "Pulling", "<main role='main'><h1>Pulling</h1><p>Pull the cart downhill only.</p></main>")
    page(book, "c.html", "Parking", "<main role='main'><h1>Parking</h1><p>Park the cart in the shade.</p></main>")
    (book / "a.html").unlink()
    row = cli("refresh", "site:cart@2.1", "--json", home=home).json["refreshed"][0]
    assert (row["outcome"], row["unchanged"], row["failed"]["count"]) == ("rebuilt", 1, 0)
    assert [row[kind]["pages"] for kind in ("added", "changed", "removed")] == [["c.html"], ["b.html"], ["a.html"]]
    page(book, "d.html", "Lifting", "<main role='main'><h1>Lifting</h1><p>Lift the cart with a crane.</p></main>")
    said = cli("refresh", "site:cart", "--version", "2.1", home=home).out
    assert "1 added, 0 changed, 0 removed, 0 failed, 3 unchanged" in said
    assert "  - added: d.html" in said


def test_a_folder_that_states_another_version_is_added_beside(cli: Cli, book: Path, home: Path) -> None:
    cli("add", "site:cart", "--path", str(book), home=home)
    (book / "objects.inv").write_bytes(inventory("2.2"))
    said = cli("refresh", "site:cart", home=home).out
    assert "site:cart 2.1: the site states another version now: site:cart 2.2, which was added beside." in said
    assert "refdesk remove site:cart@2.1" in said
    assert cli("list", "--json", home=home).json["version_line"] == "[Version: 2 indexed releases]"


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("refresh", "site:nothing"), 3, "library_not_indexed"),
        (("refresh", "pypi:parcel"), 2, "invalid_input"),
        (("refresh", "site:book@9"), 3, "version_not_indexed"),
        (("doctor", "site:nothing"), 3, "library_not_indexed"),
        (("extract", "nowhere.html"), 3, "not_found"),
        (("extract", "/"), 2, "invalid_input"),
        (("add", "site:x", "--url", "x"), 2, "invalid_input"),
        (("add", "site:x", "--urls", "nowhere.txt"), 2, "invalid_input"),
        (("add", "site:x", "--path", "/nowhere/at/all"), 3, "not_found"),
        (("add", "pypi:x", "--scope", "host"), 2, "invalid_input"),
    ],
)
def test_what_cannot_be_done_says_what_can(cli: Cli, arguments: tuple[str, ...], code: int, error: str) -> None:
    printed = cli(*arguments)
    assert (printed.code, printed.out) == (code, "")
    assert "→ " in printed.err
    answer = cli(*arguments, "--json").err
    assert f'"error": "{error}"' in answer


def test_a_folder_that_is_gone_fails_its_refresh_and_stays(cli: Cli, book: Path, home: Path) -> None:
    cli("add", "site:cart@1", "--path", str(book), home=home)
    cli("add", "site:cart@2", "--path", str(book / "a.html"), home=home)
    moved = book.rename(book.with_name("moved"))
    page(book, "a.html", "Pushing", PUSH)
    alone = cli("refresh", "site:cart@1", home=home)
    assert (alone.code, alone.out.count("rebuilt")) == (0, 1)
    (book / "a.html").unlink()
    both = cli("refresh", "site:cart", home=home)
    assert both.code == 3
    assert both.out.count("failed (not_found)") == 2
    assert cli("list", "--json", home=home).json["version_line"] == "[Version: 2 indexed releases]"
    assert moved.is_dir()


def test_a_list_of_pages_is_a_file_or_several_values(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("# pages\n\nhttps://cart.invalid/a\n no address \n", encoding="utf-8")
    printed = cli("add", "site:cart", "--urls", str(file), "--urls", "https://cart.invalid/b")
    assert "urls: 'no address' is no http or https address" in printed.err


def test_extract_prints_the_page_and_nothing_else(cli: Cli, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    markdown = cli("extract", str(book / "b.html"))
    assert (markdown.code, markdown.out) == (0, "# Pulling\n\nPull the cart uphill only.\n")
    text = cli("extract", str(book / "b.html"), "--text", "--visible")
    assert text.out.split("\n") == ["Pulling", "", "Pull the cart uphill only.", ""]


def test_extract_shows_chunks_symbols_and_the_receipt(cli: Cli, book: Path) -> None:
    found = cli("extract", str(book / "a.html"), "--text", "--json").json
    assert found["title"] == "Pushing"
    assert [one["name"] for one in found["symbols"]] == ["cart.push"]
    assert [one["symbol"] for one in found["chunks"]] == ["cart.push", ""]
    receipt = found["receipt"]
    assert re.fullmatch(r"[0-9a-f]{64}", receipt["sha256"])
    assert receipt["before"]["headings"] == 1
    assert found["text"].startswith("Pushing\n")


def test_extract_reads_markdown_and_restructured_text(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Words\n\nSome *words*.\n", encoding="utf-8")
    (tmp_path / "b.rst").write_text("Words\n=====\n\nSome *words*.\n", encoding="utf-8")
    (tmp_path / "c.md").write_text(" \n", encoding="utf-8")
    for name in ("a.md", "b.rst"):
        assert cli("extract", str(tmp_path / name), "--text").out.split() == ["Words", "Some", "words."]
    assert cli("extract", str(tmp_path / "a.md"), "--json").json["receipt"] is None
    assert cli("extract", str(tmp_path / "c.md")).code == 6


def test_the_doctor_is_content_with_a_good_index(cli: Cli, book: Path, home: Path) -> None:
    cli("add", "site:cart", "--path", str(book), home=home)
    printed = cli("doctor", home=home)
    assert printed.code == 0
    assert "Healthy: every pack can be read, and no page lost content." in printed.out
    assert "- site:cart 2.1: 3 pages from HTML, 0 with losses, 0 with cleaning undone, 1 problem" in printed.out
    assert ".png" in printed.out
    assert cli("doctor", "site:cart", "--json", home=home).json["healthy"] is True


def test_the_doctor_names_a_pack_that_is_gone(cli: Cli, book: Path, home: Path) -> None:
    cli("add", "site:cart", "--path", str(book), home=home)
    for pack in (home / "packs").glob("*.pack"):
        pack.unlink()
    printed = cli("doctor", home=home)
    assert printed.code == 5
    assert "Needs attention:" in printed.out
    assert f"refdesk add site:cart@2.1 --path {book}" in printed.out
    assert cli("refresh", "site:cart", home=home).code == 0
    assert cli("doctor", home=home).code == 0


def test_a_check_up_shows_the_first_of_many() -> None:
    notes = [PageNote(page=f"p{number}.html", note="2 of 3 tables") for number in range(12)]
    kinds = [KindRow(kind=f"k{number}", count=number + 1, path="p", example="…") for number in range(12)]
    row = HealthRow(
        release="site:cart 1", readable=True, old_format=False, fault="", converted=12, undone_count=0, undone=[],
        losses_count=80, losses=notes, problems=kinds,
    )  # fmt: skip
    text = render_checkup(CheckupAnswer(version_line="[Version: …]", healthy=False, releases=[row], missing=[]))
    assert "  - lost: p0.html: 2 of 3 tables" in text
    assert "  - lost: 70 more pages (--json names 50)" in text
    assert "  - 2 more kinds of problems" in text
    assert "  - 1 problem: p: …" in text
    assert "  - 2 problems like this one: p: …" in text


def test_a_refresh_shows_the_first_of_many_and_what_failed() -> None:
    none = PageChanges(count=0, pages=[])
    row = RefreshRow(
        release="site:cart 1", outcome="rebuilt", now="site:cart 1", added=none,
        changed=PageChanges(count=60, pages=[f"p{number}" for number in range(50)]), removed=none,
        failed=PageChanges(count=1, pages=["q"]), failures=[FailedPage(page="q", reason="timed out")], unchanged=1,
        problems=2, vectors="failed", seconds=1.5, error=None,
    )  # fmt: skip
    text = render_refresh(RefreshAnswer(version_line="[Version: …]", refreshed=[row]))
    assert (
        "0 added, 60 changed, 0 removed, 1 failed, 1 unchanged; 2 problems (refdesk list site:cart names them)" in text
    )
    assert "  - changed: 50 more (--json names 50)" in text
    assert "  - failed: q: timed out" in text
    assert "vectors failed" in text
