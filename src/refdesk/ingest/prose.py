"""What documentation says in plain sentences: a summary, and whether the thing that it describes is deprecated.

Machine flags of deprecation are incomplete in real data, so prose counts as evidence too. It is read narrowly: only
sentences whose subject is the documented thing itself ("Deprecated: use X", "This operation is deprecated", or its own
name) are believed. A sentence that mentions some other deprecated thing, a list of states that contains `DEPRECATED`,
or a deprecation that is only announced is none.
"""

import re
from collections.abc import Iterator, Sequence

from refdesk.domain.symbols import Deprecation, Evidence

_LIMIT = 200
_LABEL = re.compile(
    r"\W*(?:(?:beta|deprecated|experimental|identifier|immutable|(?:input|output|read)[ -]only|optional|preview"
    r"|required)\b\W*)+",
    re.IGNORECASE,
)
"""A first sentence that only labels the thing takes the next one along."""

_THING = (
    r"(?:API|action|argument|attribute|class|command|configuration|data ?type|element|endpoint|error|exception|feature"
    r"|field|filter|flag|function|header|input|interface|item|keyword|member|message|method|module|namespace|object"
    r"|operation|option|output|package|parameter|property|query parameter|request|resource|response|role|service"
    r"|setting|shape|structure|target|type|value)s?"
)
_THIS = rf"(?:This|These)(?: (?:\w+ ){{0,3}}?{_THING})?"
_PREFIX = (
    r"(?:[>\s*_(\[@\"']*(?:(?:Note|Important|Warning|Caution|Attention)(?: that\b|[*_]*:[*_]*))?"
    r"(?:\[?(?:Output|Input) Only\]?[.:]?)?[>\s*_(\[@\"']*)"
)
_MARKED = re.compile(
    rf"{_PREFIX}deprecated(?=[\])*_\"']*(?:[.:,;!]|\Z|[\])*_]|\s+[-–—(])"
    r"|\s+(?:use|please|since|as of|from|in favou?r|in (?:version|release)|in v?\d|see|do not|don't|by)\b"
    r"|\s+and\s+(?:unused|unset|ignored|replaced|no longer|will|should|has|is)\b)",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"{_PREFIX}{_THIS} (?:(?:is|are|was|were) (?:now |also |being )?|(?:has|have) been |will not be used and is )"
    r"(?:(?:fully|officially) )?"
    r"(?:(?:deprecated|obsolete|obsoleted|discontinued)(?! (?:when|if|for|only|unless)\b)"
    r"|(?:superseded|replaced) (?:by|with)|no longer (?:used|in use|supported|recommended|available)"
    r"(?! (?:when|if|for|only|unless|by|in|to|on|from|with|as)\b))",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    rf"{_PREFIX}(?:(?:replaced|superseded) by |obsolete in favou?r of |(?-i:DEPRECATED )"
    r"|no longer (?:used|supported|populated)\b(?! (?:by|in|for|with)\b))",
    re.IGNORECASE,
)
_OWN = (
    r"{prefix}(?:The )?[`*_]*{name}[`*_]*(?: (?:API|action|class|function|method|operation))?"
    r" (?:is|are|has been|have been) (?:(?:now |being )?deprecated"
    r"|no longer supported(?! (?:by|in|to|on|from|with|as)\b))"
    r"(?! (?:when|if|for|only|unless)\b)"
)

_DATE = (
    r"\d{4}-\d{2}-\d{2}|\d{1,2}[-/]\d{1,2}[-/]\d{4}|(?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December)(?: \d{1,2},?)? \d{4}"
)
_VERSION = r"(?:version |release |v)\d[\w.\-]*|\d+(?:\.\w+)+"
_SINCE = re.compile(
    rf"(?:\A|\bdeprecat\w+|\bsupport(?:ed)?|\bdiscontinued|\bno longer)(?:(?!remov|delet|\. )[^;\n]){{0,40}}?"
    rf"\b(?:since|as of|from|starting|in|on)[:*_]* (?:the )?(?P<since>{_DATE}|{_VERSION})",
    re.IGNORECASE,
)
_AS_OF = re.compile(rf"\b(?:as of|on|starting) (?P<since>{_DATE}),", re.IGNORECASE)

