"""Real sites, served on this machine, crawled, indexed and asked: names, versions and counts are what is asserted.

A part of the larger ones is read, which takes CI a few minutes; with `REFDESK_TEST_SITES=full` it is all of Python and
Django, and Java's largest module.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fakes.shelved import Shelved, shelved
from fakes.website import Website
from refdesk.domain.errors import Ambiguous
from sites_real.provide import Missing, provide

pytestmark = [pytest.mark.sites, pytest.mark.packages, pytest.mark.slow]

FULL = os.environ.get("REFDESK_TEST_SITES") == "full"


@dataclass(frozen=True)
class Real:
    """One site as it is added.

    Attributes:
        source: Name in `sites_real.provide`.
        part: Where a crawl begins that reads a part; it is also below `whole`.
        version: That is named; empty to have it found.
        found: The version that is served.
        folded: Pages with code that is left out on purpose: the sources that mkdocstrings folds under each entry, and
            lines of code inside the cells of tables, which are no blocks there.
    """

    source: str
    found: str
    part: str = ""
    whole: str = ""
    version: str = ""
    options: dict[str, str] = field(default_factory=dict)
    folded: tuple[str, ...] = ()


SITES = {
    "attrs-22": Real("attrs-22", "22.2"),
    "attrs": Real("attrs-25", "25.4"),
    "hatch": Real("hatch", "1.14", version="1.14", folded=("plugins/",)),
    "orrery": Real("vitepress", "3.2.1", version="3.2.1"),
    "kiln": Real("docusaurus", "2.0", "docs/intro/", "docs/intro/", "2.0", {"scope": "host"}),
    "python": Real("python", "3.11.2", "library/"),
    "django": Real("django", "3.2.25", "topics/"),
    "node": Real("node", "18.20.4", "fs.html", "index.html"),
    "postgresql": Real("postgresql", "15.18", folded=("functions-", "uuid-ossp")),
    "java": Real("javadoc", "17", "java.logging/module-summary.html", "java.base/module-summary.html"),
}


class Served:
    """Sites over one desk; each is served and added when it is first asked about."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._added: dict[str, Any] = {}
        self._stack = shelved(folder / "home")
        self.desk: Shelved = self._stack.__enter__()

    def close(self) -> None:
        self._stack.__exit__(None, None, None)

    def add(self, name: str) -> Any:
        """The row of the answer to adding a site."""
        if name not in self._added:
            site = SITES[name]
            website = website_of(_folder(site.source))
            with website.serving():
                options: dict[str, Any] = dict(site.options)
                if site.version:
                    options["version"] = site.version
                start = site.whole if FULL else site.part
                self._added[name] = self.desk.add(name.partition("-")[0], url=website.url + start, **options)
        return self._added[name]


def _folder(source: str) -> Path:
    try:
        return provide(source)
    except Missing as missing:
        pytest.skip(f"{source} cannot be had here: {missing}")


def website_of(folder: Path) -> Website:
    """A server that finds `guide/start.html` for `/guide/start`, as those of sites with clean addresses do."""

    def clean(path: str) -> bytes | None:
        file = folder / f"{path.strip('/')}.html"
        return file.read_bytes() if file.is_file() else None

    return Website(folder=folder, otherwise=clean)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    opened = Served(tmp_path_factory.mktemp("sites"))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("name", "pages", "symbols"),
    [
        ("attrs", 16, 100),
        ("attrs-22", 15, 70),
        ("hatch", 60, 120),
        ("orrery", 6, 0),
        ("kiln", 6, 0),
        ("python", 300, 8_000),
        ("django", 60, 100),
        ("node", 60, 2_500),
        ("postgresql", 1_000, 0),
        ("java", 19, 200),
    ],
)
def test_a_site_is_read_from_its_address_to_its_pack(served: Served, name: str, pages: int, symbols: int) -> None:
    row = served.add(name)
    site = SITES[name]
    assert row["outcome"] == "indexed"
    assert row["release"].endswith(f" {site.found}")
    assert row["pages"] >= pages
    assert row["symbols"] >= symbols
    library, version = row["release"].removeprefix("site:").rsplit(" ", 1)
    receipts = served.desk.pack(library, version).fidelity()
    lost = [one.path for one in receipts if one.after.code < one.before.code or one.after.tables < one.before.tables]
    assert [path for path in lost if not path.startswith(site.folded)] == []
    assert all(chunk.url.startswith("http://127.0.0.1:") for chunk in served.desk.chunks(library, version))


