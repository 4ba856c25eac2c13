"""An index folder of its own with the real desk over it: sites are added and asked as a caller would."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from refdesk.bootstrap import open_desk
from refdesk.domain.entries import Chunk, Problem
from refdesk.domain.releases import Published
from refdesk.operations.descriptor import Caller
from refdesk.ports.packs import Pack
from refdesk.settings import Settings

_CALLER = Caller("python")


class Shelved:
    """Calls operations by name; answers are in the structured form, errors are raised."""

    def __init__(self, home: Path) -> None:
        self._desk = open_desk(
            Settings(home, vectors=False, toolsets=("docs", "admin"), private_hosts=("127.0.0.1",)), {}
        )
        self._home = home

    def call(self, operation: str, **arguments: object) -> Any:
        """The structured answer of an operation, as JSON values."""
        return self._desk.dispatcher.call(operation, arguments, _CALLER).result.model_dump(mode="json")

    def add(self, name: str, **options: object) -> Any:
        """Index one site; the row of the answer."""
        (row,) = self.call("index_library", specs=[f"site:{name}"], **options)["added"]
        return row

    def add_files(self, files: Mapping[str, str | bytes], name: str = "handbook", version: str = "1.0") -> Any:
        """Index a folder of these files."""
        folder = self._home / f"files of {name} {version}"
        for path, data in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data.encode() if isinstance(data, str) else data)
        return self.add(name, version=version, path=str(folder))

    def search(self, query: str, name: str = "handbook", **options: object) -> list[Any]:
        """The hits."""
        hits: list[Any] = self.call("search_docs", query=query, library=f"site:{name}", **options)["hits"]
        return hits

    def page(self, page: str, name: str = "handbook", **options: object) -> str:
        """A page's Markdown."""
        text: str = self.call("get_page", page=page, library=f"site:{name}", max_tokens=25_000, **options)["text"]
        return text

    def detail(self, api: str, name: str = "handbook", **options: object) -> Any:
        """All about one API."""
        return self.call("get_api_detail", api=api, library=f"site:{name}", **options)

    def pack(self, name: str = "handbook", version: str = "") -> Pack:
        """What is stored of a release."""
        return self._desk.services.shelf.choose(f"site:{name}", version).pack

    def published(self) -> list[Published]:
        """Everything that answers."""
        return list(self._desk.services.shelf.published())

    def chunks(self, name: str = "handbook", version: str = "") -> list[Chunk]:
        """Every chunk of a release, as searching reads it."""
        pack = self.pack(name, version)
        return list(pack.text.chunks(range(pack.manifest.counts["chunks"])))

    def problems(self, name: str = "handbook") -> list[Problem]:
        """What was left out."""
        return list(self.pack(name).problems())

    def close(self) -> None:
        """Let go of files."""
        self._desk.close()


@contextmanager
def shelved(home: Path) -> Iterator[Shelved]:
    """One over a folder, closed at the end."""
    desk = Shelved(home)
    try:
        yield desk
    finally:
        desk.close()
