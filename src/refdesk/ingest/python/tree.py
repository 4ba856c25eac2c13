"""The modules of a package as griffe sees them, made in memory from the text of its files."""

import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import griffe

from refdesk.domain.entries import Problem
from refdesk.ingest.python.facts import FactsExtension
from refdesk.ingest.python.files import ModuleFile, decode, module_files
from refdesk.ingest.python.stubs import Deferred, adopt_overloads, merge

# griffe reports annotations that it cannot resolve as errors; what we leave out is reported as problems instead.
logging.getLogger("griffe").setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """One module of the package.

    Attributes:
        path: Of its source, else of its stub, else of the compiled file; empty for a namespace without a file.
        tree: What griffe made of it; an empty module where there is nothing to read.
        stub: Path of the stub that was laid over the source, empty if none was.
        deferred: Definitions of the stub that belong to objects of other modules.
        hidden: True for a compiled module without a stub, or one that could not be parsed: its names are not known.
    """

    name: str
    path: str
    tree: griffe.Module
    package: bool = False
    stub: str = ""
    hidden: bool = False
    deferred: Deferred | None = None


def read_modules(files: Mapping[str, bytes]) -> tuple[dict[str, ModuleNode], list[Problem]]:
    """Parse every module of a package; nothing is imported, looked up on disk or run.

    Returns:
        The modules by dotted name, parents before children, and the files that could not be read.
    """
    problems: list[Problem] = []
    forms: dict[str, dict[str, ModuleFile]] = {}
    for file in module_files(files):
        forms.setdefault(file.name, {}).setdefault(file.form, file)
    nodes: dict[str, ModuleNode] = {}
    for name in sorted(forms, key=lambda one: (one.count("."), one)):
        nodes[name] = _node(name, forms[name], _parent(name, nodes), files, problems)
    return {name: nodes[name] for name in sorted(nodes)}, problems


def _parent(name: str, nodes: dict[str, ModuleNode]) -> griffe.Module | None:
    """The module above; one without a file is made where a namespace package needs it."""
    above = name.rpartition(".")[0]
    if not above:
        return None
    if above not in nodes:
        tree = griffe.Module(above.rpartition(".")[2], parent=_parent(above, nodes))
        nodes[above] = ModuleNode(above, "", tree, package=True)
    return nodes[above].tree


def _node(
    name: str,
    forms: Mapping[str, ModuleFile],
    parent: griffe.Module | None,
    files: Mapping[str, bytes],
    problems: list[Problem],
) -> ModuleNode:
    source = _visit(forms.get("source"), parent, files, problems)
    stub = _visit(forms.get("stub"), parent, files, problems)
    package = any(file.package for file in forms.values())
    best = forms.get("source") or forms.get("stub") or forms["compiled"]
    if source is not None and stub is not None:
        return ModuleNode(name, best.path, source, package, stub=forms["stub"].path, deferred=merge(source, stub))
    if stub is not None:
        adopt_overloads(stub)
    tree = source or stub
    if tree is not None:
        path = best.path if source else forms["stub"].path
        return ModuleNode(name, path, tree, package)
    empty = griffe.Module(name.rpartition(".")[2], parent=parent, filepath=_filepath(best.path))
    return ModuleNode(name, best.path, empty, package, hidden=True)


def _visit(
    file: ModuleFile | None, parent: griffe.Module | None, files: Mapping[str, bytes], problems: list[Problem]
) -> griffe.Module | None:
    if file is None:
        return None
    code = decode(file.path, files[file.path])
    if isinstance(code, Problem):
        problems.append(code)
        return None
    try:
        with warnings.catch_warnings():
            # Invalid escapes in other people's strings are no concern of ours.
            warnings.simplefilter("ignore")
            return griffe.visit(
                file.name.rpartition(".")[2],
                _filepath(file.path),
                code,
                extensions=griffe.Extensions(FactsExtension(code)),
                parent=parent,
            )
    except SyntaxError as error:
        reason = f"line {error.lineno or 1}: {error.msg}"
    except ValueError as error:
        reason = f"line 1: {error}"
    except (RecursionError, MemoryError):
        reason = "line 1: nested too deeply to be read"
    problems.append(Problem(file.path, f"{reason}; the module is left out."))
    return None


def _filepath(path: str) -> Path:
    # griffe only looks at the name and the ending of it.
    return Path(path)
