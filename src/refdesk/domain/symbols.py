"""Symbols: API entries with everything that an exact answer about them needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SymbolKind = Literal[
    "operation", "method", "function", "class", "property", "attribute", "module", "resource", "error", "type",
    "paginator", "waiter", "setting",
]  # fmt: skip

ParamKind = Literal[
    "", "positional_only", "keyword_only", "var_positional", "var_keyword", "path", "query", "header", "body"
]

Evidence = Literal["flag", "prose", "decorator", "directive", "warning", "difference"]

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class Deprecation:
    """That something is deprecated, and how that is known.

    Attributes:
        since: Version or date, as stated; empty if not stated.
        replacement: What the source says to use instead, as stated; empty if not stated.
        note: The source's own words as Markdown; empty where there is only a flag.
        evidence: The kind of proof: a machine `flag`, `prose`, a `decorator`, a `directive`, a `warning` raised in
            the body, or a `difference` between two releases.
    """

    evidence: Evidence
    since: str = ""
    replacement: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter, or one nested member of a parameter.

    Attributes:
        name: Its name; for nested members the path, `Delete.Objects[].Key` (`[]` list element, `{}` map value).
        type: A readable type: `string`, `list of ObjectIdentifier`, `str | None`.
        required: Whether a call without it is wrong, as the source states it.
        default: Source text of the default; None if there is none.
        enum: The values allowed; empty if not restricted.
        limits: `min`, `max`, `pattern`, `format` as stated.
        doc: Markdown.
        kind: How it is passed (Python) or where it goes (HTTP); empty where the source makes no difference.
        shape: Name of the shape in the release's graph behind it; empty if it has no structure.
        since: Version that added it, as stated.
    """

    name: str
    type: str = ""
    required: bool = False
    default: str | None = None
    enum: tuple[str, ...] = ()
    limits: Mapping[str, JsonValue] = field(default_factory=dict)
    doc: str = ""
    kind: ParamKind = ""
    shape: str = ""
    since: str = ""
    deprecation: Deprecation | None = None


@dataclass(frozen=True, slots=True)
class Returns:
    """What a call gives back; `shape` names the structure in the graph, empty if there is none."""

    type: str = ""
    doc: str = ""
    shape: str = ""


@dataclass(frozen=True, slots=True)
class ErrorRef:
    """An error that a call can raise; `name` is the symbol of the error where the release has one."""

    name: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A usage example; `code` byte for byte as the source has it."""

    code: str
    language: str = ""
    title: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the source a symbol stands: path inside the archive, line from 1 (0 unknown), page for people."""

    path: str
    line: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One API entry of one release.

    Attributes:
        name: The canonical public name, unique in the release: `PutObject`, `drive.files.create`,
            `httpx.Client.get`.
        names: Every public name that leads here, the canonical one first (`PutObject`, `put_object`).
        summary: One plain sentence.
        doc: The description as Markdown, without the parameters.
        signature: As one would write the call or declaration.
        params: Parameters in the order of the source. Empty for a symbol whose parameters are the members of
            `input_shape`.
        input_shape: Shape whose members are the parameters (AWS operations); empty otherwise.
        members: Canonical names of the symbols that belong to this one (methods of a class or resource).
        open: True where members may be attached at run time, so that a missing name proves nothing.
        attributes: Further facts with stable keys: `http` {method, path}, `paginator`, `waiters`, `scopes`,
            `overloads`, `bases` …
    """

    name: str
    kind: SymbolKind
    names: tuple[str, ...]
    summary: str = ""
    doc: str = ""
    signature: str = ""
    params: tuple[Param, ...] = ()
    input_shape: str = ""
    returns: Returns | None = None
    errors: tuple[ErrorRef, ...] = ()
    examples: tuple[Example, ...] = ()
    deprecation: Deprecation | None = None
    since: str = ""
    place: Place = Place("")
    members: tuple[str, ...] = ()
    open: bool = False
    attributes: Mapping[str, JsonValue] = field(default_factory=dict)
