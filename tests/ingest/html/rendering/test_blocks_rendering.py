"""Own small pages → Markdown: prose, headings, lists, tables, code."""

import pytest

from ingest.html.rendering.trees import BASE, body, markdown
from refdesk.ingest.html.rendering import RenderOptions, render, render_inline

PROSE = {
    "text of a browser": ("<p>a\n  b<!-- c --> c&nbsp;d</p>e", "a b c d\n\ne"),
    "spans are glued, blocks are not": ("<span>a</span><span>b</span><div>c</div>d", "ab\n\nc\n\nd"),
    "spans that a style sets apart": (
        '<p><span class="n">amount</span><span class="t">integer</span></p>',
        "amount integer",
    ),
    "spans of one word": (
        '<p><span class="n">car</span><span>ts</span> <span class="d">O</span><span class="e">nce</span></p>',
        "carts Once",
    ),
    "a span after its sign": (
        '<p><span class="n">cart</span><span class="p">(s)</span>, <span class="x">a</span></p>',
        "cart(s), a",
    ),
    "invisible characters": ("<p>a\u200bb\u00adc<wbr>d</p>", "abcd"),
    "bold and italics": (
        "<p>x<b> bold </b>y <i>it</i> <strong><em>both</em></strong></p>",
        "x **bold** y *it* **both**",
    ),
    "no marks inside of a word": ("<p>f<b>oo</b>bar C<b>++</b> <em>a</em><em>b</em></p>", "foobar C++ ab"),
    "no marks around signs, nothing or breaks": ("<p><em>,</em> <b></b> <b>a<br>b</b></p>", ", a  \nb"),
    "the same marks once": ("<p><b><strong>x</strong></b></p>", "**x**"),
    "inline code": (
        "<p><code>a`b</code> <code>`</code> <tt>t\n t</tt> <kbd>Ctrl</kbd></p>",
        "`` a`b `` `` ` `` `t t` `Ctrl`",
    ),
    "code with breaks": ("<p><code>a<br>b<i>c</i></code></p>", "`a`  \n`bc`"),
    "code of Sphinx": ('<p><code class="x"><span class="pre">f(\u200bx)</span></code></p>', "`f(x)`"),
    "empty code": ("<p>a <code></code></p>", "a"),
    "marks of text": (
        "<p>H<sub>2</sub>O 2<sup>10</sup> 4<sup>th</sup> <del>no</del> <mark>m</mark> <q>q</q></p>",
        "H<sub>2</sub>O 2<sup>10</sup> 4th ~~no~~ m “q”",
    ),
    "an abbreviation keeps its title to itself": ('<p><abbr title="x">API</abbr></p>', "API"),
    "ruby": ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>", "漢(kan)"),
    "variables and samples": ("<p><var>x</var> <samp>out</samp></p>", "*x* `out`"),
    "breaks": ("<p>a<br>b<br><br>c</p>", "a  \nb\n\nc"),
    "escapes": (
        "<p>a*b* 2 * 3 snake_case _x __init__ &lt;div> &amp;amp; x[0](y) `t` back\\slash \\* ~~n~~ <b>a</b>&lt;</p>",
        (
            "a\\*b\\* 2 * 3 snake_case \\_x \\_\\_init\\_\\_ \\<div> \\&amp; x[0\\](y) \\`t\\` back\\slash "
            "\\\\\\* \\~\\~n\\~\\~"
            " **a**\\<"
        ),
    ),
    "no false blocks": (
        "<p># h</p><p>1. n</p><p>- i</p><p>+1</p><p>---</p><p>&gt; q</p><p>: d</p><p>[a]: b</p><p>| t</p>",
        "\\# h\n\n1\\. n\n\n\\- i\n\n+1\n\n\\---\n\n\\> q\n\n\\: d\n\n\\[a]: b\n\n\\| t",
    ),
    "unknown elements are what they hold": (
        "<note>a</note>b<important><p>c</p></important>d<x-y>e</x-y>",
        "ab\n\nc\n\nde",
    ),
    "what nobody reads": ("<script>x</script><style>y</style><template>z</template><noscript>n</noscript>a", "a"),
    "rules and quotations": ("<p>a</p><hr><hr><blockquote><p>q</p><p>r</p></blockquote>", "a\n\n---\n\n> q\n>\n> r"),
    "an indented list is no quotation": ("<blockquote><div><ul><li>a</li></ul></div></blockquote>", "- a"),
    "a rule at the beginning is none": ("<hr><p>a</p>", "a"),
    "a drawing says its words": ("<svg><text>A</text><text>B</text></svg><svg><path/></svg>", "A B"),
    "forms": (
        (
            '<label>Name</label><input value="me"><select><option>a<option>b</select><button>Send</button>'
            '<button class="copy">Copy</button><input type="hidden" value="x">'
        ),
        "Name me a, b Send",
    ),
    "films and frames": (
        '<iframe src="v" title="A film"></iframe> <video><source src="m.mp4"></video> <iframe></iframe>',
        "[A film](v) [Video](m.mp4)",
    ),
    "text in attributes": (
        (
            '<p>x<sup class="vt-badge" data-text="3.5+"></sup> <i class="badge" title="new"></i>'
            '<span class="icon" title="no"></span></p>'
        ),
        "x (3.5+) (new)",
    ),
    "tasks": (
        (
            '<ul><li class="task-list-item"><input type="checkbox" checked>done</li>'
            '<li class="task-list-item"><input type="checkbox">open</li></ul>'
        ),
        "- [x] done\n- [ ] open",
    ),
    "lines of verse": ('<div class="line-block"><div class="line">a</div><div class="line">b</div></div>', "a  \nb"),
}

