"""One document by itself to what it would become in an index."""

import re
from dataclasses import replace

from refdesk.domain.entries import Entries
from refdesk.domain.errors import SourceRejected
from refdesk.ingest.html.cleaning import learn
from refdesk.ingest.html.page import Served, convert
from refdesk.ingest.html.tree import read_document
from refdesk.ingest.markdown.pages import page_of_file
from refdesk.ingest.pipeline import finish

_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_HTML_NAME = re.compile(r"\.x?html?\Z", re.IGNORECASE)
_HEAD = 4_000


def ingest_document(name: str, data: bytes, *, url: str = "", content_type: str = "", visible: bool = False) -> Entries:
    """Everything that one document of HTML, Markdown, reStructuredText or plain text becomes.

    What a site repeats on its pages cannot be known here: furniture is found by structure alone.

    Args:
        name: Becomes the path of the page; its ending tells the format, else the bytes do.
        data: Its bytes.
        url: Where it was served; empty for a file.
        content_type: As served; empty for a file.
        visible: Whether what a reader does not see at first (hidden tab panels, closed details) is left out.

    Raises:
        SourceRejected: There is no text in it.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if _is_html(name, data, kind):
        profile = learn([read_document(data, url, content_type)])
        made = convert(Served(name, data, url, content_type), profile, visible=visible)
        # Its links to names of other pages lead nowhere here, which says nothing of the page.
        parsed = Entries(symbols=made.symbols, pages=(made.page,), problems=made.problems)
        return replace(finish(parsed), fidelity=(made.fidelity,))
    if kind == "text/markdown" and not name.lower().endswith((".md", ".mdx")):
        name = f"{name}.md"
    page, problems = page_of_file(name, data, {name: data})
    if page is None:
        raise SourceRejected(f"{name} has no text.", "Name a page of HTML, Markdown, reStructuredText or plain text.")
    return finish(Entries(pages=(replace(page, url=url),), problems=problems))


def _is_html(name: str, data: bytes, kind: str) -> bool:
    if kind:
        return kind in ("text/html", "application/xhtml+xml")
    return _HTML_NAME.search(name) is not None or _HTML.match(data[:_HEAD]) is not None
