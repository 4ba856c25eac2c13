"""Errors: one shape, stable codes, exit codes that say who must act."""

import pytest

from refdesk.domain import errors
from refdesk.domain.errors import RefdeskError

EVERY = sorted(
    (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, RefdeskError)),
    key=lambda one: one.__name__,
)
CODES = {
    "RefdeskError": ("internal", 1, False),
    "InternalError": ("internal", 1, False),
    "InvalidInput": ("invalid_input", 2, False),
    "NotFound": ("not_found", 3, False),
    "LibraryNotIndexed": ("library_not_indexed", 3, False),
    "VersionNotIndexed": ("version_not_indexed", 3, False),
    "UnknownPackage": ("unknown_package", 3, False),
    "UnknownVersion": ("unknown_version", 3, False),
    "Ambiguous": ("ambiguous", 3, False),
    "NetworkUnavailable": ("network_unavailable", 4, True),
    "StorageFailure": ("storage_failure", 5, False),
    "StorageFull": ("storage_full", 5, True),
    "StorageReadOnly": ("storage_read_only", 5, False),
    "PackUnreadable": ("pack_unreadable", 5, False),
    "SourceRejected": ("source_rejected", 6, False),
    "HashMismatch": ("hash_mismatch", 6, True),
    "Refused": ("refused", 7, False),
    "Busy": ("busy", 8, True),
    "ExtraMissing": ("extra_missing", 9, False),
    "Cancelled": ("cancelled", 10, True),
}


def test_codes_exit_codes_and_retryability_are_api() -> None:
    assert {one.__name__: (one.code, one.exit_code, one.retryable) for one in EVERY} == CODES


@pytest.mark.parametrize("error", EVERY, ids=lambda one: one.__name__)
def test_every_error_has_the_one_shape(error: type[RefdeskError]) -> None:
    raised = error("It is not there.", "Look here: refdesk list", nearest=["1.0"])
    assert str(raised) == "It is not there."
    assert raised.payload() == {
        "error": error.code,
        "message": "It is not there.",
        "suggestion": "Look here: refdesk list",
        "retryable": error.retryable,
        "details": {"nearest": ["1.0"]},
    }


def test_an_error_without_details_has_no_key_for_them() -> None:
    assert errors.Busy("Somebody builds it.").payload() == {
        "error": "busy",
        "message": "Somebody builds it.",
        "suggestion": "",
        "retryable": True,
    }


def test_details_cannot_be_changed_after_raising() -> None:
    raised = errors.NotFound("gone", near="x")
    with pytest.raises(TypeError):
        raised.details["near"] = "y"  # type: ignore[index]  # the point of the test


def test_the_tree_in_the_module_docstring_names_every_error() -> None:
    drawn = errors.__doc__ or ""
    assert [name for name in CODES if name not in drawn] == []
