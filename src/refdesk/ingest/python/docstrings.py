"""Docstrings in Google, NumPy and Sphinx style, taken apart; their texts as Markdown."""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from inspect import cleandoc
from typing import Any

import griffe

from refdesk.domain.symbols import Deprecation, Example
from refdesk.ingest.fences import fenced, guess_language
from refdesk.ingest.prose import deprecation, deprecation_from_note
from refdesk.ingest.python.fields import Field, has_fields, read_fields
from refdesk.ingest.restructured.inline import inline
from refdesk.ingest.restructured.mixed import to_markdown

_SECTION = re.compile(r"\n[^\n]+\n(?:={4,}|-{4,}|~{4,})[ ]*(?:\n|\Z)")
_CHANGE = re.compile(
    r"^\.\. (?P<kind>versionadded|deprecated)::[ ]*(?P<version>[^\s:]*)"
    r"(?P<rest>[^\n]*(?:\n(?:[ ]+[^\n]*|(?=\n[ ]+\S)))*)",
    re.MULTILINE,
)
_ADDED = re.compile(
    r"(?:^|\n)[ \t]*[*_(\[]*(?:New|Added) (?:in|since)(?: (?:version|release))? v?(?P<version>\d[\w.]*\w)"
    r"[.)\]*_]*[ \t]*(?:\n|\Z)",
    re.IGNORECASE,
)
_ABOUT_A_VALUE = re.compile(
    r"(?:The )?(?:default|string|values?)\b|Not passing |(?!Nothing|During)[A-Z][a-z]+ing |(?:Use of|Support for) "
)
"""A directive whose first words are about a value or a way of using something leaves the thing itself alone."""

_SUBJECT = re.compile(r"(?:The )?(?::\w+:)?(?:\*{1,2}|`{1,2}~?)(?P<name>[\w.]+)(?:\(\))?[*`]")
_ABOUT_ALL = re.compile(
    r"\s*(?:\Z|This (?:was|is|has|keyword|parameter|option|argument|method|function|class)\b)", re.IGNORECASE
)
_ABOUT_A_PART = re.compile(r"\b(?:parameters?|arguments?|keywords?|options?|values?|passing|kwargs?)\b", re.IGNORECASE)
_DEFAULT = re.compile(
    r"\bdefaults?(?:\s+values?)?(?:\s*[:=]|\s+(?:is|are|to|of|will be|being)\b)(?:\s+set to)?\s*"
    r"(?P<value>``?[^`]+``?|'[^']*'|\"[^\"]*\"|[^\s,;()]+(?:\([^()]*\))?)",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"(?:True|False|None|-?\d[\d_.]*(?:\s*[*+-]+\s*\d+)*|-?\d[\d_.]*[A-Za-z%]*|'[^']*'|\"[^\"]*\""
    r"|(?=\w*[A-Z_])[A-Za-z_][\w.-]*(?:\([^()]*\))?|[\[{(].*[\])}])\Z"
)
_BOLD_HEADING = re.compile(r"\*\*(?:Parameters|Arguments)[:*]+\Z")
_BOLD_ITEM = re.compile(r"[*-] \*\*(?P<name>\w+)\*\* *[-:\u2013]+ *(?P<text>.*)\Z")
_OPTIONAL = re.compile(r"\A[*_]*\(optional\)[*_]*[ :.]*", re.IGNORECASE)
_QUOTED = re.compile(r"['\"]([^'\"]*)['\"]")
_CHOICES = re.compile(r"\{?(?:'[^']*'|\"[^\"]*\")(?:, *(?:'[^']*'|\"[^\"]*\"))+\}?")
_SEE_ALSO = re.compile(r"^(?P<names>[\w.,`~: ]+?) ?: (?P<text>\S.*)|^(?P<bare>[\w.`]+(?:, *[\w.`]+)*)$")
_CALL_OUTS = ("note", "warning", "tip", "important", "caution", "danger", "hint", "attention", "error", "info", "todo")
_FENCED = re.compile(
    r"^(?P<fence>`{3,})(?P<language>[\w-]*)[^\n]*\n(?P<code>.*?)\n?^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL
)
GAP_ENTRY = "__missing__"
"""Stands on a line of its own where a docstring has a part that is only known at run time."""

