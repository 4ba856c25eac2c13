"""The crawler's process: it ends with its parent, and its end harms nobody."""

import os
import select
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from fakes.website import Content, Reply, Website, page
from refdesk.adapters.crawler import Limits, ScrapyFetcher, fetcher
from refdesk.domain.errors import ExtraMissing, NetworkUnavailable
from refdesk.domain.urls import Scope
from refdesk.ports.fetcher import CrawlOrder, Fetched
from refdesk.ports.progress import silent

LOCAL = ("127.0.0.1",)


@pytest.fixture
def site() -> Iterator[Website]:
    """A site whose second page never comes, so that a crawl of it is under way until it is ended."""
    pages: dict[str, Content] = {"/": page("Home", "/never"), "/never": Reply(b"<p>" * 50, hang=True)}
    with Website(pages).serving() as site:
        yield site


def order(site: Website) -> CrawlOrder:
    return CrawlOrder((site.url,), Scope(site.url), private_hosts=LOCAL)


def children_of(parent: int) -> list[int]:
    """Processes whose parent is this one."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")


@linux
def test_a_crawler_that_is_killed_is_an_error_that_says_how_to_go_on(site: Website) -> None:
    found: list[Fetched] = []

    def deliver(one: Fetched) -> None:
        found.append(one)
        [child] = [one for one in children_of(os.getpid()) if b"crawler.child" in _command(one)]
        os.kill(child, signal.SIGKILL)

    with pytest.raises(NetworkUnavailable) as caught:
        ScrapyFetcher().crawl(order(site), deliver, silent)
    assert [one.status for one in found] == [200]
    assert "ended" in caught.value.message
    assert "goes on from there" in caught.value.suggestion
    assert caught.value.retryable


PARENT = """
import sys
from refdesk.adapters.crawler import ScrapyFetcher
from refdesk.domain.urls import Scope
from refdesk.ports.fetcher import CrawlOrder
from refdesk.ports.progress import silent
try:
    ScrapyFetcher().crawl(CrawlOrder((sys.argv[1],), Scope(sys.argv[1]), private_hosts=("127.0.0.1",)),
                          lambda page: print(page.status, flush=True), silent)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@linux
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_crawler_does_not_outlive_its_parent(site: Website, how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PARENT), site.url], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "200\n"
    [child] = children_of(parent.pid)
    watch = os.pidfd_open(child)
    parent.send_signal(how)
    said = parent.stdout.read()
    parent.wait(30)
    parent.stdout.close()
    readable, _, _ = select.select([watch], [], [], 30)
    os.close(watch)
    assert readable == [watch]
    assert said == ("stopped\n" if how == signal.SIGINT else "")


def test_a_crawler_that_needs_more_memory_than_it_may_is_an_error(site: Website) -> None:
    del site.pages["/never"]
    limits = Limits(memory=64 << 20)
    with pytest.raises(NetworkUnavailable) as caught:
        ScrapyFetcher(limits).crawl(order(site), lambda _page: None, silent)
    assert caught.value.suggestion


def test_a_crawler_imports_nothing_from_the_folder_that_it_is_started_in(
    site: Website, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.py").write_text("raise SystemExit('imported')\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert ScrapyFetcher().fetch(site.url, private_hosts=LOCAL).status == 200


@pytest.mark.parametrize(
    ("missing", "render", "extra"), [("scrapy", False, "crawl"), ("playwright", True, "crawl,render")]
)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    missing: str, render: bool, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> ModuleSpec | None:
        return None if name == missing else ModuleSpec(name, None)

    monkeypatch.setattr(fetcher, "find_spec", without)
    with pytest.raises(ExtraMissing) as caught:
        ScrapyFetcher().fetch("https://docs.example.org/", render=render)
    assert caught.value.suggestion == f"Install it: pip install 'refdesk[{extra}]'"


def test_a_browser_that_is_not_there_is_named(site: Website) -> None:
    with pytest.raises(ExtraMissing) as caught:
        ScrapyFetcher(Limits(chromium="/nowhere/chromium")).fetch(site.url, render=True, private_hosts=LOCAL)
    assert "/nowhere/chromium" in caught.value.message
    assert "REFDESK_CHROMIUM" in caught.value.suggestion


def test_two_crawls_at_once_do_not_disturb_each_other(site: Website) -> None:
    site.pages = {"/": page("Home", "/a"), "/a": page("A")}
    found: list[list[Fetched]] = [[], []]
    threads = [threading.Thread(target=ScrapyFetcher().crawl, args=(order(site), one.append, silent)) for one in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(one) for one in found] == [2, 2]


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()
