"""What similar papers and topics cost, whole and for 1,000 new papers, and how many true neighbours are found.

    python benchmarks/similar.py CORPUS.parquet [--size 100000] [--new 1000]

CORPUS has a column text and may have title. The first build takes all but the new papers; the refresh adds them.
Recall: of the ten nearest by the cosine of all terms, computed without candidates for a sample of papers, the share
that the table has. Figures are CPU seconds of this process and its peak memory.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from assets.analytical.similar.neighbours import FLOOR, NEAREST
from assets.analytical.similar.table import similar_papers
from assets.analytical.topics import model
from assets.analytical.vectors import vectors
from assets.analytical.vectors.weights import UNIT
from assets.contract.ids import paper_id

ASKED = 300


@contextmanager
def measured(name: str) -> Iterator[None]:
    begin, begin_wall = time.process_time(), time.perf_counter()
    yield
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cpu, wall = time.process_time() - begin, time.perf_counter() - begin_wall
    print(f"{name:<34} CPU {cpu:7.1f} s  wall {wall:7.1f} s  peak {peak:6.0f} MiB", flush=True)


def recall(made: vectors.Vectors, table: pl.DataFrame) -> float:
    """Return the share of the true neighbours of a sample that the table names."""
    rows = np.sort(np.random.default_rng(0).choice(made.papers.height, min(ASKED, made.papers.height), replace=False))
    ids = made.papers.get_column("paper_id")
    asked = table.filter(pl.col("paper_id").is_in(ids.gather(rows).implode()))
    found = {key: set(rest) for key, rest in asked.group_by("paper_id").agg("similar_paper_id").iter_rows()}
    all_rows = made.matrix.astype(np.float64).T.tocsr()
    hits = wanted = 0
    for row in rows:
        exact = np.asarray((made.matrix[[row]].astype(np.float64) @ all_rows).todense()).ravel() / UNIT**2
        exact[row] = -1
        best = np.argsort(-exact, kind="stable")[:NEAREST]
        true = set(ids.gather(best[exact[best] >= FLOOR]))
        wanted += len(true)
        hits += len(true & found.get(ids[int(row)], set()))
    return hits / max(1, wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--new", type=int, default=1_000)
    options = parser.parse_args()
    corpus = pl.read_parquet(options.corpus).head(options.size)
    if "title" not in corpus.columns:
        corpus = corpus.with_columns(title=pl.lit(None, pl.String))
    ids = pl.Series([paper_id(text, str(place)) for place, text in enumerate(corpus.get_column("text"))])
    papers = vectors.readable(corpus.with_columns(paper_id=ids, language=pl.lit("en")).lazy())
    del corpus
    old = papers.join(pl.DataFrame({"paper_id": ids.tail(options.new)}), on="paper_id", how="anti").sort("paper_id")
    print(f"{papers.height:,} papers, {papers.height - old.height:,} of them new")

    with measured("vectors, whole"):
        whole = vectors.refreshed(old, old.clear(), None)
    with measured("similar papers, whole"):
        table = similar_papers(whole, None)
    with measured("topics, whole"):
        topics = model.topics_of(whole, old, None)
    with tempfile.TemporaryDirectory() as place:
        with measured("state, written"):
            vectors.save(whole.vectors, Path(place))
        print(f"state: {sum(path.stat().st_size for path in Path(place).iterdir()) / 2**20:.0f} MiB")
        with measured("state, read"):
            kept = vectors.load(Path(place))
    print(f"recall of the ten nearest: {recall(whole.vectors, table):.3f}")
    with measured("vectors, refreshed"):
        change = vectors.refreshed(papers, old, kept)
    with measured("similar papers, refreshed"):
        renewed = similar_papers(change, table.lazy())
    with measured("topics, refreshed"):
        model.topics_of(change, papers, model.Base(topics.topics, topics.topic_papers, topics.state))
    print(f"recall after the refresh: {recall(change.vectors, renewed):.3f}")


if __name__ == "__main__":
    main()
