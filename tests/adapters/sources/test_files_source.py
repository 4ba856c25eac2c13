"""A folder of documents: what is taken, what is told, which version it is."""

import os
from pathlib import Path

import pytest

from fakes.clock import NOON, FixedClock
from refdesk.adapters.sources import FilesSource, files, folder
from refdesk.domain.entries import Problem, SourceFiles
from refdesk.domain.errors import InvalidInput, NotFound, SourceRejected
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Updated
from refdesk.domain.specs import SiteOptions, Spec, VersionFrom
from refdesk.ports.progress import silent

HANDBOOK = Library("site", "handbook")


def discover(path: Path, version: str = "1") -> SourceFiles:
    return FilesSource(FixedClock()).discover(Spec(HANDBOOK, version, path=str(path)), silent)[0].read(silent)


def write(folder: Path, *names: str, content: str = "# Title\n") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def test_documents_of_every_ending_and_letter_case_are_read(tmp_path: Path) -> None:
    names = ["README.MD", "a.markdown", "b.mdown", "c.mdx", "d.qmd", "e.mdoc", "f.Rst", "g.txt", "deep/er/h.md"]
    write(tmp_path, *names)
    found = discover(tmp_path)
    assert list(found.files) == sorted(names)
    assert found.updated == Updated(NOON, "indexed")
    assert found.origin.package == str(tmp_path)
    assert not found.problems


def test_everything_that_is_not_taken_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.PNG", "c.png", "Makefile", ".config", ".git/x.md", "node_modules/y.md", ".hidden/z.md")
    outside = tmp_path.parent / f"{tmp_path.name}-outside.md"
    outside.write_text("secret", "utf-8")
    (tmp_path / "link.md").symlink_to(outside)
    (tmp_path / "inner.md").symlink_to(tmp_path / "a.md")
    (tmp_path / "folder").symlink_to(tmp_path.parent, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.md")
    found = discover(tmp_path)
    assert list(found.files) == ["a.md", "inner.md"]
    assert found.problems == (
        Problem(".config", "2 files without an ending left out: no HTML, Markdown or plain text."),
        Problem(".git", "Left out: a hidden folder."),
        Problem(".hidden", "Left out: a hidden folder."),
        Problem("b.PNG", "2 files ending in .png left out: no HTML, Markdown or plain text."),
        Problem("folder", "Left out: a link to a folder."),
        Problem("link.md", "Left out: a link that leads out of the folder."),
        Problem("node_modules", "Left out: no documentation of this project."),
        Problem("pipe.md", "Left out: not a regular file."),
    )


def test_one_file_is_a_site_of_one_page(tmp_path: Path) -> None:
    write(tmp_path, "guide.md", "other.md")
    assert list(discover(tmp_path / "guide.md").files) == ["guide.md"]


@pytest.mark.parametrize(
    ("name", "content", "version"),
    [
        pytest.param("VERSION", "1.4.2\n", "1.4.2", id="version-file"),
        pytest.param("VERSION", "see the tag", "2026-02-03", id="version-file-without-version"),
        pytest.param("pyproject.toml", '[project]\nversion = "2.0"', "2.0", id="pyproject"),
        pytest.param("pyproject.toml", '[tool.poetry]\nversion = "2.1"', "2.1", id="poetry"),
        pytest.param("pyproject.toml", '[project]\ndynamic = ["version"]', "2026-02-03", id="dynamic"),
        pytest.param("pyproject.toml", "[broken", "2026-02-03", id="broken-toml"),
        pytest.param("package.json", '{"version": "3.0.0-rc.1"}', "3.0.0-rc.1", id="package-json"),
        pytest.param("package.json", '{"version": 3}', "2026-02-03", id="package-json-with-a-number"),
        pytest.param("package.json", "[]", "2026-02-03", id="package-json-that-is-a-list"),
    ],
)
def test_without_a_label_the_version_is_what_the_folder_states_else_its_newest_date(
    tmp_path: Path, name: str, content: str, version: str
) -> None:
    write(tmp_path, "a.md", "b.md")
    write(tmp_path, name, content=content)
    os.utime(tmp_path / "a.md", (1770076800, 1770076800))  # 2026-02-03 in UTC
    os.utime(tmp_path / "b.md", (1600000000, 1600000000))
    assert discover(tmp_path, version="").release.version == version


def test_the_hash_depends_on_names_and_contents_only(tmp_path: Path) -> None:
    for one in ("one", "two", "three", "four"):
        write(tmp_path / one, "a.md")
    write(tmp_path / "three", "a.md", content="other")
    (tmp_path / "four" / "a.md").rename(tmp_path / "four" / "b.md")
    hashes = [discover(tmp_path / one).origin.sha256 for one in ("one", "two", "three", "four")]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


def test_files_over_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md", "d.html", content="x" * 8)
    write(tmp_path, "b.md", "c.md", content="x" * 4)
    monkeypatch.setattr(folder, "LARGEST_TEXT", 5)
    monkeypatch.setattr(folder, "LARGEST_PAGE", 7)
    found = discover(tmp_path)
    assert list(found.files) == ["b.md", "c.md"]
    assert found.problems == (
        Problem("a.md", "Left out: more than the 5 bytes that are read of one file."),
        Problem("d.html", "Left out: more than the 7 bytes that are read of one file."),
    )
    monkeypatch.setattr(files, "LARGEST_FOLDER", 5)
    with pytest.raises(SourceRejected, match="more than 5 bytes") as caught:
        discover(tmp_path)
    assert f"refdesk add site:handbook-PART --path {tmp_path}/PART" in caught.value.suggestion
    monkeypatch.setattr(files, "MOST_FILES", 3)
    with pytest.raises(InvalidInput, match="holds 4 documents; at most 3") as refused:
        discover(tmp_path)
    assert refused.value.suggestion


def test_a_document_that_vanishes_before_it_is_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")
    discovery = FilesSource(FixedClock()).discover(Spec(HANDBOOK, "1", path=str(tmp_path)), silent)[0]
    (tmp_path / "a.md").unlink()
    found = discovery.read(silent)
    assert found.problems == (Problem("a.md", "Cannot be read: No such file or directory."),)
    discovery = FilesSource(FixedClock()).discover(Spec(HANDBOOK, "1", path=str(tmp_path)), silent)[0]
    (tmp_path / "b.md").unlink()
    with pytest.raises(SourceRejected, match="None of the documents"):
        discovery.read(silent)


def test_a_folder_without_documents_is_not_found_and_says_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="It is empty"):
        discover(tmp_path)
    write(tmp_path, "a.tsx", "b.tsx", "Makefile")
    with pytest.raises(NotFound, match=r"2 files ending in \.tsx left out") as caught:
        discover(tmp_path)
    assert caught.value.details["found"] == {"": 1, ".tsx": 2}
    assert "refdesk add site:handbook@1 --path" in caught.value.suggestion


