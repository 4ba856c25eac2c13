"""A package and the site that documents it answer together, each marked with its own release."""

from typing import Any

import pytest

from fakes.index import Index, entries, symbol
from refdesk.domain.errors import Ambiguous
from refdesk.domain.symbols import Param, Place, Symbol

SENT = "parcel.send(to, *, speed=1)"


def from_source(**facts: Any) -> Symbol:
    return symbol("parcel.send", signature=SENT, doc="Send it.", params=(Param("to", required=True),), **facts)


def from_site(
    signature: str = "send(to, **options)", doc: str = "Send it. Ask for a receipt where it matters."
) -> Symbol:
    place = Place("api.html", url="https://parcel.example/api.html#parcel.send")
    return symbol("parcel.send", signature=signature, doc=doc, place=place)


def index(
    site: str = "2.2.2", package: str = "2.2.2", page: Symbol | None = None, documents: str = "pypi:parcel"
) -> Index:
    made = Index()
    made.add(f"pypi:parcel@{package}", entries([from_source()]))
    made.add(f"site:parcel-docs@{site}", entries([page or from_site()]), documents=documents)
    return made


def text(made: Index, library: str) -> str:
    return made.call("get_api_detail", api="parcel.send", library=library).text


def test_an_answer_of_the_site_shows_the_signature_of_the_source_and_what_the_page_writes() -> None:
    shown = text(index(), "site:parcel-docs")
    assert shown.index(SENT) < shown.index("send(to, **options)")
    assert "that of the source (pypi:parcel 2.2.2)" in shown
    assert "Ask for a receipt" in shown
    assert shown.startswith("[Version: site:parcel-docs 2.2.2]")


def test_where_both_write_the_same_signature_it_is_shown_once() -> None:
    shown = text(index(page=from_site(SENT)), "site:parcel-docs")
    assert shown.count("speed=1") == 1
    assert "The source (pypi:parcel 2.2.2) has the same signature." in shown


def test_a_source_without_a_signature_leaves_that_of_the_page() -> None:
    made = Index()
    made.add("pypi:parcel@1.0", entries([symbol("parcel.send", doc="Send it.")]))
    made.add("site:parcel-docs@1.0", entries([from_site()]), documents="pypi:parcel")
    assert "send(to, **options)" in text(made, "site:parcel-docs")


def test_an_answer_of_the_package_goes_on_with_what_the_site_explains() -> None:
    shown = text(index(), "pypi:parcel")
    assert shown.startswith("[Version: pypi:parcel 2.2.2]")
    head, _, rest = shown.partition("## From the documentation")
    assert "Ask for a receipt" in rest
    assert "Ask for a receipt" not in head
    assert "site:parcel-docs 2.2.2, https://parcel.example/api.html#parcel.send" in rest


@pytest.mark.parametrize(("doc", "says"), [("Send\nit.", "says the same."), ("  ", "")])
def test_a_site_that_repeats_the_docstring_adds_no_text(doc: str, says: str) -> None:
    shown = text(index(page=from_site(doc=doc)), "pypi:parcel")
    assert "## From the documentation" not in shown
    assert says in shown


@pytest.mark.parametrize(
    ("site", "package", "belong"),
    [
        ("2.2.2", "2.2.2", True),
        ("2.2", "2.2.2", True),
        ("v2.2", "2.2.2", True),
        ("2.2.0", "2.2", True),
        ("2.2", "2.20.1", False),
        ("2", "2.2.2", False),
        ("latest", "2.2.2", False),
        ("2.3", "2.2.2", False),
    ],
)
def test_only_releases_of_one_version_belong_together(site: str, package: str, belong: bool) -> None:
    made = index(site, package)
    for library in ("pypi:parcel", "site:parcel-docs"):
        found = made.lookup.detail("parcel.send", library, "", "").companion
        assert (found is not None) is belong


def test_a_site_of_exactly_this_version_stands_before_one_of_its_line() -> None:
    made = index("2.2")
    made.add("site:parcel-docs@2.2.2", entries([from_site(doc="Exactly this.")]), documents="pypi:parcel")
    assert "Exactly this." in text(made, "pypi:parcel")


def test_a_site_of_a_line_goes_with_the_newest_package_of_it() -> None:
    made = index("2.2", "2.2.9")
    made.add("pypi:parcel@2.2.10", entries([from_source()]))
    assert "pypi:parcel 2.2.10" in text(made, "site:parcel-docs")


def test_names_alone_link_nothing() -> None:
    assert index(documents="").lookup.detail("parcel.send", "pypi:parcel", "", "").companion is None


def test_what_only_one_of_them_has_is_answered_by_it_alone() -> None:
    made = index(page=symbol("parcel.receive", doc="Take it."))
    assert made.lookup.detail("parcel.send", "pypi:parcel", "", "").companion is None


def test_a_companion_that_cannot_be_read_does_not_keep_the_answer_back() -> None:
    made = index()
    made.damage("site:parcel-docs@2.2.2")
    assert made.lookup.detail("parcel.send", "pypi:parcel", "", "").companion is None


def test_a_name_that_a_package_and_its_site_have_is_not_ambiguous() -> None:
    answer = index().call("get_api_detail", api="parcel.send")
    assert answer.text.startswith("[Version: pypi:parcel 2.2.2]")


def test_a_name_of_two_packages_stays_ambiguous_beside_a_site() -> None:
    made = index()
    made.add("pypi:letter@1", entries([from_source()]))
    with pytest.raises(Ambiguous) as caught:
        made.call("get_api_detail", api="parcel.send")
    assert caught.value.details["libraries"] == ["pypi:letter", "pypi:parcel"]


def test_the_structured_answer_names_the_other_release() -> None:
    answer = index().call("get_api_detail", api="parcel.send", library="pypi:parcel")
    block = answer.result.model_dump()["companion"]
    assert (block["role"], block["release"]) == ("documentation", "site:parcel-docs 2.2.2")
    assert block["id"] == "site:parcel-docs@2.2.2/api/parcel.send"
