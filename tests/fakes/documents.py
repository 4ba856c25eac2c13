"""Documents by their location, and a memory of sites."""

from collections.abc import Mapping, Sequence

from refdesk.domain.errors import NotFound
from refdesk.domain.specs import Spec
from refdesk.ports.documents import Document
from refdesk.ports.sites import SiteChanges


class MemoryDocuments:
    """Documents port over a table of location → document; `rendered` is what was wanted from a browser."""

    def __init__(self, documents: Mapping[str, Document] | None = None) -> None:
        self.documents = dict(documents or {})
        self.rendered: list[str] = []

    def read(self, location: str, *, render: bool = False) -> Document:
        if location not in self.documents:
            raise NotFound(f"There is no file {location}.", "Check the path.")
        if render:
            self.rendered.append(location)
        return self.documents[location]


class MemorySites:
    """Sites port whose memory is written by the test."""

    def __init__(self) -> None:
        self.specs: dict[str, Spec] = {}
        self.found: dict[str, SiteChanges] = {}

    def releases(self) -> Sequence[str]:
        return sorted(self.specs)

    def spec(self, release: str) -> Spec | None:
        return self.specs.get(release)

    def changes(self, release: str) -> SiteChanges | None:
        return self.found.get(release)

    def forget(self, release: str) -> None:
        self.specs.pop(release, None)
        self.found.pop(release, None)
