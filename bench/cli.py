"""Asks refdesk through its command line, as its users do."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command with `--json` said: the document on stdout, or the error on stderr."""

    code: int
    answer: dict[str, Any]
    error: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cli:
    """The command line over one index folder."""

    home: Path

    def ask(self, *arguments: str) -> Reply:
        """Run a command with `--json`."""
        environment = {**os.environ, "REFDESK_HOME": str(self.home)}
        command = [sys.executable, "-m", "refdesk", *arguments, "--json"]
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
        return Reply(done.returncode, answer, _last_document(done.stderr) if done.returncode else {})

    def add(self, spec: str, via: str = "") -> Reply:
        """Index a release without vectors; nothing happens if it is there."""
        return self.ask("add", spec, "--no-vectors", *(["--via", via] if via else []))


def _last_document(text: str) -> dict[str, Any]:
    """The JSON document at the end of stderr, after the lines of progress."""
    start = text.rfind("\n{\n")
    try:
        document: dict[str, Any] = json.loads(text[start + 1 :] if start >= 0 else text)
    except json.JSONDecodeError:
        return {"message": text[-500:]}
    return document
