import pytest

from ingest.python.building import module, parse, symbols_of
from refdesk.domain.entries import Relation

RE_EXPORTED = {
    "pkg/__init__.py": """
        from ._client import Client, get
        from . import _private_helpers
        __all__ = ["Client", "get"]
    """,
    "pkg/_client.py": """
        __all__ = ["Client", "get", "hidden"]
        class Base:
            def close(self): "Close it."
        class Client(Base):
            "A client."
            def send(self, data): "Send data."
            def _quiet(self): ...
        def get(url): "Get it."
        def hidden(): ...
    """,
    "pkg/_private_helpers.py": "def helper(): ...",
    "pkg/models.py": "from ._client import Client as Client\nfrom ._client import hidden\nclass Model: ...\n",
}


def test_a_re_export_is_one_symbol_with_every_public_name() -> None:
    symbols = symbols_of(RE_EXPORTED)
    client = symbols["pkg.Client"]
    assert client.names == ("pkg.Client", "pkg.models.Client")
    assert (client.place.path, client.place.line) == ("pkg/_client.py", 4)
    assert client.members == ("pkg.Client.send", "pkg.Client.close")
    assert symbols["pkg.Client.send"].names == ("pkg.Client.send", "pkg.models.Client.send")


def test_private_modules_and_plain_imports_make_no_names() -> None:
    names = set(symbols_of(RE_EXPORTED))
    assert names == {
        "pkg", "pkg.Client", "pkg.Client.send", "pkg.Client.close", "pkg.get", "pkg.models", "pkg.models.Model",
    }  # fmt: skip


def test_a_member_of_a_private_base_belongs_to_the_public_class() -> None:
    close = symbols_of(RE_EXPORTED)["pkg.Client.close"]
    assert close.attributes["inherited_from"] == "pkg._client.Base"
    assert close.place.line == 3


@pytest.mark.parametrize(
    ("init", "names"),
    [
        pytest.param("from .a import f\n__all__ = ['f']", {"pkg.f"}, id="listed"),
        pytest.param("from .a import f", {"pkg.f"}, id="an __init__ without __all__ re-exports"),
        pytest.param("from .a import f\n__all__ = ()", set[str](), id="an empty __all__ shows nothing"),
        pytest.param("from .a import f as f\n__all__ = []", {"pkg.f"}, id="imported as itself"),
        pytest.param("from .a import *", {"pkg.f", "pkg.g"}, id="star import"),
        pytest.param("from .a import _h\n__all__ = ['_h']", {"pkg._h"}, id="an underscore that is listed"),
        pytest.param("from .a import f as renamed", {"pkg.renamed"}, id="renamed"),
        pytest.param("from . import a\n__all__ = a.__all__ + ['f']\nfrom .a import *", {"pkg.f", "pkg.g"}, id="added"),
        pytest.param("from .a import *\nfrom .a import __all__ as _all\n__all__ = list(_all)", {"pkg.g"}, id="other"),
        pytest.param("from .b import *\nfrom .b import __all__ as _b\n__all__ = ['f']\nfrom .a import f\n"
                     "__all__.extend([n for n in _b if n not in __all__])", {"pkg.f", "pkg.k"}, id="extend, as Azure"),
        pytest.param("from .a import f, g\n__all__ = ['f']\n__all__ += ['g']", {"pkg.f", "pkg.g"}, id="+="),
        pytest.param("from .a import f, g\n__all__ = [f.__name__]\n__all__.append('g')", {"pkg.f", "pkg.g"}, id="name"),
        pytest.param("from .a import f\n__all__ = [*('f',)]", {"pkg.f"}, id="starred"),
        pytest.param("from .a import f\n__all__ = compute()", {"pkg.f"}, id="an __all__ that cannot be read is none"),
        pytest.param("from ._f import h as f\nimport os\nx: int", {"pkg.f", "pkg.x"}, id="other packages' modules"),
    ],
)  # fmt: skip
def test_what_a_package_shows(init: str, names: set[str]) -> None:
    files = {
        "pkg/__init__.py": init,
        "pkg/_f.py": "def h(): ...",
        "pkg/a.py": "__all__ = ['g']\ndef f(): ...\ndef g(): ...\ndef _h(): ...\n" if "list(_all)" in init else
                    "def f(): ...\ndef g(): ...\ndef _h(): ...\n",
        "pkg/b.py": "__all__ = ['k']\ndef k(): ...\n",
    }  # fmt: skip
    direct = {
        name for one in parse(files).symbols for name in one.names if name.count(".") == 1 and one.kind != "module"
    }
    assert direct == names


