"""Methods of a discovery document to symbols."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from refdesk.domain.symbols import JsonValue, Param, ParamKind, Place, Returns, Symbol
from refdesk.ingest.discovery.client import (
    MEDIA_BODY,
    MEDIA_MIME_TYPE,
    NEXT_PARAMS,
    call,
    chain,
    method_name,
    param_name,
    spellings,
)
from refdesk.ingest.discovery.descriptions import deprecated, markdown, with_values
from refdesk.ingest.discovery.document import Node, flag, flags, node, nodes, text, texts
from refdesk.ingest.discovery.schemas import Schemas, limits_of, scalar_type
from refdesk.ingest.prose import summary

_PAGE_TOKENS = ("pageToken", "nextPageToken")
_KINDS: Mapping[str, ParamKind] = {"path": "path", "query": "query"}


@dataclass(frozen=True, slots=True)
class Api:
    """What methods need to know of the document around them.

    Attributes:
        name: The API's name, as in `build(name, version)`.
        prefix: First part of the ids of its methods; mostly, but not always, the name.
        scopes: OAuth scopes with what they allow.
    """

    name: str
    prefix: str
    base_url: str
    place: Place
    scopes: Mapping[str, str]
    schemas: Schemas


def method_symbols(api: Api, path: Sequence[str], name: str, method: Node, where: str) -> Iterator[Symbol]:
    """The symbol of a method and, where the client adds one, that of its `_next` companion."""
    identifier = text(method, "id", where) or ".".join([api.prefix, *path, name])
    doc = markdown(text(method, "description", where))
    names = spellings(identifier, api.name, path, name)
    if flag(method, "supportsMediaDownload", where):
        names = (*names, *spellings(f"{identifier}_media", api.name, path, f"{name}_media"))
    paging = _paging(api, method, where)
    params = method_params(api, method, where)
    symbol = Symbol(
        identifier,
        "method",
        names,
        summary(doc),
        _with_client_notes(doc, path, name, method, where, paging=bool(paging)),
        call(path, name, params),
        params,
        returns=_returns(api, identifier, method, where),
        deprecation=deprecated(flag(method, "deprecated", where), doc, name),
        place=api.place,
        attributes=_attributes(api, method, where, paging),
    )
    yield symbol
    if paging:
        yield _next_symbol(symbol, api, path, name)


def method_params(api: Api, method: Node, where: str) -> tuple[Param, ...]:
    """Parameters: those with a place in the order first, then the body, the others as in the source, the media."""
    declared = {
        name: _param(name, one, f"{where}.parameters.{name}") for name, one in nodes(method, "parameters", where)
    }
    ordered = [name for name in texts(method, "parameterOrder", where) if name in declared]
    first = [declared.pop(name) for name in dict.fromkeys(ordered)]
    body = _body(api, method, where)
    media = (MEDIA_BODY, MEDIA_MIME_TYPE) if _uploads(method, where) else ()
    return (*first, *body, *declared.values(), *media)


def global_params(document: Node, where: str) -> tuple[Param, ...]:
    """The parameters that every method of the API takes."""
    return tuple(_param(name, one, f"{where}.parameters.{name}") for name, one in nodes(document, "parameters", where))


def _param(name: str, schema: Node, where: str) -> Param:
    plain = markdown(text(schema, "description", where))
    enum = texts(schema, "enum", where)
    doc = with_values(plain, enum, texts(schema, "enumDescriptions", where), flags(schema, "enumDeprecated", where))
    if param_name(name) != name:
        doc = f"{doc}\n\nIn Python: `{param_name(name)}`.".strip()
    kind = scalar_type(schema, where)
    return Param(
        name,
        f"list of {kind}" if flag(schema, "repeated", where) else kind,
        required=flag(schema, "required", where),
        default=text(schema, "default", where) if "default" in schema else None,
        enum=enum,
        limits=limits_of(schema, where),
        doc=doc,
        kind=_KINDS.get(text(schema, "location", where), ""),
        deprecation=deprecated(flag(schema, "deprecated", where), plain, name),
    )


def _body(api: Api, method: Node, where: str) -> tuple[Param, ...]:
    request = node(method, "request", where)
    if not request:
        return ()
    shape = api.schemas.refer(request, f"{text(method, 'id', where)}.request", f"{where}.request")
    found = api.schemas.shapes.get(shape)
    doc = f"The request body. {found.doc if found else ''}".strip()
    return (Param("body", shape, doc=doc, kind="body", shape=shape if found and found.type != "scalar" else ""),)


def _returns(api: Api, identifier: str, method: Node, where: str) -> Returns | None:
    response = node(method, "response", where)
    if not response:
        return None
    shape = api.schemas.refer(response, f"{identifier}.response", f"{where}.response")
    found = api.schemas.shapes.get(shape)
    doc = summary(found.doc) if found else ""
    return Returns(shape, doc, shape if found and found.type != "scalar" else "")


def _attributes(api: Api, method: Node, where: str, paging: dict[str, JsonValue]) -> dict[str, JsonValue]:
    http: dict[str, JsonValue] = {
        "method": text(method, "httpMethod", where),
        "path": text(method, "path", where),
        "flat_path": text(method, "flatPath", where) or text(method, "path", where),
        "base_url": api.base_url,
    }
    found: dict[str, JsonValue] = {"http": http}
    scopes: dict[str, JsonValue] = {one: api.scopes.get(one, "") for one in texts(method, "scopes", where)}
    order: list[JsonValue] = list(texts(method, "parameterOrder", where))
    further: dict[str, JsonValue] = {
        "scopes": scopes,
        "parameter_order": order,
        "media_upload": _media_upload(method, where),
        "media_download": flag(method, "supportsMediaDownload", where),
        "paging": paging,
        "api_version": text(method, "apiVersion", where),
        "supports_subscription": flag(method, "supportsSubscription", where),
    }
    return found | {key: value for key, value in further.items() if value}


def _uploads(method: Node, where: str) -> bool:
    return bool(node(method, "mediaUpload", where))


def _media_upload(method: Node, where: str) -> dict[str, JsonValue]:
    upload = node(method, "mediaUpload", where)
    if not upload:
        return {}
    accept: list[JsonValue] = list(texts(upload, "accept", where))
    protocols: dict[str, JsonValue] = {
        name: text(one, "path", where) for name, one in nodes(upload, "protocols", f"{where}.mediaUpload")
    }
    size = text(upload, "maxSize", where)
    return {"accept": accept, **({"max_size": size} if size else {}), "protocols": protocols}


def _paging(api: Api, method: Node, where: str) -> dict[str, JsonValue]:
    """Which token leads to the next page, by the client's own rule; empty for methods without pages."""
    answered = _page_token(_fields(api, method, "response", where))
    asked = _page_token(node(method, "parameters", where)) or _page_token(_fields(api, method, "request", where))
    return {"request_token": asked, "response_token": answered} if asked and answered else {}


