"""Settings are read once from the environment; everything that cannot be read is named at once."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.errors import InvalidInput
from refdesk.settings import Settings, read_settings


def test_an_empty_environment_has_defaults() -> None:
    settings = read_settings({"HOME": "/home/me", "XDG_DATA_HOME": ""})
    assert settings == Settings(settings.home)
    assert (settings.vectors, settings.call_log_days, settings.read_only) == (True, 30, False)
    assert settings.toolsets == ("docs", "admin")


@pytest.mark.parametrize(
    ("platform", "environment", "home"),
    [
        ("linux", {"HOME": "/h"}, Path("/h/.local/share/refdesk")),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/x"}, Path("/x/refdesk")),
        ("linux", {"REFDESK_HOME": "/r", "HOME": "/h"}, Path("/r")),
        ("darwin", {"HOME": "/h"}, Path("/h/Library/Application Support/refdesk")),
        ("win32", {"USERPROFILE": "/u"}, Path("/u/AppData/Local/refdesk")),
        ("win32", {"USERPROFILE": "/u", "LOCALAPPDATA": "/l"}, Path("/l/refdesk")),
    ],
)
def test_the_index_folder_is_the_platforms_or_the_one_named(
    platform: str, environment: dict[str, str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert read_settings(environment).home == home


def test_a_tilde_means_the_users_folder() -> None:
    assert read_settings({"REFDESK_HOME": "~/index"}).home == Path.home() / "index"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", True), ("TRUE", True), (" yes ", True), ("on", True), ("0", False), ("no", False), ("off", False)],
)
def test_flags_are_spelt_as_people_do(text: str, value: bool) -> None:
    settings = read_settings({"REFDESK_VECTORS": text, "REFDESK_READ_ONLY": text})
    assert (settings.vectors, settings.read_only) == (value, value)


def test_numbers_and_lists_are_read() -> None:
    settings = read_settings(
        {
            "REFDESK_CALL_LOG_DAYS": "0",
            "REFDESK_ARCHIVE_BYTES": "1000",
            "REFDESK_TOOLSETS": " docs , admin,docs,",
            "REFDESK_PRIVATE_HOSTS": "Docs.Intranet, 10.0.0.7,[::1],::1,*,,",
            "REFDESK_CHROMIUM": " /usr/bin/chromium ",
        }
    )
    assert settings.private_hosts == ("docs.intranet", "10.0.0.7", "[::1]", "::1", "*")
    assert settings.chromium == "/usr/bin/chromium"
    assert (settings.call_log_days, settings.archive_bytes, settings.toolsets) == (0, 1000, ("docs", "admin"))
    assert read_settings({"REFDESK_CALL_LOG_DAYS": "999999999"}).call_log_days == 36_500
    assert read_settings({"REFDESK_TOOLSETS": " , "}).toolsets == ("docs", "admin")


def test_all_that_cannot_be_read_is_named_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_settings({"REFDESK_VECTORS": "maybe", "REFDESK_CALL_LOG_DAYS": "-1", "REFDESK_ARCHIVE_BYTES": "9" * 20})
    for name in ("REFDESK_VECTORS", "REFDESK_CALL_LOG_DAYS", "REFDESK_ARCHIVE_BYTES"):
        assert name in caught.value.message


@given(st.dictionaries(st.sampled_from(["REFDESK_VECTORS", "REFDESK_CALL_LOG_DAYS", "REFDESK_TOOLSETS"]), st.text()))
def test_no_text_is_an_error_of_another_kind(environment: dict[str, str]) -> None:
    try:
        read_settings({"REFDESK_HOME": "/r", **environment})
    except InvalidInput as error:
        assert error.suggestion  # noqa: PT017  most texts are no error, and that is fine too


@pytest.mark.parametrize("text", ["http://intranet", "intranet:8000", "10.0.0.0/8", "a b"])
def test_a_private_host_is_a_name_or_an_address(text: str) -> None:
    with pytest.raises(InvalidInput, match="is no host") as caught:
        read_settings({"REFDESK_PRIVATE_HOSTS": f"localhost,{text}"})
    assert "REFDESK_PRIVATE_HOSTS" in caught.value.message
