"""Words in a line: emphasis, code, links, images, small marks."""

import re
from itertools import islice

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.escaping import (
    BREAK,
    CLOSE,
    OPEN,
    code_span,
    escape,
    image,
    link,
    one_line,
)
from refdesk.ingest.html.rendering.maths import in_span
from refdesk.ingest.html.rendering.notes import reference
from refdesk.ingest.html.rendering.queries import found, holds_break, string_of, truth
from refdesk.ingest.html.rendering.walker import InlineHandler, Lines, Walker

_PERMALINKS = frozenset({
    "headerlink", "hash-link", "header-anchor", "anchorjs-link", "permalink", "heading-anchor", "headeranchor-link",
    "anchor-link", "heading-link", "toc-anchor", "sl-anchor-link", "direct-link", "td-heading-self-link", "anchor",
    "mark", "section-anchor", "doc-anchor", "fn-backref", "footnote-backref", "data-footnote-backref",
})  # fmt: skip
_FURNITURE = frozenset({"test-arrow", "srclink", "src", "srcLink", "viewcode-back"})
_SIGNS = frozenset(
    {"", "¶", "#", "§", "🔗", "\uf0c1", "\uf0c6", "\u2693", "\u2693\ufe0e", "\u200b", "¶\u200b", "↩", "↩︎"}
)
_COPY = re.compile(
    r"cop(?:y|ied)|clipboard|\brun\b|wrap|expand|collapse|toggle|play|menu|feedback|share", re.IGNORECASE
)
_MATHS = re.compile(r"math|katex|mjx|MathJax", re.IGNORECASE)
_anchors = found(".//a")
_holds_since = truth("span[@class='since']")
_WORD = re.compile(r"\w")
_BADGE = re.compile(r"badge|label|tag|pill|chip", re.IGNORECASE)
_ORDINALS = frozenset({"th", "st", "nd", "rd", "™", "®", "©", "TM", "(R)", "er", "e", "o", "a"})
_UNSEEN = str.maketrans("", "", "\u200b\u2060\ufeff\u00ad")


