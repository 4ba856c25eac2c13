import os
import sys
from pathlib import Path

import pytest

from ingest.python.building import parse, source_files, symbols_of
from refdesk.domain.entries import Problem
from refdesk.ingest.python import parse_python
from refdesk.ingest.python.files import LONGEST_MODULE

GOOD = "def ok(): 'Fine.'\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"x = 1\ndef f(:\n", "line 2: invalid syntax; the module is left out.", id="syntax"),
        pytest.param(b"print 'two'\n", "line 1: Missing parentheses", id="Python 2"),
        pytest.param(b"x = 1\ny = '\xff'\n", "line 2: not valid utf-8; the module is left out.", id="not UTF-8"),
        pytest.param(b"# coding: nonsense\n", "line 1: unknown encoding", id="unknown cookie"),
        pytest.param(b"# coding: raw_unicode_escape\nx = '\\ud800'\n", "line 1: 'utf-8' codec", id="half a character"),
        pytest.param(b"x = 1\0\n", "line 1: source code string cannot contain null bytes", id="NUL"),
        pytest.param(b"x = " + b"(" * 300 + b")" * 300, "line 1: too many nested parentheses", id="parentheses"),
        pytest.param(b"def f(a=" + b"+".join([b"1"] * 3000) + b"): ...", "line 1: nested too deeply", id="a sum"),
        pytest.param(b"x = a" + b".b" * 5000, "line 1: nested too deeply", id="a chain"),
        pytest.param(b"# coding: utf-8\nx = 1\rprint 'two'\n", "line 3: Missing parentheses", id="old line ends"),
        pytest.param(b"#" * (LONGEST_MODULE + 1), "The module has 8,000,001 bytes", id="too long"),
    ],
)
def test_a_module_that_cannot_be_read_is_a_problem_and_the_others_go_on(content: bytes, message: str) -> None:
    entries = parse({"pkg/__init__.py": GOOD, "pkg/bad.py": content})
    (problem,) = entries.problems
    assert problem.path == "pkg/bad.py"
    assert problem.message.startswith(message)
    symbols = {one.name: one for one in entries.symbols}
    assert "pkg.ok" in symbols
    assert symbols["pkg.bad"].open


def test_a_source_that_cannot_be_read_is_replaced_by_its_stub() -> None:
    entries = parse({"pkg/a.py": b"\xff", "pkg/a.pyi": b"def f() -> int: ..."})
    assert "pkg.a.f" in {one.name for one in entries.symbols}
    assert len(entries.problems) == 1


def test_a_declared_encoding_is_honoured() -> None:
    content = "# -*- coding: latin-1 -*-\r\ndef f(a='ä'):\r\n    'Größe.'\r\n".encode("latin-1")
    symbol = symbols_of({"pkg.py": content})["pkg.f"]
    assert (symbol.doc, symbol.signature) == ("Größe.", "def f(a='ä')")


def test_a_byte_order_mark_is_no_character() -> None:
    assert "pkg.ok" in symbols_of({"pkg.py": b"\xef\xbb\xbf" + GOOD.encode()})


def test_invalid_escapes_in_strings_raise_no_warnings() -> None:
    code = 'def f():\n    """A \\d.\n\n    Args:\n        x ("\\d"): X.\n    """\nY = "\\w"\n'
    assert "pkg.f" in symbols_of({"pkg.py": code})


def test_problems_of_the_source_are_handed_on_in_order() -> None:
    source = source_files({"b.py": b"def f(:"}, (Problem("z", "too large"), Problem("a", "link")))
    assert [one.path for one in parse_python(source).problems] == ["a", "b.py", "z"]


def test_nothing_at_all_is_nothing() -> None:
    entries = parse({})
    assert (entries.symbols, entries.pages, entries.relations, entries.problems) == ((), (), (), ())


