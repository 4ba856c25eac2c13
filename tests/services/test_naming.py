"""From a spelling to exactly one symbol, or to an error that names what it could have meant."""

import pytest

from fakes.index import Index, depot, entries, parcel, sample, symbol
from refdesk.domain.errors import Ambiguous, LibraryNotIndexed, NotFound
from refdesk.services.naming import absent, choose_by_name, find_symbol, nearest_owner


@pytest.mark.parametrize(
    ("library", "spelling", "name"),
    [
        ("aws:depot", "KeepParcel", "KeepParcel"),
        ("aws:depot", "keep_parcel", "KeepParcel"),
        ("aws:depot", "keep_parcel()", "KeepParcel"),
        ("aws:depot", "depot.keep_parcel", "KeepParcel"),
        ("aws:depot", "aws.depot.keep_parcel", "KeepParcel"),
        ("aws:depot", "aws:depot.KeepParcel", "KeepParcel"),
        ("aws:depot", "client.keep_parcel", "KeepParcel"),
        ("aws:depot", "Depot.Client.keep_parcel", "KeepParcel"),
        ("aws:depot", "Depot:KeepParcel", "KeepParcel"),
        ("aws:depot", "`KeepParcel`", "KeepParcel"),
        ("aws:depot", "keepparcel", "KeepParcel"),
        ("aws:depot", "Label", "Label"),
        ("aws:depot", "depot.Label", "Label"),
        ("pypi:parcel", "parcel.Client", "parcel.Client"),
        ("pypi:parcel", "Client", "parcel.Client"),
        ("pypi:parcel", "Client.get", "parcel.Client.get"),
        ("pypi:parcel", "client.get", "parcel.Client.get"),
        ("pypi:parcel", "pypi:parcel.Client.get", "parcel.Client.get"),
        ("pypi:parcel", "parcel.get", "parcel.get"),
        ("pypi:parcel", "self.codes", "parcel.codes"),
    ],
)
def test_spellings_that_people_use_lead_to_the_one_symbol(library: str, spelling: str, name: str) -> None:
    chosen = sample().shelf.choose(library, "")
    assert find_symbol(chosen, spelling).name == name


@pytest.mark.parametrize("spelling", ["get", "get()"])
def test_a_tail_of_several_owners_lists_them_and_chooses_nothing(spelling: str) -> None:
    chosen = sample().shelf.choose("pypi:parcel", "")
    with pytest.raises(Ambiguous) as caught:
        find_symbol(chosen, spelling)
    assert caught.value.details["names"] == ["parcel.get", "parcel.Basket.get", "parcel.Client.get"]
    assert "parcel.Basket.get" in caught.value.message


def test_of_several_tails_the_one_that_is_written_so_is_meant() -> None:
    index = Index()
    index.add("pypi:box@1", entries([symbol("box.Client", kind="class"), symbol("box.Request.client")]))
    assert find_symbol(index.shelf.choose("box", ""), "Client").name == "box.Client"
    assert find_symbol(index.shelf.choose("box", ""), "client").name == "box.Request.client"
    with pytest.raises(Ambiguous):
        find_symbol(index.shelf.choose("box", ""), "CLIENT")


def test_a_class_and_its_member_mean_the_most_public_owner_but_never_one_of_equals() -> None:
    index = Index()
    index.add(
        "pypi:box@1",
        entries(
            [symbol("box.Client.get"), symbol("box.aio.Client.get"), symbol("box.a.Lid.fit"), symbol("box.b.Lid.fit")]
        ),
    )
    chosen = index.shelf.choose("box", "")
    assert find_symbol(chosen, "Client.get").name == "box.Client.get"
    assert find_symbol(chosen, "aio.Client.get").name == "box.aio.Client.get"
    with pytest.raises(Ambiguous):
        find_symbol(chosen, "Lid.fit")


def test_a_class_means_the_most_public_one_of_its_name() -> None:
    index = Index()
    lids = [symbol(name, kind="class") for name in ("box.Lid", "box.aio.Lid", "box.a.Hinge", "box.b.Hinge")]
    index.add("pypi:box@1", entries(lids))
    chosen = index.shelf.choose("box", "")
    assert find_symbol(chosen, "Lid").name == "box.Lid"
    assert find_symbol(chosen, "aio.Lid").name == "box.aio.Lid"
    with pytest.raises(Ambiguous):
        find_symbol(chosen, "Hinge")


@pytest.mark.parametrize("spelling", ["Client.codes", "client.codes", "parcel.send", "parcel.Client.codes"])
def test_what_names_something_of_the_release_is_never_taken_off(spelling: str) -> None:
    chosen = sample().shelf.choose("pypi:parcel", "")
    with pytest.raises(NotFound):
        find_symbol(chosen, spelling)


def test_a_package_whose_modules_are_called_otherwise_is_taken_off() -> None:
    index = Index()
    index.add("pypi:py-box@1", entries([symbol("box.load")]))
    index.add("pypi:azure-cart@1", entries([symbol("azure.cart.Cart", kind="class")]))
    assert find_symbol(index.shelf.choose("py-box", ""), "py_box.load").name == "box.load"
    assert find_symbol(index.shelf.choose("azure:cart", ""), "azure:cart.Cart").name == "azure.cart.Cart"


