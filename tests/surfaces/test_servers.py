"""The commands that start servers and configure clients, as the program runs them."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.printed import Cli, Printed
from refdesk.domain.errors import InvalidInput, Refused
from refdesk.operations.guidance import rules
from refdesk.surfaces.cli.main import run
from refdesk.surfaces.servers import server_commands


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs the command line in process, in an empty project of a user without settings."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "user"))
    monkeypatch.setenv("REFDESK_HOME", str(tmp_path / "index"))
    monkeypatch.setenv("REFDESK_VECTORS", "0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    def call(*arguments: str) -> Printed:
        capsys.readouterr()
        code = run(arguments, server_commands)
        printed = capsys.readouterr()
        return Printed(code, printed.out, printed.err)

    return call


def server_in(text: str) -> Any:
    return json.loads(text)["mcpServers"]["refdesk"]


def test_settings_are_printed_and_nothing_is_written(cli: Cli, tmp_path: Path) -> None:
    printed = cli("client-config", "claude-code")
    assert (printed.code, printed.err) == (0, "")
    assert server_in(printed.out) == {"command": sys.executable, "args": ["-m", "refdesk", "mcp"]}
    assert list(tmp_path.iterdir()) == []


def test_a_command_on_the_path_is_named_and_the_index_folder_goes_along(cli: Cli, tmp_path: Path) -> None:
    program = tmp_path / "bin" / ("refdesk.exe" if os.name == "nt" else "refdesk")
    program.parent.mkdir()
    program.touch(0o755)
    printed = cli("--home", "mine", "client-config", "cursor")
    assert server_in(printed.out) == {"command": "refdesk", "args": ["--home", str(tmp_path / "mine"), "mcp"]}


def test_settings_are_merged_into_the_file_that_is_named(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"theme": "dark"}\n', encoding="utf-8")
    assert cli("client-config", "gemini", "--write", str(file)).out == f"{file}: written\n"
    assert json.loads(file.read_text(encoding="utf-8"))["theme"] == "dark"
    assert server_in(file.read_text(encoding="utf-8"))["args"][-1] == "mcp"
    assert cli("client-config", "gemini", "--write", str(file)).out == f"{file}: already up to date\n"


@pytest.mark.parametrize(
    ("option", "file"),
    [
        pytest.param("--project", ".cursor/mcp.json", id="of the project"),
        pytest.param("--user", "user/.cursor/mcp.json", id="of the user"),
    ],
)
def test_settings_are_merged_into_the_file_that_the_client_reads(
    cli: Cli, tmp_path: Path, option: str, file: str
) -> None:
    printed = cli("client-config", "cursor", option, "--url", "http://127.0.0.1:8000/mcp")
    assert (printed.code, printed.out.endswith(": written\n")) == (0, True)
    assert server_in((tmp_path / file).read_text(encoding="utf-8")) == {"url": "http://127.0.0.1:8000/mcp"}


@pytest.mark.parametrize(
    ("client", "place"),
    [
        pytest.param("claude-code", "Claude Code reads it from CLAUDE.md.\n", id="a client with a file of rules"),
        pytest.param("cursor", "Cursor reads it from .cursor/rules/refdesk.mdc.\n", id="rules in a form of its own"),
        pytest.param("claude-desktop", "", id="a client without"),
    ],
)
def test_rules_are_printed_with_their_place_beside_them(cli: Cli, client: str, place: str) -> None:
    printed = cli("client-config", client, "--rules")
    assert (printed.code, printed.out, printed.err) == (0, rules(client), place)


def test_rules_are_not_written_and_say_so(cli: Cli) -> None:
    printed = cli("client-config", "cursor", "--rules", "--project")
    assert (printed.code, printed.out) == (2, "")
    assert "--rules prints" in printed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("cursor", "--project", "--user"), "name different files", id="project and user"),
        pytest.param(("cursor", "--write", "x.json", "--user"), "name different files", id="a file and user"),
        pytest.param(("claude-desktop", "--project"), "no settings file of the project", id="no project file"),
        pytest.param(("vscode", "--user"), "no settings file of the user", id="no user file"),
        pytest.param(("curser",), "Did you mean 'cursor'", id="unknown client"),
    ],
)
def test_settings_without_one_clear_place_are_refused(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    printed = cli("client-config", *arguments)
    assert (printed.code, printed.out) == (InvalidInput.exit_code, "")
    assert message in printed.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("mcp",), ("mcp", "--read-only"), ("serve", "--port", "0")])
@pytest.mark.parametrize(
    ("toolsets", "variable"),
    [
        pytest.param(("--toolsets", " docs ,, nosuch,"), "admin", id="the option wins"),
        pytest.param((), "docs, nosuch", id="left out, the variable counts"),
        pytest.param(("--toolsets", " , "), "nosuch", id="an empty option counts as left out"),
    ],
)
def test_a_server_with_an_unknown_toolset_does_not_start(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], toolsets: tuple[str, ...], variable: str
) -> None:
    monkeypatch.setenv("REFDESK_TOOLSETS", variable)
    printed = cli(*command, *toolsets)
    assert (printed.code, printed.out) == (InvalidInput.exit_code, "")
    assert "nosuch" in printed.err
    assert "'docs'" not in printed.err.partition("\n")[0]


def test_an_address_that_others_reach_is_refused(cli: Cli) -> None:
    printed = cli("serve", "--host", "192.0.2.1", "--toolsets", "docs")
    assert (printed.code, printed.out) == (Refused.exit_code, "")
    assert "192.0.2.1" in printed.err