def _strong(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """Bold text; code where it is the name of a parameter."""
    if walker.names and element in walker.names:
        _code(walker, element, run)
        return
    _marked(walker, element, run, "**")


def _emphasis(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """Text in italics; an empty one is an icon, which may have a title."""
    if element.text is None and not len(element):
        _badge(walker, element, run)
    else:
        _marked(walker, element, run, "*")


def _struck(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """Text that was taken back."""
    _marked(walker, element, run, "~~")


def _code(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """Inline code; a link around all of it stays a link."""
    if not len(element):
        text = element.text or ""
        run.append(code_span(text if text.isascii() else text.translate(_UNSEEN)))
        return
    text = string_of(element)
    text = text if text.isascii() else text.translate(_UNSEEN)
    if len(element) == 1 and element[0].tag == "span" and not len(element[0]):  # Sphinx: `span.pre`
        run.append(code_span(text))
        return
    if holds_break(element):
        _broken_code(element, run)
        return
    anchors = [] if walker.in_heading or _in_link(element) else _anchors(element)
    if len(anchors) == 1 and string_of(anchors[0]).strip() == text.strip():
        url = walker.addresses.absolute(anchors[0].get("href", ""))
        if url:
            run.append(link(code_span(text), url))
            return
    run.append(code_span(text))


def _anchor(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A link; permalink signs are nothing, links without text neither."""
    names = (element.get("class") or "").split()
    href = element.get("href")
    if names and _is_furniture(names, element):
        return
    note = reference(element, names, href or "")
    if note:
        run.append(note)
        return
    inner: Lines = []
    walker.inline(element, inner)
    text = one_line(inner)
    if not text or (len(text) <= 3 and href and text.replace("\\", "") in _SIGNS and href.startswith("#")):
        return
    if href is None or walker.in_heading:
        run += inner
        return
    url = walker.addresses.absolute(href)
    if not url or ("](" in text and _holds_link(text)):
        run += inner
        return
    if run and run[-1].endswith("!"):
        run[-1] = f"{run[-1][:-1]}\\!"
    whole = "".join(inner)
    before, after = whole[:1].isspace(), whole[-1:].isspace()
    shown = url if text.replace("\\", "") == url else link(text, url)
    run.append(f"{' ' if before else ''}{shown}{' ' if after else ''}")


def _picture(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """An image by its alternative text; nothing where it has none, or where only what is shown is wanted."""
    if walker.options.visible:
        return
    alt = (element.get("alt") or "").translate(_UNSEEN)
    if alt.strip():
        source = element.get("src") or element.get("data-src") or ""
        run.append(image(alt, "" if walker.in_heading else walker.addresses.absolute(source)))


def _line_break(_walker: Walker, _element: HtmlElement, run: Lines) -> None:
    """A line break."""
    run.append(BREAK)


def _nothing(_walker: Walker, _element: HtmlElement, _run: Lines) -> None:
    """No text."""


def _span(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """Inline text without a mark of its own, unless it is empty and an attribute holds its text."""
    names = element.get("class")
    if names == "rightside" and _holds_since(element):  # rustdoc: no sentence, but a mark beside a declaration
        return
    if names and (names == "lang" or _MATHS.search(names)):
        if names == "lang" and _repeats_language(element):
            return
        if in_span(element, names.split(), run):
            return
    if names and run and _is_apart(element, run):
        run.append(" ")
    if len(element):
        walker.inline(element, run)
    elif element.text:
        run.append(escape(element.text))
    else:
        _badge(walker, element, run)


def _is_apart(element: HtmlElement, run: Lines) -> bool:
    """Whether a style sets this span apart from the one before it, with which its letters would make one word.

    Spans of one word that only differ in colour stand in code, which is not rendered here.
    """
    before = element.getprevious()
    if before is None or before.tag != "span" or before.tail or not before.get("class"):
        return False
    first, last = string_of(element), run[-1]
    return len(first) > 1 and first[0].isalnum() and last[-1:].isalnum() and len(string_of(before)) > 1


def _repeats_language(element: HtmlElement) -> bool:
    """Whether a word stands beside code whose language it repeats."""
    return any(one.tag == "pre" for one in islice(element.itersiblings(), 3))


def _badge(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """The text of an empty element that lives in an attribute."""
    attributes = element.attrib
    if not attributes:
        return
    text = attributes.get("data-text") or attributes.get("data-badge") or attributes.get("data-content")
    if not text and _BADGE.search(attributes.get("class") or ""):
        text = attributes.get("data-title") or attributes.get("title") or attributes.get("aria-label")
    if text and text.strip():
        run.append(f" ({escape(text.strip())}) ")


def _superscript(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A raised text: an exponent, the sign of a footnote, or a badge."""
    if element.get("data-text"):
        _badge(walker, element, run)
        return
    inner: Lines = []
    walker.inline(element, inner)
    text = one_line(inner)
    if text in _ORDINALS or text.startswith(("[^", "[[", "[")) or walker.in_heading:
        run += inner
    elif text:
        run.append(f"<sup>{text}</sup>")


def _subscript(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A lowered text."""
    inner: Lines = []
    walker.inline(element, inner)
    text = one_line(inner)
    if text:
        run.append(text if walker.in_heading else f"<sub>{text}</sub>")


def _quote(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A quotation inside a sentence, with the quotation marks that a browser adds."""
    run.append("“")
    walker.inline(element, run)
    run.append("”")


def _ruby_text(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A reading above a word, in parentheses; `rp` would bring them for browsers that know no ruby."""
    run.append("(")
    walker.inline(element, run)
    run.append(")")


def _button(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """What a button says, unless it acts on the page itself."""
    said = " ".join([element.get("class") or "", element.get("title") or "", element.get("aria-label") or ""])
    inner: Lines = []
    walker.inline(element, inner)
    text = one_line(inner)
    if text and not _COPY.search(said) and not (len(text) < 20 and _COPY.search(text)):
        run += (" ", text, " ")


def _entry_field(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A field of a form: whether a box is ticked, what is written in it."""
    kind = (element.get("type") or "text").lower()
    if kind == "checkbox" and element.getparent() is not None and element.getparent().tag in ("li", "p", "label"):
        if "task" in " ".join([element.get("class") or "", element.getparent().get("class") or ""]):
            run.append("[x] " if element.get("checked") is not None else "[ ] ")
    elif kind in ("text", "submit", "button", "url", "email", "number") and element.get("value"):
        run.append(f" {escape(element.get('value', ''))} ")


def _choice(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """The choices of a form."""
    texts = [" ".join(string_of(one).split()) for one in element.iter("option")]
    run.append(" " + ", ".join(escape(text) for text in texts if text) + " ")


def _embedded(walker: Walker, element: HtmlElement, run: Lines) -> None:
    """A film, sound or page inside the page, as a link to it."""
    source = element.get("src") or element.get("data") or element.get("data-src") or ""
    if not source:
        source = next((one.get("src", "") for one in element.iter("source")), "")
    url = walker.addresses.absolute(source)
    title = element.get("title") or element.get("aria-label") or ""
    if not title:
        title = {"iframe": "Embedded page", "audio": "Audio"}.get(str(element.tag), "Video")
    if url:
        run.append(link(escape(" ".join(title.split())), url))


def _drawing(_walker: Walker, element: HtmlElement, run: Lines) -> None:
    """The words in a drawing; an icon has none."""
    words = [" ".join(string_of(one).split()) for one in element.iter("{*}text")]
    if any(words):
        run.append(f" {escape(' '.join(words))} ")


def _marked(walker: Walker, element: HtmlElement, run: Lines, mark: str) -> None:
    inner: Lines = []
    walker.inline(element, inner)
    text = "".join(inner)
    bare = text.strip()
    if (
        walker.in_heading
        or "~" in (bare[:1], bare[-1:])
        or BREAK in bare
        or bare.startswith(OPEN + mark)
        or not _WORD.search(bare)
    ):
        run += inner
        return
    if text[:1].isspace():
        run.append(" ")
    run.append(f"{OPEN}{mark}{bare}{mark}{CLOSE}")
    if text[-1:].isspace():
        run.append(" ")


def _is_furniture(names: Lines, element: HtmlElement) -> bool:
    for name in names:
        if name in _PERMALINKS:
            text = string_of(element).strip()
            return len(text) <= 3 or name not in ("anchor", "mark", "permalink") or text.lower() == "permalink"
        if name in _FURNITURE:
            return True
    return False


def _holds_link(text: str) -> bool:
    return re.search(r"(?<!!)\[(?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*\]\(", text) is not None


def _in_link(element: HtmlElement) -> bool:
    parent = element.getparent()
    while parent is not None and parent.tag in ("span", "b", "strong", "em", "i", "code"):
        parent = parent.getparent()
    return parent is not None and parent.tag == "a"


def _broken_code(element: HtmlElement, run: Lines) -> None:
    """Code with line breaks that is no block: a code span for each line."""
    parts = [""]
    for node in element.iter():
        if node.tag == "br":
            parts.append("")
        elif isinstance(node.tag, str):
            parts[-1] += node.text or ""
        if node is not element:
            parts[-1] += node.tail or ""
    run += [piece for part in parts for piece in (code_span(part), BREAK)][:-1]


INLINES: dict[str, InlineHandler] = {
    **dict.fromkeys(("b", "strong"), _strong),
    **dict.fromkeys(("i", "em", "var", "cite", "dfn"), _emphasis),
    **dict.fromkeys(("del", "s", "strike"), _struck),
    **dict.fromkeys(("code", "tt", "samp", "kbd"), _code),
    **dict.fromkeys(("rp", "rtc"), _nothing),
    **dict.fromkeys(("iframe", "video", "audio", "embed", "object"), _embedded),
    "a": _anchor,
    "img": _picture,
    "br": _line_break,
    "span": _span,
    "sup": _superscript,
    "sub": _subscript,
    "q": _quote,
    "rt": _ruby_text,
    "button": _button,
    "input": _entry_field,
    "select": _choice,
    "svg": _drawing,
}  # fmt: skip
