"""Settings of MCP clients: the shape that each client reads, printed or merged into a file without losing anything.

Pure functions but for `merge_file`. JSON is merged by value, and refused where writing it again would lose something
(comments, a key that stands twice). TOML is merged as text, and the result is parsed again to prove that nothing else
changed.
"""

import json
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from refdesk.domain.errors import InvalidInput, StorageFailure
from refdesk.domain.names import similar

Server = dict[str, Any]

DEFAULT_NAME = "refdesk"
_START_SECONDS = 30
"""Codex gives up on a server after 10 seconds, which a first start on a busy machine can take."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program that uses MCP servers.

    Attributes:
        project: Its settings file inside a project; empty if it has none there.
        user: Its settings file of the user, with `~`.
        key: Name of the table of servers in that file.
        rules: The file that it reads as rules, relative to the project.
    """

    name: str
    title: str
    project: str
    user: str
    key: str
    rules: str
    syntax: Literal["json", "toml"] = "json"


def _desktop_file() -> str:
    if sys.platform == "darwin":
        return "~/Library/Application Support/Claude/claude_desktop_config.json"
    if sys.platform == "win32":
        return "~/AppData/Roaming/Claude/claude_desktop_config.json"
    return "~/.config/Claude/claude_desktop_config.json"


CLIENTS: dict[str, Client] = {
    one.name: one
    for one in (
        Client("claude-code", "Claude Code", ".mcp.json", "~/.claude.json", "mcpServers", "CLAUDE.md"),
        Client("claude-desktop", "Claude Desktop", "", _desktop_file(), "mcpServers", ""),
        Client("cursor", "Cursor", ".cursor/mcp.json", "~/.cursor/mcp.json", "mcpServers", ".cursor/rules/refdesk.mdc"),
        Client("vscode", "VS Code", ".vscode/mcp.json", "", "servers", "AGENTS.md"),
        Client("codex", "Codex", ".codex/config.toml", "~/.codex/config.toml", "mcp_servers", "AGENTS.md", "toml"),
        Client("gemini", "Gemini CLI", ".gemini/settings.json", "~/.gemini/settings.json", "mcpServers", "GEMINI.md"),
    )
}


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """One server in the words of one client.

    Attributes:
        text: A whole settings file that holds this server only.
    """

    client: Client
    name: str
    server: Server
    text: str


def client_config(
    client: str, *, command: str, args: Sequence[str] = ("mcp",), name: str = DEFAULT_NAME, url: str = ""
) -> ClientConfig:
    """The settings that make a client use refdesk.

    Args:
        client: One of `CLIENTS`.
        command: The program that the client starts.
        args: Its arguments.
        name: What the client calls the server.
        url: Address of a running server, to be used in place of the command.

    Raises:
        InvalidInput: An unknown client, a name that clients do not accept, or a url for a client that takes none.
    """
    found = CLIENTS.get(client)
    if found is None:
        near = similar(client, CLIENTS)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InvalidInput(f"No client is called {client!r}.{hint}", f"Known: {', '.join(CLIENTS)}.")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,30}", name):
        # Clients prefix every tool with the server's name and drop tools whose names become too long.
        raise InvalidInput(
            f"{name!r} is no name for a server.", "Use at most 30 letters, digits, hyphens and underscores."
        )
    server = _server(found, command, list(args), url)
    if found.syntax == "toml":
        return ClientConfig(found, name, server, _toml_table(name, server))
    return ClientConfig(found, name, server, _json_text({found.key: {name: server}}, 2))


def merge(config: ClientConfig, existing: str) -> str:
    """An existing settings file with the server added, or its settings brought up to date; all else stays.

    Raises:
        InvalidInput: The file cannot be merged without loss; the suggestion says what to add by hand.
    """
    text = existing.removeprefix("\ufeff")
    if not text.strip():
        return config.text
    merged = _merge_toml(config, text) if config.client.syntax == "toml" else _merge_json(config, text)
    return merged.replace("\n", "\r\n") if "\r\n" in existing and "\r\n" not in merged else merged


def merge_file(config: ClientConfig, path: Path) -> bool:
    """Merge the settings into a file; returns whether it changed.

    The new text is written beside the file and renamed over it; what stood there is kept as `NAME.bak`.

    Raises:
        InvalidInput: As `merge`.
        StorageFailure: The file cannot be read or written; it is then as it was.
    """
    path = path.resolve()  # a link to the file stays a link
    try:
        existing = path.read_bytes().decode("utf-8") if path.exists() else ""
        merged = merge(config, existing)
        if merged == existing:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        if existing:
            _replace(path.with_name(f"{path.name}.bak"), existing, like=path)
        _replace(path, merged, like=path)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 text.", _by_hand(config)) from error
    except OSError as error:
        raise StorageFailure(f"{path} cannot be changed: {error.strerror or error}.", _by_hand(config)) from error
    return True