LINKS = {
    "absolute": ('<a href="../x y.html#a(b)">t</a>', "[t](https://docs.example/x%20y.html#a(b))"),
    "in the folder": ('<a href="b.html?x=1">t</a>', "[t](https://docs.example/guide/b.html?x=1)"),
    "in the page": ('<a href="#top">t</a>', "[t](https://docs.example/guide/page.html#top)"),
    "elsewhere": ('<a href="https://other.example/(">t</a>', "[t](https://other.example/%28)"),
    "bare": ('<a href="https://other.example/a_b">https://other.example/a_b</a>', "https://other.example/a_b"),
    "to nowhere": ('<a href="javascript:f()">a</a> <a href="">b</a> <a name="x">c</a> <a href="//[">d</a>', "a b c d"),
    "without text": ('x <a href="#a"></a><a href="/i"><img src="i.png"></a>', "x"),
    "after an exclamation": ('Hi!<a href="/a"> b </a>c', "Hi\\! [b](https://docs.example/a) c"),
    "with half a bracket": ('<a href="/a">[b</a>', "[\\[b](https://docs.example/a)"),
    "code in a link and a link in code": (
        '<a href="/a"><code>f</code></a> <code><a href="/b">g</a></code> <code>h<a href="/c">i</a></code>',
        "[`f`](https://docs.example/a) [`g`](https://docs.example/b) `hi`",
    ),
    "images": (
        (
            '<img alt="a [b]" src="i.png"> <img src="j.png"><img alt="d" src="data:x"><a href="/a"><img '
            'alt="c" src="k.png"></a>'
        ),
        (
            "![a \\[b\\]](https://docs.example/guide/i.png) "
            "d[![c](https://docs.example/guide/k.png)](https://docs.example/a)"
        ),
    ),
    "a card": (
        '<a href="/c"><h3>Card</h3><p>Text</p></a><a href="/d"><p>Only text</p></a>',
        "### [Card](https://docs.example/c)\n\nText\n\n[Only text](https://docs.example/d)",
    ),
    "furniture": (
        '<p>a<a class="headerlink" href="#a">¶</a><a class="viewcode-back" href="#b">[docs]</a><a href="#x">#</a></p>',
        "a",
    ),
}

HEADINGS = {
    "the id of DocBook's section": (
        '<div class="sect2" id="S"><div class="titlepage"><div><div><h3 class="title">a b</h3></div></div></div></div>',
        "### a b {#S}",
    ),
    "no id of what is no title page": (
        '<div id="S"><p>x</p><div class="y"><div><h3>a b</h3></div></div></div>',
        "x\n\n### a b",
    ),
    "a title page of nothing": ('<div class="titlepage"><h3>a b</h3></div>', "### a b"),
    "ids": (
        '<h2 id="x-y">X y<a class="headerlink" href="#x-y">¶</a></h2><h2 id="zz">X <em>y</em></h2>',
        "## X y\n\n## X y {#zz}",
    ),
    "ids of sections and anchors": (
        (
            '<section id="s"><h2>A</h2></section><h3><a id="old"></a><code>f()</code></h3><a name="n"></a><h4>B</h4>'
            '<section id="t"><header><h2>C</h2></header></section><h2>D<a class="header-anchor" href="#d2">#</a></h2>'
        ),
        "## A {#s}\n\n### `f()` {#old}\n\n#### B {#n}\n\n## C {#t}\n\n## D {#d2}",
    ),
    "no links and marks in them": (
        '<h2><a href="/a">A</a> <b>b</b><sup>2</sup><sub>3</sub></h2><h3></h3><h4>C#</h4>',
        "## A b23\n\n#### C\\#",
    ),
    "no ids that cannot be written": ('<h2 id="a b">A</h2>', "## A"),
    "in lists they are bold": ("<ul><li><div><h3>A</h3></div>b</li></ul>", "- **A**\n\n  b"),
    "rubrics": (
        '<p class="rubric">Rub</p><p class="rubric"></p><div class="topic-title"><p>t</p></div>',
        "**Rub**\n\nt",
    ),
    "a title of Doxygen": (
        '<div class="headertitle"><div class="title">T</div></div><div class="headertitle"></div>',
        "# T",
    ),
    "figures": (
        (
            '<figure><img src="f.png" alt="F"><figcaption>Cap <b>b</b></figcaption></figure><figcaption><p>'
            "p</p></figcaption>"
        ),
        "![F](f.png)\n\nCap **b**\n\np",
    ),
}

