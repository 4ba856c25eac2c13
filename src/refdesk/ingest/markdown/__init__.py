"""Markdown files, and what is like Markdown, to pages; pages to chunks."""

from refdesk.ingest.markdown.chunks import chunks_of_page
from refdesk.ingest.markdown.pages import is_document, page_of_file, parse_markdown

__all__ = ["chunks_of_page", "is_document", "page_of_file", "parse_markdown"]
