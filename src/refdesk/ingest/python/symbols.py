"""Public objects of a package as symbols."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import griffe

from refdesk.domain.symbols import JsonValue, Param, Place, Symbol, SymbolKind
from refdesk.ingest.prose import deprecation_from_note, summary
from refdesk.ingest.python import deprecations
from refdesk.ingest.python.callables import Callables, Described, class_docs, informative, is_property, with_docs
from refdesk.ingest.python.classes import Classes, ClassView
from refdesk.ingest.python.docstrings import Docstring, Documented, module_deprecation, parse_docstring
from refdesk.ingest.python.facts import class_facts, module_facts
from refdesk.ingest.python.namespaces import Namespaces
from refdesk.ingest.python.public import Exposed, Public
from refdesk.ingest.python.signatures import is_bound, parameters, read_annotation, render
from refdesk.ingest.python.synthesised import constructor, field_params
from refdesk.ingest.python.tree import ModuleNode
from refdesk.ingest.python.warned import Retired, Warned
from refdesk.ingest.restructured.inline import inline

_SPECIAL = frozenset(
    {"__call__", "__enter__", "__aenter__", "__exit__", "__aexit__", "__getitem__", "__setitem__", "__iter__",
     "__aiter__", "__next__", "__len__", "__contains__", "__await__"}
)  # fmt: skip
"""Special methods that stand for something one writes, and are shown without a docstring too."""
_INSIDE = frozenset({"__init__", "__new__", "__all__", "__doc__", "__slots__", "__module__", "__post_init__"})
_LONGEST_VALUE = 200
_MEMBER_NAMES = 6
"""Names of its class under which a member is listed, too."""
_DEEPEST_CLASS = 4


@dataclass(frozen=True, slots=True)
class Made:
    """A symbol and what relations are made from.

    Attributes:
        module: Where names that its text uses are looked up.
        types: Texts of parameter types.
    """

    symbol: Symbol
    module: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Construction:
    params: tuple[Param, ...]
    signature: str
    overloads: JsonValue = None
    warned: Warned | None = None
    inherited: str = ""


class SymbolMaker:
    """Makes the symbols of one package."""

    def __init__(self, namespaces: Namespaces, public: Public, url: str) -> None:
        self._namespaces = namespaces
        self._public = public
        self._url = url
        self._classes = Classes(namespaces)
        self._callables = Callables(namespaces, self._classes, self.name_symbol)
        self._named: dict[tuple[str, str], str] = {}

    def make(self) -> Iterator[Made]:
        """Symbols of the public modules and of what they show."""
        for path in self._public.modules:
            yield from self._module(path)
        for exposed in self._public.objects:
            yield from self._exposed(exposed)

    def name_symbol(self, module: str, name: str) -> str:
        """Canonical name of the public symbol that a name in a module's text means; empty if there is none."""
        if (module, name) not in self._named:
            self._named[module, name] = self._find_symbol(module, name)
        return self._named[module, name]

    def _find_symbol(self, module: str, name: str) -> str:
        found = self._public.name_of(self._namespaces.lookup(module, name))
        if found or "." not in name:
            return found
        return self._public.name_of(self._namespaces.resolve(name))

    def _place(self, thing: griffe.Object) -> Place:
        node = self._namespaces.modules.get(thing.module.path)
        path = "" if node is None else node.stub if node.stub and not thing.runtime else node.path
        return Place(path, thing.lineno or 0, self._url)

    # modules

    def _module(self, path: str) -> Iterator[Made]:
        node = self._namespaces.modules[self._public.module_names[path]]
        tree = node.tree
        shown = self._public.modules[path]
        retired = [one for one in module_facts(tree).retired if one.name not in shown]
        opened = self._namespaces.is_open(node.name)
        if not node.path:
            return
        said = tree.docstring.value if tree.docstring is not None else ""
        doc = parse_docstring(said, path)
        facts = module_facts(tree)
        submodules = [one for one in self._public.modules if one.rpartition(".")[0] == path]
        attributes: dict[str, JsonValue] = {"compiled": True} if node.path.endswith((".so", ".pyd")) else {}
        yield Made(
            Symbol(
                path, "module", (path,), summary(doc.text), doc.text, f"import {path}",
                examples=doc.examples, since=doc.since,
                deprecation=deprecations.decide((), facts.deprecation, module_deprecation(said, path)),
                place=Place(node.path, 1, self._url),
                members=tuple(sorted({*shown.values(), *submodules, *(f"{path}.{one.name}" for one in retired)})),
                open=opened, attributes=attributes,
            ),
            node.name,
        )  # fmt: skip
        for one in retired:
            yield self._retired(one, path, node)

    def _retired(self, old: Retired, path: str, node: ModuleNode) -> Made:
        """An old name that only the module's `__getattr__` knows."""
        name = f"{path}.{old.name}"
        stated = deprecation_from_note(inline(old.message), "warning")
        if not stated.replacement and old.replacement:
            stated = replace(stated, replacement=self.name_symbol(node.name, old.replacement) or old.replacement)
        how = "refuses it" if old.gone else "still answers, with a warning"
        text = f"An old name: the module's `__getattr__` {how}."
        flags: dict[str, JsonValue] = {"removed": True} if old.gone else {}
        return Made(
            Symbol(
                name, "attribute", (name,), summary(text), text, old.name, deprecation=stated,
                place=Place(node.path, 0, self._url), open=True, attributes=flags,
            ),
            node.name,
        )  # fmt: skip

    # what modules show

    def _exposed(self, exposed: Exposed) -> Iterator[Made]:
        thing = exposed.thing
        if thing is None:
            yield self._handed_on(exposed)
        elif isinstance(thing, griffe.Class):
            yield from self._class(thing, exposed.names, 0)
        elif isinstance(thing, griffe.Function):
            yield self._callable(thing, exposed.names, "function", {})
        else:
            yield self._attribute(thing, exposed.names, {})

    def _handed_on(self, exposed: Exposed) -> Made:
        """A name that the package takes from another one: what it is stands there."""
        name, source = exposed.names[0], exposed.external
        text = _re_exported(source)
        if exposed.missing:
            text = "Public, but its source is not in the package: it comes from compiled code or is made at run time."
        module = self._public.module_names[exposed.module]
        return Made(
            Symbol(
                name, "attribute", exposed.names, summary(text), text, name.rpartition(".")[2],
                place=Place(self._namespaces.modules[module].path, 0, self._url), open=True,
                attributes={} if exposed.missing else {"re_exported_from": source},
            ),
            module,
        )  # fmt: skip

    def _callable(
        self, thing: griffe.Object, names: tuple[str, ...], kind: SymbolKind, extra: Mapping[str, JsonValue]
    ) -> Made:
        found: Described = self._callables.describe(thing)
        return Made(
            Symbol(
                names[0], kind, names, found.summary, found.doc, found.signature, found.params,
                returns=found.returns, errors=found.errors, examples=found.examples, deprecation=found.deprecation,
                since=found.since, place=self._place(thing), attributes={**found.attributes, **extra},
            ),
            thing.module.path,
            found.types,
        )  # fmt: skip

    def _attribute(self, thing: griffe.Object, names: tuple[str, ...], documented: Mapping[str, Documented]) -> Made:
        doc, note = self._callables.documented(thing)
        noted = documented.get(thing.name)
        text = doc.text or (noted.doc if noted else "")
        annotation = getattr(thing, "annotation", None)
        stated = read_annotation(str(annotation)).type if annotation is not None else (noted.type if noted else "")
        value = _value(getattr(thing, "value", None))
        source = "" if text or annotation is not None else self._outside(thing)
        if source:
            text = _re_exported(source)
        signature = thing.name + (f": {stated}" if stated else "") + (f" = {value}" if value else "")
        attributes: dict[str, JsonValue] = {"docstring": note} if note else {}
        if value:
            attributes["value"] = value
        if source:
            attributes["re_exported_from"] = source
        return Made(
            Symbol(
                names[0], "attribute", names, summary(text), text, signature,
                deprecation=doc.deprecation or (noted.deprecation if noted else None),
                since=doc.since or (noted.since if noted else ""), place=self._place(thing),
                # What a call hands out (an accessor, a table of names) has members that nobody can list here.
                open=bool(source) or "(" in str(getattr(thing, "value", None) or ""),
                attributes=attributes,
            ),
            thing.module.path,
            (stated,) if stated else (),
        )  # fmt: skip

    def _outside(self, thing: griffe.Object) -> str:
        """Path outside of the package that an attribute is only another name of: `Error = other_package.Error`."""
        value = getattr(thing, "value", None)
        if not isinstance(thing.parent, griffe.Module) or not isinstance(value, griffe.ExprName | griffe.ExprAttribute):
            return ""
        name = str(value)
        found = self._namespaces.lookup(thing.module.path, name)
        return (
            found.external if (not found.missing and found.external not in ("", name)) or "." in found.external else ""
        )

    # classes

    def _class(self, thing: griffe.Class, names: tuple[str, ...], depth: int) -> Iterator[Made]:
        view = self._classes.view(thing)
        doc, note = class_docs(self._callables, thing)
        construction = self._construction(view, doc)
        params = construction.params
        members = list(self._members(view, names, doc, depth))
        attributes = _class_attributes(view, note)
        if construction.overloads:
            attributes["overloads"] = construction.overloads
        if construction.inherited:
            attributes["constructor"] = f"inherited from `{construction.inherited}`, which is not part of this package"
        own = [made.symbol.name for made in members if made.symbol.name.count(".") == names[0].count(".") + 1]
        yield Made(
            Symbol(
                names[0], "error" if view.is_error else "class", names, summary(doc.text), doc.text,
                construction.signature, params,
                errors=self._callables.errors(doc, thing.module.path), examples=doc.examples,
                deprecation=deprecations.decide(class_facts(thing).decorators, construction.warned, doc.deprecation),
                since=doc.since, place=self._place(thing), members=tuple(dict.fromkeys(own)), open=view.open,
                attributes=attributes,
            ),
            thing.module.path,
            tuple(one.type for one in params if one.type),
        )  # fmt: skip
        yield from members

    def _construction(self, view: ClassView, doc: Docstring) -> _Construction:
        """How an object of a class is made."""
        name = view.thing.name
        maker = constructor(view)
        if maker is not None:
            found = self._callables.describe(maker)
            declared = parameters(maker, bound=is_bound(maker))
            accepts = any(one.kind == "var_keyword" for one in declared)
            shown = informative(maker, declared)
            params = with_docs(found.params, doc.params, accepts_more=accepts)
            known = {one.name: noted for one in params if not one.doc and (noted := doc.attributes.get(one.name))}
            params = with_docs(params, known, accepts_more=False)
            return _Construction(
                self._callables.with_values(params, maker.module.path),
                render("class", name, shown) if shown else f"class {name}",
                found.attributes.get("overloads"),
                class_facts(view.thing).deprecation,
            )
        made = field_params(view) or ()
        documented = with_docs(made, {**doc.attributes, **doc.params}, accepts_more=False)
        signature = render("class", name, made) if made else f"class {name}"
        return _Construction(documented, signature, inherited="" if made else view.unseen)

    def _members(self, view: ClassView, names: tuple[str, ...], doc: Docstring, depth: int) -> Iterator[Made]:
        for name, member in view.members.items():
            if not _is_shown(name, member, view.thing):
                continue
            full = tuple(f"{one}.{name}" for one in names[:_MEMBER_NAMES])
            owner = view.owners[name]
            extra: dict[str, JsonValue] = {} if owner is view.thing else {"inherited_from": owner.path}
            if is_property(member):
                yield self._callable(member, full, "property", extra)
            elif isinstance(member, griffe.Function):
                yield self._callable(member, full, "method", extra)
            elif isinstance(member, griffe.Class):
                if depth < _DEEPEST_CLASS and owner is view.thing:
                    yield from self._class(member, full, depth + 1)
            else:
                made = self._attribute(member, full, doc.attributes)
                yield replace(made, symbol=replace(made.symbol, attributes={**made.symbol.attributes, **extra}))


def _re_exported(source: str) -> str:
    return f"Re-exported from `{source}`, which is not part of this package."


def _is_shown(name: str, member: griffe.Object, owner: griffe.Class) -> bool:
    if name in _INSIDE or member.is_module:
        return False
    if name.startswith("__") and name.endswith("__"):
        documented = isinstance(member, griffe.Function) and member.docstring is not None
        return isinstance(member, griffe.Function) and (documented or name in _SPECIAL)
    return not name.startswith("_") and name != owner.name


def _class_attributes(view: ClassView, note: str) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {"docstring": note} if note else {}
    if view.bases:
        found["bases"] = list(view.bases)
    if view.is_enum:
        values = {
            name: _value(member.value)
            for name, member in view.members.items()
            if isinstance(member, griffe.Attribute)
            and member.value is not None
            and not name.startswith("_")
            and "property" not in member.labels
        }
        found["values"] = list(values)
        found["value_of"] = dict(values)
    return found


def _value(value: object) -> str:
    """A value as written, if it is short enough to be read."""
    if value is None:
        return ""
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE and "\n" not in text else ""
