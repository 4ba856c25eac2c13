"""What all tests share: no network but loopback, and the real packages for tests that are marked for them."""

import ipaddress
import os
import socket
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest

from packages import PinnedArchives, pinned_archives
from refdesk.domain.errors import NetworkUnavailable
from refdesk.ports.archives import Archive
from refdesk.ports.progress import Progress

# Contracts are imported, not collected: without this their assertions would fail without saying why.
pytest.register_assert_rewrite("contracts")

# No test hangs on the speed of a machine. A gate gives the same verdict twice; at the desk properties look further.
hypothesis.settings.register_profile(
    "refdesk",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("refdesk")


class NetworkBlocked(RuntimeError):
    """A test without the marker `packages` reached for the network. No OSError: nothing may take it for an outage."""


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets reach this machine only."""
    if request.node.get_closest_marker("packages"):
        return

    def guarded(call: Callable[..., Any], host_of: Callable[..., object]) -> Callable[..., Any]:
        def guard(*args: Any, **named: Any) -> Any:
            host = host_of(*args, **named)
            if not _is_local(host):
                raise NetworkBlocked(f"a test may not reach {host!r}; mark it `packages` if it must")
            return call(*args, **named)

        return guard

    def host_of_peer(sock: socket.socket, address: object) -> object:
        return address[0] if sock.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple) else None

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect, host_of_peer))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex, host_of_peer))
    monkeypatch.setattr(socket, "getaddrinfo", guarded(socket.getaddrinfo, lambda host, *_args, **_named: host))


@pytest.fixture(scope="session")
def real_archives() -> PinnedArchives:
    """The pinned real packages; a test that needs one that is missing is skipped while the registry is away."""
    return _SkippingArchives(pinned_archives())


class _SkippingArchives(PinnedArchives):
    def fetch(self, package: str, version: str, progress: Progress) -> Archive:
        try:
            return super().fetch(package, version, progress)
        except NetworkUnavailable as error:
            pytest.skip(f"{package} {version} is not in the package cache: {error.message}")


def _is_local(host: object) -> bool:
    """Whether a host is this machine; None and the empty name are."""
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False
