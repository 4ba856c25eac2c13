"""Heads of API entries: what generators mark up as the declaration of a function, class, option …"""

from refdesk.ingest.html.heads.head import Entry, FindHeads, Head

__all__ = ["Entry", "FindHeads", "Head"]
