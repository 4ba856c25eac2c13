"""Fails where a page of the project links to a file or heading that is not there, or a setting has no heading."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*$", re.MULTILINE)


def main() -> int:
    """Print every fault; the exit code says whether there is any."""
    # Pages under tests are material for sites: their links are the site's.
    listing = ["git", "ls-files", "*.md", ":!tests"]
    listed = subprocess.run(listing, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    faults = [fault for name in listed.split() if (ROOT / name).exists() for fault in broken(ROOT / name)]
    faults += missing_settings()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def broken(page: Path) -> list[str]:
    """Links of one page that lead nowhere."""
    faults = []
    for target, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            faults.append(f"{page.relative_to(ROOT)}: {target} is not there")
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            faults.append(f"{page.relative_to(ROOT)}: {target}#{anchor} is not there")
    return faults


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def missing_settings() -> list[str]:
    """Environment variables that the code reads and `docs/settings.md` does not explain."""
    code = (ROOT / "src/refdesk/settings.py").read_text(encoding="utf-8")
    page = ROOT / "docs/settings.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    names = sorted(set(re.findall(r"REFDESK_[A-Z_]+", code)))
    return [f"docs/settings.md does not explain {name}" for name in names if f"`{name}`" not in text]


if __name__ == "__main__":
    sys.exit(main())
