"""reStructuredText to Markdown, for pages (`converter`) and for docstrings and descriptions (`mixed`)."""
