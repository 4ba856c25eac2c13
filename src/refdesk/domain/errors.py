"""Every error that refdesk reports, one shape on every surface.

The tree, by who must act::

    RefdeskError
    ├── InvalidInput        the caller wrote something that cannot be understood      (exit 2)
    ├── NotFound            what was asked for does not exist where it was looked for (exit 3)
    │   ├── LibraryNotIndexed    known form, nothing indexed under it
    │   ├── VersionNotIndexed    the library is indexed, this version of it is not
    │   ├── UnknownPackage       the registry answered: no such package
    │   └── UnknownVersion       the registry answered: no such version of the package
    ├── Ambiguous           several things fit; the message names them                (exit 3)
    ├── NetworkUnavailable  the registry could not be asked; says nothing of existence (exit 4)
    ├── StorageFailure      the index folder cannot be read or written                (exit 5)
    │   ├── StorageFull / StorageReadOnly
    │   └── PackUnreadable       a pack of an unknown format, or a damaged one
    ├── SourceRejected      an archive or document that must not or cannot be read    (exit 6)
    │   └── HashMismatch
    ├── Refused             the server is not allowed to do this                      (exit 7)
    ├── Busy                somebody else holds what is needed; ask again             (exit 8)
    ├── ExtraMissing        an optional part is not installed                         (exit 9)
    ├── Cancelled           the caller stopped waiting; nothing is left half done     (exit 10)
    └── InternalError       a defect of refdesk                                       (exit 1)

`code`, `suggestion`, `retryable` and `details` are API; the wording of messages is not.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar


class RefdeskError(Exception):
    """Root of all errors that a caller may see.

    Attributes:
        message: What is wrong, one or two sentences.
        suggestion: The next call to make, ready to copy where that is possible.
        details: Structured facts behind the message (nearest versions, similar names …), JSON values only.
        trace_id: Finds the failed call in the log; empty where no call was dispatched.
    """

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, suggestion: str = "", **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.details: Mapping[str, object] = MappingProxyType(details)
        self.trace_id = ""

    def payload(self) -> dict[str, object]:
        """The one error shape: `error`, `message`, `suggestion`, `retryable`, and `details` when there are any."""
        shape: dict[str, object] = {
            "error": self.code,
            "message": self.message,
            "suggestion": self.suggestion,
            "retryable": self.retryable,
        }
        if self.details:
            shape["details"] = dict(self.details)
        return shape


class InternalError(RefdeskError):
    """A defect of refdesk itself; nothing that the caller can change."""


class InvalidInput(RefdeskError):
    """The request cannot be understood: an unknown argument, an empty query, a malformed version."""

    code = "invalid_input"
    exit_code = 2


class NotFound(RefdeskError):
    """What was asked for does not exist where it was looked for. An ordinary answer, not a failure."""

    code = "not_found"
    exit_code = 3


class LibraryNotIndexed(NotFound):
    """Nothing is indexed under this library; says nothing of whether the library exists."""

    code = "library_not_indexed"


class VersionNotIndexed(NotFound):
    """The library is indexed, but not in the version asked for; never answered by another version."""

    code = "version_not_indexed"


class UnknownPackage(NotFound):
    """The package registry was asked and has no such package."""

    code = "unknown_package"


class UnknownVersion(NotFound):
    """The package registry was asked and has no such version of the package."""

    code = "unknown_version"


class Ambiguous(RefdeskError):
    """Several things fit equally well; the message names them and nothing is chosen."""

    code = "ambiguous"
    exit_code = 3


class NetworkUnavailable(RefdeskError):
    """The registry could not be asked. Never to be read as "does not exist"."""

    code = "network_unavailable"
    exit_code = 4
    retryable = True


class StorageFailure(RefdeskError):
    """The index folder cannot be read or written."""

    code = "storage_failure"
    exit_code = 5


class StorageFull(StorageFailure):
    """No space left; what was indexed before still answers."""

    code = "storage_full"
    retryable = True


class StorageReadOnly(StorageFailure):
    """The index folder may not be written; reading goes on."""

    code = "storage_read_only"


class PackUnreadable(StorageFailure):
    """A pack of an unknown or older format, or a damaged one; adding the release again rebuilds it."""

    code = "pack_unreadable"


class SourceRejected(RefdeskError):
    """An archive or document that must not (path escape, link, bomb) or cannot (broken JSON) be read."""

    code = "source_rejected"
    exit_code = 6


class HashMismatch(SourceRejected):
    """The downloaded file is not the one that the registry announced."""

    code = "hash_mismatch"
    retryable = True


class Refused(RefdeskError):
    """Understood and possible, but not allowed here (read-only server, write over an open port)."""

    code = "refused"
    exit_code = 7


class Busy(RefdeskError):
    """Another process holds what is needed."""

    code = "busy"
    exit_code = 8
    retryable = True


class ExtraMissing(RefdeskError):
    """An optional part of refdesk is not installed; the suggestion names the extra."""

    code = "extra_missing"
    exit_code = 9


class Cancelled(RefdeskError):
    """The caller stopped waiting. What was finished before stays, nothing is left half done."""

    code = "cancelled"
    exit_code = 10
    retryable = True
