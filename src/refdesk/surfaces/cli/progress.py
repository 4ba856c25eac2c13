"""Progress on stderr: a bar with counts and time left in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from refdesk.ports.progress import Progress, Step, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_EVERY = 5.0
"""Seconds between two lines about the same stage, where there is no terminal."""


@contextmanager
def shown_progress(*, wanted: bool) -> Iterator[Progress]:
    """A Progress that people see, for as long as the context lasts."""
    if not wanted:
        yield silent
    elif _is_terminal():
        with _bars() as bars:
            yield _BarProgress(bars)
    else:
        yield _LineProgress()


class _BarProgress:
    """One bar for each stage of each subject."""

    def __init__(self, bars: "Bars") -> None:
        self._bars = bars
        self._tasks: dict[tuple[str, str], TaskID] = {}

    def __call__(self, step: Step) -> None:
        key = (step.stage, step.subject)
        total = step.total or None
        if key not in self._tasks:
            for other in self._tasks.values():
                self._bars.update(other, visible=False)
            self._tasks[key] = self._bars.add_task(f"{step.stage} {step.subject}", total=total, unit=step.unit)
        self._bars.update(self._tasks[key], completed=step.done, total=total, visible=True)


class _LineProgress:
    """A line when a stage begins and every few seconds after, with the time left where the total is known."""

    def __init__(self) -> None:
        self._key = ("", "")
        self._began = 0.0
        self._first = 0
        self._said = 0.0

    def __call__(self, step: Step) -> None:
        now = _now()
        key = (step.stage, step.subject)
        if key != self._key:
            self._key, self._began, self._first = key, now, step.done
        elif now - self._said < _EVERY:
            return
        self._said = now
        click.echo(f"{step.stage} {step.subject}{self._counts(step, now)}", err=True)

    def _counts(self, step: Step, now: float) -> str:
        if not step.total:
            return f": {step.done} {step.unit}" if step.done else ""
        text = f": {step.done} of {step.total} {step.unit}"
        made = step.done - self._first
        if made <= 0:
            return text
        left = (now - self._began) / made * (step.total - step.done)
        return f"{text}, {left:.0f} s left"


def _is_terminal() -> bool:
    return sys.stderr.isatty()


def _now() -> float:
    return time.monotonic()


def _bars() -> "Bars":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    return Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
