"""Reading: pages and symbols by any id or url that an answer ever showed, in parts that fit a budget."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refdesk.domain.cutting import cut
from refdesk.domain.documents import DocumentId, document_id, parse_document_id
from refdesk.domain.entries import Page
from refdesk.domain.errors import Ambiguous, InvalidInput, NotFound, PackUnreadable
from refdesk.domain.markdown import outline, section
from refdesk.domain.names import similar
from refdesk.ingest.suspicion import suspicion
from refdesk.services.addresses import Addresses, anchor_of, has_ending, last_part, normal, plain_path
from refdesk.services.cursors import make_cursor, read_cursor
from refdesk.services.lookup import detail_of
from refdesk.services.shelf import Chosen, Shelf
from refdesk.services.symbol_page import symbol_markdown

_WEB = re.compile(r"https?://", re.IGNORECASE)
_MOST_PACKS = 16


@dataclass(frozen=True, slots=True)
class Part:
    """A part of one document.

    Attributes:
        id: Of the whole document.
        url: Where people read it; empty if nowhere.
        sections: Anchors of the document's sections, to ask for one of them.
        tokens: Estimate for the whole document, or for the section that was asked for.
        next_cursor: Where to go on; empty at the end.
        warning: What is suspicious about the text; empty for most.
    """

    chosen: Chosen
    id: DocumentId
    title: str
    url: str
    text: str
    sections: tuple[str, ...]
    tokens: int
    next_cursor: str
    warning: str = ""


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
        self._addresses: dict[str, Addresses] = {}

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
            if found is None and (entry := _entry(document, wanted)) is not None:
                document, wanted = entry, ""
                found = entry.markdown
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
            suspicion(piece.text),
        )

    def _document(self, page: str, library: str, version: str) -> _Document:
        named = parse_document_id(page)
        if named is not None:
            chosen = self._shelf.choose(named.library, named.version)
            self._agrees(chosen, library, version)
            return self._by_name(chosen, named.kind, named.name, named.anchor)
        if _WEB.match(page):
            return self._by_url(page, library, version)
        if not library:
            raise InvalidInput(
                f"{page!r} is a path or name; it needs its library.",
                "Pass library too, or the id of a search hit as it was shown.",
            )
        chosen = self._shelf.choose(library, version)
        path, _, anchor = page.partition("#")
        kind = "page" if self._page(chosen, path) or "/" in path or has_ending(path) else "api"
        return self._by_name(chosen, kind, path, anchor)

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
        found = [document for chosen in candidates for document in self._of_url(chosen, url)]
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
            for document in self._of_url(chosen, url)
        ]
        labels = [chosen.published.release.key for chosen in candidates][:20]
        if others:
            message = f"{', '.join(labels)} has no page with the url {url}; other indexed releases do."
            return NotFound(message, f"Pass the id: {others[0]}", url=url, searched=labels, ids=others[:20])
        near = [
            str(document_id(chosen.published.release, "page", path))
            for chosen in candidates
            for path in self._of_pack(chosen).similar(url)
        ][:5]
        return NotFound(
            f"No indexed page has the url {url}." + (f" Similar: {', '.join(near)}." if near else ""),
            "Use search_docs, or one of the similar ids: refdesk reads no page that is not indexed.",
            url=url,
            searched=labels,
            similar=near,
        )

    def _of_pack(self, chosen: Chosen) -> Addresses:
        """The addresses of a release's pages, which are read once for each pack: packs never change."""
        pack = chosen.published.pack
        known = self._addresses.get(pack)
        if known is None:
            if len(self._addresses) >= _MOST_PACKS:
                self._addresses.clear()
            known = self._addresses[pack] = Addresses(chosen.pack.entries.pages())
        return known

    def _by_name(self, chosen: Chosen, kind: str, name: str, anchor: str) -> _Document:
        release = chosen.published.release
        if kind == "api":
            return _symbol(chosen, name.partition("?")[0], anchor)
        page = self._page(chosen, name)
        if page is None:
            near = similar(name.partition("?")[0], self._of_pack(chosen).paths)
            raise NotFound(
                f"{release.label} has no page {name!r}." + (f" Similar: {', '.join(near)}." if near else ""),
                "Use search_docs, or one of the similar paths.",
                page=name,
                similar=list(near),
            )
        return _document(chosen, page, anchor)

    def _page(self, chosen: Chosen, path: str) -> Page | None:
        """A page by its path in any form that people write.

        Raises:
            Ambiguous: Several pages differ only in ending or case, and none is named exactly.
        """
        entries = chosen.pack.entries
        for form in (path, plain_path(path)):
            page = entries.page(form) if form else None
            if page is not None:
                return page
        fitting = self._of_pack(chosen).by_path(path)
        if len(fitting) > 1:
            raise Ambiguous(
                f"{path!r} could be {', '.join(fitting[:6])} of {chosen.published.release.label}.",
                f"Pass one of them, for example {fitting[0]}.",
                pages=list(fitting[:20]),
            )
        return entries.page(fitting[0]) if fitting else None

    def _of_url(self, chosen: Chosen, url: str) -> list[_Document]:
        """The documents of a release at a url; several where they share one address."""
        anchor = anchor_of(url)
        found = (chosen.pack.entries.page(path) for path in self._of_pack(chosen).by_url(url))
        documents = [_document(chosen, page, anchor) for page in found if page is not None]
        if len(documents) > 1 and anchor:
            documents = [one for one in documents if section(one.markdown, anchor) is not None] or documents
        return documents or _symbols_of_url(chosen, url)


def _document(chosen: Chosen, page: Page, anchor: str) -> _Document:
    id_ = document_id(chosen.published.release, "page", page.path, anchor)
    return _Document(chosen, id_, page.title, page.url, page.markdown)


def _symbol(chosen: Chosen, name: str, anchor: str = "") -> _Document:
    detail = detail_of(chosen, name)
    symbol = detail.symbol
    id_ = document_id(chosen.published.release, "api", symbol.name, anchor)
    return _Document(chosen, id_, symbol.name, symbol.place.url, symbol_markdown(detail))


def _entry(document: _Document, anchor: str) -> _Document | None:
    """The API entry that a page holds under an anchor which is none of its headings."""
    if document.id.kind != "page":
        return None
    entries = document.chosen.pack.entries
    for name in dict.fromkeys(match.symbol for match in entries.find(anchor)):
        place = entries.symbol(name).place
        if place.path == document.id.name and anchor in (anchor_of(place.url), name):
            return _symbol(document.chosen, name)
    return None


def _symbols_of_url(chosen: Chosen, url: str) -> list[_Document]:
    names = dict.fromkeys(match.symbol for match in chosen.pack.entries.find(last_part(url)))
    symbols = [chosen.pack.entries.symbol(name) for name in names]
    wanted = normal(url)
    return [_symbol(chosen, one.name) for one in symbols if normal(one.place.url) == wanted]


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
