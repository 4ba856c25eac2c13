from inspect import cleandoc

import pytest

from ingest.python.building import function, module, param
from refdesk.domain.symbols import Deprecation, Example
from refdesk.ingest.python.docstrings import parse_docstring, stated_default, type_text
from refdesk.ingest.python.fields import read_fields

GOOGLE = '''
    def f(size, name=None, **kwargs):
        """Make a box.

        It is a *wooden* box, see `Box`.

        Note:
            Wood burns.

        Usage:
            box = f(1)

        Args:
            size (int): How large.
                More words.
            name: What it is called. Defaults to "box".
            colour (str): Only in the docstring. Default is "red".

        Returns:
            Box: The box, if
                there is wood.

        Raises:
            ValueError: No wood.

        Examples:
            Small ones:

            >>> f(1)
            Box(1)

        Example:
            f(2)
        """
'''

NUMPY = '''
    def f(size, name=None, *, kind="a", a=1, b=2):
        """
        Make a box.

        Parameters
        ----------
        size : int
            How large.
        name : str, optional
            What it is called.
        kind : {'a', 'b'}, default 'a'
            Which kind.
        a, b : float
            Sides.

        Returns
        -------
        box : Box
            The box.
        rest : list
            What is left.

        Raises
        ------
        ValueError
            No wood.

        Warns
        -----
        UserWarning
            Old wood.

        See Also
        --------
        Box : The class.
            And more of it.
        :func:`g` : Another.
        other, third

        Notes
        -----
        Boxes are ``square``.

        Examples
        --------
        Small ones:

        >>> f(1)

        >>> f(2)
        """
'''

SPHINX = '''
    def f(size, name=None, **kwargs):
        """Make a box.

        :param size: How large.
        :type size: int
        :param str or None name: What it is called.
        :keyword ~pkg.Wood wood: Which wood. The default value is Oak.

            .. versionadded:: 12.4.0

        :keyword int timeout:
            Seconds. Defaults to 30 seconds.
        :paramtype extra: :class:`~pkg.Extra`
        :return: The box.
        :rtype: ~pkg.Box or None
        :raises ~pkg.NoWood, ValueError: No wood.

        .. admonition:: Example:

            .. literalinclude:: ../x.py
        """
'''


def test_google_sections_are_taken_apart() -> None:
    symbol = function(GOOGLE)
    assert symbol.summary == "Make a box."
    assert symbol.doc == cleandoc("""
        Make a box.

        It is a *wooden* box, see `Box`.

        > **Note:** Wood burns.

        **Usage:**

        ```python
        box = f(1)
        ```
    """)
    assert (param(symbol, "size").type, param(symbol, "size").doc) == ("int", "How large.\nMore words.")
    assert param(symbol, "name").default == "None"
    hidden = param(symbol, "colour")
    assert (hidden.kind, hidden.default, hidden.required, hidden.type) == ("keyword_only", '"red"', False, "str")
    assert symbol.returns is not None
    assert (symbol.returns.type, symbol.returns.doc) == ("Box", "The box, if\nthere is wood.")
    assert [(one.name, one.doc) for one in symbol.errors] == [("ValueError", "No wood.")]
    assert symbol.examples == (
        Example(">>> f(1)\nBox(1)", "pycon", doc="Small ones:"),
        Example("f(2)", "python"),
    )


def test_numpy_sections_are_taken_apart() -> None:
    symbol = function(NUMPY)
    assert symbol.doc == cleandoc("""
        Make a box.

        **Warns:**

        - `UserWarning`: Old wood.

        **See Also:**

        - `Box`: The class.
          And more of it.
        - `g`: Another.
        - `other, third`

        **Notes:**

        Boxes are `square`.
    """)
    assert (param(symbol, "name").type, param(symbol, "name").doc) == ("str", "What it is called.")
    assert (param(symbol, "kind").type, param(symbol, "kind").enum) == ("{'a', 'b'}", ("a", "b"))
    assert [param(symbol, name).doc for name in "ab"] == ["Sides.", "Sides."]
    assert symbol.returns is not None
    assert symbol.returns.doc == "- `box` (Box): The box.\n- `rest` (list): What is left."
    assert [one.name for one in symbol.errors] == ["ValueError"]
    assert [one.code for one in symbol.examples] == [">>> f(1)", ">>> f(2)"]


def test_sphinx_fields_are_taken_apart() -> None:
    symbol = function(SPHINX)
    assert symbol.doc == "Make a box."
    assert [(one.name, one.type, one.kind, one.default, one.since) for one in symbol.params] == [
        ("size", "int", "", None, ""),
        ("name", "str or None", "", "None", ""),
        ("wood", "pkg.Wood", "keyword_only", "Oak", "12.4.0"),
        ("timeout", "int", "keyword_only", "30", ""),
        ("extra", "pkg.Extra", "keyword_only", None, ""),
        ("kwargs", "", "var_keyword", None, ""),
    ]
    assert symbol.signature == "def f(size, name=None, **kwargs)"
    assert symbol.returns is not None
    assert (symbol.returns.type, symbol.returns.doc) == ("pkg.Box or None", "The box.")
    assert [one.name for one in symbol.errors] == ["pkg.NoWood", "ValueError"]


