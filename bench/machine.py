"""What was measured where: the machine, the commit, the load, and the memory of a process."""

from __future__ import annotations

import compileall
import os
import platform
import statistics
import subprocess
import sysconfig
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from trilith import __version__
from trilith.evaluation.metrics import percentile

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results"
ENGINES = ("faiss-cpu", "mcp", "numkong", "onnxruntime", "starlette", "tantivy", "tokenizers", "uvicorn")


def surroundings() -> dict[str, Any]:
    """Whatever a figure depends on beside the code."""
    return {
        "trilith": __version__,
        "commit": commit(),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "system": platform.platform(aliased=True, terse=True),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ENGINES},
    }


def commit() -> str:
    """The commit that is checked out, with `+` when files differ from it."""
    short = ("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    changed = ("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no", "src")
    return said(*short) + ("+" if said(*changed) else "")


def said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def compile_all() -> None:
    """Byte-compile Trilith and what it needs, as pip does when it installs: where that was left out and the environment forbids
    it later (PYTHONDONTWRITEBYTECODE), each start compiles a thousand modules, which is half of it."""
    for folder in (sysconfig.get_path("purelib"), ROOT / "src"):
        compileall.compile_dir(folder, quiet=2)


def load() -> float:
    """Processes that ran or waited for a core in the last minute, on average: above the cores, times are too long."""
    return round(os.getloadavg()[0], 2)


def memory(pid: int) -> dict[str, float]:
    """Megabytes of a process: `pss` (what it shares counted by its share) and `rss`."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
    return {"pss_mb": round(sizes["Pss"] / 1024, 1), "rss_mb": round(sizes["Rss"] / 1024, 1)}


def peak(pid: int) -> float:
    """The most megabytes of memory that a process ever held, pages of files that it has mapped included."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024, 1)


def cpu_seconds(pid: int) -> float:
    """Of all threads, in user and system mode; `/proc/PID/stat` counts in hundredths."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Milliseconds that half, 95 % and 99 % of the measurements did not exceed."""
    return {
        "p50_ms": round(percentile(seconds, 0.5) * 1000, 2),
        "p95_ms": round(percentile(seconds, 0.95) * 1000, 2),
        "p99_ms": round(percentile(seconds, 0.99) * 1000, 2),
    }


def medians(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    """The median over several rounds of each figure."""
    return {name: round(statistics.median(figures[name] for figures in rounds), 2) for name in rounds[0]}
