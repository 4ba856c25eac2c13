from inspect import cleandoc

import pytest

from ingest.python.building import function, module, param, symbols_of


def test_an_appended_docstring_is_put_together() -> None:
    symbol = function("""
        _DOC = "Read %(what)s.\\n\\n%(rest)s\\n"
        _KWARGS = {"what": "a file", "rest": "Quickly."}
        @Appender(_DOC % _KWARGS)
        def f(): ...
    """)
    assert symbol.doc == "Read a file.\n\nQuickly."
    assert "docstring" not in symbol.attributes


@pytest.mark.parametrize(
    ("decorators", "doc"),
    [
        pytest.param("@doc(what='a file')", "Read a file.", id="doc with a word"),
        pytest.param("@doc('Second {what}.', what='a file')", "Read a file.\nSecond a file.", id="doc with a text"),
        pytest.param("@doc(template, what='a file')", "Read a file.\nIt is a file, {really}.", id="doc of a function"),
        pytest.param("@doc(NAME, what=NAME)", "Read a name.\na name", id="a constant"),
        pytest.param("@doc(what=TABLE['k'])", "Read kay.", id="a table"),
        pytest.param("@doc(what=TABLE['k'] + ' and ' + NAME)", "Read kay and a name.", id="a sum"),
        pytest.param("@doc(what='{x}'.format(x=NAME))", "Read a name.", id="format"),
        pytest.param("@doc(what='%s!' % NAME)", "Read a name!.", id="percent with a text"),
        pytest.param("@doc(what='%s %s' % (NAME, 'x'))", "Read a name x.", id="percent with a tuple"),
        pytest.param("@doc(what='%(a)s' % {'a': NAME})", "Read a name.", id="percent with a dictionary"),
        pytest.param("@doc(what=dedent('  deep'))", "Read deep.", id="dedent"),
        pytest.param("@doc(what=other.NAME)", "Read .", id="a name of another module"),
    ],
)
def test_literal_cases_are_evaluated(decorators: str, doc: str) -> None:
    symbol = module(f'''
        NAME = "a name"
        TABLE = {{"k": "kay"}}
        def template():
            """It is {{what}}, {{{{really}}}}."""
        {decorators}
        def f():
            """Read {{what}}."""
    ''')["f"]
    assert symbol.doc == doc


def test_texts_are_found_in_other_modules() -> None:
    symbols = symbols_of(
        {
            "pkg/docs.py": """
                _shared = {"size": "size : int\\n    How large."}
                _shared["name"] = "name : str\\n    Which."
            """,
            "pkg/a.py": '''
                from pkg.docs import _shared
                _shared = {**_shared}
                @doc(size=_shared["size"], name=_shared["name"], lost=_shared["lost"])
                def f(size, name, last):
                    """
                    Read.

                    Parameters
                    ----------
                    {size}
                    {name}
                    {lost}
                        Text of what is lost.
                    last : int
                        The last.
                    """
            ''',
            "pkg/b.py": '''
                from pkg.docs import _shared
                _shared["own"] = "own : int\\n    Own."
                @Substitution(own=_shared["own"])
                def g(own):
                    """
                    Read.

                    Parameters
                    ----------
                    %(own)s
                    """
            ''',
        }
    )
    f = symbols["pkg.a.f"]
    assert {one.name: one.doc for one in f.params} == {"size": "How large.", "name": "Which.", "last": "The last."}
    assert f.attributes["docstring"] == "partly assembled at run time"
    assert param(symbols["pkg.b.g"], "own").doc == "Own."


