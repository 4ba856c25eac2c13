import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.ingest.restructured.inline import Names, code, inline


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("``code``", "`code`"),
        ("``a `b` c``", "`` a `b` c ``"),
        (":class:`~a.b.C`", "`C`"),
        (":py:meth:`a.b`", "`a.b`"),
        (":meth:`.get`", "`get`"),
        (":obj:`!x`", "`x`"),
        (":func:`the one <a.b>`", "`the one`"),
        (":ref:`Title <label>`", "Title"),
        (":ref:`label`", "label"),
        (":pep:`8`", "PEP 8"),
        (":rfc:`2616`", "RFC 2616"),
        (":issue:`12`", "#12"),
        (":user:`me`", "me"),
        ("`text <https://x.y/a b>`_", "[text](https://x.y/ab)"),
        ("`<https://x.y>`__", "<https://x.y>"),
        ("`text <label_>`_", "text"),
        ("see [1]_ and [#a]_", "see [^1] and [^a]"),
        ("a\\ b", "ab"),
        (":func:`f`\\s, ``x``\\es and `a`\\ b", "`f`s, `x`es and `a`b"),
        ("`C:`\\name and ``a*\\d``\\name", "`C:`\\name and `a*\\d`\\name"),
        ("`name`_", "name"),
        ("`some words`_", "some words"),
        ("`link <https://x.y>`_ in `code_`", "[link](https://x.y) in `code_`"),
        ("snake_case and _x and x_", "snake_case and _x and x_"),
        ("[md](https://x.y) `code`", "[md](https://x.y) `code`"),
    ],
)
def test_inline_marks(text: str, expected: str) -> None:
    assert inline(text) == expected


NAMES = Names({"home": "https://h.org", "a page": "https://p.org"}, {"name": "the thing"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Home_ and `A  Page`_ and other_", "[Home](https://h.org) and [A Page](https://p.org) and other_"),
        ("`x <Home_>`_ and `y <lost_>`_", "[x](https://h.org) and y"),
        ("`part <other.html>`_", "[part](other.html)"),
        ("|name| and |other| and a | b", "the thing and |other| and a | b"),
        (":std:ref:`Title <label>` :external:`x`", "Title x"),
        (":math:`a^2` :strong:`s` :emphasis:`e`", "$a^2$ **s** *e*"),
        (":rfc:`x` :bpo:`7`", "x #7"),
        ("`a ``b`` <Home_>`_", "[a `b`](https://h.org)"),
        ("`` ``", "`` ``"),
        ("``a``\\s and a\\\\ b", "`a`s and a\\\\ b"),
        ("`a\n\nb` and ``c\n\nd``", "`a\n\nb` and ``c\n\nd``"),
        ("`a\nb` and ``c  d\n  e``", "`a b` and `c  d e`"),
        ("a\x000\x00b `c`", "a0b `c`"),
    ],
)  # fmt: skip
def test_names_of_the_document_and_what_they_leave(text: str, expected: str) -> None:
    assert inline(text, NAMES) == expected


@given(st.text(alphabet="`_|<>[]:\\ \na#", max_size=40))
def test_any_marks_are_read_without_an_error_or_a_trace_of_how(text: str) -> None:
    assert "\x00" not in inline(text, NAMES)


@given(st.text(max_size=30))
def test_code_may_hold_any_backticks(text: str) -> None:
    span = code(text)
    assert not span.strip("`") or span.startswith("`")
