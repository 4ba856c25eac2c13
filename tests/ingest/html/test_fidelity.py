"""Receipts: what is counted of a page and of its Markdown, and what is told of as lost."""

from collections.abc import Iterable

import pytest
from lxml.html import HtmlElement, fragment_fromstring

from refdesk.domain.entries import Counts
from refdesk.domain.markdown import blocks
from refdesk.ingest.html.fidelity import count_markdown, loss_of, receipt


def counted(html: str, markdown: str = "", skip: str = "") -> tuple[Counts, Counts, str]:
    content = fragment_fromstring(html, create_parent="main")
    left_out: Iterable[HtmlElement] = content.xpath(skip) if skip else ()
    found = receipt(content, frozenset(left_out), markdown, blocks(markdown))
    return found.before, found.after, found.loss


@pytest.mark.parametrize(
    ("html", "before"),
    [
        pytest.param("<pre>a b</pre><pre> </pre>", Counts(code=1, words=2), id="a pre with text is code"),
        pytest.param("<pre>1\n2\n3</pre>", Counts(words=3), id="numbers of lines are none"),
        pytest.param(
            "<table><tr><th>a<th>b<tr><td>1<td>2</table>", Counts(tables=1, words=4), id="two rows of two cells"
        ),
        pytest.param("<table><tr><td>a<td>b</table>", Counts(words=2), id="one row is a layout"),
        pytest.param("<table><tr><td>a <tr><td>b</table>", Counts(words=2), id="one column is a list"),
        pytest.param(
            "<table class='highlighttable'><tr><td><td>b <tr><td><td>d</table>", Counts(words=2), id="numbered code"
        ),
        pytest.param("<table role=presentation><tr><td>a <td>b <tr><td>c <td>d</table>", Counts(words=4), id="role"),
        pytest.param(
            "<div role=tabpanel>a</div> <div class='tabbed-block x'>b</div> <div>c</div>",
            Counts(panels=2, words=3),
            id="panels",
        ),
        pytest.param("<section><div role=tabpanel>a</div></section>", Counts(words=1), id="one panel is none"),
        pytest.param("<div class='note'><h3>Note</h3>a</div>", Counts(words=2), id="the title of a call-out"),
        pytest.param(
            "<section data-footnotes><h2>Footnotes</h2>a</section>", Counts(words=2), id="the title of footnotes"
        ),
        pytest.param(
            "<table class=memname><tr><td>f(<td>a<tr><td><td>b</table>", Counts(words=3), id="a declaration as a table"
        ),
        pytest.param("<pre class='rust item-decl'>fn a()</pre>", Counts(words=2), id="a declaration"),
        pytest.param("<h1>a</h1> <h2></h2> <h6><b>c</b></h6>", Counts(headings=2, words=2), id="headings with text"),
        pytest.param(
            "<a href=x>a</a> <a href='#y'>b</a> <a name=z>c</a> <a href=w></a>", Counts(links=1, words=3), id="a"
        ),
    ],
)
def test_a_page_is_counted_as_it_was_served(html: str, before: Counts) -> None:
    assert counted(html)[0] == before


def test_what_cleaning_took_out_is_not_counted() -> None:
    html = (
        "<h1>Title<a class=out href='x'>mark</a></h1><nav class=out><h2>Menu</h2><ul><li class=out><a href=b>b</a>"
        "</ul><pre>x y</pre><pre>menu</pre></nav><pre>x y</pre><script class=out>one two</script>"
        "<h3 class=out>gone</h3>"
    )
    assert counted(html, skip=".//*[@class='out']")[0] == Counts(code=1, headings=1, words=3)


@pytest.mark.parametrize(
    ("markdown", "after"),
    [
        pytest.param("```py\na b\n```\n\n    c d\n", Counts(code=2, words=5), id="fences and indented code"),
        pytest.param("# A {#x-y}\n\n## B\n", Counts(headings=2, words=2), id="headings without their ids"),
        pytest.param("| a | b |\n| --- | --- |\n| 1 | 2 |\n", Counts(tables=1, words=4), id="tables"),
        pytest.param('<tab label="npm">\n\nx\n\n</tab>\n', Counts(panels=1, words=1), id="panels without their labels"),
        pytest.param('[a b](http://x.y/z "t") ![c](<d e>)', Counts(links=2, words=3), id="links without their targets"),
        pytest.param("[a](b_(c)) d", Counts(links=1, words=2), id="a target with brackets"),
    ],
)
def test_markdown_is_counted_without_its_signs(markdown: str, after: Counts) -> None:
    assert count_markdown(markdown, blocks(markdown)) == after


@pytest.mark.parametrize(
    ("html", "markdown", "kept"),
    [
        pytest.param("<pre>a\n  b</pre>", "```\na\n  b\n```\n", 1, id="a fence"),
        pytest.param("<pre>a\n  b</pre>", "- x\n\n  ```\n  a\n    b\n  ```\n", 1, id="in a list"),
        pytest.param("<pre>a\n  b</pre>", "> ```\n> a\n>   b\n> ```\n", 1, id="in a quotation"),
        pytest.param("<pre>a\n  b</pre>", "text\n\n    a\n      b\n", 1, id="an indented block"),
        pytest.param("<pre>&gt;&gt;&gt; a</pre>", "```\na\n```\n", 1, id="without its prompt"),
        pytest.param("<pre>a b</pre><pre>a b</pre>", "```\na b\n```\n", 1, id="one of two that are equal"),
        pytest.param("<pre>a b</pre>", "```\na c\n```\n", 0, id="another text"),
        pytest.param("<pre>a b</pre>", "```\na b\n", 1, id="a fence that is not closed"),
        pytest.param("<pre># a b</pre>", "# a b\n", 0, id="code that became a heading"),
        pytest.param("<p>a b</p>", "```\ndef f()\n```\n", 0, id="a declaration is no code of the page"),
    ],
)
def test_code_is_kept_where_its_text_is_in_a_block(html: str, markdown: str, kept: int) -> None:
    assert counted(html, markdown)[1].code == kept


@pytest.mark.parametrize(
    ("before", "after", "loss"),
    [
        pytest.param(Counts(1, 1, 1, 1, 100, 9), Counts(1, 1, 1, 1, 91, 0), "", id="nearly all words, no links"),
        pytest.param(Counts(words=100), Counts(words=89), "11 of 100 words", id="words"),
        pytest.param(Counts(headings=1), Counts(headings=4), "", id="more than there was"),
        pytest.param(
            Counts(3, 2, 2, 5),
            Counts(1, 1, 1, 4),
            "2 of 3 blocks of code, 1 of 2 tables, 1 of 2 panels of tabs, 1 of 5 headings",
            id="structure",
        ),
    ],
)
def test_loss_beyond_the_set_share_is_told_of(before: Counts, after: Counts, loss: str) -> None:
    assert loss_of(before, after) == loss


def test_a_receipt_holds_both_sides_and_the_loss() -> None:
    assert counted("<h1>A</h1><pre>x</pre><p>y z b c d e f g h", "# A\n\ny z b c d e f g h\n") == (
        Counts(code=1, headings=1, words=11),
        Counts(headings=1, words=10),
        "1 of 1 blocks of code",
    )


def test_code_in_the_cell_of_a_table_is_kept() -> None:
    html = "<pre>SELECT 'a|b'\nFROM t</pre><pre>gone</pre>"
    markdown = "| a | b |\n| --- | --- |\n| x | `SELECT 'a\\|b'`<br>`FROM t` |\n"
    before, after, loss = counted(html, markdown)
    assert (before.code, after.code, loss) == (2, 1, "1 of 2 blocks of code")
