"""reStructuredText to Markdown."""
