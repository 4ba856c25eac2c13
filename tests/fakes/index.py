"""An index in memory over small libraries of our own writing, and everything that answers from it."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from fakes.archives import MemoryArchives
from fakes.catalog import MemoryCatalog
from fakes.clock import FixedClock
from fakes.documents import MemoryDocuments, MemorySites
from fakes.ledger import MemoryLedger
from fakes.packs import MemoryPacks
from refdesk.domain.entries import Entries, Page
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Published, Release, Updated
from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import Deprecation, ErrorRef, Example, Param, Place, Returns, Symbol
from refdesk.domain.text import TOKENISER
from refdesk.ingest.markdown.chunks import chunks_of_page
from refdesk.ingest.symbol_chunks import chunks_of_symbol
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.descriptor import Caller
from refdesk.operations.dispatcher import Answer, Dispatcher
from refdesk.operations.services import Services
from refdesk.ports.embedder import Embedder
from refdesk.ports.packs import PACK_FORMAT, Manifest
from refdesk.services.availability import AvailabilityCheck
from refdesk.services.checkup import Checkup
from refdesk.services.extracting import Extracting
from refdesk.services.indexing import Indexing, card_of
from refdesk.services.lookup import Lookup
from refdesk.services.reading import Reading
from refdesk.services.refreshing import Refreshing
from refdesk.services.searching import Searching
from refdesk.services.shelf import Shelf
from refdesk.services.specifications import Specifications

UPLOADED = Updated(datetime(2026, 5, 4, tzinfo=UTC), "registry")
_CARRIERS = {"aws": "botocore", "gcp": "google-api-python-client"}


class Index:
    """Releases in memory, and a dispatcher that answers from them.

    Attributes:
        catalog, packs, ledger, clock: The fakes behind it.
    """

    def __init__(self, embedder: Embedder | None = None, *, read_only: bool = False) -> None:
        self.catalog, self.packs, self.ledger, self.clock = MemoryCatalog(), MemoryPacks(), MemoryLedger(), FixedClock()
        self.archives = MemoryArchives()
        self.shelf = Shelf(self.catalog, self.packs)
        self.lookup = Lookup(self.shelf)
        self.reading = Reading(self.shelf)
        self.searching = Searching(self.shelf, self.catalog, embedder)
        self.availability = AvailabilityCheck(self.shelf, self.lookup)
        indexing = Indexing({}, lambda _files: Entries(), self.catalog, self.packs, self.clock, None)
        services = Services(
            self.shelf,
            self.lookup,
            self.reading,
            self.searching,
            self.availability,
            indexing,
            Specifications(self.shelf, self.archives),
            Refreshing(self.shelf, indexing, MemorySites()),
            Extracting(MemoryDocuments(), lambda _document, _visible: Entries()),
            Checkup(self.shelf, lambda _receipt: "", lambda: ()),
        )
        numbers = itertools.count(1)
        self.dispatcher = Dispatcher(
            services, CATALOGUE, self.ledger, self.clock, lambda: f"{next(numbers):032x}", read_only=read_only
        )

    def add(
        self,
        key: str,
        entries: Entries,
        *,
        tokeniser: str = TOKENISER,
        files: Sequence[str] = (),
        documents: str = "",
    ) -> Published:
        """Publish a release by its key: `pypi:parcel@1.0.0`, `aws:depot@2020-01-01+1.34.0`."""
        release = release_of(key)
        package = release.carrier.package if release.carrier else release.library.name
        origin = Origin(
            package, release.package_version, f"{package}.whl", "0" * 64, verified=True, documents=documents
        )
        counts = {
            "symbols": len(entries.symbols),
            "pages": len(entries.pages),
            "chunks": len(entries.chunks),
            "problems": len(entries.problems),
        }
        at = self.clock.now()
        manifest = Manifest(PACK_FORMAT, release, origin, UPLOADED, at, tokeniser, tuple(files), counts)
        pack = self.packs.write(manifest, entries)
        published = Published(release, pack, PACK_FORMAT, origin, UPLOADED, at, counts)
        self.catalog.publish(published, card_of(entries.chunks))
        return published

    def call(self, operation: str, /, **arguments: object) -> Answer:
        """Run an operation as the command line would."""
        return self.dispatcher.call(operation, arguments, Caller("cli"))

    def damage(self, key: str) -> None:
        """Lose the pack of a release that stays published."""
        published = next(one for one in self.catalog.published() if one.release.key == key)
        self.packs.remove(published.pack)


def release_of(key: str) -> Release:
    name, _, version = key.partition("@")
    library = Library.parse(name)
    own, plus, carrier = version.partition("+")
    return Release(library, own, Carrier(_CARRIERS[library.ecosystem], carrier) if plus else None)


def entries(
    symbols: Sequence[Symbol] = (), shapes: Mapping[str, Shape] | None = None, pages: Sequence[Page] = ()
) -> Entries:
    """Entries with the chunks that ingesting makes of them."""
    found = shapes or {}
    chunks = [
        *(chunk for symbol in symbols for chunk in chunks_of_symbol(symbol, found.get)),
        *(chunk for page in pages for chunk in chunks_of_page(page)),
    ]
    return Entries(symbols=tuple(symbols), shapes=found, pages=tuple(pages), chunks=tuple(chunks))


def symbol(name: str, *names: str, kind: str = "function", **facts: object) -> Symbol:
    """A symbol with what a test does not care about filled in."""
    made = Symbol(name, "function", (name, *names), summary=f"About {name}.")
    return replace(made, kind=kind, **facts)  # type: ignore[arg-type]  # the test says what fits


def depot(*, newer: bool = False) -> Entries:
    """A service in the manner of AWS: operations, shapes, an error, a paginator's operation, a resource-like waiter."""
    members = [
        Member("Depot", "Name", "Which depot keeps it.", required=True, kind="path"),
        Member("Key", "Name", "Under which name.", required=True),
        Member("Body", "Blob", "The bytes."),
        Member("Class", "StorageClass", "How fast it must be found again."),
        Member("Labels", "LabelList", "What is written on it."),
    ]
    if newer:
        members.append(
            Member("IfNoneMatch", "Name", "Keep it only if nothing is there under that name.", kind="header")
        )
    classes = ("FAST", "SLOW", "COLD") if newer else ("FAST", "SLOW")
    shapes = (
        Shape("Name", "scalar", "string", limits={"min": 1, "max": 255, "pattern": "[a-z]+", "sensitive": True}),
        Shape("Blob", "scalar", "blob"),
        Shape("StorageClass", "scalar", "string", enum=classes),
        Shape("LabelList", "list", "list", element="Label"),
        Shape(
            "Label",
            "structure",
            "Label",
            "A word on a parcel.",
            (Member("Key", "Name", "Its name.", required=True), Member("Value", "Name", "Its value.")),
        ),
        Shape("KeepParcelRequest", "structure", "KeepParcelRequest", members=tuple(members)),
        Shape(
            "KeepParcelOutput",
            "structure",
            "KeepParcelOutput",
            members=(Member("ETag", "Name", "Mark of what is kept."), Member("Label", "Label", "Its first label.")),
        ),
    )
    keep = Symbol(
        "KeepParcel",
        "operation",
        ("KeepParcel", "keep_parcel"),
        "Keeps a parcel in a depot.",
        "Keeps a parcel in a depot.\n\n> **Note:** A parcel of the same name is replaced.",
        "keep_parcel(*, Depot: str, Key: str, **optional)",
        input_shape="KeepParcelRequest",
        returns=Returns("KeepParcelOutput", "What is kept now.", "KeepParcelOutput"),
        errors=(ErrorRef("NoSuchDepot", "There is no depot of this name."),),
        examples=(Example("client.keep_parcel(Depot='d', Key='k')", "python", "To keep a parcel"),),
        place=Place("botocore/data/depot/service-2.json", 0, "https://docs.example/depot/KeepParcel"),
        attributes={"http": {"method": "PUT", "path": "/{Depot}/{Key}"}, "service": {"id": "Depot"}},
    )
    error = Symbol(
        "NoSuchDepot",
        "error",
        ("NoSuchDepot",),
        "There is no depot of this name.",
        "There is no depot of this name.\n\nHTTP status 404 (client error).",
        "client.exceptions.NoSuchDepot",
        attributes={"code": "NoSuchDepot", "http_status": 404, "fault": "client", "operations": ["KeepParcel"]},
    )
    login = Symbol(
        "GetDepotLocation",
        "operation",
        ("GetDepotLocation", "get_depot_location"),
        "Says where a depot is.",
        "Says where a depot is.",
        "get_depot_location(*, Depot: str)",
        params=(Param("Depot", "string", required=True),),
        deprecation=Deprecation("flag", "1.30", "HeadDepot", "Use HeadDepot."),
    )
    kept = [keep, error] if newer else [keep, error, login]
    return entries(kept, {one.name: one for one in shapes})


