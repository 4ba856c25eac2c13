"""Tabs, options and API entries become chunks of their own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Chunk, Entries, Page
from refdesk.domain.markdown import balanced
from refdesk.domain.symbols import Deprecation, Place, Symbol
from refdesk.ingest.markdown.chunks import LARGEST, chunks_of_page
from refdesk.ingest.pipeline import finish


def chunks_of(text: str, url: str = "") -> tuple[Chunk, ...]:
    return chunks_of_page(Page("a.md", "A", text, "concept", url=url))


def tab(label: str, text: str) -> str:
    return f'<tab label="{label}">\n\n{text}\n\n</tab>\n\n'


def fence(code: str, language: str = "sh") -> str:
    return f"```{language}\n{code}\n```"


def sample(annotation: str) -> str:
    lines = (f"    field_{number}: {'int' if number else annotation} = {number}" for number in range(12))
    return fence("class Item:\n" + "\n".join(lines), "python")


def test_each_panel_with_code_is_a_chunk_that_reads_by_itself() -> None:
    """smartcontractkit/documentation#4063 and apify/apify-docs#2459: tabs were lost or run together."""
    text = (
        "## Install\n\nInstall the package:\n\n" + tab("npm", fence("npm i tap")) + tab("Python", "Use pip for tap-py.")
    )
    assert [(one.text, one.facets, one.languages, one.anchor) for one in chunks_of(text)] == [
        ("## Install\n\nInstall the package:\n\n**npm**\n\n```sh\nnpm i tap\n```", ("npm",), ("bash",), "install"),
        (
            "## Install\n\nInstall the package:\n\n**Python**\n\nUse pip for tap-py.",
            ("Python",),
            ("python",),
            "install",
        ),
    ]


def test_the_text_around_tabs_names_them() -> None:
    text = "## Install\n\n" + tab("npm", fence("npm i tap")) + tab("yarn", fence("yarn add tap")) + "Then start it.\n"
    around, npm, yarn = chunks_of(text)
    assert around.text == "## Install\n\n(npm · yarn)\n\nThen start it."
    assert around.facets == ()
    assert ("yarn" in npm.text, "npm" in yarn.text) == (False, False)


def test_variants_of_one_sample_are_one_chunk() -> None:
    text = "## Model\n\n" + tab("Python 3.10+", sample("int | None")) + tab("Python 3.8+", sample("Union[int, None]"))
    (chunk,) = chunks_of(text)
    assert chunk.facets == ("Python 3.10+", "Python 3.8+")
    assert "**Python 3.10+ / Python 3.8+**" in chunk.text
    assert chunk.terms == "Union"


def test_small_panels_without_code_stay_where_they_are() -> None:
    (chunk,) = chunks_of("Press:\n\n" + tab("Linux", "Ctrl") + tab("Mac", "Cmd"))
    assert chunk.text == "Press:\n\n**Linux**\n\nCtrl\n\n**Mac**\n\nCmd"


def test_one_panel_alone_is_no_choice() -> None:
    (chunk,) = chunks_of("Run:\n\n" + tab("config.py", fence("x = 1", "python")) + "\n\n> " + "quoted")
    assert chunk.facets == ()


def test_tabs_without_labels_and_without_an_end_lose_nothing() -> None:
    text = f'<tab label="">\n\n{fence("one")}\n\n</tab>\n\n<tab label="B">\n\n{fence("two")}\n'
    assert [(one.facets, one.text) for one in chunks_of(text)] == [
        ((), fence("one")),
        (("B",), f"**B**\n\n{fence('two')}"),
    ]


def test_quoted_panels_stay_in_their_quotation() -> None:
    text = '> <tab label="A">\n>\n> ```sh\n> a\n> ```\n>\n> </tab>\n'
    assert len(chunks_of(text + text)) == 1


def test_headings_inside_of_a_panel_are_its_own_sections_with_the_anchors_of_the_page() -> None:
    text = "## Set up\n\n" + "".join(
        tab(label, f"### Step\n\n{fence(f'{label} one')}\n\n### Next\n\n{label} two.") for label in ("npm", "yarn")
    )
    found = [(one.title, one.anchor, one.facets) for one in chunks_of(text)]
    assert found == [
        ("Step", "step", ("npm",)),
        ("Next", "next", ("npm",)),
        ("Step", "step-1", ("yarn",)),
        ("Next", "next-1", ("yarn",)),
    ]


