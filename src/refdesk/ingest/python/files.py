"""Which files of a package are modules, and their text."""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from refdesk.domain.entries import Problem
from refdesk.domain.packages import NO_API, NO_PACKAGES, is_test_file

ModuleForm = Literal["source", "stub", "compiled"]

LONGEST_MODULE = 8_000_000
"""Bytes of a module; the largest generated ones in real packages have about 2 MB."""

_MODULE = re.compile(r"(?P<stem>[^\W\d]\w*)(?P<tag>\.[\w.-]+)?\.(?P<ending>py|pyi|so|pyd)\Z")
_DATA_FOLDER = re.compile(r"[^/]+\.data/(?:purelib|platlib)/")
_METADATA_FOLDER = re.compile(r"[^/]+\.(?:dist-info|egg-info|data)\Z|EGG-INFO\Z", re.IGNORECASE)
_BUILD_FILES = frozenset({"setup", "noxfile"})
_FORMS: dict[str, ModuleForm] = {"py": "source", "pyi": "stub", "so": "compiled", "pyd": "compiled"}


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """One file that Python would import.

    Attributes:
        name: Dotted name of the module.
        package: Whether it is an `__init__`.
    """

    name: str
    path: str
    form: ModuleForm
    package: bool


def module_files(paths: Iterable[str]) -> list[ModuleFile]:
    """The modules among the files of a package; tests, vendored copies and build scripts are none of them."""
    found = [module for path in paths if (module := _module(path)) is not None]
    packages = {one.name.partition(".")[0] for one in found} - NO_PACKAGES
    if packages:
        found = [one for one in found if one.name.partition(".")[0] in packages]
    return sorted(found, key=lambda one: (one.name.count("."), one.name, one.form, one.path))


def decode(path: str, content: bytes) -> str | Problem:
    """The text of a module by its own declaration (PEP 263), or why it cannot be read."""
    if len(content) > LONGEST_MODULE:
        return Problem(path, f"The module has {len(content):,} bytes, more than {LONGEST_MODULE:,}; it is left out.")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except SyntaxError as error:
        return Problem(path, f"line 1: {error.msg or 'the encoding is not known'}; the module is left out.")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(path, f"line {line}: not valid {error.encoding}; the module is left out.")


def _module(path: str) -> ModuleFile | None:
    inside = _DATA_FOLDER.sub("", path, count=1)
    *folders, filename = inside.split("/")
    match = _MODULE.match(filename)
    if match is None or (match["tag"] and match["ending"] in ("py", "pyi")):
        return None
    if is_test_file(filename) or match["stem"] in _BUILD_FILES:
        return None
    # A stub-only distribution names its folder `requests-stubs` (PEP 561).
    parts = [folder.removesuffix("-stubs") if depth == 0 else folder for depth, folder in enumerate(folders)]
    if any(_METADATA_FOLDER.match(part) or part.lower() in NO_API or not part.isidentifier() for part in parts):
        return None
    package = match["stem"] == "__init__"
    names = list(_names(parts, match["stem"], package=package))
    return ModuleFile(".".join(names), path, _FORMS[match["ending"]], package) if names else None


def _names(folders: list[str], stem: str, *, package: bool) -> Iterator[str]:
    yield from folders
    if not package:
        yield stem
