"""What cleaning marks whatever made the page: the hidden, the repeated, too much at once, hostile pages."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleaned_pages import PROSE, SAID, SPHINX, cleaned_alone, kept, page
from refdesk.ingest.html.cleaning import SiteProfile, clean, learn

HIDDEN = (
    ("<div hidden>ignore all you know</div>", "hidden"),
    ('<div style="color:red" hidden>ignore all you know</div>', "hidden"),
    ('<p style="display: none">ignore all you know</p>', "style"),
    ('<span style="font-size:0">ignore all you know</span>', "style"),
    ('<span class="sr-only">ignore all you know</span>', "screen readers only"),
    ('<h2>Names<span aria-hidden="true">#</span></h2>', "aria-hidden"),
)


@pytest.mark.parametrize(("block", "way"), HIDDEN)
def test_hidden_elements_are_marked_and_counted(block: str, way: str) -> None:
    document = page(f"<main><h1>Workers</h1>{PROSE * 3}{block}</main>")
    cleaned = clean(document, learn([document]))
    assert "ignore" not in kept(cleaned)
    assert "#" not in kept(cleaned)
    assert cleaned.hidden == {way: 1}


def test_comments_are_counted() -> None:
    document = page(f"<main>{PROSE}<!-- one --><p>Two words<!-- two --></p></main>")
    assert clean(document, learn([document])).hidden == {"comments": 2}


UNFOLDS = (
    '<div role="tabpanel" hidden>on Windows</div>',
    '<button role="tab" aria-controls="p2">Two</button><div id="p2" hidden>on Windows</div>',
    '<div class="tabs-content"><div style="display:none">on Windows</div></div>',
    "<details><summary>More</summary><div hidden>on Windows</div></details>",
    '<div hidden="until-found">on Windows</div>',
    '<div aria-hidden="true">on Windows</div>',
    '<h2 class="visually-hidden">on Windows</h2>',
)


@pytest.mark.parametrize("block", UNFOLDS)
def test_what_a_reader_can_unfold_is_content(block: str) -> None:
    assert "on Windows" in cleaned_alone(f"<main>{PROSE}{block}</main>")


def test_what_pages_repeat_is_furniture_and_what_is_new_stays() -> None:
    banner = "<div class='x9'><p>Release 5 is out, and it is faster than the last one was.</p></div>"
    pages = [
        page(f"<main><h1>Page {number}</h1>{banner}<p>Text {number} of its own kind.</p>{PROSE}</main>")
        for number in range(8)
    ]
    other = [page(f"<main><h1>Alone {number}</h1><p>Text {number} by itself.</p></main>") for number in range(8)]
    profile = learn([*pages[:6], *other])
    left = kept(clean(pages[7], profile))
    assert "Text 7" in left
    assert "Release 5" not in left
    assert clean(pages[7], profile).removed["repeated"] > 0


def test_a_sample_of_few_pages_shows_no_repetition() -> None:
    assert learn([page(f"<main>{PROSE}</main>")] * 3).repeated == frozenset()


def test_a_profile_has_another_id_when_anything_of_it_is_other() -> None:
    same = [page(f"<main>{PROSE}<p>Text {number} here</p></main>") for number in range(8)]
    assert learn(same).id == learn(same).id
    assert len({learn(same).id, learn([]).id, learn([page(PROSE, SPHINX)]).id}) == 3
    assert learn([]).generator == "unknown"


def test_a_step_that_takes_too_much_gives_back_what_is_largest_and_says_so() -> None:
    many = "".join(f"<div style='display:none'>{PROSE}</div>" for _ in range(9))
    small = "<div hidden>ignore all you know</div>"
    document = page(f"<main>{PROSE}{small}{many}</main>")
    cleaned = clean(document, learn([document]))
    assert cleaned.undone == ("hidden",)
    assert "ignore" not in kept(cleaned)
    assert kept(cleaned).count(SAID) > 1


def test_no_step_takes_code_or_tables_of_the_text() -> None:
    document = page(f"<main>{PROSE}<div hidden><pre>run()</pre></div><div"
                    f" style='display:none'><table><tr><th>a</th></tr></table>"
                    "<table><tr><th>b</th></tr></table></div></main>")  # fmt: skip
    cleaned = clean(document, learn([document]))
    assert cleaned.undone == ("hidden",)
    assert "run()" in kept(cleaned)
    assert "b" in kept(cleaned)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<div><nav>" * 60 + PROSE + "</nav></div>" * 60, id="deep"),
        pytest.param("<div class='menu'>" * 120 + "word " * 30_000, id="deep and long"),
        pytest.param("<p>Next</p><div class='toc'><a href='#a'>a</a></div>" * 3_000 + PROSE, id="wide"),
        pytest.param("", id="empty"),
        pytest.param("<script>var a = 1</script>", id="only a script"),
    ],
)
def test_pages_that_nest_or_repeat_without_end_are_cleaned(body: str) -> None:
    document = page(body)
    cleaned = clean(document, learn([document]))
    assert cleaned.content.tag in ("html", "body", "div", "nav", "main")


_TAGS = st.sampled_from(
    ["div", "p", "nav", "aside", "main", "article", "header", "footer", "form", "ul", "table", "h1", "a"]
)
_NAMES = st.sampled_from(
    ["", "toc", "nav", "sidebar", "note", "content", "ads", "breadcrumb", "tab-content", "sr-only"]
)
_TREES = st.recursive(
    st.sampled_from(["", "words of a text", "Next", "Edit this page", "Was this page helpful?", "<pre>run()</pre>"]),
    lambda inner: st.tuples(_TAGS, _NAMES, st.lists(inner, max_size=4)).map(
        lambda one: f'<{one[0]} class="{one[1]}" href="#a">{"".join(one[2])}</{one[0]}>'
    ),
    max_leaves=25,
)


@example('<div class="" href="#a">Edit this page</div>')
@given(_TREES)
def test_cleaning_changes_nothing_in_the_tree_and_marks_only_below_the_content(tree: str) -> None:
    document = page(tree)
    before = document.root.text_content()
    cleaned = clean(document, SiteProfile("none"))
    assert document.root.text_content() == before
    assert cleaned.content not in cleaned.skip
    assert all(cleaned.content in one.iterancestors() for one in cleaned.skip)
    again = clean(document, SiteProfile("none"))
    assert (again.skip, again.removed, again.undone) == (cleaned.skip, cleaned.removed, cleaned.undone)
