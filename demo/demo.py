"""What a coding assistant would ask, on real packages: run by `make demo`.

Indexes five releases straight from the package registry into a folder of its own, asks through the command line, and
prints the answers as an assistant gets them, shortened to what the question is about.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".cache" / "demo-index"
SPECS = ("aws:s3@1.34.162", "aws:s3@1.44.8", "gcp:drive@v2", "gcp:drive@v3", "pypi:httpx@0.27.2")

QUESTIONS: tuple[tuple[str, tuple[str, ...], int], ...] = (
    (
        "An exact signature: what does httpx.Client take in the version that the project pins?",
        ("api", "httpx.Client", "--library", "pypi:httpx", "--version", "0.27.2"),
        16,
    ),
    (
        "The difference of two versions: is IfNoneMatch a parameter of PutObject in botocore 1.34.162 …",
        ("check-version", "PutObject.IfNoneMatch", "--library", "aws:s3", "--version", "1.34.162"),
        12,
    ),
    (
        "… and in 1.44.8?",
        ("check-version", "PutObject.IfNoneMatch", "--library", "aws:s3", "--version", "1.44.8"),
        12,
    ),
    (
        "What an error means, and what to do",
        ("api", "InvalidObjectState", "--library", "aws:s3", "--version", "1.44.8"),
        24,
    ),
    (
        "A plain-language question",
        ("search", "send a large file in several pieces", "--library", "aws:s3", "--version", "1.44.8", "--limit", "3"),
        30,
    ),
    (
        "Two API versions of one service: how is a file made in Drive v3?",
        ("api", "files.create", "--library", "gcp:drive", "--version", "v3"),
        16,
    ),
    (
        "Something that does not exist",
        ("api", "put_objects", "--library", "aws:s3", "--version", "1.44.8"),
        8,
    ),
    (
        "A version that is not indexed",
        ("api", "put_object", "--library", "aws:s3", "--version", "1.40.0"),
        8,
    ),
)


def main() -> int:
    """Run the demo; the exit code is that of the first command that failed where it should not."""
    started = time.monotonic()
    heading("Index five releases, straight from the package registry")
    code = refdesk("add", *SPECS, lines=0)
    if code:
        return code
    for title, arguments, lines in QUESTIONS:
        heading(title)
        refdesk(*arguments, lines=lines)
    heading("Connect an assistant")
    refdesk("client-config", "claude-code", lines=20)
    print(f"\nThe demo took {time.monotonic() - started:.0f} s. Its index is in {HOME.relative_to(ROOT)}; ask it more:")
    print(
        f"  REFDESK_HOME={HOME.relative_to(ROOT)} .venv/bin/refdesk api put_object --library aws:s3 --version 1.34.162"
    )
    return 0


def heading(text: str) -> None:
    """A line that separates the steps."""
    print(f"\n━━ {text}", flush=True)


def refdesk(*arguments: str, lines: int) -> int:
    """Run a command as a person would, and print what it says; `lines` shortens it, 0 shows it as it comes."""
    shown = " ".join(f'"{one}"' if " " in one else one for one in arguments)
    print(f"$ refdesk {shown}", flush=True)
    environment = {**os.environ, "REFDESK_HOME": str(HOME)}
    command = [sys.executable, "-m", "refdesk", *arguments]
    if not lines:
        return subprocess.run(command, env=environment, check=False).returncode
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    every = (done.stdout + done.stderr).splitlines()
    print("\n".join(line if len(line) <= 160 else line[:159] + "…" for line in every[:lines]))
    if len(every) > lines:
        print(f"[{len(every) - lines} more lines]")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