def test_nothing_is_imported_run_or_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    symbols = symbols_of(
        {
            "pkg/__init__.py": f"""
                import pathlib
                pathlib.Path({str(tmp_path / "ran")!r}).touch()
                raise SystemExit("the module was run")
                from pydantic import BaseModel, Field
                from griffe import Module
                import colorsys
                class A(BaseModel):
                    x: int = Field(default=pathlib.Path({str(tmp_path / "ran")!r}).touch())
                class B(Module): "B."
                __all__ = ["A", "B", "Module", "colorsys"]
            """,
            "griffe/__init__.py": "class Module:\n    def mine(self): ...\n",
        }
    )
    assert list(tmp_path.iterdir()) == []
    assert set(sys.modules) == before
    assert "pkg.B.mine" in symbols, "the package's own griffe counts, not the installed one"
    assert "pkg.B.path" not in symbols
    assert symbols["pkg.A"].open
    assert "pkg.A.model_dump" not in symbols


def test_the_same_files_give_the_same_entries() -> None:
    files = {f"pkg/m{number}.py": f"class C{number}:\n    def a(self): ...\n    b = 1\n" for number in range(9)}
    assert parse(files) == parse(dict(reversed(files.items())))


def test_deep_nesting_of_statements_is_read() -> None:
    code = "".join("  " * depth + "if x:\n" for depth in range(90)) + "  " * 90 + "y = 1\n"
    assert "pkg.y" in symbols_of({"pkg.py": code})


@pytest.mark.parametrize("path", ["a/../b.py", "/etc/x.py", "a//b.py", ".py", "__init__.py", "a b.py"])
def test_odd_paths_are_no_modules(path: str) -> None:
    assert parse({path: GOOD}).symbols == ()
    assert not Path(os.curdir, "nothing").exists()


def test_a_module_of_thousands_of_constants_is_read_whole() -> None:
    code = "'''Doc.'''\n" + "".join(f"A{number} = {number}\n'''Doc {number}.'''\n" for number in range(600))
    code += "class C:\n" + "".join(f"    B{number} = {number}\n" for number in range(300))
    code += "    def __init__(self):\n        warnings.warn('C is deprecated', DeprecationWarning)\n"
    symbols = symbols_of({"pkg.py": code})
    assert symbols["pkg"].doc == "Doc."
    assert [symbols[f"pkg.A{number}"].doc for number in (0, 99, 100, 599)] == [
        "Doc 0.",
        "Doc 99.",
        "Doc 100.",
        "Doc 599.",
    ]
    assert "pkg.C.B299" in symbols
    assert symbols["pkg.C"].deprecation is not None


def test_lists_in_lists_are_told_apart_to_a_limit() -> None:
    lists = "\n".join("  " * depth + f"- item {depth}" for depth in range(200))
    assert "item 199" in symbols_of({"pkg.py": f'"""Doc.\n\n{lists}\n"""\n'})["pkg"].doc


def test_texts_below_constants_stay_with_them_wherever_a_long_module_is_cut() -> None:
    lines = "\n".join(f"C{number} = {number}\n'Says {number}.'" for number in range(300))
    found = symbols_of({"box/__init__.py": f"'A box.'\nFIRST = 0\n{lines}\n"})
    assert {found[f"box.C{number}"].doc for number in range(300)} == {f"Says {number}." for number in range(300)}


def test_constants_that_multiply_do_not_explode() -> None:
    code = "A0 = 'x'\n" + "".join(f"A{n} = A{n - 1} + A{n - 1} + A{n - 1}\n" for n in range(1, 12))
    assert len(symbols_of({"pkg.py": f"{code}@Appender(A11)\ndef f(): ...\n"})["pkg.f"].doc) < 10_000


def test_a_text_at_the_border_of_a_block_stays_beside_its_constant() -> None:
    code = "x0 = 0\n" + "".join(f"a{number} = 1\n" for number in range(99)) + "z = 1\n"
    code = code.replace("a98 = 1\n", "a98 = 1\n'The last.'\n") + "".join(f"b{number} = 1\n" for number in range(300))
    assert symbols_of({"pkg.py": code})["pkg.a98"].doc == "The last."


def test_names_that_lead_out_of_the_package_are_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    code = "from gone import a as a\ndef f(x: 'no [ type', y: gone.z = a) -> unknown: ':param int q x: No.'\n"
    assert "pkg.f" in symbols_of({"pkg.py": code})
    assert caplog.records == []
