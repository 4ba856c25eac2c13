"""The one tokeniser: what is indexed and what is asked are cut by the same function.

Identifiers count whole and in parts (`upload_file` → `upload_file`, `upload`, `file`; `PutObject` → `putobject`,
`put`, `object`; `httpx.Client.get` → whole, `client`, `get` …), plain words lose their plural ending, runs of CJK
characters become bigrams. Nothing is dropped: which words do not matter is for the question's plan to say.
"""

import re
import unicodedata
from collections.abc import Iterator

TOKENISER = "refdesk-1"
"""Id stored in each pack; it changes whenever `tokens` gives another result for any text."""

_LONGEST = 80
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(
    rf"(?P<cjk>[{_CJK}]+)"
    rf"|(?P<word>(?:--?(?=[^\W\d_]))?[^\W{_CJK}]+(?:(?:\.|::|-|/)[^\W{_CJK}]+)*)"
)
_PART = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z][a-z]+\d*|[a-z]+\d*|\d+|[^\W\d_A-Za-z]+")
_PLAIN = re.compile(r"[A-Z]?[a-z]+\Z|[A-Z]+\Z")
_WORDS = re.compile(r"[\w.]+")


def tokens(text: str) -> list[str]:
    """Cut a text into tokens, in order of appearance.

    Args:
        text: Any text; code and Markdown are fine.

    Returns:
        Lower-case tokens without white space; the same token as often as it occurs.
    """
    return list(_tokens(unicodedata.normalize("NFKC", text)))


def plural_stem(word: str) -> str:
    """Take off an English plural ending from a lower-case word (Harman's S stemmer, 1991).

    The three rules, the first that applies: -ies → -y (not -eies, -aies); -es → -e (not -aes, -ees, -oes);
    -s → nothing (not -us, -ss). Words of three letters stay.
    """
    if len(word) <= 3 or not word.endswith("s"):
        return word
    if word.endswith("ies") and word[-4] not in "ea":
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] not in "aeo":
        return word[:-1]
    if word[-2] in "us" or word.endswith("es"):
        return word
    return word[:-1]


def estimate_tokens(text: str) -> int:
    """Language-model tokens of a text by the rule that all our figures use: characters / 4, rounded up."""
    return -(-len(text) // 4)


def _tokens(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text):
        run = match.group()
        if match.lastgroup == "cjk":
            yield from _bigrams(run)
        elif _PLAIN.match(run):
            if len(run) <= _LONGEST:
                yield plural_stem(run.lower())
        else:
            yield from _identifier(run)


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _identifier(run: str) -> Iterator[str]:
    """The whole, the words between its separators, and the parts of those words, each once."""
    seen: set[str] = set()
    for form in (run, *_WORDS.findall(run.replace(".", " ")), *_PART.findall(run)):
        token = form.lower()
        if _PLAIN.match(form):
            token = plural_stem(token)
        if token and token not in seen and len(token) <= _LONGEST:
            seen.add(token)
            yield token
