"""Pages of reStructuredText: what an agent reads of them."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.markdown import balanced
from refdesk.ingest.restructured.converter import looks_like_rst
from sites import page_of, parsed
from texts import MARKDOWN

CODE = "import x\n\n# begin\ndef f():\n    return 1\n# end\n"
FUNCTION = "```python\ndef f():\n    return 1\n```"
PART = "Some ``part``.\n\n.. versionadded:: 1\n"


def converted(text: str, **files: str) -> str:
    return page_of(text.strip("\n") + "\n", "docs/page.rst", **files).markdown.rstrip("\n")


@pytest.mark.parametrize(
    ("rst", "markdown"),
    [
        ("Title\n=====\n\nSub\n---\n\nAgain\n=====", "# Title\n\n## Sub\n\n# Again"),
        ("=====\nTitle\n=====\n\nPart\n=====", "# Title\n\n## Part"),
        ("Text\n\n-----\n\nText", "Text\n\n---\n\nText"),
        ("One line\nand more\n\nAnother", "One line\nand more\n\nAnother"),
        ("# no heading", "\\# no heading"),
        ("- a\n- b\n\n  more\n\n* c", "- a\n- b\n\n  more\n\n- c"),
        ("1. a\n2. b\n#. c\na) d", "1. a\n2. b\n1. c\n1. d"),
        ("term\n    What it is.", "**term**\n\nWhat it is."),
        ("    quoted", "quoted"),
        ("    code = f(1)", "```python\ncode = f(1)\n```"),
        ("| line one\n| line two", "line one  \nline two"),
        (":Author: me\n:Long: a\n  b", "- **Author:** me\n- **Long:** a\n  b"),
        (":orphan:\n\ntext", "text"),
        (":empty:", "- **empty:**"),
        (">>> f(1)\n1", "```pycon\n>>> f(1)\n1\n```"),
        ("Like this::\n\n    x = 1\n\n    y = 2\n\nThen", "Like this:\n\n```python\nx = 1\n\ny = 2\n```\n\nThen"),
        ("Like this: ::\n\n    x", "Like this:\n\n```\nx\n```"),
        ("::\n\n    $ run", "```console\n$ run\n```"),
        ("::\n\n    >>> run", "```pycon\n>>> run\n```"),
        ("Ends so::\n\nno code", "Ends so:\n\nno code"),
        (".. highlight:: yaml\n\nx::\n\n    a: 1", "x:\n\n```yaml\na: 1\n```"),
        (".. a comment\n   of two lines\n\ntext", "text"),
        (".. [1] A note\n   goes on.", "[^1]: A note goes on."),
    ],
)  # fmt: skip
def test_body_elements(rst: str, markdown: str) -> None:
    assert converted(rst) == markdown


@pytest.mark.parametrize(
    ("rst", "markdown"),
    [
        ("``x = `y` ``", "`` x = `y` ``"),
        ("``code`` **bold** *em*", "`code` **bold** *em*"),
        ("`site <https://x.org>`_ and `other <https://y.org>`__", "[site](https://x.org) and [other](https://y.org)"),
        ("`<https://x.org>`_", "<https://x.org>"),
        ("Home_ and `a page`_\n\n.. _Home: https://h\n.. _a page: https://p", "[Home](https://h) and [a page](https://p)"),
        ("`x <Home_>`_\n\n.. _Home: https://h.org", "[x](https://h.org)"),
        ("`lost`_ and lost_ and `x <lost_>`_", "lost and lost_ and x"),
        (":func:`a.b` :class:`~a.B` :meth:`!c`", "`a.b` `B` `c`"),
        (":class:`the client <a.Client>`", "`the client`"),
        (":ref:`guide` :doc:`The page </x>` :term:`word`", "guide The page word"),
        (":py:func:`f` :c:type:`T`", "`f` `T`"),
        (":pep:`8` :rfc:`x` :issue:`12`", "PEP 8 x #12"),
        (":math:`a^2` :strong:`s` :emphasis:`e`", "$a^2$ **s** *e*"),
        ("`default`", "`default`"),
        ("|name| and |other|\n\n.. |name| replace:: the thing\n.. |logo| image:: x.png", "the thing and |other|"),
        ("Note [1]_ and [#f]_", "Note [^1] and [^f]"),
        ("``x``\\s and\\ no", "`x`s andno"),
        ("snake_case_ and __init__", "snake_case_ and __init__"),
    ],
)  # fmt: skip
def test_inline_markup(rst: str, markdown: str) -> None:
    assert converted(rst) == markdown


@pytest.mark.parametrize(
    ("rst", "markdown"),
    [
        (".. code-block:: python\n   :caption: a.py\n\n   x = 1\n\n   y", "**a.py**\n\n```python\nx = 1\n\ny\n```"),
        (".. code::\n\n   x", "```\nx\n```"),
        (".. code-block:: js\n", ""),
        (".. parsed-literal:: \n\n   x", "```\nx\n```"),
        (".. doctest::\n\n   >>> x", "```pycon\n>>> x\n```"),
        (".. code-tab:: bash Shell\n\n   x", '<tab label="Shell">\n\n```bash\nx\n```\n\n</tab>'),
        (".. note:: Mind\n   this.\n\n   More.", "> **Note:** Mind\n> this.\n>\n> More."),
        (".. warning::\n\n   No.", "> **Warning:** No."),
        (".. seealso:: That", "> **See also:** That"),
        (".. admonition:: Use it.\n\n   Text", "> **Use it.** Text"),
        (".. versionadded:: 2.0", "**Added in version 2.0.**"),
        (".. versionchanged:: 2.1\n   The default.", "**Changed in version 2.1:** The default."),
        (".. deprecated:: 3.0 Use x.", "> **Deprecated since version 3.0:** Use x."),
        (".. image:: a.png\n   :alt: A picture", "![A picture](a.png)"),
        (".. image:: a.png\n   :alt: A long\n     picture", "![A long picture](a.png)"),
        (".. figure:: a.png\n\n   Caption.", "![](a.png)\n\nCaption."),
        (".. toctree::\n   :maxdepth: 1\n\n   First <a>\n   b", "- First\n- b"),
        (".. toctree::\n   :hidden:\n\n   a", ""),
        (".. contents::\n   :local:\n\ntext", "text"),
        (".. math:: a\n\n   b", "```math\na\nb\n```"),
        (".. math::\n\n   b", "```math\nb\n```"),
        (".. rubric:: Footnotes", "**Footnotes**"),
        (".. tab-set::\n\n   .. tab-item:: Python\n\n      Text", '<tab label="Python">\n\nText\n\n</tab>'),
        (".. dropdown::\n\n   Text", "Text"),
        (".. only:: html\n\n   Text", "Text"),
        (".. automodule:: httpx\n   :members:", "`httpx`"),
        (".. unknown:: Argument\n\n   Content", "Argument\n\nContent"),
        (".. function:: f(a, *, b=1)\n\n   Does it.", "## `f(a, *, b=1)`\n\nDoes it."),
        (".. py:method:: a()\n              b()\n\n   Text", "## `a()`\n\n`b()`\n\nText"),
        (".. class:: A\n\n   Text\n\n   .. method:: m()\n\n      More", "## `A`\n\nText\n\n### `m()`\n\nMore"),
        (".. function:: f()\n              g()", "`f()`  \n`g()`"),
        (".. function::\n\n   Text", "Text"),
        ("T\n=\n\n.. setting:: DEBUG\n\nDEBUG\n-----\n\nx", '# T\n\n<a id="DEBUG"></a>\n\n## DEBUG\n\nx'),
        (".. _label:\n\nTitle\n=====", '<a id="label"></a>\n\n# Title'),
        (".. _one:\n.. _two:\n\nTitle\n=====", '<a id="one"></a>\n\n<a id="two"></a>\n\n# Title'),
        (".. _label:\n\nJust text", "Just text"),
    ],
)
def test_directives(rst: str, markdown: str) -> None:
    text = f"first\n\n{rst}" if not markdown else rst
    assert converted(text).removeprefix("first").strip("\n") == markdown


@pytest.mark.parametrize(
    ("rst", "markdown"),
    [
        ("""
         +-----+------+
         | a   | b    |
         +=====+======+
         | 1   | two  |
         |     | more |
         +-----+------+
         """, "| a | b |\n| --- | --- |\n| 1 | two more |"),
        ("""
         +---+---+
         | 1 | 2 |
         +---+---+
         """, "|  |  |\n| --- | --- |\n| 1 | 2 |"),
        ("""
         +---+---+
         | over  |
         +---+---+
         | 1 | 2 |
         +---+---+
         """, "```text\n+---+---+\n| over  |\n+---+---+\n| 1 | 2 |\n+---+---+\n```"),
        ("""
         +---+---+
         | 1 | 2 |
         +---+   |
         | 3 | 4 |
         +-------+
         """, "```text\n+---+---+\n| 1 | 2 |\n+---+   |\n| 3 | 4 |\n+-------+\n```"),
        ("""
         ====  =========
         name  text
         ====  =========
         a     ``x | y``
               goes on
         b
         ====  =========
         """, "| name | text |\n| --- | --- |\n| a | `x \\| y` goes on |\n| b |  |"),
        ("""
         === ===
         1   2
         === ===
         """, "|  |  |\n| --- | --- |\n| 1 | 2 |"),
        ("""
         +---+---+
         | 1 | 2 |
         +-------+
         | 3     |
         +-------+
         """, "```text\n+---+---+\n| 1 | 2 |\n+-------+\n| 3     |\n+-------+\n```"),
        ("""
         === ===
         a   b
         === ===
         1   2
         --- ---

         3   4
         === ===
         """, "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"),
        (".. list-table::\n\n   lost\n\n   * - 1", "|  |\n| --- |\n| 1 |"),
        ("=== ===", ""),
        ("""
         .. list-table:: Things
            :header-rows: 1

            * - a
              - b
            * - 1
              - two
                lines
            * -
              - x
         """, "**Things**\n\n| a | b |\n| --- | --- |\n| 1 | two lines |\n|  | x |"),
        ("""
         .. csv-table::
            :header: a, "b, c"

            1, 2
         """, "| a | b, c |\n| --- | --- |\n| 1 | 2 |"),
        ("""
         .. table:: Titled

            === ===
            a   b
            === ===
            1   2
            === ===
         """, "**Titled**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ],
)  # fmt: skip
def test_tables(rst: str, markdown: str) -> None:
    text = dedent(rst).strip("\n")
    assert converted(text if markdown else f"first\n\n{text}").removeprefix("first").strip("\n") == markdown


@pytest.mark.parametrize(
    ("rst", "markdown"),
    [
        (".. literalinclude:: ../x.py\n   :pyobject: f\n   :caption: x.py", f"**x.py**\n\n{FUNCTION}"),
        (".. literalinclude:: ../x.py\n   :lines: 1\n   :language: py", "```py\nimport x\n```"),
        (".. literalinclude:: ../x.py\n   :start-after: # begin\n   :end-before: # end", FUNCTION),
        (".. include:: ../x.py\n   :code: python", f"```python\n{CODE.strip()}\n```"),
        (".. include:: part.rst", "Some `part`.\n\n**Added in version 1.**"),
        (".. include:: part.rst\n   :end-before: .. version", "Some `part`."),
        (".. csv-table::\n   :file: ../t.csv\n   :header-rows: 1", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (".. literalinclude:: gone.py", "[not included: gone.py]"),
        (".. include:: gone.rst", "[not included: gone.rst]"),
        (".. include:: gone.rst\n   :start-line: 2\n   :start-after: x", "[not included: gone.rst]"),
        (".. csv-table::\n   :file: gone.csv", "[not included: gone.csv]"),
    ],
)  # fmt: skip
def test_includes_of_sphinx(rst: str, markdown: str) -> None:
    """context7#345: `literalinclude` with its options was left as it was written."""
    files = {"docs/page.rst": rst, "x.py": CODE, "t.csv": "a,b\n1,2\n", "docs/part.rst": PART}
    entries = parsed(files)
    page = next(page for page in entries.pages if page.path == "docs/page.rst")
    assert page.markdown.strip("\n") == markdown
    gone = [one for one in entries.problems if "gone" in one.message]
    assert len(gone) == ("gone" in rst)


