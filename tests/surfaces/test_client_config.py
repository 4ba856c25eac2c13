import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from goldens import check_golden
from refdesk.domain.errors import InvalidInput, StorageFailure
from refdesk.operations.guidance import RULES, rules
from refdesk.surfaces.cli.client_config import CLIENTS, client_config, merge, merge_file

URL = "http://127.0.0.1:7333/mcp"


def config(client: str, **named: Any) -> Any:
    return client_config(client, command="refdesk", args=["mcp"], **named)


@pytest.mark.parametrize("client", CLIENTS)
def test_settings_of_each_client_have_the_shape_that_it_reads(client: str) -> None:
    check_golden(f"client-config/{client}.{CLIENTS[client].syntax}", config(client).text)


@pytest.mark.parametrize("client", [one for one in CLIENTS if one != "claude-desktop"])
def test_a_running_server_is_named_by_its_address(client: str) -> None:
    check_golden(f"client-config/{client}-http.{CLIENTS[client].syntax}", config(client, url=URL).text)


def test_claude_desktop_takes_no_address() -> None:
    with pytest.raises(InvalidInput, match="takes no address"):
        config("claude-desktop", url=URL)


def test_an_unknown_client_is_told_the_nearest_one() -> None:
    with pytest.raises(InvalidInput, match="Did you mean 'cursor'"):
        config("curser")
    with pytest.raises(InvalidInput, match=r"No client is called 'zzzzzz'\.$"):
        config("zzzzzz")


@pytest.mark.parametrize("name", ["", "two words", "a" * 31, "a.b", 'x"'])
def test_names_that_clients_do_not_accept_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="no name for a server"):
        config("codex", name=name)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_empty_file_becomes_the_whole_settings(client: str) -> None:
    assert merge(config(client), " \n") == config(client).text


@pytest.mark.parametrize("client", CLIENTS)
def test_merging_twice_changes_nothing_more(client: str) -> None:
    once = merge(config(client), config(client, name="other").text)
    assert merge(config(client), once) == once


@pytest.mark.parametrize("client", [one.name for one in CLIENTS.values() if one.syntax == "json"])
def test_other_servers_and_settings_of_json_stay(client: str) -> None:
    key = CLIENTS[client].key
    before = {"theme": "dunkel é", key: {"other": {"command": "x", "env": {"A": "1"}}}, "n": [1, 2.5]}
    after = json.loads(merge(config(client), json.dumps(before)))
    assert after == {**before, key: {**before[key], "refdesk": config(client).server}}  # type: ignore[dict-item]
    # before[key] is a dict by construction


def test_a_server_that_is_there_keeps_the_users_own_keys_and_gets_our_new_ones() -> None:
    before = json.dumps({"mcpServers": {"refdesk": {"url": "http://old", "env": {"REFDESK_HOME": "/x"}}}})
    after = json.loads(merge(config("cursor"), before))["mcpServers"]["refdesk"]
    assert after == {"env": {"REFDESK_HOME": "/x"}, "command": "refdesk", "args": ["mcp"]}


def test_an_address_replaces_the_command() -> None:
    after = json.loads(merge(config("cursor", url=URL), config("cursor").text))
    assert after["mcpServers"]["refdesk"] == {"url": URL}


@pytest.mark.parametrize(
    ("indent", "end"), [(2, "\n"), (4, ""), ("\t", "\n")], ids=["two spaces", "four, no last newline", "tab"]
)
def test_indent_and_last_newline_of_json_stay(indent: int | str, end: str) -> None:
    before = json.dumps({"a": {"b": 1}}, indent=indent) + end
    after = merge(config("gemini"), before)
    unit = indent if isinstance(indent, str) else " " * indent
    assert after.startswith(f'{{\n{unit}"a": {{\n{unit}{unit}"b": 1')
    assert after.endswith("}" + end)


def test_line_ends_of_windows_stay() -> None:
    for client in ("cursor", "codex"):
        before = config(client, name="other").text.replace("\n", "\r\n")
        after = merge(config(client), before)
        assert after.count("\n") == after.count("\r\n") > before.count("\r\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n  // mine\n  "servers": {}\n}', "it has comments"),
        ('{"servers": {} /* mine */}', "it has comments"),
        ('{"servers": {"url": "http://x"},}', "without losing"),
        ('{"servers": {"a": {}, "a": {}}}', "the key 'a' stands twice"),
        ("[1]", "no object with a table 'servers'"),
        ('{"servers": []}', "no object with a table 'servers'"),
        ("{", "without losing"),
    ],
    ids=["line comment", "block comment", "trailing comma", "repeated key", "list", "servers a list", "broken"],
)
def test_json_that_would_lose_something_is_refused_with_what_to_add_by_hand(text: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason) as caught:
        merge(config("vscode"), text)
    assert '"command": "refdesk"' in caught.value.suggestion


