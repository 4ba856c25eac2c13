"""Extracting: what one page becomes, to look into any doubt about an answer."""

from collections.abc import Callable
from dataclasses import dataclass

from refdesk.domain.entries import Entries, Fidelity, Page
from refdesk.domain.plaintext import plain_text
from refdesk.ports.documents import Document, Documents

IngestDocument = Callable[[Document, bool], Entries]
"""The entries of one document; the flag says whether only what a reader sees at first is wanted."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """One document and what became of it."""

    document: Document
    entries: Entries

    @property
    def page(self) -> Page:
        """Its page."""
        return self.entries.pages[0]

    @property
    def receipt(self) -> Fidelity | None:
        """What was there and what was kept; None for documents that are no HTML."""
        return next(iter(self.entries.fidelity), None)

    @property
    def text(self) -> str:
        """Its page as plain text."""
        return plain_text(self.page.markdown)


class Extracting:
    """Makes of one document what indexing would make of it, and stores nothing."""

    def __init__(self, documents: Documents, ingest: IngestDocument) -> None:
        self._documents = documents
        self._ingest = ingest

    def extract(self, location: str, *, visible: bool = False, render: bool = False) -> Extracted:
        """What the page at a path or an address becomes.

        Raises:
            NotFound, InvalidInput, NetworkUnavailable, ExtraMissing: As in `Documents.read`.
            SourceRejected: There is no text in it.
        """
        document = self._documents.read(location, render=render)
        return Extracted(document, self._ingest(document, visible))
