"""`llms.txt` and `llms-full.txt`: a site's own list of what is worth reading, and all of it in one file.

Format: https://llmstxt.org. The full form has no written rule; three ways of parting its pages are in use: a line
`Source: ADDRESS` below each title, front matter with `url:`, and `<doc>`-like tags with an address.
"""

import re
from dataclasses import dataclass

from refdesk.domain.urls import canonical, page_path

_LINK = re.compile(r"\[[^\[\]\n]{0,400}(?:\[[^\[\]\n]{0,100}\][^\[\]\n]{0,100})?\]\( {0,3}<?(?P<url>[^\s<>()]{1,2000})")
_TITLE = re.compile(r"#\s+\S")
_SOURCE = re.compile(r"^# (?P<title>[^\n]+)\n+(?:Source|URL|Url): *(?P<url>\S+)[^\n]*\n", re.MULTILINE)
_FRONT = re.compile(
    r"^---\n(?:(?!---)[^\n]*\n){0,20}?url: *[\"']?(?P<url>[^\s\"']+)[\"']?\n(?:(?!---)[^\n]*\n){0,20}?---\n",
    re.MULTILINE,
)
_TAG = re.compile(
    r"^<(?:doc|page|document)\b[^>]*?\b(?:url|href|path|source)=[\"'](?P<url>[^\"']+)[\"'][^>]*>[^\n]*\n", re.MULTILINE
)
_TAG_END = re.compile(r"^</(?:doc|page|document)>\s*\Z", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FullPage:
    """One page of `llms-full.txt`.

    Attributes:
        url: Where people read it.
    """

    url: str
    markdown: str


def is_llms(content: bytes) -> bool:
    """Whether bytes are such a file and not, as many servers answer for whatever they do not have, an HTML page."""
    head = content[:2000].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    return bool(_TITLE.match(head) or head.startswith(("---\n", "---\r\n", "<doc", "<page", "> "))) or (
        bool(head) and not head.startswith("<") and _LINK.search(head) is not None
    )


def links_of(text: str, url: str) -> tuple[str, ...]:
    """Canonical addresses of the pages that `llms.txt` lists, in its order, each once.

    Args:
        text: The file.
        url: Its canonical address, which relative links refer to.
    """
    found = (canonical(match["url"], url) for match in _LINK.finditer(text))
    return tuple(dict.fromkeys(one for one in found if one is not None and one != url))


def pages_of(text: str, url: str) -> tuple[FullPage, ...]:
    """The pages of `llms-full.txt`; a file that does not part them is one page.

    Args:
        text: The file.
        url: Its canonical address.
    """
    plain = text.replace("\r\n", "\n")
    for pattern in (_SOURCE, _FRONT, _TAG):
        marks = list(pattern.finditer(plain))
        if len(marks) > 1:
            break
    else:
        return (FullPage(url, plain),)
    pages: dict[str, FullPage] = {}
    before = plain[: marks[0].start()].strip()
    if before:
        pages[url] = FullPage(url, before + "\n")
    ends = [mark.start() for mark in marks[1:]] + [len(plain)]
    for mark, end in zip(marks, ends, strict=True):
        address = canonical(mark["url"], url) or url
        body = _TAG_END.sub("", plain[mark.end() : end].strip()).strip()
        title = f"# {mark['title']}\n\n" if pattern is _SOURCE else ""
        earlier = pages[address].markdown + "\n" if address in pages else ""
        pages[address] = FullPage(address, f"{earlier}{title}{body}\n")
    return tuple(pages.values())


def path_of_full(page: FullPage, root: str) -> str:
    """The path of such a page: that of its address, as the Markdown that it is."""
    path = page_path(page.url, root)
    return path if path.endswith((".md", ".txt", ".mdx")) else re.sub(r"\.html?\Z", "", path) + ".md"
