"""How a long operation tells where it stands."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One report of progress.

    Attributes:
        stage: What is being done: `resolve`, `download`, `read`, `store`, `embed`.
        subject: What it is done to, as a person would name it.
        done: Units finished; `total` of them in all, 0 if that is not known.
        unit: `bytes`, `symbols`, `chunks`, `files`, `releases`.
    """

    stage: str
    subject: str
    done: int = 0
    total: int = 0
    unit: str = ""


Progress = Callable[[Step], None]
"""Receives every report; must return quickly, and raise nothing but `Cancelled`, which ends the operation."""


def silent(_step: Step) -> None:
    """A Progress that nobody listens to."""
