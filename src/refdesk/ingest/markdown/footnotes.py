"""Footnotes: a part of a page that refers to one carries its text, which stands at the end of the page."""

import re
from collections.abc import Mapping

from refdesk.ingest.markdown.sections import LARGEST, Sheet

_DEFINITION = re.compile(r"^\[\^(?P<label>[^\]\s]{1,40})\]:[ \t]+\S.*$", re.MULTILINE)
_REFERENCE = re.compile(r"\[\^([^\]\s]{1,40})\](?!:)")
_LONGEST = 600


def footnotes(sheet: Sheet) -> Mapping[str, str]:
    """Label → line of each footnote of a page; what is longer than a note stays where it is."""
    if "\n[^" not in sheet.markdown:
        return {}
    return {
        match["label"]: match.group()
        for block in sheet.scanned
        if block.kind not in ("fence", "code")
        for match in _DEFINITION.finditer(sheet.markdown, block.start, block.end)
        if len(match.group()) <= _LONGEST
    }


def with_footnotes(text: str, notes: Mapping[str, str]) -> str:
    """A part of the page, with the notes that it refers to and does not hold."""
    for label in dict.fromkeys(_REFERENCE.findall(text)):
        note = notes.get(label, "")
        if note and f"[^{label}]:" not in text and len(text) + len(note) + 2 <= LARGEST:
            text = f"{text}\n\n{note}"
    return text
