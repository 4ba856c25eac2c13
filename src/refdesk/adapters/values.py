"""The values of the domain as JSON and back.

A dataclass becomes an object of its fields, without those that have their default value; mappings and sequences
become objects and arrays; moments are written as RFC 3339. Reading follows the type hints of the class.
"""

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import orjson

Value = TypeVar("Value")

_Convert = Callable[[Any], Any]
_Converters = tuple[tuple[str, _Convert], ...]
_Fields = tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]], tuple[Any, ...]]

# Made once for each class; a functools cache costs more than the look-up in the innermost loop of writing.
_FIELDS: dict[type, _Fields] = {}
_CONVERTERS: dict[type, _Converters] = {}


def dumps(value: object) -> bytes:
    """A value as JSON; the same value always gives the same bytes.

    Raises:
        TypeError: It holds something that JSON has no form for, such as half of a surrogate pair.
    """
    return orjson.dumps(value, default=_plain, option=orjson.OPT_PASSTHROUGH_DATACLASS)


def loads(kind: type[Value], data: bytes | str | memoryview) -> Value:
    """Read what `dumps` wrote of a value of this class.

    Raises:
        ValueError: It is no JSON.
        TypeError: It is the JSON of something else.
    """
    return build(kind, orjson.loads(data))


def fields_of(value: object) -> dict[str, Any]:
    """The fields of a dataclass that do not have their default value; what is inside them stays as it is."""
    names, get, defaults = _FIELDS.get(type(value)) or _fields(type(value))
    return {
        name: given
        for name, given, default in zip(names, get(value), defaults)  # noqa: B905 - equal by construction; innermost loop
        if given is not default and given != default
    }


def build(kind: type[Value], data: dict[str, Any]) -> Value:
    """A value of this class from the JSON object of its fields; the object is used up."""
    for name, convert in _converters(kind):
        if name in data:
            data[name] = convert(data[name])
    return kind(**data)


def _plain(value: object) -> object:
    if type(value) in _FIELDS or dataclasses.is_dataclass(value):
        return fields_of(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _fields(kind: type) -> _Fields:
    fields = dataclasses.fields(kind)
    names = tuple(one.name for one in fields)
    get = attrgetter(*names)
    defaults = tuple(
        one.default_factory() if one.default_factory is not dataclasses.MISSING else one.default for one in fields
    )
    # attrgetter of a single name gives the bare value.
    return _FIELDS.setdefault(kind, (names, get if len(names) > 1 else lambda value: (get(value),), defaults))


def _converters(kind: type) -> _Converters:
    known = _CONVERTERS.get(kind)
    if known is None:
        hints = get_type_hints(kind)
        found = ((one.name, _converter(hints[one.name])) for one in dataclasses.fields(kind))
        known = _CONVERTERS[kind] = tuple((name, convert) for name, convert in found if convert is not None)
    return known


def _converter(hint: object) -> _Convert | None:
    """How a field's JSON becomes its value; None where it already is."""
    if hint is datetime:
        return datetime.fromisoformat
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return lambda data: build(hint, data)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        known = [convert for one in inner if (convert := _converter(one)) is not None]
        return (lambda data: None if data is None else known[0](data)) if len(known) == 1 else None
    if origin is tuple:
        convert = _converter(inner[0])
        return tuple if convert is None else (lambda data: tuple(map(convert, data)))
    return None
