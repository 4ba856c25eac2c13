"""Whether an API or parameter exists in a version, and what proves it."""

import pytest

from fakes.index import Index, entries, parcel, sample, symbol
from refdesk.domain.errors import Ambiguous, LibraryNotIndexed, NotFound, VersionNotIndexed
from refdesk.domain.symbols import Deprecation, Param
from refdesk.services.availability import Availability


def check(name: str, library: str = "", version: str = "", index: Index | None = None) -> Availability:
    return (index or sample()).availability.check(name, library, version)


@pytest.mark.parametrize(
    ("name", "library", "version", "status", "subject"),
    [
        ("keep_parcel", "aws:depot", "1.34.0", "available", "KeepParcel"),
        ("KeepParcel.IfNoneMatch", "aws:depot", "1.44.0", "available", "KeepParcel.IfNoneMatch"),
        ("KeepParcel.IfNoneMatch", "aws:depot", "1.34.0", "not_yet_added", "KeepParcel.IfNoneMatch"),
        ("keep_parcel.labels.key", "aws:depot", "1.34.0", "available", "KeepParcel.Labels[].Key"),
        ("get_depot_location", "aws:depot", "1.34.0", "deprecated", "GetDepotLocation"),
        ("get_depot_location", "aws:depot", "1.44.0", "removed", "GetDepotLocation"),
        ("GetDepotLocation.Depot", "aws:depot", "1.44.0", "removed", "GetDepotLocation.Depot"),
        ("Label", "aws:depot", "1.34.0", "available", "Label"),
        ("Label.Key", "aws:depot", "1.34.0", "available", "Label.Key"),
        ("put_parcel", "aws:depot", "1.34.0", "unknown", "put_parcel"),
        ("parcel.drop", "pypi:parcel", "1.0.0", "deprecated", "parcel.drop"),
        ("parcel.drop", "pypi:parcel", "", "removed", "parcel.drop"),
        ("parcel.fetch", "pypi:parcel", "1.0.0", "not_yet_added", "parcel.fetch"),
        ("parcel.lazy.anything", "pypi:parcel", "2.0.0", "unknown", "parcel.lazy.anything"),
        ("Client.send.speed", "pypi:parcel", "2.0.0", "unknown", "Client.send.speed"),
    ],
)
def test_the_status_of_a_name_in_a_version(name: str, library: str, version: str, status: str, subject: str) -> None:
    found = check(name, library, version)
    assert (found.status, found.subject) == (status, subject)


def test_several_of_that_name_in_another_release_show_that_it_is_there() -> None:
    index = Index()
    index.add("pypi:box@1", entries([symbol("box", kind="module")]))
    index.add("pypi:box@2", entries([symbol("box.a.Lid", kind="class"), symbol("box.b.Lid", kind="class")]))
    found = check("Lid", "box", "1", index)
    assert (found.status, found.subject) == ("not_yet_added", "box.a.Lid")
    assert found.evidence.endswith("pypi:box 2 does.")
    with pytest.raises(Ambiguous):
        check("Lid", "box", "2", index)


def test_what_was_removed_names_where_it_was_last_seen_and_its_replacement() -> None:
    found = check("get_depot_location", "aws:depot", "1.44.0")
    assert found.compared_with is not None
    assert found.compared_with.package_version == "1.34.0"
    assert found.deprecation is not None
    assert found.deprecation.replacement == "HeadDepot"
    assert "via botocore 1.34.0 has it" in found.evidence


def test_what_is_not_there_yet_names_the_release_that_adds_it() -> None:
    found = check("parcel.fetch", "parcel", "1.0.0")
    assert found.evidence == "Difference of releases: pypi:parcel 1.0.0 does not have it; pypi:parcel 2.0.0 does."
    assert found.deprecation is None


def test_what_came_since_the_previous_release_says_so() -> None:
    found = check("parcel.fetch", "parcel", "2.0.0")
    assert (found.since, found.changes) == ("2.0", ())
    assert found.evidence.endswith("pypi:parcel 1.0.0 does not: it was added in between.")


