"""What a whole `paperfold build` costs: the first one, an unchanged one, one with 1,000 new abstracts, the sample.

    python benchmarks/build.py [--size 20000] [--work FOLDER]

Each build is a process of its own, measured by the operating system: CPU and wall seconds and peak memory, with the
wall time of each step from Dagster's records. The baseline is the first build; the others are given as shares of it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from text_lists import write_list

from assets.contract.folder import DataFolder
from orchestration.instance import open_instance

PAPERFOLD = Path(sys.executable).parent / "paperfold"
SAMPLES = Path(__file__).parents[1] / "data" / "samples" / "lists"
PER_LIST = 1_000


@dataclass(frozen=True)
class Cost:
    cpu: float
    wall: float
    peak_mib: float
    steps: dict[str, float]


def measure(data: Path, *arguments: object) -> Cost:
    """Run one build and return what it cost."""
    command = [str(PAPERFOLD), "build", *map(str, arguments), "--data", str(data)]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    with open_instance(DataFolder(data)) as instance:
        [run] = instance.get_runs(limit=1)
        stats = instance.get_run_step_stats(run.run_id)
    steps = {s.step_key: s.end_time - s.start_time for s in sorted(stats, key=lambda s: s.start_time)}
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, steps)


def show(name: str, cost: Cost, baseline: Cost) -> None:
    print(
        f"{name:<28} CPU {cost.cpu:7.1f} s ({cost.cpu / baseline.cpu:6.1%})  wall {cost.wall:7.1f} s "
        f"({cost.wall / baseline.wall:6.1%})  peak {cost.peak_mib:6.0f} MiB"
    )
    print("    " + ", ".join(f"{step} {seconds:.1f}" for step, seconds in cost.steps.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=20_000, help="abstracts of the first build")
    parser.add_argument("--work", type=Path, default=None, help="folder to work in (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.work) as place:
        lists, data, sample = Path(place) / "lists", Path(place) / "data", Path(place) / "sample"
        lists.mkdir()
        for number in range(options.size // PER_LIST):
            write_list(lists / f"list-{number:05}.txt", PER_LIST, seed=number)
        first = measure(data, lists)
        print(f"{options.size:,} abstracts in lists of {PER_LIST:,}; steps in wall seconds")
        show("first build (baseline)", first, first)
        show("unchanged", measure(data), first)
        write_list(lists / "new.txt", PER_LIST, seed=-1)
        show(f"{PER_LIST:,} new abstracts", measure(data), first)
        show("the sample lists, first", measure(sample, SAMPLES), first)
        show("the sample lists, again", measure(sample, SAMPLES), first)


if __name__ == "__main__":
    main()