def test_an_absent_name_says_where_it_was_sought_and_names_similar_ones() -> None:
    chosen = sample().shelf.choose("aws:depot", "1.44.0")
    error = absent(chosen, "keep_parcels")
    assert error.message.startswith("aws:depot 2020-01-01 via botocore 1.44.0 has no API called 'keep_parcels'.")
    assert error.details["similar"] == ["KeepParcel", "keep_parcel"]
    assert "Do not call it" in error.suggestion


def test_absence_below_an_open_owner_proves_nothing_and_says_so() -> None:
    chosen = sample().shelf.choose("pypi:parcel", "")
    error = absent(chosen, "parcel.lazy.anything")
    assert "parcel.lazy may get members at run time" in error.message
    assert "Do not call" not in error.suggestion


def test_the_nearest_owner_is_the_longest_prefix_that_is_one_symbol() -> None:
    chosen = sample().shelf.choose("pypi:parcel", "")
    owner = nearest_owner(chosen, "parcel.Client.nothing.deep")
    assert owner is not None
    assert owner.name == "parcel.Client"
    assert nearest_owner(chosen, "nothing.at.all") is None
    assert nearest_owner(chosen, "plain") is None


def test_a_structure_is_read_as_a_type_with_its_members() -> None:
    found = find_symbol(sample().shelf.choose("aws:depot", ""), "Label")
    assert (found.kind, [one.name for one in found.params]) == ("type", ["Key", "Value"])
    scalar = find_symbol(sample().shelf.choose("aws:depot", ""), "StorageClass")
    assert scalar.signature == "string (scalar)"
    assert scalar.attributes == {"type": "scalar", "enum": ["FAST", "SLOW", "COLD"]}


@pytest.mark.parametrize(
    ("spelling", "library"),
    [
        ("keep_parcel", "aws:depot"),
        ("depot.keep_parcel", "aws:depot"),
        ("aws.depot.keep_parcel", "aws:depot"),
        ("aws:depot.keep_parcel", "aws:depot"),
        ("aws:depot/KeepParcel", "aws:depot"),
        ("parcel.Client.get", "pypi:parcel"),
        ("pypi:parcel.nothing", "pypi:parcel"),
        ("Label", "aws:depot"),
    ],
)
def test_without_a_library_the_one_that_has_the_name_is_chosen(spelling: str, library: str) -> None:
    chosen = choose_by_name(sample().shelf, spelling)
    assert (str(chosen.library), chosen.for_caller) == (library, True)


def test_another_name_of_an_ecosystem_leads_to_the_library() -> None:
    index = Index()
    index.add("pypi:azure-cart@1", entries([symbol("azure.cart.Cart", kind="class")]))
    assert str(choose_by_name(index.shelf, "azure:cart/Cart").library) == "pypi:azure-cart"


def test_a_library_that_is_named_but_not_indexed_is_no_missing_api() -> None:
    with pytest.raises(LibraryNotIndexed) as caught:
        choose_by_name(sample().shelf, "aws:queue.send_message")
    assert caught.value.suggestion.startswith("Add it: refdesk add aws:queue")


def test_without_a_library_similar_names_of_all_are_told() -> None:
    with pytest.raises(NotFound) as caught:
        choose_by_name(sample().shelf, "keep_parcls")
    assert caught.value.details["similar"] == ["KeepParcel", "keep_parcel"]
    assert caught.value.details["searched"] == ["aws:depot", "pypi:parcel"]
    assert "(2 libraries looked at)" in caught.value.message


def test_several_libraries_with_the_name_are_named_and_none_is_chosen() -> None:
    index = sample()
    index.add("aws:depot2@2020-01-01+1.44.0", depot())
    with pytest.raises(Ambiguous) as caught:
        choose_by_name(index.shelf, "KeepParcel")
    assert caught.value.details["libraries"] == ["aws:depot", "aws:depot2"]


def test_how_deep_a_tail_stands_chooses_no_library() -> None:
    index = Index()
    index.add("pypi:parcel@1.0.0", parcel())
    index.add("pypi:sack@1.0.0", entries([symbol("sack.deep.codes")]))
    with pytest.raises(Ambiguous):
        choose_by_name(index.shelf, "codes")


def test_long_lists_of_candidates_are_cut_with_their_number() -> None:
    index = Index()
    index.add("pypi:box@1", entries([symbol(f"box.Part{number}.go", kind="method") for number in range(9)]))
    with pytest.raises(Ambiguous) as caught:
        find_symbol(index.shelf.choose("box", ""), "go")
    assert "and 3 more" in caught.value.message


def test_overloads_are_listed_by_their_bare_name_and_chosen_by_their_whole_one() -> None:
    index = Index()
    overloads = [symbol("org.Tap.fill(int)", "org.Tap.fill"), symbol("org.Tap.fill(String,int)", "org.Tap.fill")]
    index.add("site:tap@1", entries(overloads))
    chosen = index.shelf.choose("site:tap", "")
    with pytest.raises(Ambiguous) as caught:
        find_symbol(chosen, "org.Tap.fill")
    assert caught.value.details["names"] == ["org.Tap.fill(String,int)", "org.Tap.fill(int)"]
    assert find_symbol(chosen, "org.Tap.fill(int)").name == "org.Tap.fill(int)"
