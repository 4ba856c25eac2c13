"""Scrapy over loopback and the fake pass one contract."""

from collections.abc import Iterator

import pytest

from contracts.fetcher_contract import FetcherContract, Served, a_site
from fakes.fetcher import MemoryFetcher
from fakes.website import Website
from refdesk.adapters.crawler import Limits, ScrapyFetcher


class TestScrapy(FetcherContract):
    @pytest.fixture
    def site(self) -> Iterator[Website]:
        with a_site().serving() as site:
            yield site

    @pytest.fixture
    def served(self, site: Website) -> Served:
        return Served(ScrapyFetcher(Limits(backoff=0.01, timeout=10)), site.url, ("127.0.0.1",))


class TestMemory(FetcherContract):
    @pytest.fixture
    def site(self) -> Website:
        return a_site()

    @pytest.fixture
    def served(self, site: Website) -> Served:
        return Served(MemoryFetcher(site), MemoryFetcher(site).base)
