"""What a crawl left, as the files of a release. They are read one by one, never all held in memory."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from refdesk.adapters.sites import KeptPage
from refdesk.adapters.sites.state import Bodies
from refdesk.domain.entries import Problem
from refdesk.domain.llms import pages_of, path_of_full
from refdesk.domain.releases import Updated
from refdesk.domain.urls import page_path

_NAMED_SINGLY = 5
_NAMED_TOGETHER = 3
_EARLIEST = datetime(1995, 1, 1, tzinfo=UTC)


class SitePages(Mapping[str, bytes]):
    """Path → bytes, read when they are asked for; sorted by path."""

    def __init__(self, hashes: Mapping[str, str], bodies: Bodies) -> None:
        self._hashes = dict(sorted(hashes.items()))
        self._bodies = bodies

    def __getitem__(self, path: str) -> bytes:
        return self._bodies[self._hashes[path]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._hashes)

    def __len__(self) -> int:
        return len(self._hashes)


@dataclass(slots=True)
class SiteFiles:
    """The pages of one crawl by their paths.

    Attributes:
        hashes: Path → hash of its bytes.
        urls: Path → address.
        types: Path → Content-Type.
        twins: Path of a page → path of its Markdown form.
        sha256: One hash over the paths and hashes of all pages: the same site gives the same.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    twins: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        """See the class."""
        total = hashlib.sha256()
        for path, digest in sorted(self.hashes.items()):
            total.update(f"{digest}  {path}\n".encode())
        return total.hexdigest()


def files_of(pages: Iterable[KeptPage], root: str, start: str) -> SiteFiles:
    """Sort what a crawl met into pages and problems.

    A page that asks not to be indexed is left out, unless the page that a person began with asks it too: many sites
    mark all their old versions so, and it is such a version that was named.

    Args:
        pages: In order of their addresses, so that a folder comes before its `index.html`.
        root: Folder of the site.
        start: Where it begins.
    """
    met = list(pages)
    marked = any(page.noindex for page in met if page.url == start)
    files = SiteFiles()
    twins: dict[str, str] = {}
    gone: dict[str, list[Problem]] = defaultdict(list)
    for page in met:
        path = page_path(page.url, root)
        if page.error:
            kept = " The copy of an earlier crawl is used." if page.sha256 else ""
            told = files.problems if page.sha256 else gone[page.error]
            told.append(Problem(path, f"{page.url}: {page.error}.{kept}", "fetching"))
        if not page.sha256:
            continue
        if page.noindex and not marked:
            files.problems.append(Problem(path, f"Left out: {page.url} asks not to be indexed.", "fetching"))
        elif path in files.hashes:
            if files.hashes[path] != page.sha256:
                other = files.urls[path]
                said = f"Left out: {page.url} has the path of {other}, and other text."
                files.problems.append(Problem(path, said, "fetching"))
        else:
            files.hashes[path] = page.sha256
            files.urls[path] = page.url
            files.types[path] = page.content_type
            if page.twin:
                twins[path] = page_path(page.twin, root)
    for error, problems in sorted(gone.items()):
        files.problems += _together(error, problems)
    files.twins = {path: twin for path, twin in sorted(twins.items()) if twin in files.hashes and twin != path}
    return files


def _together(error: str, problems: Sequence[Problem]) -> Sequence[Problem]:
    """Pages that failed in one way: each with its address while they are few, else the first few."""
    if len(problems) <= _NAMED_SINGLY:
        return problems
    named = ", ".join(one.message.partition(": ")[0] for one in problems[:_NAMED_TOGETHER])
    return [Problem(problems[0].path, f"{len(problems)} addresses left out: {error} (the first: {named}).", "fetching")]


def parted(files: SiteFiles, content: bytes, root: str) -> tuple[SiteFiles, Mapping[str, bytes]]:
    """The pages of `llms-full.txt`, which is the only file; one that was asked for beside it is not parted."""
    [path] = [one for one in files.hashes if one.endswith("llms-full.txt")]
    pages = {path_of_full(one, root): one for one in pages_of(content.decode("utf-8", "replace"), files.urls[path])}
    made = {name: page.markdown.encode() for name, page in sorted(pages.items())}
    parts = SiteFiles(
        {name: hashlib.sha256(text).hexdigest() for name, text in made.items()},
        {name: pages[name].url for name in made},
        dict.fromkeys(made, "text/markdown; charset=utf-8"),
        problems=files.problems,
    )
    return parts, made


def newest(pages: Iterable[KeptPage], now: datetime) -> Updated:
    """How old the content is: the newest `Last-Modified` that is a sane date, which is the server's word for it."""
    found = [moment for page in pages if page.sha256 and (moment := _moment(page.last_modified, now)) is not None]
    return Updated(max(found), "revision") if found else Updated(now, "indexed")


def left_out(reasons: Mapping[str, int], start: str) -> Sequence[Problem]:
    """Addresses that were met and not read, one problem for each reason."""
    return [
        Problem(start, f"{count} {'address' if count == 1 else 'addresses'} left out: {reason}.", "fetching")
        for reason, count in sorted(reasons.items())
    ]


def _moment(text: str, now: datetime) -> datetime | None:
    if not text:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment if _EARLIEST <= moment <= now + timedelta(days=1) else None