def parcel(*, newer: bool = False) -> Entries:
    """A Python package: a class with methods, functions, a module that is open, pages."""
    timeout = Param("timeout", "float | None", default="None" if newer else "5.0", kind="keyword_only", doc="Seconds.")
    client = symbol(
        "parcel.Client",
        kind="class",
        signature="class Client(*, timeout: float | None = 5.0)",
        doc="Sends parcels; can be shared between threads.",
        params=(timeout,),
        members=("parcel.Client.get", "parcel.Client.send"),
        place=Place("parcel/client.py", 7, "https://parcel.example"),
        attributes={"bases": ["parcel.base.Base"]},
    )
    url = Param("url", "str", required=True, doc="Where from.")
    symbols = [
        client,
        symbol("parcel.Client.get", kind="method", signature="def get(url: str)", params=(url,)),
        symbol(
            "parcel.Client.send",
            kind="method",
            signature="def send(what: str, **kwargs)",
            params=(Param("what", "str", required=True), Param("kwargs", kind="var_keyword")),
            attributes={"overloads": ["def send(what: str)", "def send(what: bytes)"]},
        ),
        symbol("parcel.get", signature="def get(url: str)", params=(url,), returns=Returns("Parcel", "The parcel.")),
        symbol("parcel.codes", signature="codes: Codes", kind="attribute"),
        symbol("parcel.lazy", kind="module", open=True),
        symbol("parcel.Basket.get", kind="method"),
    ]
    if newer:
        symbols.append(symbol("parcel.fetch", since="2.0"))
    else:
        old = Deprecation("directive", "1.5", "parcel.get", "Use get.")
        symbols.append(symbol("parcel.drop", signature="def drop()", deprecation=old))
    return entries(symbols, pages=parcel_pages())


