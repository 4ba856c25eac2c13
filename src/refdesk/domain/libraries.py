"""Libraries: what one depends on or calls, written `ecosystem:name`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refdesk.domain.errors import Ambiguous, InvalidInput, LibraryNotIndexed

ECOSYSTEMS = ("aws", "gcp", "pypi", "site")
"""Ecosystems that have a source, in the order in which they are listed to people."""

SPELLINGS: Mapping[str, str] = {**{one: one for one in ECOSYSTEMS}, "google": "gcp", "azure": "pypi"}
"""Every way to write an ecosystem, in lower case, and the ecosystem that it means."""

_NAME = re.compile(r"[A-Za-z0-9*](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\Z")


@dataclass(frozen=True, slots=True, order=True)
class Library:
    """One library in its canonical spelling; `Library.parse` accepts the other ones."""

    ecosystem: str
    name: str

    def __str__(self) -> str:
        return f"{self.ecosystem}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Library":
        """Read `ecosystem:name` in any accepted spelling.

        `azure:X` is another name of `pypi:azure-X`, `google:X` of `gcp:X`; PyPI names are normalised (PEP 503).

        Raises:
            InvalidInput: No ecosystem, an unknown one, or a name with characters that no registry allows.
        """
        ecosystem, colon, name = (part.strip() for part in text.partition(":"))
        written = ecosystem.lower()
        if not colon:
            raise InvalidInput(
                f"{text!r} names no ecosystem.", f"Write one of {_forms(text.strip() or 'NAME')}.", value=text
            )
        if not _NAME.match(name):
            raise InvalidInput(f"{text!r} is not a library name.", f"Write one of {_forms('NAME')}.", value=text)
        if written not in SPELLINGS:
            raise InvalidInput(
                f"There is no source for the ecosystem {written!r}.",
                f"Known: {_forms('NAME')}.",
                value=text,
            )
        if written == "azure" and not name.lower().startswith("azure"):
            name = f"azure-{name}"
        ecosystem = SPELLINGS[written]
        return cls(ecosystem, normal_package(name) if ecosystem == "pypi" else name.lower())


def normal_package(name: str) -> str:
    """A PyPI project name in its normal form (PEP 503): lower case, runs of `-`, `_` and `.` as one `-`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def resolve_library(text: str, known: Iterable[Library]) -> Library:
    """The library that a caller means: a full name as it stands, a bare name if exactly one known library has it.

    Raises:
        InvalidInput: A full name that cannot be read.
        LibraryNotIndexed: A bare name that no known library has; the details name similar ones.
        Ambiguous: A bare name that several known libraries have.
    """
    if ":" in text:
        return Library.parse(text)
    every = sorted(set(known))
    bare = text.strip().lower()
    fitting = [
        one for one in every if one.name == bare or (one.ecosystem == "pypi" and one.name == normal_package(bare))
    ]
    if not fitting:
        raise LibraryNotIndexed(
            f"No indexed library is called {text!r}.",
            "Call list_apis without a library for what is indexed, or add it: refdesk add pypi:"
            + (bare if _NAME.match(bare) else "NAME"),
            library=text,
            indexed=[str(one) for one in every[:20]],
        )
    if len(fitting) > 1:
        names = ", ".join(map(str, fitting))
        raise Ambiguous(f"{text!r} could be {names}.", f"Write the full name, for example {fitting[0]}.", library=text)
    return fitting[0]


def _forms(name: str) -> str:
    return ", ".join(f"{ecosystem}:{name}" for ecosystem in ECOSYSTEMS)
