"""Addresses: one form, what belongs to a site, the path of a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.specs import ScopeRule
from refdesk.domain.urls import LONGEST, Scope, canonical, common_folder, folder_of, host_of, page_path, same_host

ROOT = "https://docs.example.org/en/3.2/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        pytest.param(
            "HTTPS://Docs.Example.ORG/Guide", "https://docs.example.org/Guide", id="scheme and host, not path"
        ),
        pytest.param("http://x.org:80/a", "http://x.org/a", id="the port of http"),
        pytest.param("https://x.org:443/a", "https://x.org/a", id="the port of https"),
        pytest.param("https://x.org:8443/a", "https://x.org:8443/a", id="another port"),
        pytest.param("https://x.org", "https://x.org/", id="no path"),
        pytest.param("https://x.org?b", "https://x.org/?b", id="no path, a query"),
        pytest.param("https://x.org./a", "https://x.org/a", id="the dot of the root"),
        pytest.param("https://x.org/a#b", "https://x.org/a", id="fragment"),
        pytest.param("https://x.org/a/./b/../c", "https://x.org/a/c", id="dot segments"),
        pytest.param("https://x.org/a/..", "https://x.org/", id="up at the end"),
        pytest.param("https://x.org/a/b/.", "https://x.org/a/b/", id="here at the end"),
        pytest.param("https://x.org/../../a", "https://x.org/a", id="above the root"),
        pytest.param("https://x.org/%2e%2e/a", "https://x.org/a", id="dots that are encoded"),
        pytest.param("https://x.org/.well-known/a", "https://x.org/.well-known/a", id="a name with a dot"),
        pytest.param("https://x.org/%7euser/%2f", "https://x.org/~user/%2F", id="encoding"),
        pytest.param("https://x.org/a b/\u00fc", "https://x.org/a%20b/%C3%BC", id="what must be encoded"),
        pytest.param("https://x.org/100%", "https://x.org/100%25", id="a percent sign"),
        pytest.param("https://x.org\\a\\b", "https://x.org/a/b", id="backslashes"),
        pytest.param(" https://x.org/\n a\t", "https://x.org/%20a", id="white space"),
        pytest.param("https://b\u00fccher.example/", "https://xn--bcher-kva.example/", id="international name"),
        pytest.param("https://[2001:DB8::1]:443/", "https://[2001:db8::1]/", id="address of version 6"),
        pytest.param("https://x.org/a?", "https://x.org/a", id="empty query"),
        pytest.param("https://x.org/a?b=2&a=1&a=0", "https://x.org/a?a=1&a=0&b=2", id="order of a query"),
        pytest.param("https://x.org/a?utm_source=q&gclid=1&page=2", "https://x.org/a?page=2", id="advertising"),
        pytest.param("https://x.org/a;jsessionid=A1?x=1", "https://x.org/a?x=1", id="session in the path"),
        pytest.param("https://x.org/a?PHPSESSID=12&x=1", "https://x.org/a?x=1", id="session in the query"),
        pytest.param("https://x.org/a?sid=0123456789abcdef0123", "https://x.org/a", id="a value of a session"),
        pytest.param("https://x.org/a?sid=chapter", "https://x.org/a?sid=chapter", id="no value of a session"),
        pytest.param("https://x.org/a?q=%7e+b/?", "https://x.org/a?q=~+b/?", id="encoding of a query"),
    ],
)
def test_an_address_has_one_form(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    "url",
    ["", "a/b", "mailto:a@example.org", "javascript:void(0)", "ftp://x.org/", "data:text/html,x", "https://", "https:///a",
     "https://u:p@x.org/", "https://u@x.org/", "https://x.org:99999/", "https://x.org:port/", "https://[::1/",
     "https://[fe80::1%25eth0]/", "https://x..org/", "https://-x-.org/", "https://x y.org/", "https://\u00ad.org/",
     "https://\u2100.org/", f"https://x.org/{'a' * LONGEST}", f"https://x.org/?{'a' * LONGEST}",
     f"https://{'a.' * 130}org/"],
)  # fmt: skip
def test_what_is_no_address_of_a_page_has_none(url: str) -> None:
    assert canonical(url) is None


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("b.html", "https://x.org/d/b.html"),
        ("/b", "https://x.org/b"),
        ("//y.org/b", "https://y.org/b"),
        ("?page=2", "https://x.org/d/a?page=2"),
        ("#part", "https://x.org/d/a?x=1"),
        ("", "https://x.org/d/a?x=1"),
        ("../../b", "https://x.org/b"),
        ("mailto:a@x.org", None),
    ],
)
def test_a_link_is_read_where_it_stands(href: str, expected: str | None) -> None:
    assert canonical(href, "https://x.org/d/a?x=1") == expected


SEGMENTS = st.text(st.sampled_from("ab.%2eF7~;=&?#/\\: \u00fc"), max_size=20)


@given(SEGMENTS, SEGMENTS)
def test_the_form_of_a_form_is_itself(path: str, query: str) -> None:
    once = canonical(f"https://Example.org/{path}?{query}")
    assert once is None or canonical(once) == once


@given(st.text(max_size=60))
def test_any_text_has_a_form_that_stays_or_none(text: str) -> None:
    for url in (text, f"http://{text}", f"https://x.org/{text}"):
        once = canonical(url)
        assert once is None or (canonical(once) == once and once.isascii())


@pytest.mark.parametrize(
    ("rule", "url", "own"),
    [
        ("path", ROOT + "guide/", ROOT + "guide/"),
        ("path", ROOT, ROOT),
        ("path", "https://docs.example.org/en/3.20/", None),
        ("path", "https://docs.example.org/en/", None),
        ("path", "http://docs.example.org/en/3.2/guide/", ROOT + "guide/"),
        ("path", "http://docs.example.org/en/", None),
        ("path", "https://example.org/en/3.2/", None),
        ("host", "https://docs.example.org/blog/", "https://docs.example.org/blog/"),
        ("host", "http://docs.example.org/blog/", "https://docs.example.org/blog/"),
        ("host", "https://docs.example.org:8443/en/3.2/", None),
        ("listed", ROOT + "guide/", None),
        ("path", "https://api.example.org/", "https://api.example.org/"),
        ("listed", "https://api.example.org/", "https://api.example.org/"),
    ],
)
def test_a_scope_says_what_belongs_to_a_site(rule: ScopeRule, url: str, own: str | None) -> None:
    scope = Scope(ROOT, rule, frozenset(["https://api.example.org/"]))
    assert scope.own(url) == own
    assert scope.contains(url) is (own is not None)


@given(st.sampled_from(["path", "host"]), st.lists(st.sampled_from(["en", "3.2", "b", "..", "c.html"]), max_size=5))
def test_what_a_site_asks_for_belongs_to_it(rule: ScopeRule, segments: list[str]) -> None:
    scope = Scope(ROOT, rule)
    url = canonical("http://docs.example.org/" + "/".join(segments))
    assert url is not None
    own = scope.own(url)
    assert own is None or (scope.own(own) == own and own.startswith("https://docs.example.org/"))


@pytest.mark.parametrize(
    ("urls", "folder"),
    [
        ((), ""),
        (("https://x.org/a/b",), "https://x.org/a/"),
        (("https://x.org/a/b/", "https://x.org/a/c?q=/z"), "https://x.org/a/"),
        (("https://x.org/a/", "https://x.org/ab/"), "https://x.org/"),
        (("https://x.org/a/", "https://y.org/a/"), ""),
    ],
)
def test_addresses_have_an_innermost_folder(urls: tuple[str, ...], folder: str) -> None:
    assert common_folder(urls) == folder


def test_parts_of_an_address() -> None:
    assert folder_of("https://x.org/a/b?c=/d/") == "https://x.org/a/"
    assert host_of("https://x.org:8443/a") == "x.org:8443"
    assert same_host("http://x.org/a", "https://x.org/b")
    assert not same_host("https://x.org/", "https://www.x.org/")


@pytest.mark.parametrize(
    ("url", "root", "path"),
    [
        (ROOT, ROOT, "index.html"),
        (ROOT + "guide/", ROOT, "guide/index.html"),
        (ROOT + "guide/index.html", ROOT, "guide/index.html"),
        (ROOT + "guide?page=2", ROOT, "guide?page=2"),
        (ROOT + "guide/?page=2", ROOT, "guide/index.html?page=2"),
        (ROOT + "?page=2", ROOT, "index.html?page=2"),
        (ROOT + "/a//b", ROOT, "a/b"),
        ("https://docs.example.org/api", ROOT, "docs.example.org/api"),
        ("https://docs.example.org/", "", "docs.example.org/index.html"),
    ],
)
def test_a_page_has_a_path_that_versions_share(url: str, root: str, path: str) -> None:
    assert page_path(url, root) == path
