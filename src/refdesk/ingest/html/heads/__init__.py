"""Heads of API entries: what generators mark up as declarations of functions, classes, options, and so on."""

from refdesk.ingest.html.heads.finder import finder_for
from refdesk.ingest.html.heads.head import Entry, FindHeads, Head
from refdesk.ingest.html.heads.inventory import Inventory, read_docset, read_inventory
from refdesk.ingest.html.heads.page import Heads
from refdesk.ingest.html.heads.symbols import PageRef, SymbolsOfPage, symbols_of

__all__ = [
    "Entry", "FindHeads", "Head", "Heads", "Inventory", "PageRef", "SymbolsOfPage", "finder_for", "read_docset",
    "read_inventory", "symbols_of",
]  # fmt: skip
