"""A small real index, made offline from a folder of Markdown and from wheels in a find-links folder."""

from pathlib import Path

import pytest

from fakes.printed import Cli, Printed
from fakes.wheels import links
from refdesk.surfaces.cli.main import run


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`pypi:parcel` 1.0.0 and 2.0.0, `aws:depot` from two carriers, `site:book`: read-only for tests."""
    folder = tmp_path_factory.mktemp("cli")
    book = folder / "book"
    (book / "guide").mkdir(parents=True)
    (book / "README.md").write_text("# Book\n\nHow to use carts.\n\n## Install\n\nRun it.\n", encoding="utf-8")
    (book / "guide" / "long.md").write_text(
        "# Long\n\n" + "".join(f"## Part {number}\n\n{'Words on carts. ' * 60}\n\n" for number in range(40)), "utf-8"
    )
    with pytest.MonkeyPatch.context() as patch:
        environment(patch, folder / "home", links(folder / "links"))
        code = run(
            [
                "add", "pypi:parcel==1.0.0", "pypi:parcel@2.0.0", "aws:depot@1.34.0", "aws:depot@1.44.0",
                f"files:{book}", "as", "site:book@main", "--no-vectors",
            ],
            lambda _desk: [],
        )  # fmt: skip
    assert code == 0
    return folder


@pytest.fixture
def cli(index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs the command line in process."""
    environment(monkeypatch, index / "home", str(index / "links"))

    def call(*arguments: str, home: Path | None = None) -> Printed:
        if home is not None:
            monkeypatch.setenv("REFDESK_HOME", str(home))
        capsys.readouterr()
        code = run(arguments, lambda _desk: [])
        printed = capsys.readouterr()
        return Printed(code, printed.out, printed.err)

    return call


def environment(patch: pytest.MonkeyPatch, home: Path, find_links: str) -> None:
    patch.setenv("REFDESK_HOME", str(home))
    patch.setenv("REFDESK_VECTORS", "0")
    patch.setenv("PIP_CONFIG_FILE", "/dev/null")
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_FIND_LINKS", find_links)
