"""What a reader opens: a summary in bold, then what it hides."""

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.blocks import bold
from refdesk.ingest.html.rendering.escaping import one_line
from refdesk.ingest.html.rendering.tags import HEADINGS
from refdesk.ingest.html.rendering.walker import Lines, Walker


def details(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A `details`, open or closed: its summary, then what it holds."""
    if walker.by_class(element, out):
        return
    children = [child for child in element if isinstance(child.tag, str)]
    summary = next((child for child in children if child.tag == "summary"), None)
    if summary is not None and not walker.left_out(summary):
        _summary(walker, summary, out)
    if summary is None:
        walker.flow(element, out)
        return
    walker.sequence(element.text, list(summary.itersiblings(preceding=True))[::-1], out)
    walker.sequence(summary.tail, list(summary.itersiblings()), out)


def _summary(walker: Walker, summary: HtmlElement, out: Lines) -> None:
    if any(one.tag in HEADINGS or one.tag in ("pre", "section", "ul") for one in summary.iter()):
        walker.flow(summary, out)
        return
    run: Lines = []
    walker.inline(summary, run)
    text = one_line(run)
    if text and text.lower() not in ("expand description", "show", "show more", "details"):
        out += (bold(text), "")


BLOCKS = {"details": details}
