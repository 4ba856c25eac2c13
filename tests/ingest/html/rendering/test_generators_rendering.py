"""What generators of documentation write, in small: code, tabs, call-outs, notes of versions, formulas, footnotes."""

import pytest

from ingest.html.rendering.trees import body, markdown, rendered
from refdesk.ingest.html.rendering import RenderOptions, render

CODE = {
    "a terminal that a script draws": (
        '<div class="termy"><pre>$ &lt;font<span> </span>color="#fff"&gt;cart&lt;/font&gt; &lt;name&gt;</pre></div>',
        "```console\n$ cart <name>\n```",
    ),
    "a terminal without a block": ('<div class="termy"><p>a</p></div>', "a"),
    "devdocs": ('<pre data-language="python">\na\n\n  b </pre>', "```python\na\n\n  b\n```"),
    "sphinx": (
        (
            '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span><span '
            'class="linenos">1</span>'
            '<span class="k">x</span>\r\n<span class="hll">y\n</span></pre></div></div>'
        ),
        "```python3\nx\ny\n```",
    ),
    "the default language of sphinx is looked at": (
        '<div class="highlight-default"><div class="highlight"><pre>&gt;&gt;&gt; f(1)\n1</pre></div></div>',
        "```pycon\n>>> f(1)\n1\n```",
    ),
    "prism, hljs, brushes": (
        (
            '<pre><code class="hljs language-ts">a</code></pre><pre class="brush: js; x">b</pre><pre '
            'class="sourceCode bash">'
            '<code>c</code></pre><pre class="language-text">d</pre><pre lang="en">e</pre><pre lang="go">f</pre>'
        ),
        "```ts\na\n```\n\n```js\nb\n```\n\n```bash\nc\n```\n\n```\nd\n```\n\n```\ne\n```\n\n```go\nf\n```",
    ),
    "docusaurus": (
        (
            '<div class="language-ts codeBlockContainer_x"><div class="codeBlockTitle_y">a.ts</div><div>'
            '<pre class="prism-code">'
            '<code><span class="token-line" style="x"><span>a</span><br></span><span class="token-line">'
            "b<br></span></code></pre>"
            '<div class="buttonGroup_z"><button aria-label="Copy code to clipboard"></button></div></div></div>'
        ),
        "a.ts\n\n```ts\na\nb\n```",
    ),
    "lines that are divisions": (
        '<pre><div class="token-line">a</div><div class="token-line">\n</div><div>b</div><div></div></pre>',
        "```\na\n\nb\n```",
    ),
    "lines that are spans": (
        '<pre><code><span class="line">a</span><span class="line">b</span></code></pre>',
        "```\na\nb\n```",
    ),
    "vitepress": (
        (
            '<div class="language-js line-numbers-mode"><button title="Copy Code" class="copy"></button>'
            '<span class="lang">js</span>'
            '<pre class="shiki"><code><span class="line">a</span>\n<span class="line">b</span></code></pre>'
            '<div class="line-numbers-wrapper"><span class="line-number">1</span><br><span '
            'class="line-number">2</span></div></div>'
        ),
        "```js\na\nb\n```",
    ),
    "a word of class lang elsewhere": ('<p><span class="lang">js</span></p>', "js"),
    "a table of line numbers": (
        (
            '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><div '
            'class="highlight-c"><pre>a\nb</pre></div></td></tr></table>'
        ),
        "```c\na\nb\n```",
    ),
    "a table of lines inside of code": (
        (
            '<pre><code><table><tr><td class="gutter">1</td><td class="code">a</td></tr><tr><td class="gutter">2</td>'
            '<td class="code">b</td></tr></table></code></pre>'
        ),
        "```\na\nb\n```",
    ),
    "doxygen": (
        (
            '<div class="fragment"><div class="line"><span class="lineno">1</span>int&nbsp;x;</div><div '
            'class="line">y</div></div>'
            '<div class="fragment"><p>t</p></div>'
        ),
        "```\nint x;\ny\n```\n\nt",
    ),
    "javadoc": ('<div class="member-signature"><span>int</span>&nbsp;f()</div>', "```java\nint f()\n```"),
    "mdbook": (
        (
            '<pre><pre class="playground"><code class="language-rust">a\n<span class="boring">b\n</span>'
            "</code></pre></pre>"
        ),
        "```rust\na\nb\n```",
    ),
    "rustdoc": (
        (
            '<div class="example-wrap"><pre class="rust rust-example-rendered"><code>a</code></pre>'
            '<a class="test-arrow" href="/p">Run</a></div>'
        ),
        "```rust\na\n```",
    ),
    "rustdoc beside a declaration": (
        (
            '<section><span class="rightside"><span class="since">1.20.0</span> · <a class="srclink">source</a></span>'
            '<h4 class="code-header">fn deref</h4></section>'
        ),
        "#### fn deref",
    ),
    "words beside": ('<p>a <span class="rightside">b</span></p>', "a b"),
    "twins of node": (
        (
            '<pre><input type="checkbox"><code class="language-js mjs">a</code><code class="language-js '
            'cjs">b</code></pre>'
        ),
        '<tab label="ESM">\n\n```js\na\n```\n\n</tab>\n\n<tab label="CommonJS">\n\n```js\nb\n```\n\n</tab>',
    ),
    "two pieces of code in one place": (
        '<pre><code class="language-a">a</code><code class="language-b">b</code></pre>',
        "```a\na\n```\n\n```b\nb\n```",
    ),
    "what is in code besides": (
        '<pre>a<img alt=":)"><!-- c --><script>s</script><button>Copy</button> b</pre>',
        "```\na:) b\n```",
    ),
    "fences in code": ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
    "empty code": ("<pre> \n</pre>a", "a"),
    "a text area": ("<textarea>\na\nb</textarea>", "```\na\nb\n```"),
}

