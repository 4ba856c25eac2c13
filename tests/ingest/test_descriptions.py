import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.ingest.descriptions import to_markdown

DESCRIPTIONS = {
    "empty": ("", ""),
    "white space": (" \n\t ", ""),
    "plain text": ("Opens the gate.", "Opens the gate."),
    "plain text keeps its paragraphs": ("One\nline.\n\nTwo.", "One line.\n\nTwo."),
    "paragraphs": ("<p>One.</p> <p>Two.</p>", "One.\n\nTwo."),
    "simple paragraph loses extra space": ("<p> One   two. </p>", "One two."),
    "unclosed paragraphs": ("<p>One.<p>Two.", "One.\n\nTwo."),
    "empty paragraph tags": ("One<p/>two<para/><p></p>", "One\n\ntwo"),
    "break": ("<p>One<br>two<br/>three</p>", "One\n\ntwo\n\nthree"),
    "code": ("<p>Use <code>a_b*c</code>.</p>", "Use `a_b*c`."),
    "code with back-ticks": ("<code>a`b</code> <code>`c`</code>", "``a`b`` `` `c` ``"),
    "code with entities": ("<code>&lt;a&gt; &amp;amp;</code>", "`<a> &amp;`"),
    "code with a placeholder": ("<code>arn:<region>:x</code>", "`arn:<region>:x`"),
    "code over lines": ("<code>a\n   b</code>", "`a b`"),
    "code in code": ("<code>a<code>b</code>c</code> d", "`abc` d"),
    "markup in code is only text": ("<code>a<i>b</i></code>", "`ab`"),
    "a block ends open code": ("<code>a<p>b", "`a`\n\nb"),
    "two codes side by side": ("<code>a</code><code>b</code>", "`a` `b`"),
    "code behind a linked code": ("<a href='https://x.example'><code>a</code></a><code>b</code>",
                                  "[`a`](https://x.example)`b`"),
    "empty code": ("a <code> </code>b<code></code>", "a b"),
    "self-closed inline tags are nothing": ("The <code/>Source<code/> <b/>is", "The Source is"),
    "bold and italic": ("<b>Bold</b> <i>it</i> <strong>s</strong> <em>e</em>", "**Bold** *it* **s** *e*"),
    "white space moves out of emphasis": ("a<b> bold </b>b", "a **bold** b"),
    "bold in bold": ("<b><b>x</b></b>", "**x**"),
    "bold code": ("<b><code>x</code></b>", "**`x`**"),
    "unclosed emphasis ends with the block": ("<p><b>a<i>b</p><p>c</p>", "**a*b***\n\nc"),
    "closing tag without an opening one": ("a</b></code></a></li></ul></td></note> b", "a\n\nb"),
    "emphasis closed by its twin": ("<b>a</strong> b", "**a** b"),
    "link": ('<a href="https://x.example/a_(b) c">the *gate</a>', "[the *gate](https://x.example/a_%28b%29%20c)"),
    "link in single quotes, and bare": ("<a href='https://x.example'>a</a> <a href=https://y.example>b</a>",
                                        "[a](https://x.example) [b](https://y.example)"),
    "link that shows its target": ('<a href="https://x.example/a_b">https://x.example/a_b</a>', "https://x.example/a_b"),
    "link to mail": ('<a href="mailto:a@x.example">us</a>', "[us](mailto:a@x.example)"),
    "script link is only text": ('<a href="javascript:alert(1)">gate keeper</a>', "gate keeper"),
    "link inside one site is only text": ('<a href="/latest/gate.html">gate keeper</a>', "gate keeper"),
    "cross-reference": ("<a>OpenGate</a>, <a>the gate</a>", "`OpenGate`, the gate"),
    "cross-reference in code": ("<code><a>OpenGate</a></code>", "`OpenGate`"),
    "DocBook link": ('<link linkend="OpenGate">OpenGate</link> <ulink url="https://x.example">x</ulink>',
                     "`OpenGate` [x](https://x.example)"),
    "list": ("<p>One of:</p> <ul> <li> <p>a</p> </li> <li>b</li> </ul>", "One of:\n\n- a\n- b"),
    "ordered list": ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
    "nested list": ("<ul><li><p>a</p><ul><li>b</li><li>c</li></ul></li><li>d</li></ul>", "- a\n  - b\n  - c\n- d"),
    "loose list": ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"),
    "unclosed items": ("<ul><li>a<li>b</ul>", "- a\n- b"),
    "item without a list": ("<li>a</li>", "- a"),
    "empty item": ("<ul><li></li><li>a</li></ul>", "- a"),
    "definition list": ("<dl><dt>A</dt><dd><p>One.</p></dd><dt><code>B</code>:</dt><dd>Two.</dd></dl>",
                        "- **A**: One.\n- **`B`**: Two."),
    "definition of several paragraphs": ("<dl><dt>A</dt><dd><p>One.</p><p>Two.</p></dd></dl>",
                                         "- **A**: One.\n\n  Two."),
    "definition that is a list": ("<dl><dt>A</dt><dd><ul><li>x</li></ul></dd></dl>", "- **A**:\n  - x"),
    "term alone": ("<dl><dt>A</dt></dl>", "- **A**"),
    "bold term": ("<dl><dt><b>A</b></dt><dd>b</dd></dl>", "- **A**: b"),
    "definition without a term": ("<dl><dt/><dd>a</dd><dd>b</dd></dl>", "- a\n- b"),
    "unclosed term": ("<dl><dt>A<dd>b<dt>C<dd>d</dl>", "- **A**: b\n- **C**: d"),
    "term of two lines": ("<dl><dt>A<br>B</dt><dd>c</dd></dl>", "- **A B**: c"),
    "note": ("<p>A.</p> <note> <p>One.</p> <p>Two.</p> </note> <p>B.</p>", "A.\n\n> **Note:** One.\n>\n> Two.\n\nB."),
    "important inside a paragraph": ("<p><important>Careful.</important></p>", "> **Important:** Careful."),
    "warning, caution, tip": ("<warning>a</warning><caution>b</caution><tip>c</tip>",
                              "> **Warning:** a\n\n> **Caution:** b\n\n> **Tip:** c"),
    "note that begins with a list": ("<note><ul><li>a</li></ul></note>", "> **Note:**\n>\n> - a"),
    "note inside an item": ("<ul><li>a<note><p>n</p></note></li></ul>", "- a\n\n  > **Note:** n"),
    "empty note": ("a<note> </note>b", "a\n\nb"),
    "heading stays below those of an answer": ("<h2>How</h2><p>So.</p><h6>x</h6>", "#### How\n\nSo.\n\n###### x"),
    "preformatted": ("<p>a</p><pre>\nx  = 1\n  y &lt; 2\n</pre>b", "a\n\n```\nx  = 1\n  y < 2\n```\n\nb"),
    "preformatted with tags in it": ("<pre><code>a</code> <region> <b>c</b></pre>", "```\na <region> c\n```"),
    "preformatted with a fence in it": ("<pre>```</pre>", "````\n```\n````"),
    "unclosed preformatted": ("<pre>a", "```\na\n```"),
    "empty preformatted": ("<pre> </pre>", ""),
    "preformatted in an item keeps its empty line": ("<ul><li>a<pre>x\n\ny</pre></li></ul>",
                                                     "- a\n\n  ```\n  x\n\n  y\n  ```"),
    "escaped HTML in preformatted is read": ("<pre><code> &lt;p&gt;One.&lt;/p&gt;</code></pre>", "One."),
    "escaped twice": ("&lt;p&gt;One &lt;code&gt;x&lt;/code&gt;.&lt;/p&gt;", "One `x`."),
    "table": ("<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td></td></tr></table>",
              "| A | B |\n| --- | --- |\n| 1\\|2 |   |"),
    "table soup": ("<td>a<tr><td>b<td>c", "| a |\n| --- |\n| b | c |"),
    "empty table": ("a<table></table>", "a"),
    "name of a service": ("<fullname>Gate Service</fullname> <p>Opens.</p>", "Gate Service\n\nOpens."),
    "unknown elements are text": ("<p>arn:<region>:<account-id></p>", "arn:\\<region>:\\<account-id>"),
    "transparent elements": ("<replaceable>{id}</replaceable>:<u>x</u>", "{id}:x"),
    "script, style, comment, doctype": (
        "a<script>x<p>y</p></script><style>z</style><!-- c --><!DOCTYPE html><?php ?>b", "ab"),
    "unclosed script": ("a<script>b</p>", "a"),
    "self-closed script": ("a<script/>b", "ab"),
    "unclosed comment": ("a<!-- b", "a"),
    "hidden elements": ('a<p hidden>b</p><div style="display: none">c</div>d', "ad"),
    "invisible characters": ("Open\u200b the\u2060 gate\u00ad.&#8203;\x00", "Open the gate."),
    "Markdown in text is escaped where it would act": (
        "*a* _b_ a_b 2 * 3 \\* [x](y) &amp;lt; a < b ~~c~~",
        "\\*a* \\_b_ a_b 2 * 3 \\\\* \\[x](y) \\&lt; a < b \\~~c\\~~"),
    "a lone star or underscore cannot act": ('s3:* and "_"', 's3:* and "_"'),
    "back-ticks of the source": ("the `a_*b*` and ` alone", "the `a_*b*` and \\` alone"),
    "number at the start": ("<p>1. a</p><p>2) b</p>", "1\\. a\n\n2\\) b"),
    "marks at the start": ("<p># a</p><p>- b</p><p>+ c</p><p>> d</p><p>--- e</p>",
                           "\\# a\n\n\\- b\n\n\\+ c\n\n\\> d\n\n\\--- e"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_a_description_becomes_markdown(text: str, expected: str) -> None:
    assert to_markdown(text) == expected


_TAGS = ["p", "code", "a", "ul", "ol", "li", "dl", "dt", "dd", "note", "b", "i", "pre", "table", "tr", "td", "script"]
_MARKS = [
    "<region>",
    "<br/>",
    "<!--",
    "-->",
    "`",
    "``",
    "*",
    "_",
    "#",
    "-",
    "1.",
    "|",
    "[",
    "](",
    ")",
    "\\",
    "<",
    ">",
    "~~",
]
_OTHERS = ['<a href="https://x.example">', "&lt;", "&amp;", "&#96;", " ", "\n", "\n\n", "word", "x_y", "\ue0001\ue001"]
_SOUP = st.lists(
    st.sampled_from([f"<{slash}{tag}>" for tag in _TAGS for slash in ("", "/")] + _MARKS + _OTHERS)
    | st.text(max_size=4),
    max_size=40,
).map("".join)


def _outside_code(markdown: str) -> str:
    without_fences = re.sub(r"^[> \-.\d*:]*(`{3,})\n(?:.*\n)*?[> ]*\1$", "", markdown, flags=re.MULTILINE)
    return re.sub(r"(?<![`\\])(`+)(?!`)(?:[^`]|(?!\1(?!`))`+)*?(?<!`)\1(?!`)", "", without_fences)


@given(_SOUP)
def test_no_element_is_left_outside_code(text: str) -> None:
    assert not re.search(r"(?<!\\)<(?:/|!--)?[A-Za-z]", _outside_code(to_markdown(text)))


@given(_SOUP)
def test_code_spans_are_balanced(text: str) -> None:
    assert not re.search(r"(?<!\\)`", _outside_code(to_markdown(text)))


@pytest.mark.parametrize("tags", ["<ul><li>", "<b>", "<note>", "<a><i>"])
def test_deep_nesting_is_read_and_bounded(tags: str) -> None:
    closing = tags.replace("<", "</")
    said = to_markdown(tags * 20_000 + "word" + closing * 20_000)
    assert "word" in said
    assert len(said) < 10_000


def test_many_openings_take_linear_time() -> None:
    assert to_markdown("[" * 20_000 + "<a " * 20_000)
