"""The ledger: what was asked and what was served."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one operation.

    Attributes:
        arguments: JSON text; values that the operation marks as secret are hashed.
        requested: Version asked for, empty if none was named; `served`: key of the release that answered.
        ids: What was served: page and symbol ids.
        error: Error code; empty if the call succeeded.
        seconds: Wall time that it took.
    """

    trace_id: str
    at: datetime
    surface: str
    operation: str
    arguments: str
    conversation: str = ""
    principal: str = ""
    library: str = ""
    requested: str = ""
    served: str = ""
    ids: tuple[str, ...] = ()
    count: int = 0
    error: str = ""
    seconds: float = 0.0


class Ledger(Protocol):
    """An append-only record. Recording never waits for an ingest and never fails a call."""

    def record(self, call: Call) -> None:
        """Note a call; durable soon after, at the latest when `close` returns."""
        ...

    def calls(self, limit: int, error: str = "") -> Sequence[Call]:
        """The newest calls first, those that ended with this error code if one is given."""
        ...

    def prune(self, before: datetime) -> int:
        """Forget calls older than this; returns how many."""
        ...

    def close(self) -> None:
        """Make everything durable and let go of the file."""
        ...