_STRONG = re.compile(
    r"(?:\bin favou?r of|\b(?:replaced|superseded) (?:by|with)|\binstead,? (?:please )?use|\bswitch to|\bmigrate to"
    r"|\bplease use|\bplease see)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:use|see|call|refer to|prefer|specify)\s+(?P<rest>(?:(?!\b(?:use|see|call)\s).){1,120}?)\s*,?\s*\binstead\b",
    re.IGNORECASE,
)
_USE = re.compile(
    r"(?:(?:\A|[.,;:\])*–—-])[\s*_]*(?:please |always )?|\b(?:please|should|must|always) )use\s+"
    r"(?!of\b|this\b|it\b|these\b|that\b)(?P<rest>.+)",
    re.IGNORECASE,
)
_CALL_OUT = re.compile(r"\A[>\s]*(?:\*\*\w+:\*\*\s*)?")
_ADVICE = re.compile(r"(?:please )?(?:use|see)\s|instead\b|(?:to|for) [^,]{1,80}, use\s", re.IGNORECASE)
# No back-tick inside: it keeps the search linear, and code that has one is rare.
_CODE_SPAN = r"(?<!`)(?P<ticks>`{1,3})(?P<code>[^`]+)(?P=ticks)(?!`)"
_CODE = re.compile(_CODE_SPAN)
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_PHRASE_END = re.compile(
    r"[.,;:!?)\]](?=\s|\Z|[*_`])|\s(?:instead|to|for|when|if|because|which|that|since)\b"
    r"|\sand (?:will|is|has|see|specify|omit|then)\b"
    r"|\s[-–—(]",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the (?:new |newer )?|a new |either )", re.IGNORECASE)
_KIND_WORD = re.compile(rf"(?P<name>[\w.$\[\]/'\"-]+)(?: {_THING}){{1,2}}", re.IGNORECASE)
_NO_NAME = re.compile(rf"API(?: {_THING})?|.{{121,}}|.*\bthe following\b.*|\W*")

_QUOTED = re.compile(r"(?P<quote>['\"])(?P<text>[^'\"]+)(?P=quote)")

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINK = re.compile(r"!?\[(?P<text>[^\[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_ROLE = re.compile(r":(?:[a-z]+:){0,1}[a-z]+:(?=`)")
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)(?P<text>[^*_\n]+?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_NO_PROSE = re.compile(r"\s*(?:#{1,6}\s|```|~~~|\||[-*+]\s|\d+[.)]\s|(?:[-=*_]\s*){3,}\Z|<!--|\.\. )")
_LIST_ITEM = re.compile(r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s")
_CODE_OR_END = re.compile(rf"{_CODE_SPAN}|[.!?]+[\])*_\"'”’`]*(?=\s|\Z)|[。！？]")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|No|Inc|Ltd|St|Dr|Mr|Ms|U\.S)|\b[A-Z])\.\Z")


def summary(markdown: str) -> str:
    """The first sentence of a description as plain text.

    Headings, lists, code and tables are passed over, call-outs too where other prose follows.

    Returns:
        At most 200 characters on one line, cut at a word with `…`; empty if there is no prose.
    """
    paragraphs = [part for part in _PARAGRAPH.split(markdown) if part.strip() and not _NO_PROSE.match(part)]
    prose = [part for part in paragraphs if not part.lstrip().startswith(">")] or paragraphs
    if not prose:
        return ""
    said = ""
    for sentence in _sentences(_without_list(prose[0])):
        said = f"{said} {sentence}".strip()
        if not _LABEL.fullmatch(sentence):
            break
    return _cut(_plain(said).removesuffix(":"))


def deprecation(text: str, subject: str = "") -> Deprecation | None:
    """What a description says about its own subject being deprecated.

    Args:
        text: Markdown or plain text that describes one thing.
        subject: Name of that thing; with it, a sentence such as "LoggingInfo has been deprecated." counts, too.

    Returns:
        A Deprecation by prose, its note the sentences that say so; None if the text does not say it.
    """
    if not _may_speak_of_it(text):
        return None
    own = re.compile(_OWN.format(prefix=_PREFIX, name=re.escape(subject)), re.IGNORECASE) if subject else None
    sentences: Sequence[str] = ()
    for number, paragraph in enumerate(_PARAGRAPH.split(text)):
        if _NO_PROSE.match(paragraph):
            continue
        sentences = tuple(_sentences(_without_list(paragraph)))
        for index, sentence in enumerate(sentences):
            if _speaks_of_itself(sentence, own, first=not number and not index):
                return deprecation_from_note(_note(sentences[index:]), "prose")
    return None


