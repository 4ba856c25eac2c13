"""Pages to chunks: one section, one meaning; one API entry, one option, one panel of tabs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refdesk.domain.entries import Chunk, Page
from refdesk.domain.languages import is_language, language_name
from refdesk.domain.markdown import Block, Heading
from refdesk.domain.symbols import Symbol
from refdesk.ingest.known import Known
from refdesk.ingest.markdown.content_types import section_type
from refdesk.ingest.markdown.deprecation import is_deprecated
from refdesk.ingest.markdown.footnotes import footnotes, with_footnotes
from refdesk.ingest.markdown.names import api_names
from refdesk.ingest.markdown.options import Option, options
from refdesk.ingest.markdown.panels import Group, Variants, groups, variants
from refdesk.ingest.markdown.sections import KEPT_WHOLE, LARGEST, TARGET, Section, Sheet, outside, parts, sections
from refdesk.ingest.markdown.shown import Shown
from refdesk.ingest.markdown.twins import without_twins
from refdesk.ingest.suspicion import may_be_suspicious, suspicion

__all__ = ["LARGEST", "TARGET", "Cut", "Told", "chunks_of_page", "cut_long", "cut_page", "languages_of"]

_LONGEST_LEAD = 400
_ONLY_LEAD = 300
_NO_ENTRIES: Mapping[str, Symbol] = {}


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a chunk before it is known whose it is.

    Attributes:
        code: Share of code in it, 0 to 1.
        spelled: Names that its code spans and links may mention.
    """

    heading: Heading | None
    text: str
    languages: tuple[str, ...]
    code: float
    spelled: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    terms: str = ""
    option: Option | None = None
    symbol: Symbol | None = None
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What a page says of one API entry.

    Attributes:
        heading: Titles of the page and of the sections around the entry.
        drafts: Its section in parts.
    """

    page: str
    anchor: str
    heading: tuple[str, ...]
    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """What became of a page.

    Attributes:
        chunks: Of its text; their ids are `page/<path>#<n>` with n from 1.
        told: What it says of API entries, by canonical name: those become the chunks of their symbols.
    """

    chunks: tuple[Chunk, ...]
    told: Mapping[str, Told] = field(default_factory=dict)


def cut_page(page: Page, known: Known, scanned: Sequence[Block] | None = None) -> Cut:
    """Cut a page.

    Args:
        page: Its Markdown with balanced fences.
        known: The symbols of the release.
        scanned: Its blocks, where the caller has them already.
    """
    sheet = Sheet(page.markdown, scanned, news=page.content_type == "changelog")
    chunks: list[Draft] = []
    told: dict[str, list[Draft]] = {}
    doubtful = may_be_suspicious(page.markdown)
    notes = footnotes(sheet)
    for draft in _drafts(sheet, known.entries(page.path), Shown(page.url)):
        if notes:
            draft = replace(draft, text=with_footnotes(draft.text, notes))  # noqa: PLW2901  # the same draft, complete
        if doubtful and (warning := suspicion(draft.text)):
            draft = replace(draft, warning=warning)  # noqa: PLW2901  # the same draft, marked
        if draft.symbol is None:
            chunks.append(draft)
        else:
            told.setdefault(draft.symbol.name, []).append(draft)
    made = [_chunk(page, draft, known, number, told=bool(told)) for number, draft in enumerate(chunks, 1)]
    kept = without_twins(made)
    if len(kept) < len(made):
        kept = [replace(one, id=_id(page, number)) for number, one in enumerate(kept, 1)]
    return Cut(tuple(kept), {name: _told(page, drafts) for name, drafts in told.items()})


def chunks_of_page(page: Page) -> tuple[Chunk, ...]:
    """The chunks of a page of a release without symbols."""
    return cut_page(page, Known()).chunks


def cut_long(markdown: str) -> tuple[str, ...]:
    """A text in parts of a good size, each whole Markdown; one part where it is short."""
    if len(markdown) <= KEPT_WHOLE:
        return (markdown,)
    sheet = Sheet(markdown)
    texts = (_text(sheet, start, end, None) for start, end in parts(sheet, 0, len(markdown)))
    return tuple(text for text in texts if text) or (markdown,)


def languages_of(scanned: Sequence[Block]) -> tuple[str, ...]:
    """Programming languages of the fences among blocks, each once, by the names that most people use."""
    found = (language_name(block.language) for block in scanned if block.kind == "fence")
    return tuple(dict.fromkeys(language for language in found if is_language(language)))


def _drafts(sheet: Sheet, entries: Mapping[str, Symbol], shown: Shown) -> Iterator[Draft]:
    """The text in the order of its sections."""
    tabs = list(groups(sheet.markdown, sheet.scanned)) if "<tab " in sheet.markdown else []
    headings = outside(sheet.headings, [(group.start, group.end) for group in tabs])
    for section in sections(sheet, headings, entries):
        inside = [group for group in tabs if section.start <= group.start < section.end]
        if inside:
            yield from _tabbed(sheet, section, inside, shown)
        else:
            yield from _plain(sheet, section, shown)


def _plain(sheet: Sheet, section: Section, shown: Shown) -> Iterator[Draft]:
    """A section without tabs: its options, or its parts."""
    start, end = section.start, section.end
    found: Sequence[Option] = ()
    if end - start > KEPT_WHOLE and section.symbol is None and not _is_news(sheet, section):
        found = options(sheet.markdown, sheet.slicer.between(start, end), start, end)
    for option in found or [Option(start, end)]:
        for first, last in parts(sheet, option.start, option.end):
            text = _text(sheet, first, last, shown)
            if text:
                yield _draft(section, text, sheet.slicer.between(first, last), shown, option)


def _is_news(sheet: Sheet, section: Section) -> bool:
    heading = section.heading
    return sheet.news or (heading is not None and section_type("concept", heading.text, 0.0) == "changelog")


def _draft(section: Section, text: str, inside: Sequence[Block], shown: Shown, option: Option) -> Draft:
    code = sum(block.end - block.start for block in inside if block.kind in ("fence", "code"))
    share = code / max(1, sum(block.end - block.start for block in inside))
    named = option if option.title or option.names else None
    return Draft(
        section.heading, text, languages_of(inside), share, shown.mentioned(), option=named, symbol=section.symbol
    )


def _tabbed(sheet: Sheet, section: Section, tabs: Sequence[Group], shown: Shown) -> Iterator[Draft]:
    """A section with tabs: its own text, in which they are named, and each panel with what leads to it."""
    edges = [section.start, *(edge for group in tabs for edge in (group.start, group.end)), section.end]
    own = [sheet.markdown[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    named = [" · ".join(panel.label for panel in group.panels if panel.label) for group in tabs]
    rest = "".join(f"{text}({labels})\n\n" if labels else text for text, labels in zip(own, [*named, ""], strict=True))
    leads = [_lead(sheet, section, group) for group in tabs]
    if not _is_said(own, leads, section.heading):
        text = Sheet(rest, headings=(), news=sheet.news)
        yield from _plain(text, replace(section, start=0, end=len(rest)), shown)
    for group, lead in zip(tabs, leads, strict=True):
        headings = [one for one in sheet.headings if group.start <= one.start < group.end]
        for one in variants(group.panels):
            yield from _panel(one, section, lead, [at for at in headings if one.start <= at.start < one.end], shown)


def _panel(
    variant: Variants, section: Section, lead: str, headings: Sequence[Heading], shown: Shown
) -> Iterator[Draft]:
    """One panel by itself: the heading it stands under, the sentence that leads to it, its label and its text."""
    label = f"**{' / '.join(variant.labels)}**\n\n" if variant.labels else ""
    title = f"{'#' * section.heading.level} {section.heading.written}\n\n" if section.heading else ""
    opening = f"{title}{lead}{label}"
    whole = Sheet(f"{opening}{variant.body}\n")
    before = ""
    if len(whole.markdown) > LARGEST or headings:
        before = label
        whole = Sheet(f"{variant.body}\n")
        if len(whole.headings) == len(headings):  # those of the page know their anchors
            own = zip(headings, whole.headings, strict=True)
            moved = [replace(at, start=one.start, body=one.body, end=one.end) for at, one in own]
            whole = Sheet(whole.markdown, whole.scanned, moved)
    else:
        whole = Sheet(whole.markdown, whole.scanned, ())
    for number, draft in enumerate(_drafts(whole, _NO_ENTRIES, shown)):
        yield replace(
            draft,
            heading=section.heading if section.symbol else draft.heading or section.heading,
            symbol=section.symbol,
            text=draft.text if number else before + draft.text,
            facets=(*variant.labels, *draft.facets),
            terms=f"{variant.terms} {draft.terms}".strip(),
            languages=tuple(dict.fromkeys((*draft.languages, *variant.languages))),
        )


def _lead(sheet: Sheet, section: Section, group: Group) -> str:
    """The paragraph before a group of tabs; empty where none leads to it."""
    before = sheet.slicer.between(section.start, group.start)
    if not before or before[-1].kind not in ("text", "item"):
        return ""
    text = sheet.markdown[max(section.start, before[-1].start) : group.start].strip()
    return f"{text}\n\n" if text and len(text) <= _LONGEST_LEAD else ""


def _is_said(own: Sequence[str], leads: Sequence[str], heading: Heading | None) -> bool:
    """Whether the text around tabs is only what each panel repeats."""
    rest = "".join(own)
    if len(rest) > _ONLY_LEAD + sum(map(len, leads)):
        return False
    for lead in leads:
        rest = rest.replace(lead.strip(), "", 1)
    return not rest.replace(heading.written if heading else "", "", 1).strip("# \n")


def _text(sheet: Sheet, start: int, end: int, shown: Shown | None) -> str:
    """A part as a text of its own."""
    slicer = sheet.slicer
    part = slicer.part(start, end, LARGEST, shown.block) if shown else slicer.part(start, end, LARGEST)
    return _readable(part, sheet.scanned[slicer.block_at(start)])


def _readable(part: str, first: Block) -> str:
    """A part without blank lines around it and without the indentation of a list it was in."""
    text = part.strip("\n").rstrip()
    while text.endswith("\n\n---"):  # a line drawn between this part and the next
        text = text[:-5].rstrip()
    if first.kind == "code" or not text.startswith((" ", "\t")):
        return text
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    shift = indents[0]
    end = next((at for at, line in enumerate(lines) if line.strip() and indents[at] < shift), len(lines))
    return "\n".join(
        [*(line[min(shift, indent) :] for line, indent in zip(lines[:end], indents, strict=False)), *lines[end:]]
    )


def _id(page: Page, number: int) -> str:
    return f"page/{page.path}#{number}"


def _chunk(page: Page, draft: Draft, known: Known, number: int, *, told: bool) -> Chunk:
    heading, option = draft.heading, draft.option
    titles = _titles(page, heading)
    if option is not None and option.title:
        titles.append(option.title)
    anchor = (option.anchor if option else "") or (heading.anchor if heading else "")
    names = option.names if option else api_names(heading.written) if heading else ()
    title = heading.text if heading else ""
    return Chunk(
        id=_id(page, number),
        title=titles[-1],
        heading=tuple(titles),
        text=draft.text,
        content_type=section_type(page.content_type, title, round(draft.code, 1), told=told and not names),
        names=names,
        terms=draft.terms,
        page=page.path,
        anchor=anchor,
        url=f"{page.url}#{anchor}" if page.url and anchor else page.url,
        languages=draft.languages,
        facets=tuple(dict.fromkeys(draft.facets)),
        mentions=known.mentions(draft.spelled),
        deprecated=is_deprecated(draft.text),
        warning=draft.warning,
    )


def _titles(page: Page, heading: Heading | None) -> list[str]:
    """Titles from the page's root to a section, none twice in a row; the page's where nothing has one."""
    titles = [page.title, *heading.path, heading.text] if heading else [page.title]
    kept = [title for before, title in zip(["", *titles], titles, strict=False) if title and title != before]
    return kept or [page.title]


def _told(page: Page, drafts: Sequence[Draft]) -> Told:
    heading = drafts[0].heading
    anchor = heading.anchor if heading else ""
    return Told(page.path, anchor, tuple(_titles(page, heading)[:-1]), tuple(drafts))
