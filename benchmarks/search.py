"""What search costs: CPU seconds and size of the index, and how long queries take, in this client and an older one.

`python benchmarks/search.py [--papers N] [--texts FILE.parquet] [--old-client PYTHON]`. Texts come from a Parquet file
with a column `text`, or are invented; queries are two to four neighbouring words of random texts, as a person remembers
them.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import polars as pl

from assets.analytical.search.index import build_index
from assets.analytical.search.tables import INDEX_TABLES, index_files
from assets.analytical.views import load_views
from assets.contract.arrow import empty, polars_schema
from assets.contract.parquet import write_table
from assets.contract.tables import TABLES
from assets.release.database import build_database
from assets.release.search import check_search_index
from benchmarks.text_lists import abstracts

QUERIES = 200
ASK = """
import json, resource, sys, time, duckdb
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
path, queries = sys.argv[1], json.loads(sys.stdin.read())
begun = time.perf_counter()
connection = duckdb.connect(path, read_only=True)
connection.execute("SELECT * FROM search('first')").fetchall()
opened = time.perf_counter() - begun
spent = []
for query in queries:
    begun, used = time.perf_counter(), cpu()
    rows = connection.execute("SELECT * FROM search(?)", [query]).fetchall()
    spent.append(((time.perf_counter() - begun) * 1000, (cpu() - used) * 1000, len(rows)))
print(json.dumps({"version": duckdb.__version__, "opened": opened, "spent": spent}))
"""


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def write_papers(path: Path, texts: list[str]) -> None:
    papers = pl.DataFrame({"text": texts}).with_row_index("number")
    given = {
        "paper_id": pl.format("pap_{}", pl.col("number").cast(pl.String).str.zfill(20)),
        "text": pl.col("text"),
        **dict.fromkeys(("representative_occurrence_id",), pl.lit("occ_" + "0" * 20)),
        **dict.fromkeys(("first_document_id", "last_document_id"), pl.lit("doc_" + "0" * 20)),
        **dict.fromkeys(("words", "occurrence_count", "document_count", "version_count"), pl.lit(1)),
        **dict.fromkeys(("venues", "years", "external_ids"), pl.lit([])),
        "field_sources": pl.struct(*(pl.lit(None, pl.String).alias(name) for name in ("text", "title", "authors"))),
    }
    columns = [given.get(name, pl.lit(None)).cast(kind).alias(name) for name, kind in polars_schema("papers").items()]
    write_table(papers.select(columns), "papers", path)


def make_queries(texts: list[str]) -> list[str]:
    chance = random.Random(7)
    queries = []
    while len(queries) < QUERIES:
        words = [word.strip(".,;:()") for word in chance.choice(texts).split()]
        words = [word for word in words if len(word) > 4 and word.isalpha()]
        size = chance.randint(2, 4)
        if len(words) > size:
            at = chance.randrange(len(words) - size)
            queries.append(" ".join(words[at : at + size]))
    return queries


def ask(python: str, database: Path, queries: list[str]) -> None:
    done = subprocess.run(
        [python, "-c", ASK, str(database)], input=json.dumps(queries), capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)
    for name, place in (("wall", 0), ("CPU", 1)):
        spent = [figures[place] for figures in answer["spent"]]
        print(
            f"DuckDB {answer['version']}: {name} ms per query: median {statistics.median(spent):.1f}, "
            f"p95 {statistics.quantiles(spent, n=20)[-1]:.1f}, max {max(spent):.1f}"
        )
    print(f"DuckDB {answer['version']}: opening and first query {answer['opened'] * 1000:.0f} ms")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--papers", type=int, default=20_000)
    options.add_argument("--texts", type=Path)
    options.add_argument("--old-client", help="a Python that has DuckDB 1.4")
    given = options.parse_args()
    if given.texts:
        texts = pl.read_parquet(given.texts, columns=["text"])["text"].head(given.papers).to_list()
    else:
        texts = list(abstracts(given.papers))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        parquet = {table: folder / f"{table}.parquet" for table in TABLES}
        for table in TABLES:
            write_table(empty(table), table, parquet[table])
        write_papers(parquet["papers"], texts)
        sizes = {}
        for name, frame in build_index(pl.scan_parquet(parquet["papers"]).head(0)).items():
            frame.write_parquet(index_files(folder)[name])
        build_database(folder / "without.duckdb", parquet, index_files(folder), load_views(), "4GB")
        sizes["without"] = (folder / "without.duckdb").stat().st_size

        used, begun = cpu(), time.perf_counter()
        frames = build_index(pl.scan_parquet(parquet["papers"]))
        for name, frame in frames.items():
            frame.write_parquet(index_files(folder)[name], compression="lz4")
        spent = cpu() - used
        print(f"{len(texts):,} papers, {sum(len(text.encode()) for text in texts) / 1e6:.1f} MB of text")
        print(f"index made: {spent:.1f} CPU s ({time.perf_counter() - begun:.1f} s)")
        print(", ".join(f"{frames[table.name].height:,} {table.name}" for table in INDEX_TABLES))
        used = cpu()
        build_database(folder / "with.duckdb", parquet, index_files(folder), load_views(), "4GB")
        print(f"database with tables and index: {cpu() - used:.1f} CPU s")
        used = cpu()
        assert check_search_index(folder / "with.duckdb").passed
        print(f"check of the index: {cpu() - used:.1f} CPU s")
        sizes["with"] = (folder / "with.duckdb").stat().st_size
        print(f"index in the database: {(sizes['with'] - sizes['without']) / 1e6:.1f} MB")
        queries = make_queries(texts)
        for python in filter(None, (sys.executable, given.old_client)):
            ask(python, folder / "with.duckdb", queries)
    print(
        f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB; DuckDB {duckdb.__version__}"
    )


if __name__ == "__main__":
    main()
