import pytest

from ingest.python.building import function, module, param, symbols_of
from refdesk.domain.symbols import Deprecation


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        pytest.param('@deprecated("Use `g` instead.")',
                     Deprecation("decorator", "", "g", "Use `g` instead."), id="PEP 702"),
        pytest.param('@warnings.deprecated("Gone " "soon.", category=None)',
                     Deprecation("decorator", note="Gone soon."), id="joined"),
        pytest.param("@deprecated", Deprecation("decorator"), id="bare"),
        pytest.param('@deprecated(version="1.2", reason="Use g instead.")',
                     Deprecation("decorator", "1.2", "g", "Use g instead."), id="version and reason"),
        pytest.param('@util.deprecated("1.4", "Old.")', Deprecation("decorator", "1.4", note="Old."), id="SQLAlchemy"),
        pytest.param('@deprecated_20("", alternative="g()")',
                     Deprecation("decorator", replacement="g()"), id="alternative"),
        pytest.param('@_api.deprecated("v3.6", alternative="g")', Deprecation("decorator", "3.6", "g"), id="with a v"),
        pytest.param('@deprecation.deprecated(deprecated_in="1.0", details="Use g instead")',
                     Deprecation("decorator", "1.0", "g", "Use g instead"), id="details"),
        pytest.param("@deprecated_names(x)", None, id="another decorator"),
        pytest.param("@functools.cache", None, id="none"),
    ],
)  # fmt: skip
def test_decorators_deprecate(decorator: str, expected: Deprecation | None) -> None:
    assert function(f"{decorator}\ndef f(): ...").deprecation == expected
    assert module(f"{decorator}\nclass A: ...")["A"].deprecation == expected


def test_a_property_and_a_method_can_be_deprecated() -> None:
    symbols = module("""
        class A:
            @property
            @deprecated("Use b instead.")
            def a(self): ...
            @deprecated("Use c instead.")
            def m(self): ...
    """)
    assert [symbols[f"A.{name}"].deprecation for name in ("a", "m")] == [
        Deprecation("decorator", "", "b", "Use b instead."),
        Deprecation("decorator", "", "c", "Use c instead."),
    ]


WARN = 'warnings.warn("f is deprecated, use g instead.", DeprecationWarning, stacklevel=2)'
BY_WARNING = Deprecation("warning", "", "g", "f is deprecated, use g instead.")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(WARN, BY_WARNING, id="unconditional"),
        pytest.param(f"'Doc.'\n    x = 1\n    {WARN}\n    return x", BY_WARNING, id="after other statements"),
        pytest.param(f"with lock:\n        {WARN}", BY_WARNING, id="inside with"),
        pytest.param("with lock:\n        pass", None, id="with nothing"),
        pytest.param(f"if x:\n        {WARN}", None, id="a condition"),
        pytest.param(f"return 1\n    {WARN}", None, id="after return"),
        pytest.param(f"raise E\n    {WARN}", None, id="after raise"),
        pytest.param('warn("f is deprecated, use g instead.", category=FutureWarning)', BY_WARNING, id="FutureWarning"),
        pytest.param('warnings.warn(RemovedInNextWarning("f is deprecated, use g instead."))',
                     BY_WARNING, id="own class"),
        pytest.param('util.warn_deprecated("f is deprecated, use g instead.")', BY_WARNING, id="own function"),
        pytest.param("warn_deprecated(x)", None, id="own function without text"),
        pytest.param('warnings.warn("Careful.", UserWarning)', None, id="another warning"),
        pytest.param('warnings.warn("Careful.")', None, id="no category"),
        pytest.param('log.info("f is deprecated")', None, id="logging"),
        pytest.param('warnings.warn(f"{name} is deprecated, use g instead.", DeprecationWarning)',
                     Deprecation("warning", "", "g", "… is deprecated, use g instead."), id="a gap"),
        pytest.param('warnings.warn("%s is old" % name, PendingDeprecationWarning)',
                     Deprecation("warning", note="… is old"), id="percent"),
        pytest.param('warnings.warn("{} is old".format(name), DeprecationWarning)',
                     Deprecation("warning", note="… is old"), id="format"),
        pytest.param('warnings.warn("f is old" + more, DeprecationWarning)',
                     Deprecation("warning", note="f is old…"), id="plus"),
        pytest.param("warnings.warn(message * 2, DeprecationWarning)", Deprecation("warning"), id="not literal"),
        pytest.param("warnings.warn(1 + 2, DeprecationWarning)", Deprecation("warning"), id="no text"),
    ],
)  # fmt: skip
def test_only_a_warning_that_every_call_raises_deprecates(body: str, expected: Deprecation | None) -> None:
    assert function(f"def f(x=None):\n    {body}").deprecation == expected


def test_the_strongest_evidence_counts_and_is_completed_by_the_others() -> None:
    found = function(f'''
        @deprecated
        def f():
            """Do.

            .. deprecated:: 1.5
               Use h.
            """
            {WARN}
    ''').deprecation
    assert found == Deprecation("decorator", "1.5", "g", "f is deprecated, use g instead.")


def test_a_class_whose_construction_warns_is_deprecated_and_its_children_are_not() -> None:
    symbols = module(f"class A:\n    def __init__(self):\n        {WARN}\nclass B(A): ...\n")
    assert symbols["A"].deprecation == BY_WARNING
    assert symbols["B"].deprecation is None


