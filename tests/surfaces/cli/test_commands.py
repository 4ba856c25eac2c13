"""The command line mirrors the tools: one document on stdout, errors on stderr, exit codes that mean something."""

import json
import logging
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.printed import Cli
from goldens import check_golden
from refdesk.domain import errors
from refdesk.domain.errors import RefdeskError
from refdesk.operations.catalogue import CATALOGUE
from refdesk.surfaces.cli import main as cli_main
from refdesk.surfaces.cli.main import INTERRUPTED, run

READS = {
    "search": ("search", "send a parcel", "--library", "pypi:parcel", "--version", "1.0.0"),
    "search all": ("search", "send a parcel"),
    "page": ("page", "guide/long.md", "--library", "site:book"),
    "apis": ("apis", "pypi:parcel", "--version", "2.0.0"),
    "apis by option": ("apis", "--library", "pypi:parcel"),
    "releases": ("apis",),
    "api": ("api", "keep_parcel", "--library", "aws:depot", "--version", "1.34.0"),
    "check-version": ("check-version", "KeepParcel.IfNoneMatch", "--library", "aws:depot", "--version", "1.34.0"),
    "list": ("list",),
    "list of one": ("list", "pypi:parcel"),
    "add again": ("add", "pypi:parcel==1.0.0"),
}


@pytest.mark.parametrize("name", READS)
def test_json_is_one_document_on_stdout_and_nothing_else(cli: Cli, name: str) -> None:
    printed = cli(*READS[name], "--json")
    assert printed.code == 0
    assert next(iter(printed.json)) == "version_line"
    assert json.dumps(printed.json, indent=2, ensure_ascii=False) + "\n" == printed.out
    if name != "add again":
        assert printed.err == ""


@pytest.mark.parametrize("name", READS)
def test_readable_output_begins_with_the_version_line(cli: Cli, name: str) -> None:
    printed = cli(*READS[name])
    assert printed.code == 0
    assert printed.out.startswith("[Version: ")


def test_the_json_of_an_api_holds_what_scripts_rely_on(cli: Cli) -> None:
    detail = cli("api", "keep_parcel", "--library", "aws:depot", "--version", "1.34.0", "--json").json
    assert detail["library"] == "aws:depot"
    assert detail["version"] == {
        "requested": "1.34.0",
        "served": "2020-01-01",
        "rule": "carrier",
        "via": "botocore==1.34.0",
    }
    assert (detail["name"], detail["names"], detail["kind"]) == (
        "KeepParcel",
        ["KeepParcel", "keep_parcel"],
        "operation",
    )
    assert detail["signature"].startswith("keep_parcel(")
    by_name = {param["name"]: param for param in detail["params"]}
    assert by_name["Depot"]["required"] is True
    assert {"name", "type", "required", "default", "enum", "doc"} <= by_name["Labels[].Key"].keys()
    assert [error["name"] for error in detail["errors"]] == ["NoSuchDepot"]
    assert (detail["deprecated"], detail["since"]) == (None, None)
    assert detail["source"]["package"] == "botocore"
    assert detail["source"]["version"] == "1.34.0"
    assert detail["source"]["path"] == "botocore/data/depot/2020-01-01/service-2.json"
    assert {"returns", "examples", "updated"} <= detail.keys()


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("api", "keep_parcels", "--library", "aws:depot"), 3, "not_found"),
        (("api", "x", "--library", "pypi:nothing"), 3, "library_not_indexed"),
        (("api", "x", "--library", "pypi:parcel", "--version", "9"), 3, "version_not_indexed"),
        (("api", "", "--library", "pypi:parcel"), 2, "invalid_input"),
        (("search", '"'), 2, "invalid_input"),
        (("search", "x", "--limit", "0"), 2, "invalid_input"),
        (("search", "x", "--limit", "1000000"), 2, "invalid_input"),
        (("search", "x", "--limit", "many"), 2, "invalid_input"),
        (("search", "x", "--content-type", "guide"), 2, "invalid_input"),
        (("search", "x", "--lmit", "3"), 2, "invalid_input"),
        (("search",), 2, "invalid_input"),
        (("serch", "x"), 2, "invalid_input"),
        (("api", "\udcff"), 2, "invalid_input"),
        (("\udcff",), 2, "invalid_input"),
        (("page", "nothing.md", "--library", "site:book"), 3, "not_found"),
        (("apis", "pypi:parcel", "--cursor", "x"), 2, "invalid_input"),
        (("apis", "pypi:parcel", "--library", "aws:depot"), 2, "invalid_input"),
        (("remove", "pypi:nothing"), 3, "library_not_indexed"),
        (("list", "pypi:nothing"), 3, "library_not_indexed"),
        (("add", "nonsense"), 2, "invalid_input"),
        (("add", "files:/nowhere/at/all", "as", "site:x"), 3, "not_found"),
    ],
)
def test_an_error_is_one_json_document_on_stderr_with_its_exit_code(
    cli: Cli, arguments: tuple[str, ...], code: int, error: str
) -> None:
    printed = cli(*arguments, "--json")
    assert (printed.code, printed.out) == (code, "")
    shape = json.loads("{" + printed.err.partition("{")[2])
    assert shape["error"] == error
    assert {"message", "suggestion", "retryable"} <= shape.keys()
    readable = cli(*arguments)
    assert (readable.code, readable.out) == (code, "")
    assert "refdesk: " in readable.err
    assert "Traceback" not in readable.err


