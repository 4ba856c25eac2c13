"""Decorators that are written as calls behind a definition."""

import pytest

from ingest.python.building import module


def test_a_class_that_is_handed_through_calls_stays_a_class() -> None:
    symbols = module("""
        class Field:
            "One field."
            name: str
            def evolve(self, **changes): "A changed copy."
        Field = _add_hash(_add_eq(Field, attrs=[1]), attrs=[2])
    """)
    assert (symbols["Field"].kind, symbols["Field"].summary) == ("class", "One field.")
    assert {"Field.name", "Field.evolve"} <= set(symbols)


def test_a_call_with_nothing_else_is_read_as_a_decorator() -> None:
    symbols = module("""
        from warnings import deprecated
        def old(a, b=1): "Do."
        old = deprecated("Use new.")(old)
        class Box:
            def make(kind): "Make one."
            make = staticmethod(make)
            def size(self) -> int: "How large."
            size = property(size)
    """)
    assert symbols["old"].signature == "def old(a, b=1)"
    assert (found := symbols["old"].deprecation) is not None
    assert (found.evidence, found.replacement) == ("decorator", "new")
    assert [one.name for one in symbols["Box.make"].params] == ["kind"]
    assert symbols["Box.size"].kind == "property"


@pytest.mark.parametrize(
    ("binding", "kind"),
    [
        ("f = make(1)", "attribute"),
        ("f = g = wrap(f)", "attribute"),
        ("f = 1", "attribute"),
        ("f.a = wrap(f)", "function"),
        ("other = wrap(f)", "function"),
    ],
)
def test_other_bindings_are_left_as_they_are(binding: str, kind: str) -> None:
    symbols = module(f"def f(a): ...\n{binding}\nlast = 1\n")
    assert symbols["f"].kind == kind
    assert "last" in symbols
    assert ("other" in symbols) == binding.startswith("other")
