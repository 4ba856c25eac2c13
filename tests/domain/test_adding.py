"""One call of `add`: specs, and what stands beside them."""

from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.adding import AddOptions, parse_add
from refdesk.domain.errors import InvalidInput
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier
from refdesk.domain.specs import SiteOptions, Spec

FLASK = Library("site", "flask")
URL = "https://flask.example/en/3.0.x/"


@pytest.mark.parametrize(
    ("words", "options", "spec"),
    [
        pytest.param(["pypi:httpx"], AddOptions(version="0.27"), Spec(Library("pypi", "httpx"), "0.27"), id="version"),
        pytest.param(["pypi:httpx@1"], AddOptions(version=" 1 "), Spec(Library("pypi", "httpx"), "1"), id="said-twice"),
        pytest.param(
            ["aws:s3"],
            AddOptions(via="botocore==1.2"),
            Spec(Library("aws", "s3"), via=Carrier("botocore", "1.2")),
            id="via",
        ),
        pytest.param(["site:flask"], AddOptions(url=URL), Spec(FLASK, site=SiteOptions(URL)), id="url"),
        pytest.param(["site:Flask@3.0"], AddOptions(url=f" {URL} "), Spec(FLASK, "3.0", site=SiteOptions(URL)), id="@"),
        pytest.param(
            ["site:flask"],
            AddOptions(url=URL, version="3.0"),
            Spec(FLASK, "3.0", site=SiteOptions(URL)),
            id="url-version",
        ),
        pytest.param(
            ["site:flask"],
            AddOptions(urls=(URL, f"{URL}api/", URL)),
            Spec(FLASK, site=SiteOptions(urls=(URL, f"{URL}api/"), scope="listed")),
            id="a-list-alone-is-all",
        ),
        pytest.param(
            ["site:flask"],
            AddOptions(
                url=URL,
                urls=("http://other.example/a",),
                version_from="inventory",
                scope="host",
                max_pages=7,
                render=True,
                documents="PyPI:Flask",
            ),
            Spec(FLASK, site=SiteOptions(URL, ("http://other.example/a",), "inventory", "host", 7, True, "pypi:flask")),
            id="everything",
        ),
        pytest.param(["site:flask"], AddOptions(path="docs"), Spec(FLASK, path="docs"), id="folder"),
        pytest.param(["site:flask@2"], AddOptions(path="a b"), Spec(FLASK, "2", path="a b"), id="folder-version"),
        pytest.param(
            ["site:flask"],
            AddOptions(path="docs", documents="azure:core", version_from="title"),
            Spec(FLASK, path="docs", site=SiteOptions(version_from="title", documents="pypi:azure-core")),
            id="folder-that-documents",
        ),
        pytest.param(
            ["files:docs", "as", "site:flask"],
            AddOptions(version="2"),
            Spec(FLASK, "2", path="docs"),
            id="files-version",
        ),
        pytest.param(
            ["files:docs as site:flask"],
            AddOptions(documents="pypi:flask"),
            Spec(FLASK, path="docs", site=SiteOptions(documents="pypi:flask")),
            id="files-that-document",
        ),
    ],
)
def test_what_stands_beside_a_spec_completes_it(words: Sequence[str], options: AddOptions, spec: Spec) -> None:
    assert parse_add(words, options) == (spec,)


def test_several_libraries_are_added_as_before() -> None:
    assert len(parse_add(["pypi:a", "files:x", "as", "site:y", "gcp:drive"], AddOptions())) == 3


