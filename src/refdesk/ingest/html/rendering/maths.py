"""Formulas as TeX, once: from MathML, KaTeX, MathJax and what Sphinx and others write for them."""

import re

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.queries import found, string_of
from refdesk.ingest.html.rendering.walker import InlineHandler, Lines, Walker

_annotation = found(".//*[local-name()='annotation'][contains(@encoding, 'tex') or contains(@encoding, 'TeX')]")
_DELIMITED = re.compile(r"\A\s*(?:\\\((?P<a>.*)\\\)|\\\[(?P<b>.*)\\\]|\$\$(?P<c>.*)\$\$|\$(?P<d>.*)\$)\s*\Z", re.DOTALL)
_RENDERED = frozenset({
    "MathJax", "MathJax_Preview", "MathJax_SVG", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG_Display",
    "katex-html", "MJX_Assistive_MathML", "mjx-chtml",
})  # fmt: skip


def mathml(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A `math` element."""
    tex = _tex_of(element)
    text = tex or " ".join(string_of(element).split())
    if text:
        run.append(_inline(text) if tex else f" {text} ")


def script(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A script is not text, unless its type says that it is TeX for MathJax."""
    kind = element.get("type") or ""
    if kind.startswith("math/tex"):
        run.append(_inline(element.text or ""))


def mathjax(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """`mjx-container`, which holds MathML for readers that hear."""
    tex = _tex_of(element)
    if tex:
        run.append(_inline(tex))
        return
    math = element.find(".//math")
    run.append(f" {' '.join(string_of(math if math is not None else element).split())} ")


def in_span(element: HtmlElement, names: Lines, run: Lines) -> bool:
    """Whether a `span` is a formula, or the drawing of one that stands beside it as TeX."""
    if "katex" in names or "katex-display" in names or "math" in names or "arithmatex" in names or "MathJax" in names:
        tex = _tex_of(element)
        if tex:
            run.append(_inline(tex))
            return True
    if any(name in _RENDERED for name in names):
        return True
    if "math" not in names and "arithmatex" not in names:
        return False
    image = element.find(".//img")
    text = (image.get("alt") or "") if image is not None else string_of(element)
    if text.strip():
        run.append(_inline(text))
    return True


def display(_walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """A formula that stands alone; other things of class `math` stay what they are."""
    tex = _tex_of(element)
    if not tex:
        if element.find(".//p") is not None and element.find(".//img") is None:
            return False
        image = element.find(".//img")
        tex = (image.get("alt") or "") if image is not None else _without_number(element)
    lines = [line.rstrip() for line in _bare(tex).splitlines() if line.strip()]
    if lines:
        out += ("$$", *lines, "$$", "")
    return True


def _without_number(element: HtmlElement) -> str:
    """The text without the number of the equation, which Sphinx puts before it."""
    first = element.find("span")
    if first is not None and "eqno" in (first.get("class") or ""):
        return string_of(element).strip().removeprefix(string_of(first).strip())
    return string_of(element)


def _tex_of(element: HtmlElement) -> str:
    found = _annotation(element)
    if found:
        return (string_of(found[0]) or "").strip()
    for one in [element, *element.iter("math")]:
        alternative = one.get("alttext") or one.get("data-latex") or ""
        if alternative:
            return alternative.strip()
    return ""


def _inline(tex: str) -> str:
    return f"${' '.join(_bare(tex).split())}$"


def _bare(tex: str) -> str:
    match = _DELIMITED.match(tex)
    return tex.strip() if match is None else next(part for part in match.groups() if part is not None).strip()


INLINES: dict[str, InlineHandler] = {"math": mathml, "script": script, "mjx-container": mathjax}

CLASSES = {"math": display, "katex-display": display, "katex-block": display, "arithmatex": display}
