"""What of real pages is still there after they became Markdown: code blocks, tables, balanced fences.

The pages are a seeded sample of DevDocs pages of all docsets that the data folder holds. What is expected is counted
straight from the tree that lxml parses, without any part of the product's rendering:

- a code block is a `pre` without another one inside; its text is what a browser shows: `<br>` is a line break, the line
  break after the start tag is none, blanks at its end do not count. It is kept if a fence, or inline code for one that
  stands in a table and has one line, holds exactly that text.
- a table is one of data: at least two cells in a row, no table or heading inside, no box of notes or fields. It is kept
  if one Markdown table, which is rows below a line of delimiters, holds every word of it outside of code blocks,
  formulas and drawings; a piece of a word that the page marks up (`4<sup>th</sup>`) may be part of a longer one.

Peers get the same pages: readability-lxml with markdownify, trafilatura. They are no dependencies; install them beside.
"""

import io
import random
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree, html
from lxml.html import HtmlElement

from bench.machine import data_folder, describe
from bench.measuring import Figure, cpu_of
from refdesk.domain.entries import Page
from refdesk.domain.markdown import balanced, blocks
from refdesk.ingest.html.cleaning import SiteProfile, learn
from refdesk.ingest.html.page import Served, convert
from refdesk.ingest.html.tree import read_document
from refdesk.ingest.markdown.chunks import chunks_of_page

PAGES = 200
SEED = 20261201
_LEARNT_FROM = 40
_WORD = re.compile(r"[^\W_]+")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")

Convert = Callable[[str, bytes], str]


@dataclass(frozen=True, slots=True)
class Sampled:
    """One page of the sample."""

    docset: str
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Expected:
    """What a page holds.

    Attributes:
        code: Texts of its code blocks.
        tables: The words of each table of data.
    """

    code: tuple[str, ...]
    tables: tuple[frozenset[str], ...]


@dataclass(slots=True)
class Tally:
    """What one converter kept."""

    code: int = 0
    tables: int = 0
    chunks: int = 0
    balanced: int = 0
    cpu: float = 0.0
    failed: int = 0
    lost: list[str] = field(default_factory=list)