def parcel_pages() -> tuple[Page, ...]:
    home = "https://parcel.example"
    parts = "".join(
        f"## Part {number}\n\n" + "Words about carts and parcels. " * 40 + "\n\n" for number in range(1, 30)
    )
    return (
        Page("README.md", "parcel", "# parcel\n\nSend parcels.\n\n## Install\n\npip install parcel\n", "concept", home),
        Page("METADATA", "parcel metadata", "# parcel 1.0\n\nLicense: none\n", "metadata", home),
        Page("CHANGES.md", "Changes", "# Changes\n\n## 1.0\n\nFirst.\n", "changelog", f"{home}/changes"),
        Page("guide/index.md", "Guide", f"# Guide\n\n{parts}", "howto", f"{home}/guide/"),
        Page("guide/a.md", "A", "# A\n\nAlpha.\n", "howto", f"{home}/guide/a"),
        Page("guide/a.rst", "A again", "# A again\n\nAlpha.\n", "howto"),
    )


def sample() -> Index:
    """`pypi:parcel` 1.0.0 and 2.0.0, `aws:depot` from two carriers."""
    index = Index()
    index.add("pypi:parcel@1.0.0", parcel())
    index.add("pypi:parcel@2.0.0", parcel(newer=True))
    index.add("aws:depot@2020-01-01+1.34.0", depot())
    index.add("aws:depot@2020-01-01+1.44.0", depot(newer=True))
    return index
