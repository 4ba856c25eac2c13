"""Rare and broken markup that is read as well as it can be."""

import pytest
from lxml import html
from lxml.html import HtmlElement

from ingest.html.rendering.trees import BASE, body, markdown
from refdesk.ingest.html.heads import Head
from refdesk.ingest.html.rendering import RenderOptions, render

CASES = {
    "an unknown element in a line": ("<p><b><x-y>e</x-y></b></p>", "**e**"),
    "code below a span of a link": ('<a href="/x"><span><code>f<i>g</i></code></span></a>', "[`fg`](/x)"),
    "a table without cells": ("<table><tr><!-- c --></tr></table>a", "a"),
    "a term without definition": ("<dl><dt>a</dt><dd></dd><dd></dd></dl>", "- **a**"),
    "a field without a name": (
        '<dl class="field-list"><dd>a</dd><dt></dt><dd></dd><dt>b</dt><dd>c</dd></dl>',
        "**b:** c",
    ),
    "a blank definition in sections": ("<dl><dt>T</dt><dd><h3>A</h3></dd><dd></dd></dl>", "**T**\n\n### A"),
    "an empty badge": ("<p>a<span></span></p>", "a"),
    "an empty index": ("<p>x<sub></sub></p>", "x"),
    "a box outside of a list of tasks": ('<p><input type="checkbox">a</p>', "a"),
    "a comment in broken code": ("<p><code>a<!-- c --><br>b</code></p>", "`a`  \n`b`"),
    "a carriage return in code": ("<pre>a&#13;\nb</pre>", "```\na\nb\n```"),
    "a link to nowhere in code": ('<p><code><a href="javascript:x()">f</a></code></p>', "`f`"),
    "an empty term": ("<dl><dt></dt><dd>a</dd><!-- c --></dl>", "- a"),
    "a term of sections without text": ("<dl><dt></dt><dd><h3>A</h3></dd></dl>", "### A"),
    "a definition that is blank": ("<dl><dt>a</dt><dd><p></p></dd></dl>", "- **a**"),
    "an empty line of verse": ('<div class="line-block"><div class="line"></div><div>x</div></div>', ""),
    "a row without cells": ("<table><tr></tr><tr><td>a<td>b</tr></table>", "|  |  |\n| --- | --- |\n| a | b |"),
    "a cell with a comment": (
        "<table><tr><td>x<p>a</p><!-- c -->t<td>b</table>",
        "|  |  |\n| --- | --- |\n| x<br>a<br>t | b |",
    ),
    "two words for a call-out": ('<div class="important custom-block"><p>a</p></div>', "> **Important:** a"),
    "a title far below": (
        '<div class="note"><i></i><!-- c --><div><div><b>Note</b>: a</div></div></div>',
        "> **Note:** a",
    ),
    "a word in bold that is no title": ('<div class="note">a <b>Note</b></div>', "> **Note:** a **Note**"),
    "a title after something": ('<div class="note"><i>x</i><b>Note</b></div>', "> **Note:** xNote"),
    "text around a title": ('<div class="note">x<p class="title">T</p>y</div>', "> **Note: T:** x\n>\n> y"),
    "a formula in a paragraph": ('<div class="katex-block"><math alttext="x"></math></div>', "$$\nx\n$$"),
    "a note by its address": ('<p>a<sup><a href="#fn2">2</a></sup> <a href="#fn3">b</a></p>', "a[^2] [b](#fn3)"),
    "a call-out without kind": ('<div role="alert" class="message">a</div>', "> **Note:** a"),
    "cells without an end": (
        "<table><tr>" + "<td>a" * 210 + "</table>",
        "|" + "  |" * 200 + "\n|" + " --- |" * 200 + "\n|" + " a |" * 200,
    ),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
def test_rare_markup(source: str, expected: str) -> None:
    assert markdown(source) == expected


def test_call_outs_inside_of_many_lists_are_their_text() -> None:
    shown = markdown("<ul><li>" * 13 + '<div class="note">a</div><dl><dt>b</dt></dl>' + "</li></ul>" * 13)
    assert shown.endswith("a\n  " + "  " * 11 + "\n" + "  " * 12 + "**b**") or "a" in shown


def test_deep_code_keeps_its_text() -> None:
    parser = html.HTMLParser(huge_tree=True)
    source = f"<html><body><pre>{'<span>' * 150}a<br>b{'</span>' * 150}</pre></body></html>"
    assert render(html.document_fromstring(source, parser=parser), RenderOptions()).markdown == "```\nab\n```"


def test_deep_text_keeps_what_follows_it() -> None:
    parser = html.HTMLParser(huge_tree=True)
    source = f"<html><body>{'<div>' * 120}<i>a</i><div><div>b</div>c</div>d{'</div>' * 120}</body></html>"
    assert render(html.document_fromstring(source, parser=parser), RenderOptions()).markdown == "a\n\nb\n\nc\n\nd"
    around = "<div>" * 89
    source = f"<html><body>{around}a<div>b</div>c{'</div>' * 89}</body></html>"
    assert render(html.document_fromstring(source, parser=parser), RenderOptions()).markdown == "a\n\nb\n\nc"


def test_addresses_are_joined_once_and_against_any_base() -> None:
    source = '<a href="a/./b">1</a> <a href="a/./b">2</a> <a href="c">3</a>'
    assert markdown(source, base=BASE).count("(https://docs.example/guide/a/b)") == 2
    assert "(https://docs.example/c)" in markdown(source, base="https://docs.example")


def test_what_is_left_out_of_lists_of_terms_and_cells() -> None:
    root = body(
        "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl><table><tr><td>e<p>f</p><p>g</p></td><td>h</td></tr></table>"
    )
    skip = {root[0][2], root[0][3], root[1].find(".//p")}
    shown = render(root, RenderOptions(skip=skip)).markdown
    assert shown == "- **a** – b\n\n|  |  |\n| --- | --- |\n| e<br>g | h |"


def test_tables_and_sections_whose_parts_are_left_out() -> None:
    root = body("<table><tr><td>a<td>b</table><dl><dt>T</dt><dd><h3>A</h3></dd><dd>b</dd></dl>")
    skip = {next(root.iter("tr")), root[1][2]}
    assert render(root, RenderOptions(skip=skip)).markdown == "**T**\n\n### A"


def test_what_follows_an_entry_and_is_empty_adds_nothing() -> None:
    def find(element: HtmlElement) -> list[Head]:
        after = element.getnext()
        return [Head("f", "function", "f", (), after=(after,))] if element.tag == "dl" and after is not None else []

    found = render(body("<dl></dl><p></p>"), RenderOptions(find_heads=find))
    assert [entry.text for entry in found.entries] == [""]


def test_lists_of_tabs_without_panels_are_their_text() -> None:
    assert markdown('<div role="tablist"><b role="tab">x</b></div>' * 250).count("**x**") == 250
