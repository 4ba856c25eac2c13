"""What every fetcher must honour; subclass it with fixtures `site` (a website) and `served` (a fetcher of it)."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from fakes.website import Website, failing, moved, page
from refdesk.domain.errors import Cancelled, InvalidInput, NetworkUnavailable
from refdesk.domain.specs import ScopeRule
from refdesk.domain.urls import Scope
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched, Fetcher, Known
from refdesk.ports.progress import Step, silent

ELSEWHERE = "https://elsewhere.example.org/"


@dataclass(frozen=True)
class Served:
    """A fetcher, where the site is served to it, and the hosts that it may ask although they are private."""

    fetcher: Fetcher
    base: str
    private_hosts: tuple[str, ...] = ()

    def fetch(self, path: str) -> Fetched:
        return self.fetcher.fetch(self.base + path, private_hosts=self.private_hosts)

    def order(
        self,
        *starts: str,
        rule: ScopeRule = "path",
        known: dict[str, Known] | None = None,
        done: frozenset[str] = frozenset(),
        max_pages: int = 1000,
    ) -> CrawlOrder:
        urls = tuple(self.base + start for start in starts or ("docs/",))
        scope = Scope(self.base + "docs/", rule, frozenset(urls))
        return CrawlOrder(urls, scope, known or {}, done, max_pages, private_hosts=self.private_hosts)

    def crawl(self, order: CrawlOrder) -> tuple[dict[str, Fetched], Crawled]:
        """Path below the base → what came of it; each address at most once."""
        found: list[Fetched] = []
        crawled = self.fetcher.crawl(order, found.append, silent)
        by_path = {one.url.removeprefix(self.base): one for one in found}
        assert len(by_path) == len(found) == crawled.fetched
        return by_path, crawled


def a_site() -> Website:
    """Pages in scope and out of it, a redirect of each kind, and a dead link."""
    return Website(
        {
            "/docs/": page("Home", "guide/", "/docs/old", "away", "gone", "/blog/", ELSEWHERE, "guide/#part"),
            "/docs/guide/": page("Guide", "../", "a.html?b=2&a=1", body="<pre>x = 1\n</pre>"),
            "/docs/guide/a.html?a=1&b=2": page("A"),
            "/docs/old": moved("/docs/new"),
            "/docs/new": page("New"),
            "/docs/away": moved(ELSEWHERE),
            "/blog/": page("Blog", "/docs/"),
        }
    )


class FetcherContract:
    def test_one_page_comes_with_its_bytes_validators_and_links(self, served: Served) -> None:
        page = served.fetch("docs/guide/")
        assert (page.url, page.final_url, page.status, page.error) == (page.url, page.url, 200, "")
        assert page.content_type == "text/html; charset=utf-8"
        assert b"<pre>x = 1\n</pre>" in page.body
        assert page.etag
        assert page.links == (served.base + "docs/", served.base + "docs/guide/a.html?a=1&b=2")

    def test_one_page_that_moved_on_its_host_is_followed(self, served: Served) -> None:
        page = served.fetch("docs/old")
        assert page.url == served.base + "docs/old"
        assert page.final_url == served.base + "docs/new"
        assert page.status == 200

    def test_one_page_that_moved_to_another_host_is_told_and_not_followed(self, served: Served) -> None:
        page = served.fetch("docs/away")
        assert page.final_url == ELSEWHERE
        assert "another host" in page.error
        assert not page.body

    def test_one_page_that_is_not_there_says_so(self, served: Served) -> None:
        page = served.fetch("docs/gone")
        assert page.status == 404
        assert page.error

    @pytest.mark.parametrize("url", ["docs/", "ftp://docs.example.org/", "mailto:a@example.org"])
    def test_what_is_no_address_is_invalid(self, served: Served, url: str) -> None:
        with pytest.raises(InvalidInput) as caught:
            served.fetcher.fetch(url)
        assert caught.value.suggestion

    def test_a_crawl_delivers_what_is_in_scope_and_nothing_else(self, served: Served) -> None:
        found, crawled = served.crawl(served.order())
        assert set(found) == {
            "docs/", "docs/guide/", "docs/guide/a.html?a=1&b=2", "docs/old", "docs/new", "docs/away", "docs/gone",
        }  # fmt: skip
        assert crawled.out_of_scope >= 2
        assert found["docs/guide/"].links == (served.base + "docs/", served.base + "docs/guide/a.html?a=1&b=2")
        assert ELSEWHERE not in found["docs/"].links

    def test_a_redirect_is_delivered_and_so_is_its_target(self, served: Served) -> None:
        found, _ = served.crawl(served.order())
        assert found["docs/old"].status == 301
        assert found["docs/old"].final_url == served.base + "docs/new"
        assert found["docs/old"].error == ""
        assert found["docs/new"].status == 200

    def test_a_redirect_out_of_scope_is_reported_and_not_followed(self, served: Served) -> None:
        found, _ = served.crawl(served.order())
        assert found["docs/away"].final_url == ELSEWHERE
        assert "another host" in found["docs/away"].error

    def test_a_page_that_fails_does_not_stop_the_others(self, served: Served, site: Website) -> None:
        site.pages["/docs/guide/"] = failing(500)
        found, _ = served.crawl(served.order())
        assert found["docs/guide/"].status == 500
        assert "500" in found["docs/guide/"].error
        assert found["docs/new"].status == 200
        assert found["docs/gone"].status == 404

    def test_a_page_that_did_not_change_is_asked_for_conditionally_and_its_links_followed(self, served: Served) -> None:
        first, _ = served.crawl(served.order())
        known = {one.url: Known(one.etag, one.last_modified, one.links) for one in first.values()}
        again, _ = served.crawl(served.order(known=known))
        assert set(again) == set(first)
        pages = [path for path, one in first.items() if one.status == 200]
        assert {path: again[path].status for path in pages} == dict.fromkeys(pages, 304)
        assert not any(one.body or one.error for path, one in again.items() if path in pages)

    def test_what_was_done_is_not_asked_again_but_what_it_leads_to_is(self, served: Served) -> None:
        first, _ = served.crawl(served.order())
        known = {one.url: Known(one.etag, one.last_modified, one.links) for one in first.values()}
        done = frozenset(served.base + path for path in ("docs/", "docs/guide/", "docs/old"))
        again, _ = served.crawl(served.order(known=known, done=done))
        assert set(again) == {"docs/guide/a.html?a=1&b=2", "docs/new", "docs/away", "docs/gone"}

    def test_a_known_page_that_fails_still_leads_on(self, served: Served, site: Website) -> None:
        first, _ = served.crawl(served.order())
        known = {one.url: Known(one.etag, one.last_modified, one.links) for one in first.values()}
        site.pages["/docs/guide/"] = failing(503)
        again, _ = served.crawl(served.order(known=known))
        assert again["docs/guide/"].error
        assert again["docs/guide/a.html?a=1&b=2"].status == 304

    def test_only_what_is_listed_is_fetched_where_that_is_the_rule(self, served: Served) -> None:
        found, _ = served.crawl(served.order("docs/guide/", "blog/", rule="listed"))
        assert set(found) == {"docs/guide/", "blog/"}

    def test_the_whole_host_is_followed_where_that_is_the_rule(self, served: Served) -> None:
        found, _ = served.crawl(served.order(rule="host"))
        assert found["blog/"].status == 200

    def test_no_more_addresses_than_the_limit_are_asked_for(self, served: Served) -> None:
        found, crawled = served.crawl(served.order(max_pages=2))
        assert len(found) == 2
        assert crawled.refused == sum(crawled.reasons.values()) > 0
        assert any("limit of 2" in reason for reason in crawled.reasons)

    def test_nothing_at_all_is_an_error_of_the_network(self, served: Served, site: Website) -> None:
        site.pages["/docs/"] = failing(500)
        with pytest.raises(NetworkUnavailable) as caught:
            served.crawl(served.order())
        assert caught.value.suggestion

    @pytest.mark.parametrize("who", ["deliver", "progress"])
    def test_a_caller_that_stops_waiting_ends_the_crawl(self, served: Served, who: str) -> None:
        kept: list[Fetched] = []

        def deliver(page: Fetched) -> None:
            kept.append(page)
            if who == "deliver" and len(kept) == 2:
                raise Cancelled("Stopped.")

        def progress(step: Step) -> None:
            if who == "progress" and step.done == 2:
                raise Cancelled("Stopped.")

        with pytest.raises(Cancelled):
            served.fetcher.crawl(served.order(), deliver, progress)
        assert len(kept) == 2

    def test_progress_counts_pages(self, served: Served) -> None:
        steps: list[Step] = []
        served.fetcher.crawl(served.order(), lambda _page: None, steps.append)
        last = steps[-1]
        assert (last.stage, last.unit, last.done, last.total) == ("crawl", "pages", 7, 7)
        assert _is_rising([step.done for step in steps])


def _is_rising(numbers: Sequence[int]) -> bool:
    return list(numbers) == sorted(numbers)
