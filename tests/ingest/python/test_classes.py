import pytest

from ingest.python.building import module, param, symbols_of
from refdesk.domain.symbols import Symbol


def _params(symbol: Symbol) -> list[tuple[str, str, str | None]]:
    return [(one.name, one.type, one.default) for one in symbol.params]


def test_a_class_has_the_parameters_of_its_construction() -> None:
    symbols = module('''
        class Base:
            """A base.

            Args:
                size: How large.
            """
            def __init__(self, size: int, *, name="x", **kwargs):
                """Make it.

                :keyword int depth: How deep.
                """
        class Child(Base): "A child."
        class ByNew:
            def __new__(cls, x): ...
        class Plain: ...
    ''')
    assert symbols["Base"].signature == 'class Base(size: int, *, name="x", **kwargs)'
    assert [one.name for one in symbols["Base"].params] == ["size", "name", "depth", "kwargs"]
    assert param(symbols["Base"], "size").doc == "How large."
    assert symbols["Base"].doc == "A base."
    assert symbols["Child"].signature == 'class Child(size: int, *, name="x", **kwargs)'
    assert symbols["ByNew"].signature == "class ByNew(x)"
    assert (symbols["Plain"].signature, symbols["Plain"].params) == ("class Plain", ())
    assert "Base.__init__" not in symbols


def test_a_class_without_a_docstring_has_that_of_its_init() -> None:
    assert module("class A:\n    def __init__(self): 'Make it.'")["A"].doc == "Make it."


def test_a_construction_that_comes_from_another_package_is_said_to() -> None:
    symbols = module("""
        from other.models import Scope
        class Options(Scope): "How."
        class Own(Scope):
            def __init__(self, a): ...
        class Plain: ...
    """)
    assert symbols["Options"].attributes["constructor"] == (
        "inherited from `other.models.Scope`, which is not part of this package"
    )
    assert "constructor" not in {**symbols["Own"].attributes, **symbols["Plain"].attributes}


def test_overloads_of_the_construction_are_listed() -> None:
    symbol = module('''
        from typing import overload
        class Model:
            """:ivar name: Its name."""
            @overload
            def __init__(self, *, name: str): ...
            @overload
            def __init__(self, mapping: dict): ...
            def __init__(self, *args, **kwargs): ...
    ''')["Model"]
    assert symbol.attributes["overloads"] == ["def __init__(*, name: str)", "def __init__(mapping: dict)"]
    assert [(one.name, one.required, one.doc) for one in symbol.params] == [("name", True, "Its name.")]
    assert symbol.signature == "class Model(*, name: str)"


FIELDS = {
    "dataclass": (
        """
        from dataclasses import dataclass, field, KW_ONLY, InitVar
        from typing import ClassVar
        @dataclass
        class Base:
            first: int
            shared: ClassVar[int] = 1
        @dataclass
        class A(Base):
            "A."
            items: list = field(default_factory=list)
            'Things.'
            hidden: int = field(init=False)
            bare = 3
            seed: InitVar[int] = 1
            _: KW_ONLY
            late: str = field(default="x", kw_only=True)
            must: int = field()
        """,
        [("first", "int", None), ("items", "list", "list()"), ("seed", "int", "1"), ("late", "str", "'x'"),
         ("must", "int", None)],
    ),
    "dataclass keyword-only": (
        "import dataclasses\n@dataclasses.dataclass(kw_only=True)\nclass A:\n    x: int = 1\n", [("x", "int", "1")],
    ),
    "dataclass without init": (
        "from dataclasses import dataclass\n@dataclass(init=False)\nclass A:\n    x: int = 1\n", [],
    ),
    "attrs": (
        "import attr\n@attr.s\nclass A:\n    x = attr.ib(default=1)\n    _y: int = attr.ib(factory=list)\n    z = 3\n",
        [("x", "", "1"), ("y", "int", "list()")],
    ),
    "attrs define": (
        "from attrs import define\n@define\nclass A:\n    x: int\n    y: int = 2\n",
        [("x", "int", None), ("y", "int", "2")],
    ),
    "pydantic": (
        """
        from pydantic import BaseModel, Field
        class A(BaseModel):
            model_config = {}
            x: int = Field(..., description="An x.", alias="ex")
            y: str = "a"
            z: float = Field(1.5)
            _private: int = 0
            @property
            def p(self): ...
        """,
        [("ex", "int", None), ("y", "str", "'a'"), ("z", "float", "1.5")],
    ),
    "named tuple": (
        "from typing import NamedTuple\nclass A(NamedTuple):\n    x: int\n    y: int = 0\n",
        [("x", "int", None), ("y", "int", "0")],
    ),
    "typed dict": (
        """
        from typing import TypedDict, NotRequired, Required
        class A(TypedDict):
            x: int
            y: NotRequired[str]
        """,
        [("x", "int", None), ("y", "str", None)],
    ),
    "protocol": ("from typing import Protocol\nclass A(Protocol):\n    x: int\n", []),
}  # fmt: skip


