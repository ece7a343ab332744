"""How fast text lists are read, beside counting the words of the same bytes: `python benchmarks/reading.py [N ...]`.

Prints, for lists of N abstracts (default 10,000 and 100,000), CPU seconds per 100,000 abstracts for the whole of
reading (bytes to occurrences with text) and for `wc -w`, their ratio, wall time and peak memory. Child processes
count. `--per-list K` writes many lists of K abstracts, `--texts FILE` takes them from a Parquet file, `--workers W`
sets the worker processes, `--write` writes the occurrences to Parquet as a refresh does, `--profile` prints where the
time of one process goes.
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
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import polars as pl
from text_lists import abstracts, write_blocks

from assets.contract.arrow import polars_schema
from assets.contract.ids import document_id
from assets.contract.parquet import write_batches
from assets.parsed.options import ReadingSettings
from assets.parsed.reading import read_documents


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def peak_mib() -> dict[str, float]:
    """Return peak resident memory in MiB of this process and of its largest finished child."""
    whose = {"process": resource.RUSAGE_SELF, "largest_worker": resource.RUSAGE_CHILDREN}
    return {name: resource.getrusage(who).ru_maxrss / 1024 for name, who in whose.items()}


def files_of(paths: Sequence[Path]) -> tuple[pl.DataFrame, dict[str, Path]]:
    """Return the table `files` of some lists, and where the content of each lies."""
    rows, places = [], {}
    for path in paths:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        places[digest] = path
        rows.append(
            {
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
        )
    return pl.DataFrame(rows, schema=polars_schema("files")), places


def load(places: dict[str, Path], digest: str) -> bytes:
    """Return the content of a list; a function of the module, so that worker processes can be given it."""
    return places[digest].read_bytes()


def read_lists(paths: Sequence[Path], settings: ReadingSettings, out: Path | None = None) -> int:
    """Read lists as a refresh does, write their occurrences to a Parquet file if one is named, and return how many."""
    files, places = files_of(paths)
    readings = read_documents(files, partial(load, places), {}, settings)
    if out is None:
        return sum(reading.occurrences.height for reading in readings)
    write_batches((reading.occurrences for reading in readings), "parsed_occurrences", out)
    return int(pl.scan_parquet(out).select(pl.len()).collect().item())


def words_by_wc(paths: Sequence[Path]) -> float:
    """Return the CPU seconds that `wc -w` takes for the lists."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["wc", "-w", *map(str, paths)], check=True, capture_output=True, env={"LC_ALL": "C.UTF-8"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def write_lists(folder: Path, texts: Iterable[str], per_list: int) -> list[Path]:
    """Write text lists of so many abstracts each and return their paths."""
    paths = []
    texts = iter(texts)
    while batch := list(islice(texts, per_list)):
        paths.append(folder / f"list-{len(paths):05d}.txt")
        write_blocks(paths[-1], batch)
    return paths


def measure(count: int, texts: Iterable[str], per_list: int, settings: ReadingSettings, *, write: bool) -> None:
    """Print the figures for lists of so many abstracts in all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_lists(folder, texts, per_list)
        size = sum(path.stat().st_size for path in paths) / 2**20
        baseline = words_by_wc(paths)
        cpu, wall = cpu_seconds(), time.perf_counter()
        found = read_lists(paths, settings, folder / "occurrences.parquet" if write else None)
        cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
        per = 100_000 / count
        memory = ", ".join(f"{name} {mib:,.0f} MiB" for name, mib in peak_mib().items())
        print(
            f"{count:>9,} abstracts in {len(paths):,} lists ({size:,.0f} MiB): {found:,} occurrences; "
            f"CPU per 100,000: reading {cpu * per:.1f} s, wc -w {baseline * per:.2f} s, ratio {cpu / baseline:.0f}; "
            f"wall {wall:.1f} s; peak memory: {memory}"
        )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--per-list", type=int, help="abstracts in a list; all in one when not given")
    parser.add_argument("--texts", type=Path, help="a Parquet file whose column `text` holds the abstracts")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    settings = ReadingSettings(workers=arguments.workers, parallel_chars=1)
    if not arguments.profile:
        for count in arguments.counts:
            texts = stored(arguments.texts, count) if arguments.texts else abstracts(count)
            measure(count, texts, arguments.per_list or count, settings, write=arguments.write)
        return
    with tempfile.TemporaryDirectory() as name:
        paths = write_lists(Path(name), abstracts(arguments.counts[0]), arguments.per_list or arguments.counts[0])
        profile = cProfile.Profile()
        profile.runcall(read_lists, paths, ReadingSettings(workers=1))
        pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(25)


def stored(path: Path, count: int) -> Iterator[str]:
    """Yield the first abstracts of a Parquet file, a slice at a time."""
    for at in range(0, count, 20_000):
        yield from pl.scan_parquet(path).select("text").slice(at, min(20_000, count - at)).collect()["text"]


if __name__ == "__main__":
    main()
