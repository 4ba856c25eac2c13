"""The rate of a crawl and its patience, without a network and without waiting."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from refdesk.adapters.crawler.addresses import is_allowed, is_public, proxies_of
from refdesk.adapters.crawler.politeness import Throttle, retry_after

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def throttle(delay: float) -> tuple[Throttle, Any]:
    """A throttle whose one slot waits so long between two requests."""
    slot = SimpleNamespace(delay=delay)
    settings = Settings(
        {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_TARGET_CONCURRENCY": 4.0, "AUTOTHROTTLE_MAX_DELAY": 30.0}
    )
    crawler: Any = SimpleNamespace(
        settings=settings,
        signals=SignalManager(),
        engine=SimpleNamespace(downloader=SimpleNamespace(slots={"docs.example.org": slot}, _delay=0.0)),
    )
    made = Throttle(crawler)
    made._spider_opened(crawler)
    return made, slot


@pytest.mark.parametrize(
    ("status", "latency", "before", "after"),
    [
        pytest.param(200, 0.4, 0.1, 0.1, id="as fast as the server answers four at once"),
        pytest.param(304, 0.04, 0.09, 0.05, id="an unchanged page is a good answer"),
        pytest.param(200, 2.0, 0.1, 0.5, id="a slow server is asked less at once"),
        pytest.param(200, 0.002, 0.002, 0.0, id="waits that cost more than they spare"),
        pytest.param(404, 0.002, 0.1, 0.1, id="a failure makes nothing faster"),
        pytest.param(503, 0.002, 0.1, 1.0, id="overloaded"),
        pytest.param(429, 0.002, 4.0, 8.0, id="still overloaded"),
        pytest.param(429, 0.002, 29.0, 30.0, id="at most the longest"),
    ],
)
def test_the_rate_follows_the_server(status: int, latency: float, before: float, after: float) -> None:
    made, slot = throttle(before)
    response: Any = SimpleNamespace(status=status)
    made._adjust_delay(slot, latency, response)
    assert slot.delay == pytest.approx(after)


def test_a_crawl_delay_is_a_floor_from_then_on() -> None:
    made, slot = throttle(0.0)
    made.slow_down(7.0)
    assert slot.delay == 7.0
    answered: Any = SimpleNamespace(status=200)
    made._adjust_delay(slot, 0.001, answered)
    assert slot.delay == 7.0
    made.slow_down(3.0)
    assert slot.delay == 7.0
    made.slow_down(9999.0)
    assert slot.delay == 120.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("", 0.0),
        ("7", 7.0),
        (" 120 ", 120.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("soon", 0.0),
        ("-5", 0.0),
        ("99999999999", 0.0),
    ],
)
def test_retry_after_is_a_number_or_a_moment(value: str, seconds: float) -> None:
    assert retry_after(value, lambda: NOON) == seconds


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("[::1]", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::5db8:d822", True),
        ("2002:0a00:0001::", False),
        ("docs.example.org", False),
    ],
)
def test_addresses_of_the_internet_are_told_from_private_ones(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_private_hosts_are_allowed_by_name() -> None:
    assert is_allowed("[::1]", ["::1"])
    assert is_allowed("Wiki", ["wiki"])
    assert is_allowed("anything", ["*"])
    assert not is_allowed("wiki.evil.example", ["wiki"])


def test_proxies_are_read_from_the_environment() -> None:
    assert proxies_of({"HTTPS_PROXY": "http://u:p@proxy.example.org:3128", "http_proxy": "10.0.0.9:80"}) == {
        "proxy.example.org",
        "10.0.0.9",
    }
    assert proxies_of({}) == frozenset()
