"""One page by itself."""

from fakes.documents import MemoryDocuments
from refdesk.domain.entries import Counts, Entries, Fidelity, Page
from refdesk.ports.documents import Document
from refdesk.services.extracting import Extracting


def test_a_page_is_read_made_and_shown() -> None:
    document = Document("a.html", b"<h1>A</h1>", "https://cart.example/a.html", "text/html")
    receipt = Fidelity("a.html", "0", "m", "sphinx", Counts(), Counts())
    documents = MemoryDocuments({"here": document})
    asked: list[tuple[Document, bool]] = []

    def ingest(one: Document, visible: bool) -> Entries:
        asked.append((one, visible))
        return Entries(pages=[Page("a.html", "A", "# A\n\nWords.\n", "concept")], fidelity=[receipt])

    found = Extracting(documents, ingest).extract("here", visible=True, render=True)
    assert asked == [(document, True)]
    assert documents.rendered == ["here"]
    assert (found.page.title, found.receipt) == ("A", receipt)
    assert found.text.split() == ["A", "Words."]


def test_a_page_that_is_no_html_has_no_receipt() -> None:
    documents = MemoryDocuments({"a.md": Document("a.md", b"# A")})
    extracting = Extracting(documents, lambda _one, _visible: Entries(pages=[Page("a.md", "A", "# A", "concept")]))
    assert extracting.extract("a.md").receipt is None
    assert documents.rendered == []
