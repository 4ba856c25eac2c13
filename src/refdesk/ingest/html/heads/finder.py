"""The door of finding: which generator made the page decides who reads it."""

from collections.abc import Callable, Mapping

from refdesk.ingest.html.heads.devsite import find_devsite, is_devsite
from refdesk.ingest.html.heads.doxygen import find_doxygen
from refdesk.ingest.html.heads.headings import find_headings
from refdesk.ingest.html.heads.inventory import Inventory
from refdesk.ingest.html.heads.javadoc import find_javadoc
from refdesk.ingest.html.heads.mkdocstrings import find_mkdocstrings
from refdesk.ingest.html.heads.node import find_node
from refdesk.ingest.html.heads.page import Heads, Subject
from refdesk.ingest.html.heads.rustdoc import find_rustdoc
from refdesk.ingest.html.heads.sphinx import find_sphinx
from refdesk.ingest.html.tree import Document


def finder_for(generator: str, document: Document, inventory: Inventory | None, path: str = "") -> Heads:
    """Find the declarations of a page.

    The elements of the page are compared by identity: hold the document while the answer is used.

    Args:
        generator: As `SiteProfile.generator` names it.
        document: The page.
        inventory: Of the site; None if it has none.
        path: Of the page in the release, to find it in the inventory where it has no address.

    Returns:
        A `FindHeads`, and with it the elements that it makes superfluous.
    """
    find = _FINDERS.get(generator)
    if find is None:
        return Heads()
    return find(Subject(document.root, document.url or path, inventory or Inventory()))


def _of_docset(subject: Subject) -> Heads:
    """What DevDocs keeps of a page has the structure of whatever made it."""
    if is_devsite(subject.root):
        return find_devsite(subject)
    heads = find_sphinx(subject)
    return heads if heads.found else find_headings(subject)


def _of_mkdocs(subject: Subject) -> Heads:
    heads = find_mkdocstrings(subject)
    return heads if heads.found or not subject.inventory.items else find_headings(subject)


_FINDERS: Mapping[str, Callable[[Subject], Heads]] = {
    "sphinx": find_sphinx,
    "devdocs": _of_docset,
    "mkdocs": _of_mkdocs,
    "javadoc": find_javadoc,
    "rustdoc": find_rustdoc,
    "doxygen": find_doxygen,
    "node": find_node,
}
