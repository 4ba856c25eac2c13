"""Adding, listing and removing releases. One way in: discover, read, ingest, write a pack beside, publish."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.domain.entries import Chunk, Entries, SourceFiles
from refdesk.domain.errors import InternalError, InvalidInput, PackUnreadable, RefdeskError
from refdesk.domain.names import similar
from refdesk.domain.releases import Published, Release
from refdesk.domain.specs import Spec
from refdesk.domain.text import TOKENISER, tokens
from refdesk.ports.catalog import Catalog
from refdesk.ports.clock import Clock
from refdesk.ports.packs import PACK_FORMAT, Manifest, Packs
from refdesk.ports.progress import Progress, Step
from refdesk.ports.sources import Discovery, Source
from refdesk.services.embedding import Embedding

Outcome = Literal["indexed", "rebuilt", "already", "failed"]
Ingest = Callable[[SourceFiles], Entries]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one spec or release.

    Attributes:
        spec: As the caller wrote it.
        published: The release that answers now; None if it failed.
        problems: How many files or entries were left out; `refdesk list LIBRARY` names them.
        vectors: Whether vectors are complete: `ready`, `off` (not wanted or not installed).
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
    ) -> None:
        self._sources = sources
        self._ingest = ingest
        self._catalog = catalog
        self._packs = packs
        self._clock = clock
        self._embedding = embedding

    def add(self, specs: Sequence[Spec], progress: Progress, *, vectors: bool = True) -> Sequence[Added]:
        """Add releases; the failure of one does not keep the others from being added.

        All texts become searchable first, then vectors are made, so that an interruption costs vectors only; they
        are completed by the next `add` of the same release.
        """
        self._packs.clean([one.pack for one in self._catalog.published()])
        added: list[Added] = []
        for at, spec in enumerate(specs):
            progress(Step("resolve", str(spec), at, len(specs), "specs"))
            added.extend(self._add_spec(spec, progress))
        if vectors and self._embedding is not None:
            added = [self._embed(one, self._embedding, progress) for one in added]
        return added

    def remove(self, releases: Iterable[Published]) -> Sequence[Release]:
        """Stop releases from answering and unlink their packs; a reader that has one open goes on."""
        removed: list[Release] = []
        for one in releases:
            withdrawn = self._catalog.withdraw(one.release)
            if withdrawn is not None:
                self._packs.remove(withdrawn.pack)
                removed.append(one.release)
        return removed

    def _add_spec(self, spec: Spec, progress: Progress) -> Sequence[Added]:
        source = self._sources.get(spec.library.ecosystem)
        if source is None:
            near = similar(spec.library.ecosystem, self._sources)
            error = InvalidInput(f"No source for {spec.library.ecosystem}:.", f"Known: {', '.join(near)}.")
            return [Added(str(spec), "failed", error=error)]
        try:
            discoveries = source.discover(spec, progress)
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
            with self._packs.building(discovery.release.key):
                earlier = self._current(discovery.release)
                if earlier is not None and self._answers(earlier):
                    return Added(spec, "already", earlier, seconds=self._clock.elapsed() - started)
                published, problems = self._build(discovery, progress)
        except RefdeskError as error:
            return Added(spec, "failed", error=error, seconds=self._clock.elapsed() - started)
        outcome: Outcome = "rebuilt" if earlier is not None else "indexed"
        return Added(spec, outcome, published, problems, seconds=self._clock.elapsed() - started)

    def _current(self, release: Release) -> Published | None:
        return next((one for one in self._catalog.published(release.library) if one.release == release), None)

    def _answers(self, published: Published) -> bool:
        """Whether a pack is readable and made by this refdesk's tokeniser."""
        try:
            manifest = self._packs.open(published.pack).manifest
        except PackUnreadable:
            return False
        return manifest.format == PACK_FORMAT and manifest.tokeniser == TOKENISER

    def _build(self, discovery: Discovery, progress: Progress) -> tuple[Published, int]:
        label = discovery.release.label
        files = discovery.read(progress)
        progress(Step("read", label, 0, len(files.files), "files"))
        entries = self._parse(files)
        counts = {
            "symbols": len(entries.symbols),
            "pages": len(entries.pages),
            "chunks": len(entries.chunks),
            "problems": len(entries.problems),
        }
        now = self._clock.now()
        manifest = Manifest(
            PACK_FORMAT, files.release, files.origin, files.updated, now, TOKENISER, tuple(sorted(files.files)), counts
        )
        progress(Step("store", label, 0, len(entries.chunks), "chunks"))
        pack = self._packs.write(manifest, entries, progress)
        published = Published(files.release, pack, PACK_FORMAT, files.origin, files.updated, now, counts)
        replaced = self._catalog.publish(published, card_of(entries.chunks))
        if replaced is not None and replaced.pack != pack:
            self._packs.remove(replaced.pack)
        return published, len(entries.problems)

    def _parse(self, files: SourceFiles) -> Entries:
        try:
            return self._ingest(files)
        except RefdeskError:
            raise
        except Exception as error:
            # A parser that meets input it did not expect must not take the other specs of the call down with it.
            raise InternalError(
                f"Reading {files.release.label} failed in refdesk itself: {type(error).__name__}: {error}",
                "Please report this with the name and version of the package.",
                release=files.release.key,
            ) from error

    def _embed(self, added: Added, embedding: Embedding, progress: Progress) -> Added:
        if added.published is None:
            return added
        try:
            embedding.complete(added.published, progress)
        except RefdeskError as error:
            return Added(added.spec, added.outcome, added.published, added.problems, "failed", added.seconds, error)
        return Added(added.spec, added.outcome, added.published, added.problems, "ready", added.seconds)


def card_of(chunks: Iterable[Chunk]) -> Mapping[str, int]:
    """Terms of names and titles with the number of chunks that have them."""
    card: Counter[str] = Counter()
    for chunk in chunks:
        card.update(set(tokens(" ".join((chunk.title, *chunk.names)))))
    return card
