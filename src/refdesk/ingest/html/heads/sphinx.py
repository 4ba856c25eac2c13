"""Sphinx: `dl.py.function > dt.sig` of any domain, the markup of old versions, and what DevDocs leaves of both."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lxml.html import HtmlElement

from refdesk.domain.symbols import SymbolKind
from refdesk.ingest.html.heads.head import Head
from refdesk.ingest.html.heads.inventory import Item, is_page
from refdesk.ingest.html.heads.page import Heads, Subject, empty, following, has_class
from refdesk.ingest.html.heads.signatures import code_text, copyable, signature_text
from refdesk.ingest.html.tree import elements

_KINDS: Mapping[str, SymbolKind] = {
    "function": "function", "coroutinefunction": "function", "decorator": "function", "macro": "function",
    "templatetag": "function", "templatefilter": "function", "django-admin": "function", "pdbcommand": "function",
    "directive": "function", "role": "function", "command": "function", "genex": "function",
    "class": "class", "interface": "class", "trait": "class", "exception": "error",
    "method": "method", "classmethod": "method", "staticmethod": "method", "abstractmethod": "method",
    "decoratormethod": "method", "coroutinemethod": "method",
    "property": "property", "attribute": "attribute", "data": "attribute", "member": "attribute", "var": "attribute",
    "enumerator": "attribute", "opcode": "attribute", "fieldlookup": "attribute", "2to3fixer": "attribute",
    "const": "attribute", "monitoring-event": "attribute",
    "type": "type", "struct": "type", "union": "type", "enum": "type", "enum-class": "type", "enum-struct": "type",
    "concept": "type", "alias": "type",
    "option": "setting", "cmdoption": "setting", "django-admin-option": "setting", "envvar": "setting",
    "setting": "setting", "confval": "setting", "variable": "setting",
    "module": "module", "namespace": "module",
}  # fmt: skip
_LANGUAGES: Mapping[str, str] = {
    "py": "python", "c": "c", "cpp": "cpp", "js": "javascript", "cmake": "cmake", "php": "php", "rb": "ruby",
    "go": "go", "rust": "rust", "rst": "rst", "std": "", "http": "http", "cuda": "cpp",
}  # fmt: skip
_OF_STD = frozenset({
    "option", "cmdoption", "django-admin-option", "envvar", "setting", "confval", "templatetag", "templatefilter",
    "django-admin", "pdbcommand", "opcode", "fieldlookup", "2to3fixer", "directive", "role",
})  # fmt: skip
_CALLABLE = frozenset({"function", "method"})
_WORDS = re.compile(
    r"(?:(?:async|abstract|class|classmethod|method|function|attribute|static|staticmethod|final|property|exception|enum"
    r"|coroutine|awaitable)\s+|@\s*)*(?P<name>[\w.$]+)"
)
_NAME = re.compile(r"[\w.$]+")
_OF_HEADING = re.compile(
    r"module-(?P<module>.+)|std[:-](?P<std>setting|templatetag|templatefilter|fieldlookup|confval)-(?P<name>.+)"
    r"|(?P<cmake>command|variable|module|policy|envvar|generator|cpack_gen|prop_[a-z]+):(?P<of_cmake>.+)"
)
_CMAKE_KINDS: Mapping[str, SymbolKind] = {"command": "function", "module": "module"}


def find_sphinx(subject: Subject) -> Heads:
    """The declarations of a page of Sphinx."""
    return Heads(_Finder(subject).find())


class _Finder:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._inventory = subject.inventory if subject.inventory.items else None
        self._declaring = {dl: type_ for dl in subject.root.iter("dl") if (type_ := _object_type(dl)) is not None}
        self._owners: dict[HtmlElement, str] = {}

    def find(self) -> dict[HtmlElement, Sequence[Head]]:
        found: dict[HtmlElement, Sequence[Head]] = {}
        for dl, (domain, type_) in self._declaring.items():
            heads = tuple(self._of_list(dl, domain, type_))
            if heads:
                found[dl] = heads
                self._owners[dl] = heads[-1].name
        for heading in self._subject.root.iter("h1", "h2", "h3", "h4"):
            head = self._of_heading(heading)
            if head is not None:
                found[heading] = (head,)
        return found

    def _of_list(self, dl: HtmlElement, domain: str, type_: str) -> Iterator[Head]:
        declared: list[HtmlElement] = []
        body: list[HtmlElement] = []
        for child in elements(dl):
            if child.tag == "dt":
                if body:
                    yield from self._of_group(dl, declared, body, domain, type_)
                    declared, body = [], []
                declared.append(child)
            else:
                body.append(child)
        yield from self._of_group(dl, declared, body, domain, type_)

    def _of_group(
        self, dl: HtmlElement, declared: list[HtmlElement], body: list[HtmlElement], domain: str, type_: str
    ) -> Iterator[Head]:
        owner = self._owner(dl)
        heads: list[Head] = []
        for dt in declared:
            one = self._head(dt, domain, type_, owner)
            if heads and (one.name == heads[-1].name or (not one.anchor and _last(one.name) == _last(heads[-1].name))):
                heads[-1] = replace(heads[-1], signatures=(*heads[-1].signatures, *one.signatures))
            elif one.name:
                heads.append(one)
        if not heads:
            return
        told = tuple(one for one in body if not empty(one))
        after = () if told or owner else self._after(dl)
        yield from (replace(one, shared=heads[-1].name, after=after) for one in heads[:-1])
        yield replace(heads[-1], body=told, fields=tuple(_fields(told)), after=after)

    def _head(self, dt: HtmlElement, domain: str, type_: str, owner: str) -> Head:
        anchor = dt.get("id") or next((one.get("id", "") for one in dt.iter("span") if one.get("id")), "")
        text = _lines_of_pygame(dt) or signature_text(dt)
        domain = domain or _domain_of(anchor, type_)
        item = self._item(anchor)
        names = _declared_names(dt) or [_from_text(text, domain)]
        name = _name(anchor, domain, names[0], item, owner)
        kind = _KINDS.get(type_) or ("function" if "(" in text else "attribute")
        if kind == "function" and type_ == "macro" and "(" not in text:
            kind = "attribute"
        return Head(
            name=name,
            kind=kind,
            anchor=anchor,
            signatures=tuple(copyable(text).split("\n")) if has_class(dt, "title") else (copyable(text),),
            language=_LANGUAGES.get(domain, domain),
            title=_title(name, owner, kind),
            names=self._spellings(dt, names if domain == "std" else ()),
            canonical=bool(anchor) and self._belongs_here(item),
        )

    def _item(self, anchor: str) -> Item | None:
        return self._inventory.at(anchor, self._subject.page) if self._inventory and anchor else None

    def _belongs_here(self, item: Item | None) -> bool:
        return item is None or is_page(item.uri, self._subject.page)

    def _spellings(self, dt: HtmlElement, declared: Sequence[str]) -> tuple[str, ...]:
        """Aliases, and options with the program before them, which only the inventory has; then those declared."""
        known = self._inventory.anchors if self._inventory else {}
        if not declared and len(known.get(dt.get("id", ""), ())) < 2:
            return ()
        ids = [dt.get("id", ""), *(one.get("id", "") for one in dt.iter("span") if one.get("id"))] if known else []
        stated = (item for id_ in ids if id_ for item in known.get(id_, ()) if self._belongs_here(item))
        names = dict.fromkeys([*(item.name for item in stated if not item.role.startswith("cmake:")), *declared])
        return tuple(name for name in names if name)

    def _owner(self, dl: HtmlElement) -> str:
        above = dl.getparent()
        while above is not None:
            if above in self._owners:
                return self._owners[above]
            above = above.getparent() if self._owners else None
        return ""

    def _after(self, dl: HtmlElement) -> tuple[HtmlElement, ...]:
        """The text below declarations that nothing is indented under; several in a row share it."""
        last = dl
        for one in dl.itersiblings():
            if one not in self._declaring or any(child.tag == "dd" and not empty(child) for child in one):
                break
            last = one
        return following(last, self._declaring)

    def _of_heading(self, heading: HtmlElement) -> Head | None:
        named = [(id_, match) for id_ in _ids_before(heading) if (match := _OF_HEADING.fullmatch(id_)) is not None]
        if not named:
            return None
        anchor, match = named[0]
        kind, name = _named_by_id(match)
        return Head(
            name=name,
            kind=kind,
            anchor=anchor,
            signatures=_synopsis(heading, name) if match["cmake"] == "command" else (),
            language="cmake" if match["cmake"] else "python" if match["module"] else "",
            title=signature_text(heading).rstrip("¶#\uf0c1 "),
            by_heading=True,
            after=following(heading, self._declaring),
            names=tuple(_named_by_id(other)[1] for _, other in named[1:]),
            canonical=self._belongs_here(self._item(anchor)),
        )


def _object_type(dl: HtmlElement) -> tuple[str, str] | None:
    """Domain (empty where old markup names none) and type of a list of declarations; None for any other list."""
    names = (dl.get("class") or "").split()
    if not names:
        return None
    dt = next((child for child in dl if child.tag == "dt"), None)
    if dt is None or not ((signed := has_class(dt, "sig")) or dt.get("id")):
        return None
    domain = names[0] if len(names) > 1 and names[0] in _LANGUAGES else ""
    type_ = next((name for name in names if name in _KINDS and name != domain), "")
    if not type_ and (len(names) < 2 or not signed):
        return None
    return domain, type_ or names[1]


def _domain_of(anchor: str, type_: str) -> str:
    if anchor.startswith("c."):
        return "c"
    if anchor.startswith("_CPP"):
        return "cpp"
    return "std" if type_ in _OF_STD else "py"


def _name(anchor: str, domain: str, declared: str, item: Item | None, owner: str) -> str:
    if item is not None and (":" in item.role or not _NAME.fullmatch(anchor) or not anchor.endswith(item.name)):
        return item.name.partition(":")[2] if domain == "cmake" else item.name
    if domain == "c":
        return anchor.removeprefix("c.") or declared
    if domain in ("std", "cmake"):
        return declared or anchor
    separator = "::" if domain == "cpp" else "."
    if not declared or (separator == "." and (anchor == declared or anchor.endswith(f".{declared}"))):
        return anchor
    inside = owner and not declared.startswith(f"{owner}{separator}") and declared != owner
    if inside and owner.endswith(f"{separator}{declared.rpartition(separator)[0]}"):
        return f"{owner}{separator}{_last(declared)}"
    return f"{owner}{separator}{declared}" if inside else declared


def _declared_names(dt: HtmlElement) -> list[str]:
    """The names that markup sets apart; options have several."""
    found: list[str] = []
    before = ""
    for child in dt:
        name = child.get("class") or ""
        if "descclassname" in name:
            before = "".join(child.itertext()).strip()
        elif "descname" in name:
            text = " ".join("".join(child.itertext()).split())
            found.append(before + text if before.endswith((".", ":")) else text)
            before = ""
    return found


def _from_text(text: str, domain: str) -> str:
    if domain == "std":
        return text.partition(",")[0].partition("(")[0].strip()
    match = _WORDS.match(text)
    return match["name"].strip(".") if match is not None else ""


def _title(name: str, owner: str, kind: SymbolKind) -> str:
    shown = name
    if owner and name.startswith(owner) and name != owner:
        shown = _last(owner) + name[len(owner) :]
    return f"{shown}()" if kind in _CALLABLE and shown[-1:].isalnum() else shown


def _last(name: str) -> str:
    return name.rpartition("::")[2] if "::" in name else name.rpartition(".")[2] or name


def _fields(body: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    """Lists of fields, also inside a plain wrapper."""
    for element in body:
        for child in elements(element):
            if child.tag in ("dl", "table") and has_class(child, "field-list"):
                yield child


def _lines_of_pygame(dt: HtmlElement) -> str:
    """Signatures that stand as lines at the beginning of the description."""
    dd = dt.getnext() if has_class(dt, "title") else None
    block = next((one for one in elements(dd) if has_class(one, "line-block")), None) if dd is not None else None
    if block is None:
        return ""
    return "\n".join(signature_text(one) for one in block.iter("span") if has_class(one, "signature"))


def _ids_before(heading: HtmlElement) -> Sequence[str]:
    """Ids of the section that a heading opens, of the targets right before it, and its own, in this order."""
    found = [heading.get("id", "")]
    before = heading.getprevious()
    while before is not None and before.tag in ("span", "a", "p", "div") and not (before.text or "").strip():
        found += reversed([one.get("id", "") for one in before.iter("span", "a")])
        before = before.getprevious()
    above = heading.getparent()
    if above is not None and before is None and above.tag in ("section", "div"):
        found.append(above.get("id", ""))
    return [one for one in reversed(found) if one]


def _named_by_id(match: re.Match[str]) -> tuple[SymbolKind, str]:
    if match["module"]:
        return "module", match["module"]
    if match["std"]:
        return _KINDS[match["std"]], match["name"]
    return _CMAKE_KINDS.get(match["cmake"], "setting"), match["of_cmake"]


def _synopsis(heading: HtmlElement, name: str) -> tuple[str, ...]:
    """The call that a page shows first, where it is one of the command that the page describes."""
    above = heading.getparent()
    block = next(above.iter("pre"), None) if above is not None else None
    text = code_text(block) if block is not None else ""
    return (text,) if text.startswith(f"{name}(") else ()