LISTS = {
    "nested": ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
    "numbered": ("<ol start=9><li>a</li><li>b<p>c</p></li></ol>", "9. a\n\n10. b\n\n    c"),
    "with code and tables": (
        "<ul><li>a<pre>x\n\ny</pre></li><li><table><tr><td>1<td>2</table></li></ul>",
        "- a\n\n  ```\n  x\n\n  y\n  ```\n\n- |  |  |\n  | --- | --- |\n  | 1 | 2 |",
    ),
    "a list right inside a list": ("<ul><li>a</li><ul><li>b</li></ul><p>c</p></ul>", "- a\n  - b\n- c"),
    "items with headings are sections": ('<ul class="blockList"><li><h3>A</h3>a</li></ul>', "### A\n\na"),
    "text where only items may be": ("<ul>x<li>a</li>y</ul><dl>z<dt>a</dt></dl>", "xy\n\n- a\n\nz\n\n- **a**"),
    "empty": ("<ul><li></li></ul><dl></dl>a", "a"),
    "terms": (
        "<dl><dt>T</dt><dt><code>--u</code></dt><dd>d</dd><dt>V</dt><dd><pre>c</pre></dd><dd>more</dd></dl>",
        "- **T**, `--u` – d\n- **V**\n  - ```\n    c\n    ```\n  - more",
    ),
    "several definitions of one term": (
        "<dl><dd>lone</dd><dt>Parameters:</dt><dd>a</dd><dd><code>b</code> - B</dd><dt></dt><dd>x</dd></dl>",
        "- lone\n- **Parameters**\n  - a\n  - `b` - B\n- x",
    ),
    "terms in divisions": ("<dl><div><dt>T</dt><dd><ul><li>a</li></ul></dd></div></dl>", "- **T**\n  - a"),
    "terms with ids": (
        "<dl><dt id=a.b>T</dt><dt id='x y'>U</dt><dd>d</dd></dl>",
        '- <a id="a.b"></a>**T**, **U** – d',
    ),
    "terms with headings": (
        "<dl><dt>T</dt><dd><h3>A</h3>a</dd><dt><h3>B</h3></dt></dl>",
        "**T**\n\n### A\n\na\n\n### B",
    ),
    "classifiers": (
        '<dl><dt><strong>x</strong><span class="classifier">int</span></dt><dd>d</dd></dl>',
        "- `x` (int) – d",
    ),
    "fields": (
        (
            '<dl class="field-list"><dt>Parameters:</dt><dd><ul><li><p><strong>a</strong> (<em>int</em>) – '
            "d</p></li></ul></dd>"
            "<dt>Returns</dt><dd><p>r</p></dd><dt>Empty</dt><dd></dd></dl>"
        ),
        "**Parameters:**\n\n- `a` (*int*) – d\n\n**Returns:** r\n\n**Empty**",
    ),
    "fields in a table": ('<table class="field-list"><tr><th>Returns:</th><td>r</td></tr></table>', "**Returns:** r"),
    "an index of rustdoc": (
        (
            '<div class="item-table"><div class="item-row"><div><a href="s">S</a></div><div>A struct.</div></div>'
            '<div class="item-row"></div></div>'
        ),
        "- [S](s) – A struct.",
    ),
}

