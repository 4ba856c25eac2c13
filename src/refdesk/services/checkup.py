"""A check-up of the index: what cannot be read, what pages lost, what was left out, what is not installed."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from refdesk.domain.entries import Fidelity, Problem
from refdesk.domain.errors import PackUnreadable
from refdesk.domain.releases import Published
from refdesk.domain.versions import resolve
from refdesk.ports.packs import PACK_FORMAT
from refdesk.services.shelf import Shelf

_WORD = re.compile(
    r"[A-Za-z][a-z]*(?:-[a-z]+)*(?:\([a-z]+\))?[,.:;?!]?\Z|[A-Z]{2,}[,.:;]?\Z|[(\[]?[a-z]+[)\]][,.:;]?\Z"
)
_NAMES = re.compile(r"…(?:[,;]? …)+")


@dataclass(frozen=True, slots=True)
class MissingExtra:
    """An optional part that is not installed.

    Attributes:
        gives: What it would make possible.
        install: The command that installs it.
    """

    name: str
    gives: str
    install: str


@dataclass(frozen=True, slots=True)
class Kind:
    """Problems of one kind.

    Attributes:
        message: What they have in common, with `…` for what differs.
        example: One of them.
    """

    message: str
    count: int
    example: Problem


@dataclass(frozen=True, slots=True)
class Health:
    """What is to be said of one release.

    Attributes:
        unreadable: Why its pack cannot be read; None if it can.
        converted: Pages that were converted from HTML.
        undone: Path → steps of cleaning that would have taken too much and were undone.
        losses: Path → what of its main content its Markdown does not hold.
        problems: By kind, most frequent first.
    """

    published: Published
    unreadable: PackUnreadable | None = None
    converted: int = 0
    undone: Sequence[tuple[str, str]] = ()
    losses: Sequence[tuple[str, str]] = ()
    problems: Sequence[Kind] = ()

    @property
    def old_format(self) -> bool:
        """Whether its pack is of a format that this refdesk does not read."""
        return self.published.format != PACK_FORMAT


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is to be said of an index, or of one library in it."""

    releases: Sequence[Health]
    missing: Sequence[MissingExtra] = field(default_factory=tuple)


class Checkup:
    """Looks at packs; changes nothing.

    Args:
        shelf: What is indexed.
        loss: What a page lost beyond the set share, in words; empty if nothing.
        missing_extras: Optional parts that are not installed.
    """

    def __init__(
        self,
        shelf: Shelf,
        loss: Callable[[Fidelity], str],
        missing_extras: Callable[[], Sequence[MissingExtra]],
    ) -> None:
        self._shelf = shelf
        self._loss = loss
        self._missing_extras = missing_extras

    def check(self, library: str = "", version: str = "") -> Diagnosis:
        """Look at every release, at those of one library, or at one.

        Raises:
            LibraryNotIndexed, VersionNotIndexed, Ambiguous, InvalidInput: As in `Shelf.choose`.
        """
        return Diagnosis([self._health(one) for one in self._chosen(library, version)], self._missing_extras())

    def _chosen(self, library: str, version: str) -> Sequence[Published]:
        if not library:
            return self._shelf.published()
        named = self._shelf.library(library)
        releases = self._shelf.releases(named)
        if not version:
            return releases
        wanted = resolve(version, [one.release for one in releases], named).release
        return [one for one in releases if one.release == wanted]

    def _health(self, published: Published) -> Health:
        try:
            pack = self._shelf.open(published)
            receipts, problems = pack.fidelity(), pack.problems()
        except PackUnreadable as error:
            return Health(published, error)
        told = ((one.path, self._loss(one)) for one in receipts)
        return Health(
            published,
            converted=len(receipts),
            undone=[(one.path, ", ".join(one.undone)) for one in receipts if one.undone],
            losses=[(path, loss) for path, loss in told if loss],
            problems=kinds_of(problems),
        )


def kinds_of(problems: Iterable[Problem]) -> Sequence[Kind]:
    """Problems by what their messages have in common, most frequent first."""
    counts: Counter[str] = Counter()
    examples: dict[str, Problem] = {}
    for problem in problems:
        kind = _kind(problem.message)
        counts[kind] += 1
        examples.setdefault(kind, problem)
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [Kind(message, count, examples[message]) for message, count in ordered]


def _kind(message: str) -> str:
    """A message without its names and numbers: words of the language stay, everything else becomes `…`."""
    words = [word if _WORD.match(word) else "…" for word in message.split()]
    return _NAMES.sub("…", " ".join(words))
