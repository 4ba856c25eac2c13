"""Specification files as they came: read from the archive that a release was made from."""

from dataclasses import dataclass

from refdesk.domain.errors import HashMismatch, NotFound
from refdesk.domain.names import similar
from refdesk.ports.archives import Archives
from refdesk.ports.progress import Progress
from refdesk.services.shelf import Chosen, Shelf


@dataclass(frozen=True, slots=True)
class SpecificationFile:
    """One file of the archive that a release was made from, as the publisher packed it (a `.gz` stays compressed)."""

    chosen: Chosen
    path: str
    data: bytes


class Specifications:
    """Hands out the files that a release was read from, byte for byte."""

    def __init__(self, shelf: Shelf, archives: Archives) -> None:
        self._shelf = shelf
        self._archives = archives

    def read(self, library: str, version: str, path: str, progress: Progress) -> SpecificationFile:
        """One file of the archive, which is fetched again if the store no longer has it.

        Raises:
            NotFound: The release was not made from this file, or was made from a folder.
            HashMismatch: The archive that can be had is not the one that the release was made from.
            LibraryNotIndexed, VersionNotIndexed, Ambiguous, NetworkUnavailable: As their names say.
        """
        chosen = self._shelf.choose(library, version)
        files = chosen.pack.manifest.files
        origin = chosen.published.origin
        if path not in files or not origin.filename:
            near = similar(path, files)
            raise NotFound(
                f"{chosen.published.release.label} was not made from a file {path!r} of an archive.",
                "source.path of an API detail names the file.",
                path=path,
                similar=list(near),
            )
        archive = self._archives.fetch(origin.package, origin.version, progress)
        if archive.sha256 != origin.sha256:
            raise HashMismatch(
                f"{origin.filename} is no longer the archive that {chosen.published.release.label} was made from.",
                "Remove the release and add it again.",
            )
        with self._archives.open(archive) as reader:
            return SpecificationFile(chosen, path, reader.read(path))
