"""What of a page's Markdown a chunk shows: without the marks that only the page needs.

Ids of headings and terms are left out, the borders of tabs become bold labels, links within the site and very long ones
become their text, images their description. Code is never touched. On the way the names are noted that code spans and
links may mention.
"""

import re
from urllib.parse import unquote

from refdesk.domain.markdown import Block

_LONGEST_LINK = 80
_CODE = frozenset({"fence", "code"})
_ID = re.compile(r"[ \t]*\{[ \t]*#[^\s{}]+[^{}\n]*\}(?=[ \t]*#*[ \t]*$)", re.MULTILINE)
_TEXT = r"(?:[^\[\]\\`\n]|\\.|`[^`\n]+`|\n(?!\n)|!?\[[^\[\]\n]*\](?:\([^()\s]*\))?)*"
_URL = r"[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*"
_TITLE = r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*"
# Each alternative begins with its own character, so that the search skips to the next of the three.
_MARKS = re.compile(
    r"`(?P<ticks>`*)(?!`)(?P<inside>.+?)(?<!`)`(?P=ticks)(?!`)"
    rf"|\[(?P<text>{_TEXT})\]\(\s*<?(?P<url>{_URL})>?{_TITLE}\)"
    rf"|!\[(?P<image>{_TEXT})\]\(\s*<?{_URL}>?{_TITLE}\)",
    re.DOTALL,
)
_ANCHOR = re.compile(r"<a id=\"[^\"\n]*\"></a>")
_INNER_CODE = re.compile(r"`+([^`\n]+)`+")
_SITE = re.compile(r"https?://[^/]+/")


class Shown:
    """Shows the blocks of one page, and notes what their code spans and links name."""

    def __init__(self, url: str = "") -> None:
        """Begin.

        Args:
            url: Where the page is read: links to the same host lead to pages of the site.
        """
        site = _SITE.match(url)
        self._site = site[0] if site else ""
        self._spelled: list[str] = []

    def block(self, block: Block, text: str) -> str:
        """The text of a block, or of a part of it, as a chunk shows it."""
        kind = block.kind
        if kind in _CODE or (kind == "html" and block.close):
            return text
        if kind == "heading" and "{" in text:
            text = _ID.sub("", text, count=1)
        elif kind in ("tab", "end"):
            return f"**{block.text}**\n\n" if block.text else ""
        if "<a id=" in text:
            text = _ANCHOR.sub("", text)
        return _MARKS.sub(self._mark, text) if "](" in text or "`" in text else text

    def mentioned(self) -> tuple[str, ...]:
        """The names noted since the last call."""
        found = tuple(dict.fromkeys(self._spelled))
        self._spelled.clear()
        return found

    def _mark(self, match: re.Match[str]) -> str:
        inside, text, url = match["inside"], match["text"], match["url"]
        if inside is not None:
            self._spelled.append(inside.strip())
            return match[0]
        if match.string[match.start() - 1 : match.start()] == "\\":
            return match[0]
        if text is None:
            return match["image"]
        if "`" in text:
            self._spelled += _INNER_CODE.findall(text)
        if "#" in url:
            self._spelled.append(unquote(url.rpartition("#")[2]))
        shown = _MARKS.sub(self._mark, text) if "![" in text else text
        if url.startswith("#") or len(url) > _LONGEST_LINK or (self._site and url.startswith(self._site)):
            return shown
        return match[0] if shown == text else f"[{shown}]({url})"
