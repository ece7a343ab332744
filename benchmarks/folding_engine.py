"""One engine over one corpus, from text Parquet to clusters: run as a process of its own by folding.py.

    python benchmarks/folding_engine.py ENGINE CORPUS.parquet OUT.parquet

Engines: paperfold, refresh (paperfold with 1,000 documents new), and where they are installed rensa, gaoya, datasketch,
polars (unique on normalised text).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl

GRAMS = 3


def joined(size: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return a cluster per document: those that a path of pairs joins."""
    parent = list(range(size))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for one, other in pairs:
        parent[root(one)] = root(other)
    return [root(node) for node in range(size)]


def words_of(texts: list[str]) -> Iterable[list[str]]:
    for text in texts:
        words = text.lower().split()
        yield [" ".join(words[i : i + GRAMS]) for i in range(max(len(words) - GRAMS + 1, 1))]


class Steps:
    """CPU seconds by step of folding, as its progress tells them."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {"imports": round(time.process_time(), 2)}
        self._clock = time.process_time()

    def __call__(self, step: str, done: int, total: int) -> None:
        if done == total:
            now = time.process_time()
            self.spent[step] = round(now - self._clock, 2)
            self._clock = now


def as_occurrences(corpus: Path) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return the corpus as parsed occurrences in documents of 1,000."""
    from assets.contract.arrow import polars_schema

    def named(prefix: str, number: pl.Expr) -> pl.Expr:
        return pl.format(prefix + "_{}", number.cast(pl.String).str.zfill(20))

    scanned = pl.scan_parquet(corpus)
    size = scanned.select(pl.len()).collect().item()
    number = pl.col("doc_id").cast(pl.Int64)
    schema = polars_schema("parsed_occurrences")
    occurrences = scanned.select(
        named("occ", number).alias("occurrence_id"), named("doc", number // 1000).alias("document_id"),
        (number % 1000 + 1).alias("position"), pl.col("text").alias("raw_text"), "text",
        pl.lit(100, pl.Int64).alias("words"), pl.lit([], dtype=schema["external_ids"]).alias("external_ids"),
    )  # fmt: skip
    found = occurrences.collect_schema().names()
    occurrences = occurrences.with_columns(pl.lit(None, t).alias(n) for n, t in schema.items() if n not in found)
    names = [f"doc_{n:020d}" for n in range((size + 999) // 1000)]
    documents = pl.DataFrame({"document_id": names, "file_name": names}).with_columns(
        pl.lit(None, t).alias(n) for n, t in polars_schema("documents").items() if n not in ("document_id", "file_name")
    )
    return occurrences, documents.lazy()


def paperfold(corpus: Path) -> list[int]:
    """Fold the corpus and write the papers; print CPU seconds by step."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from assets.folded.folding import fold
    from assets.folded.settings import FoldingSettings

    told = Steps()
    occurrences, documents = as_occurrences(corpus)
    with tempfile.TemporaryDirectory() as folder:
        made = fold(
            occurrences, documents, base=None, settings=FoldingSettings(), index_out=Path(folder) / "index",
            progress=told,
        )  # fmt: skip
        made.papers.lazy().sink_parquet(Path(folder) / "papers.parquet")
        told("papers", 1, 1)
    print(json.dumps(told.spent))
    return made.assignments.sort("occurrence_id").get_column("paper_id").rank("dense").to_list()


def refresh(corpus: Path) -> list[int]:
    """Fold all but one document of 1,000, then all on that base; print CPU seconds of both and of writing."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from assets.folded.folding import Base, fold
    from assets.folded.settings import FoldingSettings

    occurrences, documents = as_occurrences(corpus)
    before = pl.col("document_id") != "doc_" + "3".zfill(20)
    spent: dict[str, float] = {}

    def timed(name: str, clock: float) -> None:
        spent[name] = round(time.process_time() - clock, 2)

    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        parsed = base / "parsed.parquet"
        occurrences.sink_parquet(parsed)
        occurrences = pl.scan_parquet(parsed)
        clock = time.process_time()
        made = fold(
            occurrences.filter(before), documents.filter(before), base=None, settings=FoldingSettings(),
            index_out=base / "index",
        )  # fmt: skip
        timed("all", clock)
        clock = time.process_time()
        for name in ("papers", "folds", "conflicts", "paper_aliases"):
            getattr(made, name).lazy().sink_parquet(base / f"{name}.parquet")
        timed("writing", clock)
        whole = occurrences.filter(before).join(made.assignments.lazy(), on="occurrence_id", how="left")
        whole.sink_parquet(base / "occurrences.parquet")
        del made
        release = Base("rel_1", lambda name: pl.scan_parquet(base / f"{name}.parquet"), base / "index")
        clock = time.process_time()
        made = fold(
            occurrences, documents, base=release, settings=FoldingSettings(), index_out=base / "next",
        )  # fmt: skip
        timed("refresh", clock)
    print(json.dumps(spent))
    return made.assignments.sort("occurrence_id").get_column("paper_id").rank("dense").to_list()


def rensa(corpus: Path) -> list[int]:
    from rensa import RMinHash, RMinHashLSH

    texts = pl.read_parquet(corpus).get_column("text").to_list()
    index = RMinHashLSH(threshold=0.5, num_perm=128, num_bands=32)
    hashes = []
    for number, grams in enumerate(words_of(texts)):
        minhash = RMinHash(num_perm=128, seed=42)
        minhash.update(grams)
        index.insert(number, minhash)
        hashes.append(minhash)
    pairs = (
        (number, other)
        for number, minhash in enumerate(hashes)
        for other in index.query(minhash)
        if other < number and minhash.jaccard(hashes[other]) >= 0.5
    )
    return joined(len(texts), pairs)


def gaoya(corpus: Path) -> list[int]:
    from gaoya.minhash import MinHashStringIndex

    texts = pl.read_parquet(corpus).get_column("text").to_list()
    index = MinHashStringIndex(32, 0.5, 42, 3, None, "word", True, (GRAMS, GRAMS))
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    found = index.par_bulk_query(texts)
    return joined(len(texts), ((n, other) for n, others in enumerate(found) for other in others if other != n))


def datasketch(corpus: Path) -> list[int]:
    from datasketch import MinHash, MinHashLSH

    texts = pl.read_parquet(corpus).get_column("text").to_list()
    index, hashes = MinHashLSH(threshold=0.5, num_perm=128), []
    for number, grams in enumerate(words_of(texts)):
        minhash = MinHash(num_perm=128)
        minhash.update_batch([gram.encode() for gram in grams])
        index.insert(number, minhash)
        hashes.append(minhash)
    pairs = (
        (number, other)
        for number, minhash in enumerate(hashes)
        for other in index.query(minhash)
        if other < number and minhash.jaccard(hashes[other]) >= 0.5
    )
    return joined(len(texts), pairs)


def polars(corpus: Path) -> list[int]:
    normal = pl.col("text").str.to_lowercase().str.replace_all(r"[^a-z0-9]+", " ").str.strip_chars()
    return pl.read_parquet(corpus).select(normal.rank("dense")).to_series().to_list()


ENGINES: dict[str, Callable[[Path], list[int]]] = {
    "paperfold": paperfold, "refresh": refresh, "rensa": rensa, "gaoya": gaoya, "datasketch": datasketch,
    "polars": polars,
}  # fmt: skip

if __name__ == "__main__":
    clusters = ENGINES[sys.argv[1]](Path(sys.argv[2]))
    pl.DataFrame({"found": clusters}).write_parquet(sys.argv[3])