TABS = {
    "material": (
        (
            '<div class="tabbed-set"><input checked><input><div class="tabbed-labels"><label>A "q"</label>'
            "<label>B</label></div>"
            '<div class="tabbed-content"><div class="tabbed-block"><p>a</p></div><div class="tabbed-block">'
            "<p>b</p></div></div></div>"
        ),
        ["A &quot;q&quot;", "B"],
    ),
    "sphinx-design": (
        (
            '<div class="sd-tab-set"><input><label class="sd-tab-label">A</label><div '
            'class="sd-tab-content"><p>a</p></div>'
            "<input checked><label>B</label><div><p>b</p></div></div>"
        ),
        ["A", "B"],
    ),
    "sphinx-tabs": (
        (
            '<div class="sphinx-tabs"><div role="tablist"><button role="tab" id="t1">A</button><button '
            'role="tab" id="t2">B</button>'
            '</div><div role="tabpanel" aria-labelledby="t2"><p>b</p></div><div role="tabpanel" '
            'aria-labelledby="t1"><p>a</p></div></div>'
        ),
        ["B", "A"],
    ),
    "docusaurus": (
        (
            '<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">A</li><li '
            'role="tab" aria-selected="true">B'
            '</li></ul><div><div role="tabpanel" hidden><p>a</p></div><div role="tabpanel"><p>b</p></div></div></div>'
        ),
        ["A", "B"],
    ),
    "aria": (
        (
            '<x-tabs><div role="tablist"><button role="tab" aria-controls="p1">A</button><button role="tab" '
            'aria-controls="p2">B'
            '</button></div><section id="p1" role="tabpanel"><p>a</p></section><section id="p2" '
            'role="tabpanel"><p>b</p></section></x-tabs>'
        ),
        ["A", "B"],
    ),
    "bootstrap": (
        (
            '<ul class="nav nav-tabs"><li><a href="#p1">A</a></li><li><a data-bs-target="#p2">B</a></li>'
            '</ul><div class="tab-content">'
            '<div class="tab-pane" id="p1"><p>a</p></div><div class="tab-pane active" id="p2"><p>b</p></div></div>'
        ),
        ["A", "B"],
    ),
    "vitepress": (
        (
            '<div class="vp-code-group"><div class="tabs"><input><label>A</label><input><label '
            'data-title="B"></label></div>'
            '<div class="blocks"><div class="language-a active"><pre>a</pre></div><div class="language-b">'
            "<pre>b</pre></div></div></div>"
        ),
        ["A", "B"],
    ),
}