_GAP_LINE = re.compile(rf"\n*^[> ]*{GAP_ENTRY}$\n*", re.MULTILINE)
_NUMPY = re.compile(r"^(?:Examples|Notes|See Also|References)[ ]*\n-{3,}[ ]*$", re.MULTILINE)
"""Sections by which griffe does not tell NumPy's style."""

_PARSERS: Mapping[str, Mapping[str, Any]] = {
    "google": {"returns_named_value": False, "returns_multiple_items": False, "warnings": False},
    "numpy": {"trim_doctest_flags": False, "warnings": False},
}


@dataclass(frozen=True, slots=True)
class Documented:
    """One documented parameter or attribute, its text as Markdown.

    Attributes:
        default: The default that the text states; empty if it states none.
        keyword: Whether the docstring calls it a keyword argument.
    """

    name: str
    type: str = ""
    doc: str = ""
    default: str = ""
    since: str = ""
    keyword: bool = False
    enum: tuple[str, ...] = ()
    deprecation: Deprecation | None = None


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring taken apart; texts as Markdown."""

    text: str = ""
    params: Mapping[str, Documented] = field(default_factory=dict)
    attributes: Mapping[str, Documented] = field(default_factory=dict)
    returns: tuple[str, str] = ("", "")
    raises: tuple[tuple[str, str], ...] = ()
    examples: tuple[Example, ...] = ()
    since: str = ""
    deprecation: Deprecation | None = None


@lru_cache(maxsize=1024)
def parse_docstring(value: str, subject: str = "") -> Docstring:
    """Take a docstring apart by the style that it is written in.

    Args:
        value: The docstring.
        subject: Name of what it describes, for sentences such as "`name` is deprecated."
    """
    text = cleandoc(value).strip()
    bold, text = _bold_parameters(text)
    found = _sphinx(text) if has_fields(text) else _sections(text)
    stated = _stated_deprecation(text, found.text, subject)
    params = {**bold, **found.params}
    for name, deprecated in _stated_of_parts(text).items() if ".. deprecated::" in text else ():
        if name in params and params[name].deprecation is None:
            params[name] = replace(params[name], deprecation=deprecated)
    if GAP_ENTRY in text:
        params = {name: _closed(one) for name, one in params.items() if name != GAP_ENTRY}
        found = replace(found, text=_close(found.text), returns=(found.returns[0], _close(found.returns[1])))
    return replace(found, params=params, since=found.since or _since(text), deprecation=stated)


def module_deprecation(value: str, subject: str) -> Deprecation | None:
    """What a module's docstring says of the module itself: sections further down speak of what the module holds."""
    text = cleandoc(value)
    section = _SECTION.search(text, max(text.find("\n\n"), 0))
    return parse_docstring(text[: section.start()] if section else text, subject).deprecation


def _closed(one: Documented) -> Documented:
    return replace(one, doc=_close(one.doc))


def _close(text: str) -> str:
    """A text without the lines that stand for missing parts."""
    return _GAP_LINE.sub("\n\n", text).replace(GAP_ENTRY, "").strip()


def stated_default(text: str) -> str:
    """The default that a description states ("Defaults to 30.", "The default is False."); empty if none."""
    for match in _DEFAULT.finditer(text):
        value = match["value"].strip()
        if value.startswith("`"):
            return value.strip("`").strip()
        if value[0] not in "'\"":
            value = value.rstrip(".:")
        if _VALUE.match(value):
            return value
    return ""


def type_text(text: str) -> str:
    """A type as a docstring writes it, without the marks of Sphinx."""
    text = re.sub(r":[\w:]+:`[~!]?([^`<]+?)(?:\s*<[^>]+>)?`", r"\1", " ".join(text.split()))
    return re.sub(r"(?<![\w])[~!](?=[A-Za-z_])", "", text.replace("``", "").replace("`", ""))


