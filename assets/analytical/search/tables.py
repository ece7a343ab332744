"""The tables of the search index as the database of a release holds them, and the files that carry them there.

They are no tables of the contract: what they hold follows from `papers`, and only the macro `search` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SCHEMA = "search_index"


@dataclass(frozen=True)
class IndexTable:
    """A table of the index: its name in the schema, what it holds, its columns as name -> (DuckDB type, words)."""

    name: str
    description: str
    columns: Mapping[str, tuple[str, str]]


INDEX_TABLES = (
    IndexTable(
        "corpus",
        "What BM25 needs to know of all papers together; one row.",
        {
            "papers": ("INTEGER", "Papers in the index."),
            "mean_length": ("DOUBLE", "Mean length of a paper in words, those of the title weighted."),
            "words_key": ("VARCHAR", "Fingerprint of how words are brought to one form and counted."),
        },
    ),
    IndexTable(
        "papers",
        "Each paper with its place in the table of papers.",
        {
            "doc": ("INTEGER", "Place in the table of papers, from 0: its rowid there."),
            "paper_id": ("VARCHAR", "The paper."),
            "damping": ("FLOAT", "What the frequency of a word is held against: k1 * (1 - b + b * length / mean)."),
        },
    ),
    IndexTable(
        "terms",
        "Each word of the papers in its one form, in order.",
        {
            "term": ("VARCHAR", "The word as the macro search_words makes it."),
            "term_id": ("INTEGER", "Its number, from 0 in the order of the words."),
            "papers": ("INTEGER", "Papers that hold it."),
        },
    ),
    IndexTable(
        "postings",
        "Which paper holds which word how often, by word.",
        {
            "term_id": ("INTEGER", "The word."),
            "doc": ("INTEGER", "The paper."),
            "frequency": ("USMALLINT", "How often, a word of the title weighted."),
        },
    ),
)


def index_files(folder: Path) -> dict[str, Path]:
    """Return table name -> Parquet file of the index in a layer's folder."""
    return {table.name: folder / f"search_{table.name}.parquet" for table in INDEX_TABLES}
