"""What a question contains, recognised by small tables and patterns: identifiers, versions, language, intent."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from refdesk.domain.text import tokens

Intent = Literal[
    "change", "availability", "error", "signature", "parameter", "concept", "howto", "lookup", "any"
]  # fmt: skip
"""What the question is after; `lookup` is a bare name, `any` is everything that no table recognises."""

_STOP = (
    "a about all also am an and any are as at be been but by can could did do does doing for from had has have "
    "how i if in into is it its me may might must my of on one or our please should so some such than that the "
    "their them then there these they this those to us was we were what when where which while who whose why will "
    "with would you your"
)
STOP_WORDS = frozenset(_STOP.split()) | frozenset("的了吗呢吧里在和与是有把被从到")
"""Words that say nothing of the subject. A question keeps them if it has nothing else. The Chinese ones are single
characters that stand between Latin words, where no bigram takes them up."""

_BACKTICKED = re.compile(r"`+([^`\n]{1,200})`+")
_IDENTIFIER = re.compile(
    r"(?:(?<=\s)|(?<=\A)|(?<=[\"'(]))--?[A-Za-z][\w-]*"  # a flag
    r"|[A-Za-z_]\w*(?:\(\))?(?:(?:\.|::)[A-Za-z_]\w*(?:\(\)(?=\.))?)+"  # a dotted path, calls on the way or not
    r"|[A-Za-z]\w*_\w+|_+[A-Za-z]\w*"  # snake_case, UPPER_CASE, __dunder__
    r"|[A-Za-z]*[a-z0-9][A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*"  # CamelCase, HTTPError
    r"|\b[A-Za-z]\w*(?=\((?!e?s\))[^()\n]*\))"  # a call; not the plural of `bucket(s)`
    r"|\b[A-Z]{1,4}-?\d{3,6}\b",  # an error code such as E0308
    re.ASCII,
)
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?\Z")
_VERSION = re.compile(
    r"(?<![\w.-])(?:"
    r"\d{4}-\d{2}-\d{2}(?:-preview)?"
    r"|[vV]?\d+(?:\.\d+)+(?:[-.]?(?:a|b|c|rc|alpha|beta|dev|post)\.?\d*)?"
    r"|[vV]\d+(?:(?:alpha|beta)\d*)?"
    r")(?![\w-]|\.\w)",
    re.ASCII,
)
_API_VERSION = re.compile(r"[vV]\d+(?!\.)|\d{4}-")

_SCRIPTS: Mapping[str, str] = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "THAI": "th",
    "DEVANAGARI": "hi",
}


def _table(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_INTENTS: Mapping[Intent, re.Pattern[str]] = {
    "change": _table(
        r"\b(?:change ?logs?|release notes?|breaking changes?|what(?:'s| is| has| was)? (?:new|changed))\b",
        r"\b(?:new|changed|removed|renamed|added|introduced) (?:in|since)\b",
        r"\b(?:migrat|upgrad)\w+ (?:from|to|guide)\b",
        r"\b(?:between|across) (?:\w+ )?(?:versions|releases)\b",
        r"变更|更新日志|新特性|升级|迁移|版本.*(?:区别|不同)",
    ),
    "availability": _table(
        r"\b(?:deprecat\w+|obsolete|no longer|is gone|still (?:available|supported|exists?|there))\b",
        r"弃用|废弃|还有.*吗",
    ),
    "error": _table(
        r"\b(?:errors?|exceptions?|traceback|stack ?trace|fails?|failed|failure|raises?|crash\w*|status codes?)\b",
        r"[a-z](?:Error|Exception|Fault)\b",
        r"错误|报错|异常|失败",
    ),
    "signature": _table(r"\b(?:signatures?|prototypes?|overloads?)\b", r"签名"),
    "parameter": _table(
        r"\b(?:parameters?|params?|arguments?|kwargs?|defaults?|required|optional|enums?)\b",
        r"\b(?:allowed|valid) values\b",
        r"参数|默认值|必填|取值",
    ),
    "howto": _table(
        r"\bhow (?:do|can|to|should|would|could)\b",
        r"\b(?:examples?|snippets?|tutorial|guide)\b",
        r"怎么|如何|怎样|示例",
    ),
    "concept": _table(
        r"\bwhat(?:'s| is| are| does)\b",
        r"\b(?:explain|why|when should|when to|overview|concepts?|difference between)\b",
        r"是什么|为什么|区别|概念",
    ),
}
"""The first that fits decides."""


def identifiers(text: str) -> tuple[str, ...]:
    """Names that the question spells as code, in order of appearance, each once.

    Everything in backticks counts, and what looks like code elsewhere: flags, dotted paths, snake_case, CamelCase,
    calls, error codes. Product names such as `BigQuery` are among them; only a look-up tells the two apart.
    """
    return tuple(dict.fromkeys(_identifiers(text)))


def terms_of(name: str) -> list[str]:
    """Tokens of an identifier, the whole one first; calls on the way do not cut it: `drive.files().create`."""
    return tokens(name.replace("()", ""))


def versions(text: str) -> tuple[str, ...]:
    """Versions that the question mentions, as written, in order of appearance, each once."""
    return tuple(dict.fromkeys(match.group() for match in _VERSION.finditer(text)))


def without_versions(text: str) -> str:
    """The question with its versions blanked out, so that `1.34.162` is not searched as `1`, `34` and `162`."""
    return _VERSION.sub(" ", text)


def language(text: str) -> str:
    """The question's language by its script (ISO 639-1); `en` for everything in Latin letters.

    One foreign letter in eight decides: identifiers and product names stay Latin in questions of every language.
    """
    counts: dict[str, int] = {}
    letters = 0
    for char in text[:2000]:
        if char.isalpha():
            letters += 1
            if not char.isascii():
                found = _SCRIPTS.get(unicodedata.name(char, "").split(" ")[0].split("-")[0], "")
                counts[found] = counts.get(found, 0) + 1
    counts.pop("", None)
    if "ja" in counts:  # Japanese mixes kana with the characters that it shares with Chinese
        counts["ja"] += counts.pop("zh", 0)
    if not counts:
        return "en"
    best = min(counts, key=lambda one: (-counts[one], one))
    return best if counts[best] * 8 >= letters else "en"


def intent(text: str, names: Sequence[str], mentioned: Sequence[str]) -> Intent:
    """What the question is after, by the first table that fits.

    Args:
        text: The question.
        names: Its identifiers.
        mentioned: Its versions; two of a kind ask for a difference.
    """
    of_apis = [one for one in mentioned if _API_VERSION.match(one)]
    if len(of_apis) > 1 or len(mentioned) - len(of_apis) > 1:
        return "change"
    for found, pattern in _INTENTS.items():
        if pattern.search(text):
            return found
    return "lookup" if names and len(text.split()) == 1 else "any"


def _identifiers(text: str) -> Iterator[str]:
    rest = text
    for match in _BACKTICKED.finditer(text):
        name = match.group(1).strip()
        if name and len(name.split()) <= 3:
            yield name
            rest = rest.replace(match.group(), " ")
    for match in _IDENTIFIER.finditer(rest):
        if not _ABBREVIATION.match(match.group()):
            yield match.group()
