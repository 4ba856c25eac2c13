"""The plan: a question understood before it is searched.

Weights of the three ways start at lexical 0.5, vector 0.3, structured 0.2. Those fixed weights hurt questions in plain
language (their words are not the library's), so by default the question sets them: prose pulls to vectors, names that
the library really has pull to the lexical and the structured way.
"""

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from refdesk.domain.entries import ContentType
from refdesk.domain.errors import InvalidInput
from refdesk.domain.names import clean
from refdesk.domain.text import tokens
from refdesk.retrieval import question
from refdesk.retrieval.question import Intent

Method = Literal["blend", "rrf"]
"""How the ways are fused: a blend of scores, or weighted reciprocal ranks as the reference."""

MAX_TERMS = 128
"""Distinct terms of a question that are looked up at all; the scorer keeps the rarest of them."""

_MAX_NAMES = 8
_LONGEST_NAME = 200
_WORDS_OF_A_NAME = 5


@dataclass(frozen=True, slots=True)
class Weights:
    """What each way counts; only their proportions matter."""

    lexical: float
    vector: float
    structured: float


BASE = Weights(lexical=0.5, vector=0.3, structured=0.2)
"""Where weights start, and the fixed ones of the reference method."""

PROSE = Weights(lexical=0.3, vector=0.7, structured=0.2)
NAMED = Weights(lexical=0.5, vector=0.2, structured=0.3)


@dataclass(frozen=True, slots=True)
class Filters:
    """What hits must be.

    Attributes:
        content_type: Only this kind of content; None for all.
        language: Only chunks with code in this programming language, or under a tab of this label, or without any
            code.
        api: Only chunks about this API entry or its members, in any spelling.
    """

    content_type: ContentType | None = None
    language: str = ""
    api: str = ""

    def __bool__(self) -> bool:
        return bool(self.content_type or self.language or self.api)


@dataclass(frozen=True, slots=True)
class Plan:
    """How one question is searched.

    Attributes:
        query: The question as written.
        terms: Tokens to look up, those of identifiers first; each once, at most `MAX_TERMS`.
        names: Identifiers to look up as symbols, as written.
        spoken: The question itself where it is short enough to be a name in words (`create key pair`), else empty.
        versions: Versions that it mentions; they choose releases, not passages.
        language: ISO 639-1, by script.
        weights: For `method`; `settled` adjusts them to what the look-up of names found.
    """

    query: str
    terms: tuple[str, ...]
    names: tuple[str, ...]
    spoken: str
    versions: tuple[str, ...]
    language: str
    intent: Intent
    weights: Weights
    method: Method = "blend"
    filters: Filters = field(default_factory=Filters)

    def settled(self, found: bool) -> "Plan":
        """The plan after names were looked up: one that names nothing known is searched as prose.

        Args:
            found: Whether at least one of `names` or `spoken` is a name in what is searched.
        """
        if self.method == "rrf" or not found:
            return self
        vector = NAMED.vector if self.weights.vector else 0.0
        return replace(self, weights=replace(NAMED, vector=vector))


def plan(
    query: str,
    filters: Filters | None = None,
    *,
    words: str = "",
    readable: frozenset[str] = frozenset(),
    method: Method = "blend",
) -> Plan:
    """Understand a question.

    Args:
        query: Any text. Quotes, operators and other syntax are plain characters.
        filters: What hits must be.
        words: The user's own words beside the question, in any language: their terms and identifiers count too; the
            question alone decides language, intent and what is embedded.
        readable: Languages that the embedder reads; empty where there is no embedder. A question in another language
            gets no vector weight, and need not be embedded.
        method: `rrf` keeps the base weights whatever the question is.

    Raises:
        InvalidInput: No letter or digit in it.
    """
    every = f"{query}\n{words}"
    mentioned = question.versions(every)
    names = tuple(name for name in question.identifiers(every) if len(name) <= _LONGEST_NAME)[:_MAX_NAMES]
    terms = _terms(every, names, mentioned)
    if not terms:
        raise InvalidInput(
            "The query has no words that can be searched.",
            "Say what you look for in a few words, for example: upload a file, or the name of a function.",
            query=query[:100],
        )
    spoken_in = question.language(query)
    start = BASE if method == "rrf" else PROSE
    return Plan(
        query=query,
        terms=terms,
        names=names,
        spoken=_spoken(query, names),
        versions=mentioned,
        language=spoken_in,
        intent=question.intent(query, names, mentioned),
        weights=start if spoken_in in readable else replace(start, vector=0.0),
        method=method,
        filters=filters or Filters(),
    )


def _terms(query: str, names: tuple[str, ...], mentioned: tuple[str, ...]) -> tuple[str, ...]:
    """Tokens of the identifiers, then of the rest without stop words; versions only as a whole."""
    rest = tokens(question.without_versions(query))
    cut = chain(
        chain.from_iterable(map(question.terms_of, names)),
        (term for term in rest if term not in question.STOP_WORDS),
        (version.lower() for version in mentioned),
    )
    return tuple((list(dict.fromkeys(cut)) or list(dict.fromkeys(rest)))[:MAX_TERMS])


def _spoken(query: str, names: tuple[str, ...]) -> str:
    """The whole question where it may be a name in words; empty where it already spells one as code or is longer."""
    words = clean(query)
    return words if words and not names and len(words.split()) <= _WORDS_OF_A_NAME else ""
