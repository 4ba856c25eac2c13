"""The crawler: Scrapy in a process of its own (`child`), and what starts and hears it (`fetcher`)."""

from refdesk.adapters.crawler.fetcher import Limits, ScrapyFetcher

__all__ = ["Limits", "ScrapyFetcher"]
