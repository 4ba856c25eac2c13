"""Python packages: where an archive states its metadata, which page of its own it names, and what of it is no API."""

import re
from collections.abc import Iterable, Mapping

_METADATA = re.compile(r"(?:[^/]+\.dist-info/)?METADATA\Z|(?:.+\.egg-info/)?PKG-INFO\Z")
_PAGES = ("documentation", "docs", "homepage", "home", "website", "source", "sourcecode", "repository", "github")
_TEST = re.compile(r"(?:conftest|test_\w+)\.(?:[\w.-]+\.)?(?:pyi?|so|pyd)\Z")

NO_API: Mapping[str, str] = {
    "tests": "tests",
    "_vendor": "vendored",
    "_vendored": "vendored",
    "vendored": "vendored",
    "node_modules": "vendored",
    "benchmarks": "benchmarks",
    "benchmark": "benchmarks",
    "asv_bench": "benchmarks",
    "examples": "examples",
}
"""Folders, in lower case, that hold nothing of a package's API wherever they stand, and what they hold instead.

`test` is not among them: `django/test` is an API.
"""

NO_PACKAGES = frozenset({
    "test", "docs", "doc", "example", "samples", "scripts", "tools", "bench", "ci", "build", "dist", *NO_API
})  # fmt: skip
"""Folders that stand beside the packages of an archive and are none, where there is anything else."""


def metadata_path(paths: Iterable[str]) -> str:
    """The file that states the package's metadata: METADATA of a wheel, else the uppermost PKG-INFO; empty if none.

    Those of vendored copies, which lie deeper, are none of its own.
    """
    stated = [path for path in paths if _METADATA.match(path)]
    return min(stated, key=lambda path: (not path.endswith("METADATA"), path.count("/"), path), default="")


def project_urls(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Label and url of each `Project-URL` in the header fields of a package's metadata, in their order."""
    found: list[tuple[str, str]] = []
    for key, value in headers:
        label, comma, url = value.partition(",")
        if key.lower() == "project-url" and comma:
            found.append((label.strip(), url.strip()))
    return found


def project_page(headers: Iterable[tuple[str, str]]) -> str:
    """Where people read about a package: its documentation, else its home page, else its source; empty if unstated.

    Args:
        headers: Header fields of its metadata; labels compare as PEP 753 says, without case, blanks and punctuation.
    """
    fields = list(headers)
    urls = {re.sub(r"[\W_]+", "", label).lower(): url for label, url in project_urls(fields)}
    for key, value in fields:
        if key.lower() == "home-page":
            urls.setdefault("homepage", value.strip())
    return next((urls[label] for label in _PAGES if urls.get(label, "").startswith(("https://", "http://"))), "")


def is_test_file(name: str) -> bool:
    """Whether a file is a test by its name alone, without folders."""
    return _TEST.match(name) is not None
