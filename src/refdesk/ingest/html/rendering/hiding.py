"""What a reader of a page does not see at first."""

import re

from lxml.html import HtmlElement

_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def is_hidden(element: HtmlElement) -> bool:
    """Whether an element itself says that it is not shown."""
    attributes = element.attrib
    if not attributes:
        return False
    style = attributes.get("style")
    return (
        attributes.get("hidden") is not None
        or attributes.get("aria-hidden") == "true"
        or (style is not None and _NOT_SHOWN.search(style) is not None)
    )
