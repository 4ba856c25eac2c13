"""What the crawler's process and its parent say to each other: records over pipes.

A record is two big-endian numbers of four bytes, the lengths of a JSON document and of a body, then these two. The
parent sends `order`, any number of `known`, and `go`; the crawler answers with `page` for each address, and `end` or
`failed`. More orders may follow. Whoever reads the end of its pipe knows that the other one is gone.
"""

import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import orjson

from refdesk.ports.fetcher import Fetched

_LENGTHS = struct.Struct(">II")
_FIELDS = ("url", "final_url", "status", "content_type", "etag", "last_modified", "links", "twin", "noindex", "error",
           "rendered")  # fmt: skip


def write_record(pipe: BinaryIO, document: Mapping[str, Any], body: bytes = b"") -> None:
    """Write one record; it is on its way when this returns."""
    head = orjson.dumps(document)
    pipe.write(_LENGTHS.pack(len(head), len(body)) + head + body)
    pipe.flush()


def read_record(pipe: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """Read one record; None at the end of the pipe, also in the middle of a record that was never finished."""
    lengths = pipe.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head = pipe.read(head_length)
    body = pipe.read(body_length) if body_length else b""
    if len(head) < head_length or len(body) < body_length:
        return None
    return orjson.loads(head), body


def page_record(page: Fetched, admitted: int) -> dict[str, Any]:
    """The document of a `page`, without its body; `admitted` is how many addresses the crawl knows of so far."""
    if page.status == 304:
        return {"page": [page.url], "of": admitted}
    return {"page": [getattr(page, name) for name in _FIELDS], "of": admitted}


def page_of(document: Mapping[str, Any], body: bytes) -> Fetched:
    """The page of such a record."""
    values = document["page"]
    if len(values) == 1:
        return Fetched(values[0], values[0], 304)
    fields = dict(zip(_FIELDS, values, strict=True))
    fields["links"] = tuple(fields["links"])
    return Fetched(**fields, body=body)
