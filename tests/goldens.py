"""Golden files: large expected texts, kept beside the tests and reviewed as a diff.

`UPDATE_GOLDEN=1 python -m pytest tests/…` writes them anew.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare a text with the golden file of this name."""
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_text(encoding="utf-8"), f"differs from tests/golden/{name}"
