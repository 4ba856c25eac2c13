"""Call-outs and notes of change as Markdown: `> **Note:** …`, `**Added in version 1.2:** …`."""

from collections.abc import Sequence

CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
    "versionremoved": "Removed in version",
}
CALL_OUTS = frozenset({
    "note", "warning", "tip", "hint", "important", "caution", "danger", "error", "attention", "seealso", "admonition",
    "todo", "example", "info", "abstract", "question", "success", "failure", "bug", "quote",
})  # fmt: skip


def call_out(title: str, inner: Sequence[str]) -> list[str]:
    """A quotation that begins with its title in bold; nothing where there is nothing to say."""
    lines = _bare(inner)
    if not lines:
        return []
    if lines[0].startswith(("```", "- ", "* ", "> ", "#", "|")):
        lines = ["", *lines]
    mark = title if title.endswith((".", "!", "?", ":")) else f"{title}:"
    return [f"> **{mark}** {lines[0]}".rstrip(), *(f"> {line}" if line else ">" for line in lines[1:])]


def kind_of(name: str) -> str:
    """The title of a call-out that has none of its own."""
    return {"seealso": "See also"}.get(name, name.capitalize())


def change(name: str, version: str, inner: Sequence[str]) -> list[str]:
    """What a version changed; a deprecation is a quotation, so that it is read as one."""
    lines = _bare(inner)
    said = f"{CHANGES[name]} {version.rstrip(':')}" if version else CHANGES[name].partition(" ")[0]
    head = f"**{said}:** {lines[0]}" if lines else f"**{said}.**"
    mark = "> " if name.startswith("deprecated") else ""
    return [f"{mark}{line}" if line else mark.rstrip() for line in [head, *lines[1:]]]


def _bare(inner: Sequence[str]) -> list[str]:
    """Lines without blank ones around."""
    shown = [number for number, line in enumerate(inner) if line.strip()]
    return list(inner[shown[0] : shown[-1] + 1]) if shown else []
