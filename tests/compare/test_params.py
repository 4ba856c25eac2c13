"""What changed between two lists of parameters."""

import pytest

from refdesk.compare.params import compare_params
from refdesk.domain.symbols import Deprecation, Param

OLD = Deprecation("flag")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(Param("a"), Param("a"), [], id="nothing"),
        pytest.param(None, Param("a"), ["a: added"], id="added"),
        pytest.param(None, Param("a", required=True), ["a: added, required"], id="added and required"),
        pytest.param(Param("a"), None, ["a: removed"], id="removed"),
        pytest.param(Param("a"), Param("a", required=True), ["a: became required"], id="required"),
        pytest.param(Param("a", required=True), Param("a"), ["a: became optional"], id="optional"),
        pytest.param(Param("a", default="1"), Param("a", default="2"), ["a: default 1 → 2"], id="default"),
        pytest.param(Param("a", default="1"), Param("a"), ["a: default 1 → none"], id="default gone"),
        pytest.param(Param("a", "int"), Param("a", "str"), ["a: type int → str"], id="type"),
        pytest.param(Param("a", enum=("X",)), Param("a", enum=("X", "Y")), ["a: new values Y"], id="value came"),
        pytest.param(
            Param("a", enum=("X", "Y")),
            Param("a", enum=("Z", "X")),
            ["a: new values Z; values no longer allowed Y"],
            id="values came and went",
        ),
        pytest.param(Param("a", enum=("X", "Y")), Param("a", enum=("Y", "X")), [], id="order of values"),
        pytest.param(Param("a"), Param("a", enum=("X",)), ["a: type any value → one of X"], id="restricted"),
        pytest.param(Param("a", enum=("X",)), Param("a"), ["a: type one of X → any value"], id="no longer restricted"),
        pytest.param(Param("a"), Param("a", deprecation=OLD), ["a: deprecated"], id="deprecated"),
        pytest.param(Param("a", deprecation=OLD), Param("a", deprecation=OLD), [], id="still deprecated"),
        pytest.param(
            Param("a"),
            Param("a", kind="keyword_only"),
            ["a: was positional or by keyword, is keyword-only"],
            id="passed otherwise",
        ),
        pytest.param(
            Param("a", "int", default="1"),
            Param("a", "str", required=True),
            ["a: became required", "a: default 1 → none", "a: type int → str"],
            id="several at once",
        ),
    ],
)
def test_a_difference_is_said_in_words(old: Param | None, new: Param | None, said: list[str]) -> None:
    changes = compare_params([old] if old else [], [new] if new else [])
    assert [str(change) for change in changes] == said


def test_changes_come_in_the_order_of_the_new_list_and_removed_ones_last() -> None:
    old = [Param("gone"), Param("b", "int"), Param("a", "int")]
    new = [Param("a", "str"), Param("new"), Param("b", "str")]
    assert [change.name for change in compare_params(old, new)] == ["a", "new", "b", "gone"]
