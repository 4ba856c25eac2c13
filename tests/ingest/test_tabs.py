"""Tabs of MkDocs and MyST become the panels that all other sources make."""

import pytest

from refdesk.ingest.tabs import panel, with_panels

MKDOCS = """\
Install:

=== "pip & uv"

    ```sh
    pip install x
    ```

    More.

=== "conda"
    conda install x

After.
"""


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def test_tabs_of_mkdocs_become_panels() -> None:
    assert lines(with_panels(MKDOCS)) == [
        "Install:",
        '<tab label="pip &amp; uv">',
        "```sh",
        "pip install x",
        "```",
        "More.",
        "</tab>",
        '<tab label="conda">',
        "conda install x",
        "</tab>",
        "After.",
    ]


def test_tabs_inside_of_tabs_and_items_keep_their_place() -> None:
    text = '- item\n\n    === "A"\n\n        === "B"\n\n            x\n'
    assert lines(with_panels(text)) == [
        "- item",
        '    <tab label="A">',
        '    <tab label="B">',
        "    x",
        "    </tab>",
        "    </tab>",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "//// tab | Linux\n\nx\n\n////\n\n//// tab | Windows\n\ny\n\n////\n",
        "::::{tab-set}\n:::{tab-item} Linux\n:sync: a\n:selected:\nx\n:::\n:::{tab-item} Windows\ny\n:::\n::::\n",
        "````{tab-set}\n```{tab-item} Linux\nx\n```\n```{tab-item} Windows\ny\n```\n````\n",
    ],
    ids=["pymdownx blocks", "MyST colons", "MyST back-ticks"],
)
def test_blocks_of_tabs_become_panels(text: str) -> None:
    assert lines(with_panels(text)) == [
        '<tab label="Linux">',
        "x",
        "</tab>",
        '<tab label="Windows">',
        "y",
        "</tab>",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=== \n\nx",
        '```md\n=== "A"\n\n    x\n```\n',
        "```md\n::::{tab-set}\n:::{tab-item} A\n:::\n::::\n```\n",
        ":::{note}\n:class: tip\nSee `{tab-item}`.\n:::\n",
        "/// tab is no label\n",
    ],
)
def test_what_only_speaks_of_tabs_stays(text: str) -> None:
    assert with_panels(text) in (text, text.rstrip("\n"))


def test_a_panel_has_its_label_on_one_line() -> None:
    assert panel('a\n"b"', ["x"]) == ['<tab label="a &quot;b&quot;">', "", "x", "", "</tab>"]
