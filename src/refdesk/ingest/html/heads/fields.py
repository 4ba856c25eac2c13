"""Lists of parameters, results and errors, in the forms that generators give them."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from refdesk.domain.symbols import Deprecation, ErrorRef
from refdesk.ingest.html.heads.changes import ADDED, DEPRECATED, Change, changes_under, deprecation_of
from refdesk.ingest.html.heads.page import first, has_class
from refdesk.ingest.html.heads.signatures import tidy
from refdesk.ingest.html.tree import elements, text_of

_PARAMS = re.compile(r"(?:other |keyword )?(?:param(?:eter)?s?|arg(?:ument)?s?)|receives", re.IGNORECASE)
_RETURNS = re.compile(r"returns?(?: values?)?|yields?|result", re.IGNORECASE)
_RETURN_TYPE = re.compile(r"return type|rtype|yield type", re.IGNORECASE)
_RAISES = re.compile(r"raises?|throws|exceptions?|except", re.IGNORECASE)
_SINCE = re.compile(r"since", re.IGNORECASE)
_OF_NO_USE = re.compile(
    r"see also.*|specified by.*|overrides.*|all .*|direct known .*|enclosing .*|type parameters|template parameters"
    r"|author|version|serial.*|functional interface|warns|external links|\W*",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"[*_`\s]*(?:\((?P<type>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?\s*(?:[–—:]|-{1,2}(?=\s|\Z))?\s*(?P<doc>.*)",
    re.DOTALL,
)
_OPTIONAL = re.compile(r",?\s*\(?\b[Oo]ptional\b(?!\[)\)?,?")
_DEFAULT = re.compile(r",?\s*\bdefaults?\b(?:\s*[:=]\s*|\s+to\s+|\s+)(?P<default>\S.*)\Z", re.IGNORECASE | re.DOTALL)
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\])*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
_DASH = re.compile(r"\s+[–—-]{1,2}(?:\s+|\Z)|\s*:\s+")
_NAME = re.compile(r"\*{0,2}(?P<name>[A-Za-z_$][\w.$-]*)")
_NODE_TYPE = re.compile(r"\s*\{(?P<type>[^{}]*)\}\s*")
_BOLD = ("strong", "b", "code", "tt", "em")


@dataclass(frozen=True, slots=True)
class Texts:
    """Makes Markdown of elements: one line of it, or blocks."""

    inline: Callable[[HtmlElement], str]
    block: Callable[[HtmlElement], str]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a page says of one parameter."""

    name: str
    type: str = ""
    doc: str = ""
    default: str = ""
    optional: bool = False
    since: str = ""
    deprecation: Deprecation | None = None


@dataclass(slots=True)
class Fields:
    """All that lists of fields say.

    Attributes:
        others: Fields of other kinds, with their labels: they belong to the description.
    """

    params: dict[str, Stated] = field(default_factory=dict)
    returns: tuple[str, str] = ("", "")
    errors: list[ErrorRef] = field(default_factory=list)
    since: str = ""
    others: list[tuple[str, str]] = field(default_factory=list)


def read_fields(found: Sequence[HtmlElement], names: Collection[str], texts: Texts) -> Fields:
    """Read lists of fields.

    Args:
        found: The elements that hold them.
        names: Parameters that the declaration names: they tell a name from a type where a page ran them together.
        texts: Makes Markdown.
    """
    reader = _Reader(names, texts)
    label = ""
    for element in found:
        if element.tag in ("p", "h3", "h4"):
            label = text_of(element)
        else:
            reader.read(element, label)
    return reader.fields


