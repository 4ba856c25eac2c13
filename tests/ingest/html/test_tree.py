"""Bytes of any kind to a tree: encodings, broken markup, nesting, what is no HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement

from refdesk.domain.errors import SourceRejected
from refdesk.ingest.html.encodings import decode_page
from refdesk.ingest.html.tree import DEEPEST, LARGEST, Document, classes, elements, read_document, text_of

CHINESE = "<html><body><p>安装这个软件包，然后运行它。</p>"
JAPANESE = "<html><body><p>このパッケージをインストールします。</p>"
TWICE = "<p>A tap’s “handle” — é</p>"
FRENCH = "<html><body><p>Les paramètres sont décrits ci-après, à côté.</p>"


def stated(text: str, encoding: str) -> str:
    return text.replace("<body>", f'<head><meta charset="{encoding}"></head><body>')


def depth_of(element: HtmlElement) -> int:
    deepest, level = 0, [element]
    while level:
        deepest += 1
        level = [child for one in level for child in one]
    return deepest


@pytest.mark.parametrize(
    ("data", "content_type", "text", "doubt"),
    [
        pytest.param(FRENCH.encode(), "", FRENCH, "", id="utf-8 that nobody states"),
        pytest.param(
            b"\xef\xbb\xbf" + FRENCH.encode(), "text/html; charset=latin-1", FRENCH, "", id="a mark goes first"
        ),
        pytest.param(FRENCH.encode("utf-16"), "", FRENCH, "", id="utf-16 with a mark"),
        pytest.param(FRENCH.encode("utf-16-le"), "", FRENCH, "", id="utf-16, little end first, without a mark"),
        pytest.param(FRENCH.encode("utf-16-be"), "text/html", FRENCH, "", id="utf-16, big end first, without a mark"),
        pytest.param(
            CHINESE.encode("gb18030"), "text/html; charset=gb2312", CHINESE, "", id="the server states gb2312"
        ),
        pytest.param(
            JAPANESE.encode("cp932"), "text/html;charset=Shift_JIS", JAPANESE, "", id="the server states shift_jis"
        ),
        pytest.param(
            JAPANESE.encode("iso2022_jp"), "text/html; charset=iso-2022-jp", JAPANESE, "", id="escapes in ASCII"
        ),
        pytest.param(
            stated(CHINESE, "gbk").encode("gbk"), "", stated(CHINESE, "gbk"), "", id="the page states its encoding"
        ),
        pytest.param(
            stated(FRENCH, "iso-8859-1").encode(),
            "",
            stated(FRENCH, "iso-8859-1"),
            "",
            id="stated wrongly, it is utf-8",
        ),
        pytest.param(
            FRENCH.encode("cp1252"),
            "text/html; charset=utf-8",
            FRENCH,
            "states utf-8 but is not; read as cp1252",
            id="stated wrongly, it is not utf-8",
        ),
        pytest.param(
            FRENCH.encode("cp1252"),
            "text/html; charset=no-such",
            FRENCH,
            "is not UTF-8; read as windows-1252",
            id="an encoding nobody knows",
        ),
        pytest.param(
            FRENCH.encode("cp1252"),
            "text/html; charset=utf-16",
            FRENCH,
            "is not UTF-8; read as windows-1252",
            id="a statement that cannot be true",
        ),
        pytest.param(
            ("<p>Über </p>" * 9).encode() + b"\xff",
            "",
            "<p>Über </p>" * 9 + "\ufffd",
            "is not wholly UTF-8; broken characters were replaced",
            id="one broken byte of many",
        ),
        pytest.param(
            CHINESE.encode("gb18030") * 9 + b"<p>\xff</p>",
            "text/html; charset=gbk",
            CHINESE * 9 + "<p>\ufffd</p>",
            "is not wholly gb18030; broken characters were replaced",
            id="one broken byte of gbk",
        ),
        pytest.param(
            b"<p>" + b"\xe9\xff " * 20,
            "text/html; charset=euc-kr",
            "<p>" + "éÿ " * 20,
            "states cp949 but is not; read as cp1252",
            id="not what the server states",
        ),
        pytest.param(
            TWICE.encode().decode("latin-1").encode(),
            "",
            TWICE,
            "was encoded twice; it was decoded twice",
            id="utf-8, encoded twice",
        ),
        pytest.param("\u00c2\u0085\u00e9".encode(), "", "\u00c2\u0085\u00e9", "", id="what only looks like it"),
        pytest.param(
            b"<p>a\x00b\r\nc\rd", "", "<p>ab\nc\nd", "contains NUL characters; they were dropped", id="NUL, line ends"
        ),
        pytest.param(
            b"<p>a\x00b\r\n",
            "text/html; charset=utf-8",
            "<p>ab\n",
            "contains NUL characters; they were dropped",
            id="NUL, line ends, stated",
        ),
    ],
)
def test_pages_are_read_in_their_encoding(data: bytes, content_type: str, text: str, doubt: str) -> None:
    assert decode_page(data, content_type) == (text, doubt)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "It is empty.", id="nothing"),
        pytest.param(b" \n\t ", "It is empty.", id="white space"),
        pytest.param(b"\x00\x00", "It is empty.", id="NULs"),
        pytest.param(b"%PDF-1.7 ...", "It is no HTML but a binary file.", id="PDF"),
        pytest.param(b"\x89PNG\r\n\x1a\n", "It is no HTML but a binary file.", id="image"),
        pytest.param(b'{"a": 1}', "It is no HTML: it has no element.", id="JSON"),
        pytest.param(b"# Title\n\nif a < b: c", "It is no HTML: it has no element.", id="Markdown"),
        pytest.param(
            b'<?xml version="1.0"?><urlset xmlns="x"><url/></urlset>', "It is no HTML but XML: <urlset>.", id="sitemap"
        ),
        pytest.param(b"<!-- <p> -->", "It is no HTML: it has no element.", id="a comment only"),
        pytest.param(b"<p>" + b"x" * LARGEST, f"at most {LARGEST:,} are read", id="too large"),
    ],
)
def test_what_is_no_html_is_refused_with_a_reason(data: bytes, why: str) -> None:
    with pytest.raises(SourceRejected) as refused:
        read_document(data)
    assert why in refused.value.message
    assert refused.value.suggestion


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"<p>One<p>Two", "OneTwo", id="no html, no body, nothing closed"),
        pytest.param(b"<b><i>a</b>b</i>c</p></div>", "abc", id="closed in the wrong order"),
        pytest.param(b"<table><tr><td>a<td>b<tr><td>c", "abc", id="cells that are not closed"),
        pytest.param(b"<p>a &lt; b &unknown; &#x41;", "a < b &unknown; A", id="references"),
        pytest.param(b"<p>a<template><p>not shown</template>b", "ab", id="template"),
        pytest.param(b"<p>long enough a text<noscript>No scripts</noscript>", "long enough a text", id="noscript"),
        pytest.param(b"<p>x<noscript><p>All of the text</noscript>", "xAll of the text", id="noscript is the page"),
        pytest.param(
            b'<?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
            b"<body><p>\xe9t\xe9<br/></p></body></html>",
            "été",
            id="XHTML that states its encoding",
        ),
    ],
)
def test_broken_markup_keeps_its_text(data: bytes, text: str) -> None:
    assert text_of(read_document(data).root) == text


def test_a_document_knows_its_title_language_and_base() -> None:
    page = b'<html lang="en-GB"><head><title> A\n page </title><base href="../v2/"></head><body><p>x'
    document = read_document(page, "https://docs.example.org/v1/a.html")
    assert (document.title, document.language, document.base, document.doubt) == (
        "A page",
        "en",
        "https://docs.example.org/v2/",
        "",
    )


@pytest.mark.parametrize(
    ("page", "language"),
    [
        pytest.param(b'<html xml:lang="fr"><p>x', "fr", id="xml:lang"),
        pytest.param(b'<meta http-equiv="Content-Language" content="de, en"><p>x', "de", id="meta"),
        pytest.param(b"<p>x", "", id="not stated"),
        pytest.param(b'<html lang="english"><p>x', "", id="no code"),
    ],
)
def test_the_language_is_what_the_page_states(page: bytes, language: str) -> None:
    assert read_document(page).language == language


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"<p>x", id="none"),
        pytest.param(b"<base target=_blank><p>x", id="without an address"),
        pytest.param(b"<base href='http://[x'><p>x", id="no address"),
    ],
)
def test_without_a_base_links_refer_to_the_page(page: bytes) -> None:
    assert read_document(page, "https://e.org/a").base == "https://e.org/a"


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"<div>" * 300 + b"deep" + b"</div>" * 300 + b"<p>after", id="hundreds"),
        pytest.param(b"<div>" * 5_000 + b"deep" + b"</div>" * 5_000 + b"<p>after", id="thousands"),
        pytest.param(b"<p>" + b"<b><i x='>'>" * 9_000 + b"deep<br/>" + b"<h2>after</h2>", id="never closed"),
    ],
)
def test_deep_nesting_is_dissolved_and_loses_no_text(page: bytes) -> None:
    document = read_document(page)
    assert depth_of(document.root) <= DEEPEST + 1
    assert text_of(document.root) == "deepafter"
    assert "nested" in document.doubt


def test_a_page_of_eight_megabytes_is_read() -> None:
    row = b"<tr><td><pre>some code &lt;here&gt;</pre></td><td><a href='#x'>words</a> and more</td></tr>"
    document = read_document(b"<table>" + row * 90_000 + b"</table>")
    assert len(document.root.findall(".//pre")) == 90_000


def test_elements_are_seen_without_comments() -> None:
    root = read_document(b"<div class='a  b'><!-- c --><p>x</p><?pi?></div>").root
    division = root.find(".//div")
    assert division is not None
    assert classes(division) == ["a", "b"]
    assert classes(root) == []
    assert [one.tag for one in elements(division)] == ["p"]


PIECES = (
    "<p>", "</p>", "<b>", "<div", ">", "</", "<!--", "-->", "<![CDATA[", "<table>", "<td>", "&#0;", "&amp", "\x00", "'",
    '<meta charset="utf-7">', "<script>", "</script>", "<base href=", '"', "<html lang=x>", "text", "é", "<noscript>",
)  # fmt: skip
MARKUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join).map(str.encode)


@given(st.one_of(st.binary(max_size=300), MARKUP), st.text(max_size=20))
def test_any_bytes_are_a_document_or_are_refused(data: bytes, content_type: str) -> None:
    try:
        document = read_document(data, "https://e.org/", content_type)
    except SourceRejected:
        return
    assert isinstance(document, Document)
    text_of(document.root).encode()
