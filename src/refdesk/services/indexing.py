"""Adding, listing and removing releases. One way in: discover, read, ingest, write a pack beside, publish."""

import gc
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from refdesk.domain.entries import Chunk, Entries, SourceFiles
from refdesk.domain.errors import Cancelled, InternalError, InvalidInput, PackUnreadable, RefdeskError
from refdesk.domain.releases import Published, Release
from refdesk.domain.specs import Spec
from refdesk.domain.text import TOKENISER, tokens
from refdesk.ports.catalog import Catalog
from refdesk.ports.clock import Clock
from refdesk.ports.packs import PACK_FORMAT, Manifest, Packs
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sites import Sites
from refdesk.ports.sources import Discovery, Source
from refdesk.services.embedding import Embedding
from refdesk.services.takeover import Takeover
from refdesk.services.watched import WatchedFiles

_LOG = logging.getLogger("refdesk")

_YOUNG = 100_000
"""Objects that a build makes before the collector looks at them; by default it does after 700."""

Outcome = Literal["indexed", "rebuilt", "already", "failed"]
Ingest = Callable[[SourceFiles], Entries]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one spec or release.

    Attributes:
        spec: As the caller wrote it.
        published: The release that answers now; None if it failed.
        problems: How many files or entries were left out; `refdesk list LIBRARY` names them.
        vectors: Whether vectors are complete: `ready`, `off` (not wanted or not installed) or `failed`.
        error: Why it failed; None otherwise.
    """

    spec: str
    outcome: Outcome
    published: Published | None = None
    problems: int = 0
    vectors: str = "off"
    seconds: float = 0.0
    error: RefdeskError | None = None


class Indexing:
    """Makes releases answer. A failed or interrupted build leaves what answered before untouched."""

    def __init__(
        self,
        sources: Mapping[str, Source],
        ingest: Ingest,
        catalog: Catalog,
        packs: Packs,
        clock: Clock,
        embedding: Embedding | None,
        sites: Sites | None = None,
    ) -> None:
        self._sources = sources
        self._ingest = ingest
        self._catalog = catalog
        self._packs = packs
        self._clock = clock
        self._embedding = embedding
        self._sites = sites

    def add(self, specs: Sequence[Spec], progress: Progress, *, vectors: bool = True) -> Sequence[Added]:
        """Add releases; the failure of one does not keep the others from being added.

        All texts become searchable first, then vectors are made, so that an interruption costs vectors only; they
        are completed by the next `add` of the same release.

        Raises:
            Cancelled: The caller stopped waiting; what was finished before stays.
            StorageFailure: The index folder cannot be used at all.
        """
        self._packs.clean(lambda: [one.pack for one in self._catalog.published()])
        added: list[Added] = []
        for at, spec in enumerate(specs):
            progress(Step("resolve", str(spec), at, len(specs), "specs"))
            added.extend(self._add_spec(spec, progress))
        if vectors and self._embedding is not None:
            added = [self._embed(one, self._embedding, progress) for one in added]
        return added

    def remove(self, releases: Iterable[Published]) -> Sequence[Release]:
        """Stop releases from answering, unlink their packs and forget how they were fetched.

        A reader that has a pack open goes on.
        """
        removed: list[Release] = []
        for one in releases:
            withdrawn = self._catalog.withdraw(one.release)
            if withdrawn is not None:
                self._packs.remove(withdrawn.pack)
                removed.append(one.release)
            if self._sites is not None and one.release.library.ecosystem == "site":
                self._sites.forget(one.release.key)
        return removed

    def _add_spec(self, spec: Spec, progress: Progress) -> Sequence[Added]:
        source = self._sources.get(spec.library.ecosystem)
        if source is None:
            error = InvalidInput(f"No source for {spec.library.ecosystem}:.", f"Known: {', '.join(self._sources)}.")
            return [Added(str(spec), "failed", error=error)]
        try:
            with _guarded(str(spec)):
                discoveries = source.discover(spec, progress)
        except Cancelled:
            raise
        except RefdeskError as error:
            return [Added(str(spec), "failed", error=error)]
        added: list[Added] = []
        for at, discovery in enumerate(discoveries):
            if len(discoveries) > 1:
                progress(Step("index", discovery.release.label, at, len(discoveries), "releases"))
            added.append(self._add_release(str(spec), discovery, progress))
        return added

    def _add_release(self, spec: str, discovery: Discovery, progress: Progress) -> Added:
        started = self._clock.elapsed()
        try:
            with _guarded(discovery.release.label), self._packs.building(discovery.release.key), _collecting_seldom():
                outcome, published = self._make(discovery, progress)
        except Cancelled:
            raise
        except RefdeskError as error:
            return Added(spec, "failed", error=error, seconds=self._clock.elapsed() - started)
        problems = published.counts.get("problems", 0)
        return Added(spec, outcome, published, problems, seconds=self._clock.elapsed() - started)

    def _make(self, discovery: Discovery, progress: Progress) -> tuple[Outcome, Published]:
        earlier = self._current(discovery.release)
        if earlier is None or not self._answers(earlier):
            return "indexed" if earlier is None else "rebuilt", self._build(discovery.read(progress), earlier, progress)
        if earlier.origin.filename:
            return "already", earlier
        # A folder, unlike an archive, can hold something else under the same label the next time.
        files = discovery.read(progress)
        if files.origin.sha256 == earlier.origin.sha256:
            return "already", earlier
        return "rebuilt", self._build(files, earlier, progress)

    def _current(self, release: Release) -> Published | None:
        return next((one for one in self._catalog.published(release.library) if one.release == release), None)

    def _answers(self, published: Published) -> bool:
        """Whether a pack is readable and made by this refdesk's tokeniser."""
        try:
            manifest = self._packs.open(published.pack).manifest
        except PackUnreadable:
            return False
        return manifest.format == PACK_FORMAT and manifest.tokeniser == TOKENISER

    def _build(self, files: SourceFiles, earlier: Published | None, progress: Progress) -> Published:
        label = files.release.label
        progress(Step("read", label, len(files.files), len(files.files), "files"))
        if files.format == "site":
            watched = WatchedFiles(files.files, label, progress)
            entries = self._ingest(replace(files, files=watched, earlier=self._takeover(files, earlier)))
        else:
            entries = self._ingest(files)
        counts = {
            "symbols": len(entries.symbols),
            "pages": len(entries.pages),
            "chunks": len(entries.chunks),
            "problems": len(entries.problems),
        }
        now = self._clock.now()
        updated = entries.updated or files.updated
        manifest = Manifest(
            PACK_FORMAT, files.release, files.origin, updated, now, TOKENISER, tuple(sorted(files.files)), counts
        )
        progress(Step("store", label, 0, len(entries.chunks), "chunks"))
        pack = self._packs.write(manifest, entries, progress)
        published = Published(files.release, pack, PACK_FORMAT, files.origin, updated, now, counts)
        replaced = self._catalog.publish(published, card_of(entries.chunks))
        if replaced is not None and replaced.pack != pack:
            self._packs.remove(replaced.pack)
        return published

    def _takeover(self, files: SourceFiles, earlier: Published | None) -> Takeover | None:
        """What was made of the same place before; pages of another place have other addresses in their text."""
        if earlier is None or (earlier.origin.package, earlier.origin.url) != (files.origin.package, files.origin.url):
            return None
        try:
            return Takeover(self._packs.open(earlier.pack))
        except PackUnreadable:
            return None

    def _embed(self, added: Added, embedding: Embedding, progress: Progress) -> Added:
        if added.published is None:
            return added
        try:
            with _guarded(f"vectors of {added.published.release.label}"):
                embedding.complete(added.published, progress)
        except Cancelled:
            raise
        except RefdeskError as error:
            return Added(added.spec, added.outcome, added.published, added.problems, "failed", added.seconds, error)
        return Added(added.spec, added.outcome, added.published, added.problems, "ready", added.seconds)


def card_of(chunks: Iterable[Chunk]) -> Mapping[str, int]:
    """Terms of names and titles with the number of chunks that have them."""
    card: Counter[str] = Counter()
    for chunk in chunks:
        card.update(set(tokens(" ".join((chunk.title, *chunk.names)))))
    return card


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """A build makes millions of objects that stay until it is written; looking through them finds next to nothing."""
    before = gc.get_threshold()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _guarded(what: str) -> Iterator[None]:
    """A parser or source that meets what it did not expect must not take the other specs of a call down with it."""
    try:
        yield
    except RefdeskError:
        raise
    except Exception as error:
        _LOG.exception("indexing %s failed", what)
        raise InternalError(
            f"Indexing {what} failed in refdesk itself: {type(error).__name__}: {error}",
            "Please report this with the name and version of the package.",
        ) from error
