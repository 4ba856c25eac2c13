"""Directives of reStructuredText and Sphinx to Markdown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refdesk.ingest.fences import fenced_lines, guess_language, language_of
from refdesk.ingest.restructured.callouts import CALL_OUTS, CHANGES, call_out, change, kind_of
from refdesk.ingest.restructured.inclusions import Inclusions, marker
from refdesk.ingest.restructured.tables import csv_table, list_table
from refdesk.ingest.tabs import panel

_OPTION = re.compile(r":(?P<key>[\w-]+):(?:\s+(?P<value>.*))?\Z")
_CODE = frozenset({
    "code-block", "code", "sourcecode", "parsed-literal", "prompt", "ipython", "testcode", "doctest", "testoutput",
    "productionlist", "highlight", "code-tab", "console", "pycon", "jupyter-execute", "plot", "graphviz", "mermaid",
})  # fmt: skip
_DROPPED = frozenset({
    "contents", "index", "meta", "currentmodule", "module", "highlight", "default-role", "role", "sectnum",
    "raw", "testsetup", "testcleanup", "tabularcolumns", "rst-class", "cssclass", "namespace", "program",
    "sectionauthor",
    "moduleauthor", "codeauthor", "header", "footer", "title", "image-placeholder", "target-notes", "restindex",
    "inheritance-diagram", "minigallery",
})  # fmt: skip
_OF_FILES = frozenset({"literalinclude", "include", "image", "figure", "toctree"})
"""What shows other files; where there are none, nothing is left to read."""

_SELECTING = frozenset({"lines", "start-after", "start-at", "end-before", "end-at", "pyobject"})
_TITLED = frozenset({"rubric", "topic", "sidebar", "dropdown", "card", "grid-item-card"})
_TABS = frozenset({"tab", "tab-item", "group-tab"})
_LABELS = frozenset({"templatetag", "templatefilter", "fieldlookup", "setting", "django-admin", "option"})
_SILENT = frozenset({"only", "ifconfig", "container", "tab-set", "tabs", "grid", "grid-item", "glossary", "hlist"})
_OBJECTS = frozenset({
    "function", "class", "method", "classmethod", "staticmethod", "attribute", "property", "data", "exception",
    "option", "describe", "object", "confval", "setting", "envvar", "decorator",
    "macro", "type", "struct", "enum", "enumerator",
    "member", "var", "cfunction", "templatetag", "templatefilter", "django-admin", "django-admin-option", "fieldlookup",
    "opcode", "cmdoption", "coroutinefunction", "coroutinemethod", "abstractmethod", "decoratormethod", "pdbcommand",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive: `.. name:: argument`, its options and its content."""

    name: str
    argument: str
    options: Mapping[str, str]
    content: Sequence[str]

    @classmethod
    def read(cls, name: str, argument: str, block: Sequence[str], *, joined: bool) -> "Directive":
        """Split an indented block into the argument's further lines, options and content.

        Args:
            name: As written, with its domain.
            argument: What stands on the first line.
            block: The indented lines below.
            joined: Whether they follow without a blank line, so that the argument may go on in them.
        """
        lines = list(block)
        more: list[str] = []
        options: dict[str, str] = {}
        goes_on = joined and bool(argument) and name.rpartition(":")[2] in _OBJECTS
        while goes_on and lines and lines[0].strip() and _OPTION.match(lines[0]) is None:
            more.append(lines.pop(0).strip())
        while lines and (match := _OPTION.match(lines[0])) is not None:
            options[match["key"]] = (match["value"] or "").strip()
            lines.pop(0)
            while lines and lines[0].startswith(" ") and lines[0].strip():
                options[match["key"]] += " " + lines.pop(0).strip()
        while lines and not lines[0].strip():
            lines.pop(0)
        return cls(name, "\n".join([argument, *more]), options, lines)


