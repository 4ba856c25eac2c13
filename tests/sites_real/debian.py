"""HTML documentation as Debian packs it, fetched by apt from whatever archive the machine uses, checked by hash."""

import functools
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from sites_real.tools import Missing, made_once, run


@dataclass(frozen=True, slots=True)
class Deb:
    """One version of a Debian package.

    Attributes:
        root: Folder of the HTML inside the package.
    """

    package: str
    version: str
    sha256: str
    root: str


DEBS = {
    "python": Deb(
        "python3.11-doc",
        "3.11.2-6+deb12u8",
        "50eb63e7f636c4281e9ce1b8f10386f1def42159eddce34fc1f41c46261df71b",
        "usr/share/doc/python3.11/html",
    ),
    "django": Deb(
        "python-django-doc",
        "3:3.2.25-0+deb12u3",
        "33319c8e45b95693603213442ccf9bcee933ef338488115203ad25a0e01c696f",
        "usr/share/doc/python-django-doc/html",
    ),
    "node": Deb(
        "nodejs-doc",
        "18.20.4+dfsg-1~deb12u2",
        "9f674d3536be94923bb8720c48ec17bc92b8de62f2954c3172b59a3ada1de65f",
        "usr/share/doc/nodejs/api",
    ),
    "postgresql": Deb(
        "postgresql-doc-15",
        "15.18-0+deb12u1",
        "3c598277a463c44d672daa2c335deb8d8252e1852fb025fd4578ea2d9a1b90f0",
        "usr/share/doc/postgresql-doc-15/html",
    ),
    "javadoc": Deb(
        "openjdk-17-doc",
        "17.0.19+10-1~deb12u2",
        "e94dbb2d3663db00888536aba970489ebec932058eba02f038587cbc805e0007",
        "usr/share/doc/openjdk-17-jre-headless/api",
    ),
}


def unpacked(deb: Deb, cache: Path) -> Path:
    """The folder of a package's HTML.

    Raises:
        Missing: No apt, an archive without that version, or a file of another hash.
    """
    folder = cache / f"{deb.package}-{deb.version.replace(':', '_')}"
    with made_once(folder) as draft:
        if draft is not None:
            archive = _downloaded(deb, draft)
            run(["dpkg-deb", "-x", archive, draft], draft)
            archive.unlink()
    return folder / deb.root


def _downloaded(deb: Deb, folder: Path) -> Path:
    wanted = f"{deb.package}={deb.version}"
    try:
        run(["apt-get", "download", wanted], folder)
    except Missing:
        _learn_versions(folder)
        run(["apt-get", "download", wanted], folder)
    archives = list(folder.glob("*.deb"))
    if len(archives) != 1:
        raise Missing(f"apt-get download {wanted} left {len(archives)} files")
    found = hashlib.sha256(archives[0].read_bytes()).hexdigest()
    if found != deb.sha256:
        raise Missing(f"{wanted} has the hash {found}, and {deb.sha256} is pinned")
    return archives[0]


@functools.cache
def _learn_versions(folder: Path) -> None:
    """Ask the archive once what it has: a fresh machine knows nothing."""
    if os.geteuid() == 0:
        run(["apt-get", "update"], folder)
