"""Sites that begin with a list of their pages: llms.txt, sitemaps, inventories, addresses that a person names."""

import gzip
import zlib
from pathlib import Path

import pytest

from fakes.shop import BASE, HANDBOOK, Shop, serve
from fakes.website import Reply, page
from refdesk.adapters.sources import sitemaps
from refdesk.adapters.sources.sitemaps import Listed, read_inventory, read_sitemap
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.ports.progress import silent


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "sites")


INVENTORY = b"# Sphinx inventory version 2\n# Project: Box\n# Version: 25.4.0\n# The rest is packed\n"


def inventory(*lines: str) -> bytes:
    return INVENTORY + zlib.compress("".join(f"{line}\n" for line in lines).encode())


OPTIONS = page("Box", "a", head="<script src='_static/documentation_options.js'></script>")


def test_pages_of_llms_txt_are_read_and_nothing_else(shop: Shop) -> None:
    text = b"# Box\n- [A](/docs/a.md)\n- [B](docs/b.md)\n- [C](https://elsewhere.example.org/c.md)\n"
    serve(
        shop,
        {
            "/llms.txt": Reply(text, "text/plain"),
            "/docs/a.md": Reply(b"# A\n[c](c.md)\n", "text/markdown"),
            "/docs/b.md": Reply(b"# B\n", "text/markdown"),
            "/docs/c.md": Reply(b"# C\n", "text/markdown"),
        },
    )
    read = shop.read("llms.txt", "1")
    assert list(read.files) == ["a.md", "b.md"]
    assert [one.message for one in read.problems] == [
        "1 address left out: on another host than the list that names them."
    ]


def test_llms_full_txt_is_parted_into_its_pages(shop: Shop) -> None:
    text = f"# A\nSource: {BASE}a\n\nOne.\n\n# B\nSource: {BASE}guide/b\n\nTwo.\n"
    serve(shop, {"/llms-full.txt": Reply(text.encode(), "text/plain")})
    read = shop.read("llms-full.txt", "1")
    assert dict(read.files) == {"a.md": b"# A\n\nOne.\n", "guide/b.md": b"# B\n\nTwo.\n"}
    assert read.urls["guide/b.md"] == BASE + "guide/b"
    assert read.types["a.md"].startswith("text/markdown")
    assert shop.read("llms-full.txt", "1").origin.sha256 == read.origin.sha256


def sitemap(kind: str, *places: str) -> bytes:
    entries = "".join(f"<x><loc>{place}</loc><image><loc>{BASE}i.png</loc></image></x>" for place in places)
    return (
        f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{kind}>'.encode()
    )


def test_pages_of_a_sitemap_and_of_those_that_it_names_are_read(shop: Shop) -> None:
    serve(
        shop,
        {
            "/sitemap.xml": Reply(
                sitemap(
                    "sitemapindex", BASE + "a.xml.gz", "/b.xml", "/none.xml", "https://elsewhere.example.org/s.xml"
                ),
                "application/xml",
            ),
            "/a.xml.gz": Reply(
                gzip.compress(sitemap("urlset", BASE + "docs/a/", BASE + "docs/b/")), "application/gzip"
            ),
            "/b.xml": Reply(sitemap("sitemapindex", "/b.xml", "/c.xml"), "application/xml"),
            "/c.xml": Reply(sitemap("urlset", "/docs/c/", "mailto:x"), "application/xml"),
            **{f"/docs/{name}/": page(name, "/docs/d/") for name in "abcd"},
        },
    )
    assert list(shop.read("sitemap.xml", "1").files) == ["a/index.html", "b/index.html", "c/index.html"]
    assert "docs/d/index.html" in shop.read("sitemap.xml", "2", scope="host").files


def test_pages_of_an_inventory_are_read_and_their_links(shop: Shop) -> None:
    listing = inventory(
        "box.Box py:class 1 api.html#$ -", "a label std:label -1 guide.html#part The label", "x py:y 1 $ -"
    )
    serve(
        shop,
        {
            "/en/objects.inv": Reply(listing, "application/octet-stream"),
            "/en/": page("Box", "more.html"),
            "/en/api.html": page("Api"),
            "/en/guide.html": page("Guide"),
            "/en/more.html": page("More"),
        },
    )
    read = shop.read("en/objects.inv")
    assert read.release.version == "25.4.0"
    assert list(read.files) == ["api.html", "guide.html", "index.html", "more.html", "objects.inv"]


def test_the_inventory_of_a_sphinx_site_is_read_beside_its_pages(shop: Shop) -> None:
    serve(shop, {"/": OPTIONS, "/a": page("A"), "/objects.inv": Reply(inventory(), "application/octet-stream")})
    assert "objects.inv" in shop.read().files


def test_listed_pages_are_read_and_no_others(shop: Shop) -> None:
    serve(shop, {f"/en/3.2/{name}": page(name, "/en/3.2/other") for name in ("guide/", "picture", "other")})
    spec = Spec(HANDBOOK, site=SiteOptions(urls=(BASE + "en/3.2/guide/", BASE + "en/3.2/picture"), scope="listed"))
    [found] = shop.source.discover(spec, silent)
    read = found.read(silent)
    assert read.release.version == "3.2"
    assert list(read.files) == ["guide/index.html", "picture"]
    assert read.origin.package == BASE + "en/3.2/guide/"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"# Box",
        b"<html><body>404</body></html>",
        b"<",
        b"\x1f\x8bbroken",
        gzip.compress(b"no list"),
        b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/hostname'>]><rss><loc>&a;</loc></rss>",
    ],
)
def test_what_is_no_sitemap_is_none(content: bytes) -> None:
    assert read_sitemap(content, BASE) is None


def test_a_sitemap_reads_no_files(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("https://docs.example.org/secret", "utf-8")
    content = (
        f"<!DOCTYPE urlset [<!ENTITY a SYSTEM '{(tmp_path / 'secret').as_uri()}'>]>"
        "<urlset><url><loc>&a;</loc></url><url><loc>/b</loc></url></urlset>"
    )
    found = read_sitemap(content.encode(), BASE)
    assert found is not None
    assert BASE + "secret" not in found.urls
    assert BASE + "b" in found.urls


@pytest.mark.parametrize(
    "content", [b"", b"<html>", INVENTORY, INVENTORY + b"not packed", INVENTORY.replace(b"version 2", b"version 1")]
)
def test_an_inventory_that_is_broken_names_no_pages(content: bytes) -> None:
    assert read_inventory(content, BASE) in (None, Listed())


def test_lists_that_unpack_to_more_than_they_may_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "_LARGEST", 1000)
    assert read_sitemap(gzip.compress(b"<urlset>" + b" " * 100_000 + b"</urlset>"), BASE) is None
    assert read_inventory(inventory(*["a py:b 1 c.html -"] * 10_000), BASE) is None
