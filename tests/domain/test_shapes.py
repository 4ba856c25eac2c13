"""The graph of shapes: rows, limits, cycles, paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.shapes import FindShape, Member, Shape, ShapeType, descend, expand, members_of, type_text
from refdesk.domain.symbols import Deprecation, Param

OLD = Deprecation("flag", since="2024-01-01")


def scalar(name: str, label: str = "string", **more: object) -> Shape:
    return Shape(name, "scalar", label, **more)  # type: ignore[arg-type]  # keyword values of the table below


GRAPH = {
    shape.name: shape
    for shape in [
        Shape(
            "DeleteRequest",
            "structure",
            "DeleteRequest",
            members=(
                Member("Bucket", "Name", doc="Which bucket.", required=True, kind="path"),
                Member("Delete", "Delete"),
                Member("Tags", "TagMap"),
                Member("Mode", "Mode", default="FAST"),
                Member("Modes", "Modes"),
                Member("Old", "OldName"),
                Member("Lost", "Nowhere"),
            ),
        ),
        Shape(
            "Delete",
            "structure",
            "Delete",
            members=(Member("Objects", "ObjectList", required=True), Member("Quiet", "Flag")),
        ),
        Shape("ObjectList", "list", "ObjectList", doc="At most 1000.", element="ObjectId", limits={"max": 1000}),
        Shape(
            "ObjectId",
            "structure",
            "ObjectIdentifier",
            members=(Member("Key", "Name"), Member("key2", "Name"), Member("Within", "Delete")),
        ),
        Shape("TagMap", "map", "TagMap", element="Tag"),
        Shape("Tag", "structure", "Tag", members=(Member("Value", "Name"),)),
        scalar("Name", doc="A name.", limits={"min": 3}),
        scalar("Flag", "boolean"),
        scalar("Mode", enum=("FAST", "SAFE")),
        Shape("Modes", "list", "Modes", element="Mode"),
        scalar("OldName", deprecation=OLD),
        Shape("Loop", "list", "Loop", element="Loop"),
        Shape("Empty", "list", "Empty"),
    ]
}
TOP = members_of(GRAPH["DeleteRequest"], GRAPH.get)


def test_members_become_parameters_in_the_order_of_the_source() -> None:
    rows = {row.name: row for row in TOP}
    assert list(rows) == ["Bucket", "Delete", "Tags", "Mode", "Modes", "Old", "Lost"]
    assert rows["Bucket"] == Param(
        "Bucket", "string", required=True, limits={"min": 3}, doc="Which bucket.", kind="path"
    )
    assert rows["Delete"] == Param("Delete", "Delete", shape="Delete")
    assert rows["Mode"] == Param("Mode", "string", default="FAST", enum=("FAST", "SAFE"))
    assert rows["Modes"] == Param("Modes", "list of string", enum=("FAST", "SAFE"), shape="Modes")
    assert rows["Old"].deprecation == OLD
    assert rows["Lost"] == Param("Lost", "Nowhere")


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ("Name", "string"),
        ("Delete", "Delete"),
        ("ObjectList", "list of ObjectIdentifier"),
        ("TagMap", "map of string to Tag"),
        ("Nowhere", "Nowhere"),
        ("Loop", "list of Loop"),
        ("Empty", "list of "),
    ],
)
def test_types_read_as_one_would_say_them(shape: str, text: str) -> None:
    assert type_text(shape, GRAPH.get) == text


def test_expanding_lists_the_top_level_first_then_level_by_level() -> None:
    expansion = expand(TOP, GRAPH.get)
    assert not expansion.cut
    assert [row.name for row in expansion.rows][len(TOP) :] == [
        "Delete.Objects",
        "Delete.Quiet",
        "Tags{}.Value",
        "Delete.Objects[].Key",
        "Delete.Objects[].key2",
        "Delete.Objects[].Within",
    ]


@pytest.mark.parametrize("limit", [0, 1, 6, 7])
def test_the_top_level_is_never_cut(limit: int) -> None:
    expansion = expand(TOP, GRAPH.get, limit)
    assert expansion.rows == TOP
    assert expansion.cut


@pytest.mark.parametrize("limit", range(8, 13))
def test_deeper_rows_fill_up_to_the_limit(limit: int) -> None:
    whole = expand(TOP, GRAPH.get)
    expansion = expand(TOP, GRAPH.get, limit)
    assert expansion.rows == whole.rows[:limit]
    assert expansion.cut


def test_a_limit_that_is_just_enough_cuts_nothing() -> None:
    whole = expand(TOP, GRAPH.get)
    assert expand(TOP, GRAPH.get, len(whole.rows)) == whole


def test_parameters_without_structure_expand_to_themselves() -> None:
    plain = (Param("a"), Param("b", shape="Loop"), Param("c", shape="Empty"), Param("d", shape="Nowhere"))
    assert expand(plain, GRAPH.get).rows == plain


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("Bucket", "Bucket"),
        ("bucket", "Bucket"),
        ("Delete.Objects[].Key", "Delete.Objects[].Key"),
        ("Delete.Objects.Key", "Delete.Objects[].Key"),
        ("delete.objects.KEY2", "Delete.Objects[].key2"),
        ("Tags{}.Value", "Tags{}.Value"),
        ("Tags.Value", "Tags{}.Value"),
        ("Delete.Objects[].Within.Objects[].Key", "Delete.Objects[].Within.Objects[].Key"),
        ("Delete.Nothing", None),
        ("Nothing", None),
        ("Bucket.Deeper", None),
        ("", None),
        (".", None),
        ('"', None),
        ("a=b", None),
        ("\x00", None),
        ("x" * 10_000, None),
    ],
)
def test_a_path_leads_to_its_parameter(path: str, found: str | None) -> None:
    param = descend(TOP, path, GRAPH.get)
    assert (param.name if param else None) == found


def test_the_exact_case_wins_over_another() -> None:
    top = (Param("key", doc="lower"), Param("Key", doc="upper"))
    found = descend(top, "Key", GRAPH.get)
    assert found is not None
    assert found.doc == "upper"


SHAPE_NAMES = st.sampled_from("ABCDEF")


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Shape]:
    """Any graph of six shapes, with cycles, lists of lists and links to nowhere."""
    shapes: dict[str, Shape] = {}
    for name in "ABCDE":  # F is missing
        kind: ShapeType = draw(st.sampled_from(["structure", "list", "map", "scalar"]))
        members = draw(st.lists(SHAPE_NAMES, max_size=4)) if kind == "structure" else []
        element = draw(SHAPE_NAMES) if kind in ("list", "map") else ""
        shapes[name] = Shape(
            name, kind, name, members=tuple(Member(f"m{n}", to) for n, to in enumerate(members)), element=element
        )
    return shapes


def _top(find: FindShape) -> tuple[Param, ...]:
    return members_of(Shape("top", "structure", "top", members=tuple(Member(f"p{n}", n) for n in "ABCDEF")), find)


@given(graphs(), st.integers(0, 300))
def test_any_graph_expands_to_at_most_the_limit(graph: dict[str, Shape], limit: int) -> None:
    top = _top(graph.get)
    expansion = expand(top, graph.get, limit)
    assert expansion.rows[: len(top)] == top
    assert len(expansion.rows) <= max(limit, len(top))
    assert len({row.name for row in expansion.rows}) == len(expansion.rows)


@given(graphs(), st.integers(0, 60))
def test_every_row_that_is_listed_can_be_asked_for(graph: dict[str, Shape], limit: int) -> None:
    top = _top(graph.get)
    for row in expand(top, graph.get, limit).rows:
        assert descend(top, row.name, graph.get) == row
        assert descend(top, row.name.replace("[]", "").replace("{}", "").upper(), graph.get) == row


@given(graphs(), SHAPE_NAMES)
def test_the_type_of_any_shape_can_be_said(graph: dict[str, Shape], name: str) -> None:
    assert type_text(name, graph.get)