def main(arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures; `--show` lists what was lost, `--seed=N` takes other pages, `--pages=N` more."""
    folder = data_folder()
    archives = sorted((folder / "devdocs-html").glob("*.tar.xz")) if folder else []
    if not archives:
        print("devdocs_fidelity: no DevDocs pages here (set REFDESK_BENCH_DATA); nothing was converted")
        return []
    print(describe())
    options = dict(one[2:].partition("=")[::2] for one in arguments)
    docsets = {archive.name.removesuffix(".tar.xz"): read_archive(archive) for archive in archives}
    pages = sample(docsets, int(options.get("pages") or PAGES), int(options.get("seed") or SEED))
    expected = [expected_of(page.data) for page in pages]
    code, tables = sum(len(one.code) for one in expected), sum(len(one.tables) for one in expected)
    counts = f"{len(pages)} pages of {len({page.docset for page in pages})} docsets"
    print(f"devdocs_fidelity: {counts}, {code:,} code blocks, {tables:,} tables")
    figures: list[Figure] = []
    for name, convert_one in converters(docsets):
        tally = judge(pages, expected, convert_one)
        own = name == "refdesk"
        print(f"  {name}: {tally.failed} pages failed, {tally.cpu / len(pages) * 1000:.1f} ms CPU a page")
        if "show" in options:
            print("\n".join(f"    {line}" for line in tally.lost))
        figures += [
            _share(f"{name}: code blocks byte-exact", tally.code, code, 99.5 if own else None),
            _share(f"{name}: tables kept", tally.tables, tables, 100.0 if own else None),
            _share(f"{name}: chunks with balanced fences", tally.balanced, tally.chunks, 100.0 if own else None),
        ]
    return figures


def read_archive(archive: Path) -> dict[str, bytes]:
    """The pages of a docset by path."""
    with tarfile.open(archive) as files:
        members = [one for one in files if one.isfile() and one.name.endswith(".html")]
        opened = {one.name: files.extractfile(one) for one in members}
        read = {name: (one or io.BytesIO()).read() for name, one in opened.items()}
    return {name: data for name, data in sorted(read.items()) if data.strip()}


def sample(docsets: dict[str, dict[str, bytes]], number: int, seed: int) -> list[Sampled]:
    """As many pages of each docset, as far as it has them, chosen by the seed."""
    chance = random.Random(seed)
    queues = {name: chance.sample(sorted(pages), len(pages)) for name, pages in docsets.items()}
    found: list[Sampled] = []
    while len(found) < number and any(queues.values()):
        for name, queue in queues.items():
            if queue and len(found) < number:
                path = queue.pop()
                found.append(Sampled(name, path, docsets[name][path]))
    return found


def expected_of(data: bytes) -> Expected:
    """Code blocks and tables of a page."""
    root = html.document_fromstring(data.decode("utf-8", "replace"))
    code = [shown_text(pre) for pre in root.iter("pre") if pre.find(".//pre") is None]
    tables = [table_words(one) for one in root.iter("table") if _is_data(one)]
    return Expected(tuple(text for text in code if text.strip()), tuple(words for words in tables if words))


def shown_text(pre: HtmlElement) -> str:
    """The text of preformatted code as a browser shows it."""
    parts: list[str] = []
    for event, element in etree.iterwalk(pre, events=("start", "end", "comment")):
        if event == "start":
            parts.append("\n" if element.tag == "br" else element.text or "")
        elif element is not pre:
            parts.append(element.tail or "")
    text = "".join(parts).replace("\r\n", "\n")
    return (text.removeprefix("\n") if (pre.text or "").startswith("\n") else text).rstrip()


def table_words(table: HtmlElement) -> frozenset[str]:
    """All words in the cells of a table but those of code blocks, formulas and drawings."""
    words: set[str] = set()
    for cell in table.iter("td", "th"):
        texts = cell.xpath(
            ".//text()[not(ancestor::pre or ancestor::math or ancestor::svg or ancestor::button or ancestor::script"
            " or ancestor::style or ancestor::*[contains(@class, 'katex') or contains(@class, 'math')])]"
        )
        words.update(word for text in texts for word in _WORD.findall(text))
    return frozenset(words)


def judge(pages: Sequence[Sampled], expected: Sequence[Expected], convert_one: Convert) -> Tally:
    """Convert all pages and count what they kept."""
    tally = Tally()
    for page, wanted in zip(pages, expected, strict=True):
        try:
            spent, markdown = cpu_of(lambda page=page: convert_one(page.path, page.data))  # type: ignore[misc]  # mypy: default in lambda
        except Exception as error:  # noqa: BLE001  # peers raise anything
            tally.failed += 1
            tally.lost.append(f"{page.docset} {page.path}: {error!r}")
            continue
        tally.cpu += spent
        _count(page, wanted, markdown, tally)
    return tally


def _count(page: Sampled, wanted: Expected, markdown: str, tally: Tally) -> None:
    fences, tables, spans = kept_by(markdown)
    for text in wanted.code:
        if fences[text]:
            fences[text] -= 1
        elif "\n" in text or not spans[" ".join(text.split())]:
            tally.lost.append(f"{page.docset} {page.path}: code {text[:60]!r}")
            continue
        tally.code += 1
    for words in wanted.tables:
        missing = [lost_of(words, kept) for kept in tables]
        if any(not lost for lost in missing):
            tally.tables += 1
        else:
            nearest = min(missing, key=len, default=words)
            tally.lost.append(f"{page.docset} {page.path}: table without {sorted(nearest)[:8]}")
    for chunk in chunks_of_page(Page(page.path, page.path, markdown, "concept")):
        tally.chunks += 1
        tally.balanced += balanced(chunk.text)


def lost_of(words: frozenset[str], kept: frozenset[str]) -> frozenset[str]:
    """The words that are not kept, neither by themselves nor inside of longer ones."""
    return frozenset(word for word in words - kept if not any(word in longer for longer in kept))


def kept_by(markdown: str) -> tuple[Counter[str], list[frozenset[str]], Counter[str]]:
    """Texts of fences, words of each table, texts of code spans in tables."""
    fences: Counter[str] = Counter()
    spans: Counter[str] = Counter()
    tables: list[frozenset[str]] = []
    for block in blocks(markdown):
        text = markdown[block.start : block.end]
        if block.kind == "fence":
            fences[_unfenced(text)] += 1
        elif block.kind == "table":
            tables.append(frozenset(_WORD.findall(re.sub(r"\\(?=[_*<\[\]`~&])", "", text))))
            spans.update(" ".join(match[2].replace("\\|", "|").split()) for match in _SPAN.finditer(text))
    return fences, tables, spans


def _unfenced(text: str) -> str:
    """What stands between two lines of a fence, without the marks of the list or quotation around it."""
    opening, *lines = text.rstrip().split("\n")
    width = len(opening) - len(opening.lstrip(" >-*+.)0123456789"))
    return "\n".join(line[width:] if line[:width].strip(" >") == "" else line for line in lines[:-1]).rstrip()


def _is_data(table: HtmlElement) -> bool:
    names = table.get("class") or ""
    if re.search(r"footnote|citation|field-list|highlighttable", names) or table.get("role") == "presentation":
        return False
    rows = [[cell for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    return (
        max(map(len, rows), default=0) > 1
        and table.find(".//table") is None
        and not table.xpath(".//h1|.//h2|.//pre//td")
    )


def converters(docsets: dict[str, dict[str, bytes]]) -> Iterator[tuple[str, Convert]]:
    """The product, and the peers that are installed."""
    chance = random.Random(SEED)
    every = [data for pages in docsets.values() for data in chance.sample(list(pages.values()), min(len(pages), 3))]
    profile = learn(read_document(data) for data in every[:_LEARNT_FROM])
    yield "refdesk", lambda path, data: _refdesk(path, data, profile)
    try:
        import markdownify
        import readability
    except ImportError as error:
        print(f"  readability + markdownify: not measured ({error}); pip install readability-lxml markdownify")
    else:

        def readable(_path: str, data: bytes) -> str:
            summary = readability.Document(_page(data)).summary()
            return str(markdownify.markdownify(summary, heading_style="ATX"))

        yield "readability + markdownify", readable
    try:
        import trafilatura
    except ImportError as error:
        print(f"  trafilatura: not measured ({error}); pip install trafilatura lxml_html_clean")
    else:
        yield "trafilatura", lambda _path, data: trafilatura.extract(_page(data), output_format="markdown") or ""


def _refdesk(path: str, data: bytes, profile: SiteProfile) -> str:
    return convert(Served(path, data), profile).page.markdown


def _page(data: bytes) -> str:
    """DevDocs keeps bodies only; the peers want whole documents."""
    return f"<!DOCTYPE html><html><head><title></title></head><body>{data.decode('utf-8', 'replace')}</body></html>"


def _share(name: str, part: int, whole: int, limit: float | None) -> Figure:
    return Figure(name, 100 * part / max(1, whole), "%", limit, at_least=True, counts=f"{part:,} of {whole:,}")


if __name__ == "__main__":
    import sys

    from bench.measuring import table

    print(table(main(sys.argv[1:])))
