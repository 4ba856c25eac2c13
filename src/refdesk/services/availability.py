"""Whether an API or a parameter exists in a version, and what the other indexed versions say."""

from dataclasses import dataclass
from typing import Literal

from refdesk.compare.params import ParamChange, compare_params
from refdesk.domain.errors import Ambiguous, LibraryNotIndexed, NotFound
from refdesk.domain.names import clean, similar, tails
from refdesk.domain.releases import Release
from refdesk.domain.symbols import Deprecation, Param, Symbol
from refdesk.domain.versions import is_preview, version_key
from refdesk.services.lookup import Lookup, find_param, find_result, takes_any, top_params
from refdesk.services.naming import best_matches, find_symbol, nearest_owner
from refdesk.services.shelf import Chosen, Shelf

Status = Literal["available", "deprecated", "removed", "not_yet_added", "unknown"]
State = Literal["available", "deprecated", "absent", "unreadable"]

_WHOLE_NAME = 2
"""Ranks up to this one are the whole of a name."""


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """What one indexed release says of the name."""

    release: Release
    state: State


@dataclass(frozen=True, slots=True)
class Availability:
    """The answer to "does this exist in that version".

    A status rests on the releases that can be read; `states` names the others as `unreadable`.

    Attributes:
        subject: Canonical name of what was found, with the parameter's path behind it; as asked if nothing was.
        evidence: How the status is known, in a sentence.
        changes: Differences of the parameters from the release in `compared_with`.
        proven: False where a missing name proves nothing, because more may exist than the source names.
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
    proven: bool = True


@dataclass(frozen=True, slots=True)
class _Subject:
    symbol: Symbol
    param: Param | None = None
    of_result: bool = False

    @property
    def name(self) -> str:
        return f"{self.symbol.name}.{self.param.name}" if self.param else self.symbol.name

    @property
    def deprecation(self) -> Deprecation | None:
        return self.param.deprecation if self.param else self.symbol.deprecation

    @property
    def since(self) -> str:
        return self.param.since if self.param else self.symbol.since


@dataclass(frozen=True, slots=True)
class _Findings:
    """What the readable releases of a library have under a name; the release asked about is `chosen`."""

    chosen: Chosen
    releases: dict[Release, Chosen]
    subjects: dict[Release, _Subject | None]
    states: tuple[ReleaseState, ...]

    @property
    def here(self) -> Release:
        return self.chosen.published.release

    @property
    def having(self) -> list[Release]:
        """Releases that have it, oldest first."""
        return sorted((one for one, subject in self.subjects.items() if subject), key=_order)

    @property
    def earlier(self) -> Release | None:
        """The newest older release of the same API version; of any version if there is none."""
        older = [one for one in sorted(self.subjects, key=_order) if _order(one) < _order(self.here)]
        same = [one for one in older if one.version == self.here.version and one.carrier]
        candidates = same or older
        return candidates[-1] if candidates else None


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
        subject = _locate(chosen, name)
        findings = self._findings(chosen, name, subject)
        return _absent(findings, name) if subject is None else _present(findings, subject)

    def _choose(self, name: str, library: str, version: str) -> Chosen:
        """As for a detail; but a parameter, or an API of older releases only, may hide which library is meant."""
        try:
            return self._lookup.choose(name, library, version)
        except LibraryNotIndexed:
            raise
        except NotFound:
            if library:
                raise
            owner = clean(name)
            while "." in owner:
                owner = owner.rpartition(".")[0]
                try:
                    return self._lookup.choose(owner, "", version)
                except NotFound:
                    continue
            return self._shelf.choose(self._library_of_the_past(name), version)

    def _library_of_the_past(self, name: str) -> str:
        """The one library that has a name in an older release only.

        Raises:
            NotFound, Ambiguous: As `Lookup.choose` says it.
        """
        having = {
            str(one.release.library)
            for one in self._shelf.published()
            if (chosen := self._shelf.readable(one)) is not None and best_matches(chosen, name)
        }
        if not having:
            self._lookup.choose(name, "", "")
        if len(having) > 1:
            names = ", ".join(sorted(having))
            raise Ambiguous(
                f"Older releases of {names} have {name!r}.", f"Name the library, for example {min(having)}."
            )
        return min(having)

    def _findings(self, chosen: Chosen, name: str, subject: _Subject | None) -> _Findings:
        releases: dict[Release, Chosen] = {}
        subjects: dict[Release, _Subject | None] = {}
        states: list[ReleaseState] = []
        for one in sorted(self._shelf.releases(chosen.library), key=lambda one: _order(one.release)):
            release = one.release
            # One damaged pack of another version must not keep this one from answering; the states name it.
            other = chosen if release == chosen.published.release else self._shelf.readable(one)
            if other is None:
                states.append(ReleaseState(release, "unreadable"))
                continue
            releases[release] = other
            if other is chosen:
                subjects[release] = subject
            else:
                subjects[release] = _elsewhere(other, name) if subject is None else _same(other, subject)
            states.append(ReleaseState(release, _state(subjects[release])))
        return _Findings(chosen, releases, subjects, tuple(states))


def _present(findings: _Findings, subject: _Subject) -> Availability:
    earlier = findings.earlier
    old = findings.subjects[earlier] if earlier else None
    here = findings.here.label
    what = " as a member of the result, not as a parameter" if subject.of_result else ""
    evidence = f"{here} has it{what}."
    if subject.deprecation:
        evidence = f"{here} has it{what} and marks it as deprecated (evidence: {subject.deprecation.evidence})."
    if earlier is not None and old is None:
        evidence += f" {earlier.label} does not: it was added in between."
    return Availability(
        findings.chosen,
        subject.name,
        "deprecated" if subject.deprecation else "available",
        evidence,
        subject.since,
        subject.deprecation,
        _changes(findings, subject, earlier, old),
        earlier,
        states=findings.states,
    )


def _changes(
    findings: _Findings, subject: _Subject, earlier: Release | None, old: _Subject | None
) -> tuple[ParamChange, ...]:
    if earlier is None or old is None:
        return ()
    if subject.param is not None and old.param is not None:
        return compare_params([old.param], [subject.param])
    return compare_params(
        top_params(findings.releases[earlier], old.symbol), top_params(findings.chosen, subject.symbol)
    )


def _absent(findings: _Findings, name: str) -> Availability:
    """Removed, not yet added, or unknown: what the releases around it prove."""
    here = findings.here
    having = findings.having
    # What only a preview had was never promised to the stable releases after it.
    before = [one for one in having if _order(one) < _order(here) and (_is_preview(here) or not _is_preview(one))]
    after = [one for one in having if _order(one) > _order(here)]
    seen = before[-1] if before else next(iter(after or having), None)
    last = findings.subjects[seen] if seen else None
    unsure = _unsure(findings.chosen, name, last)
    status: Status = "unknown" if unsure or seen is None else "removed" if before else "not_yet_added"
    return Availability(
        findings.chosen,
        last.name if last else clean(name),
        status,
        unsure + (f" {seen.label} names it." if unsure and seen else "")
        if unsure
        else _why_absent(findings, status, seen),
        deprecation=last.deprecation if last and status == "removed" else None,
        compared_with=seen,
        similar=_similar(findings.chosen, name),
        states=findings.states,
        proven=not unsure,
    )


def _why_absent(findings: _Findings, status: Status, seen: Release | None) -> str:
    here = findings.here.label
    if seen is None:
        return (
            f"None of the {len(findings.subjects)} indexed releases of {findings.chosen.library} has it;"
            " others were not looked at."
        )
    if status == "removed":
        return f"Difference of releases: {seen.label} has it, {here} does not."
    return f"Difference of releases: {here} does not have it; {seen.label} does."


def _unsure(chosen: Chosen, name: str, last: _Subject | None) -> str:
    """Why the absence of a name proves nothing here; empty if it does prove something."""
    here = chosen.published.release.label
    if chosen.library.ecosystem == "site":
        return f"{here} is documentation, which need not name everything, so a missing name proves nothing."
    owner = nearest_owner(chosen, name)
    if owner is None:
        return ""
    if owner.open:
        return (
            f"{owner.name} of {here} may get members at run time that its source does not name,"
            " so a missing name proves nothing."
        )
    rest = takes_any(top_params(chosen, owner))
    if rest is not None and (last is None or last.param is not None):
        return (
            f"{owner.name} of {here} takes further arguments as `{rest.name}` that its source does not name,"
            " so a missing parameter proves nothing."
        )
    return ""


def _similar(chosen: Chosen, name: str) -> tuple[str, ...]:
    """Names that exist here and resemble an absent one: parameters of its owner, else APIs."""
    owner = nearest_owner(chosen, name)
    params = top_params(chosen, owner) if owner is not None and owner.kind != "type" else ()
    if owner is not None and params and not owner.members:
        last = next(iter(tails(clean(name))[-1:]), name)
        return tuple(f"{owner.name}.{one}" for one in similar(last, (param.name for param in params)))
    return tuple(similar(name, chosen.pack.entries.names()))


def _locate(chosen: Chosen, name: str) -> _Subject | None:
    """What a name means in a release: an API, else a parameter (or member of the result) of the API before it."""
    try:
        return _Subject(find_symbol(chosen, name))
    except NotFound:
        pass
    owner, rest = clean(name), ""
    while "." in owner:
        owner, _, last = owner.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
        try:
            symbol = find_symbol(chosen, owner)
        except (NotFound, Ambiguous):
            continue
        return _member(chosen, symbol, rest)
    return None


def _elsewhere(chosen: Chosen, name: str) -> _Subject | None:
    """The subject in another release than the one asked for; of several, any one shows that the name is there."""
    try:
        return _locate(chosen, name)
    except Ambiguous:
        return _Subject(chosen.pack.entries.symbol(best_matches(chosen, name)[0].symbol))


def _same(chosen: Chosen, subject: _Subject) -> _Subject | None:
    """The same API or parameter in another release, by its public names."""
    entries = chosen.pack.entries
    if subject.symbol.kind == "type" and entries.shape(subject.symbol.name) is not None:
        symbol = find_symbol(chosen, subject.symbol.name)
        return _member(chosen, symbol, subject.param.name) if subject.param else _Subject(symbol)
    for name in dict.fromkeys((subject.symbol.name, *subject.symbol.names)):
        found = {one.symbol for one in entries.find(name)[:1] if one.rank <= _WHOLE_NAME}
        if found:
            symbol = entries.symbol(min(found))
            return _member(chosen, symbol, subject.param.name) if subject.param else _Subject(symbol)
    return None


def _member(chosen: Chosen, symbol: Symbol, path: str) -> _Subject | None:
    param = find_param(chosen, symbol, path)
    if param is not None:
        return _Subject(symbol, param)
    result = find_result(chosen, symbol, path)
    return _Subject(symbol, result, of_result=True) if result else None


def _state(subject: _Subject | None) -> State:
    if subject is None:
        return "absent"
    return "deprecated" if subject.deprecation else "available"


def _order(release: Release) -> tuple[object, ...]:
    """By age: the API's version, then the carrier's; a preview stands just below its release."""
    return (version_key(release.version), version_key(release.package_version), release.key)


def _is_preview(release: Release) -> bool:
    return is_preview(release.version) or is_preview(release.package_version)
