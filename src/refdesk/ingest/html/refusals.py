"""Pages that are none: error pages served as if nothing were wrong, redirects, what scripts would build.

Each of them has little text; a page with more of it is a page whatever it is called.
"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from refdesk.domain.errors import SourceRejected
from refdesk.domain.urls import canonical
from refdesk.ingest.html.tree import Document, text_of

LITTLE = 150
"""Words below which a page is looked at with suspicion."""

_STUB = 60
"""Words that a page which only leads elsewhere may have."""

_SHELL = 25
"""Words that a page may show before its scripts have run."""

_MISSING = re.compile(
    r"(?:error\s*)?404\b(?!\s*(?:handl|respons|status|code|page))|^not found\b"
    r"|\b(?:page|file|document|resource|content) (?:was |is |could )?"
    r"(?:not (?:be )?found|missing|does(?:n.t| not) exist|unavailable)\b"
    r"|^(?:sorry|oops)\b.*\b(?:find|found|exist|wrong)"
    r"|页面(?:不存在|未找到)|ページが見つかりません|페이지를 찾을 수 없",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"^(?:error\s*)?(?:500|502|503|504)\b.*\b(?:error|gateway|unavailable|timeout)"
    r"|^(?:internal server error|bad gateway|service (?:temporarily )?unavailable|application error"
    r"|something went wrong|too many requests)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^(?:error\s*)?(?:401|403)\b|^(?:access denied|forbidden|just a moment|attention required|checking your browser"
    r"|are you (?:a robot|human)|verify (?:you are|that you are)|login$"
    r"|(?:please )?(?:sign|log) in(?: to continue)?\s*$)",
    re.IGNORECASE,
)
_REFRESH = re.compile(r"\s*(?P<delay>\d*)[\d.]*\s*[;,]\s*(?:url\s*=\s*)?[\"']?(?P<url>[^\"'\s]+)", re.IGNORECASE)
_LOCATION = re.compile(
    r"(?:window|document|self|top)?\.?\blocation(?:\.href)?\s*(?:=|\.(?:replace|assign)\s*\()\s*[\"'](?P<url>[^\"'\n]+)[\"']"
)
_ROOTS = frozenset({"app", "root", "__next", "__nuxt", "___gatsby", "main", "docs-app", "elm", "svelte", "redoc"})
RENDER = "Add the site with --render, which lets a browser run them."
"""The advice for pages that scripts build."""


def refusal(document: Document, words: int, heading: str, code: int) -> SourceRejected | None:
    """Why a page is none, with where its text is to be found; None if it is one.

    Args:
        document: The page.
        words: That its Markdown has.
        heading: Its first heading, empty if it has none.
        code: Blocks of code that it has.
    """
    if words >= LITTLE:
        return None
    return (
        (_redirect(document) if words < _STUB and not code else None)
        or (_error(document.title, heading) if not code else None)
        or _frames(document, words)
        or (_shell(document, words) if words < _SHELL else None)
    )


def _redirect(document: Document) -> SourceRejected | None:
    """A page that a browser leaves at once."""
    target = next(_targets(document.root), "")
    if not target:
        return None
    where = canonical(target, document.base or document.url) or target
    if document.url and where == canonical(document.url):
        return None
    return SourceRejected(f"It only leads to {where}.", f"Read that page instead: {where}", target=where)


def _targets(root: HtmlElement) -> Iterator[str]:
    for meta in root.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() == "refresh":
            found = _REFRESH.match(meta.get("content") or "")
            if found is not None and int(found["delay"] or 0) <= 10:
                yield found["url"]
    for script in root.iter("script"):
        text = script.text or ""
        called = len(text) < 2_000 and "function" not in text
        found = _LOCATION.search(text) if called else None
        if found is not None:
            yield found["url"]


def _error(title: str, heading: str) -> SourceRejected | None:
    for said in filter(None, (heading.strip(), title.strip())):
        for pattern, what in (
            (_MISSING, "an error page (not found)"),
            (_FAILED, "an error page (the server failed)"),
            (_REFUSED, "a refusal, or asks who reads it"),
        ):
            if pattern.search(said):
                return SourceRejected(
                    f"It is {what}, although it was served as a page: {said[:100]!r}.",
                    "Look at its address in a browser; leave it out if it is gone.",
                )
    return None


def _frames(document: Document, words: int) -> SourceRejected | None:
    """A set of frames, whose text lies in other pages."""
    frames = [one.get("src") or "" for one in document.root.iter("frame")]
    if not frames or words >= _STUB:
        return None
    shown = ", ".join(frames[:3])
    return SourceRejected(f"It is a set of frames: {shown}.", "Their pages are read where they are linked or listed.")


def _shell(document: Document, words: int) -> SourceRejected | None:
    """A page without text that scripts would build, or without text at all."""
    least = 500 if words else 0  # where there is no text at all, any script may be what makes it
    scripts = any(one.get("src") or len(one.text or "") > least for one in document.root.iter("script"))
    if scripts and (words == 0 or _has_mount(document.root)):
        return SourceRejected(f"It is built by scripts: without them it has {words} words.", RENDER)
    if words == 0:
        return SourceRejected("It holds no text.", "Leave it out.")
    return None


def _has_mount(root: HtmlElement) -> bool:
    """Whether there is an empty element that scripts fill."""
    return any(
        (one.get("id") or "").lower() in _ROOTS and len(text_of(one).split()) < _SHELL for one in root.iter("div")
    )
