"""One page of HTML to all that is made of it: clean, render, name, count."""

from dataclasses import dataclass

from refdesk.domain.entries import PageEntries
from refdesk.ingest.html.cleaning import SiteProfile

CONVERTER = "html-1"
"""Changes whenever the same bytes would become another page; part of each page's `maker`."""


@dataclass(frozen=True, slots=True)
class Served:
    """One page as it came.

    Attributes:
        path: Unique in the release; becomes the page's.
        url: Where it was served; empty for a file.
        content_type: As served; empty for a file.
    """

    path: str
    data: bytes
    url: str = ""
    content_type: str = ""


def convert(served: Served, profile: SiteProfile, *, visible: bool = False) -> PageEntries:
    """Make a page of bytes.

    Args:
        served: The page.
        profile: What was learnt of its site; of the page alone where there is no site.
        visible: Whether what a reader does not see at first (hidden tab panels, closed details) is left out.

    Raises:
        SourceRejected: It is no HTML, or holds no text.
    """
    raise NotImplementedError
