"""What reading facts costs: CPU seconds per 100,000 abstracts, whole and on a base of which little is new.

    python benchmarks/facts.py TEXTS.parquet [--papers N] [--new SHARE]

TEXTS.parquet has a column `text`. Printed are CPU seconds for a first build and for a refresh on
it in which a share of the texts is new, the facts of each kind, and peak memory.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import tempfile
import time
from pathlib import Path

import polars as pl

from assets.analytical.analysis import Given
from assets.analytical.facts.table import analyse_facts


def papers_of(texts: pl.Series) -> pl.DataFrame:
    """Return the two columns of papers that facts are read from."""
    ids = [f"pap_{hashlib.sha256(f'{number} {text}'.encode()).hexdigest()[:20]}" for number, text in enumerate(texts)]
    return pl.DataFrame({"paper_id": ids, "text": texts})


def timed(papers: pl.DataFrame, out: Path, base: dict[str, pl.LazyFrame] | None, release: Path | None) -> pl.DataFrame:
    """Run the analysis and print its CPU seconds."""
    out.mkdir()
    start = time.process_time()
    facts = analyse_facts(Given({"papers": papers.lazy()}, base, release, out))["facts"]
    spent = time.process_time() - start
    print(f"{out.name:8} {papers.height:9,} papers  {spent:7.2f} CPU s  {facts.height:9,} facts")
    return facts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("--papers", type=int, default=100_000)
    parser.add_argument("--new", type=float, default=0.01)
    options = parser.parse_args()
    texts = pl.read_parquet(options.texts, columns=["text"])["text"].head(options.papers)
    papers = papers_of(texts)
    with tempfile.TemporaryDirectory() as place:
        first = Path(place) / "first"
        facts = timed(papers, first, None, None)
        base = {"papers": papers.lazy(), "facts": facts.lazy()}
        new = round(papers.height * options.new)
        changed = papers.with_row_index().with_columns(
            text=pl.when(pl.col.index < new).then(pl.col.text + " It is new.").otherwise(pl.col.text)
        )
        timed(changed.drop("index"), Path(place) / "refresh", base, first)
    print(facts["kind"].value_counts(sort=True))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
