"""Sites from their address to files: what lies at the start, which version it is, what a second crawl finds."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contracts.source_contract import SourceContract
from fakes.clock import NOON, FixedClock
from fakes.fetcher import MemoryFetcher
from fakes.shop import BASE, HANDBOOK, Shop, serve
from fakes.website import Content, Reply, Website, failing, moved, page
from refdesk.adapters.sources import SiteSource
from refdesk.domain.errors import InvalidInput, NetworkUnavailable, NotFound, RefdeskError, SourceRejected
from refdesk.domain.releases import Updated
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.progress import Step, silent
from refdesk.ports.sites import SiteChanges
from refdesk.ports.sources import Source


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "sites")


GUIDE: Mapping[str, Content] = {
    "/en/3.2/": page("Box 3.2", "guide/", "old", "gone", "/en/3.3/", "picture"),
    "/en/3.2/guide/": page("Guide", "index.html", "../", "../broken", head='<meta name="a">'),
    "/en/3.2/guide/index.html": page("Guide", "index.html", "../", "../broken", head='<meta name="a">'),
    "/en/3.2/old": moved("/en/3.2/guide/"),
    "/en/3.2/broken": failing(500),
    "/en/3.2/picture": page("Picture"),
    "/en/3.3/": page("Box 3.3"),
}


class TestContract(SourceContract):
    @pytest.fixture
    def source(self, shop: Shop) -> Source:
        serve(shop, GUIDE)
        return shop.source

    @pytest.fixture(params=["", "3"])
    def spec(self, shop: Shop, request: pytest.FixtureRequest) -> Spec:
        return shop.spec("en/3.2/", request.param)

    @pytest.fixture
    def unknown(self, shop: Shop) -> Spec:
        return shop.spec("en/9.9/")


def test_a_site_is_read_below_its_start(shop: Shop) -> None:
    serve(shop, GUIDE)
    read = shop.read("en/3.2/", documents="pypi:box")
    assert read.release.key == "site:handbook@3.2"
    assert read.format == "site"
    assert list(read.files) == ["guide/index.html", "index.html", "picture"]
    assert read.files["index.html"].startswith(b"<!DOCTYPE html>")
    assert read.urls["guide/index.html"] == BASE + "en/3.2/guide/"
    assert read.types["picture"].startswith("text/html")
    assert (read.origin.package, read.origin.url) == (BASE + "en/3.2/", BASE + "en/3.2/")
    assert (read.origin.version_from, read.origin.documents, read.origin.filename) == ("url", "pypi:box", "")
    assert read.updated == Updated(NOON, "indexed")
    assert [(one.path, one.message) for one in read.problems] == [
        ("broken", f"{BASE}en/3.2/broken: the server answers 500."),
        ("gone", f"{BASE}en/3.2/gone: the server answers 404."),
    ]


def test_what_a_crawl_found_is_kept_for_the_next(shop: Shop) -> None:
    serve(shop, GUIDE)
    first = shop.read("en/3.2/")
    assert shop.changes("site:handbook@3.2") == SiteChanges(
        tuple(BASE + path for path in ("en/3.2/", "en/3.2/guide/", "en/3.2/guide/index.html", "en/3.2/picture")),
        failed={BASE + "en/3.2/broken": "the server answers 500"},
    )
    again = shop.read("en/3.2/")
    assert again.origin.sha256 == first.origin.sha256
    assert dict(again.files) == dict(first.files)
    changes = shop.changes("site:handbook@3.2")
    assert (changes.added, changes.changed, changes.removed, changes.unchanged) == ((), (), (), 4)
    assert changes.pages == 4


def test_a_refresh_tells_what_changed_came_and_went(shop: Shop) -> None:
    serve(shop, GUIDE)
    first = shop.read("en/3.2/")
    shop.site.pages["/en/3.2/"] = page("Box 3.2", "guide/", "new")
    shop.site.pages["/en/3.2/new"] = page("New")
    shop.site.pages["/en/3.2/guide/index.html"] = failing(410)
    shop.site.pages["/en/3.2/guide/"] = failing(503)
    again = shop.read("en/3.2/")
    changes = shop.changes("site:handbook@3.2")
    assert changes == SiteChanges(
        added=(BASE + "en/3.2/new",),
        changed=(BASE + "en/3.2/",),
        # gone by its status, and no longer reached from anywhere
        removed=(BASE + "en/3.2/guide/index.html", BASE + "en/3.2/picture"),
        failed={
            BASE + "en/3.2/broken": "the server answers 500",
            BASE + "en/3.2/guide/": "the server answers 503",
        },
        unchanged=1,
    )
    assert list(again.files) == ["guide/index.html", "index.html", "new"]
    assert again.files["guide/index.html"] == first.files["guide/index.html"]
    assert again.origin.sha256 != first.origin.sha256
    assert any("The copy of an earlier crawl is used." in one.message for one in again.problems)


NUMBERS = [f"p{number}" for number in range(8)]
MANY: Mapping[str, Content] = {
    "/en/3.2/": page("Box 3.2", *NUMBERS),
    **{f"/en/3.2/{one}": page(f"Page {one}") for one in NUMBERS},
}
BUSY = page("Be back soon")


@pytest.mark.parametrize(
    ("served", "said"),
    [
        ({"/en/3.2/": BUSY}, "8 of its 9 pages would be dropped"),
        ({f"/en/3.2/{one}": failing(404) for one in NUMBERS[:5]}, "5 of its 9 pages would be dropped"),
        ({f"/en/3.2/{one}": BUSY for one in NUMBERS[:5]}, "one and the same page is served in the place of 5 of its 9"),
    ],
)
def test_a_site_that_loses_most_of_its_pages_is_kept_as_it_was(
    shop: Shop, served: Mapping[str, Content], said: str
) -> None:
    serve(shop, MANY)
    first = shop.read("en/3.2/")
    serve(shop, {**MANY, **served})
    for _ in range(2):
        with pytest.raises(SourceRejected) as caught:
            shop.read("en/3.2/")
        assert said in caught.value.message
        assert "refdesk remove site:handbook --version 3.2" in caught.value.suggestion
    serve(shop, MANY)
    again = shop.read("en/3.2/")
    assert dict(again.files) == dict(first.files)
    assert shop.changes("site:handbook@3.2") == SiteChanges(unchanged=9)
    # What a person asks for in another way is what that person gets.
    assert len(shop.read("en/3.2/", max_pages=2).files) == 2


def test_half_of_a_site_may_go(shop: Shop) -> None:
    serve(shop, MANY)
    shop.read("en/3.2/")
    serve(shop, {**MANY, **{f"/en/3.2/{one}": failing(404) for one in NUMBERS[:4]}})
    assert len(shop.read("en/3.2/").files) == 5


def test_pages_behind_a_hash_are_no_pages_to_fetch(shop: Shop) -> None:
    app = page("App", "#/guide", "index.html#!/api", "#top")
    serve(shop, {"/en/3.2/": app, "/en/3.2/index.html": app})
    with pytest.raises(SourceRejected) as caught:
        shop.read("en/3.2/")
    assert "behind # (2 links such as #/guide)" in caught.value.message
    assert "--scope listed --render" in caught.value.suggestion
    assert list(shop.read("en/3.2/", scope="listed").files) == ["index.html"]


def test_an_interrupted_crawl_goes_on_where_it_stopped(shop: Shop) -> None:
    serve(shop, GUIDE)
    shop.fetcher.stop_after = 2
    with pytest.raises(NetworkUnavailable):
        shop.read("en/3.2/")
    assert shop.sites.changes("site:handbook@3.2") is None
    shop.fetcher.stop_after = None
    shop.fetcher.asked.clear()
    read = shop.read("en/3.2/")
    asked = [url for url, _ in shop.fetcher.asked]
    assert asked.count(BASE + "en/3.2/") == 1  # to discover
    assert BASE + "en/3.2/guide/" not in asked
    assert list(read.files) == ["guide/index.html", "index.html", "picture"]
    assert len(shop.changes("site:handbook@3.2").added) == 4


def test_a_crawl_that_was_interrupted_long_ago_or_for_another_site_begins_anew(shop: Shop) -> None:
    serve(shop, GUIDE)
    shop.fetcher.stop_after = 2
    with pytest.raises(NetworkUnavailable):
        shop.read("en/3.2/")
    shop.fetcher.stop_after = None
    shop.fetcher.asked.clear()
    shop.read("en/3.2/", max_pages=50)
    conditional = {url for url, etag in shop.fetcher.asked if etag}
    assert conditional == {BASE + "en/3.2/", BASE + "en/3.2/guide/"}


def test_how_a_site_was_asked_for_is_remembered_and_forgotten(shop: Shop) -> None:
    serve(shop, GUIDE)
    asked = shop.spec("en/3.2/", version_from="url", max_pages=70)
    [found] = shop.source.discover(asked, silent)
    found.read(silent)
    assert shop.sites.releases() == ["site:handbook@3.2"]
    assert shop.sites.spec("site:handbook@3.2") == asked
    shop.sites.forget("site:handbook@3.2")
    shop.sites.forget("site:handbook@3.2")
    assert shop.sites.releases() == []
    assert shop.sites.spec("site:handbook@3.2") is None
    assert shop.sites.changes("site:handbook@3.2") is None


def test_two_versions_of_one_site_lie_side_by_side_with_paths_that_compare(shop: Shop) -> None:
    serve(shop, GUIDE)
    assert "index.html" in shop.read("en/3.2/").files
    assert list(shop.read("en/3.3/").files) == ["index.html"]
    assert shop.sites.releases() == ["site:handbook@3.2", "site:handbook@3.3"]


def test_the_age_of_a_site_is_that_of_its_newest_page(shop: Shop) -> None:
    def dated(moment: str) -> Reply:
        return Reply(page("Page", "b", "c", "d").encode(), headers={"Last-Modified": moment})

    serve(
        shop,
        {
            "/1.0/": dated("Sun, 01 Feb 2026 10:00:00 GMT"),
            "/1.0/b": dated("Mon, 02 Feb 2026 10:00:00 -0000"),
            "/1.0/c": dated("Sat, 01 Jan 2039 10:00:00 GMT"),
            "/1.0/d": dated("yesterday"),
        },
    )
    updated = shop.read("1.0/").updated
    assert (updated.at.isoformat(), updated.by) == ("2026-02-02T10:00:00+00:00", "revision")


INVENTORY = b"# Sphinx inventory version 2\n# Project: Box\n# Version: 25.4.0\n# The rest is packed\n"


def inventory(*lines: str) -> bytes:
    return INVENTORY + zlib.compress("".join(f"{line}\n" for line in lines).encode())


OPTIONS = page("Box", "a", head="<script src='_static/documentation_options.js'></script>")


@pytest.mark.parametrize(
    ("pages", "version_from", "version", "stated_by"),
    [
        pytest.param({"/objects.inv": Reply(INVENTORY)}, "", "25.4.0", "inventory", id="inventory"),
        pytest.param(
            {"/_static/documentation_options.js": Reply(b"DOCUMENTATION_OPTIONS = {VERSION: '5.1'}")},
            "inventory", "5.1", "options", id="options",
        ),
        pytest.param({"/": page("Box 3.1", "a")}, "", "3.1", "title", id="title"),
        pytest.param(
            {"/": page("Box 3.1", "a", head='<meta name="docsearch:version" content="3.1.4">')},
            "title", "3.1.4", "meta", id="meta",
        ),
        pytest.param(
            {"/": page("Box 3.1", "a"), "/objects.inv": Reply(INVENTORY)}, "title", "3.1", "title",
            id="the one that is asked for",
        ),
    ],
)  # fmt: skip
def test_a_version_is_taken_from_where_it_is_stated(
    shop: Shop, pages: dict[str, Content], version_from: str, version: str, stated_by: str
) -> None:
    serve(shop, {"/": OPTIONS, "/a": page("A"), **pages})
    read = shop.read(version_from=version_from)
    assert (read.release.version, read.origin.version_from) == (version, stated_by)


def test_a_version_is_taken_from_the_switcher_and_from_a_number(shop: Shop) -> None:
    versions = json.dumps([{"version": "4.1", "aliases": ["latest"]}]).encode()
    serve(shop, {"/box/latest/": page("Box"), "/box/versions.json": Reply(versions, "application/json")})
    assert shop.read("box/latest/").origin.version_from == "switcher"
    serve(shop, {"/3/": page("Box")})
    read = shop.read("3/")
    assert (read.release.version, read.origin.version_from) == ("3", "url")


def test_a_label_is_the_callers_word(shop: Shop) -> None:
    serve(shop, GUIDE)
    read = shop.read("en/3.2/", "lts")
    assert (read.release.version, read.origin.version_from) == ("lts", "label")


def test_no_version_is_an_error_that_asks_for_one(shop: Shop) -> None:
    serve(shop, {"/en/latest/": page("Box", "a"), "/en/latest/a": page("A")})
    error = shop.refused("en/latest/", "")
    assert isinstance(error, InvalidInput)
    assert error.suggestion == f"Name it: refdesk add site:handbook --url {BASE}en/latest/ --version latest"
    assert "by switcher" in shop.refused("en/latest/", "", version_from="switcher").message
    assert isinstance(shop.refused("en/latest/", "a label"), InvalidInput)


def test_a_folder_without_its_slash_is_the_site_where_its_links_lie_below(shop: Shop) -> None:
    serve(shop, {"/docs": page("Docs", "/docs/a", "/blog"), "/docs/a": page("A"), "/blog": page("Blog")})
    assert list(shop.read("docs", "1").files) == ["a", "docs.example.org/docs"]


def test_a_page_without_a_slash_begins_in_its_folder(shop: Shop) -> None:
    serve(shop, {"/docs/intro": page("Intro", "setup", "/blog"), "/docs/setup": page("Setup"), "/blog": page("Blog")})
    assert list(shop.read("docs/intro", "1").files) == ["intro", "setup"]


def test_a_start_whose_links_are_all_siblings_says_what_to_try(shop: Shop) -> None:
    serve(shop, {"/docs/intro/": page("Intro", *(f"/docs/part{n}/" for n in range(214)))})
    error = shop.refused("docs/intro/")
    assert isinstance(error, NotFound)
    assert error.message.startswith(f"0 of 214 links of {BASE}docs/intro/ are in scope")
    assert f"try --scope host: refdesk add site:handbook@1 --url {BASE}docs/intro/ --scope host" in error.suggestion
    assert f"--url {BASE}docs/" in error.suggestion
    assert len(shop.read("docs/intro/", "1", scope="host", max_pages=5).files) == 1


def test_pages_that_the_browser_could_not_render_are_told_of(shop: Shop) -> None:
    serve(shop, {"/": page("Shop", "/more"), "/more": page("More", "/")})
    told = [one.message for one in shop.read("", "1", render=True).problems if "render" in one.message]
    assert told == [f"2 page(s) read as served: the browser could not render them (first {BASE})."]


def test_a_site_of_one_page_is_a_site(shop: Shop) -> None:
    serve(shop, {"/": page("All of it", "https://elsewhere.example.org/")})
    read = shop.read("", "1")
    assert list(read.files) == ["index.html"]
    # It may also be the notice of a server in trouble, or links that scripts make.
    assert [(one.path, "--render" in one.message) for one in read.problems] == [("index.html", True)]


@pytest.mark.parametrize(
    ("pages", "path", "kind", "words"),
    [
        pytest.param({}, "gone/", NotFound, "There is no page", id="nothing there"),
        pytest.param({"/": failing(503)}, "", NetworkUnavailable, "503", id="server broken"),
        pytest.param({"/": moved("https://www.example.org/")}, "", SourceRejected, "another host", id="moved away"),
        pytest.param({"/llms.txt": page("404", "/")}, "llms.txt", SourceRejected, "HTML page", id="no llms.txt"),
        pytest.param(
            {"/llms.txt": Reply(b"# Box\n[a](https://elsewhere.example.org/)\n", "text/plain")}, "llms.txt", NotFound,
            "no page of its own host (1 of others)", id="llms.txt of other hosts",
        ),
    ],
)  # fmt: skip
def test_a_start_that_cannot_be_read_says_why(
    shop: Shop, pages: dict[str, Content], path: str, kind: type[RefdeskError], words: str
) -> None:
    serve(shop, pages)
    error = shop.refused(path)
    assert isinstance(error, kind)
    assert words in error.message


@pytest.mark.parametrize(
    ("error", "suggestion"),
    [
        (
            "docs.example.org lies in a private network",
            "REFDESK_PRIVATE_HOSTS=docs.example.org refdesk add site:handbook@1",
        ),
        ("robots.txt of docs.example.org forbids it", "--path FOLDER"),
        ("robots.txt of docs.example.org answers 503, so nothing may be fetched (RFC 9309)", "call again"),
        ("robots.txt of docs.example.org cannot be read (X), so nothing may be fetched", "call again"),
    ],
)
def test_a_start_that_may_not_be_fetched_says_what_to_do(tmp_path: Path, error: str, suggestion: str) -> None:
    class Refusing(MemoryFetcher):
        def fetch(self, url: str, *, render: bool = False, private_hosts: tuple[str, ...] = ()) -> Any:
            del render, private_hosts
            return replace(MemoryFetcher(Website({"/": page("A")})).fetch(BASE), url=url, status=0, error=error)

    source = SiteSource(Refusing(Website()), tmp_path, FixedClock())
    with pytest.raises(RefdeskError) as caught:
        source.discover(Spec(HANDBOOK, "1", site=SiteOptions(BASE)), silent)
    assert suggestion in caught.value.suggestion


@pytest.mark.parametrize(
    "options", [None, SiteOptions(), SiteOptions("docs.example.org"), SiteOptions(BASE, urls=("x",))]
)
def test_addresses_that_are_none_are_invalid(shop: Shop, options: SiteOptions | None) -> None:
    with pytest.raises(InvalidInput) as caught:
        shop.source.discover(Spec(HANDBOOK, "1", site=options), silent)
    assert "refdesk add site:handbook" in caught.value.suggestion


def test_pages_that_ask_not_to_be_indexed_are_left_out_unless_the_start_does_too(shop: Shop) -> None:
    shy = '<meta name="robots" content="noindex">'
    serve(shop, {"/1.0/": page("Box", "a"), "/1.0/a": page("A", head=shy)})
    read = shop.read("1.0/")
    assert list(read.files) == ["index.html"]
    assert "asks not to be indexed" in read.problems[0].message
    serve(shop, {"/1.0/": page("Box", "a", head=shy), "/1.0/a": page("A", head=shy)})
    assert list(shop.read("1.0/").files) == ["a", "index.html"]


def test_a_twin_is_told_where_it_was_fetched(shop: Shop) -> None:
    twin = '<link rel="alternate" type="text/markdown" href="{}">'
    serve(
        shop,
        {
            "/1.0/": page("Box", "a", head=twin.format("index.md")),
            "/1.0/a": page("A", head=twin.format("none.md")),
            "/1.0/index.md": Reply(b"# Box\n", "text/markdown"),
        },
    )
    assert shop.read("1.0/").twins == {"index.html": "index.md"}


def test_two_addresses_of_one_path_with_other_text_are_told(shop: Shop) -> None:
    serve(shop, {"/1.0/": page("Box", "index.html", "a"), "/1.0/index.html": page("Other"), "/1.0/a": page("A")})
    read = shop.read("1.0/")
    assert read.urls["index.html"] == BASE + "1.0/"
    assert [one.message for one in read.problems] == [
        f"Left out: {BASE}1.0/index.html has the path of {BASE}1.0/, and other text."
    ]


def test_a_site_of_which_nothing_can_be_read_any_more_keeps_what_it_had(shop: Shop) -> None:
    serve(shop, GUIDE)
    shop.read("en/3.2/")
    [found] = shop.source.discover(shop.spec("en/3.2/"), silent)
    serve(shop, {"/en/3.2/": moved("/en/3.2/empty"), "/en/3.2/empty": failing(404)})
    assert isinstance(_error(lambda: found.read(silent)), SourceRejected)
    assert shop.changes("site:handbook@3.2").added


def test_a_limit_of_pages_is_told(shop: Shop) -> None:
    serve(shop, GUIDE)
    read = shop.read("en/3.2/", max_pages=2)
    assert len(read.files) == 2
    assert any("over the limit of 2 pages" in one.message for one in read.problems)


def test_progress_names_the_release(shop: Shop) -> None:
    serve(shop, GUIDE)
    steps: list[Step] = []
    [found] = shop.source.discover(shop.spec("en/3.2/"), steps.append)
    found.read(steps.append)
    crawled = [step for step in steps if step.stage == "crawl"]
    assert {(step.subject, step.unit) for step in crawled} == {("site:handbook 3.2", "pages")}


def _error(call: Any) -> BaseException:
    with pytest.raises(RefdeskError) as caught:
        call()
    return caught.value


def test_many_pages_that_are_gone_are_one_problem(shop: Shop) -> None:
    def problems(count: int) -> list[str]:
        dead = [f"gone{number}" for number in range(count)]
        serve(shop, {"/en/4/": page("Box", "guide/", *dead), "/en/4/guide/": page("Guide")})
        return [one.message for one in shop.read("en/4/").problems]

    assert sum("answers 404" in one or "404" in one for one in problems(5)) == 5
    [together] = [one for one in problems(6) if "404" in one]
    assert together.startswith("6 addresses left out: ")
    assert "docs.example.org/en/4/gone0, " in together