@pytest.mark.parametrize(
    ("words", "options", "says", "way"),
    [
        pytest.param(["pypi:a", "pypi:b"], AddOptions(version="1"), "2 are named", "pypi:a@1", id="version-of-two"),
        pytest.param(["pypi:a@1"], AddOptions(version="2"), "Two versions", "pypi:a@2", id="two-versions"),
        pytest.param(["pypi:a"], AddOptions(version="a b"), "cannot label", "pypi:a@2.1", id="version-with-a-space"),
        pytest.param(["site:x@1@2"], AddOptions(url=URL), "cannot label", "site:x@2.1", id="two-at-signs"),
        pytest.param([], AddOptions(url=URL), "0 libraries", f"site:NAME --url {URL}", id="nothing"),
        pytest.param(["site:a", "site:b"], AddOptions(url=URL), "one site", f"--url {URL}", id="two-sites"),
        pytest.param(["site:a", "site:b"], AddOptions(url=URL, render=True), "describe one", "", id="two-options"),
        pytest.param(
            ["pypi:flask"],
            AddOptions(url=URL),
            "package registry",
            f"site:flask --url {URL} --documents pypi:flask",
            id="package",
        ),
        pytest.param(["aws:*"], AddOptions(path="x"), "package registry", "site:NAME --path x", id="every-service"),
        pytest.param(["site:*"], AddOptions(url=URL), "names no site", "site:NAME", id="every-site"),
        pytest.param(["files:x as site:*"], AddOptions(), "names no site", "site:NAME", id="folder-of-every-site"),
        pytest.param(["flask"], AddOptions(url=URL), "no ecosystem", "site:flask", id="bare-name"),
        pytest.param(["site:x"], AddOptions(url=URL, path="d"), "two places", "--path d", id="url-and-path"),
        pytest.param(["files:d as site:x"], AddOptions(url=URL), "url does too", "site:x --url", id="files-and-url"),
        pytest.param(
            ["files:d as site:x", "pypi:a"],
            AddOptions(documents="pypi:x"),
            "2 libraries",
            "site:NAME",
            id="files-and-more",
        ),
        pytest.param(
            ["site:x"],
            AddOptions(path="d", scope="host", max_pages=2),
            "scope and max_pages are for",
            "--path d",
            id="folder-with-a-scope",
        ),
        pytest.param(["site:x"], AddOptions(path="d", urls=(URL,)), "read whole", "--path d", id="folder-and-urls"),
        pytest.param(["site:x"], AddOptions(path="d", version_from="url"), "read whole", "", id="folder-without-a-url"),
        pytest.param(["site:x"], AddOptions(documents="pypi:x"), "where its pages are", "--url URL", id="no-place"),
        pytest.param(
            ["site:x"], AddOptions(version="3"), "where its pages are", "refdesk refresh site:x", id="version"
        ),
        pytest.param(["site:x"], AddOptions(url=URL, via="a==1"), "no carrier", "Leave via out", id="via"),
        pytest.param(["site:x"], AddOptions(urls=(URL,), scope="path"), "needs a url", "--url URL", id="no-start"),
        pytest.param(["site:x@1"], AddOptions(url=URL, version_from="url"), "is given, 1", "Leave one", id="known"),
        pytest.param(
            ["site:x"], AddOptions(url="x.example/docs"), "no http", "--url https://x.example/docs", id="bare"
        ),
        pytest.param(["site:x"], AddOptions(url="localhost:80"), "no http", "https://HOST", id="no-dot"),
        pytest.param(["site:x"], AddOptions(url="docs"), "no http", "https://HOST/PATH/", id="word"),
        pytest.param(["site:x"], AddOptions(url="./docs"), "no http", "--path ./docs", id="folder-as-url"),
        pytest.param(["site:x"], AddOptions(url="file:///docs"), "no http", "--path /docs", id="file-url"),
        pytest.param(["site:x"], AddOptions(url="ftp://x.example/"), "no http", "https://HOST", id="ftp"),
        pytest.param(["site:x"], AddOptions(url="https://x example/"), "no http", "https://HOST", id="space"),
        pytest.param(["site:x"], AddOptions(url="https://[x/"), "no http", "https://HOST", id="broken-host"),
        pytest.param(["site:x"], AddOptions(url="https://"), "no http", "https://HOST", id="no-host"),
        pytest.param(["site:x"], AddOptions(url="h" * 5000), "h…", "https://HOST", id="long"),
        pytest.param(["site:x"], AddOptions(urls=("/a",)), "urls: '/a'", "--urls https://HOST", id="listed-path"),
        pytest.param(["site:x"], AddOptions(url="https://a:b@x.example/"), "password", "Leave the", id="password"),
        pytest.param(
            ["site:x"], AddOptions(path="HTTPS://x.example/"), "is an address", "--url HTTPS", id="url-as-path"
        ),
        pytest.param(["site:x"], AddOptions(url=URL, documents="site:y"), "none", "pypi:y", id="documents-a-site"),
        pytest.param(
            ["site:x"], AddOptions(url=URL, documents="pypi:x==3"), "without a version", "pypi:x", id="pinned"
        ),
        pytest.param(
            ["site:x"], AddOptions(url=URL, documents="flask"), "no ecosystem", "pypi:flask", id="documents-bare"
        ),
        pytest.param(
            ["https://x.example/"], AddOptions(), "an address", "site:NAME --url https://x.example/", id="word-url"
        ),
        pytest.param(["./docs"], AddOptions(), "a folder", "site:NAME --path ./docs", id="word-folder"),
        pytest.param(["docs/"], AddOptions(), "a folder", "site:NAME --path docs/", id="word-folder-with-a-slash"),
    ],
)
def test_a_wrong_mixture_names_the_right_call(words: Sequence[str], options: AddOptions, says: str, way: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        parse_add(words, options)
    assert says in raised.value.message
    assert way in raised.value.suggestion
    assert raised.value.suggestion


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (Spec(FLASK, site=SiteOptions(URL)), f"site:flask from {URL}"),
        (Spec(FLASK, "3.0", site=SiteOptions(urls=(URL, URL))), "site:flask@3.0 from 2 listed pages"),
        (Spec(FLASK, "3.0", path="docs", site=SiteOptions(documents="pypi:x")), "files:docs as site:flask@3.0"),
    ],
)
def test_a_spec_of_a_site_reads_as_people_say_it(spec: Spec, text: str) -> None:
    assert str(spec) == text


@given(
    st.lists(st.one_of(st.sampled_from(["site:x", "files:a as site:x", "pypi:a"]), st.text(max_size=9)), max_size=3),
    st.builds(
        AddOptions,
        via=st.text(max_size=4),
        version=st.text(max_size=4),
        url=st.text(max_size=20),
        path=st.text(max_size=4),
        urls=st.lists(st.text(max_size=9), max_size=2).map(tuple),
        documents=st.text(max_size=9),
    ),
)
def test_anything_gives_specs_or_invalid_input(words: list[str], options: AddOptions) -> None:
    with suppress(InvalidInput):
        assert all(str(one) for one in parse_add(words, options))