@pytest.mark.parametrize(("code", "params"), FIELDS.values(), ids=FIELDS)
def test_fields_become_parameters(code: str, params: list[tuple[str, str, str | None]]) -> None:
    assert _params(module(code)["A"]) == params


def test_fields_keep_their_texts_kinds_and_needs() -> None:
    symbols = module("""
        from dataclasses import dataclass, KW_ONLY
        from pydantic import BaseModel, Field
        from typing import TypedDict, NotRequired, Required
        @dataclass
        class A:
            x: int
            'An x.'
            _: KW_ONLY
            y: "Literal['a']" = "a"
        class M(BaseModel):
            x: int = Field(description="From the field.")
        class D(TypedDict, total=False):
            x: int
            y: Required[int]
    """)
    assert [(one.doc, one.kind) for one in symbols["A"].params] == [("An x.", ""), ("", "keyword_only")]
    assert symbols["M"].params[0].doc == "From the field."
    assert [one.required for one in symbols["D"].params] == [False, True]


def test_an_attribute_that_a_call_makes_is_open() -> None:
    symbols = module("""
        class Series:
            dt = CachedAccessor("dt", Properties)
            size = 3
    """)
    assert [symbols[f"Series.{name}"].open for name in ("dt", "size")] == [True, False]


def test_a_default_that_cannot_be_read_again_is_kept_as_text() -> None:
    symbol = module("""
        from dataclasses import dataclass
        @dataclass
        class A:
            step: object = lambda: (yield go(1))
    """)["A"]
    assert _params(symbol) == [("step", "object", "lambda: yield go(1)")]
    assert not symbol.params[0].required


def test_an_own_init_wins_over_fields() -> None:
    symbols = module("""
        from dataclasses import dataclass
        @dataclass
        class A:
            x: int
            def __init__(self, other): ...
        @dataclass
        class B:
            x: int
        class C(B):
            def __init__(self, mine): ...
        class D(B): ...
    """)
    assert [symbols[name].signature for name in "ABCD"] == [
        "class A(other)", "class B(x: int)", "class C(mine)", "class D(x: int)",
    ]  # fmt: skip


def test_an_enumeration_lists_its_values() -> None:
    symbols = module("""
        from enum import Enum
        from core import CaseInsensitiveEnumMeta
        class Tls(str, Enum, metaclass=CaseInsensitiveEnumMeta):
            "Versions."
            TLS1_0 = "TLS1_0"
            TLS1_1 = "TLS1_1"
            'The second.'
            _ignored = 1
            @property
            def number(self): ...
    """)
    tls = symbols["Tls"]
    assert tls.attributes["values"] == ["TLS1_0", "TLS1_1"]
    assert tls.attributes["value_of"] == {"TLS1_0": "'TLS1_0'", "TLS1_1": "'TLS1_1'"}
    assert tls.attributes["bases"] == ["builtins.str", "enum.Enum"]
    assert (tls.signature, tls.open) == ("class Tls", False)
    assert symbols["Tls.TLS1_1"].doc == "The second."


@pytest.mark.parametrize(
    ("bases", "kind"),
    [
        ("Exception", "error"),
        ("KeyError, ValueError", "error"),
        ("UserWarning", "error"),
        ("core.HttpError", "error"),
        ("Mine", "error"),
        ("dict", "class"),
        ("core.Thing", "class"),
        ("make()", "class"),
    ],
)
def test_exceptions_are_errors_as_far_as_can_be_seen(bases: str, kind: str) -> None:
    assert module(f"import core\nclass Mine(Exception): ...\nclass A({bases}): ...")["A"].kind == kind


@pytest.mark.parametrize(
    ("code", "opened"),
    [
        pytest.param("class A: ...", False, id="plain"),
        pytest.param("class A(dict): ...", False, id="a builtin base can be looked up"),
        pytest.param("from typing import Generic, T\nclass A(Generic[T]): ...", False, id="Generic"),
        pytest.param("import core\nclass A(core.Base): ...", True, id="a base that leads out"),
        pytest.param("import core\nclass B(core.Base): ...\nclass A(B): ...", True, id="a grandparent that leads out"),
        pytest.param("class A:\n    def __getattr__(self, name): ...", True, id="__getattr__"),
        pytest.param("class B:\n    def __getattribute__(self, name): ...\nclass A(B): ...", True, id="inherited"),
        pytest.param("class A: ...\nfor n in names:\n    setattr(A, n, 1)", True, id="setattr loop"),
        pytest.param("class A: ...\nA.plot = 1", True, id="assigned from outside"),
        pytest.param("class A:\n    for n in names:\n        locals()[n] = 1", True, id="locals()"),
        pytest.param("@delegate_names(B, ['x'])\nclass A: ...", True, id="delegate decorator"),
        pytest.param("@final\nclass A: ...", False, id="harmless decorator"),
        pytest.param("class A: ...\ndef f():\n    setattr(A, 'x', 1)", False, id="setattr inside a function"),
    ],
)
def test_a_class_is_open_where_members_may_be_missing(code: str, opened: bool) -> None:
    assert module(code)["A"].open is opened