def test_a_documented_name_is_no_parameter_where_the_code_does_not_take_it() -> None:
    assert [one.name for one in function('def f(a):\n    """F.\n\n    :param b: No.\n    """').params] == ["a"]


def test_a_bold_list_of_parameters_is_read() -> None:
    doc = parse_docstring(
        cleandoc("""
        Send it.

        **Parameters:**

        * **url** - Where to
        send it.
        * **size** - *(optional)* How much.

          Second paragraph. Default: `10`.

        Usage stays.
        """)
    )
    assert doc.text == "Send it.\n\nUsage stays."
    assert {name: one.doc for name, one in doc.params.items()} == {
        "url": "Where to\nsend it.",
        "size": "How much.\n\nSecond paragraph. Default: `10`.",
    }
    assert parse_docstring("**Parameters**: See `f`.").text == "**Parameters**: See `f`."


def test_google_and_sphinx_can_be_mixed() -> None:
    doc = parse_docstring("Do.\n\nArgs:\n    a: One.\n\nReturns:\n    int: Two.\n\n:param b: Three.\n")
    assert {name: one.doc for name, one in doc.params.items()} == {"a": "One.", "b": "Three."}
    assert doc.returns == ("int", "Two.")


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("The default is False.", "False"),
        ("Default value is None.", "None"),
        ("defaults to 30 seconds", "30"),
        ("Defaults to 4*1024*1024, or 4MB", "4*1024*1024"),
        ("Defaults to 4*1024*1024+1.", "4*1024*1024+1"),
        ("The default value is BlockBlob.", "BlockBlob"),
        ("Defaults to ``False``.", "False"),
        ("Default: 'x'", "'x'"),
        ("(default: -1.5)", "-1.5"),
        ('The default is set to "a b".', '"a b"'),
        ("By default, UTF-8. Defaults to UTF-8.", "UTF-8"),
        ("default is the account's", ""),
        ("The default is to wait.", ""),
        ("There is no default.", ""),
        ("Defaults to `timedelta(seconds=3)`.", "timedelta(seconds=3)"),
        ("defaults to os.environ", ""),
        ("", ""),
    ],
)
def test_a_default_is_read_from_prose_only_if_it_is_a_value(text: str, default: str) -> None:
    assert stated_default(text) == default


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":class:`~a.b.C` or ~a.D", "a.b.C or a.D"),
        ("``int``\n   or `str`", "int or str"),
        (":class:`name <a.b.C>`", "name"),
        ("dict(str, str)", "dict(str, str)"),
    ],
)
def test_types_lose_the_marks_of_sphinx(text: str, expected: str) -> None:
    assert type_text(text) == expected


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("Do.\n\n.. versionadded:: 1.2", "1.2"),
        ("Do.\n\n.. versionadded:: 1.2\n    This was introduced in API version '2020-10-02'.", "1.2"),
        ("Do.\n\n.. versionadded:: 1.2 Support for sets.", ""),
        ("Do.\n\n.. versionadded:: 1.2\n   The *x* argument.", ""),
        ("Do.\n\nNew in version 1.4.", "1.4"),
        ("Do.\n\n*Added in v2.0.1*", "2.0.1"),
        ("Do.\n\nNew in version 1.4: sets too.", ""),
        ("Do, as 1.2 did.", ""),
        ("Do.\n\nArgs:\n    x: X.\n\n        .. versionadded:: 9", ""),
        ("Do.\n\nArgs:\n    x: X.\n\n.. versionadded:: 3.1\n", "3.1"),
    ],
)
def test_since_is_only_what_is_said_of_the_whole_thing(text: str, since: str) -> None:
    assert parse_docstring(text).since == since


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Do.\n\n.. deprecated:: 1.2\n   Use :func:`g` instead.",
                     Deprecation("directive", "1.2", "g", "Use `g` instead."), id="directive"),
        pytest.param("Do.\n\n.. deprecated:: 1.2", Deprecation("directive", "1.2"), id="directive alone"),
        pytest.param("Do.\n\n.. deprecated:: 1.2\n   The *x* argument.", None, id="about an argument"),
        pytest.param("Do.\n\n.. deprecated:: 1.2\n   *x* is deprecated in favor of *y*.", None, id="about a name"),
        pytest.param("Do.\n\n.. deprecated:: 1.2 *x*", None, id="a name alone"),
        pytest.param("Do.\n\n.. deprecated:: 1.2\n   Returning a tuple is deprecated.", None, id="about a use"),
        pytest.param("(Deprecated) Do.", Deprecation("prose", note="(Deprecated) Do."), id="prose"),
        pytest.param("Do.\n\nDeprecated\n----------\nUse `g` instead.",
                     Deprecation("directive", "", "g", "Use `g` instead."), id="numpy section"),
        pytest.param("Do.\n\n- x\n\n  .. deprecated:: 1\n", None, id="inside a list"),
        pytest.param("Do not use deprecated things.", None, id="only mentions the word"),
    ],
)  # fmt: skip
def test_deprecation_of_the_whole_thing(text: str, expected: Deprecation | None) -> None:
    assert parse_docstring(text).deprecation == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(".. deprecated:: 2.0\n            Use `y`.",
                     Deprecation("directive", "2.0", "y", "Use `y`."), id="directive"),
        pytest.param(".. deprecated:: 2.0\n            The default will change.", None, id="its default"),
        pytest.param(".. deprecated:: 2.0\n            Passing None is deprecated.", None, id="a value"),
        pytest.param("Deprecated: use `y` instead.",
                     Deprecation("prose", "", "y", "Deprecated: use `y` instead."), id="prose"),
    ],
)  # fmt: skip
def test_deprecation_of_a_parameter(text: str, expected: Deprecation | None) -> None:
    assert parse_docstring(f"Do.\n\nArgs:\n    x:\n        {text}\n").params["x"].deprecation == expected


