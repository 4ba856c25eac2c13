"""A page of HTML to its symbols, the way the product goes."""

from lxml import html

from refdesk.domain.symbols import Symbol
from refdesk.ingest.html.heads import Inventory, PageRef, SymbolsOfPage, finder_for, symbols_of
from refdesk.ingest.html.rendering import RenderOptions, render
from refdesk.ingest.html.tree import Document


def read_page(generator: str, body: str, inventory: Inventory | None = None, path: str = "api.html") -> SymbolsOfPage:
    """What a page says of APIs."""
    root = html.document_fromstring(f"<html><body>{body}</body></html>")
    heads = finder_for(generator, Document(root, "", "", "", ""), inventory, path)
    options = RenderOptions(find_heads=heads, skip=heads.absorbed)
    return symbols_of(render(root, options).entries, PageRef(path, f"https://docs.test/{path}"), options)


def symbols_in(
    generator: str, body: str, inventory: Inventory | None = None, path: str = "api.html"
) -> dict[str, Symbol]:
    """The symbols of a page by name."""
    return {one.name: one for one in read_page(generator, body, inventory, path).symbols}
