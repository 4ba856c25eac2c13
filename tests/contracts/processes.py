"""Programs that tests of storage run as processes of their own."""

import subprocess
import sys
import textwrap
from pathlib import Path

TESTS = Path(__file__).parents[1]

_PREAMBLE = f"""
import os, sys, time
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, {str(TESTS)!r})
from contracts.catalog_contract import published
from contracts.ledger_contract import call
from contracts.packs_contract import ENTRIES, RELEASE, manifest_of
from refdesk.adapters.catalog import FileCatalog
from refdesk.adapters.ledger import FileLedger
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.adapters.packs.vectors import FileVectorCache
from refdesk.domain.errors import RefdeskError
from refdesk.ports.progress import silent
home = Path(sys.argv[1])
packs = FolderPacks(home / "packs", home / "locks")
catalog = FileCatalog(home / "catalog.db")
ledger = FileLedger(home / "ledger.db")
cache = FileVectorCache(home / "vectors")
"""


def start(home: Path, program: str, *arguments: str) -> "subprocess.Popen[str]":
    """Start a program that finds the adapters over `home` under their names; its output comes through pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", _PREAMBLE + textwrap.dedent(program), str(home), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def run(home: Path, program: str, *arguments: str) -> str:
    """Run a program to its end; returns what it printed."""
    process = start(home, program, *arguments)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output
