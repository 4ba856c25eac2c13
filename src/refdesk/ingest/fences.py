"""Fenced blocks of code: a fence that what it holds cannot close, and the language of code that names none."""

import ast
import posixpath
import re
from textwrap import dedent

_LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "ts": "typescript", "rs": "rust",
    "rb": "ruby", "cs": "csharp", "kt": "kotlin", "sh": "bash", "yml": "yaml", "h": "c", "hpp": "cpp", "cc": "cpp",
    "md": "markdown", "ps1": "powershell", "vb": "vb", "fs": "fsharp", "ex": "elixir", "txt": "text",
}  # fmt: skip

PROMPT = re.compile(r">>> |>>>\Z")
"""The beginning of a line in a Python session."""


def fenced(code: str, language: str) -> str:
    """A fence around code, longer than any inside it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{code.rstrip(chr(10))}\n{mark}"


def fenced_lines(code: str, language: str) -> list[str]:
    """The lines of `fenced`."""
    return fenced(code, language).split("\n")


def language_of(path: str) -> str:
    """Language of a code file by its name."""
    extension = posixpath.splitext(path)[1].removeprefix(".").lower()
    return _LANGUAGES.get(extension, extension)


def guess_language(code: str) -> str:
    """Language of a block of code that names none: a Python session, a console, Python, or nothing."""
    if PROMPT.match(code.lstrip()):
        return "pycon"
    if code.lstrip().startswith("$ "):
        return "console"
    if not re.search(r"[(=]|^(?:import|from|def|class|with|for|if|return|@)\b", code, re.MULTILINE):
        return ""
    try:
        ast.parse(dedent(code)[:5000])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return "python"