def _bold_parameters(text: str) -> tuple[dict[str, Documented], str]:
    """Parameters that are a list below a bold word (httpx writes so), and the text without it."""
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if _BOLD_HEADING.match(line)), len(lines))
    items: list[tuple[str, list[str]]] = []
    at = start + 1
    while at < len(lines):
        match = _BOLD_ITEM.match(lines[at])
        if match is not None:
            items.append((match["name"], [match["text"]]))
        elif items and (not lines[at].strip() or lines[at - 1].strip() or lines[at].startswith(" ")):
            items[-1][1].append(lines[at])
        elif lines[at].strip():
            break
        at += 1
    if not items:
        return {}, text
    found = {name: _documented(Field(name, "", _OPTIONAL.sub("", cleandoc("\n".join(said))))) for name, said in items}
    return found, "\n".join([*lines[:start], *lines[at:]]).strip()


def _sphinx(text: str) -> Docstring:
    fields = read_fields(text)
    if (
        "\nReturns:\n" in f"\n{fields.prose}"
        or "\nRaises:\n" in f"\n{fields.prose}"
        or "\nArgs:\n" in f"\n{fields.prose}"
    ):
        rest = _sections(fields.prose)
    else:
        rest = Docstring(to_markdown(fields.prose))
    returned = (type_text(fields.return_type), to_markdown(fields.returns))
    return Docstring(
        text=rest.text,
        params={**rest.params, **{name: _documented(one) for name, one in fields.params.items()}},
        attributes={name: _documented(one) for name, one in fields.attributes.items()},
        returns=returned if any(returned) else rest.returns,
        raises=(*((type_text(name), to_markdown(said)) for name, said in fields.raises), *rest.raises),
        examples=rest.examples,
        since=_added(fields.prose),
    )


def _sections(text: str) -> Docstring:
    """Google and NumPy style, by griffe's parsers; text in another style is all prose."""
    docstring = griffe.Docstring(text)
    style, _ = griffe.infer_docstring_style(docstring, style_order=[griffe.Parser.numpy, griffe.Parser.google])
    if style is None and _NUMPY.search(text):
        style = griffe.Parser.numpy
    if style is None:
        return Docstring(to_markdown(text), since=_added(text))
    with warnings.catch_warnings():
        # Types in docstrings are compiled; invalid escapes in them are no concern of ours.
        warnings.simplefilter("ignore")
        sections = docstring.parse(style, **_PARSERS[style.value])
    return _from_sections(sections)


def _from_sections(sections: Sequence[griffe.DocstringSection]) -> Docstring:
    texts: list[str] = []
    groups: dict[str, dict[str, Documented]] = {"params": {}, "attributes": {}}
    returned = ("", "")
    raised: list[tuple[str, str]] = []
    examples: list[Example] = []
    since = ""
    for section in sections:
        kind = section.kind.value
        if kind in ("parameters", "other parameters", "attributes"):
            group = groups["attributes" if kind == "attributes" else "params"]
            group.update({one.name: one for item in section.value for one in _items(item)})
        elif kind in ("returns", "yields") and not any(returned):
            returned = _returned(section.value)
        elif kind == "raises":
            raised += [
                (type_text(str(one.annotation or "")), to_markdown(cleandoc(one.description))) for one in section.value
            ]
        elif kind == "examples":
            examples += _examples(section.value)
        elif kind == "admonition" and section.value.kind in ("example", "examples"):
            examples += _code(section.value.contents, always=True)
        else:
            since = since or _added(section.value if kind == "text" else "")
            texts.append(_prose(section))
    return Docstring(
        "\n\n".join(one for one in texts if one), groups["params"], groups["attributes"], returned,
        tuple(raised), tuple(examples), since,
    )  # fmt: skip