@pytest.mark.parametrize(
    ("path", "version", "message"),
    [
        pytest.param("", "1", "needs to be told where", id="no-path"),
        pytest.param("page.pdf", "1", "is no HTML, Markdown", id="one-file-that-is-none"),
        pytest.param(".", "a b", "cannot label a version", id="label-with-a-space"),
    ],
)
def test_a_spec_that_cannot_be_meant_is_invalid(tmp_path: Path, path: str, version: str, message: str) -> None:
    write(tmp_path, "page.pdf", "a.md")
    spec = Spec(HANDBOOK, version, path=str(tmp_path / path) if path else "")
    with pytest.raises(InvalidInput, match=message) as caught:
        FilesSource(FixedClock()).discover(spec, silent)
    assert caught.value.suggestion


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_cannot_be_opened(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "closed/b.md")
    (tmp_path / "closed").chmod(0)
    try:
        assert discover(tmp_path).problems == (Problem("closed", "Folder cannot be opened: Permission denied."),)
        with pytest.raises(InvalidInput, match="cannot be opened"):
            discover(tmp_path / "closed")
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_folder_with_pages_is_a_site_and_takes_what_belongs_to_them(tmp_path: Path) -> None:
    taken = ["a.HTM", "api/b.xhtml", "api/objects.inv", "guide.txt", "index.html", "index.json", "meta.json"]
    write(
        tmp_path, *taken, "_sources/index.rst.txt", "_sources/api/b.rst.txt", "_static/x.html", "_static/y.js",
        "deep/meta.json", "search.js",
    )  # fmt: skip
    found = discover(tmp_path)
    assert found.format == "site"
    assert list(found.files) == taken
    assert found.problems == (
        Problem("_sources", "2 files left out: what the pages were made from."),
        Problem("_static", "1 file left out: no pages."),
        Problem("_static/y.js", "2 files ending in .js left out: no HTML, Markdown or plain text."),
        Problem("deep/meta.json", "1 file ending in .json left out: no HTML, Markdown or plain text."),
    )


def test_lists_of_pages_are_none_in_a_folder_without_pages(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "objects.inv", "_sources/b.rst")
    found = discover(tmp_path)
    assert (found.format, list(found.files)) == ("markdown", ["_sources/b.rst", "a.md"])
    assert [one.path for one in found.problems] == ["objects.inv"]


def test_one_page_is_a_site_of_one_page(tmp_path: Path) -> None:
    write(tmp_path, "guide.html", "other.html")
    found = discover(tmp_path / "guide.html")
    assert (found.format, list(found.files)) == ("site", ["guide.html"])


def test_the_markdown_beside_a_page_is_its_twin(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "a.html.md", "a.md", "b.html", "b.md", "c.html", "d.md")
    assert dict(discover(tmp_path).twins) == {"a.html": "a.html.md", "b.html": "b.md"}


