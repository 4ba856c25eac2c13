"""The kept state of one site: what is known of each address, and the bytes of its pages.

A crawl has a number. What it delivers is committed in batches, under that number; so after a crash at any moment the
next one sees what was fetched, and goes on from there if the crawl is not older than a day. `finish` compares with
the finished crawl before it, forgets what was not met again, and is one transaction.
"""

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import apsw

from refdesk.adapters.sqlite import (
    Schema,
    connect,
    open_to_read,
    open_to_write,
    run,
    select,
    storage_errors,
    transaction,
)
from refdesk.adapters.values import dumps
from refdesk.domain.specs import Spec
from refdesk.ports.fetcher import Fetched, Known
from refdesk.ports.sites import SiteChanges

_SCHEMA = Schema(
    "site",
    b"rdst",
    1,
    """
    CREATE TABLE about(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    -- sha256: of the page that answers, empty for an address without one; base: the same after the last finished crawl.
    CREATE TABLE addresses(
        url TEXT PRIMARY KEY, crawl INTEGER NOT NULL, status INTEGER NOT NULL, type TEXT NOT NULL, etag TEXT NOT NULL,
        modified TEXT NOT NULL, sha256 TEXT NOT NULL, base TEXT NOT NULL DEFAULT '', twin TEXT NOT NULL,
        noindex INTEGER NOT NULL, links BLOB NOT NULL, error TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE bodies(sha256 TEXT PRIMARY KEY, body BLOB NOT NULL);
    """,
)
_BATCH = 64
_FRESH = timedelta(days=1)
_GONE = (404, 410)
_UPSERT = """
    INSERT INTO addresses(url, crawl, status, type, etag, modified, sha256, twin, noindex, links, error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT(url) DO UPDATE SET crawl = excluded.crawl, status = excluded.status, type = excluded.type,
        etag = excluded.etag, modified = excluded.modified, sha256 = excluded.sha256, twin = excluded.twin,
        noindex = excluded.noindex, links = excluded.links, error = excluded.error
"""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """What is known of one address after a crawl.

    Attributes:
        sha256: Hash of its bytes; empty if there is no page.
        error: Why it could not be fetched this time; its bytes are then of an earlier crawl, if there are any.
    """

    url: str
    status: int
    content_type: str
    last_modified: str
    sha256: str
    twin: str
    noindex: bool
    error: str


@dataclass(frozen=True, slots=True)
class Losses:
    """What would become of the pages that were there before, if a crawl that was asked for in the same way is taken.

    Attributes:
        before: Pages that were there.
        gone: Those that would be dropped.
        alike: Those in whose place one and the same other page is served.
    """

    before: int = 0
    gone: int = 0
    alike: int = 0


