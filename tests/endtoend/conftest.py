"""Wheels of our own writing as the only registry, and the real command over an index folder of its own."""

from pathlib import Path

import pytest

from fakes.processes import Refdesk, add_wheel
from fakes.wheels import PARCEL, links

_MODULE = PARCEL.replace("{more}", "").encode()


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels: `parcel` 1.0.0 and 2.0.0 (3.0.0 escapes), `botocore` with the service `depot`, `crates` of 400."""
    folder = Path(links(tmp_path_factory.mktemp("wheels") / "links"))
    many = {f"crates/m{number}.py": _MODULE for number in range(400)}
    add_wheel(folder, "crates", "1.0", {"crates/__init__.py": b"", **many})
    return folder


@pytest.fixture
def refdesk(tmp_path: Path, wheels: Path) -> Refdesk:
    """The command over an empty index folder."""
    return Refdesk(tmp_path / "home", wheels)
