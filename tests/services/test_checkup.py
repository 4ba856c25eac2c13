"""The check-up names what cannot be read, what pages lost, what was left out, and what is not installed."""

from dataclasses import replace

import pytest

from fakes.index import Index
from refdesk.domain.entries import Counts, Entries, Fidelity, Problem
from refdesk.domain.errors import VersionNotIndexed
from refdesk.services.checkup import Checkup, Kind, MissingExtra, kinds_of

MISSING = MissingExtra("crawl", "sites", "pip install")


def receipt(path: str, lost: int = 0, undone: tuple[str, ...] = ()) -> Fidelity:
    return Fidelity(path, "0", "m", "sphinx", Counts(words=10), Counts(words=10 - lost), undone=undone)


def checkup(index: Index) -> Checkup:
    return Checkup(
        index.shelf,
        lambda one: f"{one.before.words - one.after.words} words" if one.after.words < 9 else "",
        lambda: (MISSING,),
    )


def index_of(*receipts: Fidelity, problems: tuple[Problem, ...] = ()) -> Index:
    index = Index()
    index.add("site:cart@1", Entries(fidelity=receipts, problems=problems))
    index.add("site:cart@2", Entries())
    index.add("pypi:box@1", Entries())
    return index


def test_pages_with_losses_and_undone_steps_are_named() -> None:
    index = index_of(receipt("a", lost=1), receipt("b", lost=4), receipt("c", undone=("repetition", "links")))
    (health,) = checkup(index).check("site:cart", "1").releases
    assert (health.converted, health.losses, health.undone) == (3, [("b", "4 words")], [("c", "repetition, links")])
    assert not health.old_format


@pytest.mark.parametrize(
    ("library", "version", "count"), [("", "", 3), ("site:cart", "", 2), ("cart", "2", 1), ("pypi:box", "", 1)]
)
def test_everything_one_library_or_one_release(library: str, version: str, count: int) -> None:
    found = checkup(index_of()).check(library, version)
    assert len(found.releases) == count
    assert found.missing == (MISSING,)


def test_a_version_that_is_not_there_is_told() -> None:
    with pytest.raises(VersionNotIndexed):
        checkup(index_of()).check("site:cart", "3")


def test_a_pack_that_cannot_be_read_is_told_with_the_call_that_builds_it() -> None:
    index = index_of()
    index.damage("pypi:box@1")
    old = replace(index.catalog.published()[0], format=1)
    index.catalog.publish(old, {})
    found = checkup(index).check("pypi:box").releases[0]
    assert found.unreadable is not None
    assert "refdesk add pypi:box@1" in found.unreadable.suggestion
    assert found.old_format


def test_problems_of_one_kind_are_counted_together() -> None:
    problems = [
        Problem("a", "a second flask.Flask was left out"),
        Problem("b", "a second jinja2.Environment was left out"),
        Problem("c", "2 include(s) not found: x/y.md, z.md"),
        Problem("d", "3 include(s) not found: q.md"),
        Problem("e", "2 include(s) not found: `A`, `B`, `C`"),
        Problem("f", "not read: HTML"),
    ]
    assert list(kinds_of(problems)) == [
        Kind("… include(s) not found: …", 3, problems[2]),
        Kind("a second … was left out", 2, problems[0]),
        Kind("not read: HTML", 1, problems[5]),
    ]
