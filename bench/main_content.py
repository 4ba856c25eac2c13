r"""What of a page is its content: words of real documentation pages against what annotators took for the content.

Pages and truth are the documentation pages of the Web Content Extraction Benchmark. The measures are those of its
`evaluate.py` (github.com/Murrough-Foley/web-content-extraction-benchmark): texts are lower-cased and split by `\w+`;
precision, recall and F1 compare how often each word stands in both; the mean is taken over pages. A snippet of `with`
must be in the text, one of `without` must not. The benchmark looks for snippets letter by letter, and so do we for
`without`. Those of `with` carry line breaks of the tool that made the truth (`calling\nfetch()\n, which`): for them the
figure compares words in their order, and the stricter counts (blanks collapsed, letter by letter) are printed beside.

Each page is taken by itself, as `refdesk extract FILE --text --visible` does; `--all` takes hidden panels and folded
parts in, `--worst N` lists the pages with the lowest F1, `--half 0` and `--half 1` take every other page, so that what
was found on one half can be tried on the other. Peers get the same pages; they are no dependencies, install them
beside: trafilatura with lxml_html_clean, readability-lxml with markdownify.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from bench.machine import data_folder, describe
from bench.measuring import Figure, cpu_of
from refdesk.domain.errors import SourceRejected
from refdesk.domain.plaintext import plain_text
from refdesk.ingest.html.cleaning import learn
from refdesk.ingest.html.page import Served, convert
from refdesk.ingest.html.tree import read_document

_WORD = re.compile(r"\w+")

Extract = Callable[["Annotated"], str]


@dataclass(frozen=True, slots=True)
class Annotated:
    """One page with what annotators say of it."""

    id: str
    url: str
    data: bytes
    content: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How one text compares to one page's truth; each from 0 to 1."""

    id: str
    url: str
    precision: float
    recall: float
    f1: float
    kept: float
    kept_collapsed: float
    kept_exactly: float
    dropped: float


def main(arguments: Sequence[str]) -> list[Figure]:
    """Print and return the figures."""
    folder = data_folder()
    pages = list(read_pages(folder / "wcxb-docs" / "dev")) if folder else []
    if not pages:
        print("main_content: no annotated pages here (set REFDESK_BENCH_DATA); nothing was extracted")
        return []
    options = dict(zip(arguments, [*arguments[1:], ""], strict=False))  # the blank is for a last one without value
    if "--half" in options:
        pages = pages[int(options["--half"]) :: 2]
    print(describe())
    print(f"main_content: {len(pages)} pages")
    figures: list[Figure] = []
    for name, extract in extractors(visible="--all" not in options):
        cpu, scores = cpu_of(partial(_scores, pages, extract))
        _print_means(name, scores, cpu / len(pages))
        if name == "refdesk":
            _print_worst(scores, int(options.get("--worst") or 0))
        figures += _figures(name, scores)
    return figures


def read_pages(folder: Path) -> Iterator[Annotated]:
    """The pages of one part of the benchmark."""
    for path in sorted((folder / "ground-truth").glob("*.json")):
        said = json.loads(path.read_text(encoding="utf-8"))
        truth = said["ground_truth"]
        yield Annotated(
            id=path.stem,
            url=said["url"],
            data=gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes()),
            content=truth["main_content"] or "",
            wanted=tuple(truth["with"] or ()),
            unwanted=tuple(truth["without"] or ()),
        )


def extractors(*, visible: bool = True) -> Iterator[tuple[str, Extract]]:
    """Ways to get a text out of a page: ours, then the peers that are installed."""

    def own(page: Annotated) -> str:
        profile = learn([read_document(page.data, page.url)])
        try:
            return plain_text(convert(Served(page.id, page.data, page.url), profile, visible=visible).page.markdown)
        except SourceRejected:
            return ""

    yield "refdesk", own
    try:
        import trafilatura
    except ImportError:
        print("  trafilatura is not installed")
    else:
        yield "trafilatura", lambda page: trafilatura.extract(page.data, include_comments=False) or ""
        yield (
            "trafilatura favor_recall",
            lambda page: trafilatura.extract(page.data, include_comments=False, favor_recall=True) or "",
        )
    try:
        from markdownify import markdownify
        from readability import Document
    except ImportError:
        print("  readability-lxml and markdownify are not installed")
    else:
        yield "readability + markdownify", lambda page: str(markdownify(Document(page.data).summary()))


def score(page: Annotated, text: str) -> Score:
    """Compare a text to the truth."""
    found, truth = words(text), words(page.content)
    common = sum((Counter(found) & Counter(truth)).values())
    precision, recall = common / max(1, len(found)), common / max(1, len(truth))
    return Score(
        page.id,
        page.url,
        precision,
        recall,
        2 * precision * recall / (precision + recall) if common else 0.0,
        _share(page.wanted, text, _in_words),
        _share(page.wanted, text, _collapsed),
        _share(page.wanted, text, str.lower),
        1 - _share(page.unwanted, text, _collapsed, empty=0.0),
    )


def _scores(pages: Sequence[Annotated], extract: Extract) -> list[Score]:
    return [score(page, extract(page)) for page in pages]


def words(text: str) -> list[str]:
    """Words as the benchmark counts them."""
    return _WORD.findall(text.lower())


def _collapsed(text: str) -> str:
    return " ".join(text.lower().split())


def _in_words(text: str) -> str:
    return f" {' '.join(words(text))} "


def _share(snippets: Sequence[str], text: str, form: Callable[[str], str], empty: float = 1.0) -> float:
    whole = form(text)
    return fmean(form(one) in whole for one in snippets) if snippets else empty


def _print_means(name: str, scores: Sequence[Score], cpu: float) -> None:
    collapsed, exactly = fmean(one.kept_collapsed for one in scores), fmean(one.kept_exactly for one in scores)
    print(
        f"  {name}: precision {fmean(one.precision for one in scores):.3f},"
        f" recall {fmean(one.recall for one in scores):.3f}, `with` blanks collapsed {collapsed:.3f},"
        f" letter by letter {exactly:.3f}, {cpu * 1000:.1f} ms CPU a page"
    )


def _print_worst(scores: Sequence[Score], count: int) -> None:
    for one in sorted(scores, key=lambda one: one.f1)[:count]:
        print(f"    {one.id} F1 {one.f1:.3f} precision {one.precision:.3f} recall {one.recall:.3f} {one.url}")


def _figures(name: str, scores: Sequence[Score]) -> list[Figure]:
    own = name == "refdesk"
    counts = f"{len(scores)} pages"
    return [
        Figure(f"{name}: {what}", value, "", limit if own else None, at_least=True, counts=counts)
        for what, value, limit in (
            ("word F1", fmean(one.f1 for one in scores), 0.95),
            ("with[] kept", fmean(one.kept for one in scores), 0.92),
            ("without[] dropped", fmean(one.dropped for one in scores), 0.97),
        )
    ]


if __name__ == "__main__":
    import sys

    from bench.measuring import table

    print(table(main(sys.argv[1:])))
