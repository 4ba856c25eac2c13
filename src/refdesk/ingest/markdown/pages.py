"""Files of a folder or an archive to pages."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from refdesk.domain.entries import Entries, Page, Problem, SourceFiles
from refdesk.domain.markdown import close_fences, outline
from refdesk.ingest.decoding import decode
from refdesk.ingest.markdown.content_types import page_type
from refdesk.ingest.markdown.front_matter import split_front_matter
from refdesk.ingest.markdown.includes import Includes
from refdesk.ingest.markdown.mdx import is_mdx, plain_markdoc, plain_mdx
from refdesk.ingest.restructured.converter import looks_like_rst, rst_to_markdown
from refdesk.ingest.tabs import with_panels

_MARKDOWN = frozenset({"md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "mdx", "mdoc", "qmd", "rmd", "mdtext"})
_RST = frozenset({"rst", "rest"})
_NAMED = re.compile(
    r"(?:readme|changelog|changes|history|news|licen[cs]e|copying|notice|authors|contributing|contributors|install"
    r"|security|todo|code_of_conduct|maintainers|faq|upgrading|migration)(?:\.txt)?\Z",
    re.IGNORECASE,
)
_NO_PROSE = re.compile(
    r"(?:requirements.*|constraints.*|cmakelists|robots|humans|sitemap|top_level|entry_points|sources|dependency_links"
    r"|requires|installed-files|spelling.*|wordlist.*)\.txt\Z",
    re.IGNORECASE,
)
_DOCUMENTS = {
    **dict.fromkeys(("adoc", "asciidoc"), "AsciiDoc"),
    **dict.fromkeys(("html", "htm", "xhtml"), "HTML"),
    **dict.fromkeys(("tsx", "jsx", "vue", "svelte"), "a page written as code"),
    **dict.fromkeys(("wiki", "mediawiki"), "wiki text"),
    **dict.fromkeys(("doc", "docx", "odt", "rtf"), "a word processor's file"),
    "ipynb": "a notebook",
    "org": "Org",
    "textile": "Textile",
    "pod": "POD",
    "rdoc": "RDoc",
    "pdf": "PDF",
    "tex": "LaTeX",
}
_VERSION = re.compile(r"\[?(?:version\s+|release\s+)?v?\d+\.\d|\[?unreleased\b", re.IGNORECASE)
_LANGUAGE_FOLDER = re.compile(
    r"(?:^|/)(?P<code>zh|ja|ko|fr|de|es|pt|ru|it|tr|pl|uk|vi|id|ar|he|fa|cs|nl|hi|bn|th|en)(?:[-_][A-Za-z]{2,4})?(?=/)"
    r"|\.(?P<end>zh|ja|ko|fr|de|es|pt|ru|it|tr|pl)(?:[-_][A-Za-z]{2,4})?\.\w+\Z"
)
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)


def parse_markdown(source: SourceFiles) -> Entries:
    """Make a page of every text file that is documentation; every other file is told of, singly or by kind.

    Markdown in its dialects (`.md`, `.markdown`, `.mdx`, `.mdoc`, `.qmd` …, in any case), reStructuredText (`.rst`, and
    `.txt` that is written in it), plain text.
    """
    pages: list[Page] = []
    problems: list[Problem] = []
    used: set[str] = set()
    others: dict[str, list[str]] = defaultdict(list)
    for path in sorted(source.files):
        if is_document(path):
            page, own, included = _page(path, source.files[path], source.files)
            problems += own
            used |= included
            if page is not None:
                pages.append(page)
        else:
            others[_extension(path)].append(path)
    parts = {path for path in used if posixpath.basename(path).startswith("_")}
    return Entries(
        pages=tuple(page for page in pages if page.path not in parts),
        problems=(*problems, *_left_out(others)),
    )


def page_of_file(path: str, data: bytes, files: Mapping[str, bytes]) -> tuple[Page | None, tuple[Problem, ...]]:
    """One file as a page.

    Args:
        path: Path of the file, which becomes the page's; its name tells the format, else its text does.
        data: Its bytes.
        files: What includes may refer to, by path.

    Returns:
        The page, None if there is no text in it; and what was not wholly taken over.
    """
    page, problems, _ = _page(path, data, files)
    return page, problems


def is_document(path: str) -> bool:
    """Whether a file is a document that is read here, by its name."""
    extension, name = _extension(path), posixpath.basename(path)
    if extension == "txt":
        return _NO_PROSE.match(name) is None and "requirements/" not in path
    return extension in _MARKDOWN or extension in _RST or (not extension and _NAMED.match(name) is not None)


def _page(path: str, data: bytes, files: Mapping[str, bytes]) -> tuple[Page | None, tuple[Problem, ...], set[str]]:
    text, doubt = decode(data)
    if doubt and _is_binary(text):
        return None, (Problem(path, "not read: it is no text, whatever it is called"),), set()
    front = split_front_matter(text)
    includes = Includes(path, files)
    body = _as_markdown(path, front.text, includes)
    title, markdown = _titled(path, body, front.values)
    missing = list(dict.fromkeys(includes.missing))
    messages = [doubt, front.problem, f"{len(missing)} include(s) not found: {', '.join(missing)}" if missing else ""]
    problems = tuple(Problem(path, message) for message in messages if message)
    if not body.strip():
        return None, (*problems, Problem(path, "has no text")), includes.used
    page = Page(
        path=path,
        title=title,
        markdown=markdown,
        content_type=page_type(path, title, markdown),
        language=_language(path, markdown, front.values),
    )
    return page, problems, includes.used


def _is_binary(text: str) -> bool:
    """Whether what was read as text is a program, a picture or the like: it is full of control characters."""
    start = text[:4096]
    return len(_CONTROLS.findall(start)) * 20 > len(start)


def _as_markdown(path: str, text: str, includes: Includes) -> str:
    extension = _extension(path)
    if extension in _RST or (extension not in _MARKDOWN and looks_like_rst(text)):
        return close_fences(rst_to_markdown(text, includes))
    if extension == "mdoc":
        text = plain_markdoc(text)
    elif extension == "mdx" or is_mdx(text):
        text = plain_mdx(text, includes)
    return close_fences(with_panels(includes.resolve(text)))


def _titled(path: str, body: str, front: Mapping[str, str]) -> tuple[str, str]:
    """The title of a page, and its text with the title and the description that only its front matter had."""
    headings = outline(body)
    first = next((heading.text for heading in headings if heading.level == 1 and heading.text), "")
    if _VERSION.match(first):  # a list of versions without a title of its own
        return front.get("title", "").strip() or _name(path), body.strip("\n").rstrip() + "\n"
    own = front.get("title", "").strip() or front.get("sidebar_label", "").strip()
    title = own or first or next((heading.text for heading in headings if heading.text), "") or _name(path)
    description = front.get("description", "").strip()
    lead = [f"# {own}"] if own and not first else []
    lead += [description] if description and description not in body else []
    if not lead:
        return title, body.strip("\n").rstrip() + "\n"
    if first:  # the description goes below the heading that the page has
        heading = next(one for one in headings if one.level == 1 and one.text)
        body = f"{body[: heading.body].rstrip()}\n\n{lead[-1]}\n\n{body[heading.body :].lstrip()}"
        return title, body.strip("\n").rstrip() + "\n"
    return title, "\n\n".join([*lead, body.strip("\n").rstrip()]) + "\n"


def _language(path: str, markdown: str, front: Mapping[str, str]) -> str:
    stated = re.match(r"[A-Za-z]{2}(?![A-Za-z])", front.get("lang", "") or front.get("language", ""))
    if stated:
        return stated[0].lower()
    folder = _LANGUAGE_FOLDER.search(path)
    if folder is not None:
        return folder["code"] or folder["end"]
    sample = markdown[:4000]
    letters = sum(map(str.isalpha, sample)) or 1
    return next((code for code, script in _SCRIPTS if len(script.findall(sample)) > 0.2 * letters), "en")


def _extension(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[1].removeprefix(".").lower()


def _name(path: str) -> str:
    """A title made from a path: `guide/first-steps.md` → `first steps`, `guide/index.md` → `guide`."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if stem.lower() in ("index", "readme", "_index") and posixpath.dirname(path):
        stem = posixpath.basename(posixpath.dirname(path))
    return re.sub(r"[-_]+", " ", stem).strip() or path


def _left_out(others: Mapping[str, Sequence[str]]) -> tuple[Problem, ...]:
    """Documents in a format that is not read are named singly, all other files by kind."""
    problems: list[Problem] = []
    for extension, paths in sorted(others.items()):
        if extension in _DOCUMENTS:
            problems += [Problem(path, f"not read: {_DOCUMENTS[extension]}") for path in paths]
        else:
            kind = f".{extension}" if extension else "no extension"
            problems.append(Problem(paths[0], f"not read: {len(paths)} file(s) with {kind} are no pages"))
    return tuple(problems)
