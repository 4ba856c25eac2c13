"""One document by itself, from this machine or from the web."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Document:
    """The bytes of one document.

    Attributes:
        name: Last part of its path or address, which becomes the path of its page.
        url: Where it was served; empty for a file.
        content_type: As served; empty for a file.
    """

    name: str
    data: bytes
    url: str = ""
    content_type: str = ""


class Documents(Protocol):
    """Reads documents one at a time."""

    def read(self, location: str, *, render: bool = False) -> Document:
        """The document at a path or an http(s) address.

        Args:
            location: Where it is.
            render: Whether a browser renders it first; for addresses only.

        Raises:
            NotFound: There is no such file, or its server says that there is no such page.
            InvalidInput: A folder, or `render` for a file.
            SourceRejected: It is too large, or cannot be read.
            NetworkUnavailable: Its server could not be asked.
            ExtraMissing: What would fetch or render is not installed.
        """
        ...
