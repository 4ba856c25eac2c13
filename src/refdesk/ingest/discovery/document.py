"""Reading a discovery document without trusting it: every access checks the type and says where it went wrong.

Format: Google API Discovery Service, "Discovery Document" (type `discovery#restDescription`); unknown keys are ignored.
"""

import re
from collections.abc import Iterator, Mapping
from typing import cast

import orjson

from refdesk.domain.entries import SourceFiles
from refdesk.domain.errors import SourceRejected

Node = Mapping[str, object]


def load(source: SourceFiles) -> tuple[str, Node]:
    """The document of a release and its path.

    Raises:
        SourceRejected: Not exactly one file, not UTF-8, not JSON, or not an object; the message says where.
    """
    if len(source.files) != 1:
        raise SourceRejected(
            f"{source.release.label} is made from one discovery document, not from {len(source.files)} files.",
            "Add another version of the carrier.",
        )
    path, content = next(iter(source.files.items()))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceRejected(
            f"{path} is not UTF-8: byte {error.start} is 0x{content[error.start]:02x}.", _OTHER, path=path
        ) from error
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise SourceRejected(
            f"{path} is not JSON: {error.msg} (line {error.lineno}, column {error.colno}).", _OTHER, path=path
        ) from error
    if not isinstance(document, dict):
        raise wrong(path, "an object", document)
    return path, document


def wrong(where: str, wanted: str, found: object) -> SourceRejected:
    """The error for a value of another type than the format says."""
    return SourceRejected(f"{where} must be {wanted}, not {_named(found)}.", _OTHER, path=where)


def node(parent: Node, key: str, where: str) -> Node:
    """An object; an empty one if the key is absent."""
    value = parent.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong(f"{where}.{key}", "an object", value)
    return cast("Node", value)


def nodes(parent: Node, key: str, where: str) -> Iterator[tuple[str, Node]]:
    """The members of an object of objects, in the order of the source."""
    for name, value in node(parent, key, where).items():
        if not isinstance(value, dict):
            raise wrong(f"{where}.{key}.{name}", "an object", value)
        yield name, value


def text(parent: Node, key: str, where: str) -> str:
    """A string; empty if the key is absent. Numbers and booleans (defaults) come as JSON writes them."""
    value = parent.get(key)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return orjson.dumps(value).decode()
    raise wrong(f"{where}.{key}", "a string", value)


def texts(parent: Node, key: str, where: str) -> tuple[str, ...]:
    """A list of strings; empty if the key is absent."""
    value = parent.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise wrong(f"{where}.{key}", "a list of strings", value)
    return tuple(value)


def flag(parent: Node, key: str, where: str) -> bool:
    """A boolean; False if the key is absent."""
    value = parent.get(key)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise wrong(f"{where}.{key}", "true or false", value)


def flags(parent: Node, key: str, where: str) -> tuple[bool, ...]:
    """A list of booleans; empty if the key is absent."""
    value = parent.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, bool) for one in value):
        raise wrong(f"{where}.{key}", "a list of true and false", value)
    return tuple(value)


def number(value: str) -> int | float | str:
    """A limit as a number where it is one; limits stand as strings in the document."""
    if re.fullmatch(r"-?\d{1,30}", value):
        return int(value)
    if re.fullmatch(r"-?\d{1,30}\.\d{1,30}(?:[eE][+-]?\d{1,3})?", value):
        return float(value)
    return value


_OTHER = "The document is damaged: add another version of its carrier, and report it."


def _named(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