CALL_OUTS = {
    "sphinx": (
        '<div class="admonition warning"><p class="admonition-title">Warning</p><p>a</p><ul><li>b</li></ul></div>',
        "> **Warning:** a\n>\n> - b",
    ),
    "sphinx with a title of its own": (
        '<div class="admonition-x admonition"><p class="admonition-title">why?</p><p>a</p></div>',
        "> **Why?** a",
    ),
    "see also": (
        '<div class="admonition seealso"><p class="admonition-title">See also</p><p>a</p></div>',
        "> **See also:** a",
    ),
    "code in it": (
        '<div class="admonition tip"><p class="admonition-title">Tip</p><pre>a  \n\nb</pre></div>',
        "> **Tip:**\n> ```\n> a  \n>\n> b\n> ```",
    ),
    "material, closed": (
        '<details class="warning"><summary>Mind it</summary><p>a</p></details>',
        "> **Warning: Mind it:** a",
    ),
    "docusaurus": (
        (
            '<div class="theme-admonition theme-admonition-danger alert alert--danger"><div '
            'class="admonitionHeading_x">'
            '<span><svg></svg></span>careful</div><div class="admonitionContent_y"><p>a</p></div></div>'
        ),
        "> **Danger: careful:** a",
    ),
    "bootstrap": ('<div class="alert alert-secondary">a</div>', "> **Note:** a"),
    "vitepress": (
        '<div class="info custom-block"><p class="custom-block-title">INFO</p><p>a</p></div>',
        "> **Info:** a",
    ),
    "github": (
        '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p>a</p></div>',
        "> **Caution:** a",
    ),
    "asciidoc": (
        (
            '<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td>'
            '<td class="content">'
            'a</td></tr></table></div><div class="admonitionblock note">b</div>'
        ),
        "> **Tip:** a\n\n> **Note:** b",
    ),
    "docbook": ('<div class="important"><h3 class="title">Important</h3><p>a</p></div>', "> **Important:** a"),
    "doxygen": ('<dl class="section note"><dt>Note</dt><dd>a</dd></dl>', "> **Note:** a"),
    "javadoc": (
        (
            '<div class="deprecation-block"><span class="deprecated-label">Deprecated, for removal.</span>'
            '<div class="deprecation-comment">Use b.</div></div>'
        ),
        "> **Deprecated, for removal.** Use b.",
    ),
    "an aside": ('<aside class="note"><b>Note:</b> a</aside>', "> **Note:** a"),
    "roles": (
        '<div role="alert"><strong>Warning</strong> a</div><div role="note">b</div>',
        "> **Warning:** a\n\n> **Note:** b",
    ),
    "only a title": ('<div class="note"><p class="title">Just this.</p></div>', "> **Note:** Note: Just this."),
    "empty": ('<div class="note"></div>a', "a"),
    "node": (
        (
            '<div class="api_stability api_stability_0"><a href="s">Stability: 0</a> - Deprecated</div><div '
            'class="stab"></div>'
        ),
        "> [Stability: 0](s) - Deprecated",
    ),
    "no call-outs": (
        '<ul class="note"><li>a</li></ul><span class="warning">b</span><div class="message">c</div>',
        "- a\n\nb\n\nc",
    ),
    "in a list": ('<ul><li>a<div class="tip">b</div></li></ul>', "- a\n\n  > **Tip:** b"),
}