def test_members_attached_in_another_module_open_the_class() -> None:
    symbols = symbols_of({"pkg/a.py": "class A: ...", "pkg/b.py": "from .a import A\nsetattr(A, 'x', 1)"})
    assert symbols["pkg.a.A"].open


def test_members_come_in_pythons_order_of_bases() -> None:
    symbols = module("""
        class Top:
            def m(self): "Top."
        class Left(Top): ...
        class Right(Top):
            def m(self): "Right."
        class A(Left, Right): ...
    """)
    assert symbols["A.m"].doc == "Right."


def test_bases_without_a_consistent_order_still_give_members() -> None:
    symbols = module("class X:\n    def x(self): ...\nclass Y(X): ...\nclass A(X, Y): ...")
    assert "A.x" in symbols


def test_members_of_every_kind_are_shown() -> None:
    symbols = module("""
        import functools
        class A:
            LIMIT: int = 3
            "A limit."
            def __init__(self, given):
                self.given = given
                self.made: str = "x"
                "Made."
            @property
            def size(self) -> int:
                "How large."
            @size.setter
            def size(self, value): ...
            @functools.cached_property
            def area(self): "Area."
            async def run(self): ...
            def __call__(self): ...
            def __len__(self): ...
            def __eq__(self, other): ...
            def __add__(self, other): "Join."
            def __secret(self): ...
            class Inner:
                def deep(self): ...
    """)
    assert {name.removeprefix("A.") for name in symbols if name.startswith("A.")} == {
        "LIMIT", "given", "made", "size", "area", "run", "__call__", "__len__", "__add__", "Inner", "Inner.deep",
    }  # fmt: skip
    assert (symbols["A.size"].kind, symbols["A.size"].signature) == ("property", "size: int")
    assert symbols["A.size"].attributes == {"writable": True}
    assert symbols["A.area"].attributes == {"cached": True}
    assert symbols["A.run"].signature == "async def run()"
    assert symbols["A.run"].attributes == {"async": True}
    assert (symbols["A.LIMIT"].signature, symbols["A.LIMIT"].doc) == ("LIMIT: int = 3", "A limit.")
    assert "pkg.A.Inner" in symbols["A"].members
    assert "pkg.A.Inner.deep" not in symbols["A"].members


def test_decorators_that_are_called_like_property_make_one() -> None:
    symbols = module("""
        class A:
            @hybrid_property
            def size(self) -> int: "How large."
            @cache_readonly
            def shape(self): ...
            @size.setter
            def width(self, value): ...
    """)
    assert (symbols["A.size"].kind, symbols["A.size"].signature) == ("property", "size: int")
    assert symbols["A.shape"].kind == "property"
    assert symbols["A.width"].kind == "method"


def test_an_attribute_is_described_by_the_docstring_of_its_class() -> None:
    symbols = module('''
        class Props:
            """Properties.

            :ivar str etag: The tag.
            :ivar last: The last.

                .. versionadded:: 12.0
            :vartype last: ~datetime.datetime
            """
            def __init__(self, **kwargs):
                self.etag = kwargs.get("etag")
                self.last = None
    ''')
    assert (symbols["Props.etag"].doc, symbols["Props.etag"].signature) == (
        "The tag.", 'etag: str = kwargs.get("etag")'.replace('"', "'"),
    )  # fmt: skip
    assert symbols["Props.last"].since == "12.0"
    assert symbols["Props"].doc == "Properties."


def test_a_property_is_summed_up_by_what_it_returns() -> None:
    symbol = module('''
        class A:
            @property
            def p(self):
                """
                :returns: The size.
                :rtype: int
                """
    ''')["A.p"]
    assert (symbol.summary, symbol.signature) == ("The size.", "p: int")


def test_long_values_are_not_shown() -> None:
    symbols = module(
        f"__all__ = ['TABLE', 'TEXT', 'SHORT']\nTABLE = {list(range(100))}\nTEXT = '{'x' * 300}'\nSHORT = 1\n"
    )
    assert [symbols[name].signature for name in ("TABLE", "TEXT", "SHORT")] == ["TABLE = ...", "TEXT", "SHORT = 1"]


def test_classes_are_nested_to_a_limit() -> None:
    code = "".join(" " * depth + f"class C{depth}:\n" for depth in range(8)) + " " * 8 + "x = 1\n"
    assert max(name.count(".") for name in module(code)) == 4


def test_a_base_inside_a_class_and_an_imported_member_are_followed() -> None:
    symbols = symbols_of(
        {
            "pkg/a.py": """
                class A:
                    class Base:
                        def m(self): "M."
                    class Sub(Base): ...
                    from pkg.b import helper
                    from elsewhere import other
            """,
            "pkg/b.py": "def helper(self): 'Help.'",
        }
    )
    assert symbols["pkg.a.A.Sub.m"].doc == "M."
    assert symbols["pkg.a.A.helper"].doc == "Help."
    assert "pkg.a.A.other" not in symbols
