"""A symbol as a page of Markdown: what reading tools show, in the order in which an agent needs it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from refdesk.domain.cutting import LEAST_TOKENS, cut
from refdesk.domain.markdown import close_fences
from refdesk.domain.symbols import Deprecation, Param, Symbol
from refdesk.domain.text import estimate_tokens
from refdesk.services.companions import Companion
from refdesk.services.lookup import ROWS, Detail


@dataclass(frozen=True, slots=True)
class _Brevity:
    """How much of each part is shown: tokens of the description, characters of a parameter's; 0 leaves it out.

    None shows everything.
    """

    doc_tokens: int | None = None
    param: int | None = None
    nested: int | None = None


_MEMBERS = 100
_VALUES = 20
"""Allowed values of a parameter that are listed where descriptions are shortened."""

_LINE_START = re.compile(r"\n(?=[^\n])")
_SHOWN = {"attribute": ("value",), "error": ("code", "fault", "http_status"), "operation": ("service",)}
"""Attributes that stand in the description or the signature, or are the same for every symbol of the release."""

_WHOLE = _Brevity()
_LEVELS = (
    _WHOLE,
    _Brevity(nested=300),
    _Brevity(param=400, nested=120),
    _Brevity(doc_tokens=1_500, param=300, nested=0),
    _Brevity(doc_tokens=800, param=120, nested=0),
    _Brevity(doc_tokens=400, param=0, nested=0),
)


def symbol_markdown(detail: Detail, max_tokens: int | None = None) -> str:
    """Everything about a symbol; what is too much for the budget is shortened, the least important first.

    Names, types, values and the signature stay; descriptions are shortened before anything is left out, and the text
    says how to see them whole.
    """
    text = ""
    for level in _LEVELS:
        text = "\n\n".join(part for part in _parts(detail, level) if part).rstrip() + "\n"
        if max_tokens is None or estimate_tokens(text) <= max_tokens:
            return text
    piece = cut(text, max_tokens or LEAST_TOKENS)
    return f"{piece.text.rstrip()}\n\n[Cut here. get_page with the id of this API reads it whole, in parts.]\n"


def _parts(detail: Detail, level: _Brevity) -> Iterator[str]:
    symbol = detail.symbol
    if detail.focus is not None:
        what = "member of the result, not a parameter" if detail.of_result else "parameter"
        yield f"# {symbol.name}: `{detail.focus.name}` ({what})"
        yield f"- {param_line(detail.focus, None)}"
        yield _param_list(detail, "Members", level)
        yield _deprecation_line(detail.focus.deprecation)
        return
    yield f"# {symbol.name}"
    yield _facts(symbol)
    yield from _signature(symbol, detail.companion)
    yield _doc(symbol, level)
    yield _param_list(detail, "Members" if symbol.kind in ("type", "error") else "Parameters", level)
    yield _returns(detail)
    if symbol.errors:
        yield "## Errors\n\n" + "\n".join(f"- `{one.name}`{_tail(one.doc, level.param)}" for one in symbol.errors)
    yield _members(symbol)
    yield from _attributes(symbol)
    for example in symbol.examples:
        title = f"## Example: {example.title}" if example.title else "## Example"
        yield "\n\n".join(filter(None, (title, example.doc, f"```{example.language}\n{example.code}\n```")))
    yield _documentation(detail, level)
    if level != _WHOLE:
        yield (
            "Descriptions are shortened here. param=NAME shows a parameter whole; get_page with the id of this API"
            " shows everything."
        )
    yield _deprecation_line(symbol.deprecation)


def _signature(symbol: Symbol, companion: Companion | None) -> Iterator[str]:
    """The declaration; of a site's entry that of the package's source, where the package is indexed beside it."""
    language = _signature_language(symbol)
    if companion is not None and companion.role == "source" and companion.symbol.signature:
        label = companion.published.release.label
        yield f"```{language}\n{companion.symbol.signature}\n```"
        if symbol.signature and _words(symbol.signature) != _words(companion.symbol.signature):
            yield f"This signature is that of the source ({label}). The documentation writes:"
            yield f"```{language}\n{symbol.signature}\n```"
        else:
            yield f"The source ({label}) has the same signature."
    elif symbol.signature and symbol.signature != symbol.name:
        yield f"```{language}\n{symbol.signature}\n```"


def _documentation(detail: Detail, level: _Brevity) -> str:
    """What the site of the package says of it; where that is the docstring again, only that it does."""
    companion = detail.companion
    if companion is None or companion.role != "documentation" or not companion.symbol.doc.strip():
        return ""
    named = f"{companion.published.release.label}, {companion.symbol.place.url or companion.symbol.place.path}"
    if _words(companion.symbol.doc) in _words(detail.symbol.doc):
        return f"The documentation ({named}) says the same."
    return f"## From the documentation\n\n{named}\n\n{_doc(companion.symbol, level)}"


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def _doc(symbol: Symbol, level: _Brevity) -> str:
    doc = symbol.doc or symbol.summary
    if level.doc_tokens is None or estimate_tokens(doc) <= level.doc_tokens:
        return doc
    return f"{cut(doc, level.doc_tokens).text.rstrip()}\n\n[…]"


def _facts(symbol: Symbol) -> str:
    facts = [f"Kind: {symbol.kind}"]
    if len(symbol.names) > 1:
        facts.append(f"Also: {', '.join(f'`{name}`' for name in symbol.names[1:8])}")
    if symbol.since:
        facts.append(f"Since: {symbol.since}")
    if symbol.deprecation:
        facts.append("**Deprecated**")
    return " · ".join(facts)


def _signature_language(symbol: Symbol) -> str:
    stated = symbol.attributes.get("language")
    if isinstance(stated, str):
        return stated
    return "" if symbol.kind in ("type", "error", "resource", "waiter", "paginator", "module") else "python"


def param_line(param: Param, characters: int | None) -> str:
    """One parameter: name, type, whether required, default, values, limits, and so many characters of its meaning."""
    facts = [param.type or "any"]
    if param.required:
        facts.append("required")
    if param.default is not None:
        facts.append(f"default `{param.default}`")
    if param.kind:
        facts.append(param.kind.replace("_", "-"))
    if param.since:
        facts.append(f"since {param.since}")
    if param.deprecation:
        facts.append("deprecated")
    line = f"`{param.name}` ({', '.join(facts)})"
    if param.enum:
        shown = param.enum if characters is None else param.enum[:_VALUES]
        more = f" and {len(param.enum) - len(shown)} more" if len(param.enum) > len(shown) else ""
        line += " one of " + ", ".join(f"`{value}`" for value in shown) + more
    limits = ", ".join(
        key if value is True else f"{key} `{value}`" if isinstance(value, str) else f"{key} {_value(value)}"
        for key, value in param.limits.items()
        if value is not None and not (key == "format" and f"({value})" in param.type)
    )
    if limits:
        line += f" [{limits}]"
    return line + _tail(param.doc, characters)


def _tail(doc: str, characters: int | None = None) -> str:
    """A description behind a dash: whole, or its first paragraph to so many characters."""
    if not doc or characters == 0:
        return ""
    if characters is not None:
        first = doc.split("\n\n", 1)[0]
        shortened = first if len(first) <= characters else first[:characters].rpartition(" ")[0] + " …"
        doc = close_fences(shortened)
    return " — " + _LINE_START.sub("\n  ", doc.strip())


def _param_list(detail: Detail, title: str, level: _Brevity) -> str:
    if not detail.params:
        return ""
    top = detail.focus.name.count(".") + 1 if detail.focus else 0
    lines = [
        f"- {param_line(param, level.nested if param.name.count('.') > top else level.param)}"
        for param in detail.params
    ]
    text = f"## {title}\n\n" + "\n".join(lines)
    if detail.cut:
        text += (
            f"\n\nThis list is cut at {ROWS} rows; deeper members exist. Ask again with param=PATH"
            " (a name above) for the members of one parameter."
        )
    return text


def _returns(detail: Detail) -> str:
    symbol = detail.symbol
    if symbol.returns is None:
        return ""
    text = f"## Returns\n\n`{symbol.returns.type}`" if symbol.returns.type else "## Returns\n"
    text += _tail(symbol.returns.doc)
    shape = detail.chosen.pack.entries.shape(symbol.returns.shape) if symbol.returns.shape else None
    if shape is not None and shape.members:
        names = ", ".join(f"`{member.name}`" for member in shape.members[:_MEMBERS])
        text += f"\n\nMembers: {names}; the API `{shape.name}` describes them."
    return text


def _members(symbol: Symbol) -> str:
    """Names of the members, but for those that the description already names."""
    names = [name for name in symbol.members if f"`{name}`" not in symbol.doc]
    if not names:
        return ""
    # A member's name begins with its owner's, which stands above; only what differs is worth its tokens.
    shown = [name[len(symbol.name) :] if name.startswith(f"{symbol.name}.") else name for name in names[:_MEMBERS]]
    more = f" and {len(names) - _MEMBERS} more (list_apis with prefix)" if len(names) > _MEMBERS else ""
    return "## Members\n\n" + ", ".join(f"`{name}`" for name in shown) + more


def _attributes(symbol: Symbol) -> Iterator[str]:
    """Further facts as they are; those that other parts already show are left out."""
    facts = {
        key: value
        for key, value in sorted(symbol.attributes.items())
        if key not in ("language", *_SHOWN.get(symbol.kind, ()))
    }
    overloads = facts.pop("overloads", None)
    if isinstance(overloads, list):
        yield f"## Overloads\n\n```{_signature_language(symbol)}\n" + "\n".join(map(str, overloads)) + "\n```"
    lines = [f"- {key.replace('_', ' ')}: {_value(value)}" for key, value in facts.items()]
    if lines:
        yield "## More\n\n" + "\n".join(lines)


def _value(value: object) -> str:
    match value:
        case dict():
            return ", ".join(f"{key} `{_value(inner)}`" for key, inner in value.items())
        case list():
            return ", ".join(_value(inner) for inner in value)
        case _:
            return str(value)


def _deprecation_line(deprecation: Deprecation | None) -> str:
    if deprecation is None:
        return ""
    return deprecation_hint(deprecation.since, deprecation.replacement, deprecation.note, deprecation.evidence)


def deprecation_hint(since: str, replacement: str, note: str, evidence: str) -> str:
    """The last line of an answer on a deprecated entry: `Deprecated since …: use …`."""
    when = f" since {since}" if since else ""
    use = f": use {replacement}" if replacement else ""
    said = f" {' '.join(note.split())}" if note and not use else ""
    return f"**Deprecated{when}{use}.**{said} (evidence: {evidence})"