def test_changed_parameters_are_compared_with_the_previous_release() -> None:
    found = check("KeepParcel", "aws:depot", "1.44.0")
    assert [str(change) for change in found.changes] == ["Class: new values COLD", "IfNoneMatch: added"]
    assert [str(change) for change in check("KeepParcel.Class", "aws:depot").changes] == ["Class: new values COLD"]
    assert check("KeepParcel", "aws:depot", "1.34.0").changes == ()
    assert [str(one) for one in check("Client", "parcel").changes] == ["timeout: default 5.0 → None"]


def test_every_indexed_release_is_named_with_its_state_oldest_first() -> None:
    states = check("GetDepotLocation", "aws:depot").states
    assert [(one.release.package_version, one.state) for one in states] == [
        ("1.34.0", "deprecated"),
        ("1.44.0", "absent"),
    ]


def test_a_member_of_the_result_is_not_said_to_be_a_parameter() -> None:
    found = check("KeepParcel.ETag", "aws:depot", "1.44.0")
    assert "as a member of the result, not as a parameter" in found.evidence


def test_similar_names_of_a_missing_parameter_are_parameters() -> None:
    assert check("KeepParcel.IfNonMatch", "aws:depot").similar == ("KeepParcel.IfNoneMatch",)
    assert check("keep_parcels", "aws:depot").similar == ("KeepParcel", "keep_parcel")


def test_absence_behind_an_open_owner_or_free_arguments_proves_nothing() -> None:
    assert "may get members at run time" in check("parcel.lazy.x", "parcel").evidence
    assert "further arguments as `kwargs`" in check("Client.send.speed", "parcel").evidence


def test_an_open_owner_turns_even_a_removal_into_a_doubt() -> None:
    index = Index()
    index.add("pypi:box@1", entries([symbol("box", kind="module"), symbol("box.go")]))
    index.add("pypi:box@2", entries([symbol("box", kind="module", open=True)]))
    found = check("box.go", "box", "2", index)
    assert (found.status, found.deprecation) == ("unknown", None)
    assert found.evidence.endswith("pypi:box 1 names it.")


def test_an_api_that_takes_anything_still_loses_its_members() -> None:
    anything = (Param("options", kind="var_keyword"),)
    index = Index()
    index.add("pypi:box@1", entries([symbol("box.Box", params=anything), symbol("box.Box.go")]))
    index.add("pypi:box@2", entries([symbol("box.Box", params=anything)]))
    assert check("box.Box.go", "box", "2", index).status == "removed"


@pytest.mark.parametrize(
    ("asked", "having", "status"),
    [
        ("2.0.0", "2.0.0rc1", "not_yet_added"),
        ("1.0.0", "2.0.0rc1", "not_yet_added"),
        ("2.0.0rc2", "2.0.0rc1", "removed"),
        ("2.0.0rc1", "1.0.0", "removed"),
    ],
)
def test_what_only_a_preview_had_was_never_in_a_stable_release(asked: str, having: str, status: str) -> None:
    index = Index()
    index.add(f"pypi:box@{asked}", entries())
    index.add(f"pypi:box@{having}", entries([symbol("box.go")]))
    assert check("box.go", "box", asked, index).status == status


@pytest.mark.parametrize(
    ("asked", "having", "status"), [("v3", "v4beta", "not_yet_added"), ("v4beta", "v3", "removed")]
)
def test_preview_versions_of_an_api_count_as_newer_than_the_stable_one_before(
    asked: str, having: str, status: str
) -> None:
    index = Index()
    index.add(f"gcp:box@{asked}+2.0", entries())
    index.add(f"gcp:box@{having}+2.0", entries([symbol("box.go")]))
    assert check("box.go", "gcp:box", asked, index).status == status


