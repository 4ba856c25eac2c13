"""Reports T1, T2, T16, T17 and T22 of other tools, over sites of HTML: versions, includes, file kinds, addresses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.shelved import Shelved, shelved
from fakes.website import Website, page
from refdesk.domain.errors import NotFound, RefdeskError

_TEXT = "<p>A sentence that says enough about the bell tower to be read, and then one more about its stairs.</p>"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Shelved]:
    with shelved(tmp_path) as opened:
        yield opened


# T1, T2: sites by their versions


@pytest.mark.parametrize(
    ("labels", "asked", "served"),
    [
        pytest.param(("1.19", "1.20", "1.9"), "1.20.3", "1.20", id="T1 a patch of a line"),
        pytest.param(("1.19", "1.20", "1.9"), "1.x", "1.20", id="T1 any minor"),
        pytest.param(("1.19", "1.20", "1.9"), "", "1.20", id="T1 none"),
        pytest.param(("latest",), "", "latest", id="T2 the only label"),
        pytest.param(("stable", "v2-beta", "2024-10-01"), "v2-beta", "v2-beta", id="T2 a label"),
    ],
)
def test_arabold_480_475_a_served_site_answers_by_its_version(
    desk: Shelved, labels: tuple[str, ...], asked: str, served: str
) -> None:
    site = Website({f"/{label}/": page("Tower", body=f"{_TEXT}<p>This is tower {label}.</p>") for label in labels})
    with site.serving():
        for label in labels:
            desk.add("tower", url=f"{site.url}{label}/", version=label)
    (chosen,) = {one["version"] for one in desk.search("bell tower", "tower", version=asked)}
    assert served in chosen


def test_arabold_475_the_version_is_read_from_the_address(desk: Shelved) -> None:
    site = Website({f"/en/{label}/": page("Tower", body=_TEXT) for label in ("2.1", "2.2")})
    with site.serving():
        for label in ("2.1", "2.2"):
            desk.add("tower", url=f"{site.url}en/{label}/", version_from="url")
    assert "2.2" in desk.search("bell tower", "tower")[0]["version"]
    assert "2.1" in desk.search("bell tower", "tower", version="2.1")[0]["version"]


# T16


def test_context7_345_includes_are_code_or_a_visible_marker(desk: Shelved) -> None:
    desk.add_files(
        {
            "book.md": "# Book\n\nSome words.\n\n```rust\n{{#include lib.rs:region}}\n```\n",
            "lib.rs": "fn outside() {}\n// ANCHOR: region\nfn magpie() {}\n// ANCHOR_END: region\n",
            "gone.md": "# Gone\n\nSome words.\n\n```rust\n{{#include nowhere.rs}}\n```\n",
            "sphinx.rst": "Sphinx\n======\n\n.. literalinclude:: code.py\n   :lines: 2\n",
            "code.py": "first = 1\njackdaw = 2\nthird = 3\n",
            "docfx.md": "# Docfx\n\n[!code-csharp[](a.cs?name=x)]\n",
            "a.cs": "// <x>\nint rook = 1;\n// </x>\nint other = 2;\n",
        }
    )
    assert "fn magpie() {}" in desk.page("book.md")
    assert "outside" not in desk.page("book.md")
    assert "jackdaw = 2" in desk.page("sphinx.rst")
    assert "first" not in desk.page("sphinx.rst")
    assert "int rook = 1;" in desk.page("docfx.md")
    assert "nowhere.rs" in desk.page("gone.md")
    assert any("nowhere.rs" in problem.message for problem in desk.problems())


# T17


def test_context7_498_a_mixed_site_reads_or_names_every_file(desk: Shelved) -> None:
    desk.add_files(
        {
            "index.html": f"<html><title>Home</title><main><h1>Home</h1>{_TEXT}<p>The word auk.</p></main></html>",
            "OLD.HTM": f"<html><title>Old</title><main><h1>Old</h1>{_TEXT}<p>The word bittern.</p></main></html>",
            "x.xhtml": f"<html><title>X</title><body><h1>X</h1>{_TEXT}<p>The word crake.</p></body></html>",
            "README.MD": "# Read me\n\nThe word dunlin.\n",
            "ref.txt": "Title\n=====\n\n.. note:: The word egret.\n",
            "page.tsx": "export default () => <p>finch</p>\n",
        }
    )
    for word in ("auk", "bittern", "crake", "dunlin", "egret"):
        assert word in desk.search(word)[0]["snippet"]
    assert [problem.path for problem in desk.problems() if problem.path == "page.tsx"] == ["page.tsx"]


# T22


@pytest.fixture
def tower(desk: Shelved) -> Shelved:
    home = page("Tower", "/docs/stairs/", "/docs/bells.html", body=_TEXT)
    stairs = page(
        "Stairs",
        body=f'{_TEXT}<h2 id="north">North side</h2><p>Ninety steps of oak.</p>{_TEXT}<h2 id="south">South</h2>{_TEXT}',
    )
    site = Website({"/docs/": home, "/docs/stairs/": stairs, "/docs/bells.html": page("Bells", body=_TEXT)})
    with site.serving():
        desk.add("tower", url=f"{site.url}docs/", version="1")
    return desk


def test_docs_builder_2722_every_id_and_address_of_a_hit_is_read(tower: Shelved) -> None:
    hits = tower.search("steps of oak on the north side", "tower", limit=10)
    assert hits
    for hit in hits:
        assert tower.call("get_page", page=hit["id"])["text"]
        assert tower.call("get_page", page=hit["url"])["text"]


@pytest.mark.parametrize("ending", ["", "/", "?view=old", "/?view=old", "#north", "/#north", "?view=old#north"])
def test_redis_docs_3585_an_address_is_read_however_it_ends(tower: Shelved, ending: str) -> None:
    (stairs,) = [one for one in tower.pack("tower").entries.pages() if one.title == "Stairs"]
    text = tower.call("get_page", page=stairs.url.rstrip("/") + ending)["text"]
    assert "Ninety steps of oak." in text
    assert ("South" in text) == ("#" not in ending)


def test_great_docs_340_what_is_unknown_is_an_error_with_suggestions(tower: Shelved) -> None:
    (stairs,) = [one for one in tower.pack("tower").entries.pages() if one.title == "Stairs"]
    with pytest.raises(NotFound) as unknown:
        tower.page(stairs.url.replace("stairs/", "bels.html"), "tower")
    assert "bells.html" in str(unknown.value.payload())
    with pytest.raises(RefdeskError, match="viev"):
        tower.page(stairs.url, "tower", viev="old")
