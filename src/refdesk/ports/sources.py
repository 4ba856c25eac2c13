"""Sources: one for each ecosystem; they find and read bytes, nothing more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from refdesk.domain.entries import SourceFiles
from refdesk.domain.releases import Release
from refdesk.domain.specs import Spec
from refdesk.ports.progress import Progress


@dataclass(frozen=True, slots=True)
class Discovery:
    """One release that a spec names, exactly, before any of it is read.

    Attributes:
        release: What will be indexed; its identity is already final.
        read: Fetches what is missing and reads the bytes of the release. Called at most once.
    """

    release: Release
    read: Callable[[Progress], SourceFiles]


class Source(Protocol):
    """Finds the releases of one ecosystem."""

    @property
    def ecosystem(self) -> str:
        """The ecosystem that it serves: `aws`, `gcp`, `pypi`, `site`."""
        ...

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """The releases that a spec means; several for `*`.

        A version left out is the newest stable; a package version of a two-axis library means the newest stable API
        version that it carries; an API version without a carrier means the newest stable carrier.

        Raises:
            NotFound: The package, its version, the service or its API version does not exist; the details name
                what does (`available`).
            InvalidInput: The spec cannot mean anything here.
            NetworkUnavailable: The registry could not be asked.
        """
        ...
