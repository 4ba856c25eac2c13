"""Lists of pages that sites keep for machines: sitemaps (https://www.sitemaps.org) and inventories of Sphinx."""

import zlib
from dataclasses import dataclass

from lxml import etree

from refdesk.domain.urls import canonical

_LARGEST = 64 << 20
"""Bytes of the largest list, unpacked; the rule for sitemaps is 50 MB."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list names.

    Attributes:
        urls: Canonical addresses of pages, in order, each once.
        lists: Canonical addresses of further lists.
    """

    urls: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


def read_sitemap(content: bytes, url: str) -> Listed | None:
    """What a sitemap or an index of sitemaps names, packed or not; None for anything else.

    Args:
        content: The file.
        url: Its canonical address.
    """
    text = _unpacked(content)
    if text is None or not text[:2000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return None
    try:
        root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    kind = etree.QName(root).localname if root is not None and isinstance(root.tag, str) else ""
    if kind not in ("urlset", "sitemapindex"):
        return None
    # Only `loc` of an entry itself: images and videos of a page have one too, in a namespace of their own.
    entries = (one for entry in root for one in entry if isinstance(one.tag, str))
    found = (canonical(one.text or "", url) for one in entries if etree.QName(one).localname == "loc")
    urls = tuple(dict.fromkeys(one for one in found if one is not None))
    return Listed(urls) if kind == "urlset" else Listed(lists=urls)


def read_inventory(content: bytes, url: str) -> Listed | None:
    """The pages that an inventory of Sphinx names; None for anything else.

    Args:
        content: `objects.inv`.
        url: Its canonical address.
    """
    if not content.startswith(b"# Sphinx inventory version 2"):
        return None
    _, _, _, _, packed = (content.split(b"\n", 4) + [b""] * 5)[:5]
    text = _inflated(packed, zlib.MAX_WBITS)
    if text is None:
        return None
    found: dict[str, None] = {}
    for line in text.decode("utf-8", "replace").splitlines():
        # NAME DOMAIN:ROLE PRIORITY URI DISPLAYED; a name may have blanks, `$` at the end of a URI stands for it.
        parts = line.rsplit(None, 4) if line.count(" ") >= 4 else []
        place = next((part for part in parts if "#" in part or part.endswith((".html", "/"))), "")
        target = canonical(place.partition("#")[0], url) if place else None
        if target is not None and "$" not in target:
            found[target] = None
    return Listed(tuple(found))


def _unpacked(content: bytes) -> bytes | None:
    return _inflated(content, zlib.MAX_WBITS | 16) if content.startswith(b"\x1f\x8b") else content


def _inflated(content: bytes, bits: int) -> bytes | None:
    """Unpacked bytes; None if they are broken or too many."""
    unpacking = zlib.decompressobj(bits)
    try:
        text = unpacking.decompress(content, _LARGEST)
    except zlib.error:
        return None
    return None if unpacking.unconsumed_tail else text
