"""A folder with the kept state of each site, by the key of its release."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from refdesk.adapters.sites.state import SiteState, read_about
from refdesk.adapters.sqlite import storage_errors
from refdesk.adapters.values import loads
from refdesk.domain.specs import Spec
from refdesk.ports.sites import SiteChanges

_SUFFIX = ".site"


class FolderSites:
    """See `ports.sites.Sites`. Nothing is made before a site is crawled; reading needs no right to write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def releases(self) -> Sequence[str]:
        """See the port."""
        with storage_errors(self._folder):
            names = [path.name for path in self._folder.glob(f"*{_SUFFIX}")] if self._folder.is_dir() else []
        return sorted(unquote(name.removesuffix(_SUFFIX)) for name in names)

    def spec(self, release: str) -> Spec | None:
        """See the port."""
        about = read_about(self._path(release), "spec")
        return loads(Spec, about) if about is not None else None

    def changes(self, release: str) -> SiteChanges | None:
        """See the port."""
        about = read_about(self._path(release), "changes")
        return loads(SiteChanges, about) if about is not None else None

    def forget(self, release: str) -> None:
        """See the port."""
        path = self._path(release)
        with storage_errors(path):
            for name in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
                name.unlink(missing_ok=True)

    def state(self, release: str) -> SiteState:
        """The state of one release, to crawl with; whoever builds the release holds its lock."""
        return SiteState(self._path(release))

    def _path(self, release: str) -> Path:
        return self._folder / (quote(release, safe="@+") + _SUFFIX)
