"""A specification file of a release: in the toolset `docs`, for people and for resources, offered as no tool."""

import base64
import hashlib
import re
import zlib

from pydantic import Field

from refdesk.domain.errors import (
    Ambiguous,
    HashMismatch,
    LibraryNotIndexed,
    NetworkUnavailable,
    NotFound,
    PackUnreadable,
    Refused,
    VersionNotIndexed,
)
from refdesk.operations.descriptor import Caller, Example, Input, Operation, Served
from refdesk.operations.outputs import FileAnswer
from refdesk.operations.provenance import header, provenance, source_of
from refdesk.operations.services import Services

LARGEST_FILE = 6_000_000
"""Bytes of a file at most, as it came; larger messages break the links of some clients."""

LARGEST_UNPACKED = 20_000_000
"""Bytes that a compressed file is shown in at most; the largest models of AWS have about a fifth of it."""


class SpecificationInput(Input):
    """Arguments of `get_specification`."""

    library: str = Field(
        description="ecosystem:name, e.g. aws:s3; a bare name if it is unique", json_schema_extra={"cli": "argument"}
    )
    path: str = Field(description="File inside the package, as source.path says", json_schema_extra={"cli": "argument"})
    version: str = Field("", description="Version of the library, in any form")


def run_specification(services: Services, request: SpecificationInput, caller: Caller) -> FileAnswer:
    """Hand a file out."""
    found = services.specifications.read(request.library, request.version, request.path, caller.progress)
    data = found.data
    if len(data) > LARGEST_FILE:
        raise Refused(
            f"{found.path} has {len(data):,} bytes; more than {LARGEST_FILE:,} are not sent.",
            "get_api_detail gives each API of it.",
        )
    text = None if _is_packed(found.path) else _text(data)
    return FileAnswer(
        **dict(provenance(found.chosen)),
        release=found.chosen.published.release.key,
        path=found.path,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        text=text,
        base64=base64.b64encode(data).decode("ascii") if text is None else None,
        source=source_of(found.chosen.published, found.path),
    )


def render_specification(answer: FileAnswer) -> str:
    """The file as people read it, unpacked where it is compressed."""
    head = header(answer, answer.source)
    facts = f"{answer.path}: {answer.size:,} bytes, SHA-256 {answer.sha256}"
    text = _readable(answer)
    if text is None:
        return f"{head}\n\n{facts}. It is no text that could be shown; --json gives its bytes."
    longest = max((len(run) for run in re.findall(r"^`{3,}", text, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    name = answer.path.removesuffix(".gz").rpartition("/")[2]
    language = name.rpartition(".")[2] if "." in name else ""
    return f"{head}\n\n{facts}\n\n{fence}{language}\n{text.removesuffix(chr(10))}\n{fence}"


def _readable(answer: FileAnswer) -> str | None:
    if answer.text is not None:
        return answer.text
    data = base64.b64decode(answer.base64 or "")
    if not _is_packed(answer.path):
        return None
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)  # gzip, RFC 1952
    try:
        unpacked = unpacker.decompress(data, LARGEST_UNPACKED)
    except zlib.error:
        return None
    return _text(unpacked) if unpacker.eof else None


def _is_packed(path: str) -> bool:
    """Compressed files are bytes even if these should happen to be text."""
    return path.endswith(".gz")


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


SPECIFICATION = Operation(
    name="get_specification",
    toolset="docs",
    title="Read a file that a release was made from",
    description=(
        "Hand out a file of the package that a release was made from, as it came: a service model, a discovery"
        " document, a module. `source.path` of an API detail names it. Shown as text, unpacked where it is compressed;"
        " the structured form has its size, its SHA-256, and the text or, where it is none, the bytes in Base64."
        ' Example: {"library": "aws:s3", "path": "botocore/data/s3/2006-03-01/service-2.json.gz"}'
    ),
    input=SpecificationInput,
    output=FileAnswer,
    run=run_specification,
    render=render_specification,
    served=lambda answer: Served(
        answer.library, answer.version.requested or "", answer.release, (f"{answer.release}/spec/{answer.path}",), 1
    ),
    view="structured",
    cli="spec",
    rest=("GET", "/docs/specifications/{path}"),
    ceiling=0,
    network=True,
    tool=False,
    errors=(
        NotFound, HashMismatch, Refused, NetworkUnavailable, LibraryNotIndexed, VersionNotIndexed, Ambiguous,
        PackUnreadable,
    ),
    examples=(
        Example({"library": "aws:s3", "path": "botocore/data/s3/2006-03-01/service-2.json.gz"}, '"metadata"'),
    ),
)  # fmt: skip

OPERATIONS = (SPECIFICATION,)
