"""What every Archives must honour; subclass it with a fixture `desk`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from refdesk.domain.errors import NetworkUnavailable, NotFound, UnknownPackage, UnknownVersion
from refdesk.ports.archives import Archive, Archives, PackageVersion
from refdesk.ports.progress import Step, silent


@dataclass(frozen=True)
class Shelved:
    """One version that the registry under test must have."""

    version: str
    files: dict[str, bytes]
    uploaded: datetime
    yanked: bool = False


PACKAGE = "paper-clip"
SHELF = (
    Shelved("0.9", {"paper_clip/__init__.py": b"old = True\n"}, datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), yanked=True),
    Shelved("1.0.0", {"paper_clip/__init__.py": b"", "a.txt": b"1"}, datetime(2021, 1, 1, tzinfo=UTC)),
    Shelved("1.10", {"paper_clip/b.py": b"b = 1\n", "paper_clip/a.py": b"a = 1\n"}, datetime(2022, 1, 1, tzinfo=UTC)),
    Shelved("2.0rc1", {"paper_clip/__init__.py": "ü = 1\n".encode()}, datetime(2023, 1, 1, tzinfo=UTC)),
)


@dataclass
class Desk:
    """An Archives under test.

    Attributes:
        dated: Whether its registry tells upload times.
        hashed: Whether its registry announces hashes.
        withdraws: Whether its registry can mark a version as withdrawn.
    """

    archives: Archives
    go_offline: Callable[[], None]
    dated: bool = True
    hashed: bool = True
    withdraws: bool = True


class ArchivesContract:
    def test_every_version_is_listed_with_its_date_and_whether_it_was_withdrawn(self, desk: Desk) -> None:
        expected = {
            PackageVersion(one.version, one.uploaded if desk.dated else None, one.yanked and desk.withdraws)
            for one in SHELF
        }
        assert set(desk.archives.versions(PACKAGE)) == expected

    @pytest.mark.parametrize("one", SHELF, ids=lambda one: one.version)
    def test_a_version_is_fetched_exactly_even_a_withdrawn_one(self, desk: Desk, one: Shelved) -> None:
        archive = desk.archives.fetch(PACKAGE, one.version, silent)
        assert (archive.package, archive.version) == (PACKAGE, one.version)
        assert archive.uploaded == (one.uploaded if desk.dated else None)
        assert archive.verified is desk.hashed
        with desk.archives.open(archive) as reader:
            assert {name: reader.read(name) for name in reader.names()} == one.files
            assert list(reader.names()) == sorted(one.files)
            assert not reader.skipped()

    @pytest.mark.parametrize("package", ["Paper_Clip", "paper.clip", "PAPER--CLIP"])
    @pytest.mark.parametrize("version", ["1", "1.0", "v1.0.0", "1.0.0.0"])
    def test_any_spelling_of_name_and_version_finds_it(self, desk: Desk, package: str, version: str) -> None:
        archive = desk.archives.fetch(package, version, silent)
        assert (archive.package, archive.version) == (PACKAGE, "1.0.0")

    @pytest.mark.parametrize("version", ["1.1", "1.1.0", "2.0", "3", "1.0.0+local", "1.0.0.dev1", "", "latest"])
    def test_a_version_that_does_not_exist_is_never_answered_by_another(self, desk: Desk, version: str) -> None:
        with pytest.raises(UnknownVersion) as caught:
            desk.archives.fetch(PACKAGE, version, silent)
        nearest = caught.value.details["nearest"]
        assert isinstance(nearest, list)
        assert nearest
        assert set(nearest) <= {one.version for one in SHELF}

    @pytest.mark.parametrize("package", ["paper-clips", "paper", "../paper-clip", "paper/clip", "", "a\x00b", "ü"])
    def test_a_package_that_does_not_exist_is_unknown(self, desk: Desk, package: str) -> None:
        with pytest.raises(UnknownPackage):
            desk.archives.versions(package)
        with pytest.raises(UnknownPackage):
            desk.archives.fetch(package, "1.0.0", silent)

    def test_a_registry_that_is_away_says_nothing_of_existence(self, desk: Desk) -> None:
        desk.go_offline()
        with pytest.raises(NetworkUnavailable):
            desk.archives.versions(PACKAGE)
        with pytest.raises(NetworkUnavailable):
            desk.archives.versions("paper-clips")
        for version in ("1.0.0", "77", "latest"):
            with pytest.raises(NetworkUnavailable):
                desk.archives.fetch(PACKAGE, version, silent)

    def test_what_was_fetched_needs_no_registry(self, desk: Desk) -> None:
        archive = desk.archives.fetch(PACKAGE, "1.10", silent)
        desk.go_offline()
        assert desk.archives.fetch("Paper.Clip", "1.10.0", silent) == archive
        with desk.archives.open(archive) as reader:
            assert reader.read("paper_clip/a.py") == b"a = 1\n"

    def test_what_was_fetched_is_kept(self, desk: Desk) -> None:
        assert not list(desk.archives.kept())
        fetched = {desk.archives.fetch(PACKAGE, version, silent) for version in ("1.0.0", "1.10", "1.0")}
        assert set(desk.archives.kept()) == fetched
        assert len(fetched) == 2

    def test_a_download_reports_its_progress_and_a_kept_archive_none(self, desk: Desk) -> None:
        steps: list[Step] = []
        archive = desk.archives.fetch(PACKAGE, "1.0.0", steps.append)
        assert [step.stage for step in steps][:2] == ["resolve", "download"]
        assert steps[-1].done == archive.size
        steps.clear()
        desk.archives.fetch(PACKAGE, "1.0.0", steps.append)
        assert not steps

    def test_a_name_that_is_not_in_the_archive_is_a_key_error(self, desk: Desk) -> None:
        with desk.archives.open(desk.archives.fetch(PACKAGE, "1.0.0", silent)) as reader:
            for name in ("missing.py", "../a.txt", "/a.txt", "A.TXT", "./a.txt", "paper_clip"):
                with pytest.raises(KeyError):
                    reader.read(name)

    @pytest.mark.parametrize("sha256", ["0" * 64, "", "../../etc/passwd", "F" * 64])
    def test_an_archive_that_is_not_kept_cannot_be_opened(self, desk: Desk, sha256: str) -> None:
        desk.archives.fetch(PACKAGE, "1.0.0", silent)
        gone = Archive(PACKAGE, "1.0.0", "paper_clip-1.0.0-py3-none-any.whl", sha256, 1, None, verified=True)
        with pytest.raises(NotFound), desk.archives.open(gone):
            pass