def test_an_attribute_comes_before_a_submodule_of_the_same_name() -> None:
    symbols = symbols_of({"pkg/__init__.py": "from .get import get\n", "pkg/get.py": "def get(url): 'Get.'\n"})
    assert symbols["pkg.get"].kind == "function"
    assert symbols["pkg.get"].names == ("pkg.get", "pkg.get.get")


def test_a_member_of_a_class_comes_before_one_of_a_module_of_the_same_name() -> None:
    symbols = symbols_of(
        {
            "pkg/__init__.py": "class box:\n    def open(self, key): 'Of the class.'\n",
            "pkg/box.py": "def open(path): 'Of the module.'\n",
        }
    )
    assert symbols["pkg.box"].kind == "class"
    assert (symbols["pkg.box.open"].kind, symbols["pkg.box.open"].doc) == ("method", "Of the class.")


def test_a_namespace_package_has_no_init_above() -> None:
    symbols = symbols_of(
        {
            "google/cloud/store/__init__.py": "from google.cloud.store.blob import Blob\nfrom google.core import Other",
            "google/cloud/store/blob.py": "class Blob: ...",
        }
    )
    assert symbols["google.cloud.store.Blob"].names == ("google.cloud.store.Blob", "google.cloud.store.blob.Blob")
    assert "google" not in symbols
    assert "google.cloud.store.Other" not in symbols


def test_the_name_listed_by_the_top_package_is_canonical() -> None:
    symbols = symbols_of(
        {
            "pkg/__init__.py": "from .deep.er import Thing\nfrom . import api\n__all__ = ['Thing']\n",
            "pkg/api.py": "from .deep.er import Thing as Thing\n",
            "pkg/deep/__init__.py": "",
            "pkg/deep/er.py": "class Thing: ...\n",
        }
    )
    assert symbols["pkg.Thing"].names == ("pkg.Thing", "pkg.api.Thing", "pkg.deep.er.Thing")


def test_a_private_module_under_a_public_name_is_public_there() -> None:
    symbols = symbols_of({"pkg/__init__.py": "from . import _core as core\n", "pkg/_core.py": "def f(): ...\n"})
    assert symbols["pkg.core.f"].place.path == "pkg/_core.py"


def test_a_package_that_is_private_itself_is_still_shown() -> None:
    assert "_pkg.f" in symbols_of({"_pkg.py": "def f(): ..."})


def test_what_is_handed_on_from_another_package_says_so() -> None:
    code = "import core\nfrom core import Error\nProblem = core.Problem\n__all__ = ['Error', 'Problem']\n"
    symbols = symbols_of({"pkg/__init__.py": code})
    for name in ("Error", "Problem"):
        symbol = symbols[f"pkg.{name}"]
        assert (symbol.kind, symbol.open) == ("attribute", True)
        assert symbol.attributes["re_exported_from"] == f"core.{name}"
        assert f"core.{name}" in symbol.doc


def test_names_of_compiled_modules_are_known_but_open() -> None:
    symbols = symbols_of(
        {"pkg/__init__.py": "from ._fast import run\n__all__ = ['run']\n", "pkg/_fast.cpython-311.so": b"",
         "pkg/speed.pyd": b""}
    )  # fmt: skip
    assert symbols["pkg.run"].open
    assert "compiled" in symbols["pkg.run"].doc
    assert (symbols["pkg.speed"].kind, symbols["pkg.speed"].open) == ("module", True)


def test_a_stub_speaks_for_a_compiled_module_and_completes_a_source() -> None:
    symbols = symbols_of(
        {
            "pkg/fast.cpython-311-x86_64-linux-gnu.so": b"",
            "pkg/fast.pyi": """
                from typing import overload
                def run(n: int, /) -> str: ...
                @overload
                def twice(a: int) -> int: ...
                @overload
                def twice(a: str) -> str: ...
            """,
            "pkg/slow.py": "def walk(steps=1):\n    'Walk on.'\n",
            "pkg/slow.pyi": "def walk(steps: int = ...) -> None: ...\ndef extra() -> int: ...\n",
        }
    )
    assert symbols["pkg.fast.run"].signature == "def run(n: int, /) -> str"
    assert symbols["pkg.fast"].open is False
    assert symbols["pkg.fast.twice"].attributes["overloads"] == ["def twice(a: int) -> int", "def twice(a: str) -> str"]
    assert symbols["pkg.slow.walk"].signature == "def walk(steps: int = 1) -> None"
    assert symbols["pkg.slow.walk"].doc == "Walk on."
    assert symbols["pkg.slow.extra"].place.path == "pkg/slow.pyi"


