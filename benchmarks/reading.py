"""How fast text lists are read, beside counting the words of the same bytes: `python benchmarks/reading.py [N ...]`.

Prints, for lists of N abstracts (default 10,000 and 100,000), CPU seconds per 100,000 abstracts for the whole of
reading (bytes to occurrences with text) and for `wc -w`, their ratio, wall time and peak memory. Child processes
count. `--workers W` sets the worker processes, `--profile` prints where the time of one process goes.
"""

from __future__ import annotations

import argparse
import cProfile
import hashlib
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
from text_lists import write_list

from assets.contract.arrow import polars_schema
from assets.contract.ids import document_id
from assets.parsed.options import ReadingSettings
from assets.parsed.reading import read_documents


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def peak_mib() -> dict[str, float]:
    """Return peak resident memory in MiB of this process and of its largest finished child."""
    whose = {"process": resource.RUSAGE_SELF, "largest_worker": resource.RUSAGE_CHILDREN}
    return {name: resource.getrusage(who).ru_maxrss / 1024 for name, who in whose.items()}


def read_file(path: Path, settings: ReadingSettings) -> int:
    """Read a list as a refresh does, keeping nothing but the count of its occurrences."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    row = {
        "document_id": document_id("bench", path.name, digest),
        "source": "bench",
        "file_name": path.name,
        "content_sha256": digest,
        "bytes": path.stat().st_size,
        "modified_at": None,
        "snapshot_at": None,
        "problem": None,
        "problem_detail": None,
    }
    files = pl.DataFrame([row], schema=polars_schema("files"))
    return sum(r.occurrences.height for r in read_documents(files, lambda _: path.read_bytes(), {}, settings))


def words_by_wc(path: Path) -> float:
    """Return the CPU seconds that `wc -w` takes for the file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["wc", "-w", str(path)], check=True, capture_output=True, env={"LC_ALL": "C.UTF-8"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def measure(count: int, settings: ReadingSettings) -> None:
    """Print the figures for a list of so many abstracts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.txt"
        write_list(path, count)
        baseline = words_by_wc(path)
        cpu, wall = cpu_seconds(), time.perf_counter()
        found = read_file(path, settings)
        cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
        per = 100_000 / count
        memory = ", ".join(f"{name} {mib:,.0f} MiB" for name, mib in peak_mib().items())
        print(
            f"{count:>9,} abstracts ({path.stat().st_size / 2**20:,.0f} MiB): {found:,} occurrences; "
            f"CPU per 100,000: reading {cpu * per:.1f} s, wc -w {baseline * per:.2f} s, ratio {cpu / baseline:.0f}; "
            f"wall {wall:.1f} s; peak memory: {memory}"
        )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--workers", type=int)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    settings = ReadingSettings(workers=arguments.workers)
    if not arguments.profile:
        for count in arguments.counts:
            measure(count, settings)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.txt"
        write_list(path, arguments.counts[0])
        profile = cProfile.Profile()
        profile.runcall(read_file, path, ReadingSettings(workers=1))
        pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
