"""MDX and Markdoc: components go, their text and labels stay."""

import pytest

from sites import page_of, parsed

TABS = """\
import Tabs from '@theme/Tabs';
import {
  TabItem,
} from "@theme/TabItem";
import Sample from '!!raw-loader!./sample.py';
import Part from './part.mdx';
import Chart from './Chart.jsx';
import Gone from './gone.py';

export const x = {
  a: 1,
};
# Title {/* #top */}

{/* a comment */}

<Tabs>
  <TabItem value="py" label="Python">

    ```python
    import os
    ```

    Text of the tab.

  </TabItem>
  <TabItem value="js">

    ```js
    import x from "y";
    ```

  </TabItem>
</Tabs>

<CodeBlock language="python">{Sample}</CodeBlock>

<Part />

<Chart />

<Gone />

After `<Tabs>`.
"""


def test_a_page_in_mdx_reads_like_markdown() -> None:
    page = page_of(
        TABS, "page.mdx", sample_py="print(1)\n", part_mdx="import A from 'a';\n\nShared <b>text</b>.\n", Chart_jsx=""
    )
    assert page.title == "Title"
    lines = [line for line in page.markdown.split("\n") if line.strip()]
    assert lines == [
        "# Title {/* #top */}",
        '<tab label="Python">',
        "```python",
        "import os",
        "```",
        "Text of the tab.",
        "</tab>",
        '<tab label="js">',
        "```js",
        'import x from "y";',
        "```",
        "</tab>",
        "```python",
        "print(1)",
        "```",
        "Shared <b>text</b>.",
        "[not included: ./gone.py]",
        "After `<Tabs>`.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<Note>Careful.</Note>", "**Note**\n\nCareful."),
        ('<Callout type="warning" title="Stop">Now.</Callout>', "**Warning: Stop**\n\nNow."),
        ('<Card\n  title="One"\n  href="/x"\n>\n  Text.\n</Card>', "**One**\n\n\nText."),
        ("<Badge />x", "x"),
        ("<Tab title={'A'}>x</Tab>", '<tab label="A">\n\nx\n\n</tab>'),
        ("<Step>x</Step>", "x"),
        ("</Lost>x", "x"),
        ("a < B > c", "a < B > c"),
        ("a <> b", "a <> b"),
        ("export const x = 1;\n\ny", "y"),
        ("export const x = {", ""),
    ],
)
def test_components_leave_their_text_and_labels(text: str, expected: str) -> None:
    assert page_of(f"# T\n\n{text}\n", "page.mdx").markdown.removeprefix("# T").strip() == expected


def test_markdown_with_tabs_is_read_as_mdx() -> None:
    text = '<Tabs>\n<TabItem label="A">\n\nText.\n\n</TabItem>\n</Tabs>\n'
    assert page_of(text).markdown.split() == ["<tab", 'label="A">', "Text.", "</tab>"]


def test_markdown_with_imports_and_components_is_read_as_mdx() -> None:
    assert page_of('import X from "x";\n\n<X>\n\nText.\n\n</X>\n').markdown.strip() == "Text."


def test_markdown_that_only_speaks_of_imports_stays() -> None:
    text = "import x\n\nText about `import x from 'y'`.\n"
    assert page_of(text).markdown == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{% callout type="note" title="Mind" %}\nText.\n{% /callout %}', "**Note: Mind**\n\n\nText."),
        ('{% tab label="npm" %}\nx\n{% /tab %}', '<tab label="npm">\n\n\nx\n\n\n</tab>'),
        ('{% tabs %}{% tab "bare" %}x{% /tab %}{% /tabs %}', '<tab label="bare">\n\nx\n\n</tab>'),
        ("{% br /%}x", "x"),
        ("```\n{% raw %}\n```", "```\n{% raw %}\n```"),
        ("`{% raw %}`", "`{% raw %}`"),
    ],
)
def test_markdoc_tags_leave_their_text_and_labels(text: str, expected: str) -> None:
    assert page_of(text, "page.mdoc").markdown.strip() == expected


def test_nothing_of_a_component_is_a_problem() -> None:
    assert parsed({"a.mdx": "<A>\n\ntext\n\n</A>\n"}).problems == ()
