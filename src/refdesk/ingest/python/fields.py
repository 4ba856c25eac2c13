"""Field lists of Sphinx docstrings: `:param str name: ...`, `:keyword`, `:ivar`, `:rtype:`, `:raises X:`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import dedent

_FIELD = re.compile(
    r"\s{0,8}:(?P<kind>[a-z]+)(?:\s+(?P<argument>[^:\n]*(?::(?!\s|\Z)[^:\n]*)*))?:(?:\s+(?P<text>.*))?\Z"
)
_KINDS = {
    "param": "param", "parameter": "param", "arg": "param", "argument": "param",
    "key": "keyword", "keyword": "keyword", "kwarg": "keyword", "kwparam": "keyword",
    "type": "type", "paramtype": "type", "kwtype": "type", "keywordtype": "type",
    "var": "attribute", "ivar": "attribute", "cvar": "attribute", "vartype": "vartype", "ivartype": "vartype",
    "return": "returns", "returns": "returns", "rtype": "rtype", "yield": "returns", "yields": "returns",
    "raise": "raises", "raises": "raises", "except": "raises", "exception": "raises",
    "meta": "", "todo": "", "version": "", "author": "", "ytype": "rtype",
}  # fmt: skip
_SIGN = re.compile(
    r"^\s*:(?:param|parameter|arg|key|keyword|ivar|var|cvar|returns?|rtype|raises?|type)\b[^\n]*:", re.MULTILINE
)


@dataclass(slots=True)
class Field:
    """One documented parameter or attribute; texts as in the source, without common indentation."""

    name: str
    type: str = ""
    text: str = ""
    keyword: bool = False


@dataclass(slots=True)
class Fields:
    """What a field list says.

    Attributes:
        prose: Text that stands outside of the fields.
    """

    prose: str = ""
    params: dict[str, Field] = field(default_factory=dict)
    attributes: dict[str, Field] = field(default_factory=dict)
    returns: str = ""
    return_type: str = ""
    raises: list[tuple[str, str]] = field(default_factory=list)


def has_fields(text: str) -> bool:
    """Whether a docstring uses Sphinx' field lists."""
    return _SIGN.search(text) is not None


def read_fields(text: str) -> Fields:
    """Read the field list of a docstring.

    A field goes on until a line that is not indented more than it (Sphinx' rule), except that text which follows
    after an empty line without indentation is prose again.
    """
    found = Fields()
    prose: list[str] = []
    types: dict[str, str] = {}
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        match = _FIELD.match(lines[at])
        kind = _KINDS.get(match["kind"]) if match else None
        if match is None or kind is None:
            prose.append(lines[at])
            at += 1
            continue
        end = _end(lines, at)
        value = _value(match["text"] or "", lines[at + 1 : end])
        _note(found, types, kind, (match["argument"] or "").strip(), value)
        at = end
    for name, stated in types.items():
        for group in (found.params, found.attributes):
            if name in group and not group[name].type:
                group[name].type = stated
        if name not in found.params and name not in found.attributes:
            found.params[name] = Field(name, stated)
    found.prose = "\n".join(prose).strip("\n")
    return found


def _end(lines: Sequence[str], at: int) -> int:
    """Where the field that begins at `at` ends."""
    indent = _indent(lines[at])
    end = at + 1
    blank = False
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            blank = True
        elif _indent(line) <= indent and (blank or line.lstrip().startswith(".. ") or _is_field(line)):
            break
        end += 1
    return end


def _is_field(line: str) -> bool:
    match = _FIELD.match(line)
    return match is not None and match["kind"] in _KINDS


def _value(first: str, rest: Sequence[str]) -> str:
    return "\n".join([first.strip(), *dedent("\n".join(rest)).split("\n")]).strip()


def _note(found: Fields, types: dict[str, str], kind: str, argument: str, value: str) -> None:
    stated, name = _split(argument)
    if kind in ("param", "keyword") and name:
        found.params.setdefault(name, Field(name, stated, value, kind == "keyword"))
    elif kind == "attribute" and name:
        found.attributes.setdefault(name, Field(name, stated, value))
    elif kind in ("type", "vartype") and name:
        types[name] = " ".join(value.split())
    elif kind == "returns":
        found.returns = found.returns or value
    elif kind == "rtype":
        found.return_type = " ".join(value.partition("\n\n")[0].split())
    elif kind == "raises":
        names = [one.strip(" ,:") for one in re.split(r"\s+or\s+|,\s*", argument)]
        found.raises += [(one, value) for one in names if one]


def _split(argument: str) -> tuple[str, str]:
    """Type and name of `str or None name`; the name is the last word."""
    stated, _, name = argument.rpartition(" ")
    return stated.strip(), name.strip().strip("*`").replace("\\", "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
