"""A symbol as a page of Markdown: what reading tools show, in the order in which an agent needs it."""

from collections.abc import Iterator

from refdesk.domain.symbols import Deprecation, Param, Symbol
from refdesk.services.lookup import ROWS, Detail


def symbol_markdown(detail: Detail) -> str:
    """Everything about a symbol; parameters as a list, nested ones indented by their path."""
    return "\n\n".join(part for part in _parts(detail) if part).rstrip() + "\n"


def _parts(detail: Detail) -> Iterator[str]:
    symbol = detail.symbol
    if detail.focus is not None:
        yield f"# {symbol.name}: parameter {detail.focus.name}"
        yield param_line(detail.focus, brief=False)
        yield _param_list(detail, "Members")
        yield _deprecation_line(detail.focus.deprecation)
        return
    yield f"# {symbol.name}"
    yield _facts(symbol)
    if symbol.signature:
        yield f"```{_signature_language(symbol)}\n{symbol.signature}\n```"
    yield symbol.doc or symbol.summary
    yield _param_list(detail, "Parameters")
    yield _returns(symbol)
    if symbol.errors:
        yield "## Errors\n\n" + "\n".join(f"- `{one.name}`{_tail(one.doc)}" for one in symbol.errors)
    if symbol.members:
        yield _members(symbol)
    yield from _attributes(symbol)
    for example in symbol.examples:
        title = f"## Example: {example.title}" if example.title else "## Example"
        yield "\n\n".join(filter(None, (title, example.doc, f"```{example.language}\n{example.code}\n```")))
    yield _deprecation_line(symbol.deprecation)


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
    return "" if symbol.kind in ("type", "error", "resource", "waiter", "paginator", "module") else "python"


def param_line(param: Param, *, brief: bool) -> str:
    """One parameter: name, type, whether required, default, values, limits, meaning."""
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
        line += " one of " + ", ".join(f"`{value}`" for value in param.enum)
    limits = ", ".join(f"{key} {value}" for key, value in param.limits.items() if value not in (True, None))
    if limits:
        line += f" [{limits}]"
    return line + _tail(param.doc, brief=brief)


def _tail(doc: str, *, brief: bool = False) -> str:
    """A description behind a dash on one line; whole paragraphs are kept unless brief."""
    if not doc:
        return ""
    if brief:
        doc = doc.split("\n\n", 1)[0]
    return " — " + doc.strip().replace("\n", "\n  ")


def _param_list(detail: Detail, title: str) -> str:
    if not detail.params:
        return ""
    lines = [f"- {param_line(param, brief='.' in param.name)}" for param in detail.params]
    text = f"## {title}\n\n" + "\n".join(lines)
    if detail.cut:
        text += (
            f"\n\nThis list is cut at {ROWS} rows; deeper members exist. Ask again with param=PATH"
            " (a name above) for the members of one parameter."
        )
    return text


def _returns(symbol: Symbol) -> str:
    if symbol.returns is None:
        return ""
    text = f"## Returns\n\n`{symbol.returns.type}`" if symbol.returns.type else "## Returns\n"
    text += _tail(symbol.returns.doc)
    if symbol.returns.shape:
        text += f"\n\nIts members: ask for the API `{symbol.returns.shape}`."
    return text


def _members(symbol: Symbol) -> str:
    shown = symbol.members[:100]
    more = f"\n- … and {len(symbol.members) - 100} more (list_apis with prefix)" if len(symbol.members) > 100 else ""
    return "## Members\n\n" + "\n".join(f"- `{name}`" for name in shown) + more


def _attributes(symbol: Symbol) -> Iterator[str]:
    """Further facts as they are; those that other parts already show are left out."""
    lines = [f"- {key.replace('_', ' ')}: {_value(value)}" for key, value in sorted(symbol.attributes.items())]
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
    return deprecation_hint(deprecation)


def deprecation_hint(deprecation: Deprecation) -> str:
    """The last line of an answer on a deprecated entry: `Deprecated since …: use …`."""
    since = f" since {deprecation.since}" if deprecation.since else ""
    use = f": use {deprecation.replacement}" if deprecation.replacement else ""
    note = f" {deprecation.note.strip()}" if deprecation.note and not use else ""
    return f"**Deprecated{since}{use}.**{note} (evidence: {deprecation.evidence})"
