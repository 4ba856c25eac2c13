"""A folder of documents: what is taken, what is told, which version it is."""

import os
from pathlib import Path

import pytest

from fakes.clock import NOON, FixedClock
from refdesk.adapters.sources import FilesSource, files
from refdesk.domain.entries import Problem, SourceFiles
from refdesk.domain.errors import InvalidInput, NotFound, SourceRejected
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Updated
from refdesk.domain.specs import Spec
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
        Problem(".config", "2 files without an ending left out: not Markdown or plain text."),
        Problem(".git", "Left out: a hidden folder."),
        Problem(".hidden", "Left out: a hidden folder."),
        Problem("b.PNG", "2 files ending in .png left out: not Markdown or plain text."),
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
    for folder in ("one", "two", "three", "four"):
        write(tmp_path / folder, "a.md")
    write(tmp_path / "three", "a.md", content="other")
    (tmp_path / "four" / "a.md").rename(tmp_path / "four" / "b.md")
    hashes = [discover(tmp_path / one).origin.sha256 for one in ("one", "two", "three", "four")]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


def test_files_over_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md", content="x" * 8)
    write(tmp_path, "b.md", "c.md", content="x" * 4)
    monkeypatch.setattr(files, "LARGEST", 5)
    found = discover(tmp_path)
    assert list(found.files) == ["b.md", "c.md"]
    assert found.problems == (Problem("a.md", "Left out: more than the 5 bytes that are read of one file."),)
    monkeypatch.setattr(files, "LARGEST_FOLDER", 5)
    with pytest.raises(SourceRejected, match="more than 5 bytes") as caught:
        discover(tmp_path)
    assert f"refdesk add files:{tmp_path}/PART as site:handbook-PART" in caught.value.suggestion


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
    write(tmp_path, "a.html", "b.html", "Makefile")
    with pytest.raises(NotFound, match=r"2 files ending in \.html left out") as caught:
        discover(tmp_path)
    assert caught.value.details["found"] == {"": 1, ".html": 2}
    assert "as site:handbook@1" in caught.value.suggestion


@pytest.mark.parametrize(
    ("path", "version", "message"),
    [
        pytest.param("", "1", "needs to be told where", id="no-path"),
        pytest.param("page.html", "1", "is not Markdown", id="one-file-that-is-none"),
        pytest.param(".", "a b", "cannot label a version", id="label-with-a-space"),
    ],
)
def test_a_spec_that_cannot_be_meant_is_invalid(tmp_path: Path, path: str, version: str, message: str) -> None:
    write(tmp_path, "page.html", "a.md")
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
