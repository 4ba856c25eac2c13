"""Which files of a Python package say something about its API, and where its import root is.

Paths come out as a wheel has them: `httpx/_client.py`, whatever folders a source archive or a `.data` folder puts
before that (wheel: PEP 427; source archive: the layouts that setuptools documents, flat and `src/`).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refdesk.domain.libraries import normal_package
from refdesk.domain.packages import NO_API, NO_PACKAGES, is_test_file, metadata_path

_CODE = (".py", ".pyi")
_COMPILED = (".so", ".pyd")
_DATA = re.compile(r"[^/]+\.data/(?:purelib|platlib)/(?=[^/])")
_DOCUMENT = re.compile(
    r"(?:readme|change_?logs?|changes|history|news|releases?|release[_-]?notes|(?:.*[_-])?(?:migrat(?:ion|ing)|upgrad(?:e|ing))"
    r"(?:[_-].*)?|whats_?new)(?:[._-][\w.-]+)?\.(?:md|rst|txt)\Z",
    re.IGNORECASE,
)
_SETUP = frozenset({"setup.py", "noxfile.py", "fabfile.py", "tasks.py", "conftest.py", "versioneer.py", "dodo.py"})
_ROOTS = ("src", "lib", "python", "Lib")
_REASONS: Mapping[str, str] = {
    "tests": "tests are no API",
    "vendored": "copies of other packages are documented where they come from",
    "benchmarks": "benchmarks are no API",
    "examples": "examples are no API",
}


@dataclass(slots=True)
class Layout:
    """What to take from a package.

    Attributes:
        read: Path as a wheel has it → path inside the archive.
        names_only: Compiled modules: their names say that they exist, their bytes say nothing.
        left_out: Why and how many files were skipped, by group.
    """

    read: dict[str, str] = field(default_factory=dict)
    names_only: list[str] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)

    def problems(self) -> Iterable[tuple[str, str]]:
        """Each skipped group as (first path, what was left out and why)."""
        for group, paths in sorted(self.left_out.items()):
            count = f"{len(paths)} file{'' if len(paths) == 1 else 's'}"
            yield paths[0], f"{count} left out ({group}): {_REASONS[group]}."


def lay_out(names: Sequence[str], filename: str, package: str, read: Callable[[str], bytes]) -> Layout:
    """Choose what to read.

    Args:
        names: All paths inside the archive, sorted.
        filename: Of the archive; wheels end in `.whl`.
        package: Registry name, which helps to find the import root of a source archive.
        read: Reads a small file of the archive (`top_level.txt`).
    """
    wheel = filename.lower().endswith(".whl")
    to_wheel = _wheel_path if wheel else _sdist_paths(names, package, read)
    tests, metadata = _test_folders(names), metadata_path(names)
    layout = Layout()
    for name in names:
        path = to_wheel(name)
        kind = "metadata" if name == metadata else _kind(path or name, code=bool(path))
        if not kind:
            continue
        group = _left_out(name, tests) if kind != "metadata" else ""
        if group:
            layout.left_out.setdefault(group, []).append(name)
        elif kind == "compiled":
            layout.names_only.append(path)
        else:
            layout.read.setdefault(path or name, name)
    return layout


def _kind(path: str, code: bool) -> str:
    base = path.rpartition("/")[2]
    if code and (path.endswith(_CODE) or base == "py.typed"):
        return "code"
    if code and path.endswith(_COMPILED) and ".dist-info/" not in path:
        return "compiled"
    return "document" if _DOCUMENT.match(base) else ""


def _left_out(name: str, tests: frozenset[str]) -> str:
    *folders, base = name.split("/")
    for at, folder in enumerate(folders):
        if folder.lower() in NO_API:
            return NO_API[folder.lower()]
        if "/".join(folders[: at + 1]) in tests:
            return "tests"
    return "tests" if is_test_file(base) else ""


def _test_folders(names: Iterable[str]) -> frozenset[str]:
    """Folders called `test` that hold tests; `django/test` is an API and holds none."""
    found: set[str] = set()
    for name in names:
        folder, _, base = name.rpartition("/")
        if is_test_file(base) or base.endswith(("_test.py", "_tests.py")):
            parts = folder.split("/")
            found.update("/".join(parts[: at + 1]) for at, part in enumerate(parts) if part == "test")
    return frozenset(found)


def _wheel_path(name: str) -> str:
    """A wheel's paths are import paths already, but for what its `.data` folder installs beside them."""
    moved = _DATA.sub("", name, count=1)
    return "" if moved.partition("/")[0].endswith(".data") else moved


def _sdist_paths(names: Sequence[str], package: str, read: Callable[[str], bytes]) -> Callable[[str], str]:
    """How the paths of a source archive map to those of a wheel; empty for what a wheel would not hold."""
    tops = _stated_tops(names, read) or _guessed_tops(names, package)

    def to_wheel(name: str) -> str:
        for root, top in tops:
            inner = name.removeprefix(root)
            if name.startswith(root) and (inner.startswith(f"{top}/") or inner in (f"{top}.py", f"{top}.pyi")):
                return inner
            if name.startswith(root) and "/" not in inner and inner.endswith(_COMPILED) and inner.startswith(f"{top}."):
                return inner
        return "PKG-INFO" if name == "PKG-INFO" else ""

    return to_wheel


def _stated_tops(names: Sequence[str], read: Callable[[str], bytes]) -> list[tuple[str, str]]:
    """(root folder, top-level name) pairs from `top_level.txt`, where the archive has one."""
    lists = sorted((one for one in names if one.endswith(".egg-info/top_level.txt")), key=lambda one: one.count("/"))
    if not lists:
        return []
    stated = read(lists[0]).decode("utf-8", "replace").split()
    beside = lists[0].split("/")[:-2]
    roots = list(dict.fromkeys(["/".join([*beside, ""]), "", *(f"{one}/" for one in _ROOTS)]))
    found = []
    for top in (one for one in stated if one not in NO_API and one not in ("test", "docs")):
        for root in roots:
            if any(one.startswith((f"{root}{top}/", f"{root}{top}.")) and one.endswith(_CODE) for one in names):
                found.append((root, top))
                break
    return found


def _guessed_tops(names: Sequence[str], package: str) -> list[tuple[str, str]]:
    """The packages under the first source folder that has any, else at the top, else the module of that name."""
    for root in (*(f"{one}/" for one in _ROOTS), ""):
        tops = [(root, top) for top in _packages(names, root, package)]
        if tops:
            return tops
    modules = [one.rpartition(".")[0] for one in names if "/" not in one and one.endswith(_CODE) and one not in _SETUP]
    called = [one for one in modules if normal_package(one) == normal_package(package)]
    return [("", one) for one in dict.fromkeys(called or modules)]


def _packages(names: Sequence[str], root: str, package: str) -> list[str]:
    """Top-level names under a folder: packages, modules of a source folder, and the head of a namespace package."""
    inner = [one.removeprefix(root) for one in names if one.startswith(root) and one.endswith(_CODE)]
    found = [one.partition("/")[0] for one in inner if re.fullmatch(r"[^/.-]+/__init__\.pyi?", one)]
    found += [one.partition("/")[0] for one in inner if re.fullmatch(r"[^/]+-stubs/__init__\.pyi", one)]
    if root:
        found += [one.rpartition(".")[0] for one in inner if "/" not in one]
    namespace = normal_package(package).split("-")[0]
    if any(one.startswith(f"{namespace}/") for one in inner):
        found.append(namespace)
    return [one for one in dict.fromkeys(found) if one not in NO_PACKAGES]