def test_what_cannot_be_known_is_left_out_and_said() -> None:
    symbols = module('''
        @Appender(make_it())
        def missing(): ...
        @doc(klass=_kwargs["klass"])
        def partly():
            """
            Do {klass} things.

            {extended}

            Returns
            -------
            {klass}
                It.
            """
        @Appender("Some " + unknown)
        def gap(): ...
        def braces():
            """Use {name} and %(name)s in formats."""
        def template():
            """
            Indexes for%(axes)s labels.

            %(more)s
            """
    ''')
    assert (symbols["missing"].doc, symbols["missing"].attributes["docstring"]) == ("", "assembled at run time")
    assert symbols["partly"].doc == "Do  things."
    assert symbols["partly"].attributes["docstring"] == "partly assembled at run time"
    assert symbols["gap"].doc == "Some …"
    assert symbols["braces"].doc == "Use {name} and %(name)s in formats."
    assert symbols["template"].doc == "Indexes for labels."


def test_positional_substitution_and_bare_decorators() -> None:
    symbols = module('''
        _DOC = """Merge %s here.%s"""
        @Substitution("", "x")
        @Appender(_DOC, indents=2)
        def f(): ...
        @Appender()
        def g():
            "Stays."
        TABLE["a"], TABLE[b], c.d["e"] = 1, 2, 3
        TABLE[b] = "x"
        @inherit_doc(Base)
        @interpd(x)
        @doc(-1, 2 ** 3, compute(), {}["x"], x=NOWHERE["y"])
        def h():
            "Stays too."
        @doc
        def i():
            "As it is {x}."
    ''')
    assert symbols["f"].doc == "Merge  here.x"
    assert [symbols[name].doc for name in "ghi"] == ["Stays.", "Stays too.", "As it is {x}."]


def test_classes_are_put_together_too_and_cycles_end() -> None:
    symbols = module('''
        A_TEXT = B_TEXT + "a"
        B_TEXT = A_TEXT + "b"
        TABLE = {**TABLE}
        @doc(x="it")
        class C:
            """Holds {x}."""
        @doc(D)
        class D:
            """Itself."""
        @doc(A_TEXT, TABLE["x"])
        def f():
            """F."""
    ''')
    assert symbols["C"].doc == "Holds it."
    assert symbols["D"].doc.startswith("Itself.")
    assert symbols["f"].doc.startswith("F.")


def test_names_that_lead_nowhere_are_missing_parts() -> None:
    symbol = module("""
        from elsewhere import FOREIGN
        from pkg import loop as loop
        TABLE = {**FOREIGN, **{"x": "y"}}
        @plain
        @functools.wraps(x)
        @Appender(FOREIGN + NOWHERE + TABLE["k"] + loop)
        def f(): "Do."
    """)["f"]
    assert (symbol.doc, "docstring" in symbol.attributes) == ("Do.", False)


def test_a_table_that_is_rebuilt_from_itself_keeps_what_it_adds() -> None:
    symbols = module('''
        _shared = {"size": "size"}
        _shared = {**_shared, "name": "a name"}
        @doc(size=_shared["size"], name=_shared["name"])
        def f():
            """Read {name}{size}."""
    ''')
    assert symbols["f"].doc == "Read a name."
    assert symbols["f"].attributes["docstring"] == "partly assembled at run time"


def test_a_text_that_modules_only_import_from_each_other_is_a_missing_part() -> None:
    symbols = symbols_of(
        {
            "pkg/a.py": "from pkg.b import TEXT\n@doc(what=TEXT)\ndef f(): 'Read it{what}.'\n",
            "pkg/b.py": "from pkg.a import TEXT\n",
        }
    )
    assert symbols["pkg.a.f"].doc == "Read it."
    assert symbols["pkg.a.f"].attributes["docstring"] == "partly assembled at run time"


def test_missing_parts_in_quotes_and_returns_leave_no_marks() -> None:
    symbol = function(
        cleandoc('''
        @doc(x=unknown)
        def f(a):
            """
            Do.

            .. note::
               {x}

               Text.

            Parameters
            ----------
            a : int
                Text.

                {x}

            Returns
            -------
            int
                {x}
            """
        ''')
    )
    assert "missing" not in repr((symbol.doc, symbol.params, symbol.returns))
