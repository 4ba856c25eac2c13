"""The Markdown form that a site serves of a page: used where it carries at least what the page does.

Reports of such forms: code flattened to paragraphs, so that comments become headings (cloudflare/workers-sdk#15177).
"""

from collections.abc import Mapping
from dataclasses import replace

from refdesk.domain.entries import Counts, PageEntries
from refdesk.domain.markdown import blocks
from refdesk.ingest.html.fidelity import count_markdown
from refdesk.ingest.markdown import page_of_file

_AS_MANY_WORDS = 0.98
"""Signs of lists and numbers count as words on one side only."""

_MORE_HEADINGS = 1
"""A title of its own; more than that are comments of code that lost its fences."""


def with_twin(made: PageEntries, path: str, data: bytes, files: Mapping[str, bytes]) -> PageEntries:
    """A page with the text of its Markdown form, or as it is.

    A page that declares something keeps its own text: the anchors of declarations are in no Markdown form.

    Args:
        made: The page from HTML.
        path: Of the Markdown form.
        data: Its bytes.
        files: What includes may refer to.
    """
    if made.symbols:
        return made
    page, _ = page_of_file(path, data, files)
    if page is None:
        return made
    counts = count_markdown(page.markdown, blocks(page.markdown))
    if not carries(counts, made.fidelity.before) or not carries(counts, made.fidelity.after):
        return made
    return replace(
        made,
        page=replace(made.page, markdown=page.markdown, title=page.title or made.page.title),
        fidelity=replace(made.fidelity, after=counts),
    )


def carries(counts: Counts, wanted: Counts) -> bool:
    """Whether a text holds what another one does, code, tables, panels, headings and words, and no false heading."""
    return (
        counts.code >= wanted.code
        and counts.tables >= wanted.tables
        and counts.panels >= wanted.panels
        and wanted.headings <= counts.headings <= wanted.headings + _MORE_HEADINGS
        and counts.words >= wanted.words * _AS_MANY_WORDS
    )
