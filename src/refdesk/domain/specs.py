"""Specs: what a person writes to add a release.

Forms: `aws:s3`, `aws:s3@1.34.162`, `aws:s3@2006-03-01`, `gcp:drive@v3`, `pypi:httpx==0.27.2`, `aws:*@1.44.8`,
`aws:s3@botocore==1.34.162`, `files:PATH as site:NAME[@LABEL]`; `--via PACKAGE==VERSION` fixes the carrier. A site that
is fetched needs more than a word: `refdesk.domain.adding`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.domain.errors import InvalidInput
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier

_EXACT = re.compile(r"(?P<package>[A-Za-z0-9._-]+)==(?P<version>[^=\s]+)\Z")


VersionFrom = Literal["", "url", "inventory", "title", "switcher"]
ScopeRule = Literal["path", "host", "listed"]


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """How the pages of a site are found.

    Attributes:
        url: Where to begin: a page, or the address of `llms.txt`, `llms-full.txt`, a sitemap or `objects.inv`.
        urls: Pages that are listed one by one, instead of or beside `url`.
        version_from: What states the version where the spec names none; empty: the first of all that does.
        scope: Which links are followed: below the folder of `url` (`path`), on its host (`host`), or none (`listed`).
        max_pages: No more pages than this.
        render: Whether pages are rendered by a browser before they are read.
        documents: The library whose documentation this is, `pypi:flask`; empty if none is stated.
    """

    url: str = ""
    urls: tuple[str, ...] = ()
    version_from: VersionFrom = ""
    scope: ScopeRule = "path"
    max_pages: int = 20_000
    render: bool = False
    documents: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """One release to add, not yet resolved.

    Attributes:
        version: As written after `@` or `==`; empty for the newest stable. Whether it is the API's or the package's
            version is for the source to say.
        via: The carrier that was asked for; None if left open.
        path: Folder to read, for `site:` libraries made from files; empty otherwise.
        site: Where the pages of a `site:` library are served. With a `path` only `version_from` and `documents` count;
            None where nothing is said.
    """

    library: Library
    version: str = ""
    via: Carrier | None = None
    path: str = ""
    site: SiteOptions | None = None

    def __str__(self) -> str:
        if self.path:
            return f"files:{self.path} as {self.library}" + (f"@{self.version}" if self.version else "")
        if self.site is not None:
            where = self.site.url or f"{len(self.site.urls)} listed pages"
            return f"{self.library}{f'@{self.version}' if self.version else ''} from {where}"
        return (
            str(self.library)
            + (f"@{self.version}" if self.version else "")
            + (f" --via {self.via}" if self.via else "")
        )


def parse_specs(words: Sequence[str], via: str = "") -> tuple[Spec, ...]:
    """Read the words of one `add` call; `files:PATH as site:NAME` may come as one word or as three.

    Raises:
        InvalidInput: A word that is no spec, `as` in a wrong place, a `via` that is not `PACKAGE==VERSION`.
    """
    carrier = parse_carrier(via) if via else None
    specs: list[Spec] = []
    queue = list(words)
    while queue:
        word = queue.pop(0).strip()
        if word.startswith("files:"):
            source, middle, target = word.partition(" as ")
            if not middle:
                if len(queue) < 2 or queue[0] != "as":
                    raise InvalidInput(
                        f"{word!r} does not say which library the files become.",
                        f"Write: {word} as site:NAME",
                    )
                target = queue[1]
                del queue[:2]
            specs.append(_files(source.removeprefix("files:").strip(), target.strip()))
        else:
            specs.append(_package(word, carrier))
    if not specs:
        raise InvalidInput("Nothing to add.", "Name at least one library, for example: refdesk add pypi:httpx")
    return tuple(specs)


def parse_carrier(text: str) -> Carrier:
    """Read `PACKAGE==VERSION`.

    Raises:
        InvalidInput: Any other form.
    """
    match = _EXACT.match(text.strip())
    if match is None:
        raise InvalidInput(
            f"{text!r} is not PACKAGE==VERSION.", "Write for example: --via botocore==1.34.162", value=text
        )
    return Carrier(match["package"].lower(), match["version"])


def _files(path: str, target: str) -> Spec:
    name, _, version = target.partition("@")
    library = Library.parse(name)
    if library.ecosystem != "site":
        raise InvalidInput(f"Files become a site, not {library}.", f"Write: files:{path} as site:{library.name}")
    if not path:
        raise InvalidInput("files: needs a folder.", f"Write: files:PATH as {library}")
    if library.name == "*":
        raise InvalidInput("site:* names no site.", f"Write: files:{path} as site:NAME")
    return Spec(library, version.strip(), path=path)


def _package(word: str, carrier: Carrier | None) -> Spec:
    _refuse_places(word)
    name, at, version = word.partition("@")
    if not at and "==" in word:
        name, at, version = word.partition("==")
    library = Library.parse(name)
    if library.ecosystem == "site":
        raise InvalidInput(
            f"{library} needs to be told where its pages are.",
            f"Write: refdesk add {library} --url URL, or for a folder: refdesk add {library} --path FOLDER."
            f" If it is indexed, this looks for what changed: refdesk refresh {library}",
        )
    version = version.strip()
    if (at and not version) or version.startswith("="):
        raise InvalidInput(f"{word!r} ends where a version should stand.", f"Write: {library}@VERSION", value=word)
    if "==" in version:
        carrier, version = parse_carrier(version), ""
        if library.ecosystem == "pypi":
            if carrier.package != library.name:
                raise InvalidInput(f"{library} is not carried by {carrier.package}.", f"Write: {library}@VERSION")
            return Spec(library, carrier.version)
    if library.ecosystem == "pypi" and carrier is not None:
        raise InvalidInput(f"{library} is its own package; --via is for aws: and gcp:.", f"Write: {library}@VERSION")
    return Spec(library, version, carrier)


def _refuse_places(word: str) -> None:
    """An address or a folder is no library, but it can be the place of one.

    Raises:
        InvalidInput: With the call that was meant.
    """
    if word.lower().startswith(("http://", "https://")):
        raise InvalidInput(f"{word!r} is an address, no library.", f"Write: refdesk add site:NAME --url {word}")
    if word.startswith(("/", "./", "../", "~/")) or (word.endswith("/") and ":" not in word):
        raise InvalidInput(f"{word!r} is a folder, no library.", f"Write: refdesk add site:NAME --path {word}")
