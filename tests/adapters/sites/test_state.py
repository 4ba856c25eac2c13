"""The kept state of a site survives crashes, and says what is wrong with its file."""

from datetime import timedelta
from pathlib import Path

import pytest

from fakes.clock import NOON
from refdesk.adapters.sites import FolderSites, SiteState
from refdesk.domain.errors import StorageFailure
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.fetcher import Fetched, Known
from refdesk.ports.sites import SiteChanges

URL = "https://docs.example.org/"
SPEC = Spec(Library("site", "box"), site=SiteOptions(URL))
KEY = "site:box@1"


def page(path: str, body: bytes = b"<p>", links: tuple[str, ...] = ()) -> Fetched:
    return Fetched(URL + path, URL + path, 200, "text/html", f'"{path}"', "", body, tuple(URL + one for one in links))


def test_what_was_taken_before_a_crash_is_known_and_done(tmp_path: Path) -> None:
    """The process is lost: nothing is closed. Batches that were committed are there."""
    lost = SiteState(tmp_path / "a.site")
    assert not lost.begin(SPEC, NOON)
    for number in range(70):
        lost.take(page(str(number), b"%d" % number, ("0",)))
    state = SiteState(tmp_path / "a.site")
    assert state.begin(SPEC, NOON + timedelta(hours=23))
    assert len(state.done()) == 64
    assert state.known()[URL + "7"] == Known('"7"', "", (URL + "0",))
    state.close()
    lost.close()


def test_what_failed_is_not_done(tmp_path: Path) -> None:
    state = SiteState(tmp_path / "a.site")
    state.begin(SPEC, NOON)
    state.take(page(""))
    state.take(Fetched(URL + "b", URL + "b", 0, error="no answer"))
    state.take(Fetched(URL + "c", URL + "d", 301, links=(URL + "d",)))
    state.flush()
    assert state.done() == {URL, URL + "c"}
    assert state.known()[URL + "c"] == Known("", "", (URL + "d",))
    state.close()


@pytest.mark.parametrize(
    ("spec", "later"),
    [(SPEC, timedelta(days=2)), (Spec(SPEC.library, "2", site=SPEC.site), timedelta(0))],
    ids=["long ago", "asked for otherwise"],
)
def test_another_crawl_begins_with_all_that_is_known(tmp_path: Path, spec: Spec, later: timedelta) -> None:
    state = SiteState(tmp_path / "a.site")
    state.begin(SPEC, NOON)
    state.take(page(""))
    assert not state.begin(spec, NOON + later)
    assert list(state.pages()) == []
    assert state.done() == frozenset()
    assert set(state.known()) == {URL}
    state.close()


def test_a_page_that_moved_is_removed_and_one_without_a_right_stays(tmp_path: Path) -> None:
    state = SiteState(tmp_path / "a.site")
    state.begin(SPEC, NOON)
    for path in ("", "moved", "away", "closed"):
        state.take(page(path))
    assert state.finish() == SiteChanges((URL, URL + "away", URL + "closed", URL + "moved"))
    state.begin(SPEC, NOON)
    state.take(Fetched(URL, URL, 304))
    state.take(Fetched(URL + "moved", URL + "b", 301, links=(URL + "b",)))
    state.take(Fetched(URL + "away", "https://elsewhere.example.org/", 302, error="redirects to another host"))
    state.take(Fetched(URL + "closed", URL + "closed", 403, error="the server answers 403"))
    state.take(page("b"))
    assert state.finish() == SiteChanges(
        (URL + "b",),
        removed=(URL + "away", URL + "moved"),
        failed={URL + "away": "redirects to another host", URL + "closed": "the server answers 403"},
        unchanged=2,
    )
    kept = {one.url: one for one in state.pages()}
    assert kept[URL + "closed"].sha256
    bodies = state.bodies()
    state.close()
    assert bodies[kept[URL].sha256] == b"<p>"


def test_bytes_that_no_page_has_any_more_are_forgotten(tmp_path: Path) -> None:
    state = SiteState(tmp_path / "a.site")
    state.begin(SPEC, NOON)
    state.take(page("", b"old"))
    state.finish()
    [old] = state.pages()
    state.begin(SPEC, NOON)
    state.take(page("", b"new"))
    state.finish()
    state.close()
    with pytest.raises(KeyError):
        state.bodies()[old.sha256]


def test_a_file_that_is_something_else_is_said_to_be(tmp_path: Path) -> None:
    sites = FolderSites(tmp_path)
    (tmp_path / "site%3Abox@1.site").write_bytes(b"no database at all, but long enough for a header" * 20)
    with pytest.raises(StorageFailure):
        sites.spec(KEY)
    with pytest.raises(StorageFailure):
        sites.state(KEY)
    sites.forget(KEY)
    assert sites.releases() == []


def test_specs_of_every_form_are_remembered(tmp_path: Path) -> None:
    sites = FolderSites(tmp_path / "none" / "yet")
    assert sites.releases() == []
    options = SiteOptions(URL, (URL + "a",), "switcher", "listed", 5, render=True, documents="pypi:box")
    for spec in (SPEC, Spec(SPEC.library, "1", Carrier("box", "1"), site=options)):
        state = sites.state(KEY)
        state.begin(spec, NOON)
        state.close()
        assert sites.spec(KEY) == spec
        assert sites.changes(KEY) is None
