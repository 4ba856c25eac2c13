"""Python packages: their source files, metadata, readme and changelog, as the registry's archive has them."""

from collections.abc import Callable, Sequence
from functools import partial

from refdesk.adapters.sources.layout import Layout, lay_out
from refdesk.adapters.sources.registry import choose_version, origin_of, package_page, registry_date
from refdesk.domain.entries import Problem, SourceFiles
from refdesk.domain.errors import InvalidInput
from refdesk.domain.releases import Release
from refdesk.domain.specs import Spec
from refdesk.ports.archives import ArchiveReader, Archives
from refdesk.ports.clock import Clock
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sources import Discovery

LARGEST = 4 * 1024 * 1024
"""Bytes of the largest file that is read; larger ones are generated tables, and are listed as left out."""


class PypiSource:
    """Reads `.py`, `.pyi`, metadata and documents; of compiled modules only the names."""

    ecosystem = "pypi"

    def __init__(self, archives: Archives, clock: Clock) -> None:
        self._archives = archives
        self._clock = clock

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """See the port. Nothing is downloaded before `read`."""
        if spec.library.name == "*":
            raise InvalidInput("pypi:* would be the whole registry.", "Name one package, for example pypi:httpx")
        progress(Step("resolve", str(spec)))
        version = choose_version(self._archives, spec.library.name, spec.version)
        release = Release(spec.library, version)
        return [Discovery(release, partial(self._read, release))]

    def _read(self, release: Release, progress: Progress) -> SourceFiles:
        archive = self._archives.fetch(release.library.name, release.version, progress)
        with self._archives.open(archive) as reader:
            layout = lay_out(reader.names(), archive.filename, release.library.name, reader.read)
            problems = [Problem(*one) for one in layout.problems()]
            problems += [Problem(name, reason) for name, reason in reader.skipped()]
            files = _read_all(reader, layout, problems, partial(_report, progress, release.label))
            url = package_page(reader)
        return SourceFiles(
            release,
            "python",
            files,
            origin_of(archive, url),
            registry_date(archive.uploaded, self._clock),
            tuple(sorted(problems, key=lambda one: (one.path, one.message))),
        )


def _read_all(
    reader: ArchiveReader, layout: Layout, problems: list[Problem], report: Callable[[int, int], None]
) -> dict[str, bytes]:
    """The bytes by path, sorted; files that are too large become problems."""
    files = dict.fromkeys(layout.names_only, b"")
    total = len(layout.read)
    for done, (path, name) in enumerate(layout.read.items()):
        if done % 200 == 0:
            report(done, total)
        content = reader.read(name)
        if len(content) > LARGEST:
            problems.append(
                Problem(name, f"Left out: {len(content):,} bytes, more than the {LARGEST:,} that are read of one file.")
            )
        else:
            files[path] = content
    report(total, total)
    return dict(sorted(files.items()))


def _report(progress: Progress, subject: str, done: int, total: int) -> None:
    progress(Step("read", subject, done, total, "files"))
