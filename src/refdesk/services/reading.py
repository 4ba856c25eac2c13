"""Reading: pages and symbols by any id or url that an answer ever showed, in parts that fit a budget."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from refdesk.domain.cutting import cut
from refdesk.domain.documents import DocumentId, document_id, parse_document_id
from refdesk.domain.entries import Page
from refdesk.domain.errors import Ambiguous, InvalidInput, NotFound
from refdesk.domain.markdown import outline, section
from refdesk.domain.names import similar
from refdesk.services.cursors import make_cursor, read_cursor
from refdesk.services.lookup import detail_of
from refdesk.services.naming import find_symbol
from refdesk.services.shelf import Chosen, Shelf
from refdesk.services.symbol_page import symbol_markdown


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
        if not page.strip():
            raise InvalidInput("No page is named.", "Pass the id or url of a search hit.")
        document = self._document(page.strip(), library, version)
        markdown = document.markdown
        wanted = section_name.lstrip("#") or document.id.anchor
        if wanted:
            found = section(markdown, wanted)
            if found is None:
                raise _no_section(document, wanted)
            markdown = found
        pack = document.chosen.published.pack
        start = read_cursor(cursor, pack) if cursor else 0
        if not isinstance(start, int) or not 0 <= start < max(1, len(markdown)):
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
            make_cursor(pack, piece.next) if piece.next is not None else "",
        )

    def _document(self, page: str, library: str, version: str) -> _Document:
        named = parse_document_id(page)
        if named is not None:
            chosen = self._shelf.choose(named.library, named.version)
            return _by_name(chosen, named.kind, named.name, named.anchor)
        if urlsplit(page).scheme in ("http", "https"):
            return self._by_url(page, library, version)
        if not library:
            raise InvalidInput(
                f"{page!r} is a path or name; it needs its library.",
                "Pass library too, or the id of a search hit as it was shown.",
            )
        chosen = self._shelf.choose(library, version)
        path, _, anchor = page.partition("#")
        kind = "page" if _page(chosen, path) else "api"
        return _by_name(chosen, kind, path, anchor)

    def _by_url(self, url: str, library: str, version: str) -> _Document:
        if library:
            candidates = [self._shelf.choose(library, version)]
        else:
            candidates = [self._shelf.default(one) for one in self._shelf.defaults()]
        found = [document for chosen in candidates if (document := _of_url(chosen, url))]
        if len(found) > 1:
            names = ", ".join(str(document.id) for document in found[:5])
            raise Ambiguous(f"{url} is a page of several releases: {names}.", "Pass one of these ids.")
        if not found:
            raise NotFound(
                f"No indexed page has the url {url}.",
                "search_docs finds what is indexed; refdesk reads no page that is not.",
                url=url,
                searched=[chosen.published.release.key for chosen in candidates][:20],
            )
        return found[0]


def _by_name(chosen: Chosen, kind: str, name: str, anchor: str) -> _Document:
    release = chosen.published.release
    if kind == "page":
        page = _page(chosen, name)
        if page is None:
            near = similar(name, (one.path for one in chosen.pack.entries.pages()))
            raise NotFound(
                f"{release.label} has no page {name!r}." + (f" Similar: {', '.join(near)}." if near else ""),
                "Use search_docs, or one of the similar paths.",
                page=name,
                similar=list(near),
            )
        return _Document(chosen, document_id(release, "page", page.path, anchor), page.title, page.url, page.markdown)
    symbol = find_symbol(chosen, name)
    detail = detail_of(chosen, symbol.name) if symbol.kind != "type" else detail_of(chosen, name)
    return _Document(
        chosen, document_id(release, "api", symbol.name, anchor), symbol.name, symbol.place.url, symbol_markdown(detail)
    )


def _page(chosen: Chosen, path: str) -> Page | None:
    """A page by its path in any form that people write: leading `./`, no ending, trailing slash, query."""
    plain = path.partition("?")[0].removeprefix("./").strip("/")
    entries = chosen.pack.entries
    for form in (path, plain, f"{plain}.md", f"{plain}/index.md", f"{plain}/README.md"):
        page = entries.page(form)
        if page is not None:
            return page
    return None


def _of_url(chosen: Chosen, url: str) -> _Document | None:
    wanted = _normal(url)
    anchor = urlsplit(url).fragment
    for page in chosen.pack.entries.pages():
        if page.url and _normal(page.url) == wanted:
            return _by_name(chosen, "page", page.path, anchor)
    last = wanted.rpartition("/")[2]
    for match in chosen.pack.entries.find(last) if last else ():
        symbol = chosen.pack.entries.symbol(match.symbol)
        if _normal(symbol.place.url) == wanted:
            return _by_name(chosen, "api", symbol.name, "")
    return None


def _normal(url: str) -> str:
    """A url without scheme, query, fragment and trailing slash, host in lower case."""
    parts = urlsplit(url)
    return f"{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _no_section(document: _Document, wanted: str) -> NotFound:
    anchors = [heading.anchor for heading in outline(document.markdown)]
    near = similar(wanted, anchors)
    return NotFound(
        f"{document.id} has no section {wanted!r}." + (f" Similar: {', '.join(near)}." if near else ""),
        "Leave section out for the whole page, or use one of its sections.",
        section=wanted,
        similar=list(near),
        sections=anchors[:50],
    )
