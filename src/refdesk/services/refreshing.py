"""Refreshing releases of sites: asked for again as they were asked for before, and told page by page what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from refdesk.domain.errors import InvalidInput, NotFound, PackUnreadable, RefdeskError, SourceRejected
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Origin, Published
from refdesk.domain.specs import SiteOptions, Spec, VersionFrom
from refdesk.domain.versions import resolve
from refdesk.ports.packs import Pack
from refdesk.ports.progress import Progress
from refdesk.ports.sites import SiteChanges, Sites
from refdesk.services.indexing import Added, Indexing
from refdesk.services.shelf import Shelf, respell

_ASKED: Mapping[str, VersionFrom] = {
    "url": "url",
    "number": "url",
    "inventory": "inventory",
    "options": "inventory",
    "meta": "title",
    "title": "title",
    "switcher": "switcher",
}
"""What stated a version → where it is looked for again."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What became of one release that was refreshed.

    Attributes:
        before: The release that was refreshed.
        added: What indexing made of it. Its release is another than `before` where the site states a new version: that
            one was added beside.
        changes: Pages by address, or by path for a folder; None if it failed.
        error: Why it was not even tried; None if it was.
    """

    before: Published
    added: Added | None = None
    changes: SiteChanges | None = None
    error: RefdeskError | None = field(default=None)


class Refreshing:
    """Asks sites and folders for what changed. A release that did not change keeps its pack."""

    def __init__(self, shelf: Shelf, indexing: Indexing, sites: Sites) -> None:
        self._shelf = shelf
        self._indexing = indexing
        self._sites = sites

    def refresh(self, library: str, version: str, progress: Progress, *, vectors: bool = True) -> Sequence[Refreshed]:
        """Refresh one release, or all of a library if no version is named.

        Raises:
            LibraryNotIndexed, VersionNotIndexed, Ambiguous: As in `Shelf.choose`.
            InvalidInput: A library that is no site: its releases never change.
            Cancelled: What was fetched is kept; the same call goes on from there.
        """
        named = self._site(library)
        releases = list(self._shelf.releases(named))
        if version:
            wanted = resolve(version, [one.release for one in releases], named).release
            releases = [one for one in releases if one.release == wanted]
        # Two releases of a site that states its version itself are asked for in the same way: once is enough.
        asked: dict[Spec, Published] = {}
        refreshed: list[Refreshed] = []
        for one in releases:
            spec = self._spec(one)
            if spec is None:
                refreshed.append(Refreshed(one, error=_forgotten(one)))
            else:
                asked.setdefault(spec, one)
        refreshed += [self._refresh(spec, one, progress, vectors=vectors) for spec, one in asked.items()]
        return refreshed

    def _site(self, text: str) -> Library:
        """The indexed site that a caller means; what is no site is told even if it is not indexed."""
        stated = Library.parse(text) if ":" in text else None
        named = stated if stated is not None and stated.ecosystem != "site" else self._shelf.library(text)
        if named.ecosystem == "site":
            return named
        raise InvalidInput(
            f"{named} comes from packages, whose releases never change.",
            f"Add another version of it: refdesk add {named}@VERSION",
        )

    def _spec(self, published: Published) -> Spec | None:
        """How a release was asked for; None if that is no longer known."""
        if is_fetched(published.origin):
            return self._sites.spec(published.release.key)
        origin = published.origin
        asked = _ASKED.get(origin.version_from, "")
        labelled = origin.version_from in ("", "label")
        options = SiteOptions(version_from=asked, documents=origin.documents)
        return Spec(
            published.release.library,
            published.release.version if labelled else "",
            path=origin.package,
            site=None if options == SiteOptions() else options,
        )

    def _refresh(self, spec: Spec, before: Published, progress: Progress, *, vectors: bool) -> Refreshed:
        earlier = self._readable(before)
        (added,) = self._indexing.add([spec], progress, vectors=vectors)
        if isinstance(added.error, InvalidInput):
            added = replace(added, error=_other_site(before, added.error))
        if added.published is None:
            return Refreshed(before, added)
        key = added.published.release.key
        changes = self._sites.changes(key) if is_fetched(added.published.origin) else None
        if changes is None:
            changes = _compared(earlier if added.published.release == before.release else None, self._opened(added))
        return Refreshed(before, added, changes)

    def _readable(self, published: Published) -> Pack | None:
        try:
            return self._shelf.open(published)
        except PackUnreadable:
            return None

    def _opened(self, added: Added) -> Pack | None:
        return self._readable(added.published) if added.published is not None else None


def is_fetched(origin: Origin) -> bool:
    """Whether a release of a site was fetched over the network; the others were read from a folder."""
    return origin.package.startswith(("http://", "https://"))


def _compared(earlier: Pack | None, now: Pack | None) -> SiteChanges:
    """The pages of two packs; without an earlier one all are new."""
    if now is None:
        return SiteChanges()
    if earlier is now:
        return SiteChanges(unchanged=len(now.entries.pages()))
    old = {one.path for one in earlier.entries.pages()} if earlier is not None else set()
    new = [one.path for one in now.entries.pages()]
    same = [path for path in new if path in old and earlier and earlier.entries.page(path) == now.entries.page(path)]
    stayed = set(same)
    return SiteChanges(
        added=tuple(path for path in new if path not in old),
        changed=tuple(path for path in new if path in old and path not in stayed),
        removed=tuple(sorted(old.difference(new))),
        unchanged=len(same),
    )


def _forgotten(published: Published) -> NotFound:
    return NotFound(
        f"How {published.release.label} was fetched is not kept any more.",
        f"Add it again: refdesk add {respell(published)}",
        release=published.release.key,
    )


def _other_site(published: Published, error: InvalidInput) -> SourceRejected:
    """The error for what could be asked for before: the site is another one now, and not the question wrong."""
    where = published.origin.url or published.origin.package
    return SourceRejected(
        f"{published.release.label} is kept as it was: what is there now cannot be taken for it. {error.message}",
        f"See what is served now: refdesk extract {where}. If that passes, call again.",
        release=published.release.key,
    )