def _items(item: Any) -> Iterator[Documented]:  # noqa: ANN401  # griffe's elements have no common type
    stated = type_text(str(item.annotation or ""))
    stated = re.sub(r",?\s*\(?\boptional\b\)?", "", stated).strip(" ,")
    parts = re.match(r"(?P<type>.*?),?\s*\bdefaults?\b(?:\s*[:=]|\s+to)?\s*(?P<default>\S.*)\Z", stated)
    default = str(item.value or "") if item.value is not None else ""
    if parts is not None:
        stated, default = parts["type"].strip(), parts["default"].strip()
    enum = tuple(_QUOTED.findall(stated)) if _CHOICES.fullmatch(stated) else ()
    if enum:
        stated = "{" + stated.strip("{}") + "}"
    for name in item.name.split(","):
        plain = name.strip().lstrip("*").replace("\\", "")
        one = _documented(Field(plain, stated, item.description))
        yield replace(one, default=default or one.default, enum=enum)


def _documented(one: Field) -> Documented:
    added = _added(one.text) or _since(one.text)
    body = to_markdown(cleandoc(one.text))
    directive = _directive(one.text, "deprecated")
    if directive and _ABOUT_A_VALUE.match(" ".join(directive[1].split())):
        directive = None
    stated = _from_directive(directive) if directive else deprecation(_without_changes(one.text, body))
    return Documented(
        one.name, type_text(one.type), body, stated_default(one.text), added, one.keyword, deprecation=stated
    )


def _returned(items: Sequence[Any]) -> tuple[str, str]:
    if len(items) == 1:
        name = getattr(items[0], "name", "") or ""
        stated = str(items[0].annotation or "")
        description = cleandoc(items[0].description)
        return type_text(stated), to_markdown(f"`{name}`: {description}" if name else description)
    lines = [f"- {_named_return(one)}" for one in items]
    return "", "\n".join(lines)


def _named_return(item: Any) -> str:  # noqa: ANN401  # griffe's elements have no common type
    name, stated = getattr(item, "name", ""), str(item.annotation or "")
    head = f"`{name or stated}`" if name or stated else ""
    if name and stated:
        head += f" ({stated})"
    body = " ".join(to_markdown(cleandoc(item.description)).split("\n"))
    return f"{head}: {body}" if head and body else head or body


def _examples(value: Sequence[tuple[Any, str]]) -> Iterator[Example]:
    said: list[str] = []
    for kind, text in value:
        if kind.value == "examples":
            yield Example(text.strip("\n"), "pycon" if ">>>" in text else guess_language(text), doc="\n\n".join(said))
            said = []
            continue
        for example in _code(text):
            if example.code:
                yield replace(example, doc="\n\n".join([*said, *([example.doc] if example.doc else [])]))
                said = []
            elif example.doc:
                said.append(example.doc)


def _code(text: str, *, always: bool = False) -> list[Example]:
    """Blocks of code in the text of an example, each with the words before it."""
    markdown = to_markdown(text)
    found: list[Example] = []
    start = 0
    for match in _FENCED.finditer(markdown):
        found.append(Example(match["code"], match["language"], doc=markdown[start : match.start()].strip()))
        start = match.end()
    if not found and always:
        return [Example(cleandoc(text).strip("\n"), guess_language(text))]
    rest = markdown[start:].strip()
    return [*found, Example("", doc=rest)] if rest else found


def _prose(section: griffe.DocstringSection) -> str:
    value = section.value
    if isinstance(value, str):
        return to_markdown(value)
    if section.kind.value == "admonition":
        kind, contents = str(value.kind), value.contents
        title = section.title or kind.replace("-", " ").capitalize()
        if kind in _CALL_OUTS and title != "Notes":
            lines = to_markdown(contents).split("\n")
            return "\n".join([f"> **{title}:** {lines[0]}".rstrip(), *(f"> {line}".rstrip() for line in lines[1:])])
        if kind == "see-also":
            return f"**{title}:**\n\n{_see_also(contents)}"
        language = guess_language(contents) if "\n" in contents or "(" in contents else ""
        body = fenced(cleandoc(contents), language) if language else to_markdown(contents)
        return f"**{inline(title)}:**\n\n{body}"
    if section.kind.value == "deprecated":
        return f"> **Deprecated since version {value.version}:** {to_markdown(value.description)}"
    items = (
        [_named_return(one) for one in value] if isinstance(value, list) and hasattr(value[0], "description") else []
    )
    title = section.title or section.kind.value.capitalize()
    return "\n".join([f"**{title}:**", "", *(f"- {item}" for item in items)]) if items else ""


