"""Deprecations of symbols and parameters: what decorators, bodies and docstrings say, the strongest evidence first."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from refdesk.domain.symbols import Deprecation, Evidence, JsonValue, Param
from refdesk.ingest.prose import deprecation_from_note
from refdesk.ingest.python.facts import Decorator
from refdesk.ingest.python.warned import Warned
from refdesk.ingest.restructured.inline import inline

_WHOLE = re.compile(
    r"_*(?:mark_)?deprecat(?:ed?|ion)(?:_?(?:\d+|function|func|class|method|api|cls|alias))*\Z", re.IGNORECASE
)
_PARAMETERS = re.compile(r"_*deprecated?_(?:params?|parameters?|args?|kwargs?|arguments?)\Z", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\w+)*\Z")
_SINCE_WORDS = ("version", "deprecated_in", "since", "in_version", "deprecated_since", "deprecated_from", "start")
_NOTE_WORDS = ("reason", "message", "msg", "details", "extra", "note", "text", "info", "description", "hint")
_INSTEAD_WORDS = (
    "alternative",
    "replacement",
    "instead",
    "use",
    "new_name",
    "replaced_by",
    "use_instead",
    "alternative_import",
)


def decide(decorators: Sequence[Decorator], body: Warned | None, documented: Deprecation | None) -> Deprecation | None:
    """The deprecation of a symbol; what the stronger evidence leaves open is filled from the weaker."""
    found = [one for one in (_by_decorator(decorators), warning(body) if body else None, documented) if one is not None]
    if not found:
        return None
    first = found[0]
    for other in found[1:]:
        first = replace(
            first,
            since=first.since or other.since,
            replacement=first.replacement or other.replacement,
            note=first.note or other.note,
        )
    return first


def warning(found: Warned) -> Deprecation:
    """A Deprecation from a warning in a body."""
    return _from_text(found.message, "warning")


def of_parameters(
    params: Sequence[Param], warned: Mapping[str, Warned], decorators: Sequence[Decorator]
) -> tuple[Param, ...]:
    """Parameters with what warnings in the body and decorators say of them."""
    stated = _by_parameter_decorators(decorators)
    changed: list[Param] = []
    for param in params:
        by_body = warned.get(param.name)
        found = stated.get(param.name) or (warning(by_body) if by_body else None)
        changed.append(param if found is None or param.deprecation is not None else replace(param, deprecation=found))
    return tuple(changed)


def _by_decorator(decorators: Sequence[Decorator]) -> Deprecation | None:
    for one in decorators:
        if _WHOLE.match(one.last):
            return _read(one)
    return None


def _read(decorator: Decorator) -> Deprecation:
    texts = [one for one in decorator.args if isinstance(one, str)]
    since = _word(decorator.keywords, _SINCE_WORDS) or next((one for one in texts if _VERSION.match(one)), "")
    note = _word(decorator.keywords, _NOTE_WORDS) or next((one for one in texts if not _VERSION.match(one)), "")
    instead = _word(decorator.keywords, _INSTEAD_WORDS)
    found = _from_text(" ".join(note.split()), "decorator")
    return replace(found, since=since.removeprefix("v") or found.since, replacement=instead or found.replacement)


def _by_parameter_decorators(decorators: Sequence[Decorator]) -> dict[str, Deprecation]:
    found: dict[str, Deprecation] = {}
    for one in decorators:
        if not _PARAMETERS.match(one.last):
            continue
        if len(one.args) == 2 and all(isinstance(arg, str) for arg in one.args):
            found[str(one.args[0])] = Deprecation("decorator", replacement=str(one.args[1]))
        old, new = one.keywords.get("old_arg_name"), one.keywords.get("new_arg_name")
        if isinstance(old, str):
            found[old] = Deprecation("decorator", replacement=new if isinstance(new, str) else "")
        for name, said in one.keywords.items():
            if isinstance(said, list) and len(said) == 2 and all(isinstance(part, str) for part in said):
                found[name] = replace(_from_text(str(said[1]), "decorator"), since=str(said[0]))
    return found


def _word(words: Mapping[str, JsonValue], names: Sequence[str]) -> str:
    return next((str(words[name]) for name in names if isinstance(words.get(name), str | int | float)), "")


def _from_text(text: str, evidence: Evidence) -> Deprecation:
    return deprecation_from_note(inline(text), evidence)
