"""Folding against its peers: F1 by kind of copy, CPU, wall clock and peak memory, each engine a process of its own.

    python benchmarks/folding.py [--sizes 10000 100000] [--engines paperfold polars ...] [--corpus FILE ...]
                                 [--peers PYTHON] [--work FOLDER]

The corpora are made here (folding_corpus.py). Peers run where they are installed: in this Python, or in the one that
--peers names (`pip install rensa gaoya datasketch polars`); others are left out with a line that says so. --corpus adds
Parquet files with doc_id, text, cluster (or true_cluster) and kind. CPU and wall clock are given as ratios to the
quickest peer with F1 over .90. Every figure is of a whole process, imports included. Paperfold's is from text Parquet
to papers written, and up to the clusters, which is where the peers stop; a last line tells what a refresh with one new
list costs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from folding_corpus import corpus

HERE = Path(__file__).parent
GOOD_F1 = 0.90


@dataclass(frozen=True)
class Run:
    engine: str
    cpu: float
    wall: float
    peak_gb: float
    f1: float
    precision: float
    recall: float
    by_kind: dict[str, float]
    steps: dict[str, float]


def pairs_in(sizes: pl.Series) -> int:
    return int((sizes.cast(pl.Int64) * (sizes.cast(pl.Int64) - 1) // 2).sum())


def score(truth: pl.DataFrame, found: pl.Series) -> tuple[float, float, float, dict[str, float]]:
    """Return pairwise F1, precision, recall, and the share of each kind that lies with a copy of its own paper."""
    both = truth.with_columns(found=found)
    right = pairs_in(both.group_by("cluster", "found").len()["len"])
    told = pairs_in(both.group_by("found").len()["len"])
    true = pairs_in(both.group_by("cluster").len()["len"])
    precision, recall = right / told if told else 1.0, right / true if true else 1.0
    beside = both.with_columns(
        near=pl.len().over("cluster", "found"),
        all=pl.len().over("cluster"),
        papers=pl.col("cluster").n_unique().over("found"),
    )
    copies = beside.filter(pl.col("all") > 1).group_by("kind").agg((pl.col("near") > 1).mean())
    alone = beside.filter(pl.col("all") == 1).group_by("kind").agg((pl.col("papers") == 1).mean())
    by_kind = {**dict(copies.sort("kind").iter_rows()), **{f"not:{k}": v for k, v in alone.sort("kind").iter_rows()}}
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f1, precision, recall, by_kind


def run(engine: str, python: str, file: Path, truth: pl.DataFrame, out: Path) -> Run | str:
    began = time.monotonic()
    process = subprocess.Popen(
        [python, str(HERE / "folding_engine.py"), engine, str(file), str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    told, errors = process.stdout.read().decode(), process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        return errors.strip().splitlines()[-1] if errors.strip() else f"ended with status {status}"
    f1, precision, recall, by_kind = score(truth, pl.read_parquet(out).get_column("found"))
    cpu = usage.ru_utime + usage.ru_stime
    return Run(
        engine,
        cpu,
        time.monotonic() - began,
        usage.ru_maxrss / 1e6,
        f1,
        precision,
        recall,
        by_kind,
        json.loads(told.strip() or "{}"),
    )


def report(name: str, runs: list[Run]) -> None:
    good = [r for r in runs if r.engine != "paperfold" and r.f1 > GOOD_F1]
    first = min(good, key=lambda r: r.cpu) if good else None
    print(f"\n{name}" + (f" (ratios to {first.engine})" if first else " (no peer with F1 over .90)"))
    heads = (
        ("F1", 8),
        ("precision", 9),
        ("recall", 8),
        ("CPU s", 8),
        ("ratio", 6),
        ("wall s", 8),
        ("ratio", 6),
        ("GB", 5),
    )
    print(f"{'engine':12} " + " ".join(f"{head:>{width}}" for head, width in heads))
    for r in runs:
        ratios = (f"{r.cpu / first.cpu:6.2f}", f"{r.wall / first.wall:6.2f}") if first else ("", "")
        print(
            f"{r.engine:12} {r.f1:8.5f} {r.precision:9.5f} {r.recall:8.5f} {r.cpu:8.1f} {ratios[0]:>6} {r.wall:8.1f} "
            f"{ratios[1]:>6} {r.peak_gb:5.2f}"
        )
        if r.engine == "paperfold":
            clusters = r.cpu - r.steps["tables"] - r.steps["papers"]
            ratio = f"{clusters / first.cpu:6.2f}" if first else ""
            print(f"{'  to clusters':12} {'':25} {clusters:8.1f} {ratio:>6}")
    for r in runs:
        print(f"  {r.engine}: " + ", ".join(f"{kind} {share:.4f}" for kind, share in r.by_kind.items()))
        if r.steps:
            print("    CPU s by step: " + ", ".join(f"{step} {spent:.2f}" for step, spent in r.steps.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--engines", nargs="*", default=["paperfold", "rensa", "gaoya", "datasketch", "polars"])
    parser.add_argument("--corpus", type=Path, nargs="*", default=[])
    parser.add_argument("--peers", default=sys.executable, help="the Python that has the peers")
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "paperfold-bench")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    made = []
    for size in options.sizes:
        file = options.work / f"corpus-{size}.parquet"
        if not file.exists():
            corpus(size).write_parquet(file, row_group_size=100_000)
        made.append(file)
    for file in [*made, *options.corpus]:
        whole = pl.read_parquet(file)
        truth = whole.rename({"true_cluster": "cluster"}, strict=False).select("cluster", "kind")
        runs = []
        for engine in options.engines:
            python = sys.executable if engine == "paperfold" else options.peers
            done = run(engine, python, file, truth, options.work / "found.parquet")
            if isinstance(done, str):
                print(f"{engine} left out: {done}")
            else:
                runs.append(done)
        report(f"{file.name}: {whole.height:,} documents", runs)
        if "paperfold" in options.engines:
            again = run("refresh", sys.executable, file, truth, options.work / "found.parquet")
            if isinstance(again, str):
                raise SystemExit(f"the refresh failed: {again}")
            full, part = again.steps["all"], again.steps["refresh"]
            print(
                f"  refresh with 1,000 new: {part:.1f} CPU s, {part / full:.1%} of folding all ({full:.1f} s); "
                f"writing papers, folds, conflicts: {again.steps['writing']:.1f} s; F1 {again.f1:.5f}, peak "
                f"{again.peak_gb:.2f} GB of both"
            )


if __name__ == "__main__":
    main()