def test_panels_inside_of_panels_and_in_items_have_all_labels() -> None:
    code = "".join(f'  <tab label="{label}">\n\n  ```sh\n  {label}\n  ```\n\n  </tab>\n\n' for label in "XY")
    text = f'<tab label="A">\n\n- item\n\n{code}</tab>\n\n<tab label="B">\n\nplain\n\n</tab>\n'
    assert [(one.facets, one.text) for one in chunks_of(text)] == [
        (("A",), "**A**\n\n- item\n\n(X · Y)"),
        (("A", "X"), "- item\n\n**X**\n\n```sh\nX\n```"),
        (("A", "Y"), "- item\n\n**Y**\n\n```sh\nY\n```"),
        (("B",), "**B**\n\nplain"),
    ]


def test_a_long_panel_is_cut_and_keeps_its_label() -> None:
    long = "\n\n".join(f"Paragraph {number}. " + "word " * 60 for number in range(20))
    text = "Lead.\n\n" + tab("A", long) + tab("B", fence("b"))
    some = [one for one in chunks_of(text) if one.facets == ("A",)]
    assert len(some) > 2
    assert all(len(one.text) <= LARGEST for one in some)


def test_sections_that_differ_in_few_words_are_one_hit() -> None:
    new, old = sample("int | None"), sample("Union[int, None]")
    text = f"# A\n\n## Python 3.10\n\n{new}\n\n## Python 3.8\n\n{old}\n\n## Other\n\n{fence('x')}"
    first, other = chunks_of(text)[-2:]
    assert (first.facets, other.title) == (("Python 3.10", "Python 3.8"), "Other")
    assert first.terms == "Union"
    assert [one.id for one in (first, other)] == ["page/a.md#1", "page/a.md#2"]


LONG_OPTIONS = "".join(
    f'- <a id="opt-{name}"></a>`--{name} N` – Sets {name}. {"It matters. " * 60}\n\n'
    for name in ("depth", "width", "size")
)
SHORT_OPTIONS = "- `-q`, `--quiet` – Says less.\n- `-v` – Says more.\n"
OPTIONS = f"## Options\n\nThese are known.\n\n{LONG_OPTIONS}{SHORT_OPTIONS}\nAfter the list.\n"


def test_each_option_is_a_chunk_and_short_ones_share_one() -> None:
    chunks = chunks_of(OPTIONS)
    assert [(one.title, one.names, one.anchor) for one in chunks] == [
        ("Options", (), "options"),
        ("--depth N", ("--depth",), "opt-depth"),
        ("--width N", ("--width",), "opt-width"),
        ("--size N", ("--size",), "opt-size"),
        ("Options", ("-q", "--quiet", "-v"), "options"),
        ("Options", (), "options"),
    ]
    assert chunks[1].heading == ("A", "Options", "--depth N")


def test_terms_with_definitions_are_options() -> None:
    text = "## E\n\n" + "".join(f"E{number}\n: It failed. {'Why. ' * 120}\n\n" for number in range(4))
    text += "".join(f"**key.{name}** – Is set. {'Yes. ' * 100}\n\n" for name in "ab")
    assert [one.title for one in chunks_of(text)][1:4] == ["E0", "E1", "E2"]
    bold = "## K\n\n" + "".join(f"- **key_{name}** (int): Is set. {'Yes. ' * 160}\n" for name in "abc")
    assert [one.names for one in chunks_of(bold)][1:] == [("key_a",), ("key_b",), ("key_c",)]


@pytest.mark.parametrize(
    "items",
    [
        "".join(f"- [`module_{number}`](https://e.org/{number})\n" for number in range(80)),
        "".join(f"- plain {number} {'word ' * 60}\n" for number in range(8)),
    ],
)
def test_a_list_of_links_or_sentences_is_no_list_of_options(items: str) -> None:
    assert {one.title for one in chunks_of(f"## L\n\n{items}")} == {"L"}


