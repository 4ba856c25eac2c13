"""Commands that start servers and configure clients: where the command line meets the MCP surface."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from refdesk.domain.errors import InvalidInput
from refdesk.operations import guidance
from refdesk.settings import Settings
from refdesk.surfaces.cli.client_config import CLIENTS, ClientConfig, client_config, merge_file
from refdesk.surfaces.cli.main import LazyDesk

_TOOLSETS = click.option(
    "--toolsets", default="", help="Toolsets to offer, comma-separated; left out: REFDESK_TOOLSETS."
)


def server_commands(desk: LazyDesk) -> Sequence[click.Command]:
    """The commands `mcp`, `serve` and `client-config`."""
    return (_mcp(desk), _serve(desk), _client_config(desk))


def _mcp(desk: LazyDesk) -> click.Command:
    @click.command("mcp", short_help="Serve over MCP on stdin and stdout")
    @_TOOLSETS
    @click.option("--read-only", is_flag=True, help="Offer nothing that writes.")
    def mcp(toolsets: str, read_only: bool) -> None:
        """Serve one MCP client over standard input and output."""
        from refdesk.surfaces.mcp.server import serve_stdio

        opened = desk()
        serve_stdio(opened, opened.settings, _chosen(toolsets, opened.settings), read_only=read_only)

    return mcp


def _serve(desk: LazyDesk) -> click.Command:
    @click.command("serve", short_help="Serve over MCP as Streamable HTTP, on loopback")
    @click.option("--host", default="127.0.0.1", show_default=True, help="A loopback address.")
    @click.option("--port", default=8000, show_default=True, type=int, help="0 takes a free one.")
    @_TOOLSETS
    def serve(host: str, port: int, toolsets: str) -> None:
        """Serve MCP clients at http://HOST:PORT/mcp; tools that write are not offered, as callers have no keys."""
        from refdesk.surfaces.mcp.http import serve_http

        opened = desk()
        serve_http(opened, opened.settings, host, port, _chosen(toolsets, opened.settings))

    return serve


def _client_config(desk: LazyDesk) -> click.Command:
    @click.command("client-config", short_help="Print or write the settings of an MCP client")
    @click.argument("client", metavar=f"[{'|'.join(CLIENTS)}]")
    @click.option("--write", "file", type=click.Path(path_type=Path), help="Merge the settings into this file.")
    @click.option("--project", is_flag=True, help="Merge them into the client's file in the current project.")
    @click.option("--user", is_flag=True, help="Merge them into the client's file of the user.")
    @click.option("--rules", is_flag=True, help="Print the paragraph for AGENTS.md, CLAUDE.md or a Cursor rule.")
    @click.option("--url", default="", help="Address of a running server, instead of a command.")
    @click.option("--name", default="refdesk", show_default=True, help="What the client calls the server.")
    def configure(
        client: str,
        file: Path | None,
        project: bool,
        user: bool,
        rules: bool,
        url: str,
        name: str,
    ) -> None:
        """Print the settings that connect a client to refdesk, or merge them into its file."""
        program, *arguments = _program(desk.home)
        config = client_config(client, command=program, args=arguments, name=name, url=url)
        if rules:
            if file is not None or project or user:
                raise InvalidInput("--rules prints; it writes no file.", "Leave --write, --project and --user out.")
            click.echo(guidance.rules(client).rstrip())
            if config.client.rules:
                click.echo(f"{config.client.title} reads it from {config.client.rules}.", err=True)
            return
        target = _target(config, file, project=project, user=user)
        if target is None:
            click.echo(config.text.rstrip())
            return
        changed = merge_file(config, target)
        click.echo(f"{target}: " + ("written" if changed else "already up to date"))

    return configure


def _chosen(toolsets: str, settings: Settings) -> Sequence[str]:
    return tuple(part.strip() for part in toolsets.split(",") if part.strip()) or settings.toolsets


def _program(home: Path | None) -> list[str]:
    """How a client starts the server: the installed command where there is one on the path, else this Python."""
    program = ["refdesk"] if shutil.which("refdesk") else [sys.executable, "-m", "refdesk"]
    return [*program, *(["--home", str(home.absolute())] if home else []), "mcp"]


def _target(config: ClientConfig, file: Path | None, *, project: bool, user: bool) -> Path | None:
    """The file to merge into; None to print.

    Raises:
        InvalidInput: Two files were named, or the client has none of that kind.
    """
    if sum((file is not None, project, user)) > 1:
        raise InvalidInput("--write, --project and --user name different files.", "Give one of them.")
    if file is not None:
        return file
    for wanted, kind, path in ((project, "project", config.client.project), (user, "user", config.client.user)):
        if wanted and not path:
            raise InvalidInput(
                f"{config.client.title} has no settings file of the {kind} that refdesk knows.",
                "Leave the option out and paste the settings where the client asks for them.",
            )
        if wanted:
            return Path(path).expanduser()
    return None
