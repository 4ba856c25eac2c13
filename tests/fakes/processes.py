"""The real command in a process of its own, offline: its only registry is a folder of wheels of our own writing."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fakes.wheels import wheel


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Refdesk:
    """Runs `python -m refdesk` over one index folder."""

    home: Path
    links: Path

    def command(self, *arguments: str) -> Sequence[str]:
        return [sys.executable, "-m", "refdesk", *arguments]

    def environment(self, **others: str) -> Mapping[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(("PIP_", "REFDESK_"))}
        ours = {
            "REFDESK_HOME": str(self.home),
            "REFDESK_VECTORS": "0",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.links),
        }
        return {**kept, **ours, **others}

    def __call__(self, *arguments: str, **environment: str) -> Ended:
        ended = subprocess.run(
            self.command(*arguments),
            env=self.environment(**environment),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self.command(*arguments),
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )


def add_wheel(folder: Path, name: str, version: str, files: Mapping[str, bytes]) -> Path:
    """Put one more wheel into a find-links folder."""
    made = wheel(name, version, files)
    path = folder / str(made.filename)
    path.write_bytes(made.content)
    return path
