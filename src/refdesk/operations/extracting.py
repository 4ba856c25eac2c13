"""Extracting one page: in the toolset `docs`, for people, offered as no tool."""

from pydantic import Field

from refdesk.domain.entries import Chunk, Counts, Fidelity
from refdesk.domain.errors import ExtraMissing, NetworkUnavailable, NotFound, SourceRejected
from refdesk.domain.symbols import Symbol
from refdesk.operations.descriptor import Caller, Input, Operation, Output, Served
from refdesk.operations.outputs import Deprecated, ParamRow
from refdesk.operations.presenting import deprecated, param_row
from refdesk.operations.services import Services


class ExtractInput(Input):
    """Arguments of `extract_page`."""

    page: str = Field(
        description="A file or an http(s) address: HTML, Markdown, reStructuredText",
        json_schema_extra={"cli": "argument"},
    )
    text: bool = Field(False, description="Plain text instead of Markdown: what a reader reads, and nothing else")
    visible: bool = Field(False, description="Leave out what no reader can see or open: texts of images, hidden lines")
    render: bool = Field(False, description="Let a browser render the page first (extra render)")


class ChunkRow(Output):
    """One chunk: what a search would find."""

    id: str
    title: str
    heading: list[str]
    text: str
    kind: str
    names: list[str]
    symbol: str
    anchor: str
    url: str
    languages: list[str]
    facets: list[str]
    mentions: list[str]
    deprecated: bool
    warning: str


class SymbolRow(Output):
    """One API entry that the page defines."""

    name: str
    kind: str
    signature: str
    doc: str
    params: list[ParamRow]
    since: str | None
    deprecated: Deprecated | None
    url: str


class CountsBlock(Output):
    """What can be counted of a page."""

    code: int
    tables: int
    panels: int
    headings: int
    words: int
    links: int


class ReceiptBlock(Output):
    """What was there and what was kept."""

    sha256: str
    maker: str
    generator: str
    before: CountsBlock
    after: CountsBlock
    removed: dict[str, int] = Field(description="Words that each step of cleaning took out of the main content")
    undone: list[str] = Field(description="Steps that would have taken too much and were undone")


class ExtractAnswer(Output):
    """What one page becomes."""

    version_line: str
    page: str
    url: str
    title: str
    language: str
    kind: str
    markdown: str
    text: str | None = Field(description="The page as plain text; only on request")
    chunks: list[ChunkRow]
    symbols: list[SymbolRow]
    receipt: ReceiptBlock | None = Field(description="Null for pages that are no HTML")
    problems: list[str]


def run_extract(services: Services, request: ExtractInput, _caller: Caller) -> ExtractAnswer:
    """Read one page and show what it becomes."""
    found = services.extracting.extract(request.page, visible=request.visible, render=request.render)
    page = found.page
    return ExtractAnswer(
        version_line="[Version: none; one page by itself]",
        page=page.path,
        url=page.url,
        title=page.title,
        language=page.language,
        kind=page.content_type,
        markdown=page.markdown,
        text=found.text if request.text else None,
        chunks=[_chunk(one) for one in found.entries.chunks],
        symbols=[_symbol(one) for one in found.entries.symbols],
        receipt=_receipt(found.receipt) if found.receipt is not None else None,
        problems=[one.message for one in found.entries.problems],
    )


def render_extract(answer: ExtractAnswer) -> str:
    """The page and nothing else: what is printed may be compared or fed to another program."""
    return (answer.markdown if answer.text is None else answer.text).removesuffix("\n")


def _chunk(one: Chunk) -> ChunkRow:
    return ChunkRow(
        id=one.id,
        title=one.title,
        heading=list(one.heading),
        text=one.text,
        kind=one.content_type,
        names=list(one.names),
        symbol=one.symbol,
        anchor=one.anchor,
        url=one.url,
        languages=list(one.languages),
        facets=list(one.facets),
        mentions=list(one.mentions),
        deprecated=one.deprecated,
        warning=one.warning,
    )


def _symbol(one: Symbol) -> SymbolRow:
    return SymbolRow(
        name=one.name,
        kind=one.kind,
        signature=one.signature,
        doc=one.doc,
        params=[param_row(param) for param in one.params],
        since=one.since or None,
        deprecated=deprecated(one.deprecation),
        url=one.place.url,
    )


def _receipt(one: Fidelity) -> ReceiptBlock:
    return ReceiptBlock(
        sha256=one.sha256,
        maker=one.maker,
        generator=one.generator,
        before=_counts(one.before),
        after=_counts(one.after),
        removed=dict(one.removed),
        undone=list(one.undone),
    )


def _counts(one: Counts) -> CountsBlock:
    return CountsBlock(
        code=one.code, tables=one.tables, panels=one.panels, headings=one.headings, words=one.words, links=one.links
    )


EXTRACT = Operation(
    name="extract_page",
    toolset="docs",
    title="Show what one page becomes",
    description=(
        "Show what one page of documentation becomes, to look into any doubt about an answer: its Markdown; with text"
        " its plain text, exactly that and nothing else; in the structured form its chunks with their metadata, the API"
        " entries that it defines, and the receipt of what was there and what was kept. Nothing is stored."
        ' Example: {"page": "docs/quickstart.html"}'
    ),
    input=ExtractInput,
    output=ExtractAnswer,
    run=run_extract,
    render=render_extract,
    served=lambda answer: Served(ids=(answer.url or answer.page,), count=1),
    view="text",
    cli="extract",
    rest=("GET", "/docs/extract"),
    ceiling=0,
    network=True,
    tool=False,
    plain=True,
    errors=(NotFound, NetworkUnavailable, SourceRejected, ExtraMissing),
)

OPERATIONS = (EXTRACT,)