def _server(client: Client, command: str, args: list[str], url: str) -> Server:
    """The server in the client's words (shapes of November 2026)."""
    if url:
        match client.name:
            case "claude-code" | "vscode":
                return {"type": "http", "url": url}
            case "gemini":
                return {"httpUrl": url}
            case "claude-desktop":
                raise InvalidInput("Claude Desktop takes no address in its file.", "Leave the address out.")
            case _:
                return {"url": url}
    match client.name:
        case "vscode":
            return {"type": "stdio", "command": command, "args": args}
        case "codex":
            return {"command": command, "args": args, "startup_timeout_sec": _START_SECONDS}
        case _:
            return {"command": command, "args": args}


def _merge_json(config: ClientConfig, text: str) -> str:
    try:
        settings = json.loads(text, object_pairs_hook=_no_repeated_keys)
    except ValueError as error:
        what = "it has comments" if _has_comments(text) else str(error)
        raise InvalidInput(f"The file cannot be merged without losing something: {what}.", _by_hand(config)) from error
    key = config.client.key
    if not isinstance(settings, dict) or not isinstance(settings.setdefault(key, {}), dict):
        raise InvalidInput(f"The file is no object with a table {key!r}.", _by_hand(config))
    servers = settings[key]
    before = servers.get(config.name)
    servers[config.name] = _updated(_table(before), config.server)
    if before == servers[config.name]:
        return text
    end = "\n" if text.endswith("\n") else ""
    return _json_text(settings, _indent_of(text)).rstrip("\n") + end


def _updated(before: Server, ours: Server) -> Server:
    """Our keys over those of the user; a server has either a command or an address."""
    other = {"command", "args"} if "command" not in ours else {"url", "httpUrl"}
    return {**{key: value for key, value in before.items() if key not in other}, **ours}


def _no_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for at, (key, _) in enumerate(pairs) if any(key == other for other, _ in pairs[:at]))
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _has_comments(text: str) -> bool:
    """Whether a comment stands outside of the strings."""
    return bool(re.search(r"//|/\*", re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)))


def _indent_of(text: str) -> int | str:
    match = re.search(r"\n([ \t]+)\S", text)
    if match is None:
        return 2
    return "\t" if match[1].startswith("\t") else len(match[1])


def _json_text(settings: dict[str, Any], indent: int | str) -> str:
    return json.dumps(settings, indent=indent, ensure_ascii=False) + "\n"


def _merge_toml(config: ClientConfig, text: str) -> str:
    """Replace our keys in the server's table, or append the table; then prove that nothing else changed."""
    text = text.replace("\r\n", "\n")
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"The file is no TOML: {error}.", _by_hand(config)) from error
    servers = _table(before.get(config.client.key))
    old = _table(servers.get(config.name))
    wanted = _updated(old, config.server)
    if old == wanted:
        return text
    merged = _with_table(config, text, set(old) - set(wanted))
    try:
        after = tomllib.loads(merged)
    except tomllib.TOMLDecodeError:
        after = {}
    if after != {**before, config.client.key: {**servers, config.name: wanted}}:
        raise InvalidInput("The file writes its servers in a form that cannot be merged safely.", _by_hand(config))
    return merged


def _table(value: object) -> dict[str, Any]:
    """A table as it is; anything else as an empty one, which the proof of the merged text then finds missing."""
    return value if isinstance(value, dict) else {}


def _with_table(config: ClientConfig, text: str, dropped: set[str]) -> str:
    name = re.escape(config.name)
    named = rf"{config.client.key}\s*\.\s*(?:{name}|\"{name}\")"
    header = re.search(rf"^[ \t]*\[\s*{named}\s*\][^\n]*\n?", text, re.MULTILINE)
    if header is None:
        gap = "" if text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        return text + gap + config.text
    following = re.search(r"^[ \t]*\[", text[header.end() :], re.MULTILINE)
    end = header.end() + following.start() if following else len(text)
    ours = "|".join(map(re.escape, {*config.server, *dropped}))
    kept = re.sub(rf"^[ \t]*(?:{ours})[ \t]*=[^\n]*\n?", "", text[header.end() : end], flags=re.MULTILINE)
    opening = header.group() if header.group().endswith("\n") else header.group() + "\n"
    return text[: header.start()] + opening + _toml_lines(config.server) + kept + text[end:]


def _toml_table(name: str, server: Server) -> str:
    return f"[mcp_servers.{name}]\n{_toml_lines(server)}"


def _toml_lines(server: Server) -> str:
    # JSON strings, numbers and arrays of strings are TOML too, if nothing but ASCII controls is escaped.
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in server.items())


def _by_hand(config: ClientConfig) -> str:
    return f"Add this by hand:\n{config.text}"


def _replace(path: Path, text: str, *, like: Path) -> None:
    """Write beside and rename; the mode of an existing file is kept, as it may hold secrets."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if like.exists():
            Path(temporary).chmod(like.stat().st_mode & 0o777)
        else:
            Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
