"""What the MCP surface needs of an open desk, and how one server is set up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from refdesk.operations.dispatcher import AnyOperation, Dispatcher
from refdesk.services.shelf import Shelf


class DeskServices(Protocol):
    """The services that this surface asks directly: what is indexed."""

    @property
    def shelf(self) -> Shelf:
        """Indexed releases."""
        ...


class Desk(Protocol):
    """An open index; `bootstrap.Desk` is one."""

    @property
    def dispatcher(self) -> Dispatcher:
        """Runs operations."""
        ...

    @property
    def services(self) -> DeskServices:
        """What operations run on."""
        ...

    def close(self) -> None:
        """Make the call log durable and let go of files."""
        ...


@dataclass(frozen=True, slots=True)
class Offer:
    """What one server offers, and to whom.

    Attributes:
        surface: Named in the call log.
        toolsets: Whose tools are offered; the toolset `docs` brings the resources along.
        writes: Whether operations that write are offered.
        conversation: Id of the conversation where the client sends none: a stdio process serves one client.
    """

    surface: Literal["mcp-stdio", "mcp-http"]
    toolsets: Sequence[str]
    writes: bool
    conversation: str = ""

    def operations(self, desk: Desk) -> list[AnyOperation]:
        """The operations that are offered as tools, in their stable order.

        Raises:
            InvalidInput: A toolset that has no operation.
        """
        return [one for one in desk.dispatcher.operations(self.toolsets, writes=self.writes) if one.tool]
