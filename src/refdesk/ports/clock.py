"""Time, so that nothing below the adapters reads a clock."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Says what time it is. A fake returns what it was given and moves only when told to."""

    def now(self) -> datetime:
        """The present moment in UTC, with its time zone."""
        ...

    def elapsed(self) -> float:
        """Seconds since an arbitrary moment; never goes back."""
        ...