class SiteState:
    """One release's file, open to crawl with."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = open_to_write(path, _SCHEMA)
        # What a crash of the machine loses is a batch, which is fetched again.
        run(self._connection, "PRAGMA synchronous = NORMAL")
        self._crawl = 0
        self._waiting: list[Fetched] = []

    def close(self) -> None:
        """Keep what was taken, and let go of the file."""
        try:
            self.flush()
        finally:
            self._connection.close()

    def begin(self, spec: Spec, now: datetime) -> bool:
        """Begin a crawl, or go on with one that was interrupted; says whether it goes on."""
        self.flush()
        about = dict(self._about())
        started = datetime.fromisoformat(about["started"].decode()) if "started" in about else None
        number = int(about.get("crawl", b"0"))
        unfinished = "finished" not in about and number > 0
        asked = dumps(spec)
        if unfinished and started is not None and now - started < _FRESH and about.get("spec") == asked:
            self._crawl = number
            return True
        self._crawl = number + 1
        with self._writing():
            self._connection.execute("DELETE FROM about WHERE name = 'finished'")
            for name, value in (("spec", asked), ("crawl", b"%d" % self._crawl), ("started", now.isoformat().encode())):
                self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))
        return False

    def known(self) -> Mapping[str, Known]:
        """All that earlier crawls left, and this one before it was interrupted."""
        with storage_errors(self._path, self._connection):
            rows = select(self._connection, "SELECT url, etag, modified, links, sha256 FROM addresses ORDER BY url")
        # The validators of a page whose bytes are not here would only tell that they did not change.
        return {
            url: Known(etag if sha256 else "", modified if sha256 else "", _links(links))
            for url, etag, modified, links, sha256 in rows
        }

    def done(self) -> frozenset[str]:
        """Addresses that this crawl already has; what failed is asked for again."""
        rows = select(self._connection, "SELECT url FROM addresses WHERE crawl = ? AND error = ''", (self._crawl,))
        return frozenset(url for (url,) in rows)

    def take(self, page: Fetched) -> None:
        """Keep what came of an address."""
        self._waiting.append(page)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Make durable what was taken."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            with self._writing():
                for page in waiting:
                    self._store(page)

    def pages(self) -> Iterator[KeptPage]:
        """All addresses that this crawl met, in order."""
        self.flush()
        rows = select(
            self._connection,
            "SELECT url, status, type, modified, sha256, twin, noindex, error FROM addresses"
            " WHERE crawl = ? ORDER BY url",
            (self._crawl,),
        )
        for url, status, kind, modified, sha256, twin, noindex, error in rows:
            yield KeptPage(url, status, kind, modified, sha256, twin, bool(noindex), error)

    def finish(self) -> SiteChanges:
        """End the crawl: say what changed since the finished one before it, and forget what was not met again."""
        self.flush()
        with self._writing():
            changes = self._compare()
            run(
                self._connection,
                f"""
                DELETE FROM addresses WHERE crawl <> {self._crawl};
                UPDATE addresses SET base = sha256 WHERE base <> sha256;
                DELETE FROM bodies WHERE sha256 NOT IN (SELECT sha256 FROM addresses);
                """,  # noqa: S608 - a number of our own
            )
            for name, value in (("changes", dumps(changes)), ("finished", b"1")):
                self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))
            # Only a crawl that was asked for in the same way may be measured by this one.
            self._connection.execute(
                "INSERT OR REPLACE INTO about SELECT 'base_spec', value FROM about WHERE name = 'spec'"
            )
        return changes

    def losses(self) -> Losses:
        """What finishing this crawl would do to the pages of the finished one before it."""
        self.flush()
        about = dict(self._about())
        if "base_spec" not in about or about["base_spec"] != about.get("spec"):
            return Losses()
        rows = select(self._connection, "SELECT crawl, sha256, base FROM addresses WHERE base <> ''")
        now = [(sha256 if crawl == self._crawl else "", base) for crawl, sha256, base in rows]
        others = Counter(sha256 for sha256, base in now if sha256 not in ("", base))
        return Losses(len(now), sum(not sha256 for sha256, _ in now), max(others.values(), default=0))

    def abandon(self) -> None:
        """Give the crawl up: all is as the finished one before it left it, and the next one asks for everything."""
        self._waiting.clear()
        with self._writing():
            self._connection.execute("DELETE FROM addresses WHERE base = ''")
            # Its validators and links are of what was served now.
            self._connection.execute("UPDATE addresses SET sha256 = base, etag = '', modified = '', error = ''")
            run(self._connection, "DELETE FROM bodies WHERE sha256 NOT IN (SELECT sha256 FROM addresses)")
            self._connection.execute("INSERT OR REPLACE INTO about VALUES ('finished', '1')")

    def bodies(self) -> "Bodies":
        """The bytes of pages, to read after this is closed."""
        return Bodies(self._path)

    def _about(self) -> list[tuple[str, bytes]]:
        with storage_errors(self._path, self._connection):
            return [(name, value) for name, value in select(self._connection, "SELECT name, value FROM about")]

    def _compare(self) -> SiteChanges:
        found: dict[str, list[str]] = {"added": [], "changed": [], "removed": [], "unchanged": []}
        failed: dict[str, str] = {}
        for url, crawl, status, sha256, base, error in select(
            self._connection, "SELECT url, crawl, status, sha256, base, error FROM addresses ORDER BY url"
        ):
            met = crawl == self._crawl
            if met and error and status not in _GONE:
                failed[url] = error
            now = sha256 if met else ""
            if now != base or now:
                kind = "unchanged" if now == base else "removed" if not now else "changed" if base else "added"
                found[kind].append(url)
        return SiteChanges(
            tuple(found["added"]), tuple(found["changed"]), tuple(found["removed"]), failed, len(found["unchanged"])
        )

    def _store(self, page: Fetched) -> None:
        if page.status == 304 or _may_come_back(page):
            # The page that was there stays, with its links.
            changed = self._connection.execute(
                "UPDATE addresses SET crawl = ?, error = ? WHERE url = ? RETURNING 1",
                (self._crawl, page.error, page.url),
            ).fetchall()
            if changed:
                return
        sha256 = ""
        if page.status == 200 and not page.error:
            sha256 = hashlib.sha256(page.body).hexdigest()
            self._connection.execute(
                "INSERT OR IGNORE INTO bodies VALUES (?, ?)", (sha256, zlib.compress(page.body, 1))
            )
        links = zlib.compress("\n".join(page.links).encode(), 1)
        values = (
            page.url,
            self._crawl,
            page.status,
            page.content_type,
            page.etag,
            page.last_modified,
            sha256,
            page.twin,
            page.noindex,
            links,
            page.error,
        )
        self._connection.execute(_UPSERT, values)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with storage_errors(self._path, self._connection), transaction(self._connection):
            yield


class Bodies:
    """Reads the bytes of pages by their hash, from a file that may be written meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: apsw.Connection | None = None

    def __getitem__(self, sha256: str) -> bytes:
        if self._connection is None:
            self._connection = connect(self._path)
        with storage_errors(self._path, self._connection):
            rows = select(self._connection, "SELECT body FROM bodies WHERE sha256 = ?", (sha256,))
        if not rows:
            raise KeyError(sha256)
        return zlib.decompress(rows[0][0])


def read_about(path: Path, name: str) -> bytes | None:
    """One of the things that are kept beside the addresses; None if nothing is kept."""
    opened = open_to_read(path, _SCHEMA)
    if opened is None:
        return None
    connection, _ = opened
    try:
        with storage_errors(path, connection):
            rows = select(connection, "SELECT value FROM about WHERE name = ?", (name,))
    finally:
        connection.close()
    return rows[0][0] if rows else None


def _links(packed: bytes) -> tuple[str, ...]:
    text = zlib.decompress(packed).decode()
    return tuple(text.split("\n")) if text else ()


def _may_come_back(page: Fetched) -> bool:
    """Whether a failure says nothing of the page: no answer, a broken server, no right to read it now."""
    return bool(page.error) and page.status not in _GONE and not 300 <= page.status < 400