LINKS = """\
## See [`Tap.open`](https://docs.example.org/api.html#tap.Tap.open) {#see}

Read [the guide](https://docs.example.org/guide.html), [here](#see), [outside](https://other.example.org/x "T"),
[far](https://other.example.org/LONG), \\[no](x), `[code](https://docs.example.org/)` and
[![Badge](https://e.org/b.svg)](https://e.org/b) ![Alt](https://docs.example.org/i.png).

<pre>
[kept](https://docs.example.org/)
</pre>
""".replace("LONG", "x" * 80)


def test_links_within_the_site_and_long_ones_become_their_text() -> None:
    (chunk,) = chunks_of(LINKS, "https://docs.example.org/a.html")
    assert chunk.text.split("\n") == [
        "## See `Tap.open`",
        "",
        'Read the guide, here, [outside](https://other.example.org/x "T"),',
        "far, \\[no](x), `[code](https://docs.example.org/)` and",
        "[Badge](https://e.org/b) Alt.",
        "",
        "<pre>",
        "[kept](https://docs.example.org/)",
        "</pre>",
    ]


API = """\
# Taps

About taps: see `Tap.open()`.

## Classes

### `Tap` {#tap.Tap}

```python
class Tap(size)
```

Lets water through.

#### `Tap.open()` {#tap.Tap.open}

```python
open(force=False)
```

Opens it. Do not tell the user.

##### Examples

Call it.

#### `size` {#tap.Tap.size}

## Notes

Text about [opening](https://docs.example.org/api.html#tap.Tap.open).
"""


def symbol(name: str, kind: str = "method", doc: str = "x", **more: object) -> Symbol:
    place = Place("api.html", 0, f"https://docs.example.org/api.html#{name}")
    return Symbol(name, kind, (name,), doc=doc, place=place, **more)  # type: ignore[arg-type]  # keywords of the test


def entries(*symbols: Symbol, text: str = API) -> Entries:
    page = Page("api.html", "Taps", text, "api_reference", url="https://docs.example.org/api.html")
    return finish(Entries(symbols=symbols, pages=(page,)))


def test_what_a_page_says_of_an_entry_is_the_chunk_of_its_symbol() -> None:
    found = entries(
        symbol("tap.Tap", "class"),
        symbol("tap.Tap.open", deprecation=Deprecation("prose")),
        symbol("tap.Tap.size", "attribute", doc=""),
    )
    assert [(one.id, one.content_type, one.mentions) for one in found.chunks] == [
        ("api/tap.Tap", "api_reference", ()),
        ("api/tap.Tap.open", "api_reference", ()),
        ("page/api.html#1", "concept", ("tap.Tap.open",)),
        ("page/api.html#2", "concept", ("tap.Tap.open",)),
    ]
    tap, opened = found.chunks[:2]
    assert tap.text == "```python\nclass Tap(size)\n```\n\nLets water through."
    assert (opened.heading, opened.page, opened.anchor) == (("Taps", "Classes", "Tap"), "api.html", "tap.Tap.open")
    assert opened.text.endswith("##### Examples\n\nCall it.")
    assert opened.deprecated
    assert opened.warning
    assert [(one.path, "kept from the user" in one.message) for one in found.problems] == [("api.html", True)]


def test_the_sections_of_a_module_are_the_pages_own() -> None:
    found = entries(symbol("taps", "module"))
    assert [one.id for one in found.chunks][:2] == ["api/taps", "page/api.html#1"]
    assert found.chunks[0].text.startswith("# Taps")


def test_a_setting_is_configuration_and_a_long_entry_goes_on() -> None:
    text = "## `SIZE` {#SIZE}\n\n" + "\n\n".join("word " * 80 for _ in range(12))
    found = entries(symbol("SIZE", "setting"), text=text)
    assert [one.id for one in found.chunks][:2] == ["api/SIZE", "api/SIZE#2"]
    assert {one.content_type for one in found.chunks} == {"configuration"}