CHANGES = {
    "old wording": (
        '<div class="versionadded"><p><span class="versionmodified added">New in version 3.1: </span>a</p></div>',
        "**Added in version 3.1:** a",
    ),
    "new wording": (
        (
            '<div class="versionchanged"><p><span class="versionmodified changed">Changed in version '
            "20.1.0.</span></p></div>"
        ),
        "**Changed in version 20.1.0.**",
    ),
    "deprecated": (
        (
            '<div class="deprecated"><p><span class="versionmodified deprecated">Deprecated since version '
            "2.0: </span>a</p>"
            "<pre>b</pre></div>"
        ),
        "> **Deprecated since version 2.0:** a\n>\n> ```\n> b\n> ```",
    ),
    "deprecated and to be removed": (
        (
            '<div class="deprecated-removed"><p><span class="versionmodified deprecated">Deprecated since '
            "version 3.4, will be "
            "removed in version 3.12: </span>a</p></div>"
        ),
        "> **Deprecated since version 3.4, will be removed in version 3.12:** a",
    ),
    "removed": (
        (
            '<div class="versionremoved"><p><span class="versionmodified removed">Removed in version 3.0: '
            "</span>a</p></div>"
        ),
        "**Removed in version 3.0:** a",
    ),
    "without the directive's own mark": (
        '<div class="versionadded">New in 1.0.</div><div class="deprecated">Old.</div>',
        "New in 1.0.\n\n> **Deprecated:** Old.",
    ),
}

MATHS = {
    "sphinx": (
        (
            r'<span class="math notranslate">\(x_1^2\)</span> <div class="math"><span class="eqno">(1)</span>\[a\\'
            "\n\n"
            r"b\]</div>"
        ),
        "$x_1^2$\n\n$$\na\\\\\nb\n$$",
    ),
    "pictures": (
        '<span class="math"><img alt="x_1"></span><div class="math"><p><img alt="y"></p></div>',
        "$x_1$\n\n$$\ny\n$$",
    ),
    "katex, once": (
        (
            '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation '
            'encoding="application/x-tex">x_1'
            '</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span>'
        ),
        "$x_1$",
    ),
    "mathjax, once": (
        (
            '<p><span class="MathJax_Preview">z</span><span class="MathJax">z</span><script type="math/tex">'
            "z^2</script></p>"
        ),
        "$z^2$",
    ),
    "mathml": (
        (
            '<math alttext="a"><mi>b</mi></math> <math><mi>c</mi></math> <mjx-container><math alttext="d">'
            "</math></mjx-container>"
            "<mjx-container><math><mi>e</mi></math></mjx-container>"
        ),
        "$a$ c $d$ e",
    ),
    "text of this class": (
        '<div class="math"><p>words</p></div><p><span class="mathematics">m</span></p>',
        "words\n\nm",
    ),
    "nothing": ('<span class="math"> </span><div class="math"></div><math></math>a', "a"),
}

NOTES = {
    "sphinx": (
        (
            '<p>a<a class="footnote-reference" href="#f1">[1]</a></p><dl class="footnote brackets"><dt '
            'class="label"><span><a '
            'class="fn-backref" href="#x">1</a></span></dt><dd><p>n</p><pre>c</pre></dd></dl>'
        ),
        "a[^1]\n\n[^1]: n\n\n  ```\n  c\n  ```",
    ),
    "newer sphinx": (
        '<aside class="footnote"><span class="label"><span>[</span>2<span>]</span></span><p>n</p></aside>',
        "[^2]: n",
    ),
    "older sphinx": (
        (
            '<table class="footnote"><tr><td class="label">[3]</td><td>n</td></tr></table>'
            '<table class="footnote"><tr><td>a</td><td>b</td></tr></table>'
        ),
        "[^3]: n\n\n|  |  |\n| --- | --- |\n| a | b |",
    ),
    "citations": ('<dl class="citation"><dt class="label">[K]</dt><dd>n</dd></dl>', "\\[K] n"),
    "mkdocs": (
        (
            '<p>a<sup id="r"><a class="footnote-ref" href="#fn:x">1</a></sup></p><div class="footnote"><hr>'
            '<ol><li id="fn:x"><p>n <a '
            'class="footnote-backref" href="#r">↩</a></p></li></ol></div>'
        ),
        "a[^1]\n\n[^1]: n",
    ),
    "github": (
        (
            '<p>a<sup><a href="#user-content-fn-1" data-footnote-ref>1</a></sup></p><section class="footnotes"><ol><li '
            'id="user-content-fn-1">n</li></ol></section><div class="footnotes">none</div>'
        ),
        "a[^1]\n\n[^1]: n\n\nnone",
    ),
}