def test_usage_errors_name_the_help_of_the_command(cli: Cli) -> None:
    assert cli("search", "x", "--lmit", "3", "--json").error["suggestion"] == "refdesk search --help"
    assert "--limit" in cli("search", "x", "--lmit", "3").err
    assert cli("serch", "--json").error["suggestion"] == "refdesk --help"


ERRORS = sorted(
    (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, RefdeskError)),
    key=lambda one: one.__name__,
)


@pytest.mark.parametrize("kind", ERRORS, ids=[one.__name__ for one in ERRORS])
def test_every_class_of_error_has_its_documented_exit_code(
    cli: Cli, kind: type[RefdeskError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise kind("What is wrong.", "What to do.")

    monkeypatch.setattr(cli_main, "open_desk", fail)
    printed = cli("list", "--json")
    assert (printed.code, printed.error["error"]) == (kind.exit_code, kind.code)
    assert printed.error["retryable"] is kind.retryable
    tree = errors.__doc__ or ""
    assert f"(exit {kind.exit_code})" in tree


def test_a_defect_outside_of_an_operation_is_told_in_the_one_shape(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(cli_main, "open_desk", fail)
    logging.getLogger("refdesk").addHandler(quiet := logging.NullHandler())
    printed = cli("list", "--json")
    logging.getLogger("refdesk").removeHandler(quiet)
    assert (printed.code, printed.error["error"]) == (1, "internal")
    assert "ZeroDivisionError: oh" in printed.error["message"]


def test_a_defect_inside_an_operation_is_logged_to_a_file_and_not_to_stderr(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("refdesk.services.shelf.Shelf.published", fail)
    printed = cli("list", "--json", home=tmp_path)
    assert (printed.code, printed.error["error"]) == (1, "internal")
    assert "ZeroDivisionError: oh" in (tmp_path / "errors.log").read_text(encoding="utf-8")
    gone = cli("list", "--json", home=tmp_path / "no" / "folder")
    assert gone.error["error"] == "internal"


def test_an_interruption_has_the_exit_code_of_shells(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_main, "open_desk", interrupt)
    printed = cli("list", "--json")
    assert (printed.code, printed.error["error"]) == (INTERRUPTED, "cancelled")


def test_help_names_every_command_and_the_exit_codes(cli: Cli) -> None:
    text = cli("--help").out
    for one in CATALOGUE:
        assert f"\n  {one.cli} " in text
        printed = cli(one.cli, "--help")
        assert printed.code == 0
        assert "--json" in printed.out
        assert "Exit codes" in " ".join(printed.out.split())
    assert cli("--version").out.startswith("refdesk, version ")
    assert "Usage: refdesk" in cli().err
    assert cli().code == 2


def test_every_tool_of_the_docs_takes_library_and_version(cli: Cli) -> None:
    for command in ("search", "page", "apis", "api", "check-version"):
        text = cli(command, "--help").out
        assert "--library" in text
        assert "--version" in text


def test_a_folder_named_on_the_command_line_wins(cli: Cli, tmp_path: Path) -> None:
    assert "Nothing is indexed yet" in cli("--home", str(tmp_path), "list").out


def test_parts_of_a_page_go_on_with_the_cursor(cli: Cli) -> None:
    first = cli("page", "guide/long.md", "--library", "site:book", "--max-tokens", "1000", "--json").json
    second = cli(
        "page", "guide/long.md", "--library", "site:book", "--cursor", first["next_cursor"], "--max-tokens", "25000",
        "--json",
    ).json  # fmt: skip
    whole = cli("page", "guide/long.md", "--library", "site:book", "--max-tokens", "24000", "--json").json
    assert first["text"] + second["text"] == whole["text"]
    assert second["next_cursor"] is None


def test_a_value_given_twice_must_be_the_same(cli: Cli) -> None:
    assert cli("apis", "pypi:parcel", "--library", "pypi:parcel").code == 0
    assert "was given twice" in cli("apis", "pypi:parcel", "--library", "aws:depot").err


def test_what_a_terminal_shows_begins_with_the_version_line_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdesk.surfaces.cli.output._is_terminal", lambda: True)
    printed = cli("api", "parcel.Client", "--library", "pypi:parcel", "--version", "1.0.0")
    assert printed.out.startswith("[Version: pypi:parcel 1.0.0]\n")
    assert "parcel.Client" in printed.out
    assert cli("list").out.startswith("[Version: 5 indexed releases]\n")
    assert cli("apis").out.startswith("[Version: 5 indexed releases]\n")
    assert "Nothing is indexed" in cli("list", home=Path("/nowhere")).out


def test_the_page_of_a_real_operation_reads_as_in_its_golden_file(cli: Cli) -> None:
    text = cli("api", "keep_parcel", "--library", "aws:depot", "--version", "1.44.0").out
    check_golden("answers/cli-api.md", "\n".join(line for line in text.splitlines() if "updated:" not in line) + "\n")


def shell(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "refdesk", *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env={**os.environ, **(environment or {})},
    )


def test_the_installed_command_prints_utf8_json_whatever_the_locale(cli: Cli) -> None:
    assert cli("list").code == 0
    done = shell("check-version", "send.fast", "--library", "parcel", "--version", "1.0.0", "--json",
                 environment={"PYTHONIOENCODING": "ascii"})  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["status"] == "not_yet_added"
    failed = shell("api", "nothing→", "--library", "parcel", environment={"PYTHONIOENCODING": "ascii"})
    assert (failed.returncode, failed.stdout) == (3, "")
    assert "nothing→" in failed.stderr


def test_a_reader_that_goes_away_is_no_failure(cli: Cli) -> None:
    assert cli("list").code == 0
    command = [
        sys.executable,
        "-m",
        "refdesk",
        "page",
        "guide/long.md",
        "--library",
        "site:book",
        "--max-tokens",
        "25000",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read().decode()
        code = process.wait(60)
    assert (code, said) == (0, "")


def test_further_commands_stand_beside_those_of_the_operations(capsys: pytest.CaptureFixture[str]) -> None:
    import click

    assert run(["extra"], lambda _desk: [click.Command("extra", callback=lambda: click.echo("here"))]) == 0
    assert capsys.readouterr().out == "here\n"


def test_the_module_is_the_command(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli("list").code == 0
    monkeypatch.setattr(sys, "argv", ["refdesk", "list", "--json"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("refdesk", run_name="__main__")
    assert caught.value.code == 0
    assert json.loads(capsys.readouterr().out)["releases"]


def test_an_error_without_a_way_out_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise errors.Busy("Somebody else adds it.")

    monkeypatch.setattr(cli_main, "open_desk", fail)
    printed = cli("list")
    assert (printed.code, printed.err) == (8, "refdesk: Somebody else adds it.\n")