def test_a_docstring_is_inherited_from_a_base_in_the_package() -> None:
    symbols = module("""
        class Base:
            def go(self): "Go on."
            def stop(self): ...
        class Sub(Base):
            def go(self): ...
            def stop(self): ...
    """)
    assert symbols["Sub.go"].doc == "Go on."
    assert symbols["Sub.go"].attributes["docstring"] == "inherited from pkg.Base"
    assert symbols["Sub.stop"].doc == ""


def test_a_field_ends_where_the_source_does() -> None:
    fields = read_fields(
        cleandoc("""
        First.

        :param a: One:
         two.
        :param b: Three
        four.

        After.
        :unknown: stays
        :param:
        :ivar str c: Five.
        :vartype d: int
        :ivar d: Six.
        :returns: Seven.
        :return: Not this.
        """)
    )
    assert fields.prose == "First.\n\nAfter.\n:unknown: stays"
    assert {name: one.text for name, one in fields.params.items()} == {"a": "One:\ntwo.", "b": "Three\nfour."}
    assert {name: (one.type, one.text) for name, one in fields.attributes.items()} == {
        "c": ("str", "Five."),
        "d": ("int", "Six."),
    }
    assert fields.returns == "Seven."


def test_yields_and_functions_sections_are_not_lost() -> None:
    doc = parse_docstring(
        "Do.\n\nYields:\n    int: Numbers.\n\nFunctions:\n    f: Does f.\n\nAttributes:\n    a: An a.\n"
    )
    assert doc.returns == ("int", "Numbers.")
    assert doc.text == "Do.\n\n**Functions:**\n\n- `f`: Does f."
    assert doc.attributes["a"].doc == "An a."


def test_examples_in_prose_keep_their_code() -> None:
    sections = parse_docstring(
        cleandoc("""
        Do.

        Examples
        --------
        In a file::

            a = f()

        and then

        .. code-block:: sh

           run it

        or not.
        """)
    )
    assert [(one.code, one.language, one.doc) for one in sections.examples] == [
        ("a = f()", "python", "In a file:"),
        ("run it", "sh", "and then"),
    ]


def test_a_default_inside_a_type_is_a_default() -> None:
    symbol = function('def f(**kw):\n    """F.\n\n    Args:\n        x (int, default 3): X.\n    """')
    assert (param(symbol, "x").type, param(symbol, "x").default) == ("int", "3")


def test_a_directive_below_the_text_deprecates_the_parameter_that_it_names() -> None:
    doc = parse_docstring(
        cleandoc("""
        Do.

        Args:
            hash (bool): Old.

        .. deprecated:: 24.1.0 *hash* is deprecated in favor of *unsafe_hash*.
        .. deprecated:: 1.0 ``f()`` is deprecated, use ``g``.
        """),
        "pkg.f",
    )
    assert doc.params["hash"].deprecation == Deprecation(
        "directive", "24.1.0", "unsafe_hash", "*hash* is deprecated in favor of *unsafe_hash*."
    )
    assert doc.deprecation == Deprecation("directive", "1.0", "g", "`f()` is deprecated, use `g`.")


def test_an_empty_block_of_code_is_no_example() -> None:
    assert parse_docstring("Do.\n\nExamples:\n    ```\n    ```\n").examples == ()
