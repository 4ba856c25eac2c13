"""From the entries of a page to symbols: names, parameters, versions, and what belongs to what."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from refdesk.domain.entries import Problem, Relation
from refdesk.domain.symbols import Deprecation, JsonValue, Place, Symbol
from refdesk.ingest.html.heads.changes import (
    Change,
    added,
    added_parts,
    changes_under,
    deprecated,
    deprecated_parts,
)
from refdesk.ingest.html.heads.fields import Fields, Texts, read_fields
from refdesk.ingest.html.heads.head import Entry, Head, no_heads
from refdesk.ingest.html.heads.params import Called, is_called, merge, overload_name, read_calls, result_type
from refdesk.ingest.prose import deprecation, summary

if TYPE_CHECKING:
    from refdesk.ingest.html.rendering import RenderOptions

_SEPARATORS = re.compile(r"::|\.")
_DEPRECATED_NOTE = re.compile(r"^[ ]*> \*\*Deprecated[^\n]*(?:\n[ ]*>[^\n]*)*", re.MULTILINE)
_DEFAULT = re.compile(r"\ADefaults?: [^\n]*\n+(?=.)")
"""The first line on a setting; what it is for comes after it."""

_FLAG = re.compile(r"@Deprecated(?:\([^)]*?since=\"(?P<since>[^\"]*)\"[^)]*\))?")
_HOLDERS = frozenset({"class", "error", "module", "type"})
_TYPED = re.compile(r"(?:\w+ )*[\w.]+\s*:\s*(?P<type>[^=]+?)\s*(?:=\s*(?P<value>.+))?")
_BLOCKS = frozenset({"p", "ul", "ol", "pre", "div", "dl", "table", "blockquote", "details", "section"})


@dataclass(frozen=True, slots=True)
class PageRef:
    """The page that the entries stand in."""

    path: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class SymbolsOfPage:
    """What a page says of APIs."""

    symbols: tuple[Symbol, ...] = ()
    relations: tuple[Relation, ...] = ()
    problems: tuple[Problem, ...] = ()


def symbols_of(entries: Sequence[Entry], page: PageRef, options: "RenderOptions") -> SymbolsOfPage:
    """Make symbols of the entries of a page.

    Overloads of one name are several symbols: each has its parameters in its canonical name, and the bare name leads
    to all of them.
    """
    if not entries:
        return SymbolsOfPage()
    return _Page(entries, page, options).read()


class _Page:
    def __init__(self, entries: Sequence[Entry], page: PageRef, options: "RenderOptions") -> None:
        self._page = page
        self._entries = [one for one in entries if one.head.canonical and one.head.name]
        self._bodies = {element for one in entries for element in one.head.body}
        self._told = _told(entries)
        self._texts = _texts(replace(options, find_heads=no_heads))
        self._skip = options.skip
        self._problems: list[Problem] = []

    def read(self) -> SymbolsOfPage:
        named = self._named()
        owners = _owners(named)
        members: dict[str, list[str]] = {}
        for name, owner in owners.items():
            members.setdefault(owner, []).append(name)
        symbols = tuple(self._symbol(name, entry, tuple(members.get(name, ()))) for name, entry in named.items())
        relations = (
            *(Relation(self._page.path, "defines", name) for name in named),
            *(Relation(owner, "member", name) for name, owner in owners.items()),
            *self._mentions(named),
        )
        return SymbolsOfPage(symbols, relations, tuple(self._problems))

    def _named(self) -> dict[str, Entry]:
        """Entries by their canonical names."""
        count = Counter(one.head.name for one in self._entries)
        named: dict[str, Entry] = {}
        for entry in self._entries:
            head = entry.head
            name = overload_name(head) if count[head.name] > 1 else head.name
            first = named.get(name)
            if first is None:
                named[name] = entry
            elif head.signatures and first.head.signatures:  # they differ in what their names do not tell
                both = tuple(dict.fromkeys((*first.head.signatures, *head.signatures)))
                named[name] = replace(first, head=replace(first.head, signatures=both))
            else:
                self._problems.append(Problem(self._page.path, f"a second {name} was left out"))
        return named

    def _symbol(self, name: str, entry: Entry, members: tuple[str, ...]) -> Symbol:
        head = entry.head
        told, source = self._told.get(head.shared, (entry.text, head)) if head.shared else (entry.text, head)
        if not told and head.after:
            told = self._text_after(head)
        calls = read_calls(head)
        fields = self._fields(source, calls)
        changes = self._changes(source)
        doc = "\n\n".join([told, *(f"**{label}**\n\n{said}" for label, said in fields.others if said)]).strip()
        params = merge(calls, fields, added_parts(changes), deprecated_parts(changes))
        names = {param.name for param in params}
        return Symbol(
            name=name,
            kind=head.kind,
            names=tuple(dict.fromkeys((name, head.name, *head.names))),
            summary=summary(_DEFAULT.sub("", doc) if head.kind == "setting" else doc),
            doc=doc,
            signature=head.signatures[0] if head.signatures else "",
            params=params,
            returns=result_type(head, calls, fields),
            errors=tuple(fields.errors),
            deprecation=_deprecation(head, doc, changes, names),
            since=head.since or fields.since or added(changes, names),
            place=Place(self._page.path, 0, f"{self._page.url}#{head.anchor}" if head.anchor else self._page.url),
            members=members,
            open=head.kind in _HOLDERS or (not is_called(calls) and head.kind in ("function", "method")),
            attributes=_attributes(head),
        )

    def _text_after(self, head: Head) -> str:
        """What stands after an entry that renders nothing of its own; entries that share a text have it each."""
        known = next((one for one, other in self._told.values() if one and other.after == head.after), "")
        if known or not head.after:
            return known
        around = HtmlElement()
        around.tag = "div"
        around.extend(deepcopy(one) for one in head.after if one not in head.fields and one not in self._skip)
        return self._texts.block(around)

    def _fields(self, head: Head, calls: Sequence[Called]) -> Fields:
        if not head.fields:
            return Fields()
        names = {param.name for call in calls for param in call.params}
        return read_fields(head.fields, names, self._texts)

    def _changes(self, head: Head) -> tuple[Change, ...]:
        body = _text_of(head)
        if not body:
            return ()
        return tuple(changes_under(body, self._bodies, self._texts.inline, body))

    def _mentions(self, named: Mapping[str, Entry]) -> Iterator[Relation]:
        """Links from the text of one entry to another of the page; what holds entries speaks of them anyway."""
        places = {f"#{entry.head.anchor}": name for name, entry in named.items() if entry.head.anchor}
        holders = {entry.parent for entry in named.values()}
        for name, entry in named.items():
            if entry.head.name in holders:
                continue
            links = {link.get("href", "") for element in _text_of(entry.head) for link in element.iter("a")}
            found = {places[link] for link in links & places.keys()}
            yield from (Relation(name, "mentions", other) for other in sorted(found - {name}))


def _text_of(head: Head) -> tuple[HtmlElement, ...]:
    return (*head.body, *head.after)


def _told(entries: Sequence[Entry]) -> dict[str, tuple[str, Head]]:
    return {one.head.name: (one.text, one.head) for one in entries}


def _texts(options: "RenderOptions") -> Texts:
    # Late: rendering imports the values of this package, so that either may be imported first.
    from refdesk.ingest.html.rendering import render, render_inline

    def inline(element: HtmlElement) -> str:
        return render_inline(element, options)

    def block(element: HtmlElement) -> str:
        inner = [one for one in element if one.tag in _BLOCKS]
        if not inner or (len(inner) == 1 and inner[0].tag == "p" and not (element.text or "").strip()):
            return render_inline(element, options)
        return render(element, options).markdown.strip()

    return Texts(inline, block)


def _owners(named: Mapping[str, Entry]) -> dict[str, str]:
    """Entry → the one that it belongs to: the one around it, else the one whose name its own begins with."""
    holders = {entry.head.name: name for name, entry in named.items() if entry.head.kind in _HOLDERS}
    found: dict[str, str] = {}
    for name, entry in named.items():
        owner = holders.get(entry.parent, "") or _by_prefix(entry.head.name, holders)
        if owner and owner != name:
            found[name] = owner
    return found


def _by_prefix(name: str, holders: Mapping[str, str]) -> str:
    ends = [match.start() for match in _SEPARATORS.finditer(name)]
    return next((holders[name[:end]] for end in reversed(ends) if name[:end] in holders), "")


def _deprecation(head: Head, doc: str, changes: Sequence[Change], params: Collection[str]) -> Deprecation | None:
    stated = deprecated(changes, head.name, params)
    flag = next((match for one in head.signatures if (match := _FLAG.search(one)) is not None), None)
    if stated is None:
        said = _DEPRECATED_NOTE.sub("", doc) if "> **Deprecated" in doc else doc
        last = _SEPARATORS.split(head.name)[-1]
        stated = deprecation(said, last if last in said else "")
    if stated is None:
        return Deprecation("flag", since=flag["since"] or "") if flag is not None else None
    return replace(stated, since=flag["since"]) if flag is not None and flag["since"] and not stated.since else stated


def _attributes(head: Head) -> dict[str, JsonValue]:
    facts: dict[str, JsonValue] = {}
    if head.language:
        facts["language"] = head.language
    if len(head.signatures) > 1:
        facts["overloads"] = list(head.signatures)
    if head.kind in ("attribute", "property") and head.language == "python" and head.signatures:
        match = _TYPED.fullmatch(head.signatures[0])
        if match is not None:
            facts["type"] = match["type"]
            facts |= {"value": match["value"]} if match["value"] else {}
    return facts
