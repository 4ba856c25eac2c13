"""No connection into private networks: addresses are judged after a name is resolved, where the connection is made.

So no redirect, no name that resolves to a private address and no second answer of a name server leads inside. A proxy
of the environment is exempt, and resolves the names of the sites itself; addresses that are written as such are
refused behind a proxy too.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer, provider

from refdesk.adapters.crawler.addresses import is_allowed, is_public, refuse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


@implementer(IHostnameResolver)
class GuardedResolver:
    """Twisted's resolver of names, whose private addresses are dropped unless their host is allowed."""

    def __init__(self, reactor: Any, private_hosts: Sequence[str]) -> None:
        self._reactor = reactor
        self._inner = reactor.nameResolver
        self._private = tuple(private_hosts)

    @classmethod
    def from_crawler(cls, crawler: "Crawler", reactor: Any) -> "GuardedResolver":
        """How Scrapy makes it."""
        return cls(reactor, crawler.settings.getlist("REFDESK_PRIVATE_HOSTS"))

    def install_on_reactor(self) -> None:
        """How Scrapy puts it to use; several crawls of one process replace each other's."""
        self._inner = getattr(self._inner, "unguarded", self._inner)
        self._reactor.installNameResolver(self)

    @property
    def unguarded(self) -> Any:
        """The resolver below."""
        return self._inner

    def resolveHostName(
        self,
        resolutionReceiver: Any,
        hostName: str,
        *arguments: Any,
        **named: Any,
    ) -> Any:
        """See `IHostnameResolver`."""
        allowed = is_allowed(hostName, self._private)
        receiver = resolutionReceiver if allowed else _PublicOnly(resolutionReceiver, hostName)
        return self._inner.resolveHostName(receiver, hostName, *arguments, **named)


@provider(IResolutionReceiver)
class _PublicOnly:
    def __init__(self, receiver: Any, host: str) -> None:
        self._receiver = receiver
        self._host = host

    def resolutionBegan(self, resolution: Any) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if is_public(address.host):
            self._receiver.addressResolved(address)
        else:
            refuse(self._host)

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()
