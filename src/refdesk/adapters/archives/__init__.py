"""Archives: published package files found through pip's settings, kept by hash, read in place."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from refdesk.adapters.archives.archives import RegistryArchives
from refdesk.adapters.archives.limits import ArchiveLimits
from refdesk.adapters.archives.pip_settings import read_pip_settings
from refdesk.adapters.archives.store import ArchiveStore

__all__ = ["ArchiveLimits", "RegistryArchives", "open_archives"]


def open_archives(
    folder: Path,
    environment: Mapping[str, str],
    limits: ArchiveLimits = ArchiveLimits(),  # noqa: B008 - a frozen value
    pause: Callable[[float], None] = time.sleep,
) -> RegistryArchives:
    """Archives kept in a folder and fetched from the registries that pip is configured for.

    Cleans up after interrupted downloads. Neither pip's settings nor the network are touched before a package is
    asked for that is not kept.

    Args:
        folder: Holds nothing else; made when the first archive is kept.
        environment: Environment variables: where pip's settings come from.
        limits: Sizes that may not be exceeded.
        pause: Waits between attempts to reach a registry.
    """
    store = ArchiveStore(folder, limits.store_bytes, limits.wait_seconds)
    store.clean()
    return RegistryArchives(store, lambda: read_pip_settings(environment), limits, pause)
