import ast
from textwrap import dedent

import pytest

from ingest.python.building import module, symbols_of
from refdesk.ingest.python.conditions import decide, prune


def _pruned(code: str) -> str:
    tree = ast.parse(dedent(code))
    prune(tree)
    return ast.unparse(tree)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("sys.version_info >= (3, 8)", True),
        ("sys.version_info < (3, 12)", False),
        ("version_info > (3,)", True),
        ("sys.version_info <= (3, 9)", False),
        ("sys.version_info == (2, 7)", False),
        ("sys.version_info != (2, 7)", True),
        ("sys.version_info[0] == 2", False),
        ("sys.version_info[0] >= 3", True),
        ("sys.version_info[:2] >= (3, 10)", True),
        ("sys.version_info[:] >= (3, 10)", True),
        ("sys.version_info.major < 3", False),
        ("sys.version_info.minor >= 9", True),
        ("sys.version_info[5] >= 9", None),
        ("sys.version_info in X", None),
        ("sys.version_info in (3, 4)", None),
        ("sys.version_info[0] >= '3'", None),
        ("sys.version_info >= 3", None),
        ("3 < sys.version_info[0] < 4", None),
        ("x >= (3, 8)", None),
        ("TYPE_CHECKING", True),
        ("typing.TYPE_CHECKING", True),
        ("not TYPE_CHECKING", False),
        ("not x", None),
        ("six.PY2", False),
        ("0", False),
        ("TYPE_CHECKING or x", True),
        ("TYPE_CHECKING and x", None),
        ("x and PY2", False),
        ("TYPE_CHECKING and PY3", True),
        ("sys.platform == 'win32'", None),
        ("f()", None),
    ],
)
def test_conditions_are_decided_for_the_newest_python(test: str, expected: bool | None) -> None:
    assert decide(ast.parse(test, mode="eval").body) is expected


_EITHER = "{}:\n    def f(first): ...\nelse:\n    def f(second): ..."


@pytest.mark.parametrize(
    ("code", "signature"),
    [
        pytest.param(_EITHER.format("if sys.version_info >= (3, 9)"), "def f(first)", id="the newest Python first"),
        pytest.param(_EITHER.format("if sys.version_info < (3, 9)"), "def f(second)", id="the newest Python last"),
        pytest.param(_EITHER.format("if sys.platform == 'x'"), "def f(first)", id="a platform: the first"),
        pytest.param(_EITHER.format("if x:\n    def f(zeroth): ...\nelif y"), "def f(zeroth)", id="elif"),
        pytest.param(_EITHER.format("if TYPE_CHECKING"), "def f(first)", id="types first"),
        pytest.param(_EITHER.format("if not TYPE_CHECKING"), "def f(second)", id="types last"),
        pytest.param(
            "try:\n    import fast\n    def f(fast): ...\nexcept ImportError:\n    def f(slow): ...",
            "def f(fast)",
            id="try before except",
        ),
        pytest.param(
            "def f(python): ...\ntry:\n    from ._c import f\nexcept ImportError:\n    pass",
            "def f(python)",
            id="an accelerator does not hide what can be read",
        ),
    ],
)
def test_the_preferred_of_two_definitions_is_shown(code: str, signature: str) -> None:
    assert module(code)["f"].signature == signature


def test_a_fallback_keeps_what_only_it_defines() -> None:
    symbols = module("""
        try:
            import fast
            HAS = True
        except ImportError:
            HAS = False
            def only_here(): ...
        if TYPE_CHECKING:
            from x import A
        else:
            A = None
            B = 1
    """)
    assert symbols["HAS"].signature == "HAS = True"
    assert {"only_here", "B"} <= set(symbols)


def test_branches_inside_classes_and_loops_are_put_in_order_too() -> None:
    symbols = module("""
        class A:
            if sys.version_info >= (3, 11):
                def m(self, new): ...
            else:
                def m(self, old): ...
        with suppress(ImportError):
            if PY2:
                def g(two): ...
            else:
                def g(three): ...
    """)
    assert symbols["A.m"].signature == "def m(new)"
    assert symbols["g"].signature == "def g(three)"


def test_imports_in_a_losing_branch_do_not_hide_the_winning_ones() -> None:
    symbols = symbols_of(
        {
            "pkg/__init__.py": "try:\n    from .fast import f, g\nexcept ImportError:\n    from .slow import f, h\n",
            "pkg/fast.py": "def f(fast): ...\ndef g(): ...\n",
            "pkg/slow.py": "def f(slow): ...\ndef h(): ...\n",
        }
    )
    assert symbols["pkg.f"].signature == "def f(fast)"
    assert {"pkg.g", "pkg.h"} <= set(symbols)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if x:\n    a = 1\nelif y:\n    a = 2\n    b = 3\n", "if x:\n    a = 1\nelif y:\n    pass\n    b = 3"),
        ("if not TYPE_CHECKING:\n    a = 1\nelse:\n    a = 2\n", "if not TYPE_CHECKING:\n    pass\nelse:\n    a = 2"),
        ("if PY2:\n    a = 1\n", "if PY2:\n    pass"),
        ("try:\n    a, [b] = 1\nexcept E:\n    b = 2\nelse:\n    c: int = 1\nfinally:\n    d += 1\n",
         "try:\n    a, [b] = 1\nexcept E:\n    pass\nelse:\n    c: int = 1\nfinally:\n    d += 1"),
        ("try:\n    a.b = 1\nexcept E:\n    print()\n", "try:\n    a.b = 1\nexcept E:\n    print()"),
        ("for a in x:\n    b = 1\nwhile y:\n    try:\n        c = 1\n    except* E:\n        c = 2\n",
         "for a in x:\n    b = 1\nwhile y:\n    try:\n        c = 1\n    except* E:\n        pass"),
        ("a = 1\ntry:\n    from m import a, b\nexcept E:\n    pass\n",
         "a = 1\ntry:\n    from m import b\nexcept E:\n    pass"),
    ],
)  # fmt: skip
def test_pruning_leaves_valid_code(code: str, expected: str) -> None:
    assert _pruned(code) == expected or _pruned(code) == expected.replace("    pass\n    b", "    b")
