"""Pages of a package: its long description, its changelog, and what its metadata says."""

import re
from collections.abc import Mapping
from email import message_from_string
from email.message import Message

from refdesk.domain.entries import Page
from refdesk.domain.packages import metadata_path, project_page, project_urls
from refdesk.ingest.decoding import decode
from refdesk.ingest.restructured.mixed import to_markdown

_CHANGELOG = re.compile(
    r"(?:change[-_ ]?log|changes|history|news|release[-_ ]?notes|releases)(?:\.(?P<ending>md|rst|txt|markdown))?\Z",
    re.IGNORECASE,
)
_README = re.compile(r"readme(?:\.(?P<ending>md|rst|txt|markdown))?\Z", re.IGNORECASE)
_MIGRATION = re.compile(r"(?:migrat\w*|upgrad\w*)[\w.-]*\.(?:md|rst|txt)\Z", re.IGNORECASE)
_FOLDERS = re.compile(r"(?:|docs?/|[^/]+\.dist-info/(?:licenses/)?)\Z")
_BADGES = re.compile(r"^(?:\s*\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?)+\s*$\n?", re.MULTILINE)
_FENCED = re.compile(r"^ *(`{3,}).*?^ *\1", re.MULTILINE | re.DOTALL)
_STATUS = ("Development Status", "Programming Language", "Framework", "Operating System", "Typing")


def metadata_of(files: Mapping[str, bytes]) -> Message | None:
    """The package's metadata as its archive states it; None if it states none."""
    path = metadata_path(files)
    return message_from_string(decode(files[path])[0]) if path else None


def home_url(metadata: Message | None) -> str:
    """Where people read about the package; empty if its metadata states nothing of that."""
    return project_page(_headers(metadata)) if metadata is not None else ""


def make_pages(files: Mapping[str, bytes], metadata: Message | None, package: str) -> list[Page]:
    """The readable pages of a package, in order of path."""
    url = home_url(metadata)
    pages: dict[str, Page] = {}
    if metadata is not None:
        pages["METADATA"] = Page("METADATA", f"{package}: package metadata", _metadata_text(metadata), "metadata", url)
        body = metadata.get_payload()
        stated = body if isinstance(body, str) and body.strip() else (metadata.get("Description") or "")
        if stated.strip():
            text = _markdown(_unfolded(stated), _content_type(metadata))
            pages["README.md"] = Page("README.md", _title(text, package), text, "concept", url)
    for path in sorted(files):
        folder, _, name = path.rpartition("/")
        if not _FOLDERS.match(f"{folder}/" if folder else ""):
            continue
        changelog = _CHANGELOG.match(name)
        if changelog or _MIGRATION.match(name):
            text = _markdown(decode(files[path])[0], _form(name))
            title = _title(text, f"{package}: changes")
            pages[path] = Page(path, title, text, "changelog" if changelog else "howto", url)
        elif _README.match(name) and "README.md" not in pages:
            text = _markdown(decode(files[path])[0], _form(name))
            pages["README.md"] = Page("README.md", _title(text, package), text, "concept", url)
    return [pages[path] for path in sorted(pages) if pages[path].markdown]


def _headers(metadata: Message) -> list[tuple[str, str]]:
    return [(key, str(value)) for key, value in metadata.items()]


def _metadata_text(metadata: Message) -> str:
    def one(key: str) -> str:
        value = " ".join(str(metadata.get(key) or "").split())
        return "" if value.upper() == "UNKNOWN" else value

    lines = [f"# {one('Name')} {one('Version')}", ""]
    if summary := one("Summary"):
        lines += [summary, ""]
    licence = one("License-Expression") or one("License")
    rows = [
        ("Requires Python", one("Requires-Python")),
        ("Licence", licence if len(licence) <= 200 else licence[:200].rsplit(" ", 1)[0] + " ..."),
        ("Author", one("Author") or one("Author-email")),
        ("Keywords", one("Keywords")),
        ("Home page", one("Home-page")),
        *project_urls(_headers(metadata)),
    ]
    lines += [f"- {label}: {value}" for label, value in rows if value]
    groups: dict[str, list[str]] = {}
    for line in metadata.get_all("Requires-Dist") or []:
        requirement, _, marker = " ".join(str(line).split()).partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", marker)
        rest = re.sub(r"\s*(?:and\s+)?\(?extra\s*==\s*['\"][^'\"]+['\"]\)?(?:\s+and)?\s*", "", marker).strip(" ()")
        shown = f"`{requirement.strip()}`" + (f" if {rest}" if rest else "")
        groups.setdefault(extra[1] if extra else "", []).append(shown)
    if required := groups.pop("", []):
        lines += ["", "## Dependencies", "", *(f"- {item}" for item in required)]
    extras = sorted({*groups, *(str(item).strip() for item in metadata.get_all("Provides-Extra") or [])})
    if extras:
        lines += [
            "",
            "## Extras",
            "",
            *(f"- `{name}`: {', '.join(groups.get(name, [])) or 'nothing more'}" for name in extras),
        ]
    classifiers = [str(line) for line in metadata.get_all("Classifier") or [] if str(line).startswith(_STATUS)]
    if classifiers:
        lines += ["", "## Classifiers", "", *(f"- {line}" for line in classifiers)]
    return "\n".join(lines).strip()


def _content_type(metadata: Message) -> str:
    stated = str(metadata.get("Description-Content-Type") or "").lower()
    return "md" if "markdown" in stated else "txt" if "plain" in stated else "rst"


def _form(name: str) -> str:
    ending = name.rpartition(".")[2].lower()
    return {"markdown": "md", "md": "md"}.get(ending, "rst")


def _markdown(text: str, form: str) -> str:
    if form == "md":
        return (
            re.sub(r"\n{3,}", "\n\n", _BADGES.sub("", text)).strip()
            if "```" not in text
            else _BADGES.sub("", text).strip()
        )
    # What says that it is reStructuredText, or says nothing, may still be Markdown; the converter looks for itself.
    return to_markdown(text, heading=1).strip()


def _unfolded(text: str) -> str:
    """A description that stands in a header: its lines are indented by eight columns, some with a bar."""
    lines = text.split("\n")
    if len(lines) > 1 and all(not line.strip() or line.startswith(("        ", "       |")) for line in lines[1:]):
        return "\n".join([lines[0], *(line[8:] for line in lines[1:])])
    return text


def _title(text: str, otherwise: str) -> str:
    match = re.search(r"^# +(?P<title>[^\n]+)", _FENCED.sub("", text), re.MULTILINE)
    title = re.sub(r"[*_`#]|<[^>]+>|!?\[([^\]]*)\]\([^)]*\)", r"\1", match["title"]).strip() if match else ""
    return title or otherwise
