"""No connection into private networks: addresses are judged after a name is resolved, where the connection is made.

So no redirect, no name that resolves to a private address and no second answer of a name server leads inside. A proxy
of the environment is exempt, and resolves the names of the sites itself; addresses that are written as such are
refused behind a proxy too.
"""

from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer, provider

from refdesk.adapters.crawler.addresses import is_public, is_trusted, refuse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


@implementer(IHostnameResolver)
class GuardedResolver:
    """Twisted's resolver of names, whose private addresses are dropped unless their host is allowed."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor
        self._inner = reactor.nameResolver

    @classmethod
    def from_crawler(cls, _crawler: "Crawler", reactor: Any) -> "GuardedResolver":
        """How Scrapy makes it."""
        return cls(reactor)

    def install_on_reactor(self) -> None:
        """How Scrapy puts it to use."""
        self._reactor.installNameResolver(self)

    def resolveHostName(
        self,
        resolutionReceiver: Any,
        hostName: str,
        *arguments: Any,
        **named: Any,
    ) -> Any:
        """See `IHostnameResolver`."""
        receiver = resolutionReceiver if is_trusted(hostName) else _PublicOnly(resolutionReceiver, hostName)
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