def _fields(api: Api, method: Node, key: str, where: str) -> Node:
    found = node(method, key, where)
    target = text(found, "$ref", where)
    return node(api.schemas.declared.get(target, {}) if target else found, "properties", where)


def _page_token(fields: Node) -> str:
    return next((one for one in _PAGE_TOKENS if one in fields), "")


def _with_client_notes(doc: str, path: Sequence[str], name: str, method: Node, where: str, *, paging: bool) -> str:
    """A description with what the Python client adds to the method."""
    notes = [doc]
    if flag(method, "supportsMediaDownload", where):
        notes.append(
            f"The content itself instead of the metadata: `{chain(path)}.{method_name(f'{name}_media')}(…)`, "
            "with the same parameters."
        )
    if paging:
        notes.append(f"Next page: `{chain(path)}.{method_name(f'{name}_next')}(previous_request, previous_response)`.")
    return "\n\n".join(part for part in notes if part)


def _next_symbol(symbol: Symbol, api: Api, path: Sequence[str], name: str) -> Symbol:
    """The method that the Python client adds to page through results."""
    python = method_name(f"{name}_next")
    doc = (
        f"Makes the request for the next page of results of `{symbol.name}`; returns None after the last page. "
        "Added by the Python client; not a method of the API itself."
    )
    return replace(
        symbol,
        name=f"{symbol.name}_next",
        kind="paginator",
        names=spellings(f"{symbol.name}_next", api.name, path, f"{name}_next"),
        summary=summary(doc),
        doc=doc,
        signature=f"{chain(path)}.{python}(previous_request, previous_response)",
        params=NEXT_PARAMS,
        returns=Returns("HttpRequest | None"),
        attributes={"of": symbol.name, "paging": symbol.attributes["paging"]},
    )
