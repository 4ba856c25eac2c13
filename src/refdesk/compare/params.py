"""What changed between the parameters of one API in two releases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.domain.symbols import Param

ChangeKind = Literal["added", "removed", "required", "optional", "default", "type", "enum", "deprecated"]


@dataclass(frozen=True, slots=True)
class ParamChange:
    """One difference of one parameter; `old` and `new` as text, empty where there is none."""

    name: str
    kind: ChangeKind
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "added" | "removed" | "deprecated":
                return f"{self.name} {self.kind}"
            case "required" | "optional":
                return f"{self.name} became {self.kind}"
            case _:
                return f"{self.name}: {self.kind} {self.old or 'none'} → {self.new or 'none'}"


def compare_params(old: Sequence[Param], new: Sequence[Param]) -> tuple[ParamChange, ...]:
    """The differences of two parameter lists, in the order of the new list, removed ones last."""
    before = {param.name: param for param in old}
    after = {param.name for param in new}
    changes: list[ParamChange] = []
    for param in new:
        earlier = before.get(param.name)
        changes.extend([ParamChange(param.name, "added")] if earlier is None else _differences(earlier, param))
    changes.extend(ParamChange(param.name, "removed") for param in old if param.name not in after)
    return tuple(changes)


def _differences(old: Param, new: Param) -> list[ParamChange]:
    found: list[ParamChange] = []
    if old.required != new.required:
        found.append(ParamChange(new.name, "required" if new.required else "optional"))
    if old.default != new.default:
        found.append(ParamChange(new.name, "default", old.default or "", new.default or ""))
    if old.type != new.type:
        found.append(ParamChange(new.name, "type", old.type, new.type))
    if set(old.enum) != set(new.enum):
        gone = [f"-{value}" for value in old.enum if value not in new.enum]
        come = [f"+{value}" for value in new.enum if value not in old.enum]
        found.append(ParamChange(new.name, "enum", " ".join(gone), " ".join(come)))
    if new.deprecation is not None and old.deprecation is None:
        found.append(ParamChange(new.name, "deprecated"))
    return found