def deprecation_from_note(note: str, evidence: Evidence = "flag") -> Deprecation:
    """A Deprecation whose replacement and date or version are read from the source's own words.

    Args:
        note: Why it is deprecated and what to use instead, as stated; may be empty.
        evidence: How the deprecation itself is known.
    """
    words = " ".join(note.split())
    return Deprecation(evidence, since=_since(words), replacement=_replacement(words), note=note.strip())


def _may_speak_of_it(text: str) -> bool:
    lower = text.lower()
    return any(
        word in lower for word in ("deprecated", "no longer ", "replaced ", "superseded ", "obsolete", "discontinued")
    )


def _speaks_of_itself(sentence: str, own: re.Pattern[str] | None, *, first: bool) -> bool:
    if _MARKED.match(sentence) or _STATED.match(sentence):
        return True
    return bool((first and _BEGINNING.match(sentence)) or (own is not None and own.match(sentence)))


def _note(sentences: Sequence[str]) -> str:
    """The sentence that says it, with up to two more that say what to do instead."""
    kept = 1
    for index, sentence in enumerate(sentences[1:3], 2):
        if _STRONG.search(sentence) or _INSTEAD.search(sentence) or (index == 2 and _ADVICE.match(sentence)):
            kept = index
    return _CALL_OUT.sub("", " ".join(sentences[:kept]), count=1)


def _since(words: str) -> str:
    match = _SINCE.search(words) or _AS_OF.search(words)
    if match is None:
        return ""
    since = re.sub(r"\A(?:version |release |v(?=\d+\.))", "", match["since"], flags=re.IGNORECASE)
    return since.rstrip(".-")


def _replacement(words: str) -> str:
    words = _LINK.sub(r"\g<text>", words)
    for pattern in (_STRONG, _INSTEAD, _USE):
        for match in pattern.finditer(words):
            if found := _phrase(match["rest"]):
                return found
    return ""


def _phrase(rest: str) -> str:
    """The words for a replacement at the start of a text, without articles and the word for its kind."""
    rest = _ARTICLE.sub("", rest.lstrip("*_: "), count=1) if _ARTICLE.match(rest.lstrip("*_: ")) else rest
    codes = [match.span() for pattern in (_CODE, _BRACKETS) for match in pattern.finditer(rest)]
    end = next(
        (
            match.start()
            for match in _PHRASE_END.finditer(rest)
            if not any(start < match.start() < stop for start, stop in codes)
        ),
        len(rest),
    )
    phrase = _plain(rest[:end]).strip(" .,;:")
    if kind := _KIND_WORD.fullmatch(phrase):
        phrase = kind["name"]
    if quoted := _QUOTED.fullmatch(phrase):
        phrase = quoted["text"]
    return "" if _NO_NAME.fullmatch(phrase) else phrase


def _without_list(paragraph: str) -> str:
    """A paragraph on one line, up to a list that follows it without an empty line."""
    lines: list[str] = []
    for line in paragraph.splitlines():
        if _LIST_ITEM.match(line):
            break
        lines.append(
            line.strip().removeprefix(">").strip() if line.lstrip().startswith(">") and lines else line.strip()
        )
    return " ".join(lines)


def _sentences(text: str) -> Iterator[str]:
    """Cut at full stops that end a sentence: not inside code, after an abbreviation, or before a small letter."""
    start = 0
    for match in _CODE_OR_END.finditer(text):
        if match["code"] or text[match.end() : match.end() + 4].lstrip()[:1].islower():
            continue
        if match[0][0] == "." and _ABBREVIATION.search(text, start, match.start() + 1):
            continue
        yield text[start : match.end()].strip()
        start = match.end()
    if rest := text[start:].strip():
        yield rest


def _plain(text: str) -> str:
    """Inline Markdown as plain text; what stands in code stays as it is."""
    text = _ROLE.sub("", _LINK.sub(r"\g<text>", text.lstrip("> ")))
    parts: list[str] = []
    start = 0
    for match in _CODE.finditer(text):
        parts += [_plain_words(text[start : match.start()]), match["code"].strip()]
        start = match.end()
    return " ".join("".join([*parts, _plain_words(text[start:])]).split())


def _plain_words(text: str) -> str:
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\g<text>", text).replace("**", ""))


def _cut(text: str) -> str:
    if len(text) <= _LIMIT:
        return text
    head = text[: _LIMIT - 1]
    return (head.rpartition(" ")[0].rstrip(" ,;:(-–—") or head) + "…"
