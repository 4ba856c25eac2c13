"""The processes of the crawler as their parent sees them: started, kept for a while, ended."""

import contextlib
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

_STOPPING = 5.0
"""Seconds that a crawler has to end by itself when its input is closed."""


class Child:
    """One process of the crawler.

    Attributes:
        pipe: Its input.
        answers: Its output.
        reusable: Whether it has done what it was told, and may be told more.
        used: Whether it did something before.
    """

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `end`
        self._process = subprocess.Popen(
            # -P: no module of the folder that a person happens to stand in.
            [sys.executable, "-P", "-m", "refdesk.adapters.crawler.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # Ctrl-C is for the parent to hear: it ends the crawl by closing the pipe.
            start_new_session=True,
        )
        assert self._process.stdin is not None  # noqa: S101 - asked for above
        assert self._process.stdout is not None  # noqa: S101 - asked for above
        self.pipe: BinaryIO = self._process.stdin  # type: ignore[assignment]  # binary, as no encoding is set
        self.answers: BinaryIO = self._process.stdout  # type: ignore[assignment]  # as above
        self.reusable = False
        self.used = False

    def waits(self) -> bool:
        """Whether it is there and has said nothing since; it ends by itself when nothing is asked of it."""
        return self._process.poll() is None and not select.select([self.answers], [], [], 0)[0]

    def last_words(self) -> str:
        """The end of what it wrote to its standard error."""
        self._errors.seek(0, 2)
        self._errors.seek(max(0, self._errors.tell() - 2_000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it was ended from outside ({signal.Signals.SIGKILL.name} or the like)"

    def end(self) -> None:
        """Close its input, which ends it, and see that it is gone."""
        with contextlib.suppress(BrokenPipeError):
            self.pipe.close()
        self.answers.close()
        self._errors.close()
        try:
            self._process.wait(_STOPPING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Children:
    """Lends processes of the crawler; one that did its work is kept for the next who asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Child | None = None

    @contextmanager
    def one(self, *, fresh: bool = False) -> Iterator[Child]:
        """A process for one order. Afterwards it is kept if it is `reusable`, and else gone.

        Args:
            fresh: Whether it must not have done anything before.
        """
        child = (None if fresh else self._take()) or Child()
        try:
            yield child
        finally:
            spare = self._keep(child) if child.reusable else child
            if spare is not None:
                spare.end()

    def close(self) -> None:
        """End the process that waits."""
        with self._lock:
            child, self._waiting = self._waiting, None
        if child is not None:
            child.end()

    def _take(self) -> Child | None:
        with self._lock:
            child, self._waiting = self._waiting, None
        if child is None or child.waits():
            if child is not None:
                child.reusable, child.used = False, True
            return child
        child.end()
        return None

    def _keep(self, child: Child) -> Child | None:
        """The process that is one too many; None if there is none."""
        with self._lock:
            if self._waiting is not None:
                return child
            self._waiting = child
        return None
