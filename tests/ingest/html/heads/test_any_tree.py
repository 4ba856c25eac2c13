"""Whatever the tree, finding and naming end without an error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from html_entries import read_page

TAGS = [
    "dl",
    "dt",
    "dd",
    "div",
    "section",
    "span",
    "code",
    "h1",
    "h2",
    "h3",
    "h4",
    "ul",
    "li",
    "p",
    "pre",
    "table",
    "tr",
    "td",
    "th",
    "details",
    "summary",
    "a",
    "em",
    "strong",
    "blockquote",
]
CLASSES = [
    "",
    "py function",
    "sig sig-object py",
    "field-list",
    "detail",
    "member-signature",
    "class-description",
    "type-signature",
    "title",
    "memitem",
    "memproto",
    "memname",
    "memdoc",
    "textblock",
    "doc doc-object doc-class",
    "doc-contents",
    "doc-section-title",
    "doc-heading",
    "versionadded",
    "deprecated",
    "api_metadata",
    "code-header",
    "docblock",
    "devsite-page-title",
    "definition function",
    "classifier",
    "params",
    "notes",
    "stab deprecated",
    "rustdoc-toggle",
    "rust item-decl",
    "headerlink",
]
IDS = [
    "",
    "main-content",
    "apicontent",
    "tap.open",
    "method.f",
    "structfield.f",
    "module-tap",
    "command:tap",
    "f(int)",
    "c.f",
    "std-setting-A",
]
TEXTS = [
    "",
    "f(a, b=1)",
    "Class Tap",
    "Struct a::B",
    "tap.open",
    "New in version 1.2: The a parameter.",
    "Parameters",
    "Returns:",
    "Stability: 0 - Deprecated",
    "a – words",
    "(",
    "tf.a",
]


def element(parts: tuple[str, str, str, str], inner: list[str]) -> str:
    tag, name, id_, text = parts
    attributes = (f' class="{name}"' if name else "") + (f' id="{id_}"' if id_ else "")
    return f"<{tag}{attributes}>{text}{''.join(inner)}</{tag}>"


PARTS = st.tuples(*(st.sampled_from(choices) for choices in (TAGS, CLASSES, IDS, TEXTS)))
TREES = st.recursive(
    st.builds(element, PARTS, st.just([])),
    lambda inner: st.builds(element, PARTS, st.lists(inner, max_size=4)),
    max_leaves=14,
)


@pytest.mark.parametrize("generator", ["sphinx", "devdocs", "javadoc", "rustdoc", "node", "doxygen", "mkdocs"])
@settings(max_examples=60)
@given(body=st.lists(TREES, min_size=1, max_size=4))
def test_any_tree_is_read(generator: str, body: list[str]) -> None:
    read = read_page(generator, "".join(body))
    names = [one.name for one in read.symbols]
    assert len(names) == len(set(names))
    assert all(names)
