"""Sites that never end, and sites that only look so."""

import pytest

from refdesk.domain.traps import MOST_DATES, MOST_QUERIES, Traps


@pytest.mark.parametrize(
    ("url", "why"),
    [
        pytest.param("https://x.org/a/a/a", "its folders repeat", id="one folder"),
        pytest.param("https://x.org/docs/a/b/a/b/a/b/c", "its folders repeat", id="a group of folders"),
        pytest.param("https://x.org/" + "/".join(map(str, range(30))), "more than 24 folders deep", id="deep"),
        pytest.param("https://x.org/a/b/a/b", "", id="twice is a coincidence"),
        pytest.param("https://x.org/aa/aaa/aaaa", "", id="names that begin alike"),
        pytest.param("https://x.org/2024/05/12/release", "", id="one date"),
        pytest.param("https://x.org/search?q=a", "", id="one query"),
    ],
)
def test_an_address_alone_shows_some_traps(url: str, why: str) -> None:
    assert Traps().refuses(url) == why


def refused(urls: list[str]) -> tuple[int, str]:
    """How many of many addresses are refused, and why the last one is."""
    traps = Traps()
    reasons = [traps.refuses(url) for url in urls]
    return sum(map(bool, reasons)), reasons[-1]


def test_a_calendar_by_its_paths_is_left() -> None:
    urls = [f"https://x.org/events/{1900 + n // 12}/{n % 12 + 1:02}/" for n in range(MOST_DATES + 50)]
    assert refused(urls) == (50, "dates without end")


def test_a_calendar_by_its_query_is_left() -> None:
    urls = [f"https://x.org/{n % 10}/events?month={n}" for n in range(10 * MOST_DATES + 10)]
    count, why = refused(urls)
    assert count
    assert why in ("one page with queries without end", "dates without end")


def test_a_query_without_end_is_left() -> None:
    assert refused([f"https://x.org/list?page={n}" for n in range(MOST_QUERIES + 7)]) == (
        7,
        "one page with queries without end",
    )


def test_a_parameter_that_is_new_on_every_page_is_a_session() -> None:
    count, why = refused([f"https://x.org/page{n % 40}?visit={n}" for n in range(200)])
    assert count > 100
    assert why == "its parameter visit is another on every page"


@pytest.mark.parametrize(
    "urls",
    [
        pytest.param([f"https://x.org/rfc/rfc{n}.html" for n in range(9000)], id="numbers are no dates"),
        pytest.param([f"https://x.org/p{n}?lang={'de' if n % 2 else 'en'}" for n in range(500)], id="two languages"),
        pytest.param([f"https://x.org/api/2024-01-{n % 28 + 1:02}/op{n}" for n in range(400)], id="dates beside names"),
    ],
)
def test_many_pages_are_no_trap(urls: list[str]) -> None:
    assert refused(urls) == (0, "")
