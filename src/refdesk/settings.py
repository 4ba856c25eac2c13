"""Settings: one frozen value, read once from the environment; command-line flags replace single fields."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from refdesk.domain.errors import InvalidInput

_DIGITS = 15
_HOST = re.compile(r"(?:\*|[a-z0-9._-]+|\[?[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*\]?)\Z")
_LONGEST_LOG = 36_500
"""Days; a hundred years are for ever, and stay within what dates can hold."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about this installation that a person may choose.

    Attributes:
        home: The index folder (`REFDESK_HOME`).
        vectors: Whether to embed and to search by vectors where the extra is installed (`REFDESK_VECTORS`).
        call_log_days: Days that calls are remembered; 0 turns the log off (`REFDESK_CALL_LOG_DAYS`).
        archive_bytes: Limit of the store of archives in bytes (`REFDESK_ARCHIVE_BYTES`).
        toolsets: Toolsets that servers offer (`REFDESK_TOOLSETS`, comma-separated).
        read_only: Whether every operation that writes is refused (`REFDESK_READ_ONLY`).
        private_hosts: Hosts that sites may be fetched from although they lie in a private network; `*` for all
            (`REFDESK_PRIVATE_HOSTS`, comma-separated).
        chromium: The browser that renders pages which scripts build; empty for `chromium` on the path
            (`REFDESK_CHROMIUM`).
    """

    home: Path
    vectors: bool = True
    call_log_days: int = 30
    archive_bytes: int = 4 << 30
    toolsets: tuple[str, ...] = ("docs", "admin")
    read_only: bool = False
    private_hosts: tuple[str, ...] = ()
    chromium: str = ""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read settings from environment variables.

    Raises:
        InvalidInput: A variable whose value cannot be read; all of them are named at once.
    """
    wrong: list[str] = []

    def number(name: str, default: int) -> int:
        text = environment.get(name, "").strip()
        if text and (not text.isdecimal() or len(text) > _DIGITS):
            wrong.append(f"{name}={text[:40]!r} is not a whole number of at most {_DIGITS} digits")
            return default
        return int(text) if text else default

    def flag(name: str, default: bool) -> bool:
        text = environment.get(name, "").strip().lower()
        if text and text not in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            wrong.append(f"{name}={text!r} is neither true nor false")
        return text in ("1", "true", "yes", "on") if text else default

    def hosts(name: str) -> tuple[str, ...]:
        found = _list(environment.get(name, "").lower())
        wrong.extend(
            f"{name}: {host[:40]!r} is no host; write names or addresses without scheme, port and path"
            for host in found
            if _HOST.match(host) is None
        )
        return found

    settings = Settings(
        home=_home(environment),
        vectors=flag("REFDESK_VECTORS", default=True),
        call_log_days=min(number("REFDESK_CALL_LOG_DAYS", 30), _LONGEST_LOG),
        archive_bytes=number("REFDESK_ARCHIVE_BYTES", 4 << 30),
        toolsets=_toolsets(environment.get("REFDESK_TOOLSETS", "")),
        read_only=flag("REFDESK_READ_ONLY", default=False),
        private_hosts=hosts("REFDESK_PRIVATE_HOSTS"),
        chromium=environment.get("REFDESK_CHROMIUM", "").strip(),
    )
    if wrong:
        raise InvalidInput("; ".join(wrong) + ".", "Correct the environment variables; docs/settings.md lists them.")
    return settings


def _toolsets(text: str) -> tuple[str, ...]:
    return _list(text) or Settings(Path()).toolsets


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _home(environment: Mapping[str, str]) -> Path:
    """`REFDESK_HOME`, else the platform's folder for application data."""
    if environment.get("REFDESK_HOME"):
        return Path(environment["REFDESK_HOME"]).expanduser()
    user = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if sys.platform == "darwin":
        return user / "Library" / "Application Support" / "refdesk"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or user / "AppData" / "Local") / "refdesk"
    return Path(environment.get("XDG_DATA_HOME") or user / ".local" / "share") / "refdesk"
