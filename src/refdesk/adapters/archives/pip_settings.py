"""pip's effective settings, read the way pip reads them, without pip.

Source: pip's documentation, "Configuration" (file locations, sections, environment variables), checked against
`pip config list` in the tests. Only what decides where packages come from is read.
"""

import configparser
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from refdesk.domain.errors import InvalidInput

_SECTIONS = ("global", "install", "download")
_YES = frozenset({"y", "yes", "t", "true", "on", "1"})
_NO = frozenset({"n", "no", "f", "false", "off", "0"})
_OTHER_NAMES = {"default-timeout": "timeout", "pypi-url": "index-url"}


@dataclass(frozen=True, slots=True)
class PipSettings:
    """Where pip would look for packages, and how it would connect.

    Values that may hold credentials are left out of `repr`.

    Attributes:
        index_url: The main index; empty means the registry that pip has built in.
        extra_index_urls: Further indexes, asked after the main one.
        find_links: Folders, files and pages with links to archives.
        no_index: Ask no index, only `find_links`.
        trusted_hosts: `host` or `host:port` whose certificate is not checked.
        cert: Certificate bundle; empty means the system's.
        client_cert: Client certificate and key in one PEM file; empty if none.
        proxy: Empty means what the environment says.
        timeout: Seconds to wait for a connection or for the next bytes.
        retries: Further attempts after a failure that may pass; None if not set.
    """

    index_url: str = field(default="", repr=False)
    extra_index_urls: tuple[str, ...] = field(default=(), repr=False)
    find_links: tuple[str, ...] = field(default=(), repr=False)
    no_index: bool = False
    trusted_hosts: tuple[str, ...] = ()
    cert: str = ""
    client_cert: str = ""
    proxy: str = field(default="", repr=False)
    timeout: float = 15.0
    retries: int | None = None


def read_pip_settings(environment: Mapping[str, str], platform: str = sys.platform) -> PipSettings:
    """The settings that pip would use in this environment; later places win (global, user, venv, named, variables).

    Args:
        environment: Environment variables.
        platform: As `sys.platform` names it; decides the file locations.

    Raises:
        InvalidInput: A file that is not in pip's format, or a value that pip would refuse.
    """
    values: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for path in config_files(environment, platform):
        for section, name, value in _entries(path):
            values[section][name] = value
    merged: dict[str, str] = {}
    for group in (*values.values(), dict(_variables(environment))):
        merged |= {name: value for name, value in group.items() if value}
    home = _home(environment, platform)
    return PipSettings(
        index_url=merged.get("index-url", ""),
        extra_index_urls=tuple(merged.get("extra-index-url", "").split()),
        find_links=tuple(_expanded(one, home) for one in merged.get("find-links", "").split()),
        no_index=_flag(merged.get("no-index", "no")),
        trusted_hosts=tuple(merged.get("trusted-host", "").split()),
        cert=_expanded(merged.get("cert") or _requests_bundle(environment), home),
        client_cert=_expanded(merged.get("client-cert", ""), home),
        proxy=merged.get("proxy", ""),
        timeout=_number("timeout", merged.get("timeout", "15")),
        retries=int(_number("retries", merged["retries"])) if "retries" in merged else None,
    )


def config_files(environment: Mapping[str, str], platform: str = sys.platform) -> list[Path]:
    """The files that pip would read, in its order; those that do not exist included."""
    named = environment.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return []
    basename = "pip.ini" if platform == "win32" else "pip.conf"
    folders = [*_global_folders(environment, platform)]
    if not (named and Path(named).exists()):
        folders += _user_folders(environment, platform)
    # The venv that refdesk runs in may be a tool's own; the project's active one is what pip would use.
    prefixes = [sys.prefix, environment.get("VIRTUAL_ENV") or sys.prefix]
    folders += [Path(prefix) for prefix in dict.fromkeys(prefixes)]
    return [*(folder / basename for folder in folders), *([Path(named)] if named else [])]


def _global_folders(environment: Mapping[str, str], platform: str) -> Iterable[Path]:
    if platform == "win32":
        return [Path(environment.get("PROGRAMDATA") or "C:\\ProgramData") / "pip"]
    if platform == "darwin":
        return [Path("/Library/Application Support/pip")]
    shared = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [*(Path(one) / "pip" for one in shared.split(":") if one), Path("/etc")]


def _user_folders(environment: Mapping[str, str], platform: str) -> Iterable[Path]:
    home = _home(environment, platform)
    if platform == "win32":
        roaming = environment.get("APPDATA")
        return [home / "pip", (Path(roaming) if roaming else home / "AppData" / "Roaming") / "pip"]
    if platform == "darwin":
        support = home / "Library" / "Application Support" / "pip"
        return [home / ".pip", support if support.is_dir() else home / ".config" / "pip"]
    return [home / ".pip", Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "pip"]


def _home(environment: Mapping[str, str], platform: str) -> Path:
    named = environment.get("USERPROFILE" if platform == "win32" else "HOME")
    return Path(named) if named else Path.home()


class _Parser(configparser.RawConfigParser):
    def optionxform(self, optionstr: str) -> str:
        return _normal(optionstr)


def _entries(path: Path) -> Iterator[tuple[str, str, str]]:
    """Section, name and value of what a file sets; nothing if there is no such file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, type(error).__name__) from error
    parser = _Parser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        # Neither the parser's message nor the chained error is kept: both may quote a line with a password.
        raise _unreadable(path, type(error).__name__) from None
    for section in _SECTIONS:
        if parser.has_section(section):
            yield from ((section, name, value) for name, value in parser.items(section))


def _unreadable(path: Path, reason: str) -> InvalidInput:
    return InvalidInput(
        f"pip's configuration file {path} cannot be read ({reason}).",
        "Correct the file; `pip config debug` shows which files pip reads.",
        path=str(path),
    )


def _variables(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in sorted(environment.items()):
        if name.startswith("PIP_"):
            yield _normal(name[4:]), value


def _normal(name: str) -> str:
    plain = name.lower().replace("_", "-").removeprefix("--")
    return _OTHER_NAMES.get(plain, plain)


def _expanded(path: str, home: Path) -> str:
    """A leading `~` as the home folder; pip's own `expanduser` would read the process's environment."""
    return str(home / path[2:]) if path.startswith("~/") else path


def _requests_bundle(environment: Mapping[str, str]) -> str:
    """What requests, pip's HTTP library, takes when pip's own `cert` is not set."""
    return environment.get("REQUESTS_CA_BUNDLE") or environment.get("CURL_CA_BUNDLE") or ""


def _flag(value: str) -> bool:
    if value.lower() not in _YES | _NO:
        raise InvalidInput(f"pip's setting no-index is {value!r}.", "Write yes or no.", setting="no-index")
    return value.lower() in _YES


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidInput(f"pip's setting {name} is {value!r}.", "Write a number.", setting=name) from None
