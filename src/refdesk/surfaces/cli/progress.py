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
        self._paces: dict[tuple[str, str], _Pace] = {}

    def __call__(self, step: Step) -> None:
        key = (step.stage, step.subject)
        total = step.total or None
        if key not in self._tasks:
            for other in self._tasks.values():
                self._bars.update(other, visible=False)
            self._paces[key] = _Pace(step)
            self._tasks[key] = self._bars.add_task(f"{step.stage} {step.subject}", total=total, unit=step.unit)
        rate = self._paces[key].rate(step)
        self._bars.update(
            self._tasks[key],
            completed=step.done,
            total=total,
            visible=True,
            unit=f"{step.unit}{_each_second(rate, step)}",
        )


class _LineProgress:
    """A line when a stage begins and every few seconds after, with the time left where the total is known."""

    def __init__(self) -> None:
        self._key = ("", "")
        self._pace = _Pace(Step("", ""))
        self._said = 0.0

    def __call__(self, step: Step) -> None:
        now = _now()
        key = (step.stage, step.subject)
        if key != self._key:
            self._key, self._pace = key, _Pace(step)
        elif now - self._said < _EVERY:
            return
        self._said = now
        click.echo(f"{step.stage} {step.subject}{self._counts(step)}", err=True)

    def _counts(self, step: Step) -> str:
        rate = self._pace.rate(step)
        if not step.total:
            return f": {step.done} {step.unit}{_each_second(rate, step)}" if step.done else ""
        text = f": {step.done} of {step.total} {step.unit}{_each_second(rate, step)}"
        return f"{text}, {(step.total - step.done) / rate:.0f} s left" if rate else text


class _Pace:
    """How fast a stage goes, since it began."""

    def __init__(self, first: Step) -> None:
        self._began = _now()
        self._first = first.done

    def rate(self, step: Step) -> float:
        """Units in a second; 0 while nothing can be said."""
        seconds = _now() - self._began
        return max(0.0, (step.done - self._first) / seconds) if seconds > 0 else 0.0


_PACED = ("pages", "files")
"""Units whose number in a second says something to people."""


def _each_second(rate: float, step: Step) -> str:
    return f", {rate:.1f} {step.unit}/s" if rate and step.unit in _PACED else ""


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
