"""A folder of documents on this machine, as the pages of a site."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from refdesk.adapters.sources.folder import (
    LARGEST_FOLDER,
    MOST_FILES,
    PAGES,
    TEXTS,
    FolderFiles,
    Listing,
    list_folder,
    twins_of,
)
from refdesk.adapters.sources.folder_versions import stated_version
from refdesk.domain.entries import SourceFiles
from refdesk.domain.errors import InvalidInput, NotFound, SourceRejected
from refdesk.domain.releases import Origin, Release, Updated
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.clock import Clock
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sources import Discovery

_LABEL = re.compile(r"[^\s@]+\Z")
_KINDS = f"{', '.join(PAGES)}, {', '.join(TEXTS)}"


class FilesSource:
    """Reads HTML, Markdown and plain text below a folder, or one such file.

    The version is the label of the spec; left out, what the folder's files state (`folder_versions`); else the date
    of the newest document. That date only names the release: `updated` is the time of indexing, because a checkout or
    a copy sets the dates of files anew, so they state nothing.
    """

    ecosystem = "site"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """See the port. The folder is listed, its documents are not read yet."""
        if not spec.path:
            raise InvalidInput(
                f"{spec.library} needs to be told where its pages are.",
                f"Write: refdesk add {spec.library} --path FOLDER",
            )
        root = Path(spec.path).expanduser().absolute()
        progress(Step("resolve", str(spec)))
        listing = _list(root, spec)
        options = spec.site or SiteOptions()
        version, stated_by = (spec.version, "label") if spec.version else stated_version(listing, options.version_from)
        if not version:
            raise InvalidInput(
                f"The pages below {root} state no version by {options.version_from}.",
                f"Name it: refdesk add {spec.library}@VERSION --path {root}",
            )
        if not _LABEL.match(version):
            raise InvalidInput(
                f"{version!r} cannot label a version.", f"Write: files:{spec.path} as {spec.library}@LABEL"
            )
        origin = Origin(str(root), version, "", "", verified=False, version_from=stated_by, documents=options.documents)
        release = Release(spec.library, version)
        return [Discovery(release, partial(self._read, release, listing, origin))]

    def _read(self, release: Release, listing: Listing, origin: Origin, progress: Progress) -> SourceFiles:
        files = FolderFiles(listing.documents, listing.includes())
        problems = [*listing.problems, *listing.left_out()]
        total = hashlib.sha256()
        for done, (name, digest) in enumerate(files.digests(problems)):
            if done % 200 == 0:
                progress(Step("read", release.label, done, len(files), "files"))
            total.update(f"{digest}  {name}\n".encode())
            if files.size > LARGEST_FOLDER:
                raise SourceRejected(
                    f"The documents below {listing.root} are more than {LARGEST_FOLDER:,} bytes.",
                    f"Add its parts one by one: refdesk add {release.library}-PART --path {listing.root}/PART",
                )
        for name, digest in files.included():
            total.update(f"{digest}  {name}\n".encode())
        if not files:
            reason = problems[0].message if problems else "They are gone."
            raise SourceRejected(
                f"None of the documents below {listing.root} can be read. {reason}", "Check their permissions."
            )
        progress(Step("read", release.label, len(files), len(files), "files"))
        return SourceFiles(
            release,
            "site" if listing.is_site else "markdown",
            files,
            replace(origin, sha256=total.hexdigest()),
            Updated(self._clock.now(), "indexed"),
            tuple(sorted(problems, key=lambda one: (one.path, one.message))),
            twins=twins_of(files),
        )


def _list(root: Path, spec: Spec) -> Listing:
    """List a folder or one file.

    Raises:
        NotFound: There is no such folder, or it holds no document.
        InvalidInput: One file that is no document, a folder that cannot be opened, or one with too many documents.
    """
    named = f"{spec.library}{f'@{spec.version}' if spec.version else ''}"
    if root.is_file():
        if not root.name.lower().endswith((*PAGES, *TEXTS)):
            raise InvalidInput(
                f"{root.name} is no HTML, Markdown or plain text ({_KINDS}).",
                f"Name the folder of the documents: refdesk add {named} --path {root.parent}",
            )
        return Listing(root.parent, {root.name: root})
    if not root.is_dir():
        raise NotFound(
            f"There is no folder {root}.", f"Check the path, then: refdesk add {named} --path PATH", path=str(root)
        )
    listing = list_folder(root)
    if not listing.documents:
        found = "; ".join(one.message for one in [*listing.left_out(), *listing.problems][:5]) or "It is empty."
        raise NotFound(
            f"{root} holds no HTML, Markdown or plain text ({_KINDS}). {found}",
            f"Name the folder that holds the documents: refdesk add {named} --path PATH",
            path=str(root),
            found={ending: len(names) for ending, names in sorted(listing.others.items())},
        )
    if len(listing.documents) > MOST_FILES:
        raise InvalidInput(
            f"{root} holds {len(listing.documents):,} documents; at most {MOST_FILES:,} become one site.",
            f"Add its parts one by one: refdesk add {spec.library}-PART --path {root}/PART",
        )
    return listing
