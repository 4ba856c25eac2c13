"""A ledger in memory."""

from collections.abc import Sequence
from datetime import datetime

from refdesk.ports.ledger import Call


class MemoryLedger:
    """Ledger port without a file."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    def record(self, call: Call) -> None:
        self._calls.append(call)

    def calls(self, limit: int, error: str = "") -> Sequence[Call]:
        newest = self._calls[::-1]
        newest.sort(key=lambda call: call.at, reverse=True)
        return [call for call in newest if not error or call.error == error][: max(0, limit)]

    def prune(self, before: datetime) -> int:
        kept = [call for call in self._calls if call.at >= before]
        gone = len(self._calls) - len(kept)
        self._calls = kept
        return gone

    def close(self) -> None:
        """Nothing to let go of."""