class _Reader:
    def __init__(self, names: Collection[str], texts: Texts) -> None:
        self._names = sorted(names, key=len, reverse=True)
        self._texts = texts
        self.fields = Fields()

    def read(self, element: HtmlElement, label: str) -> None:
        if element.tag == "dl":
            for name, value in _pairs(element):
                self._take(name or label, value)
        elif element.tag == "table" and has_class(element, "field-list"):
            for row in element.iter("tr"):
                cells = list(elements(row))
                if len(cells) == 2:
                    self._take(text_of(cells[0]), cells[1])
        elif element.tag == "table":
            self._table(element, label)
        elif element.tag == "ul" and not label:
            self._of_node(element, "")
        else:
            self._take(label, element)

    def _take(self, label: str, value: HtmlElement) -> None:
        label = label.strip().rstrip(":：").strip()
        if _RETURN_TYPE.fullmatch(label):
            self.fields.returns = (_plain(self._texts.inline(value)), self.fields.returns[1])
        elif _PARAMS.fullmatch(label):
            for one in self._items(value):
                self.fields.params.setdefault(one.name, one)
        elif _RETURNS.fullmatch(label):
            self._returns(value)
        elif _RAISES.fullmatch(label):
            self.fields.errors += self._errors(value)
        elif _SINCE.fullmatch(label):
            self.fields.since = text_of(value)
        elif not _OF_NO_USE.fullmatch(label):
            self.fields.others.append((label, self._texts.block(value)))

    def _items(self, value: HtmlElement) -> Iterator[Stated]:
        """Parameters of one field: a list, a list of definitions, a table, or a single one."""
        only = next(elements(value), None)
        if value.tag in ("ul", "ol"):
            only = value
        if only is not None and only.tag in ("ul", "ol"):
            for item in elements(only):
                yield from self._item(item)
        elif only is not None and only.tag == "dl":
            yield from self._definitions(only)
        elif only is not None and only.tag == "table":
            yield from (one for row in only.iter("tr") if (one := self._row(list(elements(row)))) is not None)
        else:
            yield from self._item(value)

    def _item(self, item: HtmlElement) -> Iterator[Stated]:
        named = next(item.iter(*_BOLD), None)
        match = _NAME.match(text_of(named)) if named is not None else None
        if named is None or match is None:
            return
        text = self._texts.block(item) if _has_blocks(item) else self._texts.inline(item)
        shown = text_of(named)
        at = text.replace("\\", "").find(shown)
        rest = text[text.find(match["name"]) + len(match["name"]) :] if at >= 0 else text
        parts = next(_ITEM.finditer(rest))  # it fits any text
        yield self._stated(shown, parts["type"] or "", parts["doc"], item)

    def _definitions(self, dl: HtmlElement) -> Iterator[Stated]:
        for dt, dd in _definitions(dl):
            named = first(dt, "strong") if first(dt, "strong") is not None else None
            typed = first(dt, "span", "classifier")
            name = text_of(named) if named is not None else text_of(dt)
            type_ = text_of(typed).lstrip(": ") if typed is not None else ""
            if typed is None:
                name, type_ = self._apart(name, text_of(dt))
            doc = self._texts.block(dd) if dd is not None else ""
            for one in name.split(","):
                if _NAME.match(one.strip()):
                    yield self._stated(one.strip(), type_, doc, dd)

    def _apart(self, name: str, text: str) -> tuple[str, str]:
        """Name and type that stand in one text: `period: float`, or run together as DevDocs leaves them."""
        before, colon, after = text.partition(":")
        if colon and _NAME.fullmatch(before.strip()):
            return before.strip(), after.strip()
        bare = name.lstrip("*")
        found = next((one for one in self._names if bare.startswith(one)), "")
        return (found, bare[len(found) :].strip()) if found else (name, "")

    def _table(self, table: HtmlElement, label: str) -> None:
        rows = [list(elements(row)) for row in table.iter("tr")]
        heads = [text_of(cell).lower() for cell in rows[0]] if rows and all(c.tag == "th" for c in rows[0]) else []
        if heads and (len(heads) == 1 or any(kind.fullmatch(heads[0]) for kind in (_PARAMS, _RETURNS, _RAISES))):
            label, heads = heads[0], []
        for row in rows:
            if not row or row[0].tag == "th":
                continue
            if _RETURNS.fullmatch(label.strip(": ")):
                self.fields.returns = self._of_columns(row, heads)
            elif _RAISES.fullmatch(label.strip(": ")):
                self.fields.errors.append(ErrorRef(text_of(row[0]), self._texts.block(row[-1]) if row[1:] else ""))
            elif _PARAMS.fullmatch(label.strip(": ")) and (one := self._row(row, heads)) is not None:
                self.fields.params.setdefault(one.name, one)

    def _of_columns(self, row: Sequence[HtmlElement], heads: Sequence[str]) -> tuple[str, str]:
        if "type" in heads and len(row) == len(heads):
            return text_of(row[heads.index("type")]), self._texts.block(row[-1])
        return self.fields.returns[0], self._texts.block(row[-1])

    def _row(self, row: Sequence[HtmlElement], heads: Sequence[str] = ()) -> Stated | None:
        """A row of a table: by its headings, or name first and text last."""
        if len(row) < 2:
            return None
        columns = dict(zip(heads, row, strict=False))
        name = columns.get("name") if columns else next((one for one in row if has_class(one, "paramname")), row[0])
        doc = columns.get("description", row[-1])
        match = _NAME.match(text_of(name)) if name is not None else None
        if match is None:
            return None
        default = text_of(columns["default"]) if "default" in columns else ""
        type_ = text_of(columns["type"]) if "type" in columns else ""
        one = self._stated(match["name"], type_, self._texts.block(doc), doc)
        return Stated(
            one.name, one.type, one.doc, "" if default == "required" else default, one.optional, one.since,
            one.deprecation,
        )  # fmt: skip

    def _stated(self, name: str, type_: str, doc: str, element: HtmlElement | None) -> Stated:
        plain = _plain(type_)
        optional = _OPTIONAL.search(plain) is not None
        plain = _OPTIONAL.sub("", plain).strip(" ,")
        default = _DEFAULT.search(plain)
        if default is not None:
            plain = plain[: default.start()].strip(" ,")
        match = _NAME.match(name)
        changes = _changes(element, self._texts) if element is not None else ()
        deprecated = next((one for one in changes if one.kind == DEPRECATED), None)
        return Stated(
            match["name"] if match is not None else name,
            plain,
            doc.strip(),
            tidy(default["default"].strip("`")) if default is not None else "",
            optional,
            next((one.version for one in changes if one.kind == ADDED), ""),
            deprecation_of(deprecated) if deprecated is not None else None,
        )

    def _returns(self, value: HtmlElement) -> None:
        only = next(elements(value), None)
        if only is None or only.tag != "dl":
            self.fields.returns = (self.fields.returns[0], self._texts.block(value))
            return
        told: list[tuple[str, str, str]] = []
        for dt, dd in _definitions(only):
            typed = first(dt, "span", "classifier")
            name = text_of(dt.find("strong")) if typed is not None and dt.find("strong") is not None else ""
            type_ = text_of(typed).lstrip(": ") if typed is not None else text_of(dt)
            told.append((name, type_, self._texts.block(dd) if dd is not None else ""))
        if len(told) == 1:
            self.fields.returns = (told[0][1], told[0][2])
        else:
            self.fields.returns = ("", "\n".join(f"- {_named(*one)}" for one in told))

    def _errors(self, value: HtmlElement) -> Iterator[ErrorRef]:
        only = next(elements(value), None)
        if only is not None and only.tag == "dl":
            for dt, dd in _definitions(only):
                yield ErrorRef(text_of(dt), self._texts.block(dd) if dd is not None else "")
            return
        if only is not None and only.tag == "table":
            for row in only.iter("tr"):
                cells = list(elements(row))
                if len(cells) > 1:
                    yield ErrorRef(text_of(cells[0]), self._texts.inline(cells[-1]))
            return
        items = list(elements(only)) if only is not None and only.tag in ("ul", "ol") else [value]
        for item in items:
            head, _, said = _cut(self._texts.inline(item))
            if head and len(head) < 100:
                yield ErrorRef(_plain(head).removesuffix("()"), said.strip())

    def _of_node(self, ul: HtmlElement, above: str) -> None:
        """Node's lists: name in code, types in braces or as links, then words; members of an object below it."""
        for li in elements(ul):
            copy = deepcopy(li)
            copy.tail = None
            inner = [one for one in elements(li) if one.tag == "ul"]
            for one in [one for one in elements(copy) if one.tag == "ul"]:
                copy.remove(one)
            named = copy[0] if len(copy) and copy[0].tag == "code" and not (copy.text or "").strip() else None
            returns = (copy.text or "").strip().lower().startswith(("returns", "return:"))
            type_ = _take_types(copy, named)
            text = self._texts.inline(copy).strip()
            if named is None and returns:
                self.fields.returns = (type_, re.sub(r"^Returns?:?\s*", "", text).strip())
            elif named is not None and (match := _NAME.match(text_of(named).lstrip("."))) is not None:
                self._add_of_node(f"{above}{match['name']}", type_, text, inner)

    def _add_of_node(self, name: str, type_: str, text: str, inner: Sequence[HtmlElement]) -> None:
        default = re.search(r"\*\*Default:\*\*\s*(?:`(?P<code>[^`]+)`|(?P<words>[^.]+))", text)
        value = (default["code"] or default["words"]).strip() if default is not None else ""
        self.fields.params.setdefault(name, Stated(name, type_, text, value))
        if "Function" not in type_:
            for ul in inner:
                self._of_node(ul, f"{name}.")


