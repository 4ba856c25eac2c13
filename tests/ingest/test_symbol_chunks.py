"""Symbols to chunks: what a hit shows, what leads to it, and how much of it."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.markdown import balanced
from refdesk.domain.shapes import Member, Shape
from refdesk.domain.symbols import Deprecation, ErrorRef, Example, Param, Place, Returns, Symbol
from refdesk.ingest.markdown.chunks import LARGEST
from refdesk.ingest.symbol_chunks import TERMS_LIMIT, chunks_of_symbol
from texts import MARKDOWN

SHAPES = {
    "OpenGateRequest": Shape(
        "OpenGateRequest",
        "structure",
        "OpenGateRequest",
        members=(
            Member("GateName", "Name", doc="Name of the gate. It must exist."),
            Member("Mode", "Mode"),
        ),
    ),
    "Name": Shape("Name", "scalar", "string"),
    "Mode": Shape("Mode", "scalar", "string", enum=("SLOW", "FAST"), doc="How to open it"),
}
OPEN_GATE = Symbol(
    name="OpenGate",
    kind="operation",
    names=("OpenGate", "open_gate"),
    summary="Opens a gate.",
    doc="Opens a gate.\n\nIt stays open.",
    signature="client.open_gate(GateName=...)",
    input_shape="OpenGateRequest",
    errors=(ErrorRef("NoSuchGate"),),
    place=Place("service-2.json", url="https://example.org/OpenGate"),
    deprecation=Deprecation("flag"),
    attributes={"http": {"method": "POST", "path": "/gates/{GateName}"}},
)


def test_a_symbol_is_one_chunk_whose_text_is_its_description() -> None:
    (chunk,) = chunks_of_symbol(OPEN_GATE, SHAPES.get)
    assert chunk.id == "api/OpenGate"
    assert chunk.title == "OpenGate (operation)"
    assert chunk.text is OPEN_GATE.doc
    assert chunk.content_type == "api_reference"
    assert chunk.names == ("OpenGate", "open_gate")
    assert chunk.symbol == "OpenGate"
    assert chunk.url == "https://example.org/OpenGate"
    assert chunk.deprecated
    assert chunk.terms.split("\n") == [
        "POST /gates/{GateName}",
        "GateName",
        "Mode",
        "NoSuchGate",
        "SLOW",
        "FAST",
        "Name of the gate",
        "How to open it",
    ]


def test_a_dotted_name_leads_by_its_last_part_and_stands_under_its_parent() -> None:
    (chunk,) = chunks_of_symbol(
        Symbol("httpx.Client.get", "method", ("httpx.Client.get", "httpx.get"), doc="Sends."), SHAPES.get
    )
    assert chunk.names == ("httpx.Client.get", "httpx.get", "get")
    assert chunk.heading == ("httpx.Client",)
    assert not chunk.deprecated


@pytest.mark.parametrize(
    ("symbol", "text"),
    [
        (Symbol("f", "function", ("f",), summary="Does it."), "Does it."),
        (
            Symbol("f", "function", ("f",), summary="Does it.", signature="f(a)", returns=Returns("int", "a number.")),
            "Does it.\n\n```\nf(a)\n```\n\nReturns a number.",
        ),
        (Symbol("f", "function", ("f",)), "`f` (function)"),
        (Symbol("f", "function", ("f",), doc=" \n"), "`f` (function)"),
    ],
    ids=["summary", "signature and result", "nothing", "blank description"],
)
def test_without_a_description_the_text_says_what_else_is_known(symbol: Symbol, text: str) -> None:
    assert [chunk.text for chunk in chunks_of_symbol(symbol, SHAPES.get)] == [text]


def test_types_without_a_description_are_not_searched_for() -> None:
    assert chunks_of_symbol(Symbol("T", "type", ("T",)), SHAPES.get) == ()
    assert len(chunks_of_symbol(Symbol("T", "type", ("T",), doc="A type."), SHAPES.get)) == 1


@pytest.mark.parametrize("kind", ["attribute", "property"])
def test_a_bare_attribute_is_found_through_its_owner(kind: Literal["attribute", "property"]) -> None:
    assert chunks_of_symbol(Symbol("lib.Gate.width", kind, ("lib.Gate.width",)), SHAPES.get) == ()
    assert chunks_of_symbol(Symbol("lib.Gate.width", kind, ("lib.Gate.width",), doc="In metres."), SHAPES.get)
    old = Symbol("lib.Gate.width", kind, ("lib.Gate.width",), deprecation=Deprecation("decorator"))
    assert chunks_of_symbol(old, SHAPES.get)[0].deprecated
    owner = Symbol("lib.Gate", "class", ("lib.Gate",), doc="A gate.", members=("lib.Gate.width",))
    assert "width" in chunks_of_symbol(owner, SHAPES.get)[0].terms.split()


def test_an_error_is_an_error() -> None:
    assert chunks_of_symbol(Symbol("E", "error", ("E",), doc="Bad."), SHAPES.get)[0].content_type == "error"


def test_an_unknown_input_shape_brings_no_terms() -> None:
    assert chunks_of_symbol(Symbol("F", "operation", ("F",), doc="x", input_shape="Lost"), SHAPES.get)[0].terms == ""


def test_a_signature_is_indexed_where_there_are_no_parameters() -> None:
    symbol = Symbol("f", "function", ("f",), doc="x", summary="Other words.", signature="f(*, deadline)")
    assert chunks_of_symbol(symbol, SHAPES.get)[0].terms == "Other words.\nf(*, deadline)"


def test_terms_are_bounded_and_names_come_before_texts() -> None:
    params = tuple(Param(f"param_{number}", doc=f"Text {number} " + "x" * 300) for number in range(60))
    terms = chunks_of_symbol(Symbol("f", "function", ("f",), params=params), SHAPES.get)[0].terms
    assert len(terms) <= TERMS_LIMIT
    assert all(f"param_{number}\n" in terms for number in range(60))
    assert "Text 0" in terms


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("One. Two.", "One"),
        ("No end", "No end"),
        ("Line\nnext", "Line"),
        ("v1.2 is", "v1.2 is"),
        ("y" * 300, "y" * 120),
    ],
)
def test_only_the_first_sentence_of_a_parameter_is_indexed(doc: str, sentence: str) -> None:
    (chunk,) = chunks_of_symbol(Symbol("f", "function", ("f",), params=(Param("q"), Param("p", doc=doc))), SHAPES.get)
    assert chunk.terms == f"q\np\n{sentence}"


def test_a_long_description_becomes_several_chunks() -> None:
    doc = "\n\n".join(f"Paragraph {number}. " + "word " * 60 for number in range(20))
    chunks = chunks_of_symbol(Symbol("F", "operation", ("F",), doc=doc), SHAPES.get)
    assert [chunk.id for chunk in chunks][:3] == ["api/F", "api/F#2", "api/F#3"]
    assert {chunk.symbol for chunk in chunks} == {"F"}
    assert "".join("".join(chunk.text for chunk in chunks).split()) == "".join(doc.split())


def test_examples_that_explain_are_chunks_of_their_own() -> None:
    symbol = Symbol(
        "F",
        "operation",
        ("F",),
        doc="Text.",
        examples=(
            Example("f()", "python"),
            Example("f(1)", "python", title="To do one", doc="It does one."),
            Example("x = 1\n" * 80, "python"),
            Example("", title="Empty"),
        ),
    )
    chunks = chunks_of_symbol(symbol, SHAPES.get)
    assert [(chunk.id, chunk.title) for chunk in chunks[1:]] == [
        ("api/F#example1", "F: To do one"),
        ("api/F#example2", "F: example"),
    ]
    assert chunks[1].text == "**To do one**\n\nIt does one.\n\n```python\nf(1)\n```"
    assert {chunk.content_type for chunk in chunks[1:]} == {"code_example"}
    assert chunks[1].languages == ("python",)


def test_a_very_long_example_is_cut_with_its_fence_opened_again() -> None:
    symbol = Symbol("F", "operation", ("F",), doc="x", examples=(Example("call()\n" * 900, "python", title="Long"),))
    chunks = chunks_of_symbol(symbol, SHAPES.get)[1:]
    assert [chunk.id for chunk in chunks[:2]] == ["api/F#example1", "api/F#example1.2"]
    assert all(balanced(chunk.text) for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks).count("call()") == 900


@given(MARKDOWN)
def test_any_description_gives_whole_chunks_of_a_bounded_size(doc: str) -> None:
    for chunk in chunks_of_symbol(Symbol("F", "operation", ("F",), doc=doc), SHAPES.get):
        assert len(chunk.text) <= LARGEST + 10
        assert chunk.text.strip()


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_words_make_a_symbol_searchable(doc: str, name: str) -> None:
    assert chunks_of_symbol(Symbol(name, "setting", (name,), doc=doc), SHAPES.get)


def test_a_name_with_colons_is_found_by_its_last_part_too() -> None:
    made = chunks_of_symbol(
        Symbol("std::cell::Cell::get", "method", ("std::cell::Cell::get",), doc="Copies it."), SHAPES.get
    )
    assert made[0].names == ("std::cell::Cell::get", "get")
