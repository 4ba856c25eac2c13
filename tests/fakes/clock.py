"""A clock that moves only when told to."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class FixedClock:
    """Clock port: starts at a given moment; `advance` moves both hands."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._now

    def elapsed(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._elapsed += seconds
