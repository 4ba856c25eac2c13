"""Descriptors: a capability is declared once; MCP, the command line, REST and the reference pages come from it.

A descriptor knows nothing of any surface's library. Input models are flat, strict and closed: `Field` carries type,
range, default, example and description; `json_schema_extra={"cli": "argument"}` marks what the command line takes
by position.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic_core import PydanticCustomError

from refdesk.domain.errors import RefdeskError
from refdesk.domain.symbols import JsonValue
from refdesk.ports.progress import Progress, silent

Toolset = Literal["docs", "code", "facts", "skills", "knowledge", "admin"]
View = Literal["structured", "text"]
Effects = Literal["read", "write"]


_SURROGATES = re.compile("[\ud800-\udfff]")

LONGEST_TEXT = 20_000
"""Characters of the longest text that an argument may be."""


class Input(BaseModel):
    """Base of all input models: unknown arguments and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @field_validator("*")
    @classmethod
    def _is_text(cls, value: object) -> object:
        """Every text is readable and of bounded length; not in the schema, where it would cost an agent's tokens."""
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and len(text) > LONGEST_TEXT:
                raise PydanticCustomError("string_too_long", "too long", {"max_length": LONGEST_TEXT})
            if isinstance(text, str) and _SURROGATES.search(text):
                raise PydanticCustomError("string_unicode", "no text")
        return value


class Output(BaseModel):
    """Base of all output models; the first field of each is `version_line`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, from where.

    Attributes:
        surface: `cli`, `mcp-stdio`, `mcp-http`, `python`.
        conversation: Trace or conversation id that the client sent along; empty if none.
        principal: Whose key it is; empty on a laptop.
        read_only: Whether operations with effects are refused to this caller, whatever the settings say.
    """

    surface: str
    conversation: str = ""
    principal: str = ""
    read_only: bool = False
    progress: Progress = silent


@dataclass(frozen=True, slots=True)
class Served:
    """What the call log notes of a result."""

    library: str = ""
    requested: str = ""
    release: str = ""
    ids: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Example:
    """A call that a test executes against the demo's index, and a text that its answer must contain."""

    arguments: Mapping[str, JsonValue]
    shows: str


I_ = TypeVar("I_", bound=Input)
O_ = TypeVar("O_", bound=Output)


@dataclass(frozen=True, slots=True)
class Operation(Generic[I_, O_]):
    """One capability.

    Attributes:
        name: Tool name; stable.
        title: A few words for people.
        description: For the agent: what and when, what comes back, limits, the next call, one real example; < 1 KB.
        run: Carries it out: services, input and caller in, output out; raises only RefdeskError.
        render: The output as Markdown text that is complete by itself, version line first.
        served: What the call log notes of an output.
        view: What MCP returns: typed structure (with the text beside it), or the text alone.
        effects: `write` operations are refused by read-only servers and not offered over HTTP without keys.
        network: Whether it may ask a registry.
        cli: Command name; `rest`: verb and path.
        ceiling: Tokens that an answer may have at most; 0 for a file, which is handed out whole and to no model.
        errors: What it can raise besides InvalidInput and InternalError.
        exit_code: What the command line exits with for an output; not 0 where a part of the work failed.
        tool: Whether it is offered to agents as a tool; the others are for people at the command line.
        asks_version: Whether a client that can ask its user is asked which version, when several are indexed.
        plain: Whether the text is a document, which is printed as it is and without a version line.
        quotes: Whether answers quote third-party text, which surfaces for agents fence as data.
    """

    name: str
    toolset: Toolset
    title: str
    description: str
    input: type[I_]
    output: type[O_]
    run: Callable[[Any, I_, Caller], O_]
    render: Callable[[O_], str]
    served: Callable[[O_], Served]
    view: View
    cli: str
    rest: tuple[str, str]
    ceiling: int
    effects: Effects = "read"
    network: bool = False
    errors: tuple[type[RefdeskError], ...] = ()
    exit_code: Callable[[O_], int] = field(default=lambda _output: 0)
    tool: bool = True
    asks_version: bool = False
    plain: bool = False
    quotes: bool = True
    examples: tuple[Example, ...] = field(default_factory=tuple)
    secrets: frozenset[str] = frozenset()
