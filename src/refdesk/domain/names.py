"""Names of API entries in any spelling that people and models use."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence

_CALLS = re.compile(r"\([^()]*\)")
_SEPARATORS = re.compile(r"[:/#]+|\.{2,}")
_FOLDED_AWAY = re.compile(r"[_\-\s]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def clean(name: str) -> str:
    """A spelling without calls and foreign separators: `files().create()` → `files.create`, `S3:Put` → `S3.Put`."""
    text = unicodedata.normalize("NFKC", name).strip().strip("`'\"")
    previous = None
    while previous != text:
        previous, text = text, _CALLS.sub("", text)
    return _SEPARATORS.sub(".", text).strip(".").strip()


def fold(name: str) -> str:
    """The form in which spellings that differ in case and word separators are equal: `put_object` = `PutObject`."""
    folded = unicodedata.normalize("NFKC", _FOLDED_AWAY.sub("", clean(name)).casefold())
    return _SEPARATORS.sub(".", folded).strip(".")  # a part may have been nothing but separators: `_.map`


def tails(name: str) -> Sequence[str]:
    """The last parts of a dotted name, longest first, without the whole: `a.b.c` → `b.c`, `c`."""
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(1, len(parts))]


def snake(name: str) -> str:
    """CamelCase as snake_case: `PutObject` → `put_object`, `GetACLPolicy` → `get_acl_policy`."""
    return _CAMEL.sub("_", name).lower()


def similar(name: str, names: Iterable[str], limit: int = 5) -> Sequence[str]:
    """Names that a misspelt one may have meant, best first; names only, never an answer.

    Compares folded forms, whole and by their last part (Ratcliff/Obershelp, `difflib`). Where no name has an owner
    written before it, what resembles the owner comes first: `PutObjectt.Key` is a slip in `PutObject`.
    """
    wanted = fold(name)
    owner = wanted.rpartition(".")[0]
    last = wanted.rpartition(".")[2]
    by_form: dict[str, list[str]] = {}
    for one in names:
        form = fold(one)
        by_form.setdefault(form, []).append(one)
        by_form.setdefault(form.rpartition(".")[2], []).append(one)
    forms = [
        *(
            difflib.get_close_matches(owner, by_form, limit, 0.8)
            if owner and not any("." in one for one in by_form)
            else ()
        ),
        *difflib.get_close_matches(wanted, by_form, limit, 0.6),
        *difflib.get_close_matches(last, by_form, limit, 0.7),
    ]
    found = dict.fromkeys(one for form in forms for one in sorted(by_form[form]))
    return list(found)[:limit]
