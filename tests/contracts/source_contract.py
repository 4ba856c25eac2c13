"""What every source must honour; subclass it with fixtures `source`, `spec` (something there) and `unknown`."""

import re

import pytest

from refdesk.domain.errors import NotFound
from refdesk.domain.specs import Spec
from refdesk.ports.progress import Step, silent
from refdesk.ports.sources import Source


class SourceContract:
    def test_releases_belong_to_the_ecosystem_and_library_asked_for(self, source: Source, spec: Spec) -> None:
        found = source.discover(spec, silent)
        assert found
        assert {one.release.library for one in found} == {spec.library}
        assert source.ecosystem == spec.library.ecosystem

    def test_discovering_twice_finds_the_same(self, source: Source, spec: Spec) -> None:
        first, second = source.discover(spec, silent), source.discover(spec, silent)
        assert [one.release for one in first] == [one.release for one in second]
        assert len({one.release.key for one in first}) == len(first)

    def test_a_version_is_never_empty(self, source: Source, spec: Spec) -> None:
        for one in source.discover(spec, silent):
            assert one.release.version
            assert one.release.package_version

    def test_reading_gives_sorted_files_of_the_release_that_was_discovered(self, source: Source, spec: Spec) -> None:
        discovery = source.discover(spec, silent)[0]
        read = discovery.read(silent)
        assert read.release == discovery.release
        assert read.files
        assert list(read.files) == sorted(read.files)
        assert not [one for one in read.files if one.startswith("/") or ".." in one.split("/")]

    def test_what_was_read_says_where_it_came_from_and_when(self, source: Source, spec: Spec) -> None:
        read = source.discover(spec, silent)[0].read(silent)
        assert read.format in ("aws", "discovery", "python", "markdown", "site")
        assert re.fullmatch(r"[0-9a-f]{64}", read.origin.sha256)
        assert read.origin.package
        assert read.updated.at.tzinfo is not None
        assert list(read.problems) == sorted(read.problems, key=lambda one: (one.path, one.message))

    def test_progress_is_reported(self, source: Source, spec: Spec) -> None:
        steps: list[Step] = []
        source.discover(spec, steps.append)[0].read(steps.append)
        assert steps[0].stage == "resolve"
        assert [one for one in steps if one.stage == "read" and one.done == one.total > 0]

    def test_what_does_not_exist_is_not_found_with_a_way_out(self, source: Source, unknown: Spec) -> None:
        with pytest.raises(NotFound) as caught:
            source.discover(unknown, silent)
        assert caught.value.message
        # the way out of a package that the registry does not have is for the archives to say
        assert caught.value.suggestion or caught.value.code == "unknown_package"