def test_files_are_read_when_they_are_asked_for_and_must_be_what_was_hashed(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "b.html", "c.html")
    found = discover(tmp_path)
    assert found.files["a.html"] == b"# Title\n"
    assert (len(found.files), "a.html" in found.files, "z.html" in found.files) == (3, True, False)
    write(tmp_path, "b.html", content="<p>Longer than before.")
    (tmp_path / "c.html").unlink()
    for name in ("b.html", "c.html"):
        with pytest.raises(SourceRejected, match="changed while the folder was read") as caught:
            found.files[name]
        assert caught.value.suggestion
    with pytest.raises(KeyError):
        found.files["z.html"]


def test_what_a_document_may_include_is_found_by_its_name_and_is_no_document(tmp_path: Path) -> None:
    write(tmp_path / "away", "secret.py")
    root = tmp_path / "docs"
    write(root, "a.md", "code/a.ts", "gone.py", ".env", "logo.png")
    write(root, "large.py", content="x" * (folder.LARGEST_INCLUDE + 1))
    (root / "out.py").symlink_to(tmp_path / "away" / "secret.py")
    for name in ("loop.py", "loop.md"):
        (root / name).symlink_to(root / name)
    found = discover(root)
    assert Problem("loop.md", "Left out: not a regular file.") in found.problems
    assert list(found.files) == ["a.md"]
    assert found.files["code/a.ts"] == b"# Title\n"
    named = [".env", "logo.png", "large.py", "out.py", "loop.py"]
    assert [name for name in named if name in found.files] == []
    write(root, "code/a.ts", content="changed")
    assert discover(root).origin.sha256 != found.origin.sha256
    listing = folder.list_folder(root)
    files_of = folder.FolderFiles(listing.documents, listing.includes())
    (root / "gone.py").unlink()
    assert [name for name, _digest in files_of.included()] == ["code/a.ts"]


def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    write(tmp_path, "ä.md", "b\n.md")
    (tmp_path / os.fsdecode(b"\xff.md")).write_text("x", "utf-8")
    found = discover(tmp_path)
    assert list(found.files) == ["b\n.md", "ä.md"]
    assert found.problems == (Problem("\ufffd.md", "Left out: its name is no text."),)


@pytest.mark.parametrize(
    ("files_of_site", "asked", "version", "stated_by"),
    [
        pytest.param({"VERSION": "9.1"}, "", "9.1", "file", id="the-project-first"),
        pytest.param({"VERSION": "9.1"}, "inventory", "25.4.0", "inventory", id="as-asked"),
        pytest.param({}, "", "25.4.0", "inventory", id="inventory-at-the-top"),
        pytest.param({"objects.inv": "no inventory"}, "", "3.1", "options", id="options-in-their-script"),
        pytest.param(
            {"objects.inv": "", "_static/documentation_options.js": ""}, "", "3.2", "options", id="in-the-page"
        ),
        pytest.param({}, "title", "4.0", "meta", id="meta"),
        pytest.param({"index.html": "<title>Tool Documentation (5.0.x)</title>"}, "title", "5.0", "title", id="title"),
        pytest.param({"meta.json": '{"slug": "tool", "release": "2.0.x"}'}, "", "2.0", "file", id="docset"),
        pytest.param({"meta.json": '{"release": "2.0.x"}'}, "", "25.4.0", "inventory", id="another-meta-json"),
    ],
)
def test_the_version_of_pages_is_what_they_state(
    tmp_path: Path, files_of_site: dict[str, str], asked: VersionFrom, version: str, stated_by: str
) -> None:
    stated = {
        "index.html": (
            '<meta name="docsearch:version" content="4.0"><script>var DOCUMENTATION_OPTIONS = {VERSION: "3.2"}</script>'
        ),
        "deep/index.html": "<title>Tool 1.0</title>",
        "objects.inv": "# Sphinx inventory version 2\n# Project: tool\n# Version: 25.4.0\n# zlib\n",
        "_static/documentation_options.js": 'const DOCUMENTATION_OPTIONS = {\n  VERSION: "3.1",\n}',
    }
    for name, content in {**stated, **files_of_site}.items():
        write(tmp_path, name, content=content)
    spec = Spec(HANDBOOK, path=str(tmp_path), site=SiteOptions(version_from=asked, documents="pypi:tool"))
    found = FilesSource(FixedClock()).discover(spec, silent)[0].read(silent)
    assert found.release.version == version
    assert (found.origin.version_from, found.origin.documents) == (stated_by, "pypi:tool")


def test_a_version_that_is_not_stated_where_it_was_asked_for_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "b.md")
    spec = Spec(HANDBOOK, path=str(tmp_path), site=SiteOptions(version_from="inventory"))
    with pytest.raises(InvalidInput, match="state no version by inventory") as caught:
        FilesSource(FixedClock()).discover(spec, silent)
    assert "refdesk add site:handbook@VERSION --path" in caught.value.suggestion
    (tmp_path / "a.html").unlink()
    with pytest.raises(InvalidInput, match="state no version"):
        FilesSource(FixedClock()).discover(spec, silent)


def test_who_stated_the_version_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    assert discover(tmp_path).origin.version_from == "label"
    assert discover(tmp_path, version="").origin.version_from == "date"
