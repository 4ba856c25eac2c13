"""The system's clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Clock port: the machine's wall clock in UTC, and its monotonic one."""

    def now(self) -> datetime:
        """The present moment in UTC, with its time zone."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Seconds since an arbitrary moment; never goes back."""
        return time.monotonic()
