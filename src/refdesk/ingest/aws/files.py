"""The JSON files of one service and API version, as they lie in a botocore wheel.

Layout and the merging of `*.sdk-extras.json` follow `botocore/loaders.py`: an extra's `merge` key is merged deeply into
the model of the same name, objects member by member, everything else replaced.
"""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from refdesk.domain.entries import Problem
from refdesk.domain.errors import SourceRejected

_FILE = re.compile(
    r"(?:.*/)?(?P<model>service-2|paginators-1|waiters-2|examples-1)(?P<extras>\.sdk-extras)?\.json(?:\.gz)?"
)
_DAMAGED = "The model is damaged: add another version of its carrier, and report it."
_UNPACKED_LIMIT = 64 * 1024 * 1024
"""Bytes that one file may have unpacked; the largest real one has 7 million."""


@dataclass(frozen=True, slots=True)
class Model:
    """The parsed files of one release; optional ones are empty where they are missing or broken.

    Attributes:
        path: Path of the service model inside the archive.
        waiters_path: Path of the waiters; empty if there are none.
    """

    path: str
    waiters_path: str
    service: dict[str, Any]
    paginators: dict[str, Any]
    waiters: dict[str, Any]
    examples: dict[str, Any]
    problems: tuple[Problem, ...]


def read_model(files: Mapping[str, bytes]) -> Model:
    """Unpack, parse and merge the files of a release; those of other kinds are passed over.

    Raises:
        SourceRejected: There is no service model, or it, or any file that is too large unpacked, cannot be read.
    """
    found: dict[str, dict[str, Any]] = {}
    paths: dict[str, str] = {}
    extras: list[tuple[str, dict[str, Any]]] = []
    problems: list[Problem] = []
    for path in sorted(files):
        match = _FILE.fullmatch(path)
        if match is None:
            continue
        try:
            content = _parse(path, _unpack(path, files[path]))
        except _Unreadable as error:
            if match["model"] == "service-2" and not match["extras"]:
                raise SourceRejected(str(error), _DAMAGED, file=path) from error
            problems.append(Problem(path, str(error)))
            continue
        if match["extras"]:
            extras.append((match["model"], content))
        else:
            found[match["model"]] = content
            paths[match["model"]] = path
    if "service-2" not in found:
        raise SourceRejected("The archive has no service model (service-2.json) for this release.", _DAMAGED)
    for name, content in extras:
        merge = content.get("merge")
        if isinstance(merge, dict) and name in found:
            _merge(found[name], merge)
    return Model(
        paths["service-2"],
        paths.get("waiters-2", ""),
        found["service-2"],
        found.get("paginators-1", {}),
        found.get("waiters-2", {}),
        found.get("examples-1", {}),
        tuple(problems),
    )


class _Unreadable(Exception):
    """One file is not what its name says."""


def _unpack(path: str, content: bytes) -> bytes:
    if not path.endswith(".gz"):
        return content
    unpacked = bytearray()
    while content:
        stream = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        try:
            unpacked += stream.decompress(content, _UNPACKED_LIMIT + 1 - len(unpacked))
        except zlib.error as error:
            raise _Unreadable(f"{path} is not a gzip file: {error}") from error
        if len(unpacked) > _UNPACKED_LIMIT:
            raise SourceRejected(
                f"{path} has more than {_UNPACKED_LIMIT // 1024 // 1024} MB when unpacked.", _DAMAGED, file=path
            )
        if not stream.eof:
            raise _Unreadable(f"{path} ends in the middle of its gzip data.")
        content = stream.unused_data
    return bytes(unpacked)


def _parse(path: str, content: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(content.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise _Unreadable(f"{path} is not JSON: {_reason(error, content)}") from error
    if not isinstance(parsed, dict):
        raise _Unreadable(f"{path} holds no JSON object.")
    return parsed


def _reason(error: orjson.JSONDecodeError, content: bytes) -> str:
    try:
        content.decode()
    except UnicodeDecodeError as broken:
        return f"not UTF-8 at byte {broken.start}"
    return f"{error.msg} at line {error.lineno}, column {error.colno}"


def _merge(base: dict[str, Any], extra: dict[str, Any]) -> None:
    for key, value in extra.items():
        inner = base.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            _merge(inner, value)
        else:
            base[key] = value
