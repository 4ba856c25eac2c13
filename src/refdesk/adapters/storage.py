"""Files of ours on disk: the names of what goes wrong with them, and making a rename last.

It knows nothing of SQLite: who reads an archive that is kept must not load it.
"""

import errno
import os
from pathlib import Path

from refdesk.domain.errors import StorageFailure, StorageFull, StorageReadOnly

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The system's numbers for: full disk, quota, file-size limit."""

_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
"""The system's numbers for: read-only file system, no permission."""


def storage_failure(number: int, folder: Path, what: str, error: Exception) -> StorageFailure:
    """The error that callers see for one of the system.

    Args:
        number: The system's error number; 0 if unknown.
        folder: The folder that is worked on.
        what: What of it is worked on, in a word: the name of a file, or `archives`.
        error: What the system said.
    """
    if number in _FULL:
        return StorageFull(
            f"No space left to write {what} in {folder}.",
            "Free some space and call again; what was indexed before still answers.",
            folder=str(folder),
        )
    if number in _READ_ONLY:
        return StorageReadOnly(
            f"{folder} may not be written.",
            "Make the folder writable, or name another one with the setting REFDESK_HOME; reading goes on.",
            folder=str(folder),
        )
    return StorageFailure(
        f"{what} in {folder} cannot be read or written: {error}",
        "Check the folder and its file system.",
        folder=str(folder),
    )


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable; Windows has no such call and needs none."""
    if os.name == "nt":  # pragma: no cover - CI has no Windows
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
