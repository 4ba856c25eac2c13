"""A source of sites over a website that is never served, and what it keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fakes.clock import FixedClock
from fakes.fetcher import MemoryFetcher
from fakes.website import Content, Website
from refdesk.adapters.sites import FolderSites
from refdesk.adapters.sources import SiteSource
from refdesk.domain.entries import SourceFiles
from refdesk.domain.errors import RefdeskError
from refdesk.domain.libraries import Library
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.progress import silent
from refdesk.ports.sites import SiteChanges

BASE = "https://docs.example.org/"
HANDBOOK = Library("site", "handbook")


@dataclass
class Shop:
    """A source over a website that is never served, and what it keeps."""

    folder: Path
    site: Website = field(default_factory=Website)

    def __post_init__(self) -> None:
        self.fetcher = MemoryFetcher(self.site)
        self.sites = FolderSites(self.folder)
        self.source = SiteSource(self.fetcher, self.folder, FixedClock())

    def spec(self, path: str = "", version: str = "", **options: Any) -> Spec:
        return Spec(HANDBOOK, version, site=SiteOptions(BASE + path, **options))

    def read(self, path: str = "", version: str = "", **options: Any) -> SourceFiles:
        [found] = self.source.discover(self.spec(path, version, **options), silent)
        return found.read(silent)

    def changes(self, release: str) -> SiteChanges:
        found = self.sites.changes(release)
        assert found is not None
        return found

    def refused(self, path: str = "", version: str = "1", **options: Any) -> RefdeskError:
        with pytest.raises(RefdeskError) as caught:
            self.read(path, version, **options)
        assert caught.value.suggestion
        return caught.value


def serve(shop: Shop, pages: Mapping[str, Content]) -> None:
    shop.site.pages = dict(pages)
