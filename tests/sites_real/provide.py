"""Real documentation sites for tests and figures, each a folder of HTML to be served or read.

    folder = provide("attrs-25")        # made on first use, kept under the cache
    folder = provide("javadoc")         # raises Missing, with the reason, where it cannot be had

Debian's archives come through apt, source archives through pip, generators through pip and npm: all of them from where
the machine is configured to look, in pinned versions. Nothing of their text is in the repository. `python -m
sites_real.provide [NAME …]` (with `tests` on the path) makes them ahead of the tests, and says what is missing.
"""

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from sites_real.debian import DEBS, unpacked
from sites_real.generated import ATTRS_22, ATTRS_25, HATCH, by_docusaurus, by_material, by_sphinx, by_vitepress
from sites_real.tools import Missing

__all__ = ["SITES", "Missing", "provide", "site_cache"]

SITES: Mapping[str, Callable[[Path], Path]] = {
    "attrs-22": partial(by_sphinx, ATTRS_22),
    "attrs-25": partial(by_sphinx, ATTRS_25),
    "hatch": partial(by_material, HATCH),
    "vitepress": by_vitepress,
    "docusaurus": by_docusaurus,
    **{name: partial(unpacked, deb) for name, deb in DEBS.items()},
}
"""Name → what makes it in a cache and returns its folder."""


def site_cache(environment: Mapping[str, str] = os.environ) -> Path:
    """Where they are kept: `sites` under `REFDESK_TEST_CACHE`, else `.cache/sites` under the project."""
    named = environment.get("REFDESK_TEST_CACHE")
    return (Path(named) if named else Path(__file__).parents[2] / ".cache").absolute() / "sites"


def provide(name: str) -> Path:
    """The folder of a site.

    Raises:
        Missing: A tool or a registry is not there.
    """
    return SITES[name](site_cache())


def main(names: list[str]) -> None:
    """Make the sites, or all of them."""
    for name in names or SITES:
        try:
            said = str(provide(name))
        except Missing as missing:
            said = f"missing, {missing}"
        sys.stdout.write(f"{name}: {said}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
