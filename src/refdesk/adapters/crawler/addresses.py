"""Which addresses of the internet may be asked: public ones, and private ones of hosts that are named."""

import ipaddress
import os
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

_refused: set[str] = set()
_trusted: tuple[str, ...] = ()


def is_public(address: str) -> bool:
    """Whether a numeric address lies in the public internet; addresses that carry another one are judged by it."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
        if found in ipaddress.ip_network("64:ff9b::/96"):
            return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
    return found.is_global and not found.is_multicast


def is_allowed(host: str, private_hosts: Iterable[str]) -> bool:
    """Whether a host may lie in a private network."""
    plain = host.strip("[]").lower()
    return any(one in ("*", plain) for one in (name.strip("[]").lower() for name in private_hosts))


def trust(private_hosts: Iterable[str]) -> None:
    """Let the connections of this process lead to these private hosts and to its proxies, and to no others."""
    global _trusted  # noqa: PLW0603 - a process has one resolver of names
    _trusted = (*private_hosts, *sorted(proxies_of(os.environ)))
    _refused.clear()


def is_trusted(host: str) -> bool:
    """Whether a connection of this process to a host may lead into a private network."""
    return is_allowed(host, _trusted)


def was_refused(host: str) -> bool:
    """Whether a connection to this host was refused for its address."""
    return host.strip("[]").lower() in _refused


def refuse(host: str) -> None:
    """Remember that a connection to this host was refused for its address."""
    _refused.add(host.strip("[]").lower())


def proxies_of(environment: Mapping[str, str]) -> frozenset[str]:
    """Hosts of the proxies that the environment names."""
    values = (environment.get(name) for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy"))
    return frozenset(urlsplit(value if "//" in value else f"//{value}").hostname or "" for value in values if value)
