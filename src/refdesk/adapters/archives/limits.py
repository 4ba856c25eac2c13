"""The limits within which archives are downloaded, kept and read."""

from dataclasses import dataclass

_MIB = 1024 * 1024
_GIB = 1024 * _MIB


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What nothing may exceed; all sizes in bytes.

    Attributes:
        download_bytes: Size of one archive.
        store_bytes: Size of all archives that are kept; the least recently used ones go first.
        entries: Entries in one archive.
        file_bytes: Size of one file inside an archive, uncompressed.
        read_bytes: Size of everything that is read from one open archive, uncompressed.
        ratio: How many bytes one compressed byte may become, once more than `ratio_from` bytes came out. Counted,
            not taken from the headers. Text rarely exceeds 30; deflate cannot exceed 1,032.
        wait_seconds: How long to wait for another process that fetches the same archive.
    """

    download_bytes: int = 512 * _MIB
    store_bytes: int = 4 * _GIB
    entries: int = 200_000
    file_bytes: int = 64 * _MIB
    read_bytes: int = 2 * _GIB
    ratio: int = 200
    ratio_from: int = 4 * _MIB
    wait_seconds: float = 600.0