def test_an_api_that_moved_is_found_by_its_other_names() -> None:
    index = Index()
    index.add("pypi:box@1", entries([symbol("box.old.go", "box.go")]))
    index.add("pypi:box@2", entries([symbol("box.new.go", "box.go")]))
    assert [one.state for one in check("box.go", "box", "2", index).states] == ["available", "available"]
    assert [one.state for one in check("box.new.go", "box", "2", index).states] == ["available", "available"]


def test_a_tail_that_is_ambiguous_only_elsewhere_is_answered() -> None:
    index = Index()
    index.add("pypi:box@1", entries([symbol("box.A.go"), symbol("box.B.go")]))
    index.add("pypi:box@2", entries([symbol("box.A.go")]))
    assert [one.state for one in check("go", "box", "2", index).states] == ["available", "available"]
    with pytest.raises(Ambiguous):
        check("go", "box", "1", index)


def test_a_lost_pack_of_another_version_is_named_and_keeps_nothing_from_being_answered() -> None:
    index = sample()
    index.damage("pypi:parcel@1.0.0")
    found = check("parcel.get", "parcel", "2.0.0", index)
    assert [one.state for one in found.states] == ["unreadable", "available"]
    assert found.compared_with is None


def test_without_a_library_parameters_and_older_apis_lead_to_it() -> None:
    assert str(check("KeepParcel.IfNoneMatch").chosen.library) == "aws:depot"
    assert str(check("KeepParcel.Labels.Key").chosen.library) == "aws:depot"
    found = check("GetDepotLocation")
    assert (str(found.chosen.library), found.status) == ("aws:depot", "removed")


def test_without_a_library_what_nobody_has_is_not_found() -> None:
    with pytest.raises(NotFound):
        check("nothing_at_all")
    with pytest.raises(NotFound):
        check("nothing.at.all")
    with pytest.raises(LibraryNotIndexed):
        check("aws:queue.send")


def test_without_a_library_two_that_had_it_are_both_named() -> None:
    index = sample()
    index.add("pypi:sack@1.0.0", parcel())
    index.add("pypi:sack@2.0.0", entries())
    with pytest.raises(Ambiguous) as caught:
        check("drop", index=index)
    assert "pypi:parcel, pypi:sack" in caught.value.message


@pytest.mark.parametrize(
    ("library", "version", "error"),
    [("pypi:parcel", "7", VersionNotIndexed), ("pypi:nothing", "", LibraryNotIndexed)],
)
def test_a_version_or_library_that_is_not_indexed_is_never_substituted(
    library: str, version: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        check("parcel.get", library, version)


def test_other_libraries_change_nothing() -> None:
    alone, among = Index(), sample()
    alone.add("pypi:parcel@1.0.0", parcel())
    alone.add("pypi:parcel@2.0.0", parcel(newer=True))
    for name in ("parcel.get", "parcel.drop", "parcel.nothing", "Client.timeout"):
        one, other = check(name, "parcel", "2.0.0", alone), check(name, "parcel", "2.0.0", among)
        assert (one.status, one.evidence, one.changes, one.states) == (
            other.status,
            other.evidence,
            other.changes,
            other.states,
        )


def test_a_deprecated_parameter_is_told_by_itself() -> None:
    index = Index()
    old = Param("fast", deprecation=Deprecation("prose", replacement="speed"), since="0.9")
    index.add("pypi:box@1", entries([symbol("box.go", params=(old,))]))
    found = check("box.go.fast", "box", "", index)
    assert (found.status, found.since) == ("deprecated", "0.9")


def test_a_name_that_a_site_no_longer_describes_is_not_called_removed() -> None:
    made = Index()
    made.add("site:parcel-docs@1.0", entries([symbol("send"), symbol("receive")]))
    made.add("site:parcel-docs@2.0", entries([symbol("send")]))
    answer = made.availability.check("receive", "site:parcel-docs", "2.0")
    assert (answer.status, answer.proven) == ("unknown", False)
    assert "need not name everything" in answer.evidence
    assert "site:parcel-docs 1.0 names it" in answer.evidence
