"""What the converter asks of the files that a page may take text from."""

from collections.abc import Callable, Mapping
from typing import Protocol


def marker(target: str) -> str:
    """What stands where an include could not be resolved."""
    return f"[not included: {target}]"


class Inclusions(Protocol):
    """Files beside a page."""

    def selected(self, target: str, options: Mapping[str, str]) -> str | None:
        """The lines of a file that the options of `literalinclude` choose; None if they are not there."""
        ...

    def prose(self, target: str, convert: Callable[[str], str]) -> str:
        """Text of a page that is taken into this one, converted; a marker if it is not there."""
        ...
