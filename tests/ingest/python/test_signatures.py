import ast
import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.python.building import function, module, param
from refdesk.domain.symbols import Param, ParamKind


@pytest.mark.parametrize(
    "signature",
    [
        "def f()",
        "def f(a, b=1, *, c, d: int = 2, **rest: str) -> None",
        "def f(a, /, b: list[int], *args: int, c=(1, 2))",
        "def f(a, /)",
        'async def f(text: str = "it\'s") -> dict[str, int]',
        "def f(é=\"ü\", *, x={'a': 1})",
    ],
)
def test_a_signature_is_shown_as_declared(signature: str) -> None:
    assert function(f"{signature}: ...").signature == signature


def test_a_long_signature_has_a_line_for_each_parameter() -> None:
    shown = function(f"def f(first: {'x' * 60} = None, *, second: {'y' * 60} = 1) -> int: ...").signature
    assert shown == f"def f(\n    first: {'x' * 60} = None,\n    *,\n    second: {'y' * 60} = 1,\n) -> int"


def test_self_and_cls_are_left_out() -> None:
    symbols = module("""
        class A:
            def m(self, x): ...
            @classmethod
            def c(cls, x): ...
            @staticmethod
            def s(x): ...
            def star(*args): ...
    """)
    assert [symbols[f"A.{name}"].signature for name in ("m", "c", "s", "star")] == [
        "def m(x)", "def c(x)", "def s(x)", "def star(*args)",
    ]  # fmt: skip
    assert symbols["A.c"].attributes == {"classmethod": True}


def test_parameters_say_how_they_are_passed() -> None:
    symbol = function("def f(a, /, b, *args, c=None, **kwargs): ...")
    assert [(one.name, one.kind, one.required, one.default) for one in symbol.params] == [
        ("a", "positional_only", True, None),
        ("b", "", True, None),
        ("args", "var_positional", False, None),
        ("c", "keyword_only", False, "None"),
        ("kwargs", "var_keyword", False, None),
    ]


@pytest.mark.parametrize(
    ("annotation", "enum"),
    [
        ("Literal['a', 'b']", ("a", "b")),
        ("typing.Optional[Literal['a', 1]]", ("a", "1")),
        ("Literal['a'] | None", ("a",)),
        ("typing.Literal['a']", ("a",)),
        ("te.Literal['a']", ("a",)),
        ("Union[Literal['a'], Literal['b', 'a']]", ("a", "b")),
        ("Literal['a'] | int", ()),
        ("Union[str, Literal['a']]", ()),
        ("list[Literal['a']]", ()),
        ("Callable[[Literal['a']], int]()", ()),
        ("'Literal['", ()),
    ],
)
def test_literal_types_are_the_allowed_values(annotation: str, enum: tuple[str, ...]) -> None:
    imports = "import typing\nimport typing_extensions as te\nfrom typing import Literal, Optional, Union\n"
    assert param(function(f"{imports}def f(x: {annotation}): ..."), "x").enum == enum


def test_annotated_types_carry_text_and_deprecations() -> None:
    symbol = function("""
        def f(
            x: Annotated[int, Doc("How many.")] = 1,
            y: Annotated[str, deprecated("Use x instead.")] = "",
            z: Annotated[int, 3] = 0,
        ): ...
    """)
    assert (param(symbol, "x").type, param(symbol, "x").doc) == ("int", "How many.")
    found = param(symbol, "y").deprecation
    assert found is not None
    assert (found.evidence, found.replacement) == ("flag", "x")
    assert param(symbol, "z").type == "int"


def test_overloads_stand_beside_the_implementation() -> None:
    symbol = function("""
        from typing import overload
        @overload
        def f(a: int) -> int: ...
        @overload
        def f(a: str, b: int = 1) -> str: ...
        def f(a, b=1): "Both."
    """)
    assert symbol.signature == "def f(a, b=1)"
    assert symbol.attributes["overloads"] == ["def f(a: int) -> int", "def f(a: str, b: int = 1) -> str"]


def test_an_implementation_that_takes_anything_has_the_parameters_of_its_fullest_overload() -> None:
    symbol = function("""
        from typing import overload
        @overload
        def f(*, name: str, size: int = 1): ...
        @overload
        def f(mapping: dict, /, *, name: str): ...
        def f(*args, **kwargs): ...
    """)
    assert symbol.signature == "def f(*args, **kwargs)"
    assert [(one.name, one.required) for one in symbol.params] == [("name", True), ("size", False)]