def _take_types(copy: HtmlElement, named: HtmlElement | None) -> str:
    """The types of an item of Node, taken out of it with the name."""
    start = copy if named is None else named
    tail = (start.text if named is None else start.tail) or ""
    braces = _NODE_TYPE.search(tail)
    types: list[str] = []
    if braces is not None:
        types.append(braces["type"].replace("|", " | "))
        tail = tail[: braces.start()] + tail[braces.end() :]
    following = list(copy)[0 if named is None else 1 :]
    for one in following:
        if one.tag != "a" or not has_class(one, "type") or tail.strip(" |:") not in ("", "Returns", "returns"):
            break
        types.append(text_of(one).strip("<>"))
        tail = one.tail or ""
        copy.remove(one)
    if named is not None:
        copy.remove(named)
    copy.text = tail if named is not None or types else copy.text
    return " | ".join(types)


def _pairs(dl: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    label = ""
    for child in elements(dl):
        if child.tag == "dt":
            label = text_of(child)
        else:
            yield label, child


def _definitions(dl: HtmlElement) -> Iterator[tuple[HtmlElement, HtmlElement | None]]:
    term: HtmlElement | None = None
    for child in elements(dl):
        if child.tag == "dt":
            if term is not None:
                yield term, None
            term = child
        elif term is not None:
            yield term, child
            term = None
    if term is not None:
        yield term, None


def _changes(element: HtmlElement, texts: Texts) -> Sequence[Change]:
    if not any("version" in (one.get("class") or "") or has_class(one, "deprecated") for one in element.iter("div")):
        return ()
    return tuple(changes_under(tuple(elements(element)), (), texts.inline))


def _has_blocks(item: HtmlElement) -> bool:
    return sum(one.tag in ("p", "ul", "ol", "pre", "div", "dl", "table", "blockquote") for one in item) > 1


def _cut(text: str) -> tuple[str, str, str]:
    match = _DASH.search(text)
    return (text[: match.start()], match[0], text[match.end() :]) if match is not None else (text, "", "")


def _plain(text: str) -> str:
    """A type or name without Markdown."""
    while (bare := _LINK.sub(r"\1", text)) != text:
        text = bare
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", re.sub(r"(?<!\\)[*`]|(?<![\w\\])_|(?<!\\)_(?!\w)", "", text)).strip()


def _named(name: str, type_: str, doc: str) -> str:
    head = f"`{name or type_}`" + (f" ({type_})" if name and type_ else "")
    return f"{head}: {' '.join(doc.split())}" if doc else head