def _see_also(contents: str) -> str:
    """NumPy's list of related names: `name : what it is`, one below the other."""
    lines: list[str] = []
    for line in cleandoc(contents).split("\n"):
        match = _SEE_ALSO.match(line)
        if match is None:
            lines.append(f"  {inline(line.strip())}" if line.strip() else "")
        elif match["bare"]:
            lines.append(f"- `{match['bare'].strip()}`")
        else:
            names = inline(match["names"].strip())
            lines.append(f"- {names if '`' in names else f'`{names}`'}: {inline(match['text'])}")
    return "\n".join(lines)


def _stated_deprecation(text: str, prose: str, subject: str) -> Deprecation | None:
    for match in _CHANGE.finditer(text):
        said = _first_sentence(match["rest"])
        if match["kind"] != "deprecated" or _ABOUT_A_PART.search(said) or _ABOUT_A_VALUE.match(said):
            continue
        if not _subject(said) or _subject(said) == subject.rpartition(".")[2]:
            return _from_directive((match["version"], match["rest"]))
    section = re.search(r"(?:^|\n)Deprecated[ ]*\n-{3,}\n(?P<body>(?:[^\n]+\n?)*)", text)
    if section is not None:
        return deprecation_from_note(" ".join(section["body"].split()), "directive")
    return deprecation(_without_changes(text, prose), subject)


def _stated_of_parts(text: str) -> dict[str, Deprecation]:
    """Name → deprecation, for directives below the text that speak of one parameter by its name."""
    found: dict[str, Deprecation] = {}
    for match in _CHANGE.finditer(text):
        said = _first_sentence(match["rest"])
        if match["kind"] == "deprecated" and _subject(said) and not _ABOUT_A_VALUE.match(said):
            found[_subject(said)] = _from_directive((match["version"], match["rest"]))
    return found


def _subject(said: str) -> str:
    """The name that a sentence begins with: "*hash* is deprecated ..."; empty if it begins otherwise."""
    match = _SUBJECT.match(said)
    return match["name"].rpartition(".")[2] if match else ""


def _without_changes(text: str, markdown: str) -> str:
    """The Markdown of a text, without what its directives about versions became: those have been read already."""
    if ".. deprecated::" not in text:
        return markdown
    return re.sub(r"^[ ]*> \*\*Deprecated since[^\n]*(?:\n[ ]*>[^\n]*)*", "", markdown, flags=re.MULTILINE)


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0]


def _from_directive(found: tuple[str, str]) -> Deprecation:
    version, rest = found
    note = inline(" ".join(rest.split()))
    stated = deprecation_from_note(note, "directive")
    instead = stated.replacement.strip("*")
    return replace(stated, since=version.strip("*:,. ") or stated.since, replacement=instead)


def _directive(text: str, kind: str) -> tuple[str, str] | None:
    for match in _CHANGE.finditer(text):
        if match["kind"] == kind:
            return match["version"], match["rest"]
    return None


def _added(text: str) -> str:
    """Version of a `versionadded` directive that speaks of the whole thing, not of one value or behaviour of it."""
    for match in _CHANGE.finditer(text):
        if match["kind"] == "versionadded" and _ABOUT_ALL.match(match["rest"]):
            return match["version"].rstrip(":.,")
    return ""


def _since(text: str) -> str:
    match = _ADDED.search(text)
    return match["version"] if match else ""
