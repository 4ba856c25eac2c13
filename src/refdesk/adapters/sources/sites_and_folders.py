"""The one source of `site:`: pages that are served, and pages that lie in a folder."""

from collections.abc import Sequence

from refdesk.domain.specs import Spec
from refdesk.ports.progress import Progress
from refdesk.ports.sources import Discovery, Source


class SitesAndFolders:
    """A spec with a path is for the folder's source, every other one for the site's."""

    ecosystem = "site"

    def __init__(self, sites: Source, folders: Source) -> None:
        self._sites = sites
        self._folders = folders

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """See the port."""
        return (self._folders if spec.path else self._sites).discover(spec, progress)
