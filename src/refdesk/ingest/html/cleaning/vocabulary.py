"""The words by which furniture names itself: in classes and ids, in roles, and in what it says to its reader.

A name is only a suspicion. Whether an element is furniture is decided by what it holds (`furniture.py`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

PERMALINK = "permalinks"

_NAMES: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "breadcrumbs": (
            r"bread-?crumbs?",
            r"crumbs?",
            r"breadcrumb-?(?:list|nav|trail)",
            r"md-path",
        ),
        "contents": (
            r"(?:page|doc|article|local|side|right|handbook|mobile)?-?toc",
            r"tocbox",
            r"table-?of-?contents?",
            r"on-?this-?page",
            r"in-?this-?(?:article|page|section)",
            r"page-?(?:nav|outline)",
            r"contents-local",
            r"topic-contents",
        ),
        "pager": (
            r"pagers?",
            r"paginat(?:ion|or)",
            r"prev(?:ious)?-?(?:and-?)?next",
            r"next-?prev(?:ious)?",
            r"nav(?:header|footer)",
            r"nav-(?:wrapper|wide-wrapper|chapters)",
            r"(?:footer|bottom|page|article|post)-navigation",
            r"docusaurus-pagination",
            r"next-page",
            r"prev-page",
            r"page-?nav(?:igation)?",
            r"navigation-(?:top|bottom)",
        ),
        "edit links": (
            r"edit-?(?:this-?)?(?:page|link|section|button|on-?github|doc)",
            r"editlink",
            r"mw-editsection",
            r"improve-?(?:this-?)?page",
            r"last-?(?:updated?|modified|edited)",
            r"contributors?",
            r"page-?(?:meta(?:data)?|info|contributors)",
            r"article-?(?:meta(?:data)?|footer|info)",
            r"doc-?footer",
            r"post-?meta",
            r"byline",
            r"view-?source",
            r"pre-footer",
        ),
        "feedback": (
            r"feedback",
            r"helpful",
            r"was-?this-?helpful",
            r"ratings?",
            r"rate-?(?:this-?)?(?:page|content)",
            r"survey",
            r"thumbs?",
            r"thumb-rating",
            r"page-?rating",
            r"devsite-(?:thumb|page)-rating",
        ),
        "share": (
            r"shar(?:e|ing)",
            r"share-?(?:buttons?|links?|bar)",
            r"social(?:-?(?:links?|media|share|icons?|buttons?))?",
            r"addthis",
        ),
        "ads": (
            r"ads?",
            r"adsense",
            r"adsbygoogle",
            r"advert(?:s|isement|ising)?",
            r"ad-?(?:slot|unit|banner|container|widget|wrapper|box)",
            r"sponsors?",
            r"sponsored",
            r"promo(?:tion|ted)?",
            r"carbon-?ads?",
            r"ethical-?ads?",
            r"ea-placement",
            r"dfp",
            r"cloud-free-trial",
        ),
        "search": (
            r"search",
            r"search-?(?:box|bar|form|input|widget|field|results?|modal|container)",
            r"docsearch",
            r"quick-?search",
            r"algolia",
        ),
        "banners": (
            r"cookies?",
            r"cookie-?(?:banner|consent|notice|bar)",
            r"consent",
            r"gdpr",
            r"announcements?",
            r"announcement-?bar",
            r"site-?notice",
            r"newsletter(?:-?(?:form|signup|box))?",
            r"subscribe",
            r"subscription-form",
            r"sign-?up",
            r"cta",
            r"call-to-action",
            r"top-?banner",
            r"promo-?banner",
            r"pop-?up",
            r"modal",
            r"site-banner",
            r"conference-banner",
            r"outdated-?banner",
            r"banner",
        ),
        "skip links": (
            r"skip(?:-?(?:to|link|links|nav|content|navigation|main))+",
            r"back-?to-?top",
            r"scroll-?to-?top",
            r"go-?top",
        ),
        "copy menus": (
            r"copy(?:-?(?:page|button|btn|link|code|markdown|to-?clipboard|path))?",
            r"copybtn",
            r"copybutton",
            r"clipboard",
            r"page-?actions?",
            r"(?:llm|ai)-?(?:menu|actions?|dropdown|buttons?)",
            r"open-?in(?:-?(?:menu|llm|ai))?",
            r"code-?(?:toolbar|actions)",
            r"toolbar(?:-item)?",
            r"page-?tools",
            r"docs?-?actions",
        ),
        "navigation": (
            r"nav(?:-?bar|igation|menu|list|links?|tree)?",
            r"menus?",
            r"menu-?(?:bar|items?|list)",
            r"side-?(?:bar|nav|menu)",
            r"sphinxsidebar",
            r"top-?(?:bar|nav)",
            r"sub-?nav",
            r"site-?(?:header|footer|nav)",
            r"global-?nav",
            r"page-?(?:header|footer)",
            r"header",
            r"footer",
            r"masthead",
            r"dropdown-menu",
            r"flyout",
            r"mw-jump-link",
            r"catlinks",
            r"printfooter",
            r"navbox",
            r"sitemap",
            r"related(?!-)",
            r"noprint",
        ),
        "related": (
            r"related-?(?:articles?|posts?|content|links?|pages?|topics?|resources?|guides?)",
            r"recommend(?:ed|ations?)(?:-.*)?",
            r"more-?(?:articles|posts)",
            r"you-may-also-like",
            r"up-next",
            r"read-(?:more|next)",
            r"meta-related-articles",
        ),
        "comments": (
            r"disqus(?:-thread)?",
            r"comments?-?(?:list|area|section|form)",
            r"giscus",
            r"utterances",
            r"comments",
        ),
        "versions": (
            r"(?:version|lang(?:uage)?)s?-?(?:switch(?:er)?|select(?:or)?|picker|menu|list|dropdown|warning)",
            r"rst-versions",
            r"interlanguage-?links?",
            r"language-?bar",
            r"languages",
            r"doc-floating-versions",
            r"other-versions",
            r"lang(?:uage)?s?-selection",
        ),
        PERMALINK: (
            r"header-?link",
            r"perma-?link",
            r"(?:heading|header|section|sl)-?anchor(?:-link)?",
            r"anchor-?(?:link|js-link|heading)",
            r"hash-link",
            r"toc-anchor",
            r"octicon-link",
            r"direct-link",
            r"self-?link",
            r"heading-link",
            r"anchorjs-link",
        ),
    }
)
_BUTTON = re.compile(r"\b(?:button|btn|cta)\b")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_OTHER = re.compile(r"[^a-z0-9]+")
_HASH = re.compile(r"-[a-z0-9]{4,8}(?:-[0-9a-z]{1,4})?$")
_SPACES = frozenset({
    "theme", "devsite", "docs", "page", "article", "site", "main", "content", "post", "layout", "section", "handbook",
    "body",    "document", "guide", "global", "block", "component", "widget", "sidebar",
})  # fmt: skip
_PREFIX = 4
"""Letters of the longest prefix that is taken for the name of a framework: `md-`, `vp-`, `wy-`."""

_ONLY_WHOLE = frozenset({"header", "footer", "metadata", "related", "copy"})
"""Names that say where something is of its block: `table-header`, `card-footer`."""

_CALLOUT = re.compile(
    r"\b(?:admonition|alert|call-?out|note|notice|warning|caution|danger|tip|hint|important|info|custom-block|seealso"
    r"|versionadded|versionchanged|deprecated|sidebar-note)\b"
)
_PANEL = re.compile(r"\btab-?(?:s|bed)?-?(?:pane|panel|content|block|item)s?\b|\btabpanel\b|\bswitcher-?content\b")
_UNSEEN = re.compile(
    r"\b(?:sr|visually|screen)-?(?:only|hidden|reader)(?:-text|-only)?\b|\bvisuallyhidden\b|\bscreen-reader-text\b"
)

_SAYINGS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "feedback": (
            (
                r"(?:was|is|did) (?:this|the) (?:page|article|doc\w*|section|topic|content|information|guide"
                r"|answer)?.{0,12}(?:helpful|useful|help you)\b.{0,12}"
            ),
            r"rate this (?:page|article|topic)",
            r"how helpful was this.{0,16}",
            r"did you find (?:this|what).{0,40}",
            r"(?:send|give|share|leave|provide) (?:us )?(?:your )?feedback(?: (?:on|about) this \w+)?",
            r"thank(?:s| you) for (?:your|the) feedback.?",
            r"need help\??",
            r"still have questions\??",
            r"tell us (?:more|how).{0,30}",
        ),
        "edit links": (
            (
                r"(?:edit|improve|change) (?:this )?(?:page|article|doc|document|section|on github)(?: on (?:github"
                r"|gitlab))?"
            ),
            r"(?:view|show|see)(?: the| this)?(?: page)? (?:page )?source(?: code)?(?: on github)?",
            r"suggest (?:an )?(?:edit|change)s?.{0,20}",
            r"view (?:this page )?on (?:github|gitlab)",
            (
                r"(?:report|open|create|file) (?:a |an )?(?:doc\w* |page )?(?:bug|issue|problem)(?: (?:with|on"
                r"|about) .{0,40})?"
            ),
            r"help (?:us )?improve .{0,30}",
            r"learn how to contribute",
            r"(?:page |this page was |document |content )*last (?:updated?|modified|edited|reviewed)\b.{0,60}",
            r"this page was last \w+ .{0,60}",
            r"contributors to this page:?.{0,60}",
            r"updated:? \w+ \d.{0,20}",
        ),
        "contents": (
            r"on this page",
            r"in this (?:article|section|page|topic)",
            r"table of contents",
            r"page contents",
            r"contents:?",
            r"jump to(?: section)?:?",
        ),
        "skip links": (
            r"skip to .{0,30}",
            r"jump to (?:navigation|search|content).{0,20}",
            r"(?:back|return|go|scroll) to (?:the )?top.{0,3}",
        ),
        "copy menus": (
            (
                r"copy(?: (?:page|markdown|link|code|url|item path|to clipboard|as markdown|for llms?"
                r"|page as markdown))?!?"
            ),
            r"copied!?",
            (
                r"(?:view|open|download|copy)(?: page)?(?: as| in)? (?:markdown|md|chatgpt|claude|perplexity|gemini"
                r"|cursor|vs ?code)(?: .{0,12})?"
            ),
            r"ask (?:docs )?(?:ai|about this (?:page|section)|chatgpt|claude).{0,12}",
            r"expand code",
            r"collapse code",
            r"try it",
            r"play",
            r"run",
            r"reload",
            r"clear",
            r"fork",
            r"open (?:in )?(?:sandbox|playground|colab).{0,12}",
            r"download",
        ),
        "pager": (
            (
                r"(?:← ?|« ?|‹ ?|< ?)?(?:prev(?:ious)?|next)(?: ?(?:page|chapter|article|section|topic|up"
                r"|lesson))?:?(?: ?→| ?»| ?›| ?>)?"
            ),
        ),
        "share": (
            r"share(?: (?:this|on|via|to) .{0,20})?",
            r"tweet(?: this)?",
            r"follow us.{0,20}",
        ),
        "banners": (
            r"(?:accept|reject|manage) (?:all )?cookies",
            r"stay organi[sz]ed with collections",
            r"save and categori[sz]e content.{0,40}",
            r"sign up for .{0,30}",
            r"subscribe(?: to .{0,30})?",
            r"try it for yourself",
            r"create an account",
            r"get started for free",
        ),
        "versions": (r"\d+ languages",),
    }
)
"""Steps, and what their furniture says: whole short blocks, in lower case."""

_OPENINGS = MappingProxyType(
    {
        "legal": re.compile(
            r"\s*(?:©|\(c\) \d|copyright\b|except as otherwise noted|all rights reserved|licensed under\b"
            r"|content licensed\b)"
            r"|.{0,60}(?:©|all rights reserved)",
            re.IGNORECASE,
        ),
        "related": re.compile(
            (
                r"\s*(?:(?:also|must|further|follow-?up|recommended) read|read (?:more|also)|related (?:article|post"
                r"|product)s?)\b"
            ),
            re.IGNORECASE,
        ),
    }
)
"""How sentences begin that are furniture where they stand: the end of a page, a line of links."""

_LONGEST_SAYING = 90
_LONGEST_OPENING = 400
_FIRST = frozenset({
    "was", "is", "did", "rate", "how", "send", "give", "share", "leave", "provide", "thank", "thanks", "need",
    "still", "tell", "edit", "improve", "change", "view", "show", "see", "suggest", "report", "open", "create",
    "file", "help", "learn", "page", "this", "document", "content", "last", "contributors", "updated", "on", "in",
    "table", "contents", "jump", "skip", "back", "return", "go", "scroll", "top", "copy", "copied", "download", "ask",
    "expand", "collapse", "try", "play", "run", "reload", "clear", "fork", "←", "«", "‹", "<", "prev", "previous",
    "next", "tweet", "follow", "accept", "reject", "manage", "stay",
    "save", "sign", "subscribe", "get", "copyright", "except", "all",
    "licensed", "(c)", "also", "must", "further", "follow-up", "followup",
    "recommended", "read", "related",
})  # fmt: skip
"""First words of sayings and openings."""


def _any_of(steps: Mapping[str, tuple[str, ...]]) -> re.Pattern[str]:
    """One pattern; the number of the group that matched is that of the step."""
    return re.compile("|".join(f"(?P<k{number}>{'|'.join(words)})" for number, words in enumerate(steps.values())))


_KIND, _SAYING = _any_of(_NAMES), _any_of(_SAYINGS)


@lru_cache(maxsize=20_000)
def kind_of_name(names: str) -> str:
    """The step that classes and ids hint at; empty for most."""
    for name in _CAMEL.sub("-", names).split():
        for part in (name, *name.split("__")[1:]):
            for form in _forms(_OTHER.sub("-", part.lower()).strip("-")):
                kind = _first(_KIND, _NAMES, form)
                if kind and (part is name or form not in _ONLY_WHOLE):
                    return kind
    return ""


@lru_cache(maxsize=20_000)
def is_callout(names: str) -> bool:
    """Whether classes are those of a note, warning and the like."""
    return _CALLOUT.search(_plain(names)) is not None


@lru_cache(maxsize=20_000)
def is_panel(names: str) -> bool:
    """Whether classes are those of a panel of tabs."""
    return _PANEL.search(_plain(names)) is not None


@lru_cache(maxsize=20_000)
def is_unseen(names: str) -> bool:
    """Whether classes hide text from all but screen readers."""
    return _UNSEEN.search(_plain(names)) is not None


def kind_of_saying(text: str) -> str:
    """The step of furniture that says just this; empty for most."""
    if len(text) > _LONGEST_SAYING:
        return ""
    return _first(_SAYING, _SAYINGS, " ".join(text.lower().split()).strip("?!.:•|·→←»«›‹ "))


def may_be_said(text: str) -> bool:
    """Whether a text is worth a closer look: short, and beginning with a word that furniture begins with."""
    if len(text) > _LONGEST_OPENING:
        return False
    first = text.split(None, 1)[:1]
    return bool(first) and (first[0].lower().strip(":?!.,") in _FIRST or "©" in text or "reserved" in text)


def kind_of_opening(text: str) -> str:
    """The step of furniture that begins like this; empty for most."""
    return next((step for step, opening in _OPENINGS.items() if opening.match(text)), "")


@lru_cache(maxsize=20_000)
def is_button_link(names: str) -> bool:
    """Whether classes make a link look like a button: a call to action, not a reference."""
    return _BUTTON.search(_plain(names)) is not None


def _first(pattern: re.Pattern[str], steps: Mapping[str, tuple[str, ...]], text: str) -> str:
    match = pattern.fullmatch(text)
    return list(steps)[int((match.lastgroup or "k0")[1:])] if match else ""


def _plain(names: str) -> str:
    return _CAMEL.sub("-", names).lower().replace("_", "-")


def _forms(plain: str) -> tuple[str, ...]:
    """A class as it stands, without the hash that a bundler adds, without the name of a framework or page before it.

    Any part alone would be too much: `table-header` and `api-metadata` are content.
    """
    bare = _HASH.sub("", plain) if plain[-1:].isdigit() or plain.count("-") > 1 else plain
    first, _, rest = bare.partition("-")
    if not rest or rest in _ONLY_WHOLE or (len(first) > _PREFIX and first not in _SPACES):
        return plain, bare
    return plain, bare, rest
