"""Reading: pages and symbols by any id or url that an answer ever showed, in parts that fit a budget."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from refdesk.domain.cutting import cut
from refdesk.domain.documents import DocumentId, document_id, parse_document_id
from refdesk.domain.entries import Page
from refdesk.domain.errors import Ambiguous, InvalidInput, NotFound, PackUnreadable
from refdesk.domain.markdown import outline, section
from refdesk.domain.names import similar
from refdesk.services.cursors import make_cursor, read_cursor
from refdesk.services.lookup import detail_of
from refdesk.services.shelf import Chosen, Shelf
from refdesk.services.symbol_page import symbol_markdown

_WEB = re.compile(r"https?://", re.IGNORECASE)
_LEADING = re.compile(r"\A(?:\.{0,2}/)+")
_ENDING = re.compile(r"\.(?:md|markdown|mdown|mdx|qmd|mdoc|rst|txt|html?)\Z")
_INDEX = re.compile(r"(?:\A|/)(?:index|readme)\Z")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of one document.

    Attributes:
        id: Of the whole document.
        url: Where people read it; empty if nowhere.
        sections: Anchors of the document's sections, to ask for one of them.
        tokens: Estimate for the whole document, or for the section that was asked for.
        next_cursor: Where to go on; empty at the end.
    """

    chosen: Chosen
    id: DocumentId
    title: str
    url: str
    text: str
    sections: tuple[str, ...]
    tokens: int
    next_cursor: str


@dataclass(frozen=True, slots=True)
class _Document:
    chosen: Chosen
    id: DocumentId
    title: str
    url: str
    markdown: str