class Directives:
    """Converts directives with the converter of the page that they stand in."""

    def __init__(
        self,
        body: Callable[[Sequence[str]], list[str]],
        inline: Callable[[str], str],
        includes: Inclusions | None,
        included: Callable[[str], str],
        entry: tuple[Callable[[], int], Callable[[Sequence[str]], list[str]]],
    ) -> None:
        self._body = body
        self._inline = inline
        self._includes = includes
        self._included = included
        self._level, self._entry = entry

    def convert(self, directive: Directive) -> list[str]:
        """Markdown lines of a directive; one that is not known keeps its argument and content."""
        name = directive.name.rpartition(":")[2].lower()
        if name in _OF_FILES:
            return [] if self._includes is None else self._of_files(name, directive, self._includes)
        for names, convert in (
            (_DROPPED, self._nothing),
            (_CODE, self._code),
            (CALL_OUTS, self._note),
            (CHANGES, self._version),
            (_TITLED, self._titled),
            (_TABS, self._tab),
            (_OBJECTS, self._object),
            (("list-table", "csv-table", "table"), self._table),
            (("math",), self._math),
        ):
            if name in names:
                return convert(directive)
        if name.startswith("auto") and directive.argument:
            return [f"`{directive.argument}`", "", *self._body(directive.content)]
        shown = directive.argument if name not in _SILENT else ""
        return [*([self._inline(shown), ""] if shown else []), *self._body(directive.content)]

    @staticmethod
    def _nothing(_directive: Directive) -> list[str]:
        return []

    @staticmethod
    def _code(directive: Directive) -> list[str]:
        name = directive.name.rpartition(":")[2].lower()
        language, _, title = directive.argument.partition(" ")
        default = {"doctest": "pycon", "testcode": "python", "testoutput": "text", "ipython": "python"}.get(name, "")
        if name in ("parsed-literal", "testoutput", "productionlist", "testcode", "doctest", "plot"):
            language = default
        caption = directive.options.get("caption") or (title if name == "code-tab" else "")
        if not directive.content:
            return []
        text = "\n".join(directive.content)
        code = fenced_lines(text, language or default or guess_language(text))
        if name == "code-tab":
            return panel(caption or language, code)
        return [f"**{caption}**", "", *code] if caption else code

    def _note(self, directive: Directive) -> list[str]:
        name = directive.name.rpartition(":")[2].lower()
        if name == "admonition":
            return call_out(self._inline(directive.argument) or "Note", self._body(directive.content))
        said = [directive.argument] if directive.argument else []
        return call_out(kind_of(name), self._body([*said, *directive.content]))

    def _version(self, directive: Directive) -> list[str]:
        version, _, text = directive.argument.partition(" ")
        body = self._body([text, *directive.content] if text else directive.content)
        return change(directive.name.rpartition(":")[2].lower(), version, body)

    def _titled(self, directive: Directive) -> list[str]:
        title = [f"**{self._inline(directive.argument)}**", ""] if directive.argument else []
        return [*title, *self._body(directive.content)]

    def _tab(self, directive: Directive) -> list[str]:
        return panel(directive.argument, self._body(directive.content))

    def _object(self, directive: Directive) -> list[str]:
        """An API entry becomes a section of its own, so that it can be found and cut as one."""
        signatures = [line.rstrip("\\").strip() for line in directive.argument.split("\n") if line.strip()]
        if not signatures:
            return self._body(directive.content)
        if not directive.content:
            return self._bare(directive, signatures)
        heads = [f"{'#' * self._level()} `{signatures[0]}`", ""]
        for more in signatures[1:]:
            heads += [f"`{more}`", ""]
        return heads + self._entry(directive.content)

    @staticmethod
    def _bare(directive: Directive, signatures: Sequence[str]) -> list[str]:
        """An entry without a text: a signature to read, or only a label for the section that follows."""
        if directive.name.lower() in _LABELS:
            return [f'<a id="{signatures[0]}"></a>']
        return [f"`{signature}`  " for signature in signatures[:-1]] + [f"`{signatures[-1]}`"]

    def _of_files(self, name: str, directive: Directive, includes: Inclusions) -> list[str]:
        if name == "toctree":
            return self._contents(directive)
        if name in ("image", "figure"):
            return self._image(directive)
        if name == "include" and not {"literal", "code"} & directive.options.keys():
            return self._include(directive, includes)
        return self._literalinclude(directive, includes)

    @staticmethod
    def _literalinclude(directive: Directive, includes: Inclusions) -> list[str]:
        code = includes.selected(directive.argument, directive.options)
        if code is None:
            return [marker(directive.argument)]
        language = directive.options.get("language") or language_of(directive.argument)
        caption = directive.options.get("caption")
        return [*([f"**{caption}**", ""] if caption else []), *fenced_lines(code, language)]

    def _include(self, directive: Directive, includes: Inclusions) -> list[str]:
        if not _SELECTING.isdisjoint(directive.options):
            text = includes.selected(directive.argument, directive.options)
            return [marker(directive.argument)] if text is None else self._included(text).split("\n")
        return includes.prose(directive.argument, self._included).split("\n")

    def _image(self, directive: Directive) -> list[str]:
        alt = directive.options.get("alt", "")
        picture = f"![{alt}]({directive.argument})"
        return [picture, *(["", *self._body(directive.content)] if directive.content else [])]

    def _table(self, directive: Directive) -> list[str]:
        name = directive.name.rpartition(":")[2].lower()
        header = directive.options.get("header-rows", "0")
        rows = int(header) if header.isdigit() else 0
        title = [f"**{self._inline(directive.argument)}**", ""] if directive.argument else []
        if name == "list-table":
            return [*title, *list_table(directive.content, rows, self._inline)]
        if name == "table":
            return [*title, *self._body(directive.content)]
        content: Sequence[str] = directive.content
        if "file" in directive.options:
            code = self._includes.selected(directive.options["file"], {}) if self._includes else None
            if code is None:
                return [*title, marker(directive.options["file"])]
            content = code.split("\n")
        return [*title, *csv_table(content, directive.options.get("header", ""), rows, self._inline)]

    @staticmethod
    def _contents(directive: Directive) -> list[str]:
        """The pages below this one, by title where one is given."""
        entries = [line.strip() for line in directive.content if line.strip() and "hidden" not in directive.options]
        return [f"- {entry.partition(' <')[0]}" for entry in entries]

    @staticmethod
    def _math(directive: Directive) -> list[str]:
        formula = [*([directive.argument] if directive.argument else []), *directive.content]
        return fenced_lines("\n".join(formula), "math") if formula else []
