"""Questions to a tree that libxml2 answers without a Python loop, with the types of their answers."""

from collections.abc import Callable
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.tags import BLOCK_TAGS


def truth(expression: str) -> Callable[[HtmlElement], bool]:
    """Whether an XPath expression is true of an element."""
    return cast("Callable[[HtmlElement], bool]", etree.XPath(f"boolean({expression})"))


def found(expression: str) -> Callable[[HtmlElement], list[HtmlElement]]:
    """The elements that an XPath expression finds."""
    return cast("Callable[[HtmlElement], list[HtmlElement]]", etree.XPath(expression))


string_of = cast("Callable[[HtmlElement], str]", etree.XPath("string()", smart_strings=False))
"""All text below an element, without comments."""

holds_block = truth("descendant::*[" + " or ".join(f"self::{tag}" for tag in sorted(BLOCK_TAGS)) + "]")
"""Whether a block stands anywhere below an element."""

holds_break = truth(".//br")
holds_pre = truth(".//pre")