def test_slashes_inside_strings_are_no_comments() -> None:
    with pytest.raises(InvalidInput) as caught:
        merge(config("vscode"), '{"a": "http://x", "b": "\\"//",}')
    assert "comments" not in caught.value.message


TOML = """\
# my settings
model = "x"  # best

[mcp_servers.other]
command = "other"  # keep
args = [
  "a",
]

[mcp_servers.refdesk]  # ours
command = "old"
args = ["old"]
tool_timeout_sec = 99

[mcp_servers.refdesk.env]
REFDESK_HOME = "/x"

[profiles.work]
model = "y"
"""


def test_toml_keeps_comments_order_and_the_users_own_keys() -> None:
    check_golden("client-config/codex-merged.toml", merge(config("codex"), TOML))


def test_toml_without_our_table_gets_it_at_the_end() -> None:
    before = '# mine\n[mcp_servers.other]\ncommand = "other"'
    after = merge(config("codex"), before)
    assert after == f"{before}\n\n{config('codex').text}"
    assert set(tomllib.loads(after)["mcp_servers"]) == {"other", "refdesk"}


@pytest.mark.parametrize("ends", ["\n", "\n\n"], ids=["one newline", "blank line"])
def test_one_blank_line_stands_before_the_appended_table(ends: str) -> None:
    assert "x = 1\n\n[mcp_servers.refdesk]" in merge(config("codex"), f"x = 1{ends}")


def test_a_toml_address_replaces_the_command() -> None:
    after = tomllib.loads(merge(config("codex", url=URL), config("codex").text))
    assert after["mcp_servers"]["refdesk"] == {"startup_timeout_sec": 30, "url": URL}


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { other = { command = "x" } }\n',
        '[mcp_servers.refdesk]\nargs = [\n  "old",\n]\n',
        'mcp_servers = "odd"\n',
        '[mcp_servers]\nrefdesk = "odd"\n',
        'note = """\n[mcp_servers.refdesk]\n"""\n',
    ],
    ids=["inline table", "our key on several lines", "no table", "server no table", "header inside a string"],
)
def test_toml_in_a_form_that_cannot_be_merged_safely_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be merged safely") as caught:
        merge(config("codex"), text)
    assert "[mcp_servers.refdesk]" in caught.value.suggestion


def test_a_table_header_at_the_very_end_is_filled() -> None:
    after = tomllib.loads(merge(config("codex"), "[mcp_servers.refdesk]"))
    assert after["mcp_servers"]["refdesk"] == config("codex").server


def test_broken_toml_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no TOML"):
        merge(config("codex"), "a = \n")


def test_a_missing_file_is_made_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "mcp.json"
    assert merge_file(config("cursor"), path)
    assert path.read_text(encoding="utf-8") == config("cursor").text
    assert [one.name for one in path.parent.iterdir()] == ["mcp.json"]


def test_a_changed_file_keeps_its_mode_and_its_old_text_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    before = config("cursor", name="other").text
    path.write_text(before, encoding="utf-8")
    path.chmod(0o600)
    assert merge_file(config("cursor"), path)
    backup = tmp_path / "mcp.json.bak"
    assert backup.read_text(encoding="utf-8") == before
    assert {stat.S_IMODE(one.stat().st_mode) for one in (path, backup)} == {0o600}


def test_a_file_that_already_says_so_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(config("cursor").text, encoding="utf-8")
    assert not merge_file(config("cursor"), path)
    assert [one.name for one in tmp_path.iterdir()] == ["mcp.json"]


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.json", tmp_path / "mcp.json"
    target.write_text("{}", encoding="utf-8")
    link.symlink_to(target)
    assert merge_file(config("cursor"), link)
    assert link.is_symlink()
    assert "refdesk" in target.read_text(encoding="utf-8")


def test_a_refused_file_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{ // mine\n}", encoding="utf-8")
    with pytest.raises(InvalidInput):
        merge_file(config("cursor"), path)
    assert path.read_text(encoding="utf-8") == "{ // mine\n}"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        merge_file(config("cursor"), path)


def test_a_file_that_cannot_be_written_is_a_storage_failure_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "mcp.json.bak").mkdir()  # renaming over a folder fails, for any user
    path = tmp_path / "mcp.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(StorageFailure, match="cannot be changed") as caught:
        merge_file(config("cursor"), path)
    assert "Add this by hand" in caught.value.suggestion
    assert path.read_text(encoding="utf-8") == "{}"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mcp.json", "mcp.json.bak"]


def test_the_rules_are_a_paragraph_and_for_cursor_a_rule_that_always_applies() -> None:
    assert rules() == rules("claude-code") == f"{RULES}\n"
    check_golden("client-config/rules.md", rules())
    check_golden("client-config/rules-cursor.mdc", rules("cursor"))