def test_where_an_overload_takes_anything_no_overload_speaks_for_all_calls() -> None:
    symbol = function("""
        from typing import overload
        @overload
        def f(func: Callable): ...
        @overload
        def f(*args: Any, **kwargs: Any): ...
        def f(*args, **kwargs): ...
    """)
    assert [(one.name, one.kind) for one in symbol.params] == [("args", "var_positional"), ("kwargs", "var_keyword")]


def test_an_overload_without_parameters_leaves_the_fullest_one() -> None:
    symbol = function("""
        from typing import overload
        @overload
        def f(): ...
        @overload
        def f(a: int): ...
        def f(*args): ...
    """)
    assert [one.name for one in symbol.params] == ["a"]


def test_a_default_that_is_a_constant_shows_its_value() -> None:
    symbol = function("""
        LIMIT = 20
        MISSING = object()
        def f(a=LIMIT, b=MISSING, c=UNKNOWN, d=None):
            '''Do.

            Args:
                a: How many.
            '''
    """)
    assert param(symbol, "a").default == "LIMIT"
    assert param(symbol, "a").doc == "How many.\n\nDefault: `LIMIT` is `20`."
    assert [param(symbol, name).doc for name in "bcd"] == ["", "", ""]


_NAMES = st.from_regex(r"[a-z_]{1,6}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name) and name != "_" * len(name)
)
_KINDS: list[ParamKind] = ["positional_only", "", "var_positional", "keyword_only", "var_keyword"]


@st.composite
def _parameters(draw: st.DrawFn) -> list[tuple[str, ParamKind, str, str]]:
    """Parameters in an order that Python allows: (name, kind, annotation, default)."""
    names = draw(st.lists(_NAMES, min_size=0, max_size=7, unique=True))
    kinds = sorted(draw(st.lists(st.sampled_from(_KINDS), min_size=len(names), max_size=len(names))), key=_KINDS.index)
    found: list[tuple[str, ParamKind, str, str]] = []
    seen: set[str] = set()
    optional = False
    for name, kind in zip(names, kinds, strict=True):
        if kind.startswith("var_") and kind in seen:
            continue
        seen.add(kind)
        default = "" if kind.startswith("var_") else draw(st.sampled_from(["", "1", "None", "'x'"]))
        if kind in ("positional_only", ""):
            default = default or ("0" if optional else "")
            optional = bool(default)
        found.append((name, kind, draw(st.sampled_from(["", "int", "str | None"])), default))
    return found


def _source(parameters: list[tuple[str, ParamKind, str, str]]) -> str:
    parts: list[str] = []
    kinds = [kind for _, kind, _, _ in parameters]
    for index, (name, kind, annotation, default) in enumerate(parameters):
        if kind == "keyword_only" and "var_positional" not in kinds and "*" not in parts:
            parts.append("*")
        stars = {"var_positional": "*", "var_keyword": "**"}.get(kind, "")
        parts.append(stars + name + (f": {annotation}" if annotation else "") + (f" = {default}" if default else ""))
        if kind == "positional_only" and "positional_only" not in kinds[index + 1 :]:
            parts.append("/")
    return f"def f({', '.join(parts)}): ..."


@given(_parameters())
def test_a_signature_parses_to_the_declaration_that_it_was_made_from(
    parameters: list[tuple[str, ParamKind, str, str]],
) -> None:
    source = _source(parameters)
    symbol = function(source)
    assert ast.dump(ast.parse(f"{symbol.signature}: ...")) == ast.dump(ast.parse(source))
    assert [(one.name, one.kind, one.type, one.default or "") for one in symbol.params] == parameters
    assert all(isinstance(one, Param) for one in symbol.params)


def test_a_default_over_several_lines_is_shown_on_one() -> None:
    assert param(function("def f(a=[\n    1,\n    2,\n]): ..."), "a").default == "[1, 2]"


def test_a_string_annotation_that_is_no_code_is_kept() -> None:
    assert param(function("def f(a: 'Literal[ of some kind'): ..."), "a").type


def test_an_annotation_that_cannot_be_read_again_is_kept_as_text() -> None:
    symbol = function("def f(x: Annotated[int, lambda: (yield)]): ...")
    assert (param(symbol, "x").type, param(symbol, "x").doc) == ("Annotated[int, lambda: yield]", "")
