"""What a page leads to: its links, its Markdown twin, and what it asks of robots."""

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from refdesk.domain.urls import canonical, folder_of

_ROBOTS = re.compile(r"[\s,]+")
_CHARSET = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a page leads to.

    Attributes:
        urls: Canonical addresses in order, each once, on whatever host.
        twin: Canonical address of its Markdown form; empty if it names none.
        routes: How many links lead to places that a script shows in the page itself (`#/guide`).
        nofollow: Whether the page asks that its links are not followed; `urls` has them all the same.
    """

    urls: tuple[str, ...] = ()
    twin: str = ""
    noindex: bool = False
    nofollow: bool = False


def links_of(body: bytes, url: str, content_type: str = "", robots_header: str = "") -> PageLinks:
    """Read a page's links.

    Links with `rel=nofollow`, downloads and addresses that are no http or https are left out. `<base href>` counts.

    Args:
        body: The HTML.
        url: Canonical address of the page.
        content_type: As served; its charset decides how the page is read.
        robots_header: `X-Robots-Tag` as served.
    """
    charset = _CHARSET.search(content_type)
    tree = _tree(body, charset[1] if charset is not None else None)
    asked = set(_ROBOTS.split(robots_header.lower()))
    if tree is None:
        return PageLinks(noindex="noindex" in asked)
    base = url
    found: dict[str, None] = {}
    twin = ""
    for element in tree.iter("a", "area", "link", "meta", "base"):
        tag, attributes = element.tag, element.attrib
        if tag == "meta":
            if attributes.get("name", "").lower() in ("robots", "refdesk"):
                asked.update(_ROBOTS.split(attributes.get("content", "").lower()))
            continue
        href = attributes.get("href", "")
        if tag == "base":
            base = canonical(href, url) or url
        elif tag == "link":
            if _is_twin(attributes.get("rel", ""), attributes.get("type", "")):
                twin = canonical(href, base) or twin
        elif href and "nofollow" not in attributes.get("rel", "").lower() and "download" not in attributes:
            target = _target(href, base)
            if target is not None and target != url:
                found[target] = None
    return PageLinks(tuple(found), twin, bool(asked & {"noindex", "none"}), bool(asked & {"nofollow", "none"}))


def hash_routes(body: bytes) -> int:
    """How many links lead to places that a script shows in the page itself: `#/guide`, `#!/guide`."""
    return len(set(re.findall(rb"href=[\"']?(?:\./|index\.html|/)?(#!?/[^\"'\s>]+)", body)))


def _tree(body: bytes, charset: str | None) -> "etree._Element | None":
    try:
        parser = _parser(charset and codecs.lookup(charset).name)
    except LookupError:
        # Nobody knows it: the page may still name another one itself.
        parser = _parser(None)
    try:
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        # An empty page, or nothing that has an element.
        return None


def _parser(charset: str | None) -> etree.HTMLParser:
    return etree.HTMLParser(encoding=charset, remove_comments=True, remove_pis=True, huge_tree=True)


def _is_twin(rel: str, kind: str) -> bool:
    return "alternate" in rel.lower() and kind.partition(";")[0].strip().lower() in ("text/markdown", "text/x-markdown")


def _target(href: str, base: str) -> str | None:
    """The canonical address of a link; pages of one folder repeat the links of their navigation."""
    plain = href.partition("#")[0]
    if not plain:
        return None
    return _resolved(plain, folder_of(base)) if "?" not in plain[:1] else canonical(plain, base)


@lru_cache(maxsize=1 << 16)
def _resolved(href: str, folder: str) -> str | None:
    return canonical(href, folder)
