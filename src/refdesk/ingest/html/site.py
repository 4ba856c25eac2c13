"""A documentation site: pages of HTML, what lies beside them as Markdown or text, and what the site says of itself.

Two passes over the files, which are read one at a time: what the pages have in common is learnt of a sample, then each
page is converted. A page that cannot be converted is told of and stops nothing.
"""

import hashlib
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from refdesk.domain.entries import Entries, Page, PageEntries, Problem, Relation, SourceFiles
from refdesk.domain.errors import SourceRejected
from refdesk.domain.llms import is_llms, pages_of, path_of_full
from refdesk.domain.symbols import Symbol
from refdesk.domain.urls import canonical, common_folder
from refdesk.ingest.decoding import decode
from refdesk.ingest.html.addresses import Addresses, InventoryParts, plain
from refdesk.ingest.html.cleaning import SiteProfile, learn
from refdesk.ingest.html.generated import told_apart
from refdesk.ingest.html.heads.inventory import read_docset, read_inventory
from refdesk.ingest.html.kinds import Kind, begins_as_html, kind_of, left_out, together
from refdesk.ingest.html.page import Served, convert, maker
from refdesk.ingest.html.refusals import RENDER
from refdesk.ingest.html.tree import Document, read_document
from refdesk.ingest.html.twins import with_twin
from refdesk.ingest.markdown import page_of_file

SAMPLE = 40
"""Pages from which a site is learnt."""


def parse_site(source: SourceFiles) -> Entries:
    """Make a page of every file that is documentation; every other file is told of, singly or by kind.

    Raises:
        SourceRejected: There is no page in it at all.
    """
    site = _Site(source)
    site.read()
    return site.entries()