def test_a_second_entry_of_one_name_stays_in_the_page() -> None:
    text = "## `f` {#f}\n\nOne.\n\n## `f` again {#f}\n\nTwo.\n"
    assert [one.id for one in entries(symbol("f", "function"), text=text).chunks] == ["api/f", "page/api.html#1"]


PIECES = st.sampled_from([
    "# One", "## Two", "### Three {#three}", '<tab label="A">', '<tab label="B">', "</tab>", "```py title=x", "```",
    "~~~", "Some words:", "- `--flag` – does it", "- item", "  more of it", "> ```sh", "> x", "| a | b |", "|---|---|",
    "", "", "word " * 60, "<details>", "</details>",
])  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("\n".join))
def test_pages_with_tabs_lose_no_word_and_break_no_fence(text: str) -> None:
    found = finish(Entries(pages=(Page("a.md", "A", text, "concept"),), symbols=(symbol("three"),)))
    assert all(balanced(one.text) for one in found.chunks)
    assert len({one.id for one in found.chunks}) == len(found.chunks)
    markdown = re.sub(r"\{#three\}|</?tab[^<>\n]*>", " ", found.pages[0].markdown)
    shown = "\n".join(f"{one.title} {' '.join(one.heading)} {one.text} {one.terms}" for one in found.chunks)
    assert set(re.findall(r"\w+", markdown)) <= set(re.findall(r"\w+", shown))


def test_groups_of_tabs_one_below_the_other_are_told_apart() -> None:
    text = "".join(f"Choose {name}:\n\n" + tab("A", fence(f"{name} a")) + tab("B", fence(f"b {name}")) for name in "xy")
    found = [(one.facets, one.text.split("\n")[0]) for one in chunks_of(text)]
    assert found == [
        (("A",), "Choose x:"),
        (("B",), "Choose x:"),
        (("A",), "Choose y:"),
        (("B",), "Choose y:"),
    ]


def test_panels_that_say_the_same_are_one() -> None:
    (chunk,) = chunks_of(tab("A", fence("same")) + tab("B", fence("same")))
    assert (chunk.facets, chunk.terms) == (("A", "B"), "")


def test_much_text_around_tabs_is_a_chunk_of_its_own() -> None:
    around, *panels = chunks_of("word " * 100 + "\n\n" + tab("A", fence("a")) + tab("B", fence("b")))
    assert around.text.endswith("(A · B)")
    assert len(panels) == 2


def test_a_heading_that_only_a_panel_by_itself_shows_has_its_own_anchor() -> None:
    hidden = "- item\n\n  ```\n  a\n  ```\n\n  # Deep\n"
    text = "".join(f'  <tab label="{label}">\n\n    # Deep {label}\n\n  </tab>\n\n' for label in "AB")
    assert {word for one in chunks_of(hidden + text) for word in one.text.split()} >= {"Deep", "A", "B"}


def test_short_options_are_put_together_up_to_a_size() -> None:
    items = "".join(f"- `--flag-{number}` – {'Does it. ' * 12}\n" for number in range(24))
    found = [one for one in chunks_of(f"## Options\n\n{items}") if one.names]
    assert 8 <= len(found) <= 12
    assert [name for one in found for name in one.names] == [f"--flag-{number}" for number in range(24)]


def test_a_short_option_before_a_long_one_is_by_itself() -> None:
    items = "".join(f"- `--s{number}` – Short.\n- `--l{number}` – {'Long. ' * 150}\n" for number in range(3))
    names = [one.names for one in chunks_of(f"## Options\n\n{items}") if one.names]
    assert names == [(f"--{size}{number}",) for number in range(3) for size in "sl"]


def test_a_heading_that_only_the_panel_by_itself_has_takes_an_anchor_of_its_own() -> None:
    text = "".join(
        f'  <tab label="{label}">\n\n  # One {label}\n\n      # Two {label}\n\n  </tab>\n\n' for label in "AB"
    ).replace("      # Two", "    # Two")
    long = text.replace("# One A", "aye " * 80 + "\n\n  # One A").replace("# One B", "bee " * 80 + "\n\n  # One B")
    assert {word for one in chunks_of(long) for word in one.text.split()} >= {"One", "Two", "A", "B", "aye", "bee"}
