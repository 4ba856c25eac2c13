"""pip's settings are read as pip reads them: files, sections, variables and their order."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from refdesk.adapters.archives.pip_settings import PipSettings, config_files, read_pip_settings
from refdesk.domain.errors import InvalidInput

PLAIN = {"PIP_CONFIG_FILE": os.devnull, "HOME": "/home/ann"}


def settings_of(**variables: str) -> PipSettings:
    return read_pip_settings(PLAIN | variables)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param({}, PipSettings(), id="nothing"),
        pytest.param({"PIP_INDEX_URL": "https://a/s"}, PipSettings(index_url="https://a/s"), id="index"),
        pytest.param({"PIP_PYPI_URL": "https://a/s"}, PipSettings(index_url="https://a/s"), id="index by its old name"),
        pytest.param(
            {"PIP_EXTRA_INDEX_URL": " https://a/s\n\tfile:///b "},
            PipSettings(extra_index_urls=("https://a/s", "file:///b")),
            id="several extra indexes",
        ),
        pytest.param(
            {"PIP_FIND_LINKS": "/x ~/y https://z/links.html"},
            PipSettings(find_links=("/x", "/home/ann/y", "https://z/links.html")),
            id="find-links with a home folder",
        ),
        pytest.param({"PIP_TRUSTED_HOST": "a b:8080"}, PipSettings(trusted_hosts=("a", "b:8080")), id="trusted hosts"),
        pytest.param({"PIP_CERT": "~/ca.pem"}, PipSettings(cert="/home/ann/ca.pem"), id="certificate"),
        pytest.param({"PIP_CLIENT_CERT": "/c.pem"}, PipSettings(client_cert="/c.pem"), id="client certificate"),
        pytest.param({"PIP_PROXY": "http://p:1"}, PipSettings(proxy="http://p:1"), id="proxy"),
        pytest.param({"PIP_TIMEOUT": "3"}, PipSettings(timeout=3.0), id="timeout"),
        pytest.param({"PIP_DEFAULT_TIMEOUT": "180"}, PipSettings(timeout=180.0), id="timeout by its other name"),
        pytest.param({"PIP_RETRIES": "0"}, PipSettings(retries=0), id="retries"),
        pytest.param({"PIP_NO_INDEX": "True"}, PipSettings(no_index=True), id="no index"),
        pytest.param({"PIP_NO_INDEX": "off"}, PipSettings(), id="no index, switched off"),
        pytest.param({"PIP_INDEX_URL": ""}, PipSettings(), id="an empty value counts as none"),
        pytest.param({"REQUESTS_CA_BUNDLE": "/r.pem"}, PipSettings(cert="/r.pem"), id="bundle of the HTTP library"),
        pytest.param({"CURL_CA_BUNDLE": "/u.pem"}, PipSettings(cert="/u.pem"), id="bundle by its second name"),
        pytest.param(
            {"REQUESTS_CA_BUNDLE": "/r.pem", "PIP_CERT": "/c.pem"}, PipSettings(cert="/c.pem"), id="pip's own bundle"
        ),
        pytest.param({"PIP_CONSTRAINT": "c.txt", "pip_index_url": "x"}, PipSettings(), id="what does not concern us"),
    ],
)
def test_variables_are_read(variables: dict[str, str], expected: PipSettings) -> None:
    assert settings_of(**variables) == expected


@pytest.mark.parametrize(
    ("name", "value"), [("PIP_NO_INDEX", "perhaps"), ("PIP_TIMEOUT", "soon"), ("PIP_RETRIES", "many")]
)
def test_a_value_that_pip_would_refuse_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=value):
        settings_of(**{name: value})


def test_credentials_do_not_show_in_the_settings_text() -> None:
    secret = "https://ann:s3cret@host/simple"
    shown = repr(settings_of(PIP_INDEX_URL=secret, PIP_EXTRA_INDEX_URL=secret, PIP_FIND_LINKS=secret, PIP_PROXY=secret))
    assert "s3cret" not in shown


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        pytest.param(
            "linux",
            {"HOME": "/h"},
            ["/etc/xdg/pip/pip.conf", "/etc/pip.conf", "/h/.pip/pip.conf", "/h/.config/pip/pip.conf"],
            id="linux",
        ),
        pytest.param(
            "linux",
            {"HOME": "/h", "XDG_CONFIG_DIRS": "/a:/b", "XDG_CONFIG_HOME": "/c"},
            ["/a/pip/pip.conf", "/b/pip/pip.conf", "/etc/pip.conf", "/h/.pip/pip.conf", "/c/pip/pip.conf"],
            id="linux with its own folders",
        ),
        pytest.param(
            "darwin",
            {"HOME": "/h"},
            ["/Library/Application Support/pip/pip.conf", "/h/.pip/pip.conf", "/h/.config/pip/pip.conf"],
            id="macOS",
        ),
        pytest.param(
            "win32",
            {"USERPROFILE": "/u", "APPDATA": "/r", "PROGRAMDATA": "/p"},
            ["/p/pip/pip.ini", "/u/pip/pip.ini", "/r/pip/pip.ini"],
            id="Windows",
        ),
        pytest.param(
            "win32",
            {"USERPROFILE": "/u"},
            [str(Path("C:\\ProgramData") / "pip/pip.ini"), "/u/pip/pip.ini", "/u/AppData/Roaming/pip/pip.ini"],
            id="Windows without variables",
        ),
    ],
)
def test_files_lie_where_pip_looks(platform: str, variables: dict[str, str], expected: list[str]) -> None:
    own = str(Path(sys.prefix) / ("pip.ini" if platform == "win32" else "pip.conf"))
    assert [str(path) for path in config_files(variables, platform)] == [*expected, own]


def test_the_library_folder_of_macos_wins_where_it_exists(tmp_path: Path) -> None:
    support = tmp_path / "Library" / "Application Support" / "pip"
    support.mkdir(parents=True)
    assert support / "pip.conf" in config_files({"HOME": str(tmp_path)}, "darwin")


def test_the_active_venv_comes_after_the_own_one_and_a_named_file_last(tmp_path: Path) -> None:
    named = tmp_path / "named.conf"
    found = config_files({"HOME": "/h", "VIRTUAL_ENV": "/v", "PIP_CONFIG_FILE": str(named)}, "linux")
    assert found[-3:] == [Path(sys.prefix) / "pip.conf", Path("/v/pip.conf"), named]
    assert Path("/h/.pip/pip.conf") in found


def test_a_named_file_that_exists_replaces_those_of_the_user(tmp_path: Path) -> None:
    named = tmp_path / "named.conf"
    named.touch()
    found = config_files({"HOME": "/h", "PIP_CONFIG_FILE": str(named)}, "linux")
    assert not any(path.is_relative_to("/h") for path in found)
    assert found[-1] == named


def test_without_a_home_variable_the_system_is_asked() -> None:
    assert Path.home() / ".pip" / "pip.conf" in config_files({}, "linux")


class _Machine:
    """A machine with configuration files under one folder."""

    def __init__(self, folder: Path) -> None:
        self.environment = {
            "HOME": str(folder / "home"),
            "XDG_CONFIG_DIRS": str(folder / "xdg"),
            "VIRTUAL_ENV": str(folder / "venv"),
        }
        self.places = {
            "shared": folder / "xdg" / "pip" / "pip.conf",
            "user": folder / "home" / ".config" / "pip" / "pip.conf",
            "venv": folder / "venv" / "pip.conf",
        }

    def write(self, place: str, text: str) -> None:
        self.places[place].parent.mkdir(parents=True, exist_ok=True)
        self.places[place].write_text(text, encoding="utf-8")

    def read(self, **variables: str) -> PipSettings:
        return read_pip_settings(self.environment | variables, "linux")


@pytest.fixture
def machine(tmp_path: Path) -> _Machine:
    return _Machine(tmp_path)


def test_later_places_win(machine: _Machine) -> None:
    machine.write("shared", "[global]\nindex-url = https://shared/s\ntimeout = 1\nproxy = http://p:1\nretries = 2\n")
    assert machine.read().index_url == "https://shared/s"
    machine.write("user", "[global]\nindex_url = https://user/s\ntimeout = 2\n")
    assert machine.read().index_url == "https://user/s"
    machine.write("venv", "[global]\ntimeout: 3\n")
    found = machine.read(PIP_PROXY="http://p:2")
    assert (found.index_url, found.timeout, found.proxy, found.retries) == ("https://user/s", 3.0, "http://p:2", 2)


def test_the_section_of_a_command_wins_over_the_general_one_of_any_file(machine: _Machine) -> None:
    machine.write("shared", "[install]\nindex-url = https://install/s\n[list]\nindex-url = https://list/s\n")
    machine.write("user", "[global]\nindex-url = https://user/s\n")
    assert machine.read().index_url == "https://install/s"
    machine.write("venv", "[download]\nindex-url = https://download/s\n")
    assert machine.read().index_url == "https://download/s"
    assert machine.read(PIP_INDEX_URL="https://variable/s").index_url == "https://variable/s"


def test_lines_and_percent_signs_are_taken_as_they_are(machine: _Machine) -> None:
    machine.write("user", "[global]\nextra-index-url =\n    https://u:p%40q@a/s\n    file:///b\n; a comment\n")
    assert machine.read().extra_index_urls == ("https://u:p%40q@a/s", "file:///b")


def test_the_null_device_switches_every_file_off(machine: _Machine) -> None:
    machine.write("user", "[global]\nindex-url = https://user/s\n")
    assert machine.read(PIP_CONFIG_FILE=os.devnull) == PipSettings()


def test_a_file_in_another_format_is_named_without_its_content(machine: _Machine) -> None:
    machine.write("user", "index-url = https://ann:s3cret@host/s\n")
    with pytest.raises(InvalidInput) as caught:
        machine.read()
    assert str(machine.places["user"]) in caught.value.message
    assert "s3cret" not in str(caught.value.payload())
    assert caught.value.__cause__ is None


def test_a_file_that_is_no_text_is_named(machine: _Machine) -> None:
    machine.write("user", "")
    machine.places["user"].write_bytes(b"[global]\nproxy = \xff\n")
    with pytest.raises(InvalidInput, match=r"pip\.conf"):
        machine.read()


@pytest.mark.slow
def test_pip_itself_sees_the_same_settings(machine: _Machine) -> None:
    """The oracle: `pip config list`, where pip is installed."""
    pytest.importorskip("pip")
    machine.write("shared", "[global]\nindex-url = https://shared/s\ntimeout = 1\nfind_links = /a /b\n")
    machine.write("user", "[global]\nextra-index-url =\n  file:///x\n  https://y/s\ntrusted-host = y\n")
    variables = {"PIP_TIMEOUT": "7", "PIP_RETRIES": "1"}
    environment = machine.environment | variables | {"PATH": os.environ["PATH"]}
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        env=environment | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = dict(line.split("=", 1) for line in listed.splitlines())
    told = {name: value.strip("'").replace("\\n", " ") for name, value in told.items()}
    found = machine.read(**variables)
    assert found.index_url == told["global.index-url"]
    assert list(found.extra_index_urls) == told["global.extra-index-url"].split()
    assert list(found.find_links) == told["global.find-links"].split()
    assert list(found.trusted_hosts) == told["global.trusted-host"].split()
    assert (found.timeout, found.retries) == (float(told[":env:.timeout"]), int(told[":env:.retries"]))