@pytest.mark.parametrize(
    ("text", "is_rst"),
    [
        ("Title\n=====\n\n.. note:: x\n", True),
        ("Use ``this`` and :func:`that`.\n", True),
        ("Just words.\n", False),
        ("# Title\n\n```\nx\n```\n\n[a](b) ``c``\n", False),
        ("", False),
    ],
)
def test_restructured_text_is_told_from_markdown(text: str, is_rst: bool) -> None:
    assert looks_like_rst(text) is is_rst


RST_LINES = st.sampled_from(
    [
        *("Title", "=====", "-----", "-", "", "text ``code``", "::", "    indented", "- item", "* - cell", "1. x"),
        *("=== ===", "+---+---+", "| a | b |", ".. list-table::", ".. csv-table::", '   "open, quote', ".. table:: x"),
        *(".. note::", "   :option: x", ".. code-block:: py", ".. function:: f(", ".. include:: page.rst", ".. _x:"),
        *(".. |s| replace:: y", "```", ":field: x", ">>> x", "`a`_", "\\", ".. [1] note", ".. highlight::"),
    ]
)


@given(st.one_of(st.lists(RST_LINES, max_size=30).map("\n".join), MARKDOWN, st.text(max_size=200)))
def test_any_text_is_converted_without_an_error(text: str) -> None:
    for page in parsed({"page.rst": text}).pages:
        assert balanced(page.markdown)
