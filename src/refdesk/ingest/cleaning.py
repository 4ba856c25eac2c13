"""Third-party text is data: what a reader cannot see is taken out and counted.

Removed outside of code: invisible and bidirectional control characters, tag characters, HTML comments, hidden elements
and what only a browser would run or load (`script`, `style`, `data:` addresses). Code is kept byte for byte; invisible
characters in it are counted and told of, since code that reads differently than it runs is worth a warning
(CVE-2021-42574).
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from refdesk.domain.markdown import Block, blocks

# Format characters (Unicode category Cf) that draw nothing, control characters, tags, variation selectors'
# supplement. ZWNJ and ZWJ are judged by their neighbours; the byte-order mark, word joiner and soft hyphen go.
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
)
_TAGS = "\U000e0000-\U000e0fff"
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
_JOINERS = "\u200c\u200d"
_TAG = re.compile(r"<(?:!--|(?:script|style|template|iframe|object)\b|[a-z][^<>]*\s(?:hidden|style)\b)")
_DEFINITION = re.compile(r"\]:[ \t]*[#<]")
_PLAIN = bytes({9, 10, 13, *range(0x20, 0x7F)})
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{1,8}\U000e007f")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_NEEDS_ZWNJ = re.compile(
    "[\u0600-\u06ff\u0700-\u074f\u0780-\u07bf\u0900-\u0dff\u0e80-\u109f\u1780-\u17ff\u1800-\u18af]"
)
_NEEDS_ZWJ = re.compile(
    "[\u0600-\u06ff\u0700-\u074f\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u200d\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
_CLASSES = (
    ("tag character", re.compile(f"[{_TAGS}]")),
    ("bidirectional control", re.compile(f"[{_BIDI}]")),
    ("control character", re.compile(f"[{_CONTROL}]")),
    ("invisible character", re.compile(f"[{_INVISIBLE}]")),
)

_COMMENT = r"(?P<comment><!--(?:-?>|.*?--!?>))"
_OPEN_COMMENT = re.compile(r"<!--")
_COMMENT_DEFINITION = re.compile(r"^ {0,3}\[(?://|comment|_|#)\]:[ \t]*(?:#|<>)[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_DATA_IMAGE = re.compile(r"!\[(?P<alt>[^\[\]]*)\]\(\s*<?data:[^()\s]*(?:\s+[^()]*)?\)", re.IGNORECASE)
_DATA_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\(\s*<?data:[^()]*(?:\([^()]*\)[^()]*)*\)", re.IGNORECASE)
_DATA_DEFINITION = re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:[ \t]*<?data:[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_DATA_ATTRIBUTE = re.compile(
    r"""(?P<before><[a-z][^<>]*?)\s(?:src|href|srcset|data|poster)\s*=\s*(?:"\s*data:[^"]*"|'\s*data:[^']*'|data:[^\s>]*)""",
    re.IGNORECASE,
)
_RUN_ELEMENT = re.compile(
    r"<(?P<tag>script|style|template|iframe|object)\b[^<>]*>.*?</(?P=tag)\s*>", re.IGNORECASE | re.DOTALL
)
_ELEMENT = re.compile(
    r"""<(?P<tag>[a-z][\w-]*)(?P<attributes>(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))?)+)\s*/?>""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?P<key>[\w:@.-]+)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'<>=]+))?""")
_UNSEEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?![\d.])", re.IGNORECASE
)
_VOID = frozenset({"img", "br", "hr", "input", "meta", "link", "source", "wbr", "area", "col", "embed", "track"})
_SPAN = r"(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`)"
_SPAN_OR_COMMENT = re.compile(f"{_COMMENT}|{_SPAN}", re.DOTALL)
_CHARACTERS = re.compile(f"[{_BIDI}{_INVISIBLE}{_TAGS}{_CONTROL}{_JOINERS}]")
_PLACE = re.compile("\ue000(\\d+)\ue001")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without what a reader cannot see.

    Attributes:
        removed: How much of each kind was taken out.
        kept: What was found in code and left there.
    """

    text: str
    removed: Mapping[str, int] = field(default_factory=dict)
    kept: Mapping[str, int] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """What was done, in words; empty if nothing was found."""
        parts = []
        if self.removed:
            parts.append("removed " + _listed(self.removed))
        if self.kept:
            parts.append("kept in code " + _listed(self.kept))
        return "; ".join(parts)


def clean(markdown: str) -> Cleaned:
    """Take out of a Markdown text what a reader cannot see, outside of its code."""
    if not needs_cleaning(markdown):
        return Cleaned(markdown)
    removed: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    parts: list[str] = []
    prose: list[str] = []
    for block in blocks(markdown):
        text = markdown[block.start : block.end]
        if _is_code(block):
            parts += [_prose("".join(prose), removed, kept), text]
            prose.clear()
            kept.update(_counted(text))
        else:
            prose.append(text)
    parts.append(_prose("".join(prose), removed, kept))
    return Cleaned("".join(parts), dict(removed), dict(kept))


def clean_line(text: str) -> str:
    """A short plain text (a title, a summary) without invisible characters."""
    return _without_characters(text, Counter()) if needs_cleaning(text) else text


def needs_cleaning(text: str) -> bool:
    """Whether anything in a text may have to be taken out; quick, since nearly every text is without."""
    beyond_ascii = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if beyond_ascii and _CHARACTERS.search(beyond_ascii.decode("utf-8", "surrogatepass")):
        return True
    small = text.lower()  # each of these begins with a character of its own, so that a search skips to the next
    return "data:" in small or _TAG.search(small) is not None or _DEFINITION.search(small) is not None


def _is_code(block: Block) -> bool:
    return block.kind in ("fence", "code") or (block.kind == "html" and block.close == "</pre>")


def _prose(text: str, removed: Counter[str], kept: Counter[str]) -> str:
    """Prose without what is hidden; code spans stay as they are."""
    if not text:
        return text
    spans: list[str] = []

    def keep(match: re.Match[str]) -> str:
        if match["comment"]:
            removed["comment"] += 1
            return ""
        spans.append(match.group())
        kept.update(_counted(match.group()))
        return f"\ue000{len(spans) - 1}\ue001"

    text = _SPAN_OR_COMMENT.sub(keep, text.replace("\ue000", "").replace("\ue001", ""))
    text = _without_characters(_without_elements(text, removed), removed)
    return _PLACE.sub(lambda match: spans[int(match[1])], text)


def _without_elements(text: str, removed: Counter[str]) -> str:
    for kind, pattern, instead in (
        ("comment", _COMMENT_DEFINITION, ""),
        ("comment", _OPEN_COMMENT, ""),  # never closed: what it would hide becomes visible
        ("script or style", _RUN_ELEMENT, ""),
        ("data: address", _DATA_IMAGE, r"\g<alt>"),
        ("data: address", _DATA_LINK, r"\g<text>"),
        ("data: address", _DATA_DEFINITION, ""),
        ("data: address", _DATA_ATTRIBUTE, r"\g<before>"),
    ):
        text, count = pattern.subn(instead, text)
        if count:
            removed[kind] += count
    return _without_hidden(text, removed)


def _without_hidden(text: str, removed: Counter[str]) -> str:
    """The text without hidden elements and all that they hold; one that is never closed loses only its tag."""
    parts: list[str] = []
    at = 0
    for match in _ELEMENT.finditer(text):
        if match.start() < at or not _is_hidden(match["attributes"]):
            continue
        removed["hidden element"] += 1
        parts.append(text[at : match.start()])
        at = match.end()
        if match["tag"].lower() not in _VOID and not match.group().endswith("/>"):
            at = _end_of_element(text, match["tag"], at)
    return "".join([*parts, text[at:]])


def _is_hidden(attributes: str) -> bool:
    for match in _ATTRIBUTE.finditer(attributes):
        key = match["key"].lower()
        if key == "hidden" or (key == "style" and _UNSEEN_STYLE.search(match["value"] or "")):
            return True
    return False


def _end_of_element(text: str, tag: str, start: int) -> int:
    depth = 1
    for match in re.finditer(rf"<(?P<end>/?){re.escape(tag)}\b[^<>]*>", text[start:], re.IGNORECASE):
        depth += -1 if match["end"] else 1
        if not depth:
            return start + match.end()
    return start


def _without_characters(text: str, removed: Counter[str]) -> str:
    flags = [match.span() for match in _FLAG.finditer(text)]
    right_to_left = _RIGHT_TO_LEFT.search(text) is not None
    parts: list[str] = []
    at = 0
    for match in _CHARACTERS.finditer(text):
        if _is_needed(text, match.start(), flags, right_to_left=right_to_left):
            continue
        removed[_kind(match.group())] += 1
        parts.append(text[at : match.start()])
        at = match.end()
    return "".join([*parts, text[at:]]) if parts else text


def _is_needed(text: str, at: int, flags: list[tuple[int, int]], *, right_to_left: bool) -> bool:
    """Whether the writing needs this character: a joiner between letters or emoji, a mark in right-to-left text."""
    character = text[at]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if character == "\u200c":
        return bool(_NEEDS_ZWNJ.match(before) and after)
    if character == "\u200d":
        return bool(_NEEDS_ZWJ.match(before) and _NEEDS_ZWJ.match(after))
    if character in "\u200e\u200f\u061c":
        return right_to_left
    return any(start <= at < end for start, end in flags)


def _counted(text: str) -> Counter[str]:
    return Counter(_kind(match.group()) for match in _CHARACTERS.finditer(text) if match.group() not in _JOINERS)


def _kind(character: str) -> str:
    return next((name for name, pattern in _CLASSES if pattern.match(character)), "invisible character")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}(s)" for kind, count in sorted(counts.items()))
