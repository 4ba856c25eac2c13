"""Markdown made of the pieces that break splitters: for property tests of scanning, cutting and chunking."""

from hypothesis import strategies as st

LINES = st.sampled_from(
    [
        "",
        "# One",
        "## Two {#two}",
        "#### Four `x.y`",
        "Set",
        "===",
        "---",
        "Some words here. And more of them:",
        "中文的句子。还有一句。",
        '```python title="x"',
        "```",
        "````",
        "~~~",
        "~~~~ js",
        "- item",
        "  - ```js",
        "  ```",
        "    indented",
        "> quote",
        "> ```py",
        "> ```",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "<pre>",
        "</pre>",
        "<details>",
        "<!-- note",
        "-->",
        '<a id="here"></a>',
        "term",
        ": def",
        ": ```",
        "~~~ foo ~~~ bar",
        "```inline``` code",
        "word " * 40,
        "y" * 500,
    ]
)
"""Single lines, among them all openings and closings of fences."""

MARKDOWN = st.lists(LINES, max_size=40).map("\n".join)
"""Documents of such lines in any order."""
