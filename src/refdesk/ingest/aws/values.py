"""Reading JSON whose form nobody guarantees: a value of another type than expected counts as absent."""

from collections.abc import Mapping
from typing import Any

Table = Mapping[str, Any]
"""A JSON object."""


def table(value: object) -> Table:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def tables(value: object) -> dict[str, Table]:
    """The members of an object that are objects themselves, in the order of the source."""
    return {name: one for name, one in table(value).items() if isinstance(one, dict)}


def rows(value: object) -> list[Table]:
    """The elements of a list that are objects."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """The string, or an empty one."""
    return value if isinstance(value, str) else ""


def strings(value: object) -> tuple[str, ...]:
    """The elements of a list that are strings."""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
