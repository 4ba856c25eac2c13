"""Whether an API or a parameter exists in a version, and what the other indexed versions say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.compare.params import ParamChange, compare_params
from refdesk.domain.errors import Ambiguous, NotFound
from refdesk.domain.names import clean, similar
from refdesk.domain.releases import Published, Release
from refdesk.domain.symbols import Deprecation, Param, Symbol
from refdesk.domain.versions import is_preview, release_key
from refdesk.services.lookup import Lookup, find_param, top_params
from refdesk.services.naming import find_symbol, open_owner
from refdesk.services.shelf import Chosen, Shelf

Status = Literal["available", "deprecated", "removed", "not_yet_added", "unknown"]
State = Literal["available", "deprecated", "absent"]


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """What one indexed release says of the name."""

    release: Release
    state: State


@dataclass(frozen=True, slots=True)
class Availability:
    """The answer to "does this exist in that version".

    Attributes:
        subject: Canonical name of what was found, with the parameter's path behind it; as asked if nothing was.
        evidence: How the status is known, in a sentence.
        changes: Differences of the parameters from the release in `compared_with`.
        similar: Names that exist in the release and resemble an absent one.
        states: Every indexed release of the library, oldest first.
    """

    chosen: Chosen
    subject: str
    status: Status
    evidence: str
    since: str = ""
    deprecation: Deprecation | None = None
    changes: tuple[ParamChange, ...] = ()
    compared_with: Release | None = None
    similar: tuple[str, ...] = ()
    states: tuple[ReleaseState, ...] = ()


@dataclass(frozen=True, slots=True)
class _Subject:
    symbol: Symbol
    param: Param | None = None

    @property
    def name(self) -> str:
        return f"{self.symbol.name}.{self.param.name}" if self.param else self.symbol.name

    @property
    def deprecation(self) -> Deprecation | None:
        return self.param.deprecation if self.param else self.symbol.deprecation

    @property
    def since(self) -> str:
        return self.param.since if self.param else self.symbol.since


class AvailabilityCheck:
    """Compares the indexed releases of one library. Nothing else that is indexed changes its answer."""

    def __init__(self, shelf: Shelf, lookup: Lookup) -> None:
        self._shelf = shelf
        self._lookup = lookup

    def check(self, name: str, library: str, version: str) -> Availability:
        """The state of an API, or of a parameter written behind it (`PutObject.IfNoneMatch`).

        Raises:
            LibraryNotIndexed, VersionNotIndexed, Ambiguous, InvalidInput: As their names say; an API that no
            release has is not an error but the status `unknown`.
        """
        chosen = self._choose(name, library, version)
        found = {one.release: self._locate(one, name) for one in self._shelf.releases(chosen.library)}
        states = tuple(ReleaseState(one, _state(found[one])) for one in sorted(found, key=release_key))
        subject = found[chosen.published.release]
        if subject is None:
            return self._absent(chosen, name, found, states)
        earlier = _previous(chosen.published.release, found)
        return Availability(
            chosen,
            subject.name,
            "deprecated" if subject.deprecation else "available",
            _present(subject, chosen, earlier, found),
            subject.since,
            subject.deprecation,
            self._changes(chosen, subject, earlier, found),
            earlier,
            states=states,
        )

    def _choose(self, name: str, library: str, version: str) -> Chosen:
        """As for a detail, but a parameter behind the API's name may hide which library is meant."""
        try:
            return self._lookup.choose(name, library, version)
        except NotFound:
            owner = clean(name).rpartition(".")[0]
            if library or not owner:
                raise
            return self._lookup.choose(owner, library, version)

    def _locate(self, published: Published, name: str) -> _Subject | None:
        chosen = Chosen(published, published.release.key, "exact", self._shelf.open(published))
        try:
            return _Subject(find_symbol(chosen, name))
        except NotFound:
            return _param_of(chosen, name)

    def _absent(
        self,
        chosen: Chosen,
        name: str,
        found: dict[Release, _Subject | None],
        states: tuple[ReleaseState, ...],
    ) -> Availability:
        release = chosen.published.release
        having = sorted((one for one, subject in found.items() if subject), key=release_key)
        before = [one for one in having if release_key(one) < release_key(release) and not is_preview(one.version)]
        status: Status = "removed" if before else "not_yet_added" if having else "unknown"
        seen = before[-1] if before else having[0] if having else None
        last = found[seen] if seen else None
        return Availability(
            chosen,
            last.name if last else clean(name),
            status,
            self._why_absent(chosen, name, status, seen, list(found)),
            deprecation=last.deprecation if last and status == "removed" else None,
            compared_with=seen,
            similar=tuple(similar(name, chosen.pack.entries.names())),
            states=states,
        )

    @staticmethod
    def _why_absent(
        chosen: Chosen, name: str, status: Status, seen: Release | None, searched: Sequence[Release]
    ) -> str:
        here = chosen.published.release.label
        if status == "removed" and seen:
            return f"Difference of releases: {seen.label} has it, {here} does not."
        if status == "not_yet_added" and seen:
            return f"Difference of releases: {here} does not have it; {seen.label} does."
        owner = open_owner(chosen.pack, name)
        if owner is not None and owner.open:
            return (
                f"{owner.name} of {here} may get members at run time that its source does not name,"
                " so a missing name proves nothing."
            )
        return f"None of the {len(searched)} indexed releases of {chosen.library} has it; others were not looked at."

    def _changes(
        self, chosen: Chosen, subject: _Subject, earlier: Release | None, found: dict[Release, _Subject | None]
    ) -> tuple[ParamChange, ...]:
        if earlier is None or (old := found[earlier]) is None:
            return ()
        published = next(one for one in self._shelf.releases(chosen.library) if one.release == earlier)
        then = Chosen(published, earlier.key, "exact", self._shelf.open(published))
        if subject.param is not None and old.param is not None:
            return compare_params([old.param], [subject.param])
        return compare_params(top_params(then, old.symbol), top_params(chosen, subject.symbol))


def _param_of(chosen: Chosen, name: str) -> _Subject | None:
    """`API.param`: the owner is the longest prefix that is an API, the rest a path of parameters."""
    owner = clean(name)
    rest = ""
    while "." in owner:
        owner, _, last = owner.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
        try:
            symbol = find_symbol(chosen, owner)
        except (NotFound, Ambiguous):
            continue
        param = find_param(chosen, symbol, rest)
        return _Subject(symbol, param) if param else None
    return None


def _state(subject: _Subject | None) -> State:
    if subject is None:
        return "absent"
    return "deprecated" if subject.deprecation else "available"


def _previous(release: Release, found: dict[Release, _Subject | None]) -> Release | None:
    """The newest older release of the same API version; of any API version if there is none."""
    older = [one for one in sorted(found, key=release_key) if release_key(one) < release_key(release)]
    same = [one for one in older if one.version == release.version and one.carrier]
    candidates = same or older
    return candidates[-1] if candidates else None


def _present(subject: _Subject, chosen: Chosen, earlier: Release | None, found: dict[Release, _Subject | None]) -> str:
    here = chosen.published.release.label
    text = f"{here} has it."
    if subject.deprecation:
        text = f"{here} has it and marks it as deprecated (evidence: {subject.deprecation.evidence})."
    if earlier is not None and found[earlier] is None:
        text += f" {earlier.label} does not: it was added in between."
    return text