@pytest.mark.parametrize(("source", "expected"), CODE.values(), ids=CODE.keys())
def test_code(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "labels"), TABS.values(), ids=TABS.keys())
def test_every_panel_is_kept_with_its_label(source: str, labels: list[str]) -> None:
    found = rendered(source)
    lines = found.markdown.split("\n")
    assert [line for line in lines if line.startswith("<tab")] == [f'<tab label="{label}">' for label in labels]
    inside = [line for line in lines if line in ("a", "b")]
    assert inside == (["a", "b"] if labels[0].startswith("A") else ["b", "a"])
    assert not any("A B" in line or "AB" in line for line in lines)


@pytest.mark.parametrize("source", [one[0] for one in TABS.values()], ids=TABS.keys())
def test_every_panel_can_be_opened_and_so_is_visible(source: str) -> None:
    assert markdown(source, visible=True) == markdown(source)


@pytest.mark.parametrize(("source", "expected"), CALL_OUTS.values(), ids=CALL_OUTS.keys())
def test_call_outs(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "expected"), CHANGES.values(), ids=CHANGES.keys())
def test_what_a_version_changed(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "expected"), MATHS.values(), ids=MATHS.keys())
def test_formulas(source: str, expected: str) -> None:
    assert markdown(source) == expected


@pytest.mark.parametrize(("source", "expected"), NOTES.values(), ids=NOTES.keys())
def test_footnotes(source: str, expected: str) -> None:
    assert markdown(source) == expected


def test_tabs_that_filter_one_list_are_no_text() -> None:
    shown = markdown(
        '<div><div role="tablist"><button role="tab">All</button><button role="tab">Static</button></div>'
        '<div role="tabpanel"><p>a</p></div></div><ul role="tablist"><li role="tab">alone</li></ul>'
    )
    assert shown == "a\n\n- alone"


def test_panels_without_content_or_labels() -> None:
    shown = markdown(
        '<div class="tab-content"><div class="tab-pane"></div><div class="tab-pane" id="x"><p>b</p></div>'
        '<div class="tab-pane"><p>c</p></div></div><div class="tabbed-set"><p>d</p></div>'
    )
    assert shown == '<tab label="x">\n\nb\n\n</tab>\n\n<tab label="Tab 3">\n\nc\n\n</tab>\n\nd'


def test_tabs_inside_of_tabs() -> None:
    inner = '<div class="sd-tab-set"><label>In</label><div><p>i</p></div></div>'
    assert markdown(f'<div class="sd-tab-set"><label>Out</label><div>{inner}</div></div>') == (
        '<tab label="Out">\n\n<tab label="In">\n\ni\n\n</tab>\n\n</tab>'
    )


def test_details() -> None:
    assert (
        markdown(
            "<details>x<summary>Sum <b>m</b></summary>a<p>b</p></details><details>c</details>"
            "<details><summary><h3>H</h3></summary>d</details><details><summary>Show</summary>e</details>"
        )
        == "Sum **m**\n\nx\n\na\n\nb\n\nc\n\n### H\n\nd\n\ne"
    )


def test_what_is_left_out_of_code_tabs_and_details() -> None:
    root = body("<pre>a<b>x</b>b<i>c</i></pre><details><summary>s</summary>d</details>")
    skip = {root[0][0], root[1][0]}
    assert render(root, RenderOptions(skip=skip)).markdown == "```\nabc\n```\n\nd"


def test_twins_and_hidden_lines_where_only_the_visible_is_wanted() -> None:
    shown = markdown(
        '<pre><code class="language-js mjs">a</code><code class="language-js cjs">b</code></pre>'
        '<pre><code>c\n<span class="boring">d</span></code></pre>',
        visible=True,
    )
    lines = shown.split("\n")
    assert [one in lines for one in "abcd"] == [True, True, True, False]