TABLES = {
    "spans and header rows": (
        (
            "<table><thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>b1<th>b2</thead>"
            "<tr><td rowspan=2>x|y<td>1<td>2<tr><td>3<td>4</table>"
        ),
        "| A | B / b1 | B / b2 |\n| --- | --- | --- |\n| x\\|y | 1 | 2 |\n| x\\|y | 3 | 4 |",
    ),
    "without a header": ("<table><tr><td>a<td>b<tr><td>c</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c |  |"),
    "nothing but headers": ("<table><tr><th>a<th>b<tr><th>c<th>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
    "foot and caption": (
        "<table><caption>Cap</caption><tfoot><tr><td>z<td>y</tfoot><tbody><tr><th>a<td>b</tbody></table>",
        "**Cap**\n\n|  |  |\n| --- | --- |\n| a | b |\n| z | y |",
    ),
    "blocks in cells": (
        "<table><tr><th>a<th>b<tr><td>t<ul><li>p<li><p>q</p></ul><h4>H</h4><td><pre>x\ny</pre><pre>one</pre></table>",
        "| a | b |\n| --- | --- |\n| t<br>- p<br>- q<br>**H** | (code 1 below)<br>`one` |\n\nCode 1:\n\n```\nx\ny\n```",
    ),
    "only an icon": (
        '<table><tr><th>a<th>b<tr><td><i title="yes"><s></s></i><td>x</table>',
        "| a | b |\n| --- | --- |\n| yes | x |",
    ),
    "layout": (
        (
            "<table><tr><td><p>a</p><td><table><tr><th>b<th>c</table></table><table role=presentation><tr>"
            "<td>d<td>e</table>"
        ),
        "a\n\n| b | c |\n| --- | --- |\n\nd\n\ne",
    ),
    "one column of data": ("<table><tr><th>a<tr><td>b</table>", "| a |\n| --- |\n| b |"),
    "no rows": ("<table></table><table><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |"),
    "text between rows": ("<table><tr>x<td>a</td><td>b</td></tr></table>", "x\n\n|  |  |\n| --- | --- |\n| a | b |"),
    "silly spans": (
        "<table><tr><td colspan=x>a<td rowspan=0>b<tr><td colspan=0>c</table>",
        "|  |  |\n| --- | --- |\n| a | b |\n| c | b |",
    ),
    "divisions of Javadoc": (
        (
            '<div class="summary-table"><div class="table-header">T</div><div class="table-header">D</div>'
            "<div>a</div><div>b</div></div>"
            '<div class="summary-table"><div>x</div></div>'
        ),
        "| T | D |\n| --- | --- |\n| a | b |\n\nx",
    ),
}


@pytest.mark.parametrize(("source", "expected"), PROSE.values(), ids=PROSE.keys())
def test_prose(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "expected"), LINKS.values(), ids=LINKS.keys())
def test_links(source: str, expected: str) -> None:
    assert markdown(source, base=BASE) == expected


@pytest.mark.parametrize(("source", "expected"), HEADINGS.values(), ids=HEADINGS.keys())
def test_headings(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "expected"), LISTS.values(), ids=LISTS.keys())
def test_lists(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "expected"), TABLES.values(), ids=TABLES.keys())
def test_tables(source: str, expected: str) -> None:
    assert markdown(source) == expected


def test_links_stay_as_they_are_without_a_base() -> None:
    assert markdown('<a href="a/../b">t</a>') == "[t](a/../b)"


def test_what_is_left_out_is_left_out_with_all_that_it_holds() -> None:
    root = body(
        "<p>a <b>b</b></p><ul><li>c</li><li>d</li></ul><pre>e<i>f</i></pre><table><tr><td>g<td>h<tr><td>i<td>j</table>"
    )
    skip = (
        {root[0][0], root[1][1], root[2][0], root[3][0][0][1], root[3][0][1]}
        if root[3][0].tag == "tbody"
        else {root[0][0], root[1][1], root[2][0], root[3][1]}
    )
    shown = render(root, RenderOptions(skip=skip)).markdown
    assert shown == "a\n\n- c\n\n```\ne\n```\n\n|  |  |\n| --- | --- |\n| g | h |"


def test_an_element_that_is_a_block_itself_is_rendered_as_one() -> None:
    assert render(body("<pre>x</pre>")[0], RenderOptions()).markdown == "```\nx\n```"


def test_inline_is_one_line() -> None:
    element = body("<div>a <b>b</b><p>c</p><pre>d\ne</pre><script>x</script><ul><li>f</li></ul></div>")[0]
    assert render_inline(element, RenderOptions()) == "a **b** c `d e` f"


def test_only_the_visible() -> None:
    shown = markdown(
        '<p>a <img src="b.png" alt="c"></p>'
        "<details><summary>s</summary>t</details><details open><summary>u</summary>v</details>",
        visible=True,
    )
    assert shown == "a\n\n**s**\n\nt\n\n**u**\n\nv"
