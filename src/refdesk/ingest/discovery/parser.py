"""One discovery document to the entries of one release."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from refdesk.domain.entries import Entries, Problem, Relation, RelationKind, SourceFiles
from refdesk.domain.names import fold
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import JsonValue, Place, Symbol
from refdesk.ingest.discovery.client import chain, method_name
from refdesk.ingest.discovery.descriptions import deprecated, markdown
from refdesk.ingest.discovery.document import Node, flag, load, node, nodes, text, wrong
from refdesk.ingest.discovery.methods import Api, global_params, method_symbols
from refdesk.ingest.discovery.schemas import Schemas
from refdesk.ingest.prose import summary

_DEEPEST = 30


def parse_discovery(source: SourceFiles) -> Entries:
    """Read a discovery document.

    Symbols are the API itself (kind `resource`, with the parameters that every method takes), its resources, its
    methods, the paging companions that the Python client adds, and its schemas (kind `type`).

    Raises:
        SourceRejected: Not JSON, not UTF-8, or a value of a type that the format does not allow; says where.
    """
    path, document = load(source)
    schemas = Schemas(dict(nodes(document, "schemas", path)))
    schemas.declare_all()
    name = text(document, "name", path) or source.release.library.name
    api = Api(
        name,
        _prefix(document, name, path),
        text(document, "baseUrl", path),
        Place(path, url=text(document, "documentationLink", path)),
        _scopes(document, path),
        schemas,
    )
    tree = _Tree(api)
    top = tree.walk((), document, path)
    symbols = [_api_symbol(api, document, top, path), *tree.symbols]
    taken = {one.name for one in symbols}
    symbols += [
        _type_symbol(api, shape) for key in schemas.declared if (shape := schemas.shapes[key]).name not in taken
    ]
    symbols, repeated = _unique(symbols, path)
    dangling = [
        Problem(path, f"{where} refers to the schema {target}, which the document does not declare.")
        for target, where in sorted(schemas.dangling.items())
    ]
    return Entries(
        symbols=symbols,
        shapes=schemas.shapes,
        relations=_relations(symbols),
        problems=[*source.problems, *dangling, *repeated],
    )


@dataclass(slots=True)
class _Tree:
    """Walks the tree of resources and collects symbols, a resource before its methods."""

    api: Api
    symbols: list[Symbol] = field(default_factory=list)

    def walk(self, path: Sequence[str], resource: Node, where: str) -> tuple[str, ...]:
        """Collect what stands below a resource; returns the names of its direct members."""
        if len(path) > _DEEPEST:
            raise wrong(where, f"nested at most {_DEEPEST} levels deep", resource)
        members: list[str] = []
        beside = node(resource, "methods", where)
        for name, method in nodes(resource, "methods", where):
            found = list(method_symbols(self.api, path, name, method, f"{where}.methods.{name}"))
            self.symbols += found
            members += [one.name for one in found]
        for name, inner in nodes(resource, "resources", where):
            inner_path, inner_where = (*path, name), f"{where}.resources.{name}"
            at = len(self.symbols)
            below = self.walk(inner_path, inner, inner_where)
            symbol = _resource_symbol(
                self.api, inner_path, inner, inner_where, below, self.symbols[at:], frozenset(beside)
            )
            self.symbols.insert(at, symbol)
            members.append(symbol.name)
        return tuple(members)


def _api_symbol(api: Api, document: Node, members: tuple[str, ...], where: str) -> Symbol:
    doc = markdown(text(document, "description", where))
    title, version = text(document, "title", where), text(document, "version", where)
    about = (f"{title} {version}".strip(), doc, "The parameters below are taken by every method.")
    facts: dict[str, JsonValue] = {
        "title": title,
        "revision": text(document, "revision", where),
        "base_url": api.base_url,
        "scopes": dict(api.scopes),
    }
    return Symbol(
        api.name,
        "resource",
        tuple(dict.fromkeys((api.name, api.prefix))),
        summary(doc) or title,
        "\n\n".join(part for part in about if part),
        f'service = googleapiclient.discovery.build("{api.name}", "{version}")',
        global_params(document, where),
        deprecation=deprecated(flag(document, "deprecated", where), doc, title),
        place=api.place,
        members=members,
        attributes={key: value for key, value in facts.items() if value},
    )


def _resource_symbol(
    api: Api,
    path: Sequence[str],
    resource: Node,
    where: str,
    members: tuple[str, ...],
    below: Sequence[Symbol],
    methods_beside: frozenset[str],
) -> Symbol:
    """A resource; one that has the name of a method beside it is written as the call that reaches it."""
    raw, python = ".".join(path), ".".join(method_name(one) for one in path)
    name = f"{api.prefix}.{raw}" if path[-1] not in methods_beside else f"{api.prefix}.{raw}()"
    direct = [one for one in below if one.name in set(members)]
    short = ", ".join(one.name.rpartition(".")[2] for one in direct if one.kind != "paginator")
    return Symbol(
        name,
        "resource",
        tuple(dict.fromkeys((name, f"{api.name}.{raw}", python, raw))),
        summary(f"{path[-1]}: {short}"),
        "\n".join(f"- `{one.name}`{f': {one.summary}' if one.summary else ''}" for one in direct),
        chain(path),
        deprecation=deprecated(flag(resource, "deprecated", where), "", ""),
        place=api.place,
        members=members,
    )


def _type_symbol(api: Api, shape: Shape) -> Symbol:
    return Symbol(
        shape.name,
        "type",
        (shape.name, f"{api.name}.{shape.name}"),
        summary(shape.doc),
        shape.doc,
        input_shape=shape.name if shape.type == "structure" else "",
        deprecation=shape.deprecation,
        place=api.place,
    )


def _prefix(document: Node, name: str, where: str) -> str:
    """What stands before the path of resources in most ids of methods (`directory` in the API `admin`)."""
    seen: Counter[str] = Counter()
    queue: list[tuple[tuple[str, ...], Node, str]] = [((), document, where)]
    while queue:
        path, resource, at = queue.pop()
        for method, one in nodes(resource, "methods", at):
            tail = ".".join(("", *path, method))
            identifier = text(one, "id", f"{at}.methods.{method}")
            if identifier.endswith(tail):
                seen[identifier.removesuffix(tail)] += 1
        if len(path) <= _DEEPEST:
            inner = nodes(resource, "resources", at)
            queue += [((*path, key), one, f"{at}.resources.{key}") for key, one in inner]
    return min(seen, key=lambda one: (-seen[one], one), default="") or name


def _scopes(document: Node, where: str) -> dict[str, str]:
    oauth = node(node(document, "auth", where), "oauth2", f"{where}.auth")
    return {name: text(one, "description", where) for name, one in nodes(oauth, "scopes", f"{where}.auth.oauth2")}


def _unique(symbols: Sequence[Symbol], path: str) -> tuple[list[Symbol], list[Problem]]:
    """Symbols with distinct names, the first of each; the others are told."""
    kept: dict[str, Symbol] = {}
    repeated = []
    for symbol in symbols:
        if symbol.name in kept:
            repeated.append(Problem(path, f"{symbol.name} is declared more than once; the first one is taken."))
        else:
            kept[symbol.name] = symbol
    return list(kept.values()), repeated


def _relations(symbols: Sequence[Symbol]) -> list[Relation]:
    known = {one.name for one in symbols}
    by_spelling: dict[str, str] = {}
    for symbol in symbols:
        for name in symbol.names:
            by_spelling.setdefault(fold(name), symbol.name)
    found: dict[Relation, None] = {}
    for symbol in symbols:
        for kind, target in _links(symbol):
            known_target = target if target in known else by_spelling.get(fold(target), "")
            if known_target and known_target != symbol.name:
                found[Relation(symbol.name, kind, known_target)] = None
    return list(found)


def _links(symbol: Symbol) -> Iterator[tuple[RelationKind, str]]:
    for member in symbol.members:
        yield "member", member
    for param in symbol.params:
        if param.shape:
            yield "parameter_type", param.shape
    if symbol.returns is not None and symbol.returns.shape:
        yield "returns", symbol.returns.shape
    if symbol.deprecation is not None and re.search(r"\w", symbol.deprecation.replacement):
        yield "replaced_by", symbol.deprecation.replacement
