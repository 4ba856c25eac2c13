"""Programs that provisioning starts: quiet while they work, and a reason for skipping when they cannot."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import filelock


class Missing(Exception):
    """A site cannot be had on this machine now; the message says why, for whoever sees the test skipped."""


def run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a program printed.

    Raises:
        Missing: It is not installed, failed, or took more than eight minutes.
    """
    words = [str(word) for word in command]
    if shutil.which(words[0]) is None:
        raise Missing(f"{words[0]} is not installed")
    try:
        ended = subprocess.run(
            words,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=480,
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        raise Missing(f"{' '.join(words[:3])} took more than {expired.timeout:.0f} s") from expired
    if ended.returncode:
        said = (ended.stderr.strip() or ended.stdout.strip() or "nothing").splitlines()
        raise Missing(f"{' '.join(words[:3])} ended with {ended.returncode}: {said[-1][:300]}")
    return ended.stdout


@contextmanager
def made_once(folder: Path) -> Iterator[Path | None]:
    """The folder to make something in, which becomes `folder` when it is made; None if it exists.

    Processes that want the same wait for each other; what an interruption left behind is made anew.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(folder.with_name(folder.name + ".lock")):
        if folder.is_dir():
            yield None
            return
        draft = folder.with_name(folder.name + ".draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        yield draft
        draft.rename(folder)
