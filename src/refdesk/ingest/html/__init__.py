"""HTML pages to Markdown, symbols and receipts."""
