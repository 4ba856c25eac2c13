"""Names of programming languages: many spellings, one name that most people use."""

import re

_ALIASES = {
    "py": "python", "python2": "python", "python3": "python", "pycon": "python", "pycon3": "python", "py3": "python",
    "py3tb": "python", "ipython": "python", "ipython3": "python", "pytb": "python", "default-python": "python",
    "js": "javascript", "jsx": "javascript", "node": "javascript", "nodejs": "javascript", "node.js": "javascript",
    "mjs": "javascript", "cjs": "javascript", "ts": "typescript", "tsx": "typescript", "mts": "typescript",
    "sh": "bash", "shell": "bash", "console": "bash", "zsh": "bash", "shell-session": "bash", "shellsession": "bash",
    "curl": "bash", "terminal": "bash", "bash-session": "bash",
    "yml": "yaml", "rs": "rust", "rb": "ruby", "golang": "go", "cs": "csharp", "c#": "csharp", ".net": "csharp",
    "c++": "cpp", "cxx": "cpp", "hpp": "cpp", "kt": "kotlin", "ps1": "powershell", "pwsh": "powershell",
    "jsonc": "json", "json5": "json", "dockerfile": "docker", "objc": "objective-c", "objectivec": "objective-c",
    "postgres": "sql", "postgresql": "sql", "htm": "html", "xhtml": "html", "jinja2": "jinja",
    "html+jinja": "jinja", "html+django": "django", "bat": "batch", "cmd": "batch", "doscon": "batch",
}  # fmt: skip
_NONE = frozenset({
    "", "text", "txt", "plain", "plaintext", "none", "default", "output", "literal", "md", "math", "mermaid", "pre",
})  # fmt: skip
_LABELS = frozenset({
    "bash", "batch", "c", "clojure", "cpp", "csharp", "css", "dart", "elixir", "erlang", "go", "graphql", "groovy",
    "haskell", "html", "java", "javascript", "json", "julia", "kotlin", "lua", "objective-c", "perl", "php",
    "powershell", "python", "r", "ruby", "rust", "scala", "sql", "swift", "toml", "typescript", "xml", "yaml",
})  # fmt: skip
_VERSION = re.compile(r"[\s(]+(?:v?\d[\w.+-]*\+?|sdk|api|client|code|and above|or later)\)?", re.IGNORECASE)


def language_name(word: str) -> str:
    """The usual name of a language by any of its names (`py` → `python`); an unknown one as it is, in small letters."""
    word = word.strip().lower()
    return _ALIASES.get(word, word)


def is_language(name: str) -> bool:
    """Whether the info string of a fence names a language rather than plain text."""
    return name not in _NONE


def language_of_label(label: str) -> str:
    """The language that the label of a tab names (`Python 3.10+`, `cURL`); empty if it names none."""
    name = language_name(_VERSION.sub("", label.strip()))
    return name if name in _LABELS else ""