def test_a_module_that_warns_is_deprecated() -> None:
    assert symbols_of({"pkg.py": f'"""Old."""\nimport warnings\n{WARN}\n'})["pkg"].deprecation == BY_WARNING


@pytest.mark.parametrize(
    ("test", "warning", "deprecated"),
    [
        pytest.param("x is not None", "'x is deprecated', DeprecationWarning", True, id="is not None"),
        pytest.param("x is not _unset", "'the x keyword goes', FutureWarning", True, id="is not a sentinel"),
        pytest.param("'x' in kw", "'x is deprecated', DeprecationWarning", True, id="in kwargs"),
        pytest.param("'x' in other", "'x is deprecated', DeprecationWarning", False, id="in something else"),
        pytest.param("x == 'a'", "'x=a is deprecated', DeprecationWarning", False, id="one value"),
        pytest.param("3 in kw", "'x is deprecated', DeprecationWarning", False, id="a number in kwargs"),
        pytest.param("x", "'x is deprecated', DeprecationWarning", False, id="truth of the value"),
        pytest.param("x is not None", "'y is deprecated', DeprecationWarning", False, id="names another"),
        pytest.param("x is not None", "'x is odd', UserWarning", False, id="another warning"),
    ],
)
def test_passing_a_parameter_can_be_deprecated(test: str, warning: str, deprecated: bool) -> None:
    symbol = function(f"def f(x=None, **kw):\n    ':keyword x: X.'\n    if {test}: warnings.warn({warning})")
    assert (param(symbol, "x").deprecation is not None) is deprecated
    assert symbol.deprecation is None


def test_decorators_can_deprecate_parameters() -> None:
    symbol = function("""
        @deprecate_kwarg("a", "b")
        @deprecate_kwarg(old_arg_name="c", new_arg_name=None)
        @deprecated_params(d=("1.4", "Use b instead."), e=3)
        def f(a, b, c, d, e): ...
    """)
    assert {one.name: one.deprecation for one in symbol.params} == {
        "a": Deprecation("decorator", replacement="b"),
        "b": None,
        "c": Deprecation("decorator"),
        "d": Deprecation("decorator", "1.4", "b", "Use b instead."),
        "e": None,
    }


def test_a_section_of_a_module_speaks_of_what_the_module_holds() -> None:
    opening = "Gates.\n\n.. deprecated:: 2.0\n   Use doors.\n\nSizes\n-----\n\nText."
    section = "=====\nGates\n=====\n\nAll.\n\nSizes\n-----\n\n.. deprecated:: 1.4\n   The flag for sizes is deprecated."
    symbols = symbols_of(
        {
            "pkg/__init__.py": "",
            "pkg/old.py": f'"""{opening}"""',
            "pkg/new.py": f'"""{section}"""',
            "pkg/no.py": "a = 1",
        }
    )
    assert (found := symbols["pkg.old"].deprecation) is not None
    assert (found.since, found.evidence) == ("2.0", "directive")
    assert symbols["pkg.new"].deprecation is None
    assert symbols["pkg.no"].doc == ""


def test_old_names_of_a_module_become_symbols() -> None:
    symbols = symbols_of(
        {
            "pkg.py": """
                import warnings
                _OLD = {"gamma": "Use new instead.", "delta": 2, 3: 4, **more}
                _ODD: tuple = ("zeta",)
                def new(): ...
                def __getattr__(name):
                    if name == "alpha":
                        warnings.warn("alpha is deprecated, use new instead.", DeprecationWarning)
                        return new
                    elif name in ("beta", OTHER):
                        warnings.warn(f"{name} is deprecated.", DeprecationWarning)
                        return new
                    if name in _OLD:
                        raise AttributeError(f"{name} was removed in 2.0. {_OLD[name]}")
                    if name in _ODD:
                        raise AttributeError(name)
                    if name == 3 or name in UNKNOWN:
                        raise AttributeError("no")
                    if name in OTHER:
                        raise AttributeError("no")
                    if name != "eta":
                        raise AttributeError("no")
                    raise AttributeError(name)
            """
        }
    )
    assert symbols["pkg"].open
    assert symbols["pkg.alpha"].deprecation == Deprecation(
        "warning", "", "new", "alpha is deprecated, use new instead."
    )
    assert symbols["pkg.beta"].deprecation == Deprecation("warning", "", "pkg.new", "beta is deprecated.")
    assert symbols["pkg.gamma"].attributes == {"removed": True}
    gamma = symbols["pkg.gamma"].deprecation
    assert gamma is not None
    assert (gamma.note, gamma.replacement) == ("gamma was removed in 2.0. Use new instead.", "new")
    assert set(symbols) == {"pkg", "pkg.new", "pkg.alpha", "pkg.beta", "pkg.gamma", "pkg.delta"}
    assert "pkg.alpha" in symbols["pkg"].members


def test_azure_says_since_when_a_method_and_its_parameters_exist() -> None:
    symbol = module("""
        class Ops:
            @api_version_validation(
                method_added_on="2025-04-01",
                params_added_on={"2025-06-01": ["tags"], "2025-07-01": "etag"},
                api_versions_list=["2025-04-01", "2025-06-01"],
            )
            def create(self, name, tags=None, etag=None): "Create."
    """)["Ops.create"]
    assert symbol.since == "2025-04-01"
    assert {one.name: one.since for one in symbol.params} == {"name": "", "tags": "2025-06-01", "etag": "2025-07-01"}
    assert symbol.attributes["api_versions"] == ["2025-04-01", "2025-06-01"]