class TestAttrs:
    """Sphinx with furo, in two versions side by side."""

    @pytest.fixture
    def attrs(self, served: Served) -> Shelved:
        served.add("attrs-22")
        served.add("attrs")
        return served.desk

    def test_a_name_without_a_version_means_the_newest(self, attrs: Shelved) -> None:
        assert attrs.detail("attrs.define", "attrs")["version"]["served"] == "25.4"

    def test_each_version_has_its_own_signature(self, attrs: Shelved) -> None:
        named = {
            version: {param["name"] for param in attrs.detail("attrs.define", "attrs", version=version)["params"]}
            for version in ("22.2", "25.4")
        }
        assert named["25.4"] - named["22.2"] == {"collect_by_mro", "force_kw_only"}
        assert named["22.2"] <= named["25.4"]

    def test_what_only_the_later_version_names_is_not_taken_for_proven(self, attrs: Shelved) -> None:
        assert attrs.detail("attrs.validators.or_", "attrs", version="25.4")["since"] == "24.1.0"
        told = attrs.call("check_version", api="attrs.validators.or_", library="site:attrs", version="22.2")
        assert (told["status"], told["compared_with"]) == ("unknown", "site:attrs 25.4")
        assert [one["state"] for one in told["states"]] == ["absent", "available"]

    def test_a_version_binds_to_its_object(self, attrs: Shelved) -> None:
        assert attrs.detail("attrs.asdict", "attrs")["since"] == "21.3.0"

    def test_a_page_is_read_by_its_address(self, attrs: Shelved) -> None:
        (hit, *_) = attrs.search("how do I make instances immutable", "attrs", version="25.4")
        assert attrs.call("get_page", page=hit["url"])["text"]


def test_only_what_changed_is_fetched_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(_folder("attrs-25"), folder)
    with shelved(tmp_path / "home") as desk, Website(folder=folder).serving() as website:
        desk.add("attrs", url=website.url)
        first = [published.pack for published in desk.published()]
        website.asked.clear()

        (row,) = desk.call("refresh_library", library="site:attrs")["refreshed"]
        assert row["outcome"] == "unchanged"
        assert {one.status for one in website.asked if one.path.endswith(".html")} == {304}
        assert [published.pack for published in desk.published()] == first

        why = folder / "why.html"
        why.write_text(why.read_text("utf-8").replace("</h1>", "</h1><p>A heron is new here.</p>", 1), "utf-8")
        (row,) = desk.call("refresh_library", library="site:attrs")["refreshed"]
        assert [row[kind]["count"] for kind in ("added", "removed", "failed")] == [0, 0, 0]
        assert row["changed"]["pages"] == [f"{website.url}why.html"]
        assert "heron" in desk.search("heron", "attrs")[0]["snippet"]


def test_material_tabs_are_chunks_with_their_labels(served: Served) -> None:
    served.add("hatch")
    labels = {label for chunk in served.desk.chunks("hatch") for label in chunk.facets}
    assert {"pyproject.toml", "hatch.toml", "Git", "Mercurial"} <= labels


def test_vitepress_code_groups_badges_and_line_numbers(served: Served) -> None:
    served.add("orrery")
    desk = served.desk
    (found,) = [chunk for chunk in desk.chunks("orrery") if "deno add" in chunk.text]
    assert found.facets == ("deno",)
    start = desk.page("guide/start", "orrery")
    assert "sky.add({ name: 'Tethys', period: 1.888 })\nsky.start()\n```" in start
    assert "> **Warning" in start
    assert "Wound up with care" not in start
    assert "Edit this page" not in start
    assert "3.1+" in desk.page("guide/moons", "orrery")


def test_docusaurus_tabs_versions_and_its_banner(served: Served) -> None:
    served.add("kiln")
    desk = served.desk
    tabs = {chunk.facets: chunk.languages for chunk in desk.chunks("kiln") if "cone-6" in chunk.text and chunk.facets}
    assert tabs == {("Python",): ("python",), ("Go",): ("go",), ("Rust",): ("rust",)}
    everything = "\n".join(chunk.text for chunk in desk.chunks("kiln"))
    for furniture in ("pottery fair", "Kiln guild", "Edit this page", "Skip to main content"):
        assert furniture not in everything
    assert "\tkiln.Install(" in everything


def test_python_json_dumps_is_found_by_name_and_by_question(served: Served) -> None:
    served.add("python")
    detail = served.desk.detail("json.dumps", "python")
    assert detail["signature"].startswith("json.dumps(obj, *, skipkeys=False, ensure_ascii=True,")
    assert served.desk.detail("asyncio.TaskGroup", "python")["since"] == "3.11"
    hits = served.desk.search("merge sorted inputs into one sorted iterator", "python")
    assert any("heapq" in hit["url"] for hit in hits)


def test_node_functions_have_their_history(served: Served) -> None:
    served.add("node")
    read = served.desk.detail("fs.readFile", "node")
    assert read["since"].removeprefix("v") == "0.1.29"
    assert {"path", "options", "callback"} <= {param["name"] for param in read["params"]}
    exists = served.desk.detail("fs.exists", "node")["deprecated"]
    assert exists["since"].removeprefix("v") == "1.0.0"
    assert "fs.stat()" in exists["replacement"]


@pytest.mark.skipif(FULL, reason="the whole profile reads another module")
def test_a_java_class_has_its_methods(served: Served) -> None:
    served.add("java")
    thread = served.desk.detail("java.util.logging.LogRecord.getThreadID", "java")
    assert (thread["deprecated"]["since"], thread["returns"]["type"]) == ("16", "int")
    with pytest.raises(Ambiguous, match="getLogger"):
        served.desk.detail("java.util.logging.Logger.getLogger", "java")


def test_a_postgresql_command_has_its_page(served: Served) -> None:
    served.add("postgresql")
    (hit, *_) = served.desk.search("VACUUM command reclaim storage", "postgresql")
    assert "/sql-vacuum.html" in hit["url"]
    text = served.desk.page("sql-vacuum.html", "postgresql")
    assert "VACUUM [ ( " in text
    assert "Prev" not in text.splitlines()[0]
