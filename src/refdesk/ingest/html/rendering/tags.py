"""What the names of elements say about them."""

BLOCK_TAGS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre", "search", "section",
    "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "xmp",
})  # fmt: skip
"""Elements that a browser begins on a line of their own."""

NO_TEXT = frozenset({
    "area", "base", "canvas", "col", "colgroup", "head", "link", "map", "meta", "noscript", "param", "script",
    "style", "template", "title", "datalist", "dialog",
})  # fmt: skip
"""Elements whose content nobody reads. Not `source`, `track` and `wbr`, which libxml2 takes for containers."""

ALWAYS_INLINE = frozenset({"math", "svg", "code", "img", "br", "script", "select", "video", "audio", "object"})
"""Elements that are inline pieces whatever they hold."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
