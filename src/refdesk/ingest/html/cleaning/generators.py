"""The generators whose pages are known: how to tell them, where their content is, what of it is furniture."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lxml.html import HtmlElement

from refdesk.ingest.html.cleaning.measure import Finder, Predicate, finder, predicate


@dataclass(frozen=True)
class Generator:
    """What is known of one generator, or of one of its themes.

    Attributes:
        name: Of the generator.
        theme: Empty if all look alike.
        marks: XPath that is true for its pages.
        roots: XPaths of the content, the best first.
        furniture: XPaths, from the content, of what goes: each with the step that it belongs to.
    """

    name: str
    theme: str
    marks: str
    roots: tuple[str, ...]
    furniture: tuple[tuple[str, str], ...] = ()

    @cached_property
    def compiled(self) -> tuple[tuple[str, Finder], ...]:
        """`furniture`, ready to ask."""
        return tuple((step, finder(path)) for step, path in self.furniture)


def _has(name: str, tag: str = "div") -> str:
    return f"//{tag}[contains(concat(' ',normalize-space(@class),' '),' {name} ')]"


def _meta(word: str) -> str:
    lower = "translate(@content,'ABCDEFGHIJKLMNOPQRSTUVWXYZ','abcdefghijklmnopqrstuvwxyz')"
    return f"/html/head/meta[@name='generator' or @name='Generator'][contains({lower},'{word}')]"


_SPHINX = "/html/head/script[contains(@src,'documentation_options.js') or @id='documentation_options']"
_SPHINX_BODY = "//div[@role='main'][contains(concat(' ',@class,' '),' body ')]"
_SPHINX_FURNITURE = (
    ("permalinks", "descendant::a[@class='headerlink']"),
    ("contents", "descendant::nav[contains(@class,'contents')]|descendant::div[contains(@class,'contents topic')]"),
)
_DOCBOOK = ("refentry", "chapter", "sect1", "section", "appendix", "preface", "part", "reference", "book", "article")


def _sphinx(theme: str, marks: str, *roots: str) -> Generator:
    return Generator("sphinx", theme, marks, roots, _SPHINX_FURNITURE)


GENERATORS: tuple[Generator, ...] = (
    _sphinx("furo", "//article[@id='furo-main-content']", "//article[@id='furo-main-content']"),
    _sphinx("pydata", _has("bd-article", "article"), _has("bd-article", "article")),
    _sphinx("rtd", _has("rst-content"), "//div[@itemprop='articleBody']", "//div[@role='main']", _has("document")),
    _sphinx("zzzeek", "//div[@id='docs-body']", "//div[@id='docs-body']"),
    _sphinx("django", f"{_SPHINX}[//div[@id='custom-doc']]", "//div[@class='yui-g']"),
    _sphinx("classic", f"{_SPHINX}|{_SPHINX_BODY}", _SPHINX_BODY, "//*[@role='main']", _has("body")),
    Generator(
        "mkdocs",
        "material",
        f"{_meta('mkdocs-material')}|{_has('md-content__inner', 'article')}",
        (_has("md-content__inner", "article"),),
        (
            ("permalinks", "descendant::a[@class='headerlink']"),
            (
                "edit links",
                "descendant::a[contains(@class,'md-content__button')]|descendant::aside[@class='md-source-file']",
            ),
        ),
    ),
    Generator(
        "mkdocs",
        "",
        f"{_meta('mkdocs')}|//div[@role='main'][@class='col-md-9']",
        ("//div[@itemprop='articleBody']", "//div[@role='main']"),
        (("permalinks", "descendant::a[@class='headerlink']"),),
    ),
    Generator(
        "docusaurus",
        "",
        f"{_meta('docusaurus')}|//div[@id='__docusaurus']",
        (_has("theme-doc-markdown"), "//article"),
        (
            ("permalinks", "descendant::a[contains(@class,'hash-link')]"),
            ("copy menus", "descendant::button"),
        ),
    ),
    Generator(
        "vitepress",
        "",
        f"{_meta('vitepress')}|{_has('vp-doc')}",
        (_has("vp-doc"),),
        (
            ("permalinks", "descendant::a[@class='header-anchor']"),
            ("copy menus", "descendant::button[contains(@class,'copy')]|descendant::span[@class='lang']"),
        ),
    ),
    Generator(
        "javadoc",
        "",
        f"{_meta('javadoc')}|/html/body[contains(@class,'class-declaration-page')]",
        ("//main",),
        (("breadcrumbs", "descendant::div[@class='sub-title']"),),
    ),
    Generator(
        "mdbook",
        "",
        "//div[@id='mdbook-content']|//div[@id='content'][@class='content']/main",
        ("//div[@id='mdbook-content']/main", "//div[@id='content']/main"),
    ),
    Generator(
        "rustdoc",
        "",
        f"{_meta('rustdoc')}|/html/body[contains(@class,'rustdoc')]",
        ("//section[@id='main-content']",),
        (
            ("copy menus", "descendant::button"),
            (
                "edit links",
                "descendant::a[@class='srclink' or (contains(@class,'src') and normalize-space()='Source')]",
            ),
            ("permalinks", "descendant::a[@class='anchor' or @class='doc-anchor']"),
            # What the compiler implements for every type alike is repeated on each page and says nothing of this one.
            (
                "implementations of all types",
                "descendant::*[starts-with(@id,'blanket-impl') or starts-with(@id,'synthetic-impl')]",
            ),
        ),
    ),
    Generator("doxygen", "", _meta("doxygen"), ("//div[@class='contents']",)),
    Generator(
        "docbook",
        "",
        f"{_meta('docbook')}|//div[@class='navheader']",
        ("|".join(f"/html/body//div[@class='{name}']" for name in _DOCBOOK),),
    ),
    Generator("asciidoc", "", _meta("asciidoc"), ("/html/body",), (("navigation", "child::div[@id='footer']"),)),
    Generator(
        "mediawiki",
        "",
        _meta("mediawiki"),
        ("//div[@id='mw-content-text']",),
        (
            ("edit links", "descendant::span[@class='mw-editsection']"),
            ("contents", "descendant::div[@id='toc']"),
            ("related", "descendant::div[contains(@class,'related-articles')]"),
        ),
    ),
    Generator("node", "", "//*[@id='apicontent']", ("//*[@id='apicontent']",)),
)

UNKNOWN = Generator("unknown", "", "false()", ())
DEVDOCS = Generator("devdocs", "", "false()", ("//body",))
"""Only a body: the scraper has already taken the content out of the page."""


def recognise(root: HtmlElement) -> Generator:
    """What made a page."""
    for generator in GENERATORS:
        if _is_marked(generator.marks)(root):
            return generator
    return DEVDOCS if _is_bare(root) else UNKNOWN


def known(name: str, theme: str) -> Generator:
    """A generator by its names."""
    listed: Iterable[Generator] = (*GENERATORS, DEVDOCS)
    return next((one for one in listed if (one.name, one.theme) == (name, theme)), UNKNOWN)


def content_of(root: HtmlElement, generator: Generator) -> HtmlElement | None:
    """Where a generator puts its content; None if this page has no such place."""
    for path in generator.roots:
        found = _find(path)(root)
        if found:
            return found[0]
    return None


def _is_bare(root: HtmlElement) -> bool:
    head, body = root.find("head"), root.find("body")
    bare = head is None or (head.find("title") is None and head.find("link") is None and head.find("script") is None)
    return bare and body is not None and not body.attrib and body.find("main") is None


@lru_cache(maxsize=200)
def _find(path: str) -> Finder:
    return finder(path)


@lru_cache(maxsize=200)
def _is_marked(path: str) -> Predicate:
    return predicate(path)
