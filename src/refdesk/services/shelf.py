"""The shelf: which indexed release answers a request, and its open pack."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from refdesk.domain.errors import LibraryNotIndexed, PackUnreadable
from refdesk.domain.libraries import Library, resolve_library
from refdesk.domain.releases import Published
from refdesk.domain.versions import Rule, release_key, resolve
from refdesk.ports.catalog import Catalog
from refdesk.ports.packs import Pack, Packs


@dataclass(frozen=True, slots=True)
class Chosen:
    """The release that answers, and why it is this one.

    Attributes:
        requested: The version as the caller wrote it; empty if none was named.
        others: How many other releases of the library are indexed.
    """

    published: Published
    requested: str
    rule: Rule
    pack: Pack
    others: int = 0

    @property
    def library(self) -> Library:
        """The library of the release."""
        return self.published.release.library

    @property
    def for_caller(self) -> bool:
        """Whether the version was chosen for a caller who named none."""
        return not self.requested


class Shelf:
    """Chooses releases among those that the catalog publishes."""

    def __init__(self, catalog: Catalog, packs: Packs) -> None:
        self._catalog = catalog
        self._packs = packs
        self._generation = -1
        self._published: tuple[Published, ...] = ()
        self._by_library: dict[Library, tuple[Published, ...]] = {}

    def published(self) -> Sequence[Published]:
        """Every release that answers, sorted by library and key."""
        generation = self._catalog.generation()
        if generation != self._generation:
            published = tuple(self._catalog.published())
            newest_first = sorted(published, key=lambda one: release_key(one.release), reverse=True)
            grouped: dict[Library, list[Published]] = {}
            for one in newest_first:
                grouped.setdefault(one.release.library, []).append(one)
            self._by_library = {library: tuple(own) for library, own in grouped.items()}
            self._published, self._generation = published, generation
        return self._published

    def releases(self, library: Library) -> Sequence[Published]:
        """The releases of one library, newest first; empty if it is not indexed."""
        self.published()
        return self._by_library.get(library, ())

    def library(self, text: str) -> Library:
        """The indexed library that a caller means.

        Raises:
            InvalidInput, Ambiguous: As in `resolve_library`.
            LibraryNotIndexed: It has no indexed release; the suggestion is the call that adds it.
        """
        self.published()
        indexed_libraries = self._by_library
        library = resolve_library(text, indexed_libraries)
        if library not in indexed_libraries:
            indexed = sorted(map(str, indexed_libraries))
            where = " --url URL" if library.ecosystem == "site" else ""
            raise LibraryNotIndexed(
                f"{library} is not indexed here; that says nothing of whether it exists.",
                f"Add it: refdesk add {library}{where} (tool index_library). Do not answer from memory.",
                library=str(library),
                indexed=indexed[:20],
            )
        return library

    def choose(self, library: str, version: str) -> Chosen:
        """The release of a library that a version means.

        Raises:
            LibraryNotIndexed, Ambiguous, InvalidInput: As in `library`.
            VersionNotIndexed: The version is not indexed; nothing is substituted.
            PackUnreadable: Its pack must be built again.
        """
        named = self.library(library)
        releases = self.releases(named)
        resolution = resolve(version, [one.release for one in releases], named)
        published = next(one for one in releases if one.release == resolution.release)
        return Chosen(published, version.strip(), resolution.rule, self.open(published), len(releases) - 1)

    def defaults(self) -> Sequence[Published]:
        """For each indexed library the release that answers when no version is named."""
        self.published()
        return [own[0] for _, own in sorted(self._by_library.items())]

    def default(self, published: Published) -> Chosen:
        """A release of `defaults` as the answer to a request that named no version."""
        library = published.release.library
        releases = [one.release for one in self.releases(library)]
        rule = resolve("", releases, library).rule
        return Chosen(published, "", rule, self.open(published), len(releases) - 1)

    def opened(self, defaults: Iterable[Published]) -> tuple[Sequence[Chosen], Sequence[PackUnreadable]]:
        """Those of some `defaults` whose packs can be read, and why the others cannot.

        Raises:
            PackUnreadable: None of them can be read.
        """
        chosen: list[Chosen] = []
        failures: list[PackUnreadable] = []
        for one in defaults:
            try:
                chosen.append(self.default(one))
            except PackUnreadable as error:
                failures.append(error)
        if failures and not chosen:
            raise failures[0]
        return chosen, failures

    def readable(self, published: Published) -> Chosen | None:
        """A release that nobody asked for by itself, as exactly chosen; None if its pack must be built again."""
        try:
            return Chosen(published, published.release.key, "exact", self.open(published))
        except PackUnreadable:
            return None

    def open(self, published: Published) -> Pack:
        """The pack of a release; the one that has taken its place if another process has just replaced it.

        Raises:
            PackUnreadable: It is missing, damaged or of another format; the suggestion rebuilds it.
        """
        try:
            return self._packs.open(published.pack)
        except PackUnreadable as error:
            now = next(
                (one for one in self.releases(published.release.library) if one.release == published.release), None
            )
            if now is not None and now.pack != published.pack:
                return self.open(now)
            raise PackUnreadable(
                f"The pack of {published.release.label} cannot be read: {error.message}",
                f"Build it again: refdesk add {respell(published)}",
                release=published.release.key,
            ) from error


def respell(published: Published) -> str:
    """The words of `refdesk add` that make this release again."""
    release = published.release
    if release.carrier is not None:
        return f"{release.library}@{release.version} --via {release.carrier}"
    if release.library.ecosystem == "site":
        origin = published.origin
        fetched = origin.package.startswith(("http://", "https://"))
        where = f"--url {origin.package}" if fetched else f"--path {origin.package}"
        return f"{release.library}@{release.version} {where}"
    return f"{release.library}@{release.version}"