def test_a_stub_types_what_its_module_imports() -> None:
    symbols = symbols_of(
        {
            "pkg/__init__.py": "from ._make import make, Thing, twice\nfrom ._lost import lost\n",
            "pkg/__init__.pyi": """
                from typing import overload
                def make(size: int) -> str: ...
                class Thing:
                    def go(self, far: bool) -> None: ...
                @overload
                def twice(a: int) -> int: ...
                @overload
                def twice(a: str) -> str: ...
                def lost(x: int) -> int: ...
            """,
            "pkg/_make.py": """
                def make(size=3): "Make it."
                class Thing:
                    def go(self, far=True): "Go."
                def twice(a): "Twice."
            """,
        }
    )
    assert symbols["pkg.make"].signature == "def make(size: int = 3) -> str"
    assert symbols["pkg.make"].doc == "Make it."
    assert symbols["pkg.Thing.go"].signature == "def go(far: bool = True) -> None"
    assert symbols["pkg.twice"].attributes["overloads"] == ["def twice(a: int) -> int", "def twice(a: str) -> str"]
    assert symbols["pkg.lost"].signature == "def lost(x: int) -> int"
    assert symbols["pkg.lost"].place.path == "pkg/__init__.pyi"


def test_a_stub_that_does_not_fit_its_source_does_no_harm() -> None:
    symbols = symbols_of(
        {
            "pkg/a.py": "class A:\n    from elsewhere import f\n    def g(self, a=1): ...\nx = 1\n",
            "pkg/a.pyi": """
                from typing import overload
                class A:
                    @overload
                    def f(self, a: int) -> int: ...
                    @overload
                    def f(self, a: str) -> str: ...
                    def g(self, a: int = ...) -> int: ...
                def x() -> int: ...
            """,
        }
    )
    assert symbols["pkg.a.x"].signature == "def x() -> int"
    assert "pkg.a.A.g" in symbols


def test_a_stub_package_speaks_for_the_package_that_it_types() -> None:
    assert "requests.get" in symbols_of({"requests-stubs/__init__.pyi": "def get(url: str) -> str: ..."})


@pytest.mark.parametrize(
    "path",
    ["pkg/tests/test_a.py", "pkg/_vendor/x.py", "pkg/conftest.py", "pkg/benchmarks/b.py", "tests/a.py", "docs/conf.py",
     "setup.py", "pkg/test_x.py", "pkg/a-b.py", "pkg/1x.py", "pkg-1.0.dist-info/x.py", "pkg/a.b.py"],
)  # fmt: skip
def test_tests_vendored_copies_and_build_scripts_are_left_out(path: str) -> None:
    entries = parse({"pkg/__init__.py": "", path: "def f(: broken"})
    assert [one.name for one in entries.symbols] == ["pkg"]
    assert not entries.problems


def test_files_in_the_data_folder_of_a_wheel_are_modules_too() -> None:
    assert symbols_of({"pkg-1.0.data/purelib/pkg/a.py": "def f(): ..."})["pkg.a.f"].place.path.endswith("pkg/a.py")


def test_an_assignment_can_be_another_name() -> None:
    symbols = module("""
        def _old(): "It."
        new = _old
        class A:
            def get_name(self): "Name."
            getName = get_name
    """)
    assert symbols["new"].kind == "function"
    assert symbols["A.getName"].doc == "Name."
    assert symbols["A.getName"].kind == "method"


def test_another_name_of_a_builtin_is_an_attribute_of_its_own() -> None:
    text = symbols_of({"pkg.py": "Text = str\n"})["pkg.Text"]
    assert (text.kind, text.signature, text.attributes.get("re_exported_from")) == ("attribute", "Text = str", None)


def test_cycles_of_imports_and_names_end() -> None:
    symbols = symbols_of(
        {
            "pkg/__init__.py": "from pkg.a import x\nfrom .a import *\n",
            "pkg/a.py": "from pkg import x\nfrom .b import *\n",
            "pkg/b.py": "from .a import *\nz = y\ny = z\nclass A(B): ...\nclass B(A): ...\nclass S(S): ...\n"
                        "from . import a\n__all__ = a.__all__\n",
        }
    )  # fmt: skip
    assert "pkg.b.S" in symbols


