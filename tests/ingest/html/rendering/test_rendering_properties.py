"""What holds for any page: it is rendered, its fences are balanced, its code comes out as it went in."""

from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html

from ingest.html.rendering.trees import markdown
from refdesk.domain.markdown import balanced, blocks
from refdesk.domain.plaintext import plain_text
from refdesk.ingest.html.rendering import RenderOptions, render

TAGS = (
    "div", "p", "span", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th", "pre", "code", "a", "b", "em",
    "h2", "h4", "blockquote", "details", "summary", "sup", "br", "img", "figure", "section", "note-box", "input", "del",
    "aside", "math", "hr", "button",
)  # fmt: skip
CLASSES = (
    "", "note", "admonition warning", "versionadded", "tabbed-set", "sd-tab-set", "tab-content", "highlight",
    "footnote", "field-list", "math", "line-block", "katex", "nav-tabs", "highlighttable", "lang", "headerlink",
    "fragment", "summary-table", "item-table", "deprecated", "admonitionblock", "vp-code-group", "headertitle",
    "line", "linenos", "rubric", "lineno", "versionmodified", "admonition-title", "tabs", "api_stability",
)  # fmt: skip
ROLES = ("", "tab", "tabpanel", "tablist", "alert", "presentation")
TEXT = st.text(st.sampled_from("ab*_`#-+1.)|<>&[]()~\\! \n\u200b:é"), max_size=12)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, name, role, inner: f'<{tag} class="{name}" role="{role}" href="#x">{"".join(inner)}</{tag}>',
        st.sampled_from(TAGS),
        st.sampled_from(CLASSES),
        st.sampled_from(ROLES),
        st.lists(children, max_size=4),
    )


TREES = st.recursive(TEXT.map(escape) | st.sampled_from(["<!-- c -->", "<?pi x>"]), _element, max_leaves=25)
CODE = st.text(st.sampled_from("ab `~#>-|\n\t<&*_1.é"), min_size=1, max_size=40).map(lambda text: text.rstrip())
CONTAINERS = (
    "{}",
    "<ul><li>text {}</li></ul>",
    "<ol start='98'><li><p>one</p>{}</li></ol>",
    "<blockquote><p>said</p>{}</blockquote>",
    "<ul><li>{}</li></ul>",
    "<div class='admonition note'><p class='admonition-title'>Note</p>{}</div>",
    "<dl><dt>term</dt><dd>{}</dd></dl>",
    "<dl><dt>term</dt><dd><ul><li><blockquote>a{}</blockquote></li></ul></dd></dl>",
    "<details><summary>more</summary>{}</details>",
    "<table><tr><th>a<th>b<tr><td>{}<td>c</table>",
)


@given(TREES)
@settings(max_examples=400, deadline=None)
def test_any_tree_is_rendered_with_balanced_fences(source: str) -> None:
    shown = markdown(source)
    assert balanced(shown)
    assert not set(shown) & set("\x00\x01\x02\x03\x05\x06")
    plain_text(shown)
    markdown(source, visible=True)


@given(st.lists(st.sampled_from(TAGS), max_size=6), TEXT)
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost(tags: list[str], text: str) -> None:
    tags = [tag for tag in tags if tag not in ("br", "img", "input", "hr", "table", "tr", "button", "math")]
    source = (
        "".join(f"<{tag}>" for tag in tags) + "word" + escape(text) + "".join(f"</{tag}>" for tag in reversed(tags))
    )
    assert "word" in markdown(source)


@pytest.mark.parametrize("container", CONTAINERS, ids=range(len(CONTAINERS)))
@given(code=CODE)
@example(code="```\nx\n```")
@example(code="\n\n  indented\n\n    more")
@example(code="~~~\n> quoted\n- item")
@settings(max_examples=60, deadline=None)
def test_code_comes_out_as_it_went_in(container: str, code: str) -> None:
    if not code.strip() or ("<table>" in container and "\n" not in code):
        return
    shown = markdown(container.format(f"<pre>\n{escape(code)}\n</pre>"))
    (fence,) = [block for block in blocks(shown) if block.kind == "fence"]
    assert fence.closed
    assert _inside(shown[fence.start : fence.end], fence.close) == code


def _inside(text: str, close: str) -> str:
    """What stands in a fence, without the marks of the containers around it."""
    lines = text.rstrip().split("\n")
    width = len(close) - len(close.lstrip(" >"))
    assert all(line[:width].strip(" >") == "" for line in lines[1:])
    return "\n".join(line[width:] for line in lines[1:-1])


def test_deep_nesting_is_flattened_and_keeps_text_and_code() -> None:
    parser = html.HTMLParser(huge_tree=True)
    deep = "<div>" * 900 + "<b>deep</b> text<pre>code\n  here</pre><!-- no --> end" + "</div>" * 900
    root = html.document_fromstring(f"<html><body>{deep}</body></html>", parser=parser)
    shown = render(root, RenderOptions()).markdown
    assert shown == "deep text\n\n```\ncode\n  here\n```\n\nend"


def test_deep_inline_nesting_keeps_its_text() -> None:
    parser = html.HTMLParser(huge_tree=True)
    source = f"<html><body><p>{'<span>a' * 800}{'</span>' * 800}</p></body></html>"
    assert render(html.document_fromstring(source, parser=parser), RenderOptions()).markdown == "a" * 800


def test_lists_are_not_indented_without_end() -> None:
    shown = markdown("<ul><li>x" * 60 + "</li></ul>" * 60)
    assert shown.count("x") == 60
    assert max(len(line) for line in shown.split("\n")) < 40


def test_a_span_over_everything_does_not_multiply_long_cells() -> None:
    cell = "word " * 5000
    shown = markdown(f"<table><tr><th>a<th>b<tr><td rowspan=60000>{cell}<td>1" + "<tr><td>2" * 50 + "</table>")
    assert len(shown) < 2 * len(cell)