class _Site:
    """What was made of the files so far."""

    def __init__(self, source: SourceFiles) -> None:
        self._source = source
        self._files = source.files
        self._pages: dict[str, Page] = {}
        self._converted: dict[str, PageEntries] = {}
        self._same: dict[str, str] = {}
        self._problems: list[Problem] = []
        self._moved: list[Problem] = []
        self._kinds = _kinds(source)
        self._addresses = Addresses(source)
        self._inventory = self._read_inventory()
        self._profile = SiteProfile("")
        self._scripted = False
        self._here: set[str] | None = None

    def read(self) -> None:
        """Convert all files, one after another."""
        pages = self._kinds["html"] + [path for path in self._kinds["text"] if self._is_html(path)]
        html = frozenset(pages)
        if pages:
            self._profile = learn(self._sample(pages))
            pages, told = told_apart(pages, self._profile.generator)
            self._problems += told
        for path in pages:
            self._read_html(path)
        self._problems += together(self._moved, "only lead to another page of the site")
        rendered = {plain(path) for path in self._pages}
        for path in self._kinds["text"]:
            if path in html:
                continue
            if plain(posixpath.splitext(path)[0]) in rendered:
                self._tell(path, "left out: what the page of HTML of this name was made from")
            else:
                self._read_text(path)
        for path in self._kinds["llms"]:
            if not is_llms(self._files[path]):
                self._tell(path, "not read: a page of HTML, served as llms.txt")
        for path in self._kinds["llms-full"]:
            self._read_full(path)
        self._problems += left_out(self._kinds["other"])

    def entries(self) -> Entries:
        """What was made, with one symbol for each name."""
        if not self._pages:
            why = next((f" {one.path}: {one.message}" for one in self._problems), "")
            advice = RENDER if self._scripted else "Look at one of them: refdesk extract FILE"
            raise SourceRejected(f"None of the {len(self._files)} files became a page.{why}", advice)
        symbols = self._resolved()
        return Entries(
            symbols=symbols,
            pages=tuple(self._pages.values()),
            relations=tuple(self._relations(symbols)),
            problems=tuple(self._problems),
            fidelity=tuple(one.fidelity for one in self._converted.values()),
        )

    def _tell(self, path: str, message: str) -> None:
        self._problems.append(Problem(path, message))

    def _url(self, path: str) -> str:
        return self._source.urls.get(path, "")

    def _is_html(self, path: str) -> bool:
        """Whether a document is a page of HTML after all; servers answer with one for whatever they do not have."""
        return path in self._source.urls and begins_as_html(self._files[path])

    def _read_inventory(self) -> InventoryParts:
        """The inventory that lies highest."""
        for path in sorted(self._kinds["inventory"], key=lambda path: (path.count("/"), path)):
            data = self._files[path]
            try:
                return InventoryParts(read_inventory(data) if path.endswith(".inv") else read_docset(data), path)
            except SourceRejected as error:
                self._tell(path, f"not read: {error.message}")
        return InventoryParts(None)

    def _sample(self, paths: Sequence[str]) -> Iterator[Document]:
        """Pages from all over the site; the choice stays nearly the same when pages come or go."""
        for path in sorted(paths, key=lambda path: hashlib.sha256(path.encode()).digest())[:SAMPLE]:
            data = self._files[path]
            try:
                yield read_document(data, self._url(path), self._source.types.get(path, ""))
            except SourceRejected:
                continue  # told of when the page is converted

    def _read_html(self, path: str) -> None:
        data = self._files[path]
        try:
            made = self._page(path, data)
        except SourceRejected as error:
            self._scripted = self._scripted or error.suggestion == RENDER
            self._without_html(path, error)
            return
        except Exception as error:  # noqa: BLE001  # whatever one page does to its converter, the others are read
            self._tell(path, f"not read: converting it failed ({type(error).__name__}: {str(error)[:200]})")
            return
        same = self._same_page(path, data, made.page)
        if same:
            self._same[path] = same
            self._tell(path, f"left out: the same page as {same}")
            return
        self._pages[path] = made.page
        self._converted[path] = made
        self._problems += made.problems

    def _same_page(self, path: str, data: bytes, page: Page) -> str:
        """The path of the same page under another address, read before; empty if there is none."""
        others = (self._same.get(other, other) for other in self._addresses.others(path, data))
        return next((one for one in others if one in self._pages and self._pages[one].markdown == page.markdown), "")

    def _page(self, path: str, data: bytes) -> PageEntries:
        """Convert a page, or take over what was made of the same bytes before."""
        twin = self._source.twins.get(path, "")
        beside = self._files[twin] if twin else b""
        inventory = self._inventory.of_page(path)
        digest = hashlib.sha256(data + beside).hexdigest()
        if self._source.earlier is not None:
            earlier = self._source.earlier(path, digest, maker(self._profile, inventory))
            if earlier is not None:
                return earlier
        served = Served(path, data, self._url(path), self._source.types.get(path, ""))
        made = convert(served, self._profile, inventory)
        if twin:
            made = with_twin(made, twin, beside, self._files)
        return replace(made, fidelity=replace(made.fidelity, sha256=digest))

    def _without_html(self, path: str, error: SourceRejected) -> None:
        """A page that its HTML does not hold is taken from its Markdown form, if it has one."""
        twin = self._source.twins.get(path, "")
        page = page_of_file(twin, self._files[twin], self._files)[0] if twin else None
        if page is None:
            problem = Problem(path, f"not read: {error.message} {error.suggestion}".strip())
            moved = self._is_page(path, str(error.details.get("target", "")))
            (self._moved if moved else self._problems).append(problem)
        else:
            self._pages[path] = replace(page, path=path, url=self._url(path))
            self._tell(path, f"read from {twin}: {error.message}")

    def _is_page(self, path: str, target: str) -> bool:
        """Whether what a page leads to, if it leads anywhere, is a file of the site."""
        if not target:
            return False
        if self._here is None:
            self._here = {normal for url in self._source.urls.values() if (normal := canonical(url))}
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.partition("#")[0]))
        return (canonical(target) or "") in self._here or beside in self._files

    def _read_text(self, path: str) -> None:
        page, problems = page_of_file(path, self._files[path], self._files)
        self._problems += problems
        if page is not None:
            self._pages[path] = replace(page, url=self._url(path))

    def _read_full(self, path: str) -> None:
        """The pages of `llms-full.txt` that are not there anyway."""
        data, url = self._files[path], self._url(path)
        if not is_llms(data):
            self._tell(path, "not read: a page of HTML, served as llms-full.txt")
            return
        root = common_folder(self._source.urls.values())
        there = {plain(one) for one in self._pages}
        for full in pages_of(decode(data)[0], url):
            name = path_of_full(full, root) if full.url != url else path
            if plain(name) in there:
                continue
            page, problems = page_of_file(name, full.markdown.encode(), {})
            self._problems += problems
            if page is not None:
                self._pages[name] = replace(page, url=full.url)

    def _resolved(self) -> tuple[Symbol, ...]:
        """One symbol for each name: of the page that the inventory names, else of the one that says most."""
        found: dict[str, list[Symbol]] = defaultdict(list)
        for made in self._converted.values():
            for symbol in made.symbols:
                found[symbol.name].append(symbol)
        kept: list[Symbol] = []
        for name in sorted(found):
            best = found[name][0]
            if len(found[name]) > 1:
                best = min(found[name], key=lambda one: (not self._is_listed(one), -len(one.doc), one.place.url))
                others = {one.place.path for one in found[name]} - {best.place.path}
                said = f"{name}: described in {best.place.path} too"
                self._problems += [Problem(path, said, "others") for path in others]
            kept.append(best)
        return tuple(kept)

    def _is_listed(self, symbol: Symbol) -> bool:
        listed = self._inventory.of_page(symbol.place.path)
        return listed is not None and symbol.name in listed.names

    def _relations(self, symbols: Sequence[Symbol]) -> Iterator[Relation]:
        """Links of the symbols that were kept; what a page mentions of other libraries leads nowhere here."""
        places = {symbol.name: symbol.place.path for symbol in symbols}
        for made in self._converted.values():
            for one in made.relations:
                if one.target in places and (one.kind != "defines" or places[one.target] == made.page.path):
                    yield one


def _kinds(source: SourceFiles) -> dict[Kind, list[str]]:
    """The files by what they are; Markdown forms of pages are none of their own."""
    twins = set(source.twins.values())
    found: dict[Kind, list[str]] = defaultdict(list)
    for path in sorted(source.files):
        if path not in twins:
            read = partial(source.files.__getitem__, path)
            found[kind_of(path, source.types.get(path, ""), read)].append(path)
    return found
