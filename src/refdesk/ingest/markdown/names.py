"""Names of APIs in headings, terms and code."""

import re

_API_NAME = re.compile(
    r"(?<![\w@/.-])(?:--?[A-Za-z][\w-]*|@?[A-Za-z_$][\w$]*(?:(?:\.|::|/)[A-Za-z_$][\w$]*)+(?:\(\))?"
    r"|[A-Za-z_$][\w$]*\(\)|[A-Za-z]\w*_\w+|_\w+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+)(?![\w])"
)
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_CALL = re.compile(r"(?P<name>@?[\w.$:/-]*[\w$])\s*\(.*\)?\Z", re.DOTALL)
_PREFIXES = re.compile(
    r"\A(?:(?:class|def|async|function|static|const|abstract|classmethod|property|func|fn|type|new)\s+)+"
)
_ID = re.compile(r"\s*\{#[^\s{}]*\}\s*\Z")
_LONGEST = 100


def api_names(heading: str) -> tuple[str, ...]:
    """Identifiers in a heading as written: code spans that are names, words that look like parts of an API."""
    heading = _ID.sub("", heading) if heading.endswith("}") else heading
    names = [name for match in _CODE.finditer(heading) if (name := name_in(match[2]))] if "`" in heading else []
    rest = _CODE.sub(" ", heading) if names or "`" in heading else heading
    names += [match.group().removesuffix("()") for match in _API_NAME.finditer(rest)]
    return tuple(dict.fromkeys(names))


def name_in(code: str) -> str:
    """The name that a code span calls or declares, without arguments; empty if it is none."""
    code = _PREFIXES.sub("", code.strip())
    call = _CALL.match(code)
    name = (call["name"] if call else code.split(" ")[0].rstrip(":,")).strip("'\"")
    return name if len(name) <= _LONGEST and re.search(r"[^\W\d]", name) else ""
