"""What changed between the parameters of one API in two releases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.domain.symbols import Param

ChangeKind = Literal["added", "removed", "required", "optional", "default", "type", "values", "passing", "deprecated"]


@dataclass(frozen=True, slots=True)
class ParamChange:
    """One difference of one parameter; `old` and `new` as text, empty where there is none.

    For `added`, `new` says whether it is required; for `values`, `old` holds those that are no longer allowed and `new`
    those that came; for `passing`, both say how it is passed.
    """

    name: str
    kind: ChangeKind
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "added" | "removed" | "deprecated":
                return f"{self.name}: {self.kind}" + (f", {self.new}" if self.new else "")
            case "required" | "optional":
                return f"{self.name}: became {self.kind}"
            case "values":
                come = [f"new values {self.new}"] if self.new else []
                gone = [f"values no longer allowed {self.old}"] if self.old else []
                return f"{self.name}: {'; '.join(come + gone)}"
            case "passing":
                return f"{self.name}: was {self.old}, is {self.new}"
            case _:
                return f"{self.name}: {self.kind} {self.old or 'none'} → {self.new or 'none'}"


def compare_params(old: Sequence[Param], new: Sequence[Param]) -> tuple[ParamChange, ...]:
    """The differences of two parameter lists, in the order of the new list, removed ones last."""
    before = {param.name: param for param in old}
    after = {param.name for param in new}
    changes: list[ParamChange] = []
    for param in new:
        earlier = before.get(param.name)
        if earlier is None:
            changes.append(ParamChange(param.name, "added", new="required" if param.required else ""))
        else:
            changes.extend(_differences(earlier, param))
    changes.extend(ParamChange(param.name, "removed") for param in old if param.name not in after)
    return tuple(changes)


def _differences(old: Param, new: Param) -> list[ParamChange]:
    found: list[ParamChange] = []
    if old.required != new.required:
        found.append(ParamChange(new.name, "required" if new.required else "optional"))
    if old.kind != new.kind:
        found.append(ParamChange(new.name, "passing", _passing(old), _passing(new)))
    if old.default != new.default:
        found.append(ParamChange(new.name, "default", old.default or "", new.default or ""))
    if old.type != new.type:
        found.append(ParamChange(new.name, "type", old.type, new.type))
    found.extend(_values(old, new))
    if new.deprecation is not None and old.deprecation is None:
        found.append(ParamChange(new.name, "deprecated"))
    return found


def _values(old: Param, new: Param) -> list[ParamChange]:
    if set(old.enum) == set(new.enum):
        return []
    if not old.enum or not new.enum:  # from or to "any value": no single value came or went
        return [ParamChange(new.name, "type", _allowed(old), _allowed(new))]
    gone = [value for value in old.enum if value not in new.enum]
    come = [value for value in new.enum if value not in old.enum]
    return [ParamChange(new.name, "values", ", ".join(gone), ", ".join(come))]


def _allowed(param: Param) -> str:
    return f"one of {', '.join(param.enum)}" if param.enum else "any value"


def _passing(param: Param) -> str:
    return param.kind.replace("_", "-") or "positional or by keyword"
