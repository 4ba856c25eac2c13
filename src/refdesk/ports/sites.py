"""What is kept of sites between one crawl and the next: how they were asked for, what they held, what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from refdesk.domain.specs import Spec


@dataclass(frozen=True, slots=True)
class SiteChanges:
    """What the last finished crawl of a release found, against the finished crawl before it.

    Attributes:
        added: Addresses of pages that were not there before, sorted; all of them after a first crawl.
        changed: Addresses of pages whose bytes are others now, sorted.
        removed: Addresses of pages that are gone (404, 410) or that nothing leads to any more, sorted.
        failed: Address → why it could not be fetched this time. A page that was there before stays as it was.
        unchanged: Pages that are as they were.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    unchanged: int = 0

    @property
    def pages(self) -> int:
        """Pages that the release holds after the crawl."""
        return len(self.added) + len(self.changed) + self.unchanged


class Sites(Protocol):
    """Remembers sites by the key of the release (`Release.key`) that was read from them.

    A source of sites writes it while it crawls; it is safe against a crash at any moment, and what an interrupted
    crawl fetched is not fetched again. Whoever refreshes reads it::

        spec = sites.spec(published.release.key)
        [discovery] = source.discover(spec, progress)   # asks for the start page only
        discovery.read(progress)                        # crawls, conditionally where a page is known
        sites.changes(discovery.release.key)            # what that crawl found

    The discovered release may be another than the one refreshed: a site whose version was read from itself has moved
    on. It is then added beside; the pages of a new version never come under the label of the old one.
    """

    def releases(self) -> Sequence[str]:
        """Keys of all releases that something is kept of, sorted."""
        ...

    def spec(self, release: str) -> Spec | None:
        """How the release was asked for the last time, ready to be discovered again; None if nothing is kept of it.

        Its version is empty where the site itself stated the version.
        """
        ...

    def changes(self, release: str) -> SiteChanges | None:
        """What the last finished crawl found; None before one has finished, or if nothing is kept."""
        ...

    def forget(self, release: str) -> None:
        """Remove all that is kept of a release, for when it stops answering; nothing happens if nothing is kept."""
        ...
