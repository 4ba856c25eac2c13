"""Markdown as plain text: what a reader reads, without the marks."""


def plain_text(markdown: str) -> str:
    """The text of a document: headings, paragraphs, cells and code without their Markdown syntax.

    Code stands as it is, without fences. Links and images are their text, the delimiter rows of tables are gone, cells
    are apart by a blank, `<tab label="…">` is its label.
    """
    raise NotImplementedError
