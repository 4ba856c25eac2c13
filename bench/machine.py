"""Where a figure was measured."""

import os
import platform
import sys
from pathlib import Path


def describe() -> str:
    """One line: processor, cores, memory, load, Python."""
    model = "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"{model}, {os.cpu_count()} cores, {pages / 2**30:.0f} GiB, load {load:.1f},"
        f" Python {platform.python_version()}, {sys.platform}"
    )


def data_folder() -> Path | None:
    """The folder of benchmark data: `REFDESK_BENCH_DATA`, else `../shared/bench`; None if it is absent."""
    named = os.environ.get("REFDESK_BENCH_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "bench"
    return folder if folder.is_dir() else None
