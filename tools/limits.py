"""Fails where a file or a function is longer than the project allows (docs/architecture.md, Budgets).

Complexity is ruff's to check; what it cannot count is counted here.
"""

import ast
import subprocess
import sys
from pathlib import Path

FILE_LINES = 500
FUNCTION_LINES = 60

# path, or path:function → why it may be longer
ALLOWED: dict[str, str] = {
    "tests/fakes/discovery.py:shelf": "one API document written out as data",
    "tests/fakes/index.py:depot": "one release written out as data",
}


def main() -> int:
    """Print what is too long; the exit code says whether anything is."""
    listed = subprocess.run(["git", "ls-files", "*.py"], capture_output=True, text=True, check=True).stdout
    problems = [problem for path in listed.split() if path not in ALLOWED for problem in too_long(Path(path))]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def too_long(path: Path) -> list[str]:
    """The file and those of its functions that are too long."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    found = [f"{path}: {lines} lines, at most {FILE_LINES}"] if lines > FILE_LINES else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES and f"{path}:{node.name}" not in ALLOWED:
                found.append(f"{path}:{node.lineno}: {node.name} has {length} lines, at most {FUNCTION_LINES}")
    return found


if __name__ == "__main__":
    sys.exit(main())
