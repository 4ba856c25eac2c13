"""Ids of documents: what a hit shows, `get_page` reads and a resource is called.

Two spellings of one id: `aws:s3@2006-03-01+1.34.162/api/PutObject` and, as a resource,
`refdesk://aws/s3/2006-03-01+1.34.162/api/PutObject` (percent-encoded). Pages carry `page/PATH` in place of
`api/NAME`; `#ANCHOR` names a section.
"""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

from refdesk.domain.releases import Release

DocumentKind = Literal["api", "page"]

_TAIL = r"/(?P<kind>api|page)/(?P<name>[^#]+)(?:#(?P<anchor>.*))?\Z"
_ID = re.compile(r"(?P<library>[a-z]+:[^@/\s]+)@(?P<version>[^/\s]+)" + _TAIL)
_URI = re.compile(r"refdesk://(?P<ecosystem>[a-z]+)/(?P<library>[^/]+)/(?P<version>[^/]+)" + _TAIL)


@dataclass(frozen=True, slots=True)
class DocumentId:
    """Names one page or symbol of one release.

    Attributes:
        library: `ecosystem:name`.
        version: Version of the release's key, `2006-03-01+1.34.162`.
        name: Path of the page, or canonical name of the symbol.
        anchor: Section inside it; empty for the whole.
    """

    library: str
    version: str
    kind: DocumentKind
    name: str
    anchor: str = ""

    def __str__(self) -> str:
        return f"{self.library}@{self.version}/{self.kind}/{self.name}" + (f"#{self.anchor}" if self.anchor else "")

    @property
    def uri(self) -> str:
        """The same as a resource's address."""
        ecosystem, _, name = self.library.partition(":")
        path = "/".join(quote(part, safe="") for part in (ecosystem, name, self.version, self.kind))
        tail = f"#{quote(self.anchor, safe='')}" if self.anchor else ""
        return f"refdesk://{path}/{quote(self.name, safe='/')}{tail}"


def document_id(release: Release, kind: DocumentKind, name: str, anchor: str = "") -> DocumentId:
    """The id of a document of a release."""
    return DocumentId(str(release.library), release.key.partition("@")[2], kind, name, anchor)


def parse_document_id(text: str) -> DocumentId | None:
    """Read either spelling; None if the text is neither (a url, a path, a name)."""
    text = text.strip()
    if "%40" in text and not text.startswith("refdesk:"):
        text = unquote(text)  # an id that something took for an address
    match = _ID.match(text)
    if match is not None:
        kind: DocumentKind = "api" if match["kind"] == "api" else "page"
        return DocumentId(match["library"], match["version"], kind, match["name"], (match["anchor"] or "").rstrip("/"))
    match = _URI.match(text)
    if match is None:
        return None
    parts = {key: unquote(value or "") for key, value in match.groupdict().items()}
    kind = "api" if parts["kind"] == "api" else "page"
    return DocumentId(
        f"{parts['ecosystem']}:{parts['library']}", parts["version"], kind, parts["name"], parts["anchor"]
    )