@pytest.mark.parametrize(
    ("code", "opened"),
    [
        pytest.param("def __getattr__(name): ...", True, id="__getattr__"),
        pytest.param("for n in names:\n    globals()[n] = make(n)", True, id="globals()"),
        pytest.param("globals().update(made)", True, id="globals().update"),
        pytest.param("import sys\nsetattr(sys.modules[__name__], n, 1)", True, id="setattr on itself"),
        pytest.param("from elsewhere import *", True, id="star import that leads out"),
        pytest.param("def f():\n    globals()['x'] = 1", False, id="inside a function"),
        pytest.param("x = 1", False, id="plain"),
    ],
)
def test_modules_that_grow_at_run_time_are_open(code: str, opened: bool) -> None:
    assert symbols_of({"pkg.py": code})["pkg"].open is opened


def test_loggers_and_type_variables_are_no_public_names() -> None:
    code = "import logging\nlog = logging.getLogger()\nlogger = logging.getLogger()\nT = TypeVar('T')\nX = 1"
    assert set(module(code)) == {"pkg", "X"}


def test_relations_link_members_types_errors_and_replacements() -> None:
    relations = parse(
        {
            "pkg.py": '''
                class Problem(Exception): ...
                class Item: ...
                class Shop:
                    def sell(self, item: "Item") -> list[Item]:
                        """Sell.

                        Raises:
                            Problem: If not.
                        """
                    def vend(self):
                        """Vend.

                        .. deprecated:: 2.0
                           Use :meth:`sell` instead.
                        """
            '''
        }
    ).relations
    assert set(relations) == {
        Relation("pkg", "member", "pkg.Item"),
        Relation("pkg", "member", "pkg.Problem"),
        Relation("pkg", "member", "pkg.Shop"),
        Relation("pkg.Shop", "member", "pkg.Shop.sell"),
        Relation("pkg.Shop", "member", "pkg.Shop.vend"),
        Relation("pkg.Shop.sell", "parameter_type", "pkg.Item"),
        Relation("pkg.Shop.sell", "returns", "pkg.Item"),
        Relation("pkg.Shop.sell", "raises", "pkg.Problem"),
        Relation("pkg.Shop.vend", "replaced_by", "pkg.Shop.sell"),
    }


def test_a_default_can_lie_behind_modules_and_classes() -> None:
    symbols = symbols_of(
        {
            "pkg/__init__.py": "",
            "pkg/values.py": "class Limits:\n    SIZE = 7\n    class Deep: ...\nLEVEL = 3\n",
            "pkg/a.py": """
                import pkg.values
                from pkg import values as v
                from pkg.values import Limits
                other = v.Limits
                deep = pkg.values.Limits.Deep
                def f(a=pkg.values.LEVEL, b=v.LEVEL, c=Limits.SIZE, d=Limits.LOST, e=pkg.lost.x, g=away.x): ...
            """,
        }
    )
    said = [one.doc for one in symbols["pkg.a.f"].params]
    assert said[:2] == ["Default: `pkg.values.LEVEL` is `3`.", "Default: `v.LEVEL` is `3`."]
    assert said[2:] == ["Default: `Limits.SIZE` is `7`.", "", "", ""]
    assert "pkg.a.other" in symbols["pkg.values.Limits"].names


def test_a_star_import_of_an_open_module_opens_the_importing_one() -> None:
    symbols = symbols_of({"pkg/__init__.py": "from .a import *", "pkg/a.py": "def f(): ...\ndef __getattr__(n): ..."})
    assert symbols["pkg"].open


def test_a_documented_logger_is_a_public_name() -> None:
    assert "logger" in module("logger = logging.getLogger()\n'The logger.'\n")


def test_names_are_kept_to_a_limit_with_the_shortest_first() -> None:
    files = {f"pkg/m{number:02}.py": "from ._a import A as A\n" for number in range(30)}
    names = symbols_of({**files, "pkg/__init__.py": "from ._a import A", "pkg/_a.py": "class A: ..."})["pkg.A"].names
    assert (len(names), names[0]) == (12, "pkg.A")


def test_types_of_parameters_are_followed_to_what_is_public() -> None:
    code = "from pkg import b\nclass _P: ...\ndef f(x: b, y: _P, z: b.C): ..."
    entries = parse({"pkg/__init__.py": "", "pkg/a.py": code, "pkg/b.py": "class C: ..."})
    targets = {one.target for one in entries.relations if one.kind == "parameter_type"}
    assert targets == {"pkg.b", "pkg.b.C"}


def test_an_assigned_name_that_leads_to_a_value_is_an_attribute_of_its_own() -> None:
    symbols = module("class A:\n    SIZE = 1\nsize = A.SIZE\nunknown = A.lost.more\n")
    assert symbols["size"].signature == "size = A.SIZE"
    assert symbols["unknown"].kind == "attribute"