class Reading:
    """Finds documents and gives them out in parts."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def read(self, page: str, library: str, version: str, section_name: str, cursor: str, max_tokens: int) -> Part:
        """A part of the document that `page` names: an id, a resource's address, a url, a path or an API's name.

        Raises:
            NotFound: No such document or section; the details name similar ones.
            LibraryNotIndexed, VersionNotIndexed, Ambiguous, InvalidInput, PackUnreadable: As their names say.
        """
        page = page.strip().strip("`'\"<>").strip()
        if not page:
            raise InvalidInput("No page is named.", "Pass the id or url of a search hit.")
        document = self._document(page, library, version)
        markdown = document.markdown
        wanted = section_name.strip().lstrip("#") or document.id.anchor
        if wanted:
            found = section(markdown, wanted)
            if found is None:
                raise _no_section(document, wanted)
            markdown = found
        scope = f"{document.chosen.published.pack}/{document.id.kind}/{document.id.name}#{wanted}"
        start = read_cursor(cursor, scope) if cursor else 0
        if not isinstance(start, int):
            raise InvalidInput("That cursor does not belong to this document.", "Leave cursor out to start again.")
        piece = cut(markdown, max_tokens, start)
        return Part(
            document.chosen,
            document.id,
            document.title,
            document.url,
            piece.text,
            tuple(heading.anchor for heading in outline(document.markdown))[:50],
            piece.total_tokens,
            make_cursor(scope, piece.next) if piece.next is not None else "",
        )

    def _document(self, page: str, library: str, version: str) -> _Document:
        named = parse_document_id(page)
        if named is not None:
            chosen = self._shelf.choose(named.library, named.version)
            self._agrees(chosen, library, version)
            return _by_name(chosen, named.kind, named.name, named.anchor)
        if _WEB.match(page):
            return self._by_url(page, library, version)
        if not library:
            raise InvalidInput(
                f"{page!r} is a path or name; it needs its library.",
                "Pass library too, or the id of a search hit as it was shown.",
            )
        chosen = self._shelf.choose(library, version)
        path, _, anchor = page.partition("#")
        kind = "page" if _page(chosen, path) or "/" in path or _ENDING.search(path) else "api"
        return _by_name(chosen, kind, path, anchor)

    def _agrees(self, chosen: Chosen, library: str, version: str) -> None:
        """Refuse an id of one release beside arguments that name another."""
        release = chosen.published.release
        if not library and not version:
            return
        asked = self._shelf.choose(library or str(release.library), version or chosen.requested).published.release
        if asked != release:
            raise InvalidInput(
                f"The id names {release.label}, the other arguments {asked.label}.",
                "Pass the id alone, or the path with library and version.",
            )

    def _by_url(self, url: str, library: str, version: str) -> _Document:
        if library:
            candidates: Sequence[Chosen] = [self._shelf.choose(library, version)]
            unreadable: Sequence[PackUnreadable] = ()
        else:
            candidates, unreadable = self._shelf.opened(self._shelf.defaults())
        found = [document for chosen in candidates for document in _of_url(chosen, url)]
        if not found and unreadable:
            raise unreadable[0]
        if len(found) > 1:
            names = ", ".join(str(document.id) for document in found[:5])
            raise Ambiguous(
                f"{url} is the address of several documents: {names}.",
                "Pass one of these ids.",
                ids=[str(document.id) for document in found[:20]],
            )
        if not found:
            raise self._no_url(url, candidates)
        return found[0]

    def _no_url(self, url: str, candidates: Sequence[Chosen]) -> NotFound:
        """The error for a url that the releases do not have; another release that has it is named, not served."""
        searched = {chosen.published.release for chosen in candidates}
        others = [
            str(document.id)
            for one in self._shelf.published()
            if one.release not in searched and (chosen := self._shelf.readable(one)) is not None
            for document in _of_url(chosen, url)
        ]
        labels = [chosen.published.release.key for chosen in candidates][:20]
        if others:
            message = f"{', '.join(labels)} has no page with the url {url}; other indexed releases do."
            return NotFound(message, f"Pass the id: {others[0]}", url=url, searched=labels, ids=others[:20])
        return NotFound(
            f"No indexed page has the url {url}.",
            "search_docs finds what is indexed; refdesk reads no page that is not.",
            url=url,
            searched=labels,
        )


def _by_name(chosen: Chosen, kind: str, name: str, anchor: str) -> _Document:
    release = chosen.published.release
    if kind == "page":
        page = _page(chosen, name)
        if page is None:
            near = similar(name.partition("?")[0], (one.path for one in chosen.pack.entries.pages()))
            raise NotFound(
                f"{release.label} has no page {name!r}." + (f" Similar: {', '.join(near)}." if near else ""),
                "Use search_docs, or one of the similar paths.",
                page=name,
                similar=list(near),
            )
        return _Document(chosen, document_id(release, "page", page.path, anchor), page.title, page.url, page.markdown)
    detail = detail_of(chosen, name.partition("?")[0])
    symbol = detail.symbol
    return _Document(
        chosen, document_id(release, "api", symbol.name, anchor), symbol.name, symbol.place.url, symbol_markdown(detail)
    )


def _page(chosen: Chosen, path: str) -> Page | None:
    """A page by its path in any form that people write: `./`, `../` or `/` before it, no ending, trailing slash, query.

    Raises:
        Ambiguous: Several pages differ only in ending or case, and none is named exactly.
    """
    entries = chosen.pack.entries
    plain = _LEADING.sub("", posixpath.normpath(path.partition("?")[0])).rstrip("/")
    for form in (path, plain):
        page = entries.page(form) if form else None
        if page is not None:
            return page
    wanted = _stem(plain)
    stems = {one.path: _stem(one.path) for one in entries.pages()}
    fitting = [one for one, stem in stems.items() if stem == wanted]
    if not fitting and ("/" in plain or _ENDING.search(plain)):  # links between neighbours name no folder
        fitting = [one for one, stem in stems.items() if stem.endswith(f"/{wanted}")]
    if len(fitting) > 1:
        raise Ambiguous(
            f"{path!r} could be {', '.join(fitting[:6])} of {chosen.published.release.label}.",
            f"Pass one of them, for example {fitting[0]}.",
            pages=fitting[:20],
        )
    return entries.page(fitting[0]) if fitting else None


def _stem(path: str) -> str:
    """What is left of a path without its ending and without the name of an index page."""
    whole = _ENDING.sub("", path.casefold())
    return _INDEX.sub("", whole) or whole


def _of_url(chosen: Chosen, url: str) -> list[_Document]:
    """The documents of a release at a url; several where they share one address."""
    wanted = _normal(url)
    anchor = unquote(_split(url).fragment)
    pages = [one for one in chosen.pack.entries.pages() if one.url and _normal(one.url) == wanted]
    # README, changelog and metadata of a package may all name the project's home as their address.
    pages = [one for one in pages if one.content_type != "metadata"] or pages
    documents = [_by_name(chosen, "page", one.path, anchor) for one in pages]
    if len(documents) > 1 and anchor:
        documents = [one for one in documents if section(one.markdown, anchor) is not None] or documents
    return documents or _symbols_of_url(chosen, url)


def _symbols_of_url(chosen: Chosen, url: str) -> list[_Document]:
    last = unquote(_split(url).path).rstrip("/").rpartition("/")[2]
    names = dict.fromkeys(match.symbol for match in chosen.pack.entries.find(last))
    symbols = [chosen.pack.entries.symbol(name) for name in names]
    wanted = _normal(url)
    return [_by_name(chosen, "api", one.name, "") for one in symbols if _normal(one.place.url) == wanted]


def _normal(url: str) -> str:
    """A url without scheme, query, fragment and trailing slash, host in lower case."""
    parts = _split(url)
    return f"{parts.netloc.lower()}{unquote(parts.path).rstrip('/')}"


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # half an IPv6 address; it is then a url that nothing has
        return SplitResult("", "", url, "", "")


def _no_section(document: _Document, wanted: str) -> NotFound:
    anchors = [heading.anchor for heading in outline(document.markdown)]
    near = similar(wanted, anchors) or anchors[:8]
    return NotFound(
        f"{document.id} has no section {wanted!r}." + (f" Sections: {', '.join(near)}." if near else ""),
        "Leave section out for the whole page, or use one of its sections.",
        section=wanted,
        similar=list(near),
        sections=anchors[:50],
    )
